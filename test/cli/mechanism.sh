#!/bin/bash
# Scenarios of mechanisms: columns, events, starts, laws, bad input.
. "$(dirname "$0")/lib.sh"
cat >arm.yaml <<'END'
mechanism: {kind: two-link, masses: [1, 1], lengths: [1, 2], gravity: 9.8, path: {kind: parabola, beta: 0.25, gamma: 0},
            torque: [{kind: sine, amplitude: 5, frequency: 0.15915494309189535}, 2], start: {x: 1.2, elbow: down},
            mu: 0.1, mu_s: 0.1, law: coulomb}
normal: geometric
duration: 2
output: {every: 0.01}
END

# near LEFT RIGHT TOLERANCE
near() {
    awk -v a="$1" -v b="$2" -v e="$3" 'BEGIN {d = a - b; exit !(d < e && -d < e)}' || fail "$1 is not near $2"
}

# time of event I (from 1) of the JSON summary
event() {
    grep -o '{"t": [^}]*"kind": [^}]*}' "$logs/out" | sed -n "$(($1))p" | sed 's/{"t": \([^,]*\), "kind": "\(.*\)"}/\1 \2/'
}

# Oracle: independent program (reference results of the project), 1e-8
expect_exit 0 "$bristle" run arm.yaml --json -o arm.csv
expect_quiet
[ "$(head -1 arm.csv)" = t,theta1,theta2,w1,w2,x,y,fn,fx,fy,mode ] || fail "header"
[ "$(wc -l <arm.csv)" -eq 202 ] || fail "201 rows expected"
read -r t kind < <(event 1)
near "$t" 0.18447991352494192 1e-8
[ "$kind" = stick ] || fail "it should stick, not $kind"
read -r t kind < <(event 2)
near "$t" 0.22680098690143405 1e-8
[ "$kind" = slip ] || fail "it should slip, not $kind"
read -r t kind < <(event 3)
near "$t" 1.648975440707871 1e-8
[ "$kind" = reverse ] || fail "it should reverse, not $kind"
expect_stdout '"energy": \{"kinetic": .*"work_friction": .*"residual": [0-9.]+e-1[0-9]\}'
expect_stdout '"constraint_drift": [0-9.]+e-1[1-9]'
expect_stdout '"painleve_margin": 0\.98'
awk -F, '$1 > 0.19 && $1 < 0.22 && $11 != "stick" {exit 1} $1 == 1 && $11 != "slide" {exit 1}' arm.csv || fail "mode"

# the paper's normal force
expect_exit 0 "$bristle" run arm.yaml --json --set normal=paper
read -r t kind < <(event 1)
near "$t" 0.18624380355353928 1e-8

# every law, and what each needs
for law in 'dahl --set mechanism.alpha=2' 'dahl --set mechanism.dahl=per-axis' lugre \
    'elasto-plastic --set mechanism.s_ba=0.8'; do
    # shellcheck disable=SC2086
    expect_exit 0 "$bristle" run arm.yaml --set mechanism.sigma0=1e4 --set mechanism.sigma1=10 \
        --set duration=0.5 --set mechanism.law=$law
    [ "$(wc -l <"$logs/out")" -eq 52 ] || fail "51 rows expected"
done
expect_refused 'mechanism.sigma0: is missing' "$bristle" run arm.yaml --set mechanism.law=lugre

# without friction: a law that needs some is refused
expect_exit 0 "$bristle" run arm.yaml --json --set mechanism.mu=0 --set mechanism.mu_s=0
expect_stdout '"work_friction": 0,'
expect_refused 'mechanism.mu: must be > 0 for dahl; 0 is for coulomb' "$bristle" run arm.yaml --set mechanism.law=dahl \
    --set mechanism.mu=0

# Oracle: invariant. Where the normal force passes through zero, as at t = 1.098 s, Dahl's force does, too, and energy
# is balanced; so it is where a bead flies off and the normal force only comes near
expect_exit 0 "$bristle" run arm.yaml --json -o oscillation.csv --set mechanism.law=dahl --set mechanism.sigma0=1e4 \
    --set 'mechanism.torque=[0, 30]' --set duration=1.5
