#!/bin/bash
# Files are written whole or not at all.
. "$(dirname "$0")/lib.sh"
write_scenarios
inputs='rig.yaml motion.yaml v.csv'

# -o, stdout and -o - give the same
"$bristle" run rig.yaml >"$logs/plain"
expect_exit 0 "$bristle" run rig.yaml -o a.csv
expect_same a.csv "$logs/plain"
expect_exit 0 "$bristle" run rig.yaml -o -
expect_same "$logs/out" "$logs/plain"
expect_files $inputs a.csv

# permissions: those of any new file, or those of the file replaced
(umask 027 && "$bristle" run rig.yaml -q -o b.csv)
[ "$(stat -c %a b.csv)" = 640 ] || fail "b.csv has mode $(stat -c %a b.csv), expected 640"
chmod 604 b.csv
expect_exit 0 "$bristle" run rig.yaml -q -o b.csv
[ "$(stat -c %a b.csv)" = 604 ] || fail "b.csv has mode $(stat -c %a b.csv), expected 604"
rm b.csv

# a symbolic link stays one, and its file changes; also one whose file is not there yet
mkdir away
ln -s away/real.csv link.csv
for round in 1 2; do
    expect_exit 0 "$bristle" run rig.yaml -o link.csv
    [ -L link.csv ] || fail "link.csv should still be a link"
    expect_same away/real.csv "$logs/plain"
    [ "$(ls -A away)" = real.csv ] || fail "away should hold real.csv only"
    echo old >away/real.csv
done
rm -r away link.csv

# what is not a regular file is written straight into
expect_exit 0 "$bristle" run rig.yaml -o /dev/null
[ -c /dev/null ] || fail "/dev/null is gone"
mkfifo pipe
cat pipe >"$logs/piped" &
expect_exit 0 "$bristle" run rig.yaml -o pipe
wait
expect_same "$logs/piped" "$logs/plain"
[ -p pipe ] || fail "the pipe is gone"
rm pipe

# a reader that has seen enough
"$bristle" run rig.yaml --set output.every=1e-5 2>"$logs/err" | head -1 >/dev/null
[ ! -s "$logs/err" ] || fail "nothing should be said when the reader goes away"

# NumPy's format, where NumPy is there to read it
expect_exit 0 "$bristle" run rig.yaml -o a.npz
[ "$(head -c 4 a.npz | od -An -tx1 | tr -d ' ')" = 504b0304 ] || fail "a.npz is not a zip file"
if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    expect_exit 0 /usr/bin/python3 -c '
import numpy as np, zipfile
assert zipfile.ZipFile("a.npz").testzip() is None
npz = np.load("a.npz")
csv = np.genfromtxt("a.csv", delimiter=",", names=True)
assert npz.files == ["t", "x", "v", "f", "z"], npz.files
assert all(np.array_equal(npz[k], csv[k]) for k in npz.files)'
else
    echo "skipped: NumPy's own reading of .npz (no python3-numpy)"
fi
rm a.npz

# rows wait on disk, all of them in their order, whatever becomes of them; 8 MB of rows pass through 6 MB
many='run rig.yaml -q --set output.every=1e-5'
expect_exit 0 "$bristle" $many -o many.csv
expect_files $inputs a.csv many.csv
awk -F, 'NR > 1 && ($1 - (NR - 2) * 1e-5 > 1e-12 || (NR - 2) * 1e-5 - $1 > 1e-12 || NF != 5) { exit 1 }
    END { exit NR != 200002 }' many.csv || fail "rows are missing or not in order"
"$bristle" $many | cmp -s - many.csv || fail "stdout and -o differ"
expect_exit 0 "$bristle" $many --json
expect_stdout "\"rows\": 200001, \"final\": \{\"t\": 2, \"x\": $(tail -1 many.csv | cut -d, -f2),"
if (ulimit -d 6000; "$bristle" --version) >/dev/null 2>&1; then
    for name in many.csv many.npz; do
        expect_exit 0 bash -c 'ulimit -d 6000; "$0" "$@"' "$bristle" $many -o $name
    done
else
    echo "skipped: many rows in little memory (this build needs more than that to start)"
fi
rm many.*
mkdir small
if mount -t tmpfs -o size=2m tmpfs small 2>/dev/null; then
    echo old >small/a.csv
    expect_exit 1 "$bristle" $many -o small/a.csv
    left=$(cat small/*)$(ls -A small)
    umount small
    expect_stderr 'bristle: small: cannot keep [0-9]+ rows there until the end: No space left'
    [ "$left" = olda.csv ] || fail "a full disk should leave the old file alone"
else
    echo "skipped: a small disk (only root may make one)"
fi
rmdir small

# a computation that fails, a full disk, a place that cannot be: the old file is intact
echo old >a.csv
cp a.csv "$logs/old"
expect_unwritten '/dev/full: cannot be written: No space left' "$bristle" run rig.yaml -o /dev/full
expect_exit 1 bash -c '"$0" run rig.yaml >/dev/full' "$bristle"
expect_stderr 'stdout: cannot be written: No space left'
expect_exit 1 bash -c 'ulimit -f 8; "$0" run rig.yaml --set output.every=1e-3 -o a.csv' "$bristle"
expect_stderr 'a.csv: cannot be written: File too large'
expect_same a.csv "$logs/old"
expect_exit 1 bash -c 'ulimit -f 8; "$0" run rig.yaml --set output.every=1e-3 -o a.npz' "$bristle"
expect_unwritten 'nowhere/a.csv: cannot be written: No such file' "$bristle" run rig.yaml -o nowhere/a.csv
expect_unwritten '\.: cannot be written: Is a directory' "$bristle" run rig.yaml -o .
expect_unwritten 'new/: cannot be written' "$bristle" run rig.yaml -o new/
expect_unwritten ': cannot be written' "$bristle" run rig.yaml -o ''
expect_files $inputs a.csv

# what is read is not written over, and two results do not share a file
cp rig.yaml "$logs/rig"
expect_refused 'rig.yaml: is an input of this command' "$bristle" run rig.yaml -o rig.yaml
expect_refused 'v.csv: is an input of this command' "$bristle" run motion.yaml -o ./v.csv
expect_same rig.yaml "$logs/rig"
expect_refused 'b.svg: is written twice' "$bristle" run rig.yaml -o b.svg --plot ./b.svg
expect_files $inputs a.csv

# an interrupt removes what is half-written
set -m # a shell's background jobs ignore INT unless they are jobs of their own
for signal in INT:130 TERM:143; do
    "$bristle" run rig.yaml --set duration=1e6 --set output.every=1 --set integrator.max_step=1e-4 \
        -o a.csv >"$logs/out" 2>"$logs/err" &
    pid=$!
    for wait in $(seq 100); do
        [ "$(ls -A | grep -c '^\.bristle-')" -eq 1 ] && break
        sleep 0.05
    done
    [ "$(ls -A | grep -c '^\.bristle-')" -eq 1 ] || fail "no temporary file while running"
    kill -${signal%:*} $pid
    wait $pid
    status=$?
    last="kill -${signal%:*}"
    [ $status -eq ${signal#*:} ] || fail "exit status $status after SIG${signal%:*}"
    expect_files $inputs a.csv
    expect_same a.csv "$logs/old"
done
done_well
