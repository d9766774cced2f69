#!/bin/bash
# A body in time: columns, summaries, pictures, and what is refused.
. "$(dirname "$0")/lib.sh"

cat >in_hand.yaml <<'END'
body: {mass: 0.2, size: [0.15, 0.08], pose: [0.002, 0, 0], velocity: [0, 0, 0]}
gravity: [0, -9.81]
model: reduced
friction: {mu_c: 1, mu_s: 1.2, v_s: 1e-3, sigma0: 1e6, sigma1: 800, sigma2: 0.2}
contact:
  frame: world
  patch: {shape: disc, radius: 0.01}
  normal_force: 0.8
  count: 2
duration: 0.1
output: {every: 0.01}
END
cat >table.yaml <<'END'
body: {mass: 1, radius: 0.05, velocity: [0.1, 0, 0]}
model: blocks
friction: {mu_c: 0.5, mu_s: 0.5, v_s: 1e-3, sigma0: 1e5, sigma1: 100, sigma2: 0}
contacts:
  - {frame: body, patch: {shape: disc, radius: 0.01, centre: [0.03, 0]}, normal_force: 4}
  - frame: body
    patch: {shape: rectangle, size: [0.01, 0.01], centre: [-0.03, 0]}
    normal_force: 5.81
    model: distributed
    friction: {mu_c: 0.4, mu_s: 0.4, v_s: 1e-3, sigma0: 1e5, sigma1: 100, sigma2: 0}
loads:
  - {fx: {kind: steps, times: [0, 0.05], values: [0, 0.1]}, at: [0, 0.01]}
  - {tau: 0.001, frame: world}
duration: 0.1
output: {every: 0.01}
END

# columns and rows
expect_exit 0 "$bristle" run in_hand.yaml
[ "$(head -1 "$logs/out")" = t,x,y,theta,vx,vy,w,fx,fy,tau,fn ] || fail "header of one contact"
[ "$(wc -l <"$logs/out")" -eq 12 ] || fail "11 rows expected"
expect_exit 0 "$bristle" run table.yaml --set output.energy=true
[ "$(head -1 "$logs/out")" = t,x,y,theta,vx,vy,w,fx1,fy1,tau1,fn1,fx2,fy2,tau2,fn2,kinetic,stored,dissipated,work_loads,work_gravity,work_normal,work_contacts,residual ] ||
    fail "header of two contacts with energy"
# the balance: what went in is what is there, in every row, up to the integration's error: 1e-4 of what
# was turned over (tolerances of 1e-6 a step, in some hundred steps), and less with finer steps
imbalance() {
    awk -F, 'NR == 2 {start = $16 + $17}
        NR > 1 {d = $16 + $17 - start + $18 - $19 - $20 - $21; d = d < 0 ? -d : d; worst = d > worst ? d : worst}
        END {print worst / (start + $18)}' "$logs/out"
}
coarse=$(imbalance)
expect_exit 0 "$bristle" run table.yaml --set output.energy=true --set 'integrator={rtol: 1e-8, atol: 1e-10, atol_z: 1e-13}'
awk -v coarse="$coarse" -v fine="$(imbalance)" 'BEGIN {print "energy out of balance:", coarse, fine
    exit !(coarse < 1e-4 && fine < 0.1 * coarse)}' || fail "the energy columns do not balance"

