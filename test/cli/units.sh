#!/bin/bash
# Numbers with a unit, in files, --set, --vary and --draw. Oracle: the same scenario with SI numbers.
. "$(dirname "$0")/lib.sh"

cat >si.yaml <<'END'
body: {mass: 0.2, size: [0.15, 0.1], pose: [0.002, 0, 0.5235987755982988], velocity: [0, 0.035, 0]}
gravity: [0, -9.81]
friction: {mu: 1}
contact:
  frame: world
  count: 2
  patch: {shape: polygon, vertices: [[-0.01, -0.01], [0.01, -0.01], [0, 0.01]]}
  normal_force: {kind: table, times: [0, 0.035], values: [1.73, 2.5]}
loads:
  - {fx: {kind: sine, amplitude: 0.1, frequency: 2, phase: 0.7853981633974483, start: 0.005}, tau: 0.001}
duration: 0.05
output: {every: 0.01}
END
cat >units.yaml <<'END'
body: {mass: 200 g, size: [150 mm, 10cm], pose: [2 mm, 0, 30 deg], velocity: [0, 35 mm/s, 0 rpm]}
gravity: [0, -9.81 m/s^2]
friction: {mu: 1}
contact:
  frame: world
  count: 2
  patch: {shape: polygon, vertices: [[-10 mm, -1 cm], [10000 um, -0.01], [0 m, 10 mm]]}
  normal_force: {kind: table, times: [0, 35 ms], values: [1730 mN, 0.0025 kN]}
loads:
  - {fx: {kind: sine, amplitude: 100 mN, frequency: 120 rpm, phase: 45 deg, start: 5 ms}, tau: 1 N*mm}
duration: 50 ms
output: {every: 10 ms}
END
expect_exit 0 "$bristle" run si.yaml
cp "$logs/out" si.csv
expect_exit 0 "$bristle" run units.yaml
cmp -s si.csv "$logs/out" || fail "units give another run"
expect_exit 0 "$bristle" run si.yaml --set 'body.mass=200 g' --set 'body.pose=[2 mm, 0, 30 deg]' --set 'contact.normal_force.values[0]=1.73 N'
cmp -s si.csv "$logs/out" || fail "units of --set give another run"

# what does not fit is refused with what does
refuse() {
    expect_refused "$2" "$bristle" check si.yaml --set "$1"
    [ "$(wc -l <"$logs/err")" -eq 1 ] || fail "one message for one error"
}
refuse 'body.mass=12 mm' 'body.mass: must be a number, alone or in one of the units kg, t, g, mg; got "12 mm"$'
refuse 'body.pose=[1 mm, 2, 30 mm]' 'body.pose\[2\]: .* units rad, deg, mrad; got "30 mm"$'
refuse 'friction.mu=0.3 m' 'friction.mu: must be a number without a unit; got "0.3 m"$'
refuse 'contact.normal_force.values[1]=2 kg' 'contact.normal_force.values\[1\]: .* units N, kN, mN; got "2 kg"$'
refuse 'loads[0].fx.phase=5 ms' 'loads\[0\].fx.phase: .* units rad, deg, mrad; got "5 ms"$'
refuse 'duration=-2 ms' 'duration: must be > 0; got -0.002$'
refuse 'contact.count=2 m' 'contact.count: must be a number; got "2 m"$'

# a patch that is a file of its own
printf 'shape: disc\nradius: 35 mm\n' >disc.yaml
expect_exit 0 "$bristle" surface disc.yaml --json
cp "$logs/out" disc.json
expect_exit 0 "$bristle" surface disc.yaml --json --set radius=0.035
cmp -s disc.json "$logs/out" || fail "a patch with units is another one"
expect_refused 'radius: .* units m, km, cm, mm, um; got "3 kg"$' "$bristle" surface disc.yaml --set 'radius=3 kg'

# sweeps: tables are in SI units
sweep() {
    expect_exit 0 "$bristle" sweep si.yaml "$@" --want final.x
}
sweep --vary 'body.pose[2]=[0, 0.2617993877991494, 0.5235987755982988]' --zip 'body.mass=[0.1, 0.2, 0.3]'
cp "$logs/out" sweep.csv
sweep --vary 'body.pose[2]=0:30 deg:3' --zip 'body.mass=[100 g, 0.2 kg, 300 g]'
cmp -s sweep.csv "$logs/out" || fail "units give another sweep"
printf 'body.mass\n100 g\n0.2 kg\n' >cases.csv
sweep --cases cases.csv
expect_stdout '^100 g,.*,ok$'
expect_exit 0 "$bristle" sweep si.yaml --draw 'body.mass=normal:200 g:10 g' --samples 2 --want final.x
expect_stdout '^0\.[12][0-9]*,.*,ok$'
expect_refused 'vary body.pose\[2\]: 10:30 deg:3: must be given with a unit on every value, or on none$' \
    "$bristle" sweep si.yaml --vary 'body.pose[2]=10:30 deg:3' --want final.x
