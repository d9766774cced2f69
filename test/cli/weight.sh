#!/bin/bash
# normal_force: weight: what presses a body on its plane, divided among the contacts that it stands on.
. "$(dirname "$0")/lib.sh"

cat >box.yaml <<'END'
body: {mass: 0.5, size: [0.06, 0.04], velocity: [1, 0, 0]}
model: blocks
friction: {mu_c: 0.4, mu_s: 0.4, v_s: 2e-3, sigma0: 1e5, sigma1: 100}
contact: {frame: body, patch: {shape: rectangle, size: [0.06, 0.04]}}
duration: 0.5
output: {every: 0.05}
END
# last_of COLUMN...: of the last row
last_of() {
    tail -1 "$logs/out" | cut -d, -f"$1"
}
near() {
    awk -v a="$1" -v b="$2" -v tolerance="$3" 'BEGIN {d = a - b; exit !(d * d <= tolerance ^ 2)}' ||
        fail "$4: $1 instead of $2"
}

# a level table: m 9.81, whatever the mass, as a word and by default; the box stops after v^2/(2 mu g), up to
# 5e-5 m of bristles: they start in steady state
for mass in 0.5 5; do
    expect_exit 0 "$bristle" run box.yaml --set body.mass=$mass
    near "$(last_of 11)" "$(awk -v m=$mass 'BEGIN {print 9.81 * m}')" 1e-12 "weight of $mass kg"
    near "$(last_of 2)" "$(awk 'BEGIN {print 1 / (2 * 0.4 * 9.81)}')" 5e-5 "distance of $mass kg"
    cp "$logs/out" "$logs/default"
    expect_exit 0 "$bristle" run box.yaml --set body.mass=$mass --set contact.normal_force=weight
    expect_same "$logs/out" "$logs/default"
done

# friction is mu fn from the first row on; bristles that start relaxed give sigma1 v fn
awk -F, 'NR == 2 {exit !(($8 + 0.4 * $11) ^ 2 < 1e-12)}' "$logs/out" || fail "a sliding box starts with a spike"
expect_exit 0 "$bristle" run box.yaml --set body.start=relaxed
awk -F, 'NR == 2 {exit !($8 < -99 * $11)}' "$logs/out" || fail "relaxed bristles"
# at rest on a slope it is held from the first row on, and does not move at all
for start in settled relaxed; do
    expect_exit 0 "$bristle" run box.yaml --set 'gravity=[2, -3]' --set body.velocity='[0, 0, 0]' --set body.start=$start
    awk -F, -v start=$start 'NR > 1 {d = sqrt($2 ^ 2 + $3 ^ 2); most = d > most ? d : most}
        END {print start ": moves by", most, "m"; exit !(start == "settled" ? most < 1e-12 : most > 1e-6)}' "$logs/out" ||
        fail "$start at rest"
done
expect_refused 'body.start: must be one of steady, settled, relaxed' "$bristle" check box.yaml --set body.start=held

# a slope of 20 degrees: m 9.81 cos 20
expect_exit 0 "$bristle" run box.yaml --set 'gravity=[0, -3.3552176060248105]'
near "$(last_of 11)" 4.609192305 1e-9 "weight on a slope"

# shared by all contacts that bear it, by count; one that has its own force is not among them
cat >legs.yaml <<'END'
body: {mass: 3, size: [0.2, 0.2]}
model: blocks
friction: {mu_c: 0.4, mu_s: 0.4, v_s: 2e-3, sigma0: 1e5, sigma1: 100}
contacts:
  - {frame: body, count: 2, patch: {shape: disc, radius: 0.01, centre: [0.05, 0]}}
  - {frame: body, patch: {shape: disc, radius: 0.01, centre: [-0.1, 0]}, normal_force: weight}
  - {frame: world, patch: {shape: disc, radius: 0.01}, normal_force: 2}
duration: 0.01
END
expect_exit 0 "$bristle" run legs.yaml
near "$(last_of 11)" 9.81 1e-12 "a third of the weight for each of two"
near "$(last_of 15)" 9.81 1e-12 "a third of the weight"
near "$(last_of 19)" 2 0 "a force of its own"

