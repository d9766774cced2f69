#!/usr/bin/env bash
# Where there is no apt, cmake/need.sh names what is missing and installs nothing.
# Argument: the source folder.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for tool in sh cat grep id; do
    ln -s "$(command -v $tool)" "$scratch/$tool"
done
status=0
PATH=$scratch "$(command -v sh)" "$1/cmake/need.sh" build format >"$scratch/out" 2>&1 || status=$?
[ "$status" -eq 1 ]
grep -q 'needs, under their Debian names: .*gcc.*cmake.*libyaml-dev.*clang-format' "$scratch/out"
status=0
sh "$1/cmake/need.sh" nonsense >"$scratch/out" 2>&1 || status=$?
[ "$status" -eq 2 ]
echo ok
