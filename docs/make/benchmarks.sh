#!/bin/sh
# Write measured tables into docs/benchmarks.md, between the lines <!-- NAME: start --> and <!-- NAME: end -->.
#   benchmarks.sh bench BENCH.txt PAGE     the table of `bristle bench`
#   benchmarks.sh models MODELS.txt PAGE   the tables of bench/models.c
set -eu
name=$1 table=$2 page=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# CASE, column of the baseline (ref or careful), what is computed, the baseline
cat >"$work/rows" <<'END'
distributed.eval/disc21/lugre	careful	evaluation, 373 cells, LuGre	C loop, -O3 -march=native -ffast-math
distributed.eval/disc21/ep	careful	evaluation, 373 cells, elasto-plastic	the same loop
distributed.eval/disc21/ep	ref	evaluation, 373 cells, elasto-plastic	our kernel, one number at a time
blocks.eval/disc5	ref	evaluation, 25 blocks	our kernel, one number at a time
reduced.eval/smooth	ref	evaluation, reduced	our kernel, one number at a time
reduced.batch/1000	ref	evaluation in a batch of 1000, reduced	our kernel, one number at a time
limit.table/disc21	ref	table of a limit surface	published method in C
limit.table/disc21-coulomb	ref	table of a limit surface	published method without exponentials
slider.step/6.1	ref	step of a slider (X&C 6.1)	Newton's method in four unknowns
step.slip-stick/cells	ref	step of 1 ms, gripper, 317 cells	our kernel, one number at a time
step.slip-stick/blocks	ref	step of 1 ms, gripper, blocks	our kernel, one number at a time
step.slip-stick/reduced	ref	step of 1 ms, gripper, reduced	our kernel, one number at a time
step.group/pinch-stick	ref	step of a pinched capsule that sticks	30 sweeps over its contacts
worlds.step/ellipsoid-1024	ref	step of one of 1024 worlds, ellipsoid	a loop over single steps
worlds.step/ellipsoid-1024-float	ref	the same in float	a loop over single steps in double
pushing.rollout/16x10	ref	step of a push, 16 pushes at once	single steps
sim.rig/lugre	ref	rig, 20 s of stick-slip, LuGre	CVODE at equal error
sim.slip/reduced	ref	gripper, 2 s, reduced	CVODE at equal error
sim.slip/blocks	ref	gripper, 2 s, blocks	CVODE at equal error
sim.slip/distributed	ref	gripper, 2 s, 317 cells	CVODE at equal error
END

bench_section() {
    awk -F '\t' -v date="$(date +%F)" '
    function show(ns) { return ns < 1e3 ? sprintf("%.3g ns", ns) : ns < 1e6 ? sprintf("%.3g us", ns/1e3) : ns < 1e9 ? sprintf("%.3g ms", ns/1e6) : sprintf("%.3g s", ns/1e9) }
    function times(r) { return r < 10 ? sprintf("%.1f", r) : sprintf("%.0f", r) }
    FNR == NR && FNR == 1 { machine = $0; gsub(/  +/, ", ", machine); next }
    FNR == NR { split($0, cell, / +/); ours[cell[1]] = cell[2]; other[cell[1], "ref"] = cell[5]; other[cell[1], "careful"] = cell[7]; next }
    FNR == 1 {
        print "Measured on " date ", one core: " machine ". Minima, processor time per call.\n"
        print "| what | ours | baseline | its time | ratio | case of `bristle bench` |\n|---|---|---|---|---|---|"
    }
    {
        if (!($1 in ours)) { print "benchmarks.sh: no case " $1 | "cat >&2"; exit 1 }
        theirs = other[$1, $2]
        if (theirs !~ /^[0-9]/) next # this build has no such baseline
        printf "| %s | %s | %s | %s | %s | `%s` |\n", $3, show(ours[$1]), $4, show(theirs), times(theirs/ours[$1]), $1
    }' "$table" "$work/rows"
}

# of each row: method, states, cost, and the ranges of both errors over the surfaces
models_section() {
    awk -F ' *[|] *' -v date="$(date +%F)" -v cpu="$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" '
    function add(cell, part) { # "force/torque", in thousandths
        if (split(cell, part, "/") < 2) return
        for (k = 1; k <= 2; k++) {
            if (n == 0 || part[k] < low[k]) low[k] = part[k] + 0
            if (n == 0 || part[k] > high[k]) high[k] = part[k] + 0
        }
        n++
    }
    function range(k) { return n == 0 ? "0" : low[k] == high[k] ? low[k] "" : low[k] " to " high[k] }
    /^[|] method/ {
        print "Measured on " date ": " cpu ", one core.\n"
        print "| motion | method | states | cost [ns] | force error [1/1000] | torque error [1/1000] |\n|---|---|---|---|---|---|"
        kind = "stops and starts"; first = 5; next
    }
    /^[|] amplitude/ { kind = "sines"; first = 4; next }
    /^[|]---/ || NF < 4 { next }
    {
        n = 0
        for (i = first; i < NF; i++) add($i)
        if (kind == "sines") printf "| sines of %s | %s | | | %s | %s |\n", $2, $3, range(1), range(2)
        else printf "| %s | %s | %s | %s | %s | %s |\n", kind, $2, $3, $4, range(1), range(2)
    }' "$table"
}

"${name}_section" >"$work/section"
[ "$(wc -l <"$work/section")" -ge 10 ] || { echo "benchmarks.sh: $table: no table"; exit 1; }
grep -q "<!-- $name: start -->" "$page" && grep -q "<!-- $name: end -->" "$page"
awk -v name="$name" -v section="$work/section" '
    $0 == "<!-- " name ": end -->" { skip = 0 }
    !skip
    $0 == "<!-- " name ": start -->" { skip = 1; print ""; while ((getline line <section) > 0) print line; print "" }' "$page" >"$work/page"
cat "$work/page" >"$page"
echo "$page: section $name"