# the distance of the rim while it slips is r times the turn for a disc that spins about its middle, and does
# not depend on the rows; r = 2/3 R. 1e-3 of it: the disc springs back by some bristles, mu_c/sigma0 = 5e-6 m
cat >spin.yaml <<'END'
body: {mass: 1, radius: 0.05, velocity: [0, 0, 10]}
model: reduced
friction: {mu_c: 0.5, mu_s: 0.5, v_s: 1e-3, sigma0: 1e5, sigma1: 100}
contact: {frame: body, patch: {shape: disc, radius: 0.03}, normal_force: 9.81}
duration: 0.2
END
slipped() {
    "$bristle" run spin.yaml --json "$@" 2>/dev/null | sed -E 's/.*"pose": \[[^,]*, [^,]*, ([^]]*)\].*"slipped": ([^,]*),.*/\1 \2/'
}
{
    slipped --set output.every=0.2
    slipped --set output.every=0.001
    slipped --set 'integrator={kind: fixed, step: 1e-4}'
} >"$logs/slips"
awk '{d = $2 / (0.02 * $1) - 1; print "slipped:", $2, "m, off by", d; slip[NR] = $2; wrong += !(d * d < 1e-6)}
    END {d = slip[1] - slip[2]; exit wrong > 0 || !(NR == 3 && slip[1] > 0.001 && d * d < 1e-14)}' "$logs/slips" ||
    fail "wrong slip distance of a contact that spins"
rm spin.yaml

# the torque at the CoP is that at the frame's origin less the force's own: tau - (x fy - y fx)
expect_exit 0 "$bristle" run in_hand.yaml --set output.cop=true --set 'contact.patch.centre=[0.003, -0.004]'
[ "$(head -1 "$logs/out")" = t,x,y,theta,vx,vy,w,fx,fy,tau,fn,tau_cop ] || fail "header with tau_cop"
awk -F, 'NR > 1 {d = $12 - ($10 - 0.003 * $9 - 0.004 * $8); wrong += d * d > 1e-30; most = $12 ^ 2 > most ? $12 ^ 2 : most}
    END {exit wrong > 0 || !(most > 1e-9)}' "$logs/out" || fail "torque at the CoP"
expect_exit 0 "$bristle" run table.yaml --set output='{every: 0.01, energy: true, cop: true}'
head -1 "$logs/out" | grep -q ',residual,tau_cop1,tau_cop2$' || fail "header of two contacts with tau_cop"
awk -F, 'NR > 1 {d = $24 - ($10 - 0.03 * $9); e = $25 - ($14 + 0.03 * $13); wrong += d * d + e * e > 1e-30}
    END {exit wrong > 0}' "$logs/out" || fail "torques at two CoPs"

# a body without contact falls: y = -g t^2/2
expect_exit 0 "$bristle" run in_hand.yaml --set 'contact.normal_force=0'
awk -F, 'END {d = $3 + 9.81 * 0.1 ^ 2 / 2; exit !(d * d < 1e-14)}' "$logs/out" || fail "free fall"

# sliding is slowed by mu_c fn/m = (0.5 4 + 0.4 5.81)/1 m/s^2, once the bristles are bent
expect_exit 0 "$bristle" run table.yaml --set duration=0.02 --set 'body.velocity=[1, 0, 0]' --set 'loads=[{fx: 0}]'
awk -F, '$1 == 0.01 {v = $5} END {d = v - $5 - 0.01 * (0.5 * 4 + 0.4 * 5.81); exit !(d * d < 1e-18)}' "$logs/out" ||
    fail "two contacts of different friction"

# the summary
expect_exit 0 "$bristle" run in_hand.yaml --json
expect_stdout '^\{"scenario": "body", "rows": 11, "final": \{"t": 0.1[0-9]*, "x": .*"pose": \[.*\], "velocity": \['
expect_stdout '"events": \[\{"t": [0-9.e-]+, "contact": 1, "kind": "slip"\}'
expect_stdout '"energy": \{"kinetic": .*"stored": .*"dissipated": .*"work_loads": .*"work_gravity": .*"work_normal": .*"residual": '
expect_stdout '"contacts": \[\{"slipped": [0-9.e-]+, "stuck": [0-9.e-]+, "open": [0-9.e-]+, "load": [0-9.e-]+\}\], "steps": [0-9]+, .*"evaluations": [0-9]+, "wall_s": '
expect_exit 0 "$bristle" run in_hand.yaml -o x.csv
expect_stdout '^x.csv: body, 11 rows, 0.1 s in '
expect_stdout '^  final pose: x '
expect_stdout '^  contact 1: slipped '
expect_exit 0 "$bristle" check table.yaml
expect_stdout 'ok: body, 0.1 s, 11 rows'

