#!/bin/sh
# Write docs/reproduction/summary.md and its pictures: reproduction.sh OURS PUBLISHED CLAIMS DOCS, the folders of
# `bristle reproduce all` and `bristle reproduce all --as-published`, a file that claims.sh wrote, and where to write.
set -eu
ours=$1 published=$2 claims=$3 docs=$4

# name|title|verdict of each item of a report
summary() {
    sed '/^<a id=/,$d' "$1/report.md" | sed -n 's/^| \[\([^]]*\)\](#[^)]*) | \(.*\) | \([^|]*\) |$/\1|\2|\3|made/p; t
        /^| [a-z]*-[a-z0-9]* |/s/^| \([^ ]*\) | \(.*\) | \([^|]*\) |$/\1|\2|\3|/p'
}

# the items of a report, one heading lower
items() {
    sed -n '/^<a id=/,$p' "$1/report.md" | sed 's/^## /### /'
}

mkdir -p "$docs/reproduction"
rm -f "$docs"/reproduction/*.png
for picture in "$ours"/*.png; do
    # line drawings need few colours, and documents small files
    convert "$picture" -strip +dither -colors 64 "PNG8:$docs/reproduction/$(basename "$picture")"
done

verdicts=$(mktemp)
trap 'rm -f "$verdicts"' EXIT
summary "$published" >"$verdicts"
{
    cat <<'END'
# Reproduction of published figures and tables

`make reproduce` wrote this page; do not edit it. W&K: Waltersson & Karayiannidis; X&C: Xie &
Chakraborty; H+: Huang et al.; S: Savin.

Two variants are computed, and each is judged by what it draws. "Ours": shapes, the exact limit surface, our defaults. "As published": the
published protocol to the letter (zero-order hold of 10 ms, cell grids, truncated tables, no guard). Every number names its source. The
column *published* holds what is printed in a paper: in its text, in a table, or read off a figure, with the reading error. The column *reference* holds all
else: the authors' code (W&K's repository at f4c23f2, integrated by us, since its own tolerance is 1 % of a bristle), oracles of our own (programs that
share nothing with the library, in `test/golden`), closed forms. A difference of whole curves has no number in either.

Verdicts: *agrees* within the tolerance (as published: what the reference can be trusted for; ours: 1 % of the curve's range, the width of a printed
line, unless said otherwise); *differs, because* (with the number that differs most); *no reference*, for parts of a figure that nothing can be compared
with; *self-consistent; no printed number*, where results of bristle agree with each other and the paper prints no number to compare with; *shown*, where nothing is judged: timings, and what depends on numbers that the paper does not print. What the papers leave out and we had to assume is in
docs/explanation/equations.md.

## Verdicts

| item | | ours | as published |
|---|---|---|---|
END
    summary "$ours" | while IFS='|' read -r name title verdict made; do
        if [ -n "$made" ]; then
            echo "| [$name](#$name) | $title | $verdict | $(sed -n "s/^$name|.*|\([^|]*\)|made$/\1/p" "$verdicts") |"
        else
            echo "| $name | $title | $verdict | |"
        fi
    done
    printf '\n'
    cat "$claims"
    printf '## Ours\n\n'
    items "$ours"
    printf '## As published\n\n'
    items "$published" | sed '/^<a id=/d; /^!\[/d' | cat -s
} >"$docs/reproduction/summary.md"
