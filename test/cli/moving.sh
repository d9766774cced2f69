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

# a load that turns with the body, which is turned by 90 degrees: x of the body is y of the world
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
# fixed steps over a belt, and with a pusher below: the same closed forms; 1e-3: the step in which the box sticks
expect_exit 0 "$bristle" run belt.yaml --set 'integrator={kind: fixed, step: 1e-3}'
near "$(column vx)" 0.5 1e-4 "speed of the belt"
near "$(column work_contacts)" 0.125 1e-3 "work of the belt"
near "$(column dissipated)" 0.0625 1e-3 "heat"
near "$(column residual)" 0 1e-12 "balance"

# a gripper that starts smoothly takes the body along without slip; the start of a table is a jump of 0.4 m/s
cat >lift.yaml <<'END'
body: {mass: 0.2, size: [0.12, 0.03]}
gravity: [0, -9.81]
friction: {mu: 0.5}
contact:
  frame: world
  count: 2
  patch: {shape: disc, radius: 0.01}
  normal_force: 6
  support: {position: [{kind: move, from: 0, to: 0.2, duration: 0.5}, 0]}
duration: 1
END
expect_exit 0 "$bristle" run lift.yaml --json
expect_quiet
expect_stdout '"slipped": 0[,}]'
expect_exit 0 "$bristle" run lift.yaml
near "$(column x)" 0.2 1e-6 "end of a move"
expect_exit 0 "$bristle" run lift.yaml --set 'contact.support.position[0]={kind: accelerate, speed: 0.4, duration: 0.5}'
expect_quiet
near "$(column x)" 0.3 1e-6 "distance of an acceleration: 0.4 (1 - 0.25)"
near "$(column vx)" 0.4 1e-6 "its speed"
# the finger of a table or a sine starts with a jump; none where the body has its speed
for start in '{kind: table, times: [0, 0.5], values: [0, 0.2]}' '{kind: sine, amplitude: 0.02, frequency: 3.1830988618}'; do
    expect_exit 0 "$bristle" check lift.yaml --set "contact.support.position[0]=$start"
    expect_stderr '^bristle: warning: lift.yaml:9: contact.support.position: the finger starts at 0.4 m/s, the body that it holds at 0: it slips at the start. Use kind: move or accelerate'
    expect_exit 0 "$bristle" check lift.yaml --set "contact.support.position[0]=$start" --set 'body.velocity=[0.4, 0, 0]'
    expect_quiet
done
# bristles take up small jumps, such as the rounding of a sine that starts at its peak
expect_exit 0 "$bristle" check lift.yaml --set \
    'contact.support.position[0]={kind: sine, amplitude: 0.02, frequency: 3.1830988618, phase: 1.5707963}'
expect_quiet
# closed form: mu sqrt(fn/(sigma0 m)) = 0.5 sqrt(12/(3.75e4 0.2)) = 0.02 m/s; above it the finger slips by m v^2/(2 mu fn), more than
# bristles deflect, 1.33e-5 m, below it by less
for speed in 0.015 0.06; do
    expect_exit 0 "$bristle" run lift.yaml -o x.csv --set "contact.support.position[0]={kind: ramp, to: $speed, end: 1}"
    slipped=$(sed -n 's/.* slipped \([^ ]*\) m.*/\1/p' "$logs/out")
    case $speed in
    0.015) expect_quiet && awk -v x="$slipped" 'BEGIN {exit !(x < 1.33e-5)}' || fail "slips by $slipped m" ;;
    *) expect_stderr 'it slips at the start' && awk -v x="$slipped" 'BEGIN {exit !(x > 5e-5)}' || fail "slips by $slipped m" ;;
    esac
done
# a finger that turns
expect_exit 0 "$bristle" check lift.yaml --set 'contact.support={angle: {kind: ramp, to: 10, end: 1}}'
expect_stderr 'contact.support.angle: the finger starts at 10 rad/s, the body that it holds at 0: it slips at the start'
expect_exit 0 "$bristle" check lift.yaml --set 'contact.support={angle: {kind: accelerate, speed: 10, duration: 1}}'
expect_quiet
expect_refused 'contact.support.position\[0\].duration: must be > 0; got 0' \
    "$bristle" check lift.yaml --set 'contact.support.position[0].duration=0'