# a contact that slips from the start was never stuck, whatever the first event is rounded to
cat >slips.yaml <<END
body: {mass: 200 g, size: [150 mm, 100 mm], pose: [2 mm, 0, 0]}
gravity: [0, -9.81]
friction: {mu: 0.8}
contact: {frame: world, count: 2, patch: {shape: disc, radius: 10 mm}, normal_force: 1.2}
duration: 0.3
END
expect_exit 0 "$bristle" run slips.yaml -o x.csv
expect_stdout 'contact 1: slipped 0.0[0-9]* m, stuck for 0 s of 0.3 s'
rm slips.yaml

# what a contact does, on request: columns at the end, for one contact and several; open is a state
expect_exit 0 "$bristle" run in_hand.yaml --set output.contacts=true --set output.energy=true
head -1 "$logs/out" | grep -q ',residual,state,slip,load$' || fail "columns of one contact"
awk -F, 'NR > 1 {bad += !($(NF - 2) ~ /^(stick|slip)$/) || !($NF >= 0 && $NF <= 1) || !($(NF - 1) >= 0)}
    END {exit bad > 0}' "$logs/out" || fail "state, slip, load"
cat >open.yaml <<END
body: {mass: 0.1, inertia: 1e-4, velocity: [0.3, 0, 0]}
friction: {mu: 0.1}
contacts:
  - {frame: body, patch: {shape: disc, radius: 0.01}, normal_force: {kind: steps, times: [0, 0.1, 0.2], values: [1, 0, 1]}}
  - {frame: body, patch: {shape: disc, radius: 0.01}, normal_force: 0}
duration: 0.3
output: {contacts: true, every: 0.05}
END
expect_exit 0 "$bristle" run open.yaml
head -1 "$logs/out" | grep -q ',state1,slip1,load1,state2,slip2,load2$' || fail "columns of two contacts"
[ "$(sed -n 5p "$logs/out" | cut -d, -f16-)" = open,0,0,open,0,0 ] || fail "an open contact"
expect_exit 0 "$bristle" run open.yaml --json
expect_stdout '"t": 0.1[0-9]*, "contact": 1, "kind": "open"\}'
expect_stdout '"open": 0.1[0-9e.-]*, "load": 1\}, \{"slipped": 0, "stuck": 0, "open": 0.3[0-9]*, "load": 0\}\]'
expect_exit 0 "$bristle" run open.yaml -o x.csv
expect_stdout 'contact 1: slipped .*, open for 0.1 s, load up to 1'
expect_exit 0 "$bristle" run open.yaml -o open.npz
LC_ALL=C grep -a -q "'<U5'" open.npz || fail "words in npz"
expect_exit 2 "$bristle" check open.yaml --set output.contacts=maybe
expect_stderr 'output.contacts'
rm -f open.yaml open.npz

# every model, every integrator
for model in distributed blocks reduced ellipsoid; do
    expect_exit 0 "$bristle" run in_hand.yaml --set model=$model
done

# fixed steps come near the adaptive ones, as a second order method does: a tenth of the step, a
# hundredth of the error, up to a factor of 5
final_y() {
    "$bristle" run in_hand.yaml --set model=blocks "$@" 2>/dev/null | tail -1 | cut -d, -f3
}
awk -v y="$(final_y)" -v coarse="$(final_y --set 'integrator={kind: fixed, step: 1e-3}')" \
    -v fine="$(final_y --set 'integrator={kind: fixed, step: 1e-4}')" \
    'BEGIN {print "fixed steps, error in y [m]:", coarse - y, fine - y
        exit !((fine - y) ^ 2 < ((coarse - y) / 20) ^ 2)}' || fail "fixed steps do not converge"
expect_exit 0 "$bristle" run in_hand.yaml --json --set 'integrator={kind: fixed, step: 1e-3}'
expect_stdout '"steps": 100, "rejected": 0'