expect_refused 'vary body.mass: 2 mm: must be a number, alone or in one of the units kg, t, g, mg$' \
    "$bristle" sweep si.yaml --vary 'body.mass=[1 g, 2 mm]' --want final.x

# quantities that are implausible beside the others: most are numbers in another unit
cat >box.yaml <<'END'
body: {mass: 0.5, size: [0.12, 0.08], pose: [0, 0, 0], velocity: [0.5, 0, 0]}
friction: {mu: 0.3}
contact: {frame: body, patch: {shape: rectangle, size: [0.12, 0.08]}, normal_force: 5}
duration: 1
output: {every: 0.1}
END
expect_exit 0 "$bristle" check box.yaml
expect_quiet
warns() {
    expect_exit 0 "$bristle" check box.yaml --set "$1"
    expect_stderr "^bristle: warning: .*$2"
}
warns 'body.size=[120, 80]' 'body.size: with its mass that is 1.92e\+04 m\^2/kg; paper has 12; did you mean mm\?$'
warns body.mass=300 'body.mass: with its size that is 2.17e\+05 kg/m\^3 or more; steel has 7800; did you mean 300 g\?$'
warns 'body.pose=[0, 0, 45]' 'body.pose\[2\]: 45 rad is 7.16 turns: .* write 45 deg$'
[ "$(grep -c warning "$logs/err")" -eq 1 ] || fail "one warning for one angle"
warns friction.mu=30 'friction.mu: 30: dry friction has about 0.1 to 1.5; did you mean 0.3\?$'
warns contact.normal_force=5000 'contact.normal_force: is 1.02e\+03 times the weight on it; did you mean 5000 mN, or weight\?$'
warns contact.normal_force=0.005 'the weight on it is 981 times that; did you mean 0.005 kN, or weight\?$'
warns 'contact.patch.size=[12, 8]' 'contact.patch: is .* times as wide as the body; did you mean mm\?$'
warns 'body.velocity=[500, 0, 0]' 'body.velocity: 500 m/s is faster than a car; did you mean mm/s\?$'
warns 'body.velocity=[0, 0, 3600]' 'body.velocity: 3.6e\+03 rad/s is faster than a grinder; did you mean deg/s\?$'
warns 'gravity=[0, -9810]' 'gravity: .* did you mean mm/s\^2\?$'
expect_exit 0 "$bristle" check box.yaml --set duration=1000 --set output.every=1
expect_stderr 'warning: .*duration: 1e\+03 s with rows a second apart or more; did you mean 1000 ms\?$'

# fingers and bodies without a size: forces against the weight, the inertia against the contacts
cat >grip.yaml <<'END'
body: {mass: 0.3, inertia: 4e-4}
gravity: [0, -9.81]
friction: {mu: 0.5}
contact: {frame: world, count: 2, patch: {shape: disc, radius: 0.01}, normal_force: 10}
duration: 0.4
END
# warns_of FILE SETTING TEXT: exactly one warning
warns_of() {
    expect_exit 0 "$bristle" check "$1" --set "$2"
    expect_stderr "^bristle: warning: .*$3"
    [ "$(grep -c warning "$logs/err")" -eq 1 ] || fail "one warning for one error"
}
accepts() {
    expect_exit 0 "$bristle" check "$1" --set "$2"
    expect_quiet
}
expect_exit 0 "$bristle" check grip.yaml
expect_quiet
warns_of grip.yaml contact.normal_force=10000 'contact.normal_force: is 6.8e\+03 times the weight that it holds; did you mean 10000 mN\?$'
accepts grip.yaml contact.normal_force=300
accepts grip.yaml 'body={mass: 1 g, inertia: 1e-7}'
warns_of grip.yaml body.mass=300 'body.mass: its weight is 294 times what friction can hold; did you mean 300 g, or normal forces in kN\?$'
accepts grip.yaml body.mass=3
warns_of grip.yaml body.inertia=500 'body.inertia: with its mass that is a radius of gyration of 289 times the size of the body or its contacts; did you mean 500 kg mm\^2\?$'
warns_of grip.yaml 'contact.at=[50, 0]' 'contact.at: is 137 times the size of the body away from it; did you mean mm\?$'
cat >feet.yaml <<'END'
body: {mass: 0.5, size: [0.12, 0.08], velocity: [0.5, 0, 0]}
friction: {mu: 0.3}
contacts:
  - {frame: body, at: [0.05, 0], patch: {shape: disc, radius: 0.005}}
  - {frame: body, at: [-0.05, 0], patch: {shape: disc, radius: 0.005}}