expect_stdout '"residual": [0-9.]+e-(0?9|1[0-9])\}'
awk -F, '$8 > 0 {up = 1} $8 < 0 {down = 1} $8^2 < ($9^2 + $10^2) * 90 {exit 1} END {exit !(up && down)}' oscillation.csv ||
    fail "friction should stay near mu |fn| or below, on both sides of fn = 0"
cat >fly.yaml <<'END'
mechanism: {kind: bead, mass: 0.1, gravity: 9.81, path: {kind: parabola, beta: -1}, start: {x: 0.05, v: 0}, mu: 0.05,
            law: dahl, alpha: 2, sigma0: 1e3}
duration: 2
END
expect_exit 0 "$bristle" run fly.yaml --json
expect_stdout '"residual": [0-9.]+e-1[0-9]\}'

# Oracle: closed form. A block on a slope sticks or slides on either side of tan(angle) = mu_s
cat >slope.yaml <<'END'
mechanism: {kind: incline, mass: 2, gravity: 9.81, angle: 0.3805, mu: 0.3, mu_s: 0.4}
duration: 10
output: {every: 10}
END
expect_exit 0 "$bristle" run slope.yaml
[ "$(head -1 "$logs/out")" = t,x,y,vx,vy,fn,fx,fy,mode ] || fail "header"
awk -F, 'NR == 3 {exit !($9 == "stick" && $2^2 < 1e-24 && $3^2 < 1e-24)}' "$logs/out" || fail "it should hold"
expect_exit 0 "$bristle" run slope.yaml --set mechanism.angle=0.381
# a = g (sin - mu cos), so vx = -10 a cos
awk -F, 'NR == 3 {g = 9.81; s = sin(0.381); c = cos(0.381); d = $4 + 10 * g * (s - 0.3 * c) * c
                  exit !($9 == "slide" && d < 1e-9 && -d < 1e-9)}' "$logs/out" || fail "it should slide"

# a bead, on both kinds of wire
cat >bead.yaml <<'END'
mechanism: {kind: bead, mass: 0.1, path: {kind: helix, radius: 0.3, pitch: 0.6}, start: {v: 4}, mu: 0.15}
duration: 1
END
expect_exit 0 "$bristle" run bead.yaml
# however fast: what judges its constraint looks at a part of the path, not of time
for v in 0.001 100 1000; do
    expect_exit 0 "$bristle" run bead.yaml --set mechanism.start.v=$v --set duration=0.001
done
[ "$(head -1 "$logs/out")" = t,x,y,z,vx,vy,vz,fn,fx,fy,fz,mode ] || fail "header"
expect_exit 0 "$bristle" run bead.yaml --json --set 'mechanism.path={kind: parabola, beta: 0.5}' \
    --set 'mechanism.start={x: 0.5}' --set duration=2
expect_stdout '"events": \[\{"t": '

# starts: off the constraint with its distance, projected, out of reach
expect_refused 'mechanism.start: is 0\.14 m off the constraint' "$bristle" run arm.yaml --set mechanism.start.y=0.5
expect_refused 'mechanism.start: is 0\.14 m off the constraint' "$bristle" check arm.yaml --set mechanism.start.y=0.5
expect_exit 0 "$bristle" run arm.yaml --json --set mechanism.start.y=0.5 --set mechanism.project=true
expect_stdout '"constraint_drift": [0-9.]+e-1[1-9]'
expect_exit 0 "$bristle" check arm.yaml --set 'mechanism.start={theta: [-1.8868978885331926, 2.6013813044328935]}'
expect_refused 'mechanism.start: is out of reach' "$bristle" run arm.yaml --set mechanism.start.x=0.5
sed 's/start: {x: 1.2, elbow: down},//' arm.yaml >no_start.yaml
expect_refused 'mechanism.start: is missing' "$bristle" run no_start.yaml
expect_refused 'mechanism.start: is 0\.1 m off' "$bristle" run slope.yaml --set mechanism.angle=0 --set mechanism.start.y=0.1
expect_refused 'mechanism.start: is 0\.1 m off' "$bristle" run bead.yaml --set 'mechanism.start={point: [0.3, 0, 0.1]}' \
    --set 'mechanism.path={kind: parabola, beta: 0}'

