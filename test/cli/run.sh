#!/bin/bash
# Scenarios: columns, rows, summaries, files beside the YAML file.
. "$(dirname "$0")/lib.sh"
write_scenarios

rows() {
    tail -n +2 "$1" | wc -l
}

# law + rig
expect_exit 0 "$bristle" run rig.yaml
expect_quiet
[ "$(head -1 "$logs/out")" = t,x,v,f,z ] || fail "header of law + rig"
[ "$(rows "$logs/out")" -eq 201 ] || fail "201 rows expected"
[ "$(tail -1 "$logs/out" | cut -d, -f1)" = 2 ] || fail "the last row should be at t = 2"

# law + motion: the input's rows by default
expect_exit 0 "$bristle" run motion.yaml
[ "$(head -1 "$logs/out")" = t,v,f,z ] || fail "header of law + motion"
[ "$(cut -d, -f1 "$logs/out" | tr '\n' ' ')" = 't 0 0.5 1 ' ] || fail "rows of the input expected"
expect_exit 0 "$bristle" run motion.yaml --set output.every=0.25
[ "$(rows "$logs/out")" -eq 5 ] || fail "5 rows expected"
expect_exit 0 "$bristle" run motion.yaml --set duration=0.5
[ "$(rows "$logs/out")" -eq 2 ] || fail "2 rows expected"

# rounding error neither drops nor doubles the last row
expect_exit 0 "$bristle" run rig.yaml --set duration=0.3 --set output.every=0.1
[ "$(rows "$logs/out")" -eq 4 ] || fail "4 rows expected"
expect_quiet
# rows are at k every, and one at the end where the duration is no multiple of it
expect_exit 0 "$bristle" run rig.yaml --set duration=1.1 --set output.every=0.25
[ "$(cut -d, -f1 "$logs/out" | tr '\n' ' ')" = 't 0 0.25 0.5 0.75 1 1.1 ' ] || fail "a row at the end expected"
expect_quiet
expect_exit 0 "$bristle" run rig.yaml --set duration=1 --set output.every=0.4
[ "$(cut -d, -f1 "$logs/out" | tr '\n' ' ')" = 't 0 0.4 0.8 1 ' ] || fail "no row beyond the end expected"
expect_exit 0 "$bristle" run motion.yaml --set output.every=0.375
[ "$(cut -d, -f1 "$logs/out" | tr '\n' ' ')" = 't 0 0.375 0.75 1 ' ] || fail "a row at the end expected"
# the default is duration/200
sed -i '/^output/d' rig.yaml
expect_exit 0 "$bristle" check rig.yaml
expect_stdout '2 s, 201 rows'

# the same motion: as a file, with other column order, CRLF, comments, blanks; as a profile
expect_exit 0 "$bristle" run motion.yaml
cp "$logs/out" "$logs/plain"
printf '# c\r\nnote,v , t\r\n\r\na,0,0\r\n b ,1e-1,.5\r\n#\r\nc,-0.1,1.0' >w.csv
expect_exit 0 "$bristle" run motion.yaml --set motion.file=w.csv
expect_same "$logs/out" "$logs/plain"
printf '\xEF\xBB\xBFt,v\n0,0\n0.5,0.1\n1,-0.1\n' >bom.csv
expect_exit 0 "$bristle" run motion.yaml --set motion.file=bom.csv
expect_same "$logs/out" "$logs/plain"
expect_exit 0 "$bristle" run motion.yaml --set 'motion={velocity: {file: v.csv, column: v}}'
expect_same "$logs/out" "$logs/plain"
expect_exit 0 env LC_ALL=de_DE.UTF-8 "$bristle" run motion.yaml
expect_same "$logs/out" "$logs/plain"

