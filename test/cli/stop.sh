#!/bin/bash
# Runs that end too early: --max-time, Ctrl-C, --keep-partial.
. "$(dirname "$0")/lib.sh"

# would take days
cat >long.yaml <<'END'
law: {kind: lugre, mu_c: 1, mu_s: 1.5, v_s: 1e-3, sigma0: 1e5, sigma1: 1, sigma2: 0.6}
rig: {mass: 1, stiffness: 2, pull: 0.1}
duration: 1e7
output: {every: 1}
END

expect_refused '--max-time 0: must be a number > 0' "$bristle" run long.yaml --max-time 0
expect_refused '--max-time soon: must be a number > 0' "$bristle" run long.yaml --max-time soon

# nothing is left behind
expect_exit 1 "$bristle" run long.yaml --max-time 0.2 -o out.csv
expect_stderr '^bristle: long.yaml: --max-time 0.2 is used up, at t = [0-9.e+]+ s of 1e\+07 s$'
[ ! -s "$logs/out" ] || fail "stdout should be empty"
expect_files long.yaml
expect_exit 130 timeout --preserve-status -s INT 0.5 "$bristle" run long.yaml -o out.csv
expect_files long.yaml
# Ctrl-\\ ends at once, without results
(
    ulimit -c 0
    expect_exit 131 timeout --preserve-status -s QUIT 0.5 "$bristle" run long.yaml --keep-partial -o out.csv
) || exit 1
expect_files long.yaml

# reading counts, too: nobody writes to this pipe
mkfifo silent
printf 'law: {kind: dahl, mu_c: 1, sigma0: 1e3}\nmotion: {file: silent}\n' >waits.yaml
expect_exit 1 timeout 20 "$bristle" run waits.yaml --max-time 0.2 -o out.csv
expect_stderr '^bristle: waits.yaml: --max-time 0.2 is used up, while reading$'
rm silent waits.yaml

# a hold with more instants than doubles can distinguish is refused at once, whatever it holds
hold() {
    cat >hold.yaml <<END
law: {kind: coulomb, mu_c: 1}
motion: {velocity: 1, normal_force: {kind: $1, hold: $2}}
duration: 20
END
}
for kind in 'sine, mean: 2, amplitude: 1, frequency: 1' 'steps, times: [0, 1], values: [1, 2]' \
    'sine, mean: 0, amplitude: 1, frequency: 0'; do
    for small in 2e-8 1e-20 1e-300; do
        hold "$kind" $small
        for command in check run; do
            expect_refused 'hold.yaml:2: motion.normal_force.hold: gives [0-9.e+inf]+ instants in 20 s; at most 1e\+07' \
                timeout 20 "$bristle" $command hold.yaml
        done
    done
done
hold 'sine, mean: 2, amplitude: 1, frequency: 1' 2e-6
expect_exit 0 timeout 20 "$bristle" check hold.yaml
expect_exit 1 timeout 20 "$bristle" run hold.yaml --max-time 0.2
expect_stderr 'hold.yaml: --max-time 0.2 is used up, at t = [0-9.e-]+ s of 20 s$'
rm hold.yaml

# what was computed is kept
rows() {
    tail -n +2 out.csv | wc -l
}
expect_exit 1 "$bristle" run long.yaml --max-time 2 --keep-partial -o out.csv
expect_stderr 'long.yaml: --max-time 2 is used up, at t = .*; keeping [0-9]+ rows'
[ "$(rows)" -gt 1 ] || fail "rows expected"
[ "$(tail -1 out.csv | tr -cd , | wc -c)" -eq 4 ] || fail "the last row is not whole"
rm out.csv
for signal in INT TERM HUP; do
    expect_exit 1 timeout --preserve-status -s $signal 2 "$bristle" run long.yaml --keep-partial -o out.csv
    expect_stderr 'long.yaml: stopped by a signal, at t = .*; keeping [0-9]+ rows'
    [ "$(rows)" -gt 1 ] || fail "rows expected"
    rm out.csv
done
expect_exit 1 "$bristle" run long.yaml --max-time 0.2 --keep-partial --json
expect_stdout '^\{"scenario": "law \+ rig", "rows": .*"warnings": \["long.yaml: --max-time 0.2 is used up'

# a run that ends in time is not affected
expect_exit 0 "$bristle" run long.yaml --max-time 1e6 --keep-partial --set duration=10 -o out.csv
expect_quiet
[ "$(rows)" -eq 11 ] || fail "11 rows expected"
expect_files long.yaml out.csv
done_well
