#!/bin/sh
# Phrases of the dialect of version 0.2 do not come back: CONTRIBUTING.md, "Words". Only phrases and words that have no
# ordinary use in this project are listed; other words are for the reader to judge.
# The script also checks that it finds each phrase in a text that has it.
#   words.sh SOURCE
set -eu
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# PHRASE (extended regular expression, any case, between word boundaries), a text that has it, what to write instead
cat >"$work/phrases" <<'END'
anew	begins anew	again
once more	solve it once more	again
at the begin	at the begin of the run	at the start
begins? (steady|relaxed|anew|as)	bristles begin steady	start in ...
even pressure	a disc under even pressure	uniform pressure
to and fro	pushed to and fro	back and forth, repeatedly
of late	as it did of late	recently
at most times	at most times it sticks	usually
lets? (go|loose) (of )?(the|its|their) bristles	it lets go the bristles	reset the bristles
bristles (are|were) let go	the bristles are let go	reset
by the way	moves by the way less the gap	by the distance
way it slip(s|ped)	the way it slipped	slip distance
(is|are|was|were) told	an error is told	is reported, is given
(is|are|was|were) asked for	what was asked for	is requested, is required
as asked for	1e-9 as asked for	as required
(data|pairs|pushes|motion) (cannot|do not|does not) tell	what the data cannot tell	not identifiable from the data
(tells|told) (its|their|the) (error|number|reason|key|line)	a table tells its error	reports
says? so	the message says so	reports it
which is said	which is said where	with a message
(is|are) made anew	it is made anew	created again
(the|a|this|another) room (base|math|law|patch|limit|planar|cone|slider|sim|fit|scenario)	tests of the room sim	module
of itself	it ends of itself	automatically, by default
an? (heap|hollow)	a heap of rings	a sum, a minimum
absurd	absurd speeds	extreme
mistakes?	five mistakes	error
thereof|whereof|hence|thence	hence more damping	so, from there
END

# FILE:LINE:PHRASE that may stay, with the reason
cat >"$work/allowed" <<'END'
bindings/python/bristle/__init__\.py:.*Mistake	the name in version 0.2, still exported
bindings/python/bristle/scenario\.py:.*[Mm]istake	the same
bindings/python/test/test_same\.py:.*mistakes	the same
bindings/python/test/test_scenario\.py:.*[Mm]istake	the same
bindings/wasm/bristle/scenario\.js:.*mistakes	the same
bindings/wasm/test/behaviour\.test\.mjs:.*mistakes	the same
bindings/wasm/core/words\.c:.*heap	the data structure
:.*(to|by|times|much) (1e-[0-9]+ |that much )?of itself	a fraction of a value
test/words\.sh:	this list
CONTRIBUTING\.md:.*\(not	the rule
END

# in names of functions and tests the words are joined by _
cut -f1 "$work/phrases" | sed -e 's/ /[ _]/g' -e 's/.*/(^|[^[:alnum:]])(&)([^[:alnum:]]|$)/' >"$work/patterns"
cut -f1 "$work/allowed" >"$work/leave"

# every phrase is found where it is
status=0
while IFS='	' read -r pattern text instead; do
    printf '%s\n' "$text" | grep -Ei -f "$work/patterns" | grep -qEi "$pattern" ||
        { echo "words.sh does not find \"$pattern\" in \"$text\" ($instead)"; status=1; }
done <"$work/phrases"
echo 'static void it_begins_anew(void)' | grep -qEi -f "$work/patterns" || { echo 'words.sh does not look into names'; status=1; }

# folders that are clean; pages of docs and the history of CHANGELOG.md are not among them
find src include cli parts pictures bindings bench studies examples integrations web test cmake scenarios \
    CMakeLists.txt CONTRIBUTING.md Makefile README.md .ci -type f \
    ! -path '*/node_modules/*' ! -path '*/.*' ! -path '*/__pycache__/*' ! -path '*/build/*' \
    ! -name '*.csv' ! -name '*.json' ! -name '*.svg' ! -name '*.png' ! -name '*.gif' ! -name '*.npz' |
    sort >"$work/files"
xargs grep -HInEi -f "$work/patterns" <"$work/files" | grep -vE -f "$work/leave" >"$work/found" || true
if [ -s "$work/found" ]; then
    cat "$work/found"
    echo "$(wc -l <"$work/found") lines with phrases of the list in test/words.sh"
    status=1
fi
echo "$(wc -l <"$work/files") files, $(wc -l <"$work/patterns") phrases"
exit $status