# a finger that the body leaves: located, reported, open; a part of it first
cat >left.yaml <<'END'
body: {mass: 100, size: [0.1, 0.04], velocity: [1, 0, 0]}
friction: {mu: 0.01}
contact: {frame: world, patch: {shape: disc, radius: 0.01}, normal_force: 1}
duration: 0.1
END
expect_exit 0 "$bristle" run left.yaml -o x.csv
expect_stderr 'warning: contact 1: a part of its patch is off the body from t = 0.04'
[ "$(grep -c 'a part of its patch' "$logs/err")" -eq 1 ] || fail "reported more than once"
expect_stdout '^  contact 1: left the body at t = 0.06.* s and is open from there on$'
[ "$(awk -F, 'END {print $8, $11}' x.csv)" = "0 0" ] || fail "a finger beside the body goes on holding it"
expect_exit 0 "$bristle" run left.yaml --json
expect_stdout '\{"t": 0.06[0-9.e-]*, "contact": 1, "kind": "open"\}\], .*"left": 0.06'
expect_refused 'contact.patch: is off the body at the start' "$bristle" run left.yaml --set 'body.pose=[0.5, 0, 0]'
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
for step in 1e-3 1e-2; do
    expect_exit 0 "$bristle" run pusher.yaml --set "integrator={kind: fixed, step: $step}"
    near "$(column vx)" 0.1 1e-6 "speed of the pusher"
    near "$(column pusher_fx)" 1.4715 1e-3 "force of the pusher"
done
if command -v gnuplot >/dev/null; then
    expect_exit 0 "$bristle" run pusher.yaml -q -o x.csv --plot x.svg --set plot.kind=scene
    grep -q '>pusher<' x.svg || fail "the pusher is not drawn"
fi

### positions: `at` of the contact, `support` of what it touches

cat >feet.yaml <<'END'
body: {mass: 1, size: [0.12, 0.02], velocity: [0, 0, 4.4]}
friction: {mu: 0.4}
contacts:
  - {frame: body, at: [0.05, 0], patch: {shape: disc, radius: 0.005}}
  - {frame: body, at: [-0.05, 0], patch: {shape: disc, radius: 0.005}}
duration: 0.1
END
# same FILE FILE: the columns t to w of two runs
same() {
    "$bristle" run "$1" -q | cut -d, -f1-7 >one.csv
    "$bristle" run "$2" -q | cut -d, -f1-7 >two.csv
    cmp -s one.csv two.csv || fail "$1 and $2 move differently"
}
# closed form: I w^2/(2 mu m g L) = 0.0608 rad; 2e-4: bristles that spring back
expect_exit 0 "$bristle" run feet.yaml
near "$(column theta)" 0.0608 2e-4 "turn of a bar on two feet"
sed 's/at: \(.*\), patch: {/patch: {centre: \1, /' feet.yaml >centres.yaml
same feet.yaml centres.yaml

# the position of a table that stays has no effect: the message has the key that was meant
sed 's/at:/position:/' feet.yaml >wrong.yaml
expect_refused 'wrong.yaml:4: contacts\[0\].position: is constant, which has no effect.* at: \[0.05, 0\]' "$bristle" check wrong.yaml
expect_refused 'support.position: is constant, which has no effect' "$bristle" check feet.yaml \
    --set 'contacts[0].support={position: [0.05, 0]}'
expect_refused 'support.angle: is constant.* patch.angle' "$bristle" check feet.yaml --set 'contacts[0].support={angle: 0.3}'
expect_refused 'position: is the older name of support.position; beside at' "$bristle" check feet.yaml \
    --set 'contacts[0].position=[{kind: ramp, to: 1, end: 1}, 0]'
expect_refused 'contacts\[0\].support.positon: unknown key; did you mean position' "$bristle" check feet.yaml \
    --set 'contacts[0].support={positon: [0, 0]}'
expect_refused 'contacts\[0\].at: must be a list of 2' "$bristle" check feet.yaml --set 'contacts[0].at=[1]'
# of a table that turns it is the axis
expect_exit 0 "$bristle" check feet.yaml --set 'contacts[0].support={position: [0.05, 0], angle: {kind: ramp, to: 1, end: 1}}'

# the older names: what moves is the support, a constant position of a finger is `at`
sed 's/position: \(.*\)/support: {position: \1}/' belt.yaml >support.yaml
same belt.yaml support.yaml
sed 's/angle: \(.*\)/support: {angle: \1}/; s/, centre: \[0.01, 0\]//; s/frame: world/frame: world\n  at: [0.01, 0]/' finger.yaml >at.yaml
sed 's/at: \[0.01/position: [0.01/; s/support: {angle: \(.*\)}$/angle: \1/' at.yaml >older.yaml
same at.yaml older.yaml
done_well