# paths that move. Oracle: closed forms, 1e-7 m: a floor y = t^2, one with y = 0.5 t, a conveyor, a floor shaken
# sideways, a wire that turns about the vertical (r = r0 cosh w t)
cat >moving.yaml <<'END'
mechanism: {kind: block, mass: 1, mu: 0.3, path: {velocity: 0}}
duration: 0.25
output: {every: 0.25}
END
# last COLUMN: its number in the last row
last() {
    awk -F, -v column="$1" 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == column) n = i} END {printf "%.17g", $n}' "$logs/out"
}
expect_exit 0 "$bristle" run moving.yaml \
    --set 'mechanism.path={offset: [0, {kind: polynomial, coefficients: [0, 0, 1]}]}'
near "$(last y)" 0.0625 1e-7
near "$(last fn)" 11.81 1e-7
expect_exit 0 "$bristle" run moving.yaml --set mechanism.start.v=0.5 \
    --set 'mechanism.path={offset: [0, {kind: ramp, to: 0.5, end: 1}]}'
near "$(last y)" 0.125 1e-7
near "$(last x)" 0.04247366632687734 1e-7 # v^2/(2 mu g)
expect_exit 0 "$bristle" run moving.yaml --set duration=1 --set mechanism.path.velocity=1.2
near "$(last x)" 0.9553516819571865 1e-7 # v - v^2/(2 mu g)
expect_exit 0 "$bristle" run moving.yaml --json --set duration=1 --set mechanism.path.velocity=1.2
expect_stdout '"work_friction": -0\.(72|7199999999).*"work_constraints": 1\.(44|4399999999).*"residual": [0-9.]+e-1[0-9]\}'
expect_exit 0 "$bristle" run moving.yaml --set duration=1.3 --set output.every=1.3 \
    --set 'mechanism.path={offset: [{kind: sine, amplitude: 0.02, frequency: 1.4}, 0]}'
near "$(last x)" -0.018096541049320385 1e-7 # 0.02 sin(2 pi 1.4 1.3)
awk -F, 'NR > 1 && $9 != "stick" {exit 1}' "$logs/out" || fail "it should stick"
cat >wire.yaml <<'END'
mechanism: {kind: bead, mass: 0.1, mu: 0, path: {kind: parabola, beta: 0, angle: {kind: polynomial, coefficients: [0, 3]}},
            start: {x: 0.1}}
duration: 1
output: {every: 1}
END
expect_exit 0 "$bristle" run wire.yaml
near "$(last x)" -0.9966909834129454 1e-7 # 0.1 cosh(3) cos(3)
near "$(last z)" -0.1420748541988177 1e-7 # -0.1 cosh(3) sin(3)
expect_exit 0 "$bristle" run arm.yaml --json --set mechanism.project=true --set duration=0.5 \
    --set 'mechanism.path.offset=[0, {kind: sine, amplitude: 0.02, frequency: 1}]'
expect_stdout '"residual": [0-9.]+e-1[0-9]\}'
if command -v gnuplot >/dev/null; then
    expect_exit 0 "$bristle" run wire.yaml --set output.every=0.01 -o wire.csv --plot wire.svg
