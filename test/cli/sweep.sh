#!/bin/bash
# Sweeps: single runs as oracle, the same bits by threads, shards and after a kill, formats, errors, memory.
. "$(dirname "$0")/lib.sh"

cat >puck.yaml <<'END'
body: {mass: 0.1, radius: 0.04, velocity: [0.5, 0, 10]}
friction: {mu: 0.2}
contact: {frame: body, patch: {shape: disc, radius: 0.04}}
duration: 0.3
END
want='final.theta,contacts[0].slipped'

# a case is the run with these values; words, columns, order
expect_exit 0 "$bristle" sweep puck.yaml --vary friction.mu=0.1:0.3:3 --vary 'model=[blocks, ellipsoid]' --want "$want"
[ "$(head -1 "$logs/out")" = "friction.mu,model,$want,status" ] || fail "header of a sweep"
[ "$(tail -n +2 "$logs/out" | cut -d, -f1,2,5 | tr '\n' ' ')" = \
    '0.1,blocks,ok 0.1,ellipsoid,ok 0.2,blocks,ok 0.2,ellipsoid,ok 0.3,blocks,ok 0.3,ellipsoid,ok ' ] || fail "order of cases"
row=$(grep '^0.3,ellipsoid' "$logs/out")
expect_exit 0 "$bristle" run puck.yaml --set friction.mu=0.3 --set model=ellipsoid --json
theta=$(sed 's/.*"theta": \([^,]*\),.*/\1/' "$logs/out")
[ "$(echo "$row" | cut -d, -f3)" = "$theta" ] || fail "a case is not the single run: $row, $theta"

# a case that fails is a row with its reason; CSV of cases; a sweep in the file
expect_exit 0 "$bristle" sweep puck.yaml --vary 'friction.mu=[-1, 0.2]' --want final.theta
expect_stdout '^-1,nan,"*friction.mu: must be'
printf 'friction.mu,body.mass\n0.1,0.2\n0.3,0.1\n' >cases.csv
expect_exit 0 "$bristle" sweep puck.yaml --cases cases.csv --want final.theta
[ "$(tail -1 "$logs/out" | cut -d, -f1,2)" = 0.3,0.1 ] || fail "cases of a file"
cp "$logs/out" "$logs/cases"
printf '"friction.mu",model\r\n0.2,"blocks"\r\n\r\n# and\n0.2,ellipsoid\r\n' >words.csv
expect_exit 0 "$bristle" sweep puck.yaml --vary 'model=[blocks, ellipsoid]' --want final.theta
cut -d, -f2,3 "$logs/out" >"$logs/words"
expect_exit 0 "$bristle" sweep puck.yaml --cases <(cat words.csv) --want final.theta
cut -d, -f3,4 "$logs/out" >"$logs/out2"
expect_same "$logs/out2" "$logs/words"
{ cat puck.yaml; echo 'sweep: {zip: {friction.mu: [0.1, 0.3], body.mass: [0.2, 0.1]}, want: final.theta}'; } >own.yaml
expect_exit 0 "$bristle" sweep own.yaml
expect_same "$logs/out" "$logs/cases"
expect_exit 0 "$bristle" run own.yaml --json

# keys of the command line come behind those of the file, in their order, whatever the file does with them
{ cat puck.yaml; echo 'sweep: {vary: {duration: [0.1, 0.2]}, draw: {friction.mu: uniform:0.1:0.2}, samples: 2, want: final.x}'; } >own.yaml
expect_exit 0 "$bristle" sweep own.yaml --vary body.mass=1:2:2 --vary friction.mu=0.1:0.2:2 --draw 'body.velocity[0]=uniform:0.1:0.2'
[ "$(head -1 "$logs/out")" = 'duration,body.mass,friction.mu,body.velocity[0],final.x,status' ] || fail "order of keys"
expect_exit 0 "$bristle" sweep own.yaml --vary friction.mu=0.1:0.2:2
[ "$(wc -l <"$logs/out")" -eq 5 ] || fail "a file's samples where nothing is drawn any more"