# profiles of every kind, held or not
cat >profiles.yaml <<'END'
law: {kind: stribeck, mu_c: 1, mu_s: 1.5, v_s: 1e-3}
motion:
  velocity: {kind: sine, mean: 0, amplitude: 0.1, frequency: 2, phase: 0.1, start: 0.2, hold: 0.01}
  normal_force: {kind: steps, times: [0, 0.5], values: [1, 2]}
duration: 1
integrator: {kind: rosenbrock, rtol: 1e-7, atol: 1e-9, atol_z: 1e-11, max_step: 0.1}
END
expect_exit 0 "$bristle" run profiles.yaml
[ "$(rows "$logs/out")" -eq 201 ] || fail "201 rows expected"

# every law
for law in '{kind: coulomb, mu_c: 1}' '{kind: stiction, mu_c: 1, mu_s: 1.2}' \
    '{kind: stribeck, mu_c: 1, mu_s: 1.2, v_s: 1e-3, sigma2: 0.1}' \
    '{kind: dahl, mu_c: 1, sigma0: 1e4, alpha: 1.5}' \
    '{kind: lugre, mu_c: 1, mu_s: 1.2, v_s: 1e-3, sigma0: 1e4, gamma: 1}' \
    '{kind: elasto-plastic, mu_c: 1, mu_s: 1.2, v_s: 1e-3, sigma0: 1e4, s_ba: 0.8}'; do
    expect_exit 0 "$bristle" run rig.yaml --set "law=$law"
    expect_exit 0 "$bristle" run motion.yaml --set "law=$law"
done

# files beside the YAML file come before those of the current folder
mkdir sub
cp motion.yaml sub/
expect_exit 0 "$bristle" run sub/motion.yaml
expect_same "$logs/out" "$logs/plain"
printf 't,v\n0,0\n1,1\n' >sub/v.csv
expect_exit 0 "$bristle" run sub/motion.yaml
[ "$(rows "$logs/out")" -eq 2 ] || fail "sub/v.csv should have been read"

# the summary
expect_exit 0 "$bristle" run rig.yaml --json
expect_stdout '^\{"scenario": "law \+ rig", "rows": 201, "final": \{"t": 2, "x": '
expect_stdout '"events": \[.*"steps": [0-9]+, "rejected": [0-9]+, "evaluations": [0-9]+, "wall_s": '
expect_stdout '"warnings": \[\]\}$'
[ "$(wc -l <"$logs/out")" -eq 1 ] || fail "one line expected"
expect_exit 0 "$bristle" run rig.yaml --json -o r.csv
[ "$(rows r.csv)" -eq 201 ] || fail "r.csv should have 201 rows"
expect_refused '--json prints on stdout' "$bristle" run rig.yaml --json -o -
expect_exit 0 "$bristle" run rig.yaml -o r.csv
expect_stdout '^r.csv: law \+ rig, 201 rows'
expect_exit 0 "$bristle" run rig.yaml -o r.csv --quiet
[ ! -s "$logs/out" ] || fail "--quiet should print nothing"

# Oracle: steady sliding. A contact that is dragged slips at its speed with load 1, one that is lifted is
# open, and one that rests keeps what it carries
cat >dragged.yaml <<END
friction: {mu: 0.5}
contact: {patch: {shape: disc, radius: 0.01}, normal_force: {kind: steps, times: [0, 0.35], values: [1, 0]}}
motion: {vx: {kind: steps, times: [0, 0.1, 0.2], values: [0, 0.01, 0]}}
duration: 0.4
output: {every: 0.05, contacts: true}
END
for model in distributed blocks reduced ellipsoid coulomb; do
    expect_exit 0 "$bristle" run dragged.yaml --set model=$model
    head -1 "$logs/out" | grep -q '^t,vx,vy,w,fx,fy,tau,fn,state,slip,load$' || fail "columns of a motion"
    awk -F, -v rests="$([ $model = coulomb ] && echo 0 || echo 1)" '
        NR == 2 {bad += !($9 == "stick" && $10 == 0 && $11 == 0)}
        NR == 5 {bad += !($9 == "slip" && ($10 - 0.01) ^ 2 < 1e-12 && ($11 - 1) ^ 2 < 1e-8)}
        NR == 8 {bad += !($9 == "stick" && $10 == 0 && ($11 - rests) ^ 2 < 1e-8)}
        NR == 10 {bad += !($9 == "open" && $10 == 0 && $11 == 0)}
        END {exit bad > 0 || NR != 10}' "$logs/out" || fail "state, slip and load of $model"
