#!/bin/bash
# Sliding friction from tables, the key `curve`: what holds a body at rest, where it starts, which laws take it.
. "$(dirname "$0")/lib.sh"

# final COLUMN FILE: the last number of a column
final() {
    awk -F, -v name="$1" 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == name) c = i} END {print $c}' "$2"
}

# expect_near A B TOLERANCE
expect_near() {
    awk -v a="$1" -v b="$2" -v by="$3" 'BEGIN {d = a - b; exit !(d <= by && d >= -by)}' || fail "$1 is not within $3 of $2"
}

# Oracle: closed form. At rest g(0) = 0.3 holds, not the 0.6 of fast sliding: a body that needs 4/9.81 = 0.41 slides. It
# moves as after a start of 1 mm/s, but for that.
for model in blocks distributed reduced ellipsoid; do
    cat >slope.yaml <<YAML
body: {mass: 0.5, size: [0.06, 0.04]}
gravity: [0, -4]
model: $model
friction: {curve: {v: [0, 0.05, 0.2], g: [0.3, 0.25, 0.6]}}
contact: {frame: body, patch: {shape: rectangle, size: [0.06, 0.04]}, normal_force: 4.905}
duration: 1
output: {every: 0.1}
YAML
    expect_exit 0 "$bristle" run slope.yaml -o rest.csv -q
    expect_exit 0 "$bristle" run slope.yaml --set 'body.velocity=[0, -0.001, 0]' -o pushed.csv -q
    expect_near "$(final y rest.csv)" "$(final y pushed.csv)" 2e-3
    expect_near "$(final y rest.csv)" -0.15 0.05
done

# Oracle: a constant coefficient. A table that is flat slides as it from the first instant, whatever speeds it has.
cat >flat.yaml <<'YAML'
body: {mass: 0.5, radius: 0.05, velocity: [0.2, 0, 1]}
friction: {curve: {v: [0, 0.5], g: [0.3, 0.3]}}
contact: {frame: body, patch: {shape: disc, radius: 0.05}, normal_force: 4.905}
duration: 0.05
output: {every: 0.01}
YAML
sed 's/friction: .*/friction: {mu: 0.3}/' flat.yaml >mu.yaml
expect_exit 0 "$bristle" run flat.yaml -o flat.csv -q
expect_exit 0 "$bristle" run mu.yaml -o mu.csv -q
expect_near "$(final x flat.csv)" "$(final x mu.csv)" 1e-7

# laws whose friction does not depend on the speed do not ignore a table
for kind in coulomb stiction dahl; do
    cat >law.yaml <<YAML
law: {kind: $kind, curve: {v: [0, 0.01], g: [0.5, 0.4]}}
motion: {velocity: {kind: ramp, to: 0.1, end: 1}}
duration: 1
YAML
    expect_refused "law.yaml:1: law.curve: is for stribeck, lugre, elasto-plastic: friction of $kind does not depend on speed" \
        "$bristle" run law.yaml
done