# the same bits from any number of threads and shards, as NPZ with everything inside
draws=(puck.yaml --vary friction.mu=0.1:0.3:3 --draw body.mass=lognormal:0.1:0.2 --draw 'body.velocity[0]=normal:0.5:0.1'
    --samples 40 --sampling latin --seed 3 --want "$want,fast = final.w > 1,events.stick.first")
expect_exit 0 "$bristle" sweep "${draws[@]}" -o one.npz --jobs 1
expect_exit 0 "$bristle" sweep "${draws[@]}" -o many.npz --jobs 5
expect_same one.npz many.npz
for k in 1 2 3; do
    expect_exit 0 "$bristle" sweep "${draws[@]}" --shard $k/3 -o many.part$k
done
expect_exit 0 "$bristle" sweep --merge many.part2 many.part3 many.part1 -o merged.npz
expect_same one.npz merged.npz
expect_exit 2 "$bristle" sweep --merge many.part2 many.part1 -o merged.npz
expect_stderr 'part 3/3 is missing'

# what a sweep reads is never overwritten: scenario, cases (named by an option or the file), parts
cp puck.yaml kept.yaml
expect_refused 'kept.yaml: is an input of this command' "$bristle" sweep kept.yaml --vary friction.mu=0.1:0.3:3 --want final.x --shard 1/2 -o kept.yaml
expect_same puck.yaml kept.yaml
mkdir kept
printf 'friction.mu\n0.1\n0.3\n' | tee kept.csv >kept/0.csv
{ cat puck.yaml; echo 'sweep: {cases: kept.csv, want: final.x}'; } >kept.yaml
expect_refused 'kept.csv: is an input of this command' "$bristle" sweep puck.yaml --cases kept.csv --want final.x -o kept.csv
expect_refused 'kept.csv: is an input of this command' "$bristle" sweep kept.yaml -o kept.csv
expect_refused 'kept.csv: is an input of this command' "$bristle" run kept.yaml -o kept.csv
expect_refused '--tables ./kept: would replace kept/0.csv, an input' "$bristle" sweep puck.yaml --cases kept/0.csv --tables ./kept
expect_same kept.csv kept/0.csv
rm -r kept*
cp many.part1 kept
expect_refused './kept: is an input of this command' "$bristle" sweep --merge many.part2 many.part3 kept -o ./kept
expect_same many.part1 kept
rm kept
/usr/bin/python3 - <<'END' || fail "one.npz"
import numpy as np
d = np.load("one.npz")
assert d["final.theta"].shape == d["friction.mu"].shape == d["status"].shape == (3, 40)
assert (d["status"] == "ok").all() and "lognormal:0.1:0.2" in str(d["sweep"]) and "radius: 0.04" in str(d["scenario"])
assert (d["body.mass"][0] == d["body.mass"][2]).all() and len(set(d["body.mass"][0])) == 40
assert dict(zip(d["columns"], d["units"]))["final.theta"] == "rad"
END

# a pipe takes a table, but no archive: that is written at several positions
mkfifo pipe.csv pipe.npz
cat pipe.csv >"$logs/piped" &
expect_exit 0 "$bristle" sweep "${draws[@]}" -o pipe.csv
wait
expect_exit 0 "$bristle" sweep "${draws[@]}" -o plain.csv
expect_same plain.csv "$logs/piped"
cat pipe.npz >/dev/null &
expect_exit 1 "$bristle" sweep "${draws[@]}" -o pipe.npz
expect_stderr 'pipe.npz: cannot be written: Illegal seek'
wait
rm pipe.* plain.*

