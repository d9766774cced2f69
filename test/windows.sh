#!/usr/bin/env bash
# The command for Windows, under wine. Oracle: the same command on Linux, and Windows' rules for names of files. Names
# with backslashes, blanks, letters beyond ASCII and more than 260 characters; CRLF; replacing of files; Ctrl-C;
# threads; children; exit statuses. Arguments: bristle.exe, bristle, the folder of scenarios.
set -u
exe=$(realpath "$1") linux=$(realpath "$2") scenarios=$(realpath "$3")
command -v wine >/dev/null || { echo 'no wine: skipped'; exit 77; }
export WINEDEBUG=-all WINEPREFIX="${WINEPREFIX:-$(dirname "$exe")/../wine}" LC_ALL=C.UTF-8
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir logs files
cd files || exit 1
status=0

fail() { echo "FAILED: $*"; sed 's/^/    /' ../logs/out ../logs/err | head -8; status=1; }
run() { # STATUS, ARGUMENTS...: run the command and check its exit status
    local wanted=$1 got
    shift
    wine "$exe" "$@" >../logs/out 2>../logs/err
    got=$?
    [ "$got" = "$wanted" ] || { fail "bristle.exe $*: exit status $got, not $wanted"; return 1; }
}
expect() { grep -qE -- "$1" ../logs/err || fail "no message $1"; } # EXPRESSION
only() { # FILES...: nothing else is left behind
    [ "$(ls -A | sort | tr '\n' '|')" = "$(printf '%s\n' "$@" | sort | tr '\n' '|')" ] || fail "files: $(ls -A | tr '\n' ' '), not $*"
}
passed() { echo "ok $*"; }

# --- results: those of Linux, up to rounding in the mathematical functions -------------------------------------------
cat >../compare.py <<'END'
# The largest difference of two tables, over the largest number of its column, and the number of rows that differ in it.
import csv, sys
def read(path):
    with open(path, newline="") as file:
        text = file.read()
    assert "\r" not in text, f"{path}: line ends with CR"
    rows = list(csv.reader(text.splitlines()))
    return rows[0], rows[1:]
(names, ours), (others, theirs) = read(sys.argv[1]), read(sys.argv[2])
assert names == others, "columns differ"
assert len(ours) == len(theirs), f"{len(ours)} rows, not {len(theirs)}"
worst, where = 0.0, "none"
for k, name in enumerate(names):
    try:
        pairs = [(float(a[k]), float(b[k])) for a, b in zip(ours, theirs)]
    except ValueError: # words
        different = sum(a[k] != b[k] for a, b in zip(ours, theirs))
        assert different == 0, f"{name}: {different} words differ"
        continue
    scale = max(abs(b) for _, b in pairs) or 1.0
    difference = max(abs(a - b) for a, b in pairs) / scale
    if difference > worst:
        worst, where = difference, name
print(f"{worst:.1e} {where}")
sys.exit(worst > float(sys.argv[3]))
END
same() { # NAME, LARGEST DIFFERENCE
    "$linux" run "$scenarios/$1.yaml" -q -o linux.csv 2>../logs/err || { fail "$1 on Linux"; return; }
    run 0 run "$scenarios/$1.yaml" -q -o windows.csv || return
    python3 ../compare.py windows.csv linux.csv "$2" >../logs/out 2>../logs/err || { fail "$1: differs from Linux by more than $2"; return; }
    passed "$1: differs from Linux by at most $(cat ../logs/out)"
    rm linux.csv windows.csv
}
# the error that adaptive runs allow themselves is 1e-6; fixed steps and sliders only round
for name in slider_pushed slider_quasistatic; do
    same $name 1e-9
done
for name in in_hand box_onto_ice stick_slip mechanism_two_link sliding_disc puck; do
    same $name 1e-5
done

# --- names of files --------------------------------------------------------------------------------------------------
mkdir 'a folder'
cp "$scenarios/presliding.yaml" "$scenarios/presliding.csv" 'a folder'
run 0 run 'a folder\presliding.yaml' -q -o 'a folder\out.csv' && [ -s 'a folder/out.csv' ] || fail 'backslashes'
drive=$(winepath -w "$PWD/a folder/presliding.yaml" 2>/dev/null | tr -d '\r')
run 0 check "$drive" && passed "backslashes, drives: $drive"
cp -r 'a folder' 'Ωμέγα ß 摩擦'
run 0 run 'Ωμέγα ß 摩擦\presliding.yaml' -q -o 'Ωμέγα ß 摩擦\τριβή.csv' && cmp -s 'a folder/out.csv' 'Ωμέγα ß 摩擦/τριβή.csv' || fail 'UTF-8'
run 2 check 'Ωμέγα\missing.yaml'
expect 'Ωμέγα\\missing\.yaml: cannot be read: No such file' && passed 'names in UTF-8'
long=$(printf 'a%.0s' $(seq 100))
mkdir -p "$long/$long/$long"
cp 'a folder'/presliding.* "$long/$long/$long"
run 0 run "$long\\$long\\$long\\presliding.yaml" -q -o "$long\\$long\\$long\\out.csv" &&
    cmp -s 'a folder/out.csv' "$long/$long/$long/out.csv" && passed 'names of 300 characters' || fail 'long names'
