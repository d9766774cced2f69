#!/bin/bash
# Every bad input ends with 2 and a message that names file, line and key, where they exist.
. "$(dirname "$0")/lib.sh"
write_scenarios

# refuse REGEX: the YAML text on stdin, as x.yaml, is refused by check (and so by run and surface)
refuse() {
    cat >x.yaml
    expect_refused "$1" "$bristle" check x.yaml
}

# refuse_csv REGEX: the CSV text on stdin, as x.csv, is refused as an imposed motion
refuse_csv() {
    cat >x.csv
    expect_refused "$1" "$bristle" run motion.yaml --set motion.file=x.csv
}

### keys

# a required key that is misspelt: one message, and nothing reads what is not there
refuse 'x.yaml:3: contact.normal_force.tims: unknown key; did you mean times\?' <<'END'
body: {mass: 1, radius: 0.05}
friction: {mu: 0.5}
contact: {frame: body, patch: {shape: disc, radius: 0.05}, normal_force: {kind: steps, tims: [0, 1], values: [1, 2]}}
duration: 0.1
END
refuse 'x.yaml:3: noise.colum: unknown key; did you mean column\?' <<'END'
law: {kind: coulomb, mu_c: 1}
rig: {mass: 1, stiffness: 2, damping: 0, normal_force: 1, belt_velocity: 0.1}
noise: {colum: x, deviation: 1e-3}
duration: 1
END

refuse 'x.yaml:2: law.sgima0: unknown key; did you mean sigma0\?' <<'END'
law: {kind: dahl, mu_c: 1,
      sgima0: 1e3}
motion: {file: v.csv}
END
refuse 'x.yaml:4: rig.stifness: unknown key; did you mean stiffness\?' <<'END'
law: {kind: coulomb, mu_c: 1}
rig:
  mass: 1
  stifness: 2
duration: 1
END
refuse 'x.yaml:3: durration: unknown key; did you mean duration\?' <<'END'
law: {kind: coulomb, mu_c: 1}
rig: {mass: 1}
durration: 1
END
refuse 'x.yaml:2: rdius: unknown key; did you mean radius\?' <<'END'
shape: disc
rdius: 0.01
END
refuse 'x.yaml:2: radius\.coeficient: unknown key; did you mean coefficient\?' <<'END'
shape: disc
radius: {coeficient: 0.01, exponent: 0.3}
END
# a suggestion only where one is near
refuse 'x.yaml:1: zzz: nothing runs: a scenario has one of law \+ motion, .*, body, slider, mechanism$' <<<'zzz: 1'
refuse 'x.yaml:1: LAW: unknown key; did you mean law\?' <<<'LAW: 1'
refuse 'x.yaml:1: law.kind: must be one of coulomb, .*elasto-plastic; got "ramp"$' <<'END'
law: {kind: ramp, mu_c: 1}
rig: {mass: 1}
END
refuse 'x.yaml:1: law.kind: must be one of .*; got "elasto": did you mean elasto-plastic\?' <<'END'
law: {kind: elasto, mu_c: 1}
rig: {mass: 1}
END
refuse 'x.yaml:1: law.mu_s: is missing' <<'END'
law: {kind: stiction, mu_c: 1}
rig: {mass: 1}
duration: 1
END
refuse 'x.yaml:2: rig.mass: is missing' <<'END'
law: {kind: coulomb, mu_c: 1}
rig:
  pull: 1
duration: 1
END
refuse 'x.yaml:1: duration: is missing' <<'END'
law: {kind: coulomb, mu_c: 1}
rig: {mass: 1}
END
refuse 'x.yaml:1: radius: is missing' <<<'shape: disc'
refuse 'x.yaml:2: mu: the key is there twice' <<'END'
mu: 1
mu: 2
END

### several files: each is checked, and one that is bad decides