# killed, and resumed: the same bits; a journal of something else is refused
slow=("${draws[@]}" --set duration=3)
expect_exit 0 "$bristle" sweep "${slow[@]}" -o whole.npz --jobs 2
"$bristle" sweep "${slow[@]}" -o killed.npz --jobs 2 &
for _ in $(seq 200); do
    [ "$(stat -c %s killed.npz.journal 2>/dev/null || echo 0)" -gt 5000 ] && break
    sleep 0.01
done
kill -9 $! 2>/dev/null
wait $! 2>/dev/null
if [ -e killed.npz.journal ]; then
    [ ! -e killed.npz ] || fail "a killed sweep left results"
    expect_exit 2 "$bristle" sweep "${slow[@]}" -o killed.npz
    expect_stderr 'left by a sweep that was stopped; continue it with --resume'
    # while another process has its lock, it is not left by anyone
    /usr/bin/python3 - "$bristle" killed.npz "${slow[@]}" <<'END' || fail "a journal that is in use"
import fcntl, subprocess, sys
with open(sys.argv[2] + ".journal", "r+b") as journal:
    fcntl.lockf(journal, fcntl.LOCK_EX)
    got = subprocess.run([sys.argv[1], "sweep", *sys.argv[3:], "-o", sys.argv[2]], capture_output=True, text=True)
assert got.returncode == 1 and "another sweep is writing to it" in got.stderr, got
END
    expect_exit 2 "$bristle" sweep "${slow[@]}" --seed 4 -o killed.npz --resume
    expect_stderr 'belongs to another scenario'
    expect_exit 0 "$bristle" sweep "${slow[@]}" -o killed.npz --resume --jobs 1
fi
expect_same whole.npz killed.npz
[ ! -e killed.npz.journal ] || fail "the journal is still there"

# the warnings of the scenario, and those of the first values of keys that change; an override of such a key has no effect
expect_exit 0 "$bristle" sweep puck.yaml --set friction.mu=30 --vary body.mass=0.1:1:3 --want final.x
expect_stderr '^bristle: warning: --set friction.mu=30: friction.mu: 30: dry friction has about'
[ "$(wc -l <"$logs/err")" -eq 1 ] || fail "one warning"
expect_exit 0 "$bristle" sweep puck.yaml --vary friction.mu=30:0.1:3 --want final.x
expect_stderr 'warning: .*friction.mu: 30: dry friction has about'
sed 's/^friction: .*/friction: {mu: 30}/' puck.yaml >slick.yaml
expect_exit 0 "$bristle" sweep slick.yaml --vary friction.mu=0.1:0.3:3 --want final.x
expect_quiet
rm slick.yaml
expect_refused '--set friction.mu=0.3: has no effect: the sweep itself changes friction.mu' "$bristle" sweep puck.yaml --set friction.mu=0.3 --vary friction.mu=0.1:0.3:3 --want final.x
expect_refused '--set body.velocity.0=1: has no effect: the sweep itself changes body.velocity\[0\]' "$bristle" sweep puck.yaml --set body.velocity.0=1 --vary 'body.velocity[0]=0.1:0.3:3' --want final.x

# indices of few samples; --local without keys that are drawn; no key at all
expect_exit 0 "$bristle" sweep puck.yaml --sobol --samples 1 --draw friction.mu=uniform:0.1:0.2 --want final.x
expect_stderr "warning: puck.yaml: samples: 1 are too few for Sobol' indices, .* 64 or more are needed"
expect_refused '--local needs keys that are drawn, and no others' "$bristle" sweep puck.yaml --local --vary friction.mu=0.1:0.3:3 --want final.x
expect_refused 'sweep: no key changes: give vary, draw' "$bristle" sweep puck.yaml --local --want final.x

# a device has no place for a journal
if [ -w /dev/full ]; then
    expect_exit 1 "$bristle" sweep puck.yaml --vary friction.mu=0.1:0.3:3 --want final.x -o /dev/full
    expect_stderr '/dev/full: cannot be written: No space left'
    [ ! -e /dev/full.journal ] || fail "a journal beside a device"
    expect_refused '--resume needs -o OUT, a file' "$bristle" sweep puck.yaml --vary friction.mu=0.1:0.3:3 --want final.x -o /dev/full --resume
    expect_refused '--shard needs -o PART' "$bristle" sweep puck.yaml --vary friction.mu=0.1:0.3:3 --want final.x -o /dev/full --shard 1/2
