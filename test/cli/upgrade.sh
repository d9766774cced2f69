#!/bin/bash
# bristle upgrade: the older words alone are replaced. Oracle: the expected text, and equal rows of both files.
. "$(dirname "$0")/lib.sh"

cat >old.yaml <<'END'
# least and most stay in comments: least(a, b)
version: 1
body: {mass: 0.2, size: [0.1, 0.1]}   # µ, a character of two bytes
friction: {mu: 0.5}
contact:
  patch: {shape: disc, radius: 0.01}
  normal_force: {kind: control, start: 3, "least": 0.5, most: 9} # most of it
loads:
  - {fy: -1}
duration: 0.1
sweep:
  vary: {body.mass: [0.1, 0.2]}
  want:
    - "a = least(final.x, 1) + most (final.y, least(2, 3))" # least(1, 2)
    - final.x
END
cat >expected.yaml <<'END'
# least and most stay in comments: least(a, b)
version: 1
body: {mass: 0.2, size: [0.1, 0.1]}   # µ, a character of two bytes
friction: {mu: 0.5}
contact:
  patch: {shape: disc, radius: 0.01}
  normal_force: {kind: control, start: 3, "min": 0.5, max: 9} # most of it
loads:
  - {fy: -1}
duration: 0.1
sweep:
  vary: {body.mass: [0.1, 0.2]}
  want:
    - "a = min(final.x, 1) + max (final.y, min(2, 3))" # least(1, 2)
    - final.x
END
expect_exit 0 "$bristle" upgrade old.yaml
expect_same "$logs/out" expected.yaml
expect_exit 0 "$bristle" upgrade old.yaml -o new.yaml
expect_same new.yaml expected.yaml
expect_exit 0 "$bristle" upgrade new.yaml
expect_same "$logs/out" expected.yaml
expect_exit 0 "$bristle" run old.yaml -o old.csv
expect_exit 0 "$bristle" run new.yaml -o new.csv
expect_same old.csv new.csv
expect_exit 0 "$bristle" sweep old.yaml -o old_sweep.csv
expect_exit 0 "$bristle" sweep new.yaml -o new_sweep.csv
expect_same old_sweep.csv new_sweep.csv

# overrides and sweeps with older keys count, in place of either name in the file
expect_exit 0 "$bristle" run new.yaml --set contact.normal_force.least=0.6 -o six.csv
expect_exit 0 "$bristle" run old.yaml --set contact.normal_force.min=0.6 -o also_six.csv
expect_same six.csv also_six.csv
expect_exit 0 "$bristle" sweep new.yaml --vary 'contact.normal_force.least=[0.5, 0.6]' -o both.csv

cp old.yaml same.yaml
expect_exit 0 "$bristle" upgrade same.yaml --in-place
expect_same same.yaml expected.yaml

# errors
expect_exit 2 "$bristle" upgrade same.yaml --in-place -o x.yaml
expect_stderr '^bristle: upgrade: takes one of -o and --in-place$'
sed 's/start: 3/start: 3, min: 1/' old.yaml >twice.yaml
expect_exit 2 "$bristle" check twice.yaml
expect_stderr '^bristle: twice.yaml:7: contact.normal_force.least: is the older name of min, which is given, too$'
sed 's/version: 1/version: 2/' old.yaml >later.yaml
expect_exit 2 "$bristle" check later.yaml
expect_stderr '^bristle: later.yaml:2: version: must be a whole number from 1 to 1; got 2$'
expect_exit 2 "$bristle" upgrade later.yaml
expect_stderr '^bristle: later.yaml:2: version: must be'
expect_exit 2 "$bristle" upgrade none.yaml
expect_stderr '^bristle: none.yaml: '

# patches and constrained systems take a version, too
printf 'version: 1\nshape: disc\nradius: 0.01\n' >patch.yaml
expect_exit 0 "$bristle" check patch.yaml
expect_exit 0 "$bristle" upgrade patch.yaml
expect_same "$logs/out" patch.yaml