fi
# what may be written wrongly
expect_refused 'mechanism.path.offst: unknown key; did you mean offset' "$bristle" run moving.yaml --set mechanism.path.offst=1
expect_refused 'mechanism.path.offset: must be a list' "$bristle" run moving.yaml --set mechanism.path.offset=1
expect_refused 'mechanism.path.offset: must be a list of 2; got 3' "$bristle" run moving.yaml --set 'mechanism.path.offset=[0, 0, 0]'
expect_refused 'mechanism.path.offset: must be a list of 3; got 2' "$bristle" run wire.yaml --set 'mechanism.path.offset=[0, 0]'
expect_refused 'mechanism.path: must be a map' "$bristle" run moving.yaml --set mechanism.path=1
expect_refused 'mechanism.path.kind: unknown key' "$bristle" run moving.yaml --set mechanism.path.kind=parabola
expect_refused 'mechanism.path.offset\[1\]: must be smooth, .* at t = 0\.1 s' "$bristle" run moving.yaml \
    --set 'mechanism.path.offset=[0, {kind: ramp, to: 0.5, end: 0.1}]'
expect_refused 'mechanism.path.angle: must be smooth, .* at t = 0\.2 s' "$bristle" check moving.yaml \
    --set 'mechanism.path.angle={kind: steps, times: [0, 0.2], values: [0, 0.1]}'
expect_refused 'mechanism.path.angle: must be smooth, .* at t = 0\.1 s' "$bristle" run moving.yaml \
    --set 'mechanism.path.angle={kind: sine, amplitude: 0.1, frequency: 1, start: 0.1}'
expect_refused 'mechanism.path.angle: must be smooth, .* at t = 0\.01 s' "$bristle" run moving.yaml \
    --set 'mechanism.path.angle={kind: sine, amplitude: 0.1, frequency: 1, hold: 0.01}'
expect_refused 'coeficients: unknown key; did you mean coefficients' "$bristle" run moving.yaml \
    --set 'mechanism.path.angle={kind: polynomial, coeficients: [0, 1]}'
expect_refused 'coefficients: must not be an empty list' "$bristle" run moving.yaml \
    --set 'mechanism.path.angle={kind: polynomial, coefficients: []}'
expect_refused 'mechanism.start: leaves the constraint at 0\.12[0-9]* m/s; project: true' "$bristle" run arm.yaml \
    --set 'mechanism.path.offset=[0, {kind: sine, amplitude: 0.02, frequency: 1}]'

# Dahl with numbers for each axis
dahl='--set mechanism.law=dahl --set duration=0.5'
# shellcheck disable=SC2086
expect_exit 0 "$bristle" run arm.yaml $dahl --set mechanism.dahl=per-axis --set 'mechanism.sigma_axes=[1e4, 2e4]' \
    --set 'mechanism.alpha_axes=[1, 2]'
# shellcheck disable=SC2086
expect_refused 'mechanism.sigma_axes: needs law: dahl and dahl: per-axis or printed' "$bristle" run arm.yaml $dahl \
    --set 'mechanism.sigma_axes=[1e4, 2e4]'
# shellcheck disable=SC2086
expect_refused 'mechanism.alpha_axes: must be a list of 2; got 3' "$bristle" run arm.yaml $dahl \
    --set mechanism.sigma0=1e4 --set mechanism.dahl=per-axis --set 'mechanism.alpha_axes=[1, 2, 1]'

# near the Painleve limit it warns, beyond it the run cannot go on: when, and why
push='mechanism.torque=[-60, 10]'
expect_exit 0 "$bristle" run arm.yaml --set "$push" --set mechanism.mu_s=2 --set mechanism.mu=2 --set duration=0.5
expect_stderr 'warning: .*near the Painleve limit.*falls to 0\.0'
expect_exit 1 "$bristle" run arm.yaml --set "$push" --set mechanism.mu_s=3 --set mechanism.mu=3
expect_stderr '^bristle: .*at t = 0\.235[0-9]* s: friction jams the contact \(Painleve margin'
expect_exit 1 "$bristle" run arm.yaml --set 'mechanism.torque=[0, 30]' --set mechanism.mu_s=10 --set mechanism.mu=10
expect_stderr '^bristle: .*at t = 0 s: friction jams the contact \(Painleve margin -0\.38'

# a picture with Figs. 5 to 7 of Huang et al.
if command -v gnuplot >/dev/null; then
    expect_exit 0 "$bristle" run arm.yaml -o arm.csv --plot arm.svg
    for label in 'fn \[N\]' 'x \[m\]' 'fx \[N\]' 'y \[m\]' 'fy \[N\]' 't \[s\]'; do
        grep -q "$label" arm.svg || fail "the picture has no label $label"
    done