done
rm dragged.yaml

# a mass on Coulomb friction, pulled: it slips at t = mu/(k pull) = 1/(2 0.1) = 5 s
expect_exit 0 "$bristle" run rig.yaml --json --set 'law={kind: coulomb, mu_c: 1}' --set duration=6
expect_stdout '"events": \[\{"t": (5|4\.99999|5\.00000)[0-9]*, "kind": "slip"\}'

# laws are compared by their kind alone: parameters that a law does not use are ignored
for kind in coulomb stiction stribeck dahl lugre elasto-plastic; do
    expect_exit 0 "$bristle" run rig.yaml --set law.kind=$kind --set law.s_ba=0.8 --set law.alpha=2
    [ "$(rows "$logs/out")" -eq 201 ] || fail "$kind should give 201 rows"
done

# a contact under an imposed planar motion: pure sliding meets mu_c fn, pure spin mu_c fn r
cat >contact.yaml <<'END'
model: distributed
friction: {mu_c: 0.5, mu_s: 0.5, v_s: 1e-3, sigma0: 1e5, sigma1: 0, sigma2: 0}
contact:
  patch: {shape: disc, radius: 0.01}
  normal_force: 2
motion: {vx: {kind: steps, times: [0, 1], values: [0.01, 0]}, w: {kind: steps, times: [0, 1], values: [0, 2]}}
duration: 2
output: {every: 0.5}
END
for model in distributed blocks reduced ellipsoid coulomb; do
    expect_exit 0 "$bristle" run contact.yaml --set model=$model
    expect_stdout '^t,vx,vy,w,fx,fy,tau,fn$'
    # the cell in the middle does not move under pure spin and keeps its bristle: 3 mN
    awk -F, 'function near(a, b, tolerance) {return (a - b) ^ 2 < tolerance ^ 2}
        $1 == 1 {ok += near($5, -1, 1e-6) && near($7, 0, 1e-9)}
        $1 == 2 {ok += near($5, 0, 4e-3) && near($7, -0.02 / 3, 1e-5) && $8 == 2}
        END {exit !(ok == 2)}' "$logs/out" || fail "$model: wrong wrenches"
done
expect_refused 'friction.mu_c: must be' "$bristle" run contact.yaml --set friction.mu_c=-1
expect_refused 'model: must be one of blocks, distributed, reduced, ellipsoid, coulomb' "$bristle" run contact.yaml --set model=magic
expect_refused 'contact.patch.radius.max: must be given.*largest extent' "$bristle" run contact.yaml \
    --set model=distributed --set 'contact.patch.radius={coefficient: 0.01, exponent: 0.3}'
expect_refused 'contact.patch.radius: must be' "$bristle" run contact.yaml --set contact.patch.radius=-1

# a patch that grows with an oscillating force, for every model: under pure spin |tau| is mu_c fn r(fn)
for model in distributed blocks reduced ellipsoid coulomb; do
    expect_exit 0 "$bristle" run contact.yaml --set model=$model \
        --set 'contact.patch.radius={coefficient: 0.008, exponent: 0.5, max: 0.01}' \
        --set 'contact.normal_force={kind: sine, mean: 1, amplitude: 0.5, frequency: 0.5}' \
        --set 'motion={w: 2}'
    awk -F, 'NR > 2 {r = 2 / 3 * 0.008 * sqrt($8); r = r > 0.02 / 3 ? 0.02 / 3 : r
        bad += ($7 + 0.5 * $8 * r) ^ 2 > (0.01 * 0.5 * $8 * r) ^ 2} END {exit !(NR == 6 && !bad)}' "$logs/out" ||
        fail "$model: wrong torque of a patch that grows"