duration: 0.4
END
sed 's/0\.05,/50,/' feet.yaml >far.yaml
warns_of far.yaml duration=0.4 'contacts\[0\].at: is 347 times the size of the body away from it; did you mean mm\?$'
warns_of feet.yaml 'body={mass: 0.5, inertia: 500}' 'body.inertia: .* 295 times the size'
accepts feet.yaml 'body={mass: 0.5, inertia: 2e-3}'

# times in ms, where the other times show it
steps() {
    echo "loads=[{fx: {kind: steps, times: [0, $1, $2], values: [0, 1, 2]}}]"
}
warns_of feet.yaml "$(steps 100 300)" 'loads\[0\].fx.times: 100 s in a run of 0.4 s; did you mean ms\?$'
accepts feet.yaml "$(steps '100 s' 300)"
accepts feet.yaml "$(steps 1 3)"
warns_of feet.yaml output.every=10 'output.every: 10 s in a run of 0.4 s; did you mean ms\?$'
warns_of feet.yaml 'integrator={kind: fixed, step: 1}' 'integrator.step: 1 s in a run of 0.4 s; did you mean ms\?$'
accepts feet.yaml duration=400
expect_exit 0 "$bristle" check feet.yaml --set duration=400 --set "$(steps 0.1 0.3)"
expect_stderr 'duration: 400 s, while all profiles end by 0.3 s; did you mean 400 ms\?$'

expect_exit 0 "$bristle" check feet.yaml --set duration=400 \
    --set 'loads=[{fx: {kind: steps, times: [0, 0.1, 0.3], values: [0, 1, 2]}, fy: {kind: ramp, to: 1, end: 300 s}}]'
expect_quiet

# coefficients of all kinds; a law without a normal force has forces instead
percent='30: dry friction has about 0.1 to 1.5; did you mean 0.3\?$'
warns_of feet.yaml 'friction={mu_s: 40, mu_c: 30}' "friction.mu_c: $percent"
printf '%s\n' 'friction: {mu: 0.3}' 'contact: {patch: {shape: disc, radius: 0.01}, normal_force: 1}' 'motion: {vx: 0.1}' 'duration: 1' >contact.yaml
warns_of contact.yaml friction.mu=30 "friction.mu: $percent"
printf '%s\n' 'mechanism: {kind: block, mass: 1, mu: 0.3, angle: 0.1}' 'duration: 1' >block.yaml
warns_of block.yaml mechanism.mu=30 "mechanism.mu: $percent"
printf '%s\n' 'slider: {mass: 1, inertia: 0.01, mu: 0.3, e: [1, 1, 0.05]}' 'step: 0.01' 'duration: 1' >slider.yaml
warns_of slider.yaml slider.mu=30 "slider.mu: $percent"
printf '%s\n' 'law: {kind: coulomb, mu_c: 0.3}' 'rig: {mass: 1, normal_force: 10}' 'duration: 1' >rig.yaml
warns_of rig.yaml law.mu_c=30 "law.mu_c: $percent"
expect_exit 0 "$bristle" check rig.yaml --set law.mu_c=30 --set 'rig={mass: 1}'
expect_quiet
expect_exit 0 "$bristle" cone --mu 30 --print h
expect_stderr "^bristle: warning: --mu $percent"
expect_exit 0 "$bristle" convert disc.yaml --to mujoco --mu 30
expect_stderr "^bristle: warning: --mu $percent"
printf '%s\n' 'M: [[2, 0], [0, 2]]' 'Q: [3, -19.6]' 'A: [[0, 1]]' 'b: [0]' 'J: [[1, 0], [0, 1]]' 'qd: [0.1, 0]' 'mu: 0.3' >system.yaml
warns_of system.yaml mu=30 "mu: $percent"
# what has a unit is taken as it is
expect_exit 0 "$bristle" check box.yaml --set 'body.pose=[0, 0, 45 rad]'
expect_quiet
done_well
