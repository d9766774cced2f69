#!/usr/bin/env bash
# Every scenario and patch that ships is valid, runs, and gives finite numbers.
# Arguments: the command, the folder with the scenarios.
set -eu
bristle=$1 folder=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for file in "$folder"/*.yaml; do
    "$bristle" check "$file"
    "$bristle" run "$file" -o "$scratch/out.csv" --quiet >/dev/null
    [ "$(wc -l <"$scratch/out.csv")" -gt 50 ]
    if grep -qiE 'nan|inf' "$scratch/out.csv"; then
        echo "$file: the result is not finite"
        exit 1
    fi
done
for file in "$folder"/patches/*.yaml; do
    "$bristle" check "$file"
    "$bristle" surface "$file" --json >/dev/null
done

# what holds_still.yaml and creeps.yaml promise, over the last two of four seconds (whole periods)
moved() {
    "$bristle" run "$folder/$1" --set integrator.rtol=1e-10 --set integrator.atol=1e-14 \
        --set integrator.atol_z=1e-15 --quiet 2>/dev/null |
        awk -F, '$1 == 2 {a = $2} END {d = $2 - a; print (d < 0 ? -d : d)}'
}
awk -v d="$(moved holds_still.yaml)" 'BEGIN {print "holds still: moved", d, "m"; exit !(d < 1e-12)}'
awk -v d="$(moved creeps.yaml)" 'BEGIN {print "creeps: moved", d, "m"; exit !(d > 1e-5)}'