done
expect_exit 0 "$bristle" run contact.yaml --set contact.patch.sampling=centre
expect_refused 'contact.patch.sampling: must be one of covered, centre' "$bristle" run contact.yaml \
    --set contact.patch.sampling=edge
for method in exact grid published; do
    expect_exit 0 "$bristle" run contact.yaml --set model=reduced --set "contact.surface={method: $method}" \
        --set contact.guard=false
done
expect_refused 'contact.surface.method: must be one of exact' "$bristle" run contact.yaml \
    --set model=reduced --set 'contact.surface={method: magic}'
printf 't,vx,vy\n0,0,0\n' >twist.csv
expect_refused 'twist.csv:1: .*w' "$bristle" run contact.yaml --set 'motion={file: twist.csv}'

# parameters that may inject energy
expect_exit 0 "$bristle" run rig.yaml --json --set law.sigma1=316.2
expect_stderr 'warning: rig.yaml:1: law: .*sigma2 >= sigma1 \(mu_s - mu_c\)/mu_c; here 0.6 < 158.1'
expect_stdout '"warnings": \["rig.yaml:1: law: '
# at the bound it is passive, whatever the rounding of (0.4 - 0.3)/0.3
expect_exit 0 "$bristle" check rig.yaml --set 'law={kind: lugre, mu_c: 0.3, mu_s: 0.4, v_s: 1e-3, sigma0: 1e5, sigma1: 3, sigma2: 1}'
expect_quiet
# names in quotes, as spreadsheets write them
printf '"t","a, b" , "v"\n0,7,0\n"0.5",7,0.1\n1,7,-0.1\n' >quoted.csv
expect_exit 0 "$bristle" run motion.yaml --set motion.file=quoted.csv -o quoted_out.csv
expect_exit 0 "$bristle" run motion.yaml -o plain_out.csv
expect_same quoted_out.csv plain_out.csv
# steps that leave the range of numbers end the run, they do not go on for ever
expect_exit 1 timeout 20 "$bristle" run rig.yaml -q --set duration=1e-308 -o short.csv
expect_stderr 'step size fell below'

# derivatives by keys: further columns
expect_exit 0 "$bristle" run rig.yaml --sensitivity law.mu_c,rig.mass -o slopes.csv
expect_quiet
[ "$(head -1 slopes.csv | cut -d, -f1-9)" = 't,x,v,f,z,d(x)/d(law.mu_c),d(v)/d(law.mu_c),d(f)/d(law.mu_c),d(z)/d(law.mu_c)' ] ||
    fail "header of sensitivities"
[ "$(rows slopes.csv)" -eq 201 ] || fail "201 rows expected"
expect_stdout 'law \+ rig, 201 rows, 2 s in'
expect_exit 0 "$bristle" run rig.yaml -o plain.csv
[ "$(cut -d, -f1-5 slopes.csv | md5sum)" = "$(md5sum <plain.csv)" ] || fail "the run itself should not change"
expect_refused 'rig.yaml:2: rig.mas: unknown key; did you mean mass' "$bristle" run rig.yaml --sensitivity rig.mas
expect_refused 'law.kind: is no number' "$bristle" run rig.yaml --sensitivity law.kind
expect_refused 'duration: sets how the run is computed' "$bristle" run rig.yaml --sensitivity duration
expect_refused '--sensitivity: rig.mass: the key is there twice' "$bristle" run rig.yaml --sensitivity rig.mass,law.mu_c,rig.mass
expect_refused 'output.every: gives 100000001 rows; at most 100000000$' "$bristle" run rig.yaml --set output.every=2e-8
expect_refused 'needs a key' "$bristle" run rig.yaml --sensitivity ,
done_well
