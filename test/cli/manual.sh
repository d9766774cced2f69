#!/bin/bash
# The manual page has the text of the help, and man accepts it.
. "$(dirname "$0")/lib.sh"

expect_exit 0 "$bristle" help --man
expect_quiet
cp "$logs/out" "$logs/page"
command -v groff >/dev/null || exit 77

# wide, so that no line is broken
LC_ALL=C.UTF-8 groff -Tutf8 -P-cbou -man -ww -rLL=200n "$logs/page" >"$logs/shown" 2>"$logs/complaints" ||
    fail 'groff ended badly'
[ ! -s "$logs/complaints" ] || { cat "$logs/complaints"; fail 'groff has something against the page'; }

# Oracle: the help. Every word of it is in the page.
squeeze() { tr -s ' \n' '\n\n' | sort -u; }
{
    "$bristle" --help
    for command in run check new surface cone constrained reproduce bench; do
        "$bristle" help $command
    done
} | squeeze | grep -v '^usage:$' >"$logs/words"
squeeze <"$logs/shown" >"$logs/shown_words"
lost=$(comm -23 "$logs/words" "$logs/shown_words")
[ -z "$lost" ] || fail "not in the manual page: $lost"
for section in NAME SYNOPSIS DESCRIPTION 'BRISTLE RUN' 'BRISTLE BENCH'; do
    grep -q "^$section" "$logs/shown" || fail "no section $section"
done
done_well