printf 'shape: disc\nradius: -1\n' >x.yaml
expect_exit 2 "$bristle" check rig.yaml x.yaml motion.yaml nowhere.yaml
expect_stderr '^bristle: x.yaml:2: radius: must be > 0'
expect_stderr '^bristle: nowhere.yaml: cannot be read'
[ "$(grep -c ': ok: ' "$logs/out")" -eq 2 ] || fail "two files are good"
expect_exit 0 "$bristle" check rig.yaml motion.yaml --set law.mu_c=1.2
expect_quiet
[ "$(cat "$logs/out")" = "rig.yaml: ok: law + rig, 2 s, 201 rows
motion.yaml: ok: law + motion, 1 s, 3 rows" ] || fail "a line for each file"
expect_refused 'check: a file is missing; see: bristle help check' "$bristle" check

### all errors of a file in one run, whatever else is in it

# refuse_all YAML REGEX...: all of these messages
refuse_all() {
    printf '%b' "$1" >x.yaml
    expect_exit 2 "$bristle" check x.yaml
    shift
    for pattern in "$@"; do
        expect_stderr "^bristle: x.yaml:$pattern"
    done
}
refuse_all 'law: {kind: coulomb, mu_c: 1}\nrig: {mass: 1}\nduration: 1x\noutput: {evry: 1}\n' \
    '3: duration: must be a number' '4: output.evry: unknown key; did you mean every'
refuse_all 'slider: {mass: 1}\nstep: 0\nduration: 1\noutput: {every: -1}\npush: {point: [0], direction: [0, 0], magnitude: x}\n' \
    '2: step: must be > 0' '4: output.every: must be > 0' '5: push.direction: must not be \[0, 0\]' \
    '5: push.point: must be a list of 2' '5: push.magnitude: must be a number'
refuse_all 'mechanism: {kind: block, mass: -1, mu: 1,\nlaw: foo}\nnormal: bar\nduration: 1\n' \
    '1: mechanism.mass: must be > 0' '2: mechanism.law: must be one of' '3: normal: must be one of'
refuse_all 'mechanism: {kind: block, mass: 1, mu: 1, mu_s: 0.5, force: x}\nduration: 1\n' \
    '1: mechanism.mu_s: must be >= mu = 1; got 0.5' '1: mechanism.force: must be a number'
refuse_all 'model: reduced\nfriction: {mu: 1}\ncontact: {patch: {shape: disc, radius: 1}, surface: {n: 1, method: foo}}\nmotion: {vx: 1}\nduration: 1\n' \
    '3: contact.surface.n: must be a whole number' '3: contact.surface.method: must be one of'

### which scenario

refuse 'x.yaml:3: rig: .*exactly one of motion and rig' <<'END'
law: {kind: coulomb, mu_c: 1}
motion: {file: v.csv}
rig: {mass: 1}
END
refuse 'x.yaml:1: law: needs exactly one of motion and rig' <<<'law: {kind: coulomb, mu_c: 1}'
refuse 'x.yaml:1: motion: nothing runs: a scenario has one of law \+ motion' <<<'motion: {file: v.csv}'
printf 'shape: disc\nradius: 1\n' >patch.yaml
expect_refused 'patch.yaml:1: shape: this is a contact patch' "$bristle" run patch.yaml
expect_refused 'rig.yaml:1: law: this is a scenario, not a contact patch .*see: bristle run$' "$bristle" surface rig.yaml

### values

refuse 'x.yaml:2: radius: must be a number; got "wide"' <<'END'
shape: disc
radius: wide
END
refuse 'x.yaml:2: radius: must be a number; got a list' <<'END'
shape: disc
radius: [1]
END
refuse 'x.yaml:2: radius: must be a number; got nothing' <<'END'
shape: disc
radius:
END
refuse 'x.yaml:2: radius: must be a number; got "1_000"' <<'END'
shape: disc
radius: 1_000
END
refuse 'x.yaml:1: law: must be a map' <<'END'
law: lugre
rig: {mass: 1}
END
refuse 'x.yaml:2: rig: must be a map' <<'END'
law: {kind: coulomb, mu_c: 1}
rig: [1]
END
refuse 'x.yaml:2: size: must be a list of 2; got 3' <<'END'
shape: rectangle
size: [1, 2, 3]
END
refuse 'x.yaml:2: radius: must be > 0; got -1' <<'END'
shape: disc
radius: -1
END
refuse 'x.yaml:3: radius.coefficient: must be > 0; got -1' <<'END'
shape: disc
radius:
  coefficient: -1
  exponent: 1
END
for bad in .nan nan NaN .inf -.inf inf 1e999; do
    refuse "x.yaml:2: radius: must be a finite number; got \"$bad\"" <<END
shape: disc
radius: $bad
END
done
refuse 'x.yaml:1: law.mu_s: must be >= mu_c' <<'END'
law: {kind: stiction, mu_c: 1, mu_s: 0.5}
rig: {mass: 1}
duration: 1
END
refuse 'x.yaml:1: law.s_ba: must be in \[0, 1\); got 1' <<'END'
law: {kind: elasto-plastic, mu_c: 1, mu_s: 1.5, v_s: 1e-3, sigma0: 1e5, s_ba: 1}
rig: {mass: 1}
duration: 1
END
refuse 'x.yaml:1: law.kind: must be one of coulomb, .*elasto-plastic; got "lugree": did you mean lugre' <<'END'
law: {kind: lugree}
rig: {mass: 1}
END
refuse 'x.yaml:1: shape: must be one of disc, .*grid, .*; got "disk": did you mean disc' <<<'shape: disk'
refuse 'x.yaml:4: output.every: gives 1e\+12 rows' <<'END'
law: {kind: coulomb, mu_c: 1}
rig: {mass: 1}
duration: 1
output: {every: 1e-12}
END
refuse 'x.yaml:4: integrator.rtol: must be in \[1e-14, 1\)' <<'END'
law: {kind: coulomb, mu_c: 1}
rig: {mass: 1}
duration: 1
integrator: {rtol: 2}
END
refuse 'x.yaml:3: resolution: must be a whole number from 1 to 4096; got 2.5' <<'END'
shape: disc
radius: 1
resolution: 2.5
END

### profiles

profile() {
    local pattern=$1
    cat >x.yaml <<END
law: {kind: coulomb, mu_c: 1}
rig:
  mass: 1
  normal_force: $2
duration: 1
END
    expect_refused "$pattern" "$bristle" check x.yaml
}
profile 'x.yaml:4: rig.normal_force: must be >= 0; got -1' -1
profile 'x.yaml:4: rig.normal_force: must be >= 0, but is negative from t = 0.583333 s on' \
    '{kind: sine, mean: 1, amplitude: 2, frequency: 1}'
profile 'x.yaml:4: rig.normal_force.frequency: is missing' '{kind: sine, mean: 1, amplitude: 1}'
profile 'x.yaml:4: rig.normal_force.kind: must be one of sine, steps, table, ramp, move, accelerate' '{kind: square}'
profile 'x.yaml:4: rig.normal_force.times\[1\]: times must increase' \
    '{kind: steps, times: [1, 1], values: [1, 1]}'
profile 'x.yaml:4: rig.normal_force.values: must be as long as times' \
    '{kind: steps, times: [1, 2], values: [1]}'
profile 'x.yaml:4: rig.normal_force: must be >= 0, but is negative from t = 0 s on' \
    '{kind: steps, times: [1], values: [-1]}'
profile 'x.yaml:4: rig.normal_force.file: cannot read none.csv: No such file' \
    '{file: none.csv, column: fn}'
profile 'v.csv:1: fn: the column is missing' '{file: v.csv, column: fn}'
profile 'x.yaml:4: rig.normal_force: must be >= 0, but is negative from t = 0.75 s on' '{file: v.csv, column: v}'
profile 'x.yaml:4: rig.normal_force.hold: must be > 0' '{file: v.csv, column: v, hold: 0}'

### patches that cannot be

refuse 'x.yaml:2: size\[1\]: must be > 0; got 0' <<'END'
shape: rectangle
size: [1, 0]
END
refuse 'x.yaml:2: vertices(\[[0-9]\])?: .*(line|area)' <<'END'
shape: polygon
vertices: [[0, 0], [1, 0], [2, 0]]
END
refuse 'x.yaml:3: size\[0\]: must be > 0; got 0' <<'END'
shape: grid
cells: [[1]]
size: [0, 1]
END
refuse 'x.yaml:3: cells: .*> 0' <<'END'
shape: grid
size: [1, 1]
cells: [[0, 0], [0, 0]]
END
refuse 'x.yaml:3: cells\[1\]: must be a list of 2; got 1' <<'END'
shape: grid
size: [1, 1]
cells: [[1, 1], [1]]
END
refuse 'x.yaml:5: cells\[1\]\[0\]: must be >= 0; got -1' <<'END'
shape: grid
size: [1, 1]
cells:
  - [1]
  - [-1]
END
printf '0,0\n0,0\n' >zero.csv
refuse 'x.yaml:3: file: .*> 0' <<'END'
shape: grid
size: [1, 1]
file: zero.csv
END
printf '1,1\n1,-1\n' >negative.csv
refuse 'negative.csv:2: cell 2: must be >= 0; got -1' <<'END'
shape: grid
size: [1, 1]
file: negative.csv
END
refuse 'cells: a grid has either cells or file' <<'END'
shape: grid
size: [1, 1]
END
refuse 'x.yaml:2: vertices(\[[0-9]\])?: .*cross' <<'END'
shape: polygon
vertices: [[0, 0], [1, 1], [1, 0], [0, 1]]
END
refuse 'x.yaml:2: vertices: ' <<'END'
shape: polygon
vertices: [[0, 0], [1, 1]]
END
for weight in 0 -1; do
    refuse "x.yaml:4: points\[1\]\[2\]: must be > 0; got $weight" <<END
shape: points
points:
  - [0, 0, 1]
  - [1, 0, $weight]
END
done
refuse 'x.yaml:3: pressure: .*disc' <<'END'
shape: ring
radius: 1
pressure: {kind: power, k: 2}
END
refuse 'x.yaml:3: pressure.k: must be > 0; got 0' <<'END'
shape: disc
radius: 1
pressure: {kind: power, k: 0}
END
refuse 'x.yaml:3: pressure: must be one of uniform, power, linear; got "even"' <<'END'
shape: disc
radius: 1
pressure: even
END

### files

refuse 'x.yaml: is empty' </dev/null
refuse 'x.yaml: is empty' <<<'# only a comment'
refuse 'x.yaml: is empty' <<<'---'
refuse 'x.yaml:1: must be a map' <<<'just words'
refuse 'x.yaml:[0-9]: is not YAML: .*starts in line 2: ' <<<$'a: 1\nb: [1, 2\n'
refuse 'x.yaml:3: is not YAML: a tab where only spaces may indent$' <<<$'a: 1\nb:\n\tc: 1\n'
refuse 'x.yaml:3: is not YAML: a tab where only spaces may indent$' <<<$'a:\n  \u00fc: 1\n  \tc: 1\n'
refuse 'x.yaml:1: is not YAML: .*cannot start any token' <<<$'a: @b\n'
refuse 'x.yaml:1: aliases|x.yaml:1: anchors' <<<'a: &x 1'
refuse 'x.yaml:2: .*document' <<<$'a: 1\n---\nb: 2'
refuse 'x.yaml:1: nested deeper than 32' <<<"a: $(printf '[%.0s' $(seq 40))"
refuse 'x.yaml:3: is not UTF-8 text' <<<$'a: 1\nb: 2\nc: \xff\xfe'
printf 'a: 1\nb: \0\n' >x.yaml
expect_refused 'x.yaml:2: is not a text file: byte 0x00' "$bristle" check x.yaml
head -c 5000 "$bristle" >x.yaml
expect_refused 'x.yaml:[0-9]+: is not a text file' "$bristle" check x.yaml
expect_refused 'nowhere.yaml: cannot be read: No such file' "$bristle" check nowhere.yaml
expect_refused '\.: is a directory' "$bristle" check .
mkdir folder.csv
expect_refused 'motion.file: cannot read folder.csv: it is a directory' "$bristle" run motion.yaml --set motion.file=folder.csv

# no permission to read: root may read anything, so it is tried as nobody
cp rig.yaml locked.yaml
chmod 000 locked.yaml
if [ "$(id -u)" -ne 0 ]; then
    expect_refused 'locked.yaml: cannot be read: Permission denied' "$bristle" check locked.yaml
else
    as_nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
    chmod 755 .
    if $as_nobody "$bristle" --version >/dev/null 2>&1 && $as_nobody test -r "$here/rig.yaml"; then
        expect_refused 'locked.yaml: cannot be read: Permission denied' \
            $as_nobody "$bristle" check locked.yaml
        # nor may nobody write here
        expect_unwritten 'out.csv: cannot be written: Permission denied' \
            $as_nobody "$bristle" run rig.yaml -o out.csv
        echo old >old.csv
        chmod 644 old.csv
        expect_unwritten 'old.csv: cannot be written: Permission denied' \
            $as_nobody "$bristle" run rig.yaml -o old.csv
        [ "$(cat old.csv)" = old ] || fail "old.csv was changed"
    else
        echo "skipped: permissions (the command cannot be run as nobody)"
    fi
fi

# a line of 1 GB: answered at once, with little memory
truncate -s 1G zeros.yaml
expect_refused 'zeros.yaml:1: is not a text file' timeout 10 "$bristle" check zeros.yaml
rm zeros.yaml
mkfifo long.yaml
for kind in yaml csv; do
    { printf 't,v\n'; head -c 1G /dev/zero | tr '\0' a; } >long.yaml 2>/dev/null &
    if [ $kind = yaml ]; then
        expect_refused 'long.yaml:2: the line is longer than 1048576 bytes' \
            timeout 10 "$bristle" check long.yaml
    else
        expect_refused 'long.yaml:2: the line is longer than 1048576 bytes' \
            timeout 10 "$bristle" run motion.yaml --set motion.file=long.yaml
    fi
    wait
done
rm long.yaml
yes 'key: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]' | head -c 70M >big.yaml
expect_refused 'big.yaml:[0-9]+: the file is larger than 64 MiB' timeout 20 "$bristle" check big.yaml
rm big.yaml

# too little memory: reported as that, not as an error of the file, wherever it runs out (libyaml included);
# a long text makes libyaml's own buffers the largest
{ printf 'law: "'; yes "$(printf '%0100d' 0)" | head -c 12M; printf '"\n'; } >long.yaml
enough=$((1 << 21)) # KiB
if (ulimit -v $enough; "$bristle" --version) >/dev/null 2>&1; then
    libyaml_ran_out=
    start=20000 # KiB: what the command needs to start depends on its libraries and on how it was compiled
    until (ulimit -v $start; "$bristle" --version) >/dev/null 2>&1; do
        start=$((start + 1000))
    done
    for kib in $(seq $((start + 2000)) 3000 $((start + 32000))); do
        (ulimit -v $kib; "$bristle" check long.yaml) >"$logs/out" 2>"$logs/err"
        status=$?
        last="check long.yaml in $kib KiB"
        expect_stderr '^bristle: (long.yaml: )?out of memory$|long.yaml:1: law: needs'
        grep -q 'out of memory' "$logs/err" && [ $status -ne 1 ] && fail "exit status $status"
        grep -q 'long.yaml: out of memory' "$logs/err" && libyaml_ran_out=1
    done
    [ $libyaml_ran_out ] || fail "libyaml should have run out of memory once"
else
    echo "skipped: too little memory (this build needs more than that to start)"
fi
rm long.yaml

### CSV

refuse_csv 'x.csv:1: the columns are separated by tabs; commas are needed' <<<$'t\tv\n0\t1'
refuse_csv 'x.csv:1: the columns are separated by semicolons; commas are needed' <<<$'t;v\n0;1'
refuse_csv 'x.csv:2: v: must be a number; got "1\\t2"' <<<$'t,v\n0,1\t2'
refuse_csv 'x.csv:1: field 2: the quote is not closed' <<<$'t,"v\n0,1'
refuse_csv 'x.csv:1: field 1: a comma must follow the quotes' <<<$'"t"x,v\n0,1'
refuse_csv 'x.csv:1: v: the column is missing; columns here: t, v,w, a "b"' <<<$'t,"v,w","a ""b"""\n0,1,2'
refuse_csv 'x.csv:2: v: must be a number; got ""' <<<$'t,v\n0,""'
refuse_csv 'x.csv: is empty' </dev/null
refuse_csv 'x.csv: is empty' <<<'# comment'
refuse_csv 'x.csv:[12]: no rows' <<<'t,v'
refuse_csv 'x.csv:1: v: the column is missing; columns here: t, w' <<<$'t,w\n0,1'
refuse_csv 'x.csv:1: t: the column is missing' <<<$'0,1\n1,2'
refuse_csv 'x.csv:1: v: the column is there twice' <<<$'t,v,v\n0,1,1'
refuse_csv 'x.csv:3: v: must be a number; got "fast"' <<<$'t,v\n0,1\n1,fast'
refuse_csv 'x.csv:3: v: must be a number; got ""' <<<$'t,v\n0,1\n1,'
refuse_csv 'x.csv:3: v: must be a number; got "0x10"' <<<$'t,v\n0,1\n1,0x10'
refuse_csv 'x.csv:2: v: must be a finite number; got nan' <<<$'t,v\n0,nan'
refuse_csv 'x.csv:2: v: must be a finite number; got -inf' <<<$'t,v\n0,-inf'
refuse_csv 'x.csv:2: v: must be a finite number; got 1e400' <<<$'t,v\n0,1e400'
refuse_csv 'x.csv:3: 1 fields where the header has 2' <<<$'t,v\n0,1\n1'
refuse_csv 'x.csv:2: 3 fields where the header has 2' <<<$'t,v\n0,1,2'
refuse_csv 'x.csv:5: t: must increase; got 1 after 1' <<<$'t,v\n0,1\n# c\n1,1\n1,2'
refuse_csv 'x.csv:3: t: must increase; got 0 after 1' <<<$'t,v\n1,1\n0,2'
refuse_csv 'motion.file: must be >= 0, but is negative from t = 0.5 s on' <<<$'t,v,fn\n0,1,1\n1,1,-1'
refuse_csv 'motion: the file must go beyond t = 0' <<<$'t,v\n0,1'
# all errors in one run, each once; of a file that is wrong throughout the first ones
refuse_csv 'x.csv:2: v: must be a number; got "a"' <<<$'t,v\n0,a\n1\nx,nan\n2,1\n2,1'
expect_stderr '^bristle: x.csv:3: 1 fields where the header has 2'
expect_stderr '^bristle: x.csv:4: t: must be a number; got "x"'
expect_stderr '^bristle: x.csv:4: v: must be a finite number; got nan'
expect_stderr '^bristle: x.csv:6: t: must increase; got 2 after 2'
[ "$(wc -l <"$logs/err")" -eq 5 ] || fail "five errors"
refuse_csv 'x.csv:1: v: the column is missing' <<<$'w\n0'
expect_stderr '^bristle: x.csv:1: t: the column is missing'
refuse_csv 'x.csv:21: v: must be a number' <<<"$(echo t,v && seq -f '%g,x' 50)"
[ "$(wc -l <"$logs/err")" -eq 20 ] || fail "twenty errors are enough"
printf 't,v\n0,\0\n' >x.csv
expect_refused 'x.csv:2: is not a text file' "$bristle" run motion.yaml --set motion.file=x.csv
expect_refused 'motion.file=none.csv: motion.file: cannot read none.csv: No such file' \
    "$bristle" run motion.yaml --set motion.file=none.csv
printf 't,v\r\n0,0\r\n1,1\r\n' >x.csv
expect_exit 0 "$bristle" run motion.yaml --set motion.file=x.csv
### anisotropic friction

# grain TEXT: a body on a disc with this anisotropy, and what else the second argument sets
grain() {
    printf 'body: {mass: 1, radius: 0.05}\nfriction: {mu: 0.5, anisotropy: %s}\n%s\nduration: 0.1\n' "$1" \
        "${2:-contact: {frame: body, patch: {shape: disc, radius: 0.05\}\}}"
}
refuse 'x.yaml:2: friction.anisotropy.ratio: must be in \[0.001, 1000\]; got 0$' <<<"$(grain '{ratio: 0}')"
refuse 'x.yaml:2: friction.anisotropy.ratio: must be in .*; got -1.5$' <<<"$(grain '{ratio: -1.5}')"
refuse 'x.yaml:2: friction.anisotropy.ratio: must be a finite number' <<<"$(grain '{ratio: .nan}')"
refuse 'x.yaml:2: friction.anisotropy.ratio: is missing and has no default' <<<"$(grain '{angle: 1}')"
refuse 'x.yaml:2: friction.anisotropy: must be a map with the keys ratio, angle, axes' <<<"$(grain 1.5)"
refuse 'x.yaml:2: friction.anisotropy.axes: must be one of body, ground; got "table"' <<<"$(grain '{ratio: 2, axes: table}')"
refuse 'x.yaml:2: friction.anisotropy.ratoi: unknown key; did you mean ratio\?' <<<"$(grain '{ratio: 2, ratoi: 2}')"
refuse 'x.yaml:2: friction.anisotropy.axes: ground is for the methods blocks and distributed, and for discs' \
    <<<"$(grain '{ratio: 2, axes: ground}' 'contact: {frame: body, model: reduced, patch: {shape: rectangle, size: [0.02, 0.01]}}')"
refuse 'x.yaml:1: friction.anisotropy.axes: ground is for bodies' <<'END'
friction: {mu: 0.3, anisotropy: {ratio: 2, axes: ground}}
contact: {patch: {shape: disc, radius: 0.015}, normal_force: 2}
motion: {vx: 0.01}
duration: 0.1
END
grain '{ratio: 2, angle: 30 deg, axes: ground}' >x.yaml
expect_exit 0 "$bristle" check x.yaml

done_well
