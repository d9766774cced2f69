#!/usr/bin/env bash
# Oracle: docs/explanation/architecture.md: a column is one entry of a list in src/sim. The entry shown there is added to a copy of
# body_row.c; the command's table has it, and so has Python's result, where build/python has its objects.
# Arguments: source folder, build folder, C compiler.
set -eu
source=$1 build=$2 cc=$3
link=$build/cli/CMakeFiles/bristle.dir/link.txt # what made the command
[ -f "$link" ] || exit 77
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

entry=$(sed -n 's/.*`\(X("speed", .*)\)` at the end of.*/\1/p' "$source/docs/explanation/architecture.md")
[ -n "$entry" ]
# the end of the list is where a line of it does not end with a backslash
awk -v entry="$entry" '/^#define STATE\(X\)/ {inside = 1}
    inside && !/\\$/ {sub(/$/, ", " entry); inside = 0} {print}' "$source/src/sim/body_row.c" >body_row.c
[ "$(diff "$source/src/sim/body_row.c" body_row.c | grep -c '^>')" = 1 ]
$cc -std=c17 -O1 -fPIC -I"$source/include" -I"$build/include" -I"$source/src" -c body_row.c -o body_row.o
(cd "$build/cli" && sh -c "$(sed "s| -o bristle | $scratch/body_row.o -o $scratch/bristle |" "$link")")
./bristle run "$source/scenarios/puck.yaml" -q -o table.csv
head -n 1 table.csv | tee header
grep -q '^t,x,y,theta,vx,vy,w,speed,' header
awk -F, 'NR > 1 && ($8 - sqrt($5^2 + $6^2))^2 > 1e-20 {exit 1}' table.csv

made=$source/build/python
temp=$(find "$made" -maxdepth 2 -type d -name 'temp*' 2>/dev/null | head -n 1)
module=$(find "$made" -name '_core*.so' -path '*bristle*' 2>/dev/null | head -n 1)
if [ -z "$temp" ] || [ -z "$module" ] || [ ! -x "$made/venv/bin/python" ] ||
    [ -n "$(find "$source/src" "$source/include" "$source/bindings/python/core" -newer "$module")" ]; then
    echo 'Python is not tested: build/python is not there or older than the source (make python)'
    exit 0
fi
objects= # those of which there is a source
while read -r object; do
    [ ! -f "$source/${object%.o}.c" ] || objects="$objects $temp/$object"
done < <(cd "$temp" && find . -name '*.o' ! -name body_row.o)
cp -r "$(dirname "$module")" bristle-python
mkdir python && mv bristle-python python/bristle
# shellcheck disable=SC2086 # one word for each object
$cc -shared $objects body_row.o -o "python/bristle/$(basename "$module")" -lyaml -lcminpack -lm 2>link.log ||
    $cc -shared $objects body_row.o -o "python/bristle/$(basename "$module")" -lm
PYTHONPATH=python "$made/venv/bin/python" -c '
import bristle, numpy
table = bristle.Contact(bristle.Patch.disc(0.02), 0.3)
puck = bristle.Body(1.0, 2e-4, [bristle.BodyContact(table, weight=1, frame="body")], velocity=(1, 0, 0))
result = puck.simulate(0.1)
assert result.units["speed"] == "m/s"
assert numpy.allclose(result["speed"], numpy.hypot(result["vx"], result["vy"]), atol=1e-12)
print("Python:", ", ".join(list(result)[:9]))'