fi

# cases may fail, but that all do is warned of, once
expect_exit 0 "$bristle" sweep puck.yaml --set 'body.velocity=[1e300, 0, 0]' --vary friction.mu=0.1:0.3:3 --want final.x
expect_stderr '^bristle: warning: puck.yaml: all 3 cases failed: step size fell below'
[ "$(grep -c 'all 3' "$logs/err")" -eq 1 ] || fail "one warning"
expect_exit 0 "$bristle" sweep puck.yaml --set 'body.velocity=[1e300, 0, 0]' --vary 'body.velocity[0]=[1, 1e300]' --want final.x
expect_quiet

# a sweep of 1e9 cases starts at once: a new journal is not searched for cases, which takes 10 s or more
expect_exit 1 timeout --preserve-status -s INT 2 "$bristle" sweep puck.yaml --vary friction.mu=0.1:0.3:1000000000 --want final.x -o endless.npz -q
expect_stderr 'stopped by a signal, after [1-9][0-9]* of 1000000000 cases'
rm endless.npz.journal

# a journal or part that is damaged is reported at once, whatever sizes it states
for byte in 24 27 30 40 48 55 100; do
    cp many.part1 damaged
    printf '\377' | dd of=damaged bs=1 seek=$byte conv=notrunc 2>"$logs/dd"
    expect_exit 2 timeout 10 "$bristle" sweep --merge damaged many.part2 many.part3 -o damaged.npz
    expect_stderr 'damaged: .*(damaged|is not a part|another sweep|missing)'
done

# a full disk: a message, and what was done is kept (here: a limit on the size of files)
expect_exit 1 bash -c 'ulimit -f 8; "$0" sweep "$@" -o full.npz' "$bristle" "${draws[@]}" --samples 400
expect_stderr 'cannot be written: File too large, after .* cases; they are in full.npz.journal, and --resume continues'
expect_exit 0 "$bristle" sweep "${draws[@]}" --samples 400 -o full.npz --resume
expect_exit 0 "$bristle" sweep "${draws[@]}" --samples 400 -o unlimited.npz
expect_same full.npz unlimited.npz

# Ishigami's function through a formula: its total indices are 0.5576, 0.4424 and 0.2437
pi=3.141592653589793
cat >law.yaml <<'END'
law: {kind: coulomb, mu_c: 1}
motion: {velocity: {kind: ramp, from: 0, to: 1, start: 0, end: 1}}
duration: 1
output: {every: 1}
END
expect_exit 0 "$bristle" sweep law.yaml --sobol --samples 4096 --sampling sobol --draw motion.velocity.from=uniform:-$pi:$pi \
    --draw motion.velocity.to=uniform:-$pi:$pi --draw motion.velocity.start=uniform:-$pi:$pi --set motion.velocity.end=4 \
    --want 'f = sin(motion.velocity.from) + 7*sin(motion.velocity.to)^2 + 0.1*motion.velocity.start^4*sin(motion.velocity.from)' \
    --json -o ishigami.npz --plot ishigami.svg
/usr/bin/python3 - "$logs/out" <<'END' || fail "Ishigami's indices"
import json, sys
f = json.load(open(sys.argv[1]))["sobol"]["f"]
for key, first, total in (("from", 0.3139, 0.5576), ("to", 0.4424, 0.4424), ("start", 0, 0.2437)):
    got = f["motion.velocity." + key]
    assert abs(got["first"] - first) < 0.01 and abs(got["total"] - total) < 0.01, (key, got)
END

