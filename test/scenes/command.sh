#!/bin/bash
# The first scenes of `test-scenes` by the command: the same numbers, to the last bit, as by the C interface.
# command.sh BRISTLE TEST_SCENES
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for i in $(seq 0 11); do
    "$2" print 1 "$i" >"$folder/scene.yaml"
    "$2" rows 1 "$i" >"$folder/c.csv"
    "$1" run "$folder/scene.yaml" -o "$folder/command.csv" --quiet
    /usr/bin/python3 - "$folder/c.csv" "$folder/command.csv" "$i" <<'END'
import sys

c, command = ([line.split(",") for line in open(path).read().split("\n") if line and line[0] != "#"] for path in sys.argv[1:3])
assert c[0] == command[0] and len(c) == len(command) == 22, (sys.argv[3], c[0], command[0])
for row, other in zip(c[1:], command[1:]):
    for name, a, b in zip(c[0], row, other):
        assert name.startswith("state") or float(a) == float(b), (sys.argv[3], row[0], name, a, b)
END
done
echo "12 scenes"
