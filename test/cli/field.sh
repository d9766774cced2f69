#!/bin/bash
# friction: {field: ...}: mu that depends on the position, on the ground or on the body.
. "$(dirname "$0")/lib.sh"

cat >rod.yaml <<'END'
# a rod slides from wood onto ice with a tenth of the friction
body: {mass: 0.5, inertia: 0.001, pose: [-0.15, 0, 0], velocity: [1, 0, 0]}
model: distributed
friction:
  {mu_c: 0.4, mu_s: 0.4, v_s: 2e-3, sigma0: 1e6, sigma1: 1000,
   field: {grid: [[1, 0.1]], size: [1, 1]}}
contact: {frame: body, patch: {shape: line, length: 0.1, resolution: 20}}
duration: 2
output: {every: 0.05, energy: true}
END
# column NAME: of the last row
column() {
    awk -F, -v name="$1" 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == name) k = i} END {print $k}' "$logs/out"
}
near() {
    awk -v a="$1" -v b="$2" -v tolerance="$3" 'BEGIN {d = a - b; exit !(d * d <= tolerance ^ 2)}' ||
        fail "$4: $1 instead of $2"
}

# oracle: closed form. v^2/2 = mu g (0.1 + 0.1 (1 + k)/2 + k s), s: distance on the ice
stop=$(awk 'BEGIN {k = 0.1; s = (1 / (2 * 0.4 * 9.81) - 0.1 - 0.1 * (1 + k) / 2) / k; print s < 0 ? "none" : s + 0.05}')
[ "$stop" = none ] && stop=$(awk 'BEGIN {k = 0.1; w = 1 / (2 * 0.4 * 9.81) - 0.1; l = 0.1
    s = (1 - sqrt(1 - 2 * (1 - k) * w / l)) / (1 - k) * l; print s - 0.05}')
expect_exit 0 "$bristle" run rod.yaml
near "$(column x)" "$stop" 2e-6 "where the rod stops"
near "$(column residual)" 0 1e-6 "energy"
expect_exit 0 "$bristle" run rod.yaml --set integrator='{kind: fixed, step: 1e-4}'
near "$(column x)" "$stop" 1e-5 "where the rod stops in fixed steps"

# the columns of both centres: half on ice, at rest, F = 0.55 and the centre of friction at (k - 1) l/8/F
expect_exit 0 "$bristle" run rod.yaml --set body.pose='[0, 0, 0]' --set body.velocity='[0, 0, 0]' --set duration=0.1
near "$(column mu_factor)" 0.55 1e-12 "factor"
near "$(column cof_x)" "$(awk 'BEGIN {print -0.9 * 0.1 / 8 / 0.55}')" 1e-7 "centre of friction"
near "$(column cop_x)" 0 1e-15 "centre of pressure"
near "$(column fn)" 4.905 1e-12 "normal force"

# a file, a grid and a turned grid are the same field
expect_exit 0 "$bristle" run rod.yaml
cp "$logs/out" grid.csv
printf '1,0.1\n' >floor.csv
sed 's/grid: \[\[1, 0.1\]\]/file: floor.csv/' rod.yaml >file.yaml
expect_exit 0 "$bristle" run file.yaml
expect_same "$logs/out" grid.csv
expect_exit 0 "$bristle" run rod.yaml --set friction.field.grid='[[0.1, 1]]' --set friction.field.angle='180 deg'
near "$(column x)" "$stop" 2e-6 "a turned grid"

# a field that is 1 changes no number but those of the integrator; 0 everywhere: nothing slows the rod
expect_exit 0 "$bristle" run rod.yaml --set friction.field.grid='[[0]]'
near "$(column x)" 1.85 1e-9 "a rod on ice"
# fixed to the body: the centre of friction turns with it, and a reduced contact has it, too
for model in distributed blocks reduced ellipsoid; do
    expect_exit 0 "$bristle" run rod.yaml --set friction.field.over=body --set model=$model --set duration=0.1
    near "$(column mu_factor)" 0.55 1e-9 "factor of $model"
    near "$(column cof_x)" "$(awk 'BEGIN {print -0.9 * 0.1 / 8 / 0.55}')" 1e-6 "centre of friction of $model"
done

# factors in percent are warned of
expect_exit 0 "$bristle" check rod.yaml --set friction.field.grid='[[100, 5]]'
expect_stderr 'warning: .*friction.field: a factor of 100 on mu; did you mean percent\?$'
expect_exit 0 "$bristle" check rod.yaml --set friction.field.grid='[[20, 0]]'
[ ! -s "$logs/err" ] || fail "a warning of a factor of 20"

# bad input: key, what is wrong, what is allowed
refuse() { # PATTERN SETTING...
    local pattern=$1 settings=()
    shift
    for setting; do
        settings+=(--set "$setting")
    done
    expect_refused "$pattern" "$bristle" run rod.yaml "${settings[@]}"
}
refuse 'friction.field.grid\[0\]\[1\].*must be >= 0.*-0.1' friction.field.grid='[[1, -0.1]]'
refuse 'friction.field.grid\[0\]\[0\].*number' friction.field.grid='[[much, 1]]'
refuse 'friction.field.grid\[1\]: must be a list of 2; got 1' friction.field.grid='[[1, 1], [1]]'
refuse 'friction.field.size.*must be > 0' friction.field.size='[0, 1]'
refuse 'friction.field.over.*ground, body|friction.field.over.*ground or body' friction.field.over=floor
refuse 'friction.field.interpolation.*constant' friction.field.interpolation=cubic
refuse 'friction.field.outside.*must be >= 0' friction.field.outside=-1
refuse 'friction.field.*needs model: blocks or distributed' model=reduced
refuse 'friction.field.gird.*did you mean grid' friction.field.gird='[[1]]'
sed 's/size: \[1, 1\]//' rod.yaml >no_size.yaml
expect_refused 'friction.field.*size' "$bristle" run no_size.yaml
sed 's/grid: \[\[1, 0.1\]\], //' rod.yaml >no_grid.yaml
expect_refused 'a field has either grid or file' "$bristle" run no_grid.yaml
printf '1,-2\n' >floor.csv
expect_refused 'floor.csv:1: cell 2: must be >= 0; got -2' "$bristle" run file.yaml

# an imposed motion has no position: fields are fixed to the patch
printf 't,vx,vy,w\n0,0,0.1,0\n1,0,0.1,0\n' >turn.csv
cat >turn.yaml <<'END'
contact: {patch: {shape: rectangle, size: [0.2, 0.1]}, normal_force: 10}
motion: {file: turn.csv}
friction: {mu: 0.5, field: {grid: [[1, 0]], size: [0.2, 0.1], over: body}}
duration: 0.1
END
expect_exit 0 "$bristle" run turn.yaml
near "$(column fy)" -2.5 1e-6 "half of the friction"
near "$(column tau)" 0.125 1e-6 "its torque"
expect_refused 'friction.field.over.*must be body' "$bristle" run turn.yaml --set friction.field.over=ground
expect_refused 'friction.field.*not for model: coulomb' "$bristle" run turn.yaml --set model=coulomb
expect_exit 0 "$bristle" help body
expect_stdout 'cof_x'