# CVODE, where it is built in, agrees within ten times its tolerances
if "$bristle" check in_hand.yaml --set integrator.kind=cvode >/dev/null 2>&1; then
    expect_exit 0 "$bristle" run in_hand.yaml --set model=blocks --set integrator.kind=cvode
    cp "$logs/out" "$logs/cvode"
    expect_exit 0 "$bristle" run in_hand.yaml --set model=blocks
    paste -d, "$logs/cvode" "$logs/out" |
        awk -F, 'NR > 1 {d = $3 - $14; wrong += d * d > (1e-7 + 1e-5 * ($3 < 0 ? -$3 : $3)) ^ 2} END {exit wrong > 0}' ||
        fail "CVODE and Rosenbrock differ"
fi

# a patch that grows with the normal force
for model in distributed reduced ellipsoid; do
    expect_exit 0 "$bristle" run in_hand.yaml --set model=$model \
        --set 'contact.patch={shape: disc, radius: {coefficient: 0.01, exponent: 0.33, max: 0.01}, pressure: {kind: power, k: 2}}' \
        --set 'contact.normal_force={kind: sine, mean: 0.6, amplitude: 0.3, frequency: 10}'
done

# the published ellipsoid of a patch beside the CoM acts there: with r within 1 % of the patch's own, so
# is the turn of the body
for method in exact published; do
    "$bristle" run in_hand.yaml --set model=ellipsoid --set contact.patch.centre='[0.02, 0]' \
        --set contact.surface.method=$method 2>/dev/null | tail -1 | cut -d, -f4
done >"$logs/turns"
awk '{turn[NR] = $1} END {print "turned [rad]:", turn[1], turn[2]
    exit !(turn[1] > 0.01 && (turn[1] - turn[2]) ^ 2 < (0.01 * turn[1]) ^ 2)}' "$logs/turns" ||
    fail "the published ellipsoid acts elsewhere"
growing='contact.patch={shape: disc, radius: {coefficient: 0.01, exponent: 0.33, max: 0.01}}'
expect_refused 'contact.surface.method: the published ellipsoid does not follow' "$bristle" run in_hand.yaml \
    --set model=ellipsoid --set "$growing" --set contact.surface.method=published

# size and radius give the inertia of a rectangle, m (a^2 + b^2)/12, and of a disc, m R^2/2
expect_exit 0 "$bristle" run in_hand.yaml --set 'body={mass: 1.5, size: [0.5, 1]}' --set 'loads=[{tau: 1}]'
cp "$logs/out" "$logs/size"
expect_exit 0 "$bristle" run in_hand.yaml --set 'body={mass: 1.5, inertia: 0.15625}' --set 'loads=[{tau: 1}]'
expect_same "$logs/out" "$logs/size"
expect_exit 0 "$bristle" run in_hand.yaml --set 'body={mass: 1.5, radius: 0.5}' --set 'loads=[{tau: 1}]'
cp "$logs/out" "$logs/size"
expect_exit 0 "$bristle" run in_hand.yaml --set 'body={mass: 1.5, inertia: 0.1875}' --set 'loads=[{tau: 1}]'
expect_same "$logs/out" "$logs/size"

# stick and slip take turns, contact by contact
sed -e 's/^duration.*/duration: 1/' -e 's/velocity: .*/velocity: [0, 0, 0]}/' table.yaml >push.yaml
expect_exit 0 "$bristle" run push.yaml --json --set 'gravity=[0, -3]' --set 'loads=[{fy: {kind: sine, amplitude: 3, frequency: 5}, at: [0.01, 0]}]'
for contact in 1 2; do
    grep -o "\"contact\": $contact, \"kind\": \"[a-z]*\"" "$logs/out" >"$logs/events"
    [ "$(wc -l <"$logs/events")" -gt 3 ] || fail "more events expected"
    uniq "$logs/events" | cmp -s - "$logs/events" || fail "contact $contact: two events of one kind in turn"
done
rm push.yaml

### refused

refuse_body() {
    local pattern=$1
    shift
    expect_refused "$pattern" "$bristle" run in_hand.yaml "$@"
}