# what a summary has only where it happened is NaN elsewhere
cat >slider.yaml <<'END'
slider: {mass: 0.5, inertia: 2.0833e-4, height: 0.08, mu: 0.31, velocity: [0.7, 0.9, 10], patch: {shape: rectangle, size: [0.05, 0.05]}}
step: 0.01
duration: 0.1
END
expect_exit 0 "$bristle" sweep slider.yaml --vary 'slider.height=[0.01, 0.4]' --want topple.t
expect_stdout '^0.01,nan,ok'
expect_stdout '^0.4,0[.0-9]*,ok'
expect_exit 0 "$bristle" sweep puck.yaml --vary friction.mu=0.1:0.3:2 --want 'contacts[0].left'
expect_stdout '^0.1,nan,ok'

# loads and rows are there for those who want them, and the runs of others are the same without
expect_exit 0 "$bristle" sweep puck.yaml --vary friction.mu=0.1:0.3:3 --want "$want,energy.residual,steps"
cut -d, -f1-5 "$logs/out" >"$logs/brief"
expect_exit 0 "$bristle" sweep puck.yaml --vary friction.mu=0.1:0.3:3 --want "$want,energy.residual,steps,contacts[0].load,max.w"
cut -d, -f1-5 "$logs/out" >"$logs/full"
expect_same "$logs/brief" "$logs/full"
expect_stdout '^0.1,.*,1,10,ok'

# quantiles over decades have a logarithmic axis, and crossings are interpolated there. Oracle: f = exp(-3 x) is exp(-7.5) at x = 2.5;
# a straight line between the neighbours x = 2 and 3 crosses it at 2.81
expect_exit 0 "$bristle" sweep law.yaml --vary motion.velocity.to=1:5:5 --draw motion.velocity.from=uniform:-1:1 --samples 4 \
    --want 'f = exp(-3*motion.velocity.to)' -o decades.npz --plot decades.svg --contour f=5.5308437014783363e-4
grep -q 'median: 0.0005531 *at 2.5 ' decades.svg || fail "the crossing on a logarithmic axis: $(grep -o 'median: [^<]*' decades.svg)"
grep -q '>1e-6<' decades.svg || fail "no decades on the axis"

# a map over a logarithmic axis: cells of one height, below the contour as they are coloured; nothing to draw is no failure
expect_exit 0 "$bristle" sweep puck.yaml --vary friction.mu=0.1:0.3:3 --vary 'body.velocity[0]=log:0.05:0.5:4' --want final.x \
    -o map.npz --plot map.svg --contour final.x=0.02
/usr/bin/python3 - <<'END' || fail "cells of a map"
import re
boxes = re.findall(r"<polygon [^>]*points = '([^']*)'", open("map.svg").read())[:12]
boxes = [[tuple(map(float, p.split(","))) for p in box.split()] for box in boxes]
heights = [max(y for _, y in box) - min(y for _, y in box) for box in boxes]
assert max(heights) - min(heights) < 0.1 < min(heights), heights  # two digits are written
END
for keys in '--vary friction.mu=0.1:0.3:3' '--vary friction.mu=0.1:0.3:3 --vary body.mass=1:2:2' \
    '--draw friction.mu=uniform:0.1:0.2 --samples 3' '--draw friction.mu=uniform:0.1:0.2 --samples 3 --sobol'; do
    # shellcheck disable=SC2086
    expect_exit 0 "$bristle" sweep puck.yaml $keys --want events.slip.first -o none.npz --plot none.svg
done

# tables of all cases
expect_exit 0 "$bristle" sweep puck.yaml --vary friction.mu=0.1:0.3:3 --tables tables -o t.csv --want final.x
expect_exit 0 "$bristle" run puck.yaml --set friction.mu=0.1 -o single.csv
expect_same tables/0.csv single.csv
[ "$(ls tables | wc -l)" -eq 3 ] || fail "a table for each case"
grep -q '"unit": "m"' t.csv.json || fail "units beside CSV"

