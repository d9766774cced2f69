#!/bin/bash
# Sweeps under mpirun: the same bits as one thread, also after a rank was killed. Skipped where bristle-mpi was not built.
. "$(dirname "$0")/lib.sh"
[ -x "$(dirname "$bristle")/bristle-mpi" ] && command -v mpirun >/dev/null || { echo 'skipped: no MPI (libopenmpi-dev, openmpi-bin)'; exit 77; }

cat >puck.yaml <<'END'
body: {mass: 0.1, radius: 0.04, velocity: [0.5, 0, 10]}
friction: {mu: 0.2}
contact: {frame: body, patch: {shape: disc, radius: 0.04}}
duration: 3
END
sweep=(sweep puck.yaml --draw friction.mu=normal:0.1:0.1 --draw body.mass=uniform:0.05:0.2 --samples 1500 --seed 2
    --want 'final.theta,contacts[0].slipped')
many=(mpirun -n 4 --oversubscribe)
mpirun --version 2>/dev/null | grep -q 'Open MPI' || many=(mpirun -n 4)
[ "$(id -u)" -ne 0 ] || many+=(--allow-run-as-root)

# some cases fail (mu < 0), and their reasons travel, too
expect_exit 0 "$bristle" "${sweep[@]}" -o one.csv --jobs 1
grep -q 'must be' one.csv || fail "some cases should fail"
expect_exit 0 "${many[@]}" "$bristle" "${sweep[@]}" -o four.csv
expect_stdout '1500 cases'
expect_same one.csv four.csv

# kill_rank: run the sweep and kill one rank during the run; the journal has what was done
kill_rank() {
    "${many[@]}" "$bristle" "${sweep[@]}" -o killed.csv >"$logs/out" 2>"$logs/err" &
    for _ in $(seq 6000); do
        kill -0 $! 2>/dev/null || break
        [ "$(stat -c %b killed.csv.journal 2>/dev/null || echo 0)" -gt 32 ] && break
        sleep 0.01
    done
    victim=$(pgrep -P $! | tail -1)
    kill -9 "$victim" 2>/dev/null
    status=0
    wait $! || status=$?
}
for _ in 1 2 3 4 5; do # on a busy machine the sweep may be complete before its rank is killed
    kill_rank
    [ -e killed.csv ] || break
    rm killed.csv
done
[ "$status" -ne 0 ] || fail "a sweep with a killed rank ended well"
[ -e killed.csv.journal ] && [ ! -e killed.csv ] || fail "a killed sweep leaves a journal alone"
expect_exit 0 "${many[@]}" "$bristle" "${sweep[@]}" -o killed.csv --resume
expect_stdout 'cases, .* failed, [0-9]+ in'
[ "$(sed -n 's/.*failed, \([0-9]*\) in.*/\1/p' "$logs/out")" -lt 1500 ] || fail "nothing was kept"
expect_same one.csv killed.csv

# an error is reported once
expect_exit 2 "${many[@]}" "$bristle" "${sweep[@]}" --want final.nothing -o bad.csv
[ "$(grep -c '^bristle: ' "$logs/err")" -eq 1 ] || fail "the error should be reported once"
done_well
