#!/bin/bash
# --set key.path=value: overriding, making, and refusing.
. "$(dirname "$0")/lib.sh"
write_scenarios

expect_exit 0 "$bristle" check rig.yaml --set duration=5
expect_stdout 'rig.yaml: ok: law \+ rig, 5 s, 501 rows'
expect_exit 0 "$bristle" check rig.yaml --set duration=5 --set output.every=1e-1
expect_stdout '5 s, 51 rows'

# the last one wins; maps are made where they are missing
expect_exit 0 "$bristle" check motion.yaml --set duration=3 --set duration=1 --set output.every=0.5
expect_stdout '1 s, 3 rows'
expect_exit 0 "$bristle" check motion.yaml --set 'integrator.rtol=1e-8'

# whole maps and list entries
expect_exit 0 "$bristle" check rig.yaml \
    --set 'rig.force={kind: steps, times: [0, 1], values: [0, 2]}' \
    --set 'rig.force.values[1]=3' --set rig.force.times.1=0.5
printf 'shape: polygon\nvertices: [[0, 0], [1, 0], [0, 1]]\n' >p.yaml
expect_exit 0 "$bristle" surface p.yaml --json --set 'vertices[1][0]=2'
expect_stdout '"area": (1\b|0\.9999999999999)'

expect_refused '--set duration=-1: duration: must be > 0; got -1' \
    "$bristle" check rig.yaml --set duration=-1
expect_refused '--set law.mu_c=x: law.mu_c: must be a number' \
    "$bristle" check rig.yaml --set law.mu_c=x
expect_refused '--set law.mu_c=: law.mu_c: must be a number; got nothing' \
    "$bristle" check rig.yaml --set law.mu_c=
expect_refused '--set law.mu_x=1: law.mu_x: unknown key; did you mean' \
    "$bristle" check rig.yaml --set law.mu_x=1
expect_refused '--set lwa.mu_c=1: lwa: unknown key; did you mean law' \
    "$bristle" check rig.yaml --set lwa.mu_c=1
expect_refused '--set duration: must read key.path=value' "$bristle" check rig.yaml --set duration
expect_refused 'option --set needs a value, which is empty here' "$bristle" check rig.yaml --set ''
expect_refused 'run: takes one file; did you mean --set duration=1\?' "$bristle" run rig.yaml duration=1
expect_refused '--set =1: must read' "$bristle" check rig.yaml --set =1
expect_refused '--set law\.\.mu_c=1: must read' "$bristle" check rig.yaml --set law..mu_c=1
expect_refused '--set a\[1=1: must read' "$bristle" check rig.yaml --set 'a[1=1'
expect_refused '--set law.mu_c.x=1: law.mu_c is "1", not a map' \
    "$bristle" check rig.yaml --set law.mu_c.x=1
expect_refused '--set vertices\[9\]=1: vertices is a list of 3 \(0 to 2\): it has no entry 9' \
    "$bristle" check p.yaml --set 'vertices[9]=1'
expect_refused '--set loads\[0\].fx=1: loads is no list here: it has no entry 0; give it whole$' \
    "$bristle" check rig.yaml --set 'loads[0].fx=1'
expect_refused '--set duration=\[1: is not YAML' "$bristle" check rig.yaml --set 'duration=[1'
expect_refused '--set duration=\*a: aliases' "$bristle" check rig.yaml --set 'duration=*a'
done_well
