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
[ ! -s "$logs/err" ] || fail "nothing should be printed when the reader closes"

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

# a computation that fails, a full disk, a path that cannot be: the old file is intact
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
expect_refused 'option --output needs a value, which is empty here' "$bristle" run rig.yaml -o ''
expect_refused 'option --tables needs a value, which is empty here' "$bristle" sweep rig.yaml --vary rig.mass=1:2:2 --tables ''
expect_files $inputs a.csv

# what is read is not written over, and two results do not share a file
cp rig.yaml "$logs/rig"
ln -s rig.yaml out.csv
expect_refused 'out.csv: is an input of this command' "$bristle" run rig.yaml -o out.csv
rm out.csv
expect_refused 'v.csv: is an input of this command' "$bristle" run motion.yaml -o ./v.csv
expect_same rig.yaml "$logs/rig"
ln -s b.svg b.csv
expect_refused 'b.svg: is written twice' "$bristle" run rig.yaml -o b.csv --plot ./b.svg
rm b.csv
expect_files $inputs a.csv

# what the suffix promises is what is written; a name without one gets CSV, a pipe may have any
printf 'shape: disc\nradius: 0.01\n' >disc.yaml
for name in x.xlsx x.txt x.CSV dir.csv/x.h5 rig.yaml; do
    for request in 'run rig.yaml' 'cone --mu 1 --print h' 'surface disc.yaml'; do
        expect_refused "-o $name: must end with one of .csv, .npz$" "$bristle" $request -o $name
    done
done
for kind in law contact pressure pushes; do
    expect_refused '-o x.csv: must end with one of .yaml, .yml$' "$bristle" fit $kind rig.yaml -o x.csv
done
expect_refused '-o x.xlsx: must end with one of .csv, .npz, .h5, .hdf5$' \
    "$bristle" sweep rig.yaml --vary rig.pull=0.1:0.2:2 --want final.x -o x.xlsx
rm disc.yaml
expect_exit 0 "$bristle" run rig.yaml -q -o plain
expect_same plain "$logs/plain"
mkfifo pipe.fifo
cat pipe.fifo >"$logs/piped" &
expect_exit 0 "$bristle" run rig.yaml -o pipe.fifo
wait
expect_same "$logs/piped" "$logs/plain"
rm plain pipe.fifo
expect_files $inputs a.csv

# start_writer FILE: a command that writes it for long, in the background ($pid); its temporary file is there
start_writer() {
    local before
    before=$(ls -A | grep -c '^\.bristle-')
    "$bristle" run rig.yaml --set duration=1e6 --set output.every=1 --set integrator.max_step=1e-4 \
        -o "$1" >"$logs/out" 2>"$logs/err" &
    pid=$!
    for wait in $(seq 200); do
        [ "$(ls -A | grep -c '^\.bristle-')" -gt "$before" ] && return
        sleep 0.05
    done
    fail "no temporary file while running"
}

# an interrupt removes what is half-written
set -m # a shell's background jobs ignore INT unless they are jobs of their own
for signal in INT:130 TERM:143; do
    start_writer a.csv
    kill -${signal%:*} $pid
    wait $pid
    status=$?
    last="kill -${signal%:*}"
    [ $status -eq ${signal#*:} ] || fail "exit status $status after SIG${signal%:*}"
    expect_files $inputs a.csv
    expect_same a.csv "$logs/old"
done

# what kill -9 leaves goes with the next command that writes the same file; files of others stay: of another name, of
# a command that still runs
start_writer a.csv
kill -KILL $pid
wait $pid 2>/dev/null
left=$(ls -A | grep '^\.bristle-')
expect_exit 0 "$bristle" run rig.yaml -q -o b.csv
[ -e "$left" ] || fail "a file of another name should stay"
expect_exit 0 "$bristle" run rig.yaml -q -o a.csv
expect_files $inputs a.csv b.csv
start_writer a.csv
running=$(ls -A | grep '^\.bristle-')
expect_exit 0 "$bristle" run rig.yaml -q -o a.csv
expect_files $inputs a.csv b.csv "$running"
kill -TERM $pid
wait $pid
expect_files $inputs a.csv b.csv
# files of version 0.2 have no target in their names and no lock: they go after a day, what is like them stays
touch -d '2 days ago' .bristle-a1B2c3 .bristle-a1B2c .bristle-a1B2c34 .bristle-a1_2c3 .bristle-backup other
touch .bristle-d4E5f6
mkdir .bristle-Folder && touch -d '2 days ago' .bristle-Folder
ln -s other .bristle-g7H8i9 && touch -h -d '2 days ago' .bristle-g7H8i9
expect_exit 0 "$bristle" run rig.yaml -q -o a.csv
expect_files $inputs a.csv b.csv .bristle-a1B2c .bristle-a1B2c34 .bristle-a1_2c3 .bristle-backup other .bristle-d4E5f6 .bristle-Folder .bristle-g7H8i9
done_well