fi

# bad input names the key
expect_refused 'mechanism.kind: must be one of two-link, block, incline, bead, chain' "$bristle" run arm.yaml --set mechanism.kind=arm
expect_refused 'mechanism.masses: must be a list of 2' "$bristle" run arm.yaml --set 'mechanism.masses=[1]'
expect_refused 'mechanism.lengths\[1\]: must be > 0' "$bristle" run arm.yaml --set 'mechanism.lengths=[1, 0]'
expect_refused 'mechanism.mu_s: must be >= mu = 0\.1' "$bristle" run arm.yaml --set mechanism.mu_s=0.05
expect_refused 'mechanism.mus: unknown key' "$bristle" run arm.yaml --set mechanism.mus=0.2
expect_refused 'mechanism.path.kind: must be one of parabola' "$bristle" run arm.yaml --set mechanism.path.kind=line
expect_refused 'integrator.kind: fixed steps are for bodies alone; here it must be one of rosenbrock, cvode' "$bristle" run \
    arm.yaml --set 'integrator={kind: fixed, step: 1e-3}'
expect_refused 'normal: must be one of geometric, paper' "$bristle" run arm.yaml --set normal=right
expect_refused 'contact: unknown key' "$bristle" run arm.yaml --set 'contact={patch: 1}'
# a chain. Oracle: two links on a parabola are the arm, to the tolerances of both runs
sed 's/two-link/chain/; s/start: {x: 1.2, elbow: down}/start: {theta: [0, 0]}/' arm.yaml >links.yaml
expect_exit 0 "$bristle" run arm.yaml -o arm.csv -q
angles=$(awk -F, 'NR == 2 {print "[" $2 ", " $3 "]"}' arm.csv)
expect_exit 0 "$bristle" run links.yaml -q -o links.csv --set "mechanism.start={theta: $angles}" --set mechanism.project=true
[ "$(head -1 links.csv)" = "$(head -1 arm.csv)" ] || fail "header of a chain"
paste -d, arm.csv links.csv | awk -F, 'NR > 1 {for (i = 1; i < 11; i++) {d = $i - $(i + 11); if (d > 1e-6 || d < -1e-6) exit 1}}' ||
    fail "a chain of two links should move as the arm"

# three links on a table with friction in the joints: it comes to rest, and the columns show the torques
cat >chain.yaml <<'END'
mechanism:
  kind: chain
  masses: [1, 0.8, 0.5]
  lengths: [1, 0.9, 0.7]
  path: {kind: table, points: [[-2, 0.6], [-1, -0.5], [0.5, -0.9], [1.5, -0.7], [2.5, 0.4]]}
  joints: [{torque: 0.6, viscous: 0.05}, {torque: 0.3, viscous: 0.05}, {viscous: 0.1}]
  start: {theta: [0.3, -1.6, 0.4]}
  project: true
  mu: 0.15
integrator: {rtol: 1e-8, atol: 1e-10}
duration: 8
output: {every: 0.1}
END
expect_exit 0 "$bristle" run chain.yaml -o chain.csv
expect_quiet
[ "$(head -1 chain.csv)" = t,theta1,theta2,theta3,w1,w2,w3,x,y,fn,fx,fy,f1,f2,f3,mode ] || fail "header of joints"
awk -F, 'END {exit !($5 ^ 2 + $6 ^ 2 + $7 ^ 2 < 1e-6 && $13 ^ 2 < 0.37 && $16 == "stick")}' chain.csv || fail "it should be at rest"
expect_exit 0 "$bristle" run chain.yaml -q --set 'mechanism.joints={torque: 0.5}' -o chain.csv
printf 'x,y\n-2,0.6\n-1,-0.5\n0.5,-0.9\n1.5,-0.7\n2.5,0.4\n' >p.csv
expect_exit 0 "$bristle" run chain.yaml -q -o table.csv
expect_exit 0 "$bristle" run chain.yaml -q -o file.csv --set 'mechanism.path={kind: table, file: p.csv}'
expect_same table.csv file.csv
expect_exit 0 "$bristle" run chain.yaml -q --set 'mechanism.path={kind: polynomial, coefficients: [-0.8, 0, 0.1]}' -o chain.csv

