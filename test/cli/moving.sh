#!/bin/bash
# Contacts that move, and loads in body axes.
. "$(dirname "$0")/lib.sh"

cat >belt.yaml <<'END'
body: {mass: 0.5, size: [0.08, 0.05]}
model: blocks
friction: {mu_c: 0.4, mu_s: 0.4, v_s: 2e-3, sigma0: 1e5, sigma1: 100}
contact:
  frame: body
  patch: {shape: rectangle, size: [0.08, 0.05]}
  position: [{kind: ramp, to: 1, end: 2}, 0]
loads: [{fx: 0}]
duration: 0.5
output: {every: 0.05, energy: true}
END
near() {
    awk -v a="$1" -v b="$2" -v tolerance="$3" 'BEGIN {d = a - b; exit !(d * d <= tolerance ^ 2)}' ||
        fail "$4: $1 instead of $2"
}
# column NAME: its last value
column() {
    awk -F, -v name="$1" 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i} END {print $at[name]}' "$logs/out"
}

# closed form: the box takes the belt's 0.5 m/s on, the belt gives m v^2, half of it is heat
expect_exit 0 "$bristle" run belt.yaml
near "$(column vx)" 0.5 1e-6 "speed of the belt"
near "$(column work_contacts)" 0.125 1e-5 "work of the belt"
near "$(column dissipated)" 0.0625 1e-5 "heat"
near "$(column residual)" 0 1e-6 "balance"
expect_exit 0 "$bristle" run belt.yaml --json
expect_stdout '"work_contacts": 0.12[45]'

# a finger that goes round takes the body along: 1 rad in 0.5 s about the origin, 1e-4: its bristles
cat >finger.yaml <<'END'
body: {mass: 0.1, size: [0.04, 0.04], pose: [0.01, 0, 0], velocity: [0, 0.02, 2]}
model: reduced
friction: {mu_c: 0.8, mu_s: 0.8, v_s: 2e-3, sigma0: 1e6, sigma1: 300}
contact:
  frame: world
  patch: {shape: disc, radius: 0.01, centre: [0.01, 0]}
  normal_force: 10
  angle: {kind: ramp, to: 2, end: 1}
duration: 0.5
END
expect_exit 0 "$bristle" run finger.yaml
near "$(column theta)" 1 1e-4 "turn"
near "$(column x)" "$(awk 'BEGIN {print 0.01 * cos(1)}')" 1e-6 "x"
near "$(column y)" "$(awk 'BEGIN {print 0.01 * sin(1)}')" 1e-6 "y"

# a load that turns with the body, which lies at 90 degrees: x of the body is y of the world
for axes in body world; do
    expect_exit 0 "$bristle" run belt.yaml --set 'contact.normal_force=0' --set 'body.pose=[0, 0, 1.5707963267948966]' \
        --set "loads[0]={fx: 1, axes: $axes}"
    case $axes in
    body) near "$(column vy)" 1 1e-9 "load in body axes" ;;
    world) near "$(column vx)" 1 1e-9 "load in world axes" ;;
    esac
done

expect_refused 'contact.position\[0\]: must not jump' "$bristle" check belt.yaml \
    --set 'contact.position[0]={kind: steps, times: [0, 1], values: [0, 1]}'
expect_refused 'contact.angle: must not jump' "$bristle" check belt.yaml \
    --set 'contact.angle={kind: ramp, to: 1, end: 1, hold: 0.1}'
expect_refused 'contact.position: must be a list of 2' "$bristle" check belt.yaml --set 'contact.position=[1]'
expect_refused 'loads\[0\].axes: must be one of world, body' "$bristle" check belt.yaml --set 'loads[0].axes=x'
expect_refused 'contact.motion: is not for fixed steps' "$bristle" run belt.yaml --set 'integrator={kind: fixed, step: 1e-3}'

# a finger that the body leaves: located, told, open; a part of it first
cat >left.yaml <<'END'
body: {mass: 100, size: [0.1, 0.04], velocity: [1, 0, 0]}
friction: {mu: 0.01}
contact: {frame: world, patch: {shape: disc, radius: 0.01}, normal_force: 1}
duration: 0.1
END
expect_exit 0 "$bristle" run left.yaml -o x.csv
expect_stderr 'warning: contact 1: a part of its patch is off the body from t = 0.04'
[ "$(grep -c 'a part of its patch' "$logs/err")" -eq 1 ] || fail "told more than once"
expect_stdout '^  contact 1: left the body at t = 0.06.* s and is open from there on$'
[ "$(awk -F, 'END {print $8, $11}' x.csv)" = "0 0" ] || fail "a finger beside the body goes on holding it"
expect_exit 0 "$bristle" run left.yaml --json
expect_stdout '\{"t": 0.06[0-9.e-]*, "contact": 1, "kind": "open"\}\], .*"left": 0.06'
expect_refused 'contact.patch: lies off the body at the start' "$bristle" run left.yaml --set 'body.pose=[0.5, 0, 0]'
# an outline counts, and one that crosses itself is refused; without any the finger reaches everywhere
expect_exit 0 "$bristle" run left.yaml --set 'body.outline=[[-1, -1], [1, -1], [1, 1], [-1, 1]]'
expect_quiet
expect_refused 'body.outline: ' "$bristle" run left.yaml --set 'body.outline=[[-1, -1], [1, 1], [1, -1], [-1, 1]]'
expect_exit 0 "$bristle" run left.yaml --set 'body={mass: 1, inertia: 1, velocity: [1, 0, 0]}'
expect_quiet

# a pusher takes a box along at its own speed and presses with mu m g; 1e-3 N: the bristles' error
cat >pusher.yaml <<'END'
body: {mass: 0.5, size: [0.1, 0.06]}
model: blocks
friction: {mu_c: 0.3, mu_s: 0.3, v_s: 2e-3, sigma0: 1e5, sigma1: 100}
contact: {frame: body, patch: {shape: rectangle, size: [0.1, 0.06]}}
pusher: {position: [{kind: ramp, from: -0.06, to: 0.14, end: 2}, 0], radius: 0.01}
duration: 1
END
expect_exit 0 "$bristle" run pusher.yaml
[ "$(head -1 "$logs/out")" = t,x,y,theta,vx,vy,w,fx,fy,tau,fn,pusher_fx,pusher_fy ] || fail "header with a pusher"
near "$(column vx)" 0.1 1e-6 "speed of the pusher"
near "$(column pusher_fx)" 1.4715 1e-3 "force of the pusher"
expect_refused 'pusher.position: is missing' "$bristle" check pusher.yaml --set 'pusher={radius: 0.01}'
expect_refused 'pusher.stiffness: must be > 0' "$bristle" check pusher.yaml --set pusher.stiffness=0
expect_refused 'pusher.position\[0\]: must not jump' "$bristle" check pusher.yaml --set 'pusher.position[0].hold=0.1'
expect_refused 'pusher: pushes the outline of a body; give the body a size' "$bristle" check pusher.yaml --set 'body={mass: 1, inertia: 1}'
expect_refused 'pusher: is not for fixed steps' "$bristle" run pusher.yaml --set 'integrator={kind: fixed, step: 1e-3}'
if command -v gnuplot >/dev/null; then
    expect_exit 0 "$bristle" run pusher.yaml -q -o x.csv --plot x.svg --set plot.kind=scene
    grep -q '>pusher<' x.svg || fail "the pusher is not drawn"
fi