# a table that is tilted: gravity over time. The box slips from tan(slope) = mu on and its speed is the
# integral of g_x - mu sqrt(9.81^2 - g_x^2); 1e-3 m/s: mu g times the time in which the bristles relax
cat >tilt.yaml <<'END'
body: {mass: 0.5, size: [0.06, 0.04]}
gravity: [{kind: table, times: [0, 1], values: [0, 5]}, 0]
model: blocks
friction: {mu_c: 0.4, mu_s: 0.4, v_s: 2e-3, sigma0: 1e5, sigma1: 100}
contact: {frame: body, patch: {shape: rectangle, size: [0.06, 0.04]}}
duration: 1
END
expect_exit 0 "$bristle" run tilt.yaml
near "$(last_of 5)" "$(awk 'BEGIN {for (t = 5e-5; t < 1; t += 1e-4) {
    a = 5 * t - 0.4 * sqrt(9.81 ^ 2 - 25 * t * t); v += a > 0 ? 1e-4 * a : 0}; print v}')" 1e-3 "slides as the table tilts"

# what has no weight to bear needs its force
sed 's/frame: body, //' box.yaml >x.yaml
expect_refused 'x.yaml:4: contact.normal_force: is missing: a contact with frame: world needs its force; give a number' \
    "$bristle" run x.yaml
expect_refused 'contact.normal_force: weight is for frame: body' "$bristle" run x.yaml --set contact.normal_force=weight
for g in 9.81 -9.8 12; do
    expect_refused 'gravity: is in the plane, or nearly so .*give a number \[N\] or a profile' \
        "$bristle" check box.yaml --set "gravity=[0, $g]"
    expect_exit 0 "$bristle" check box.yaml --set "gravity=[0, $g]" --set contact.normal_force=3
done
expect_refused 'gravity: is in the plane at t = 1 s' "$bristle" check tilt.yaml --set 'gravity[0].values=[0, 10]'
expect_refused 'gravity: is in the plane at t = 0.2' "$bristle" check tilt.yaml \
    --set 'gravity[0]={kind: sine, amplitude: 10, frequency: 1}'
cat >motion.yaml <<'END'
model: coulomb
friction: {mu_c: 1}
contact: {patch: {shape: disc, radius: 0.01}, normal_force: weight}
motion: {vx: 1}
duration: 1
END
expect_refused 'motion.yaml:3: contact.normal_force: weight is for a body on a table' "$bristle" check motion.yaml

# a body that does not stand over its centre of pressure is warned about, by name and distance, and runs
warned='warning: box.yaml:4: contact: the centre of pressure is 0.01 m from under the centre of mass, at (0.01, 0) in .*balances the 0.049.* N m'
for set in contact.normal_force=weight contact.normal_force=4.9; do
    expect_exit 0 "$bristle" run box.yaml --set $set --set 'contact.patch.centre=[0.01, 0]'
    grep -q "$warned" "$logs/err" || fail "no warning about a CoP beside the CoM: $set"
done
# not where it is near enough, balanced by another foot, or not the weight that presses
for set in 'contact.patch.centre=[0.001, 0]' 'contact.patch.centre=[0, 0]'; do
    expect_exit 0 "$bristle" run box.yaml --set "$set"
    ! grep -q 'centre of pressure' "$logs/err" || fail "a warning about a balanced body: $set"
done
expect_exit 0 "$bristle" run box.yaml --set 'contact.patch.centre=[0.01, 0]' --set contact.normal_force=3
! grep -q 'centre of pressure' "$logs/err" || fail "a warning about a finger"
expect_exit 0 "$bristle" run legs.yaml
! grep -q 'centre of pressure' "$logs/err" || fail "a warning about legs in balance"
# other distances, other shares: the lever's
expect_exit 0 "$bristle" run legs.yaml --set 'contacts[1].patch.centre=[-0.2, 0]'
near "$(last_of 11)" 11.772 1e-12 "0.4 of the weight for each of two"
near "$(last_of 15)" 5.886 1e-12 "0.2 of the weight"
! grep -q 'centre of pressure' "$logs/err" || fail "a warning about legs in balance by the lever"
expect_exit 0 "$bristle" run legs.yaml --set 'contacts[0].normal_force=9.81' --set 'contacts[1].normal_force=9.81' \
    --set 'contacts[1].patch.centre=[-0.2, 0]' --set 'gravity=[1, 0]'
grep -q 'legs.yaml:.*contacts: the centre of pressure is 0.0333 m .*unless the slope' "$logs/err" || fail "no word about legs"

# a centre of mass outside of what the body stands on
expect_refused 'legs.yaml:4: contacts: weight cannot be borne: the centre of mass is 0.04 m outside of the support' \
    "$bristle" check legs.yaml --set 'contacts[1].patch.centre=[0.1, 0]'
expect_refused 'box.yaml:4: contact: weight cannot be borne: the centre of mass is 0.01 m outside of the support' \
    "$bristle" check box.yaml --set 'contact.patch.centre=[0.04, 0]'