sed 's/$/\r/' 'a folder/presliding.yaml' >crlf.yaml
sed 's/$/\r/' 'a folder/presliding.csv' >presliding.csv
run 0 run crlf.yaml -q -o crlf.csv && cmp -s 'a folder/out.csv' crlf.csv && passed CRLF || fail CRLF
run 0 run crlf.yaml -q && cmp -s ../logs/out crlf.csv && passed 'stdout has the bytes of the file' || fail stdout
run 0 run crlf.yaml -q -o NUL && passed 'NUL, a device'
run 2 run crlf.yaml -o presliding.csv
expect 'is an input of this command' && passed 'an input is not overwritten'
rm -r ./*

# --- files are replaced as a whole, or not at all --------------------------------------------------------------------
cp "$scenarios/puck.yaml" .
echo older >out.csv
run 0 run puck.yaml -q -o out.csv && [ "$(head -c 2 out.csv)" = t, ] && passed 'an older file is replaced'
only puck.yaml out.csv
cat >long.yaml <<'END'
law: {kind: lugre, mu_c: 1, mu_s: 1.5, v_s: 1e-3, sigma0: 1e5, sigma1: 1, sigma2: 0.6}
rig: {mass: 1, stiffness: 2, pull: 0.1}
duration: 1e7
output: {every: 1}
END
echo older >out.csv
run 1 run long.yaml --max-time 1 -o out.csv
expect '--max-time 1 is used up'
only puck.yaml long.yaml out.csv
[ "$(cat out.csv)" = older ] && passed 'a run out of time keeps the older file'
chmod a-w out.csv
run 1 run puck.yaml -q -o out.csv
expect 'out.csv: cannot be written: Permission denied' && passed 'a read-only file is kept'
chmod u+w out.csv

# --- Ctrl-C: wine makes it of SIGINT ---------------------------------------------------------------------------------
interrupt() { # ARGUMENTS...
    timeout -s INT --preserve-status 3 wine "$exe" "$@" >../logs/out 2>../logs/err
}
interrupt run long.yaml -o out.csv
only puck.yaml long.yaml out.csv
[ "$(cat out.csv)" = older ] && passed 'Ctrl-C keeps the older file and leaves no other' || fail 'Ctrl-C'
interrupt run long.yaml -o out.csv --keep-partial
grep -q '^t,' out.csv && passed "Ctrl-C with --keep-partial: $(wc -l <out.csv) lines" || fail 'Ctrl-C --keep-partial'
rm -f ./*

# --- sweeps: threads, journals, --resume -----------------------------------------------------------------------------
cp "$scenarios/friction_sweep.yaml" "$scenarios"/*.csv .
sweep=(sweep "$scenarios/puck.yaml" --vary 'friction.mu=0.1:0.4:40' --want final.x,final.y -q)
"$linux" "${sweep[@]}" -o linux.csv 2>../logs/err || fail 'sweep on Linux'
run 0 "${sweep[@]}" --jobs 4 -o threads.csv && run 0 "${sweep[@]}" --jobs 1 -o one.csv &&
    cmp threads.csv one.csv && python3 ../compare.py one.csv linux.csv 1e-5 >../logs/out 2>../logs/err &&
    passed "a sweep in threads: the same as in one, differs from Linux by at most $(cat ../logs/out)" || fail sweep
many=(sweep "$scenarios/puck.yaml" --vary 'friction.mu=0.1:0.4:1000' --want final.x -q -o many.csv)
interrupt "${many[@]}"
[ -e many.csv.journal ] && [ ! -e many.csv ] && run 0 "${many[@]}" --resume && [ ! -e many.csv.journal ] &&
    [ "$(wc -l <many.csv)" = 1001 ] && passed 'a sweep that was interrupted is resumed' || fail 'sweep --resume'
run 0 "${sweep[@]}" -o sweep.npz && python3 -c "import sys, zipfile; sys.exit(zipfile.ZipFile('sweep.npz').testzip() is not None)" &&
    passed NPZ || fail NPZ
rm -f ./*

# --- children: gnuplot and the programs beside the command -----------------------------------------------------------
cp "$scenarios/puck.yaml" .
run 1 run puck.yaml -q -o out.csv --plot out.png
expect '--plot needs gnuplot, which is not installed' && passed 'no gnuplot: a message'
run 2 bench
expect 'needs the program bristle-bench next to the command' && passed 'no bristle-bench: a message'
exit $status