for mass in 0 -1 nan; do
    refuse_body 'body.mass: must be' --set body.mass=$mass
done
refuse_body 'body.mass: is missing' --set 'body={size: [1, 1]}'
refuse_body 'exactly one of size, radius and inertia' --set body.inertia=1
refuse_body 'body.size: is missing; give size' --set 'body={mass: 1}'
refuse_body 'body.size: must be a list of 2; got 1' --set 'body.size=[1]'
refuse_body 'body.size\[1\]: must be > 0; got 0' --set 'body.size=[1, 0]'
refuse_body 'body.pose: must be a list of 3' --set 'body.pose=[1, 0]'
refuse_body 'body.outline: must have at least 3 corners' --set 'body.outline=[[0, 0], [1, 1]]'
refuse_body 'body.mas: unknown key; did you mean mass' --set body.mas=1
refuse_body 'model: must be one of .*got "magic"' --set model=magic
refuse_body 'model: coulomb is set-valued at rest.*use distributed, blocks, reduced or ellipsoid' --set model=coulomb
refuse_body 'contact.model: coulomb is set-valued' --set contact.model=coulomb
refuse_body 'contacts: a scenario has either contact or contacts' --set 'contacts=[{patch: {shape: disc, radius: 1}}]'
refuse_body 'contact.frame: must be one of world, body; got "hand"$' --set contact.frame=hand
refuse_body 'contact.frame: must be one of world, body; got "table": did you mean body\?' --set contact.frame=table
refuse_body 'contact.count: must be a whole number' --set contact.count=0
refuse_body 'contact.patch.radius: must be > 0; got 0' --set contact.patch.radius=0
refuse_body 'contact.patch.vertices' --set 'contact.patch={shape: polygon, vertices: [[0, 0], [1, 0], [2, 0]]}'
refuse_body 'contact.normal_force: must be >= 0; got -1' --set contact.normal_force=-1
# judged within the run, as it runs, by the first instant: 1 + 2 sin(2 pi t) is negative from 7/12 s on
sine='kind: sine, mean: 1, amplitude: 2, frequency: 1'
refuse_body 'contact.normal_force: must be >= 0, but is negative from t = 0.583333 s on' \
    --set "contact.normal_force={$sine}" --set duration=1
refuse_body 'contact.normal_force: must be >= 0, but is negative from t = 0.75 s on' \
    --set "contact.normal_force={$sine, hold: 0.25}" --set duration=1
expect_exit 0 "$bristle" run in_hand.yaml --set "contact.normal_force={$sine, hold: 0.5}" --set duration=1
expect_exit 0 "$bristle" run in_hand.yaml --set "contact.normal_force={$sine}"
refuse_body 'contact.normal_force: must be >= 0, but is negative from t = 0.05 s on' \
    --set 'contact.normal_force={kind: steps, times: [0, 0.05], values: [1, -2]}'
expect_exit 0 "$bristle" run in_hand.yaml --set 'contact.normal_force={kind: steps, times: [0, 5], values: [1, -2]}'
printf 't,fn\n0,1\n0.1,-1\n' >fn.csv
refuse_body 'contact.normal_force: must be >= 0, but is negative from t = 0.05 s on' \
    --set 'contact.normal_force={file: fn.csv, column: fn}'