wrong() { expect_refused "$1" "$bristle" run chain.yaml --set "$2"; }
wrong 'chain.yaml:2: mechanism.start: is .* m off the constraint; project: true moves it there|project' mechanism.project=false
wrong 'mechanism.masses: must be those of 2 to 8 links; got 1' 'mechanism.masses=[1]'
wrong 'mechanism.lengths: must (have|be a list of) 3' 'mechanism.lengths=[1, 2]'
wrong 'mechanism.masses\[1\]' 'mechanism.masses=[1, -1, 1]'
wrong 'mechanism.path: needs points: .* or file' 'mechanism.path={kind: table}'
wrong 'mechanism.path.points: must have increasing x; point 2 has x = 0 after 1' 'mechanism.path={kind: table, points: [[1, 0], [0, 0]]}'
wrong 'mechanism.path.points: must have two points or more' 'mechanism.path={kind: table, points: [[1, 0]]}'
wrong 'mechanism.path.coefficients' 'mechanism.path={kind: polynomial}'
wrong 'mechanism.path.kind: must be one of parabola, polynomial, table' 'mechanism.path.kind=spline'
wrong 'mechanism.joints: must (have|be a list of) 3|mechanism.joints' 'mechanism.joints=[{torque: 1}]'
wrong 'mechanism.joints.torque_s: must be >= torque = 1' 'mechanism.joints={torque: 1, torque_s: 0.5}'
wrong 'mechanism.joints.friction' 'mechanism.joints={friction: 1}'
wrong 'mechanism.start.theta' 'mechanism.start={theta: [1, 2]}'

# an arm that only sticks turns over no energy but by rounding, which is not out of balance
cat >stuck.yaml <<'END'
mechanism: {kind: two-link, masses: [1, 1], lengths: [1, 2], gravity: 9.8, path: {kind: parabola, beta: 0.25, gamma: 0},
            torque: [1, 2], start: {x: 1.2, elbow: down}, mu: 0.1, mu_s: 0.12, law: coulomb}
duration: 1
END
expect_exit 0 "$bristle" run stuck.yaml -o stuck.csv
! grep -q balance "$logs/err" || fail "a warning about rounding"
# a block that only sticks: 4.4e-13 J of friction along the tolerance of its position
cat >block.yaml <<'END'
mechanism: {kind: incline, mass: 2, gravity: 9.81, angle: 0.3490658503988659, mu: 1, mu_s: 1,
            force: {kind: sine, mean: 8, amplitude: 8, frequency: 0.25, phase: -1.5707963267948966}}
duration: 8
output: {every: 0.02}
END
expect_exit 0 "$bristle" run block.yaml -o block.csv
! grep -q balance "$logs/err" || fail "warned of the tolerance"
awk -F, 'END {exit $11 != "stick"}' stuck.csv || fail "it should stick"

# a floor that falls faster than the block on it: constraints hold in both directions, with a warning. Shaken by
# 0.02 m at 5 Hz, up to 19.7 m/s^2, the normal force is 1 kg (9.81 - 19.74) m/s^2 at the top; at 3 Hz it is never below 0
cat >lifts.yaml <<'END'
mechanism: {kind: block, mass: 1, mu: 0.3, path: {offset: [0, {kind: sine, amplitude: 0.02, frequency: 5}]}}
duration: 0.2
END
expect_exit 0 "$bristle" run lifts.yaml -o lifts.csv
expect_stderr 'warning: lifts.yaml:1: mechanism: the normal force falls to -9.93 N at t = 0.05 s: .* would lift off'
expect_exit 0 "$bristle" run lifts.yaml -o lifts.csv --set 'mechanism.path.offset[1].frequency=3'
expect_quiet
done_well
