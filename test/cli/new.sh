#!/bin/bash
# bristle new: each file runs as it is, without a warning. Oracle: the commands that read them.
. "$(dirname "$0")/lib.sh"

kinds='body gripper push rig mechanism sweep patch'
for kind in $kinds; do
    expect_exit 0 "$bristle" new $kind
    expect_stdout '^# '
    expect_quiet
    cp "$logs/out" stdout.yaml
    expect_exit 0 "$bristle" new $kind -o $kind.yaml
    expect_same stdout.yaml $kind.yaml
    expect_exit 0 "$bristle" check $kind.yaml
    expect_quiet
    # every key or topic that its comments name has a help
    for topic in $(grep -oE 'bristle help (run )?[a-z_]+' $kind.yaml | sed 's/.* //' | sort -u); do
        expect_exit 0 "$bristle" help run $topic
    done
done
for kind in body gripper push rig mechanism sweep; do
    expect_exit 0 "$bristle" run $kind.yaml -o $kind.csv
    expect_quiet
done
expect_exit 0 "$bristle" sweep sweep.yaml -o cases.csv
expect_quiet
[ "$(grep -c ',ok$' cases.csv)" -eq 15 ] || fail "fifteen good cases"
expect_exit 0 "$bristle" surface patch.yaml -o surface.csv
expect_quiet
# the comments of the gripper are true: held until 0.5 s, lost hold of after it
last=$(awk -F, '$1 == 0.5 { held = sqrt($3^2) < 1e-4 && sqrt(($4)^2) < 0.01 } END { print held && $4 < -0.1 }' gripper.csv)
[ "$last" = 1 ] || fail "the gripper holds, then lets the box turn"

# what is commented out is right, too
sed -e 's/^# \(loads:\|  - {fx\)/\1/' body.yaml >loads.yaml
grep -q '^loads:' loads.yaml || fail "no loads to try"
expect_exit 0 "$bristle" check loads.yaml
sed -e 's/^  # \(draw: .*}\) #.*/  \1\n  samples: 2/' sweep.yaml >draw.yaml
expect_exit 0 "$bristle" sweep draw.yaml -o draw.csv
[ "$(grep -c ',ok$' draw.csv)" -eq 30 ] || fail "thirty good cases"

# files that exist are kept
echo mine >body.yaml
expect_refused '-o body.yaml: the file exists; --force replaces it' "$bristle" new body -o body.yaml
[ "$(cat body.yaml)" = mine ] || fail "body.yaml was changed"
expect_exit 0 "$bristle" new body -o body.yaml --force
expect_exit 0 "$bristle" check body.yaml
expect_refused '-o body.csv: must end with one of .yaml, .yml' "$bristle" new body -o body.csv
expect_refused 'new: bdoy: must be one of body, .*patch; did you mean body\?' "$bristle" new bdoy
expect_refused 'new: takes one of body, gripper, push, rig, mechanism, sweep, patch; got 0 words' "$bristle" new
expect_refused 'got 2 words' "$bristle" new body rig
expect_unwritten 'nowhere/x.yaml: cannot be written' "$bristle" new body -o nowhere/x.yaml
expect_exit 0 "$bristle" help new
for kind in $kinds; do
    expect_stdout "^  $kind +"
done
done_well