refuse_body 'contact.normal_force.file: cannot read none.csv' --set 'contact.normal_force={file: none.csv, column: fn}'
refuse_body 'duration: must be > 0; got 0' --set duration=0
refuse_body 'integrator.step: must be > 0; got 0' --set 'integrator={kind: fixed, step: 0}'
refuse_body 'integrator.step: must be > 0; got -1' --set 'integrator={kind: fixed, step: -1}'
refuse_body 'integrator.step: gives more than 1e\+09 steps; got 1e-300' --set 'integrator={kind: fixed, step: 1e-300}'
refuse_body 'integrator.step: is missing' --set 'integrator={kind: fixed}'
refuse_body 'integrator.kind: must be one of rosenbrock, cvode, fixed' --set 'integrator={kind: euler}'
# a key that the model does not use must be right nevertheless
refuse_body 'contact.surface.foo: unknown key' --set model=distributed --set 'contact.surface={foo: 1}'
refuse_body 'contact.surface.method: must be one of exact' --set model=blocks --set contact.surface.method=foo
refuse_body 'contact.guard: must be one of false, true' --set model=blocks --set contact.guard=maybe
refuse_body 'blocks: must be a whole number' --set blocks=-5
refuse_body 'gravity: must be a list of 2: .*; got "9.81"' --set gravity=9.81
refuse_body 'loads\[0\].fz: unknown key; did you mean fx' --set 'loads=[{fz: 1}]'
refuse_body 'loads\[0\].frame: must be one of world, body' --set 'loads=[{fx: 1, frame: hand}]'
refuse_body 'motion: unknown key' --set 'motion={vx: 1}'
refuse_body 'output.energy: must be one of false, true' --set output.energy=maybe
refuse_body 'output.evry: unknown key; did you mean every' --set output.evry=1
refuse_body 'plot.kind: must be one of time, scene' --set plot.kind=movie
refuse_body 'plot.instants: must be a whole number' --set plot.instants=0
expect_refused 'contacts\[1\].patch.size\[1\]: must be > 0' "$bristle" run table.yaml --set 'contacts[1].patch.size[1]=0'
expect_refused '--animate x.png: must end with .gif' "$bristle" run in_hand.yaml --animate x.png

# energy out of balance gives a warning, with tolerances that correct it, which they must: the oracle is the run itself
cat >loose.yaml <<'END'
body: {mass: 0.1, radius: 0.03, velocity: [0.5, 0, 20]}
friction: {mu_c: 0.3, mu_s: 0.3, v_s: 1e-3, sigma0: 1e5, sigma1: 20, sigma2: 0}
model: reduced
contact: {frame: body, patch: {shape: ring, radius: 0.03}, normal_force: 0.981}
duration: 0.4
integrator: {rtol: 2e-2, atol: 2e-3, atol_z: 2e-5}
END
expect_exit 0 "$bristle" run loose.yaml -o a.csv
expect_stderr 'warning: loose.yaml:6: integrator: the energy is out of balance by .* J of .* J, .* %: .* would correct it$'
mended=$(grep -o '{rtol[^}]*}' "$logs/err")
expect_exit 0 "$bristle" run loose.yaml -o a.csv --set "integrator=$mended"
expect_quiet
expect_exit 0 "$bristle" run loose.yaml -o a.csv --set 'integrator={kind: fixed, step: 1e-3}'
expect_quiet
rm loose.yaml a.csv

### pictures

command -v gnuplot >/dev/null || done_well
expect_exit 0 "$bristle" run in_hand.yaml -o x.csv --plot time.png --animate film.gif
expect_stdout '^time.png: picture$'
expect_stdout '^film.gif: moving picture$'
[ "$(head -c 6 film.gif)" = GIF89a ] || fail "film.gif is not a GIF"
for shape in '{shape: disc, radius: 0.01}' '{shape: ring, radius: 0.01}' '{shape: rectangle, size: [0.01, 0.02]}' \
    '{shape: line, length: 0.02}' '{shape: polygon, vertices: [[0, 0], [0.01, 0], [0, 0.01]]}' \
    '{shape: points, points: [[0, 0, 1], [0.01, 0, 1]]}' '{shape: grid, size: [0.02, 0.01], cells: [[1, 0, 2]]}'; do
    expect_exit 0 "$bristle" run in_hand.yaml -q --set model=distributed --set "contact.patch=$shape" \
        -o x.csv --plot scene.svg --set plot.kind=scene
    grep -q 'path of CoM' scene.svg || fail "$shape: the scene has no legend"
    grep -q 'x axis of the body' scene.svg || fail "$shape: the stroke has no legend"
