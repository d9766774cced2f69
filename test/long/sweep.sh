#!/bin/bash
# A sweep of many small cases, killed on the way and resumed: memory, and the same bits as without the kill.
# sweep.sh BRISTLE CASES [JOBS]
set -eu
bristle=$(realpath "$1") cases=$2 jobs=${3:-2}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat >puck.yaml <<'END'
body: {mass: 0.1, radius: 0.04, velocity: [0.5, 0, 10]}
friction: {mu: 0.2}
model: ellipsoid
contact: {frame: body, patch: {shape: disc, radius: 0.04}}
duration: 0.3
END
sweep=(sweep puck.yaml --draw friction.mu=uniform:0.1:0.3 --draw 'body.velocity[0]=normal:0.5:0.1'
    --draw body.mass=lognormal:0.1:0.2 --want 'final.x,final.theta,contacts[0].slipped' --seed 3 --jobs "$jobs")

# peak of the resident memory of a command [KiB]
peak() { /usr/bin/python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$@"; }

few=$(peak "$bristle" "${sweep[@]}" --samples $((cases / 100)) -o few.npz --quiet)
start=$(date +%s)
"$bristle" "${sweep[@]}" --samples "$cases" -o many.npz --quiet &
run=$!
until [ "$(stat -c %s many.npz.journal 2>/dev/null || echo 0)" -gt $((cases * 4)) ]; do sleep 0.2; done
kill -9 $run
wait $run 2>/dev/null || true
size=$(stat -c %s many.npz.journal)
many=$(peak "$bristle" "${sweep[@]}" --samples "$cases" -o many.npz --resume --quiet)
echo "sweep: $cases cases in $(($(date +%s) - start)) s, killed with a journal of $size bytes and resumed"
echo "memory at most $few KiB for $((cases / 100)) cases, $many KiB for all"

# the first cases are those of the small sweep: draws depend on the index alone; all cases are there and done
/usr/bin/python3 - "$cases" <<'END'
import sys
import numpy as np
few, many = np.load("few.npz"), np.load("many.npz")
n = len(few["final.x"])
assert many["final.x"].shape == (int(sys.argv[1]),)
assert (many["status"] == "ok").all(), "a case failed"
for key in ("friction.mu", "body.mass", "final.x", "final.theta", "contacts[0].slipped"):
    assert (few[key] == many[key][:n]).all(), key
    assert np.isfinite(many[key]).all(), key
END
[ $((many - few)) -lt 20000 ] || { echo "FAILED: memory grows with the cases"; exit 1; }
