#!/bin/sh
# Phrases of the dialect of version 0.2 do not come back: CONTRIBUTING.md, "Words". Only phrases and words that have no
# ordinary use in this project are listed; other words are for the reader to judge.
# No sentence of a page, a public header, a help text, a message or a docstring has more than 35 words, and pages keep
# their layout (sentences.py, where there is Python).
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
whoever	whoever steps by himself	if you ...
somebody	somebody leans on it	a load, a user
tells? (itself|themselves|what|whether|how|of it)	a summary tells what it cost	reports, prints, shows
(told|tell) apart	both can be told apart	distinguished
(slip|steps?|runs?|motion|bristles|contacts?|tip|sweeps?|pushe?s?|pages?|stage) begins?	where slip begins	starts
(straight|tip'?s?|slip) way	the straight way of the tip	path, distance
error of the (way|place)	the error of the place	of the distance, of the position
as it stands	tested as it stands here	as it is
stands? (below|beside) (it|them)	the output stands below it	is below
how sure (it|they|you) (is|are)	says how sure they are	intervals, uncertainty
(engines|friction) makes? of	what engines make of friction	computes, does
what of it matters	and what of it matters	which inputs matter
without more words	without more words the patch is a disc	by default
swinging (load|force|grip)	creeps under a swinging load	oscillating
(grip|force|gripper) swings	the grip swings	oscillates
gives? energy back that	never gives energy back that	releases more energy than is stored
jumps? about	errors jump about	vary
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
CHANGELOG\.md:	history
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

# docs/reproduction is computed (make reproduce), the history in CHANGELOG.md stays as it was
find src include cli parts pictures bindings bench studies examples integrations web test cmake scenarios docs \
    CMakeLists.txt CONTRIBUTING.md Makefile README.md .ci -type f \
    ! -path '*/node_modules/*' ! -path '*/.*' ! -path '*/__pycache__/*' ! -path '*/build/*' ! -path 'docs/reproduction/*' \
    ! -name '*.csv' ! -name '*.json' ! -name '*.svg' ! -name '*.png' ! -name '*.gif' ! -name '*.npz' ! -name '*.ipynb' |
    sort >"$work/files"
xargs grep -HInEi -f "$work/patterns" <"$work/files" | grep -vE -f "$work/leave" >"$work/found" || true
if [ -s "$work/found" ]; then
    cat "$work/found"
    echo "$(wc -l <"$work/found") lines with phrases of the list in test/words.sh"
    status=1
fi

# long sentences: pages, comments of public headers, texts of the command and the libraries, docstrings
python=$(command -v /usr/bin/python3 || command -v python3 || true)
if [ -n "$python" ]; then
    "$python" test/sentences.py --self-test || status=1
    grep -E '^(docs|scenarios|examples|integrations|bindings|web)/.*\.md$|^(README|CONTRIBUTING)\.md$|^(include|integrations)/.*/bristle/[a-z_]*\.h$|^include/bristle/.*\.h$|^(cli|parts|src)/.*\.c$|^bindings/python/bristle/.*\.py$' \
        "$work/files" | grep -vE '^docs/reference/(columns|commands|keys)\.md$' >"$work/texts" # written from the help
    xargs "$python" test/sentences.py <"$work/texts" >"$work/long" || true
    if [ -s "$work/long" ]; then
        cat "$work/long"
        echo "$(wc -l <"$work/long") long sentences, long lines or wide tables: test/sentences.py"
        status=1
    fi
    echo "$(wc -l <"$work/texts") files of text without long sentences"
else
    echo 'no python3: sentences are not counted'
fi
echo "$(wc -l <"$work/files") files, $(wc -l <"$work/patterns") phrases"
exit $status