done
expect_exit 0 "$bristle" run table.yaml -q -o x.csv --plot scene.svg --set 'plot={kind: scene, instants: 1}'
# energy is drawn where its columns are requested
expect_exit 0 "$bristle" run table.yaml -q -o x.csv --plot scene.svg --set plot.kind=time
! grep -q 'dissipated' scene.svg || fail "energy was not requested"
expect_exit 0 "$bristle" run table.yaml -q -o x.csv --plot scene.svg --set output.energy=true \
    --set 'plot={kind: time, panels: all}'
for curve in kinetic stored dissipated loads gravity normal contacts residual; do
    grep -q ">$curve<" scene.svg || fail "no curve $curve"
done
# no outline is known, nothing moves
expect_exit 0 "$bristle" run in_hand.yaml -q --set 'body={mass: 1, inertia: 1}' --set 'gravity=[0, 0]' \
    -o x.csv --plot scene.png --set plot.kind=scene
expect_files in_hand.yaml table.yaml fn.csv x.csv time.png film.gif scene.svg scene.png
# axes of fx and fy: a disc that slides and spins is slowed against its velocity, in world axes; 1e-9: rounding
cat >spin.yaml <<'END'
body: {mass: 0.1, radius: 0.04, velocity: [0.5, 0.2, 10]}
friction: {mu_c: 0.2, mu_s: 0.2, v_s: 1e-3, sigma0: 1e7, sigma1: 0}
contact: {frame: body, patch: {shape: disc, radius: 0.04}}
duration: 0.15
output: {every: 0.05, axes: world}
END
expect_exit 0 "$bristle" run spin.yaml
cp "$logs/out" world.csv
awk -F, 'NR > 2 {c = $8*$6 - $9*$5; d = $8*$5 + $9*$6; if (!(d < 0 && c*c < 1e-4*d*d)) exit 1}' world.csv ||
    fail "friction is not against the velocity in world axes"
expect_exit 0 "$bristle" run spin.yaml --set output.axes=contact
paste -d, world.csv "$logs/out" | awk -F, 'NR > 1 {s = sin($4); c = cos($4)
    x = c*$19 - s*$20 - $8; y = s*$19 + c*$20 - $9; if (x*x + y*y > 1e-18 || $10 != $21) exit 1}' ||
    fail "world axes are not those of the contact turned by theta"
expect_exit 0 "$bristle" run spin.yaml --set output.axes=contact
cp "$logs/out" contact.csv
expect_exit 0 "$bristle" run spin.yaml --set 'output={every: 0.05}'
cmp -s contact.csv "$logs/out" || fail "the axes of the contact are not the default"
expect_refused 'output.axes: must be one of contact, world; got "wrld": did you mean world' "$bristle" check spin.yaml --set output.axes=wrld

# rows are at the decimal times that were requested: 0.15, not 0.15000000000000002
[ "$(cut -d, -f1 world.csv | tr '\n' ' ')" = 't 0 0.05 0.1 0.15 ' ] || fail "times of rows: $(cut -d, -f1 world.csv | tr '\n' ' ')"
for setting in output.every=0.001 'output={every: 0.0007}' 'integrator={kind: fixed, step: 1e-3}' output.every=1e-5; do
    expect_exit 0 "$bristle" run spin.yaml --set "$setting"
    awk -F, 'NR > 1 && $1 !~ /e-/ && length($1) > 7 {exit 1}' "$logs/out" || fail "$setting: times that are no decimals of a few places"
done
expect_exit 0 "$bristle" run spin.yaml --set output.every=0.03333333333333333
expect_stdout '^0.06666666666666667,'

# check prints which axes fx and fy have where they turn with the body
cat >turning.yaml <<'END'
body: {mass: 1, radius: 0.04, velocity: [0.5, 0, 5]}
friction: {mu: 0.2}
contact: {frame: body, patch: {shape: disc, radius: 0.04}}
duration: 0.1
END
expect_exit 0 "$bristle" check turning.yaml
expect_stdout 'fx and fy of contacts with frame: body turn with the body'
expect_exit 0 "$bristle" check turning.yaml --set output.axes=world
! grep -q 'turn with the body' "$logs/out" || fail "world axes do not turn"

done_well
