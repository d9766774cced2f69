#!/usr/bin/env bash
# docs/explanation/equations.md leads somewhere: every numbered equation of the four papers has a row, every
# function and file that it names is in the source, every test in its program.
# Argument: the source folder.
set -u
cd "$1" || exit 1
table=docs/explanation/equations.md
failed=0
complain() { echo "$table: $*"; failed=1; }

rows() { sed -n 's/\\|//g; /^|/p' $table; } # without the bars of |x|

# numbers that rows of a paper name in their first column: "W&K (9), (15)-(18)"
numbers_of() { # PAPER
    rows | awk -F'|' -v paper="$1" '
        $2 ~ "^ " paper " " {
            text = $2
            while (match(text, /\([0-9]+\)(-\([0-9]+\))?/)) {
                range = substr(text, RSTART, RLENGTH)
                text = substr(text, RSTART + RLENGTH)
                gsub(/[()]/, "", range)
                ends = split(range, end, "-")
                for (i = end[1]; i <= end[ends]; i++) print i
            }
        }' | sort -nu
}

for paper in 'W&K 44' 'X&C 49' 'H+ 65' 'S 23'; do
    name=${paper% *} last=${paper#* }
    missing=$(comm -23 <(seq "$last" | sort) <(numbers_of "${name/+/[+]}" | sort) | sort -n | tr '\n' ' ')
    [ -z "$missing" ] || complain "$name lacks $missing"
done

in_source() { grep -rqw --include='*.[ch]' --include='*.inc' -- "$1" src include; }

source_of() { # PROGRAM
    case $1 in
    engine.mujoco_*) ls "integrations/mujoco/test_${1#engine.mujoco_}.c" 2>/dev/null && return ;;
    esac
    sed -n "s/^ *bristle_[a-z]*($1 \([a-z0-9_\/]*\.c\).*/test\/\1/p" test/CMakeLists.txt
}

# what is in `...` of a column
quoted() { rows | awk -F'|' -v column="$1" '{print $column}' | grep -o '`[^`]*`' | tr -d '`'; }

while read -r name; do
    case $name in
    *.c | *.h | *.inc) [ -n "$(find src include -name "$name")" ] || complain "no file $name" ;;
    *) in_source "$name" || complain "no function $name" ;;
    esac
done < <(quoted 3 | sort -u)

# "unit.law: test", then tests of the same program, and columns of its stored numbers
program=
while IFS= read -r name; do
    case $name in
    unit.* | golden.* | engine.*)
        program=$(source_of "${name%%:*}")
        [ -n "$program" ] || { complain "no test program $name"; continue; }
        [ "${name#*: }" = "$name" ] || grep -qw "static void ${name#*: }" "$program" ||
            complain "no test $name"
        ;;
    *) grep -qw -- "$name" "$program" || complain "no $name in $program" ;;
    esac
done < <(quoted 4)

# and in the text between, and on the page that shows them typeset
for table in docs/explanation/equations.md docs/explanation/formulas.md; do
    for name in $(grep -v '^|' $table | grep -oE '\bbr_[a-z0-9_]+' | sort -u); do
        in_source "$name" || complain "no function $name"
    done
    while IFS= read -r name; do
        program=$(source_of "${name%%:*}")
        [ -n "$program" ] || { complain "no test program $name"; continue; }
        [ "${name#*: }" = "$name" ] || grep -qw "static void ${name#*: }" "$program" || complain "no test $name"
    done < <(grep -v '^|' $table | grep -oE '`(unit|golden)\.[a-z0-9_]+(: [a-z0-9_]+)?`' | tr -d '`')
done
exit $failed