# HDF5, where it is
if "$bristle" sweep puck.yaml --vary friction.mu=0.1:0.3:3 --want final.x -o t.h5 >"$logs/out" 2>"$logs/err"; then
    [ "$(od -An -c -N4 t.h5 | tr -d ' ')" = '211HDF' ] || fail "t.h5 is no HDF5"
else
    grep -q 'built without HDF5' "$logs/err" || fail "HDF5"
fi

# memory does not grow with the cases
peak() { # SAMPLES
    /usr/bin/python3 - "$bristle" "$1" <<'END'
import resource, subprocess, sys
subprocess.run([sys.argv[1], "sweep", "law.yaml", "--draw", "law.mu_c=uniform:1:2", "--samples", sys.argv[2], "--want",
                "final.f", "-o", "m.npz", "-q"], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
END
}
if ! grep -q __asan_init "$bristle"; then # which keeps what was freed
    few=$(peak 2000) many=$(peak 60000)
    [ "$many" -lt $((few + 2000)) ] || fail "memory grows: $few kB for 2000 cases, $many kB for 60000"
fi

# errors
bad() { # MESSAGE, ARGUMENTS...
    local message=$1
    shift
    expect_exit 2 "$bristle" sweep "$@"
    expect_stderr "$message"
}
bad 'a:b:n, log:a:b:n' puck.yaml --vary friction.mu=1:2 --want final.x
bad 'unknown key; did you mean mu' puck.yaml --vary friction.mux=1:2:3 --want final.x
bad 'did you mean contacts\[0\].slipped?' puck.yaml --vary friction.mu=0.1:0.2:3 --want 'contacts[0].sliped'
bad 'no output is requested' puck.yaml --vary friction.mu=0.1:0.2:3
bad 'no key changes' puck.yaml --want final.x
bad 'needs the number of samples' puck.yaml --draw friction.mu=uniform:0.1:0.2 --want final.x
bad 'must be K/N' puck.yaml --vary friction.mu=0.1:0.2:3 --want final.x --shard 3/2 -o p
bad 'must end with one of .csv, .npz, .h5, .hdf5' puck.yaml --vary friction.mu=0.1:0.2:3 --want final.x -o p.txt
bad 'with a PATH of --want' puck.yaml --vary friction.mu=0.1:0.2:3 --want final.x -o p.csv --plot p.svg --contour final.y=1
bad 'draws outputs over at most two axes' puck.yaml --vary friction.mu=0.1:0.2:3 --vary body.mass=1:2:2 \
    --vary duration=1:2:2 --want final.x -o p.csv --plot p.svg
[ ! -e p.csv ] && [ ! -e p.csv.journal ] || fail "a picture that cannot be was refused too late"
bad 'no such event; did you mean slip?' puck.yaml --vary friction.mu=0.1:0.2:3 --want events.slp.first
bad 'no such number' puck.yaml --vary friction.mu=0.1:0.2:3 --want 'events.slip[1].first'
bad 'no such number' puck.yaml --vary friction.mu=0.1:0.2:3 --want topple.t
bad 'no such number' puck.yaml --vary friction.mu=0.1:0.2:3 --want 'contacts[1].left'
bad 'want x: .*; did you mean one of final.x, min.x, max.x?' puck.yaml --vary friction.mu=0.1:0.2:3 --want x
bad 'want slipped: .*; did you mean contacts\[0\].slipped?' puck.yaml --vary friction.mu=0.1:0.2:3 --want slipped
bad 'want max.z: .*; must be min. or max. and one of t, x, y, theta' puck.yaml --vary friction.mu=0.1:0.2:3 --want max.z
bad 'want foo: .*; bristle run --json prints what there is; columns are final.NAME' puck.yaml --vary friction.mu=0.1:0.2:3 --want foo
bad 'did you mean max.theta?' puck.yaml --vary friction.mu=0.1:0.2:3 --want max.thta
bad 'have that name for something else' puck.yaml --vary friction.mu=0.1:0.2:3 --want 'status = final.x'
bad 'none of them empty' puck.yaml --vary 'friction.mu=[0.1,,0.2]' --want final.x
bad '1 to 1e9' puck.yaml --vary friction.mu=0.1:0.2:2e9 --want final.x
bad 'uniform:a:b .a < b.*or \[v1, v2\]' puck.yaml --draw friction.mu=uniform:2:1 --samples 3 --want final.x
bad 'a . is missing.*min, max' puck.yaml --vary friction.mu=0.1:0.2:3 \
    --want 'a = (contacts[0].slipped + contacts[0].slipped + contacts[0].slipped + final.x'
for what in 'wants: final.x' 'sampling: lattin'; do
    { cat puck.yaml; echo "sweep: {vary: {friction.mu: 0.1:0.2:2}, $what}"; } >wrong.yaml
    bad "wrong.yaml:5: sweep.${what%%:*}: .*did you mean" wrong.yaml --want final.x
done
printf 'friction.mu\n0.1\nx\n' >typo.csv
bad 'typo.csv:3: friction.mu: must be a number' puck.yaml --cases typo.csv --want final.x
bad 'is not a part or journal' --merge puck.yaml -o p.csv

# bristle check looks into the sweep of a file, but leaves to the command what it may add
own() { { cat puck.yaml; echo "sweep: {$1}"; } >own.yaml; }
own 'vary: {friction.mu: 0.1:0.3:3}, draw: {body.mass: uniform:0.1:0.2}, want: final.x'
expect_exit 0 "$bristle" check own.yaml
grep -q 'rows, a sweep of 3 cases a sample$' "$logs/out" || fail "check does not report the sweep"
own 'vary: {friction.mu: 0.1:0.3:3}, draw: {body.mass: uniform:0.1:0.2}, samples: 4, want: final.x'
expect_exit 0 "$bristle" check own.yaml
grep -q 'rows, a sweep of 12 cases$' "$logs/out" || fail "check counts the samples"
own 'want: final.x'
expect_exit 0 "$bristle" check own.yaml
own 'vary: {friction.mux: 0.1:0.3:3}, want: final.x'
expect_exit 2 "$bristle" check own.yaml
expect_stderr 'friction.mux: unknown key; did you mean mu'
own 'vary: {friction.mu: 0.1:0.3:3}, want: final.q'
expect_exit 2 "$bristle" check own.yaml
expect_stderr 'want final.q: there is no such number'
# local error propagation: no samples, deviations to first order
cat >near.yaml <<END
law: {kind: coulomb, mu_c: 0.3}
rig: {mass: 2, normal_force: 20, force: {kind: steps, times: [0, 0.1], values: [31, 0]}}
duration: 1
END
expect_exit 0 "$bristle" sweep near.yaml --local --draw law.mu_c=normal:0.3:0.01 --draw rig.mass=uniform:1.9:2.1 --want final.x
expect_quiet
expect_stdout '^final.x: 0\.322917 \+- 0\.01[0-9]* m$'
expect_stdout 'law.mu_c +slope -1\.3[0-9]* +share of the variance 0\.[0-9]+$'
expect_exit 0 "$bristle" sweep near.yaml --local --draw law.mu_c=normal:0.3:0.01 --want final.x --json
expect_stdout '"local": \{"final.x": \{"unit": "m", "value": 0\.3229'
expect_refused '\-\-local draws no samples' "$bristle" sweep near.yaml --local --draw law.mu_c=normal:0.3:0.01 --want final.x --samples 3
expect_refused 'law.kind: is drawn from words' "$bristle" sweep near.yaml --local --draw 'law.kind=[coulomb, stiction]' --want final.x
expect_refused '--local needs keys that are drawn, and no others' "$bristle" sweep near.yaml --local --vary rig.mass=1:2:3 --want final.x
done_well
