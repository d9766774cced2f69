#!/bin/bash
# Files that have a byte order, from the command of another processor under an emulator: byte_order.sh COMMAND. It is a part
# of test/cli/sweep.sh, whose sweeps take too long there.
. "$(dirname "$0")/../cli/lib.sh"

cat >puck.yaml <<'END'
body: {mass: 0.1, radius: 0.04, velocity: [0.5, 0, 10]}
friction: {mu: 0.2}
model: ellipsoid
contact: {frame: body, patch: {shape: disc, radius: 0.04}}
duration: 0.05
END

# the same bits from threads, and from parts
draws=(puck.yaml --vary friction.mu=0.1:0.3:3 --draw body.mass=lognormal:0.1:0.2 --samples 8 --seed 3 --want final.theta)
expect_exit 0 "$bristle" sweep "${draws[@]}" -o one.npz --jobs 1
expect_exit 0 "$bristle" sweep "${draws[@]}" -o many.npz --jobs 3
expect_same one.npz many.npz
for k in 1 2; do
    expect_exit 0 "$bristle" sweep "${draws[@]}" --shard $k/2 -o part$k
done
expect_exit 0 "$bristle" sweep --merge part2 part1 -o merged.npz
expect_same one.npz merged.npz

# archives are little endian everywhere: NumPy reads the numbers of the table
expect_exit 0 "$bristle" sweep "${draws[@]}" -o one.csv
expect_exit 0 "$bristle" run puck.yaml -q -o run.npz
expect_exit 0 "$bristle" run puck.yaml -q -o run.csv
/usr/bin/python3 - <<'END' || fail "numbers of one.npz or run.npz"
import csv, numpy as np
npz, rows = np.load("one.npz"), list(csv.DictReader(open("one.csv")))
for key in ("friction.mu", "body.mass", "final.theta"):
    assert (npz[key].ravel() == [float(row[key]) for row in rows]).all(), key
assert (npz["status"] == "ok").all()
npz, rows = np.load("run.npz"), list(csv.DictReader(open("run.csv")))
for key in ("t", "x", "theta"):
    assert (npz[key] == [float(row[key]) for row in rows]).all(), key
END

# killed, and resumed: the same bits
slow=("${draws[@]}" --set duration=0.5)
expect_exit 0 "$bristle" sweep "${slow[@]}" -o whole.npz
"$bristle" sweep "${slow[@]}" -o killed.npz --jobs 1 &
for _ in $(seq 2000); do
    [ "$(stat -c %s killed.npz.journal 2>/dev/null || echo 0)" -gt 2000 ] && break
    sleep 0.01
done
kill -9 $! 2>/dev/null
wait $! 2>/dev/null
if [ -e killed.npz.journal ]; then
    expect_exit 0 "$bristle" sweep "${slow[@]}" -o killed.npz --resume
    expect_stdout '24 cases, 0 failed, (1?[0-9]|2[0-3]) in ' # the others are from the journal
    expect_same whole.npz killed.npz
else
    echo "skipped: a journal (the sweep ended before it was killed)"
fi
done_well
