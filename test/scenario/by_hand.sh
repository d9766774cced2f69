#!/usr/bin/env bash
# Oracle: keys of scenarios are read by their tables; at most 40 are not, and each of these has its reason.
# Argument: source folder.
set -eu
cd "$1/src/scenario"
most=40
rows=$(grep -hoE '\b(KEY|PLAIN_KEY|TAG|TAG_AT)\("' ./*.[ch] | wc -l)
by_hand=$(cat ./*.[ch] | tr '\n' ' ' | grep -oE 'BY_HAND\( *"[^"]{10,}' | wc -l)
all=$(grep -ow 'BY_HAND' ./*.[ch] | wc -l)
echo "$by_hand of $rows rows of tables are read by their own code"
[ "$rows" -gt 100 ] # the patterns still find the tables
[ "$by_hand" -le $most ]
[ "$all" -eq $((by_hand + 2)) ] # besides each with its reason: the macro, and a comment on it
