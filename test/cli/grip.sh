#!/bin/bash
# normal_force: {kind: control}: the least grip that holds, and what it refuses.
. "$(dirname "$0")/lib.sh"

cat >cup.yaml <<'END'
body: {mass: 0.2, size: [0.08, 0.12]}
gravity: [0, -9.81]
friction: {mu: 0.5}
contact:
  frame: world
  count: 2
  patch: {shape: disc, radius: 0.01}
  normal_force: {kind: control, start: 6}
duration: 2
output: {every: 0.01, contacts: true}
END
near() { # VALUE EXPECTED TOLERANCE WHAT
    awk -v a="$1" -v b="$2" -v tolerance="$3" 'BEGIN {d = a - b; exit !(d * d <= tolerance ^ 2)}' ||
        fail "$4: $1 instead of $2"
}
last_of() { tail -1 "$logs/out" | cut -d, -f"$1"; }

# Oracle: closed form. m g = 2 mu fn aim; in adaptive and in fixed steps
for set in output.every=0.01 'integrator={kind: fixed, step: 1e-3}' 'integrator={kind: fixed, step: 5e-3}'; do
    expect_exit 0 "$bristle" run cup.yaml -q --set "$set"
    near "$(last_of 11)" 2.4525 2.5e-3 "the least force, $set" # the load is right to 1e-3
    near "$(last_of 14)" 0.8 1e-3 "the load, $set"
done
expect_exit 0 "$bristle" run cup.yaml -q --set contact.normal_force.aim=0.5
near "$(last_of 11)" 3.924 4e-3 'the force of another aim'

# Oracle: the key. The force starts as given, changes at multiples of the period alone, and keeps its bounds
expect_exit 0 "$bristle" run cup.yaml -q --set contact.normal_force.period=0.05
changes=$(awk -F, 'NR > 2 && $11 != before && (NR - 3) % 5 != 0 {n++} {before = $11} END {print n + 0}' "$logs/out")
[ "$changes" -eq 0 ] || fail "the force changes between the instants"
[ "$(sed -n 2p "$logs/out" | cut -d, -f11)" = 6 ] || fail "the force does not start as given"
expect_exit 0 "$bristle" run cup.yaml -q --set contact.normal_force.least=4
near "$(last_of 11)" 4 0 'the given minimum' # it may not go below
expect_exit 0 "$bristle" check cup.yaml

expect_refused 'cup.yaml|--set' "$bristle" check cup.yaml --set 'contact.normal_force={kind: control}'
expect_refused 'start: is missing' "$bristle" check cup.yaml --set 'contact.normal_force={kind: control}'
for bad in 'aim=1:must be in \(0, 1\); got 1' 'aim=0:must be in \(0, 1\); got 0' 'period=0:must be > 0; got 0' \
    'slip_limit=-1:must be > 0; got -1' 'release=-1:must be >= 0; got -1' 'least=0:must be > 0; got 0' \
    'least=7:start: must be at least 7, the value of min; got 6' \
    'most=5:start: must be at most 5, the value of max; got 6' 'hold=1:unknown key.*allowed here: kind, start, aim'; do
    expect_refused "contact.normal_force.*${bad#*:}" "$bristle" check cup.yaml --set "contact.normal_force.${bad%%:*}"
done
expect_refused 'must be one of sine, steps, table, ramp, move, accelerate, control.*did you mean control' "$bristle" check cup.yaml --set contact.normal_force.kind=contol
# an imposed motion does not ask for a grip
sed 's/^body.*/motion: {vx: 0.01}/; /^gravity/d; /frame:/d; /count:/d; s/, contacts: true//' cup.yaml >motion.yaml
expect_refused 'motion.yaml:.*normal_force.kind: must be one of sine, steps, table, ramp, move, accelerate; got "control"' "$bristle" check motion.yaml
done_well
