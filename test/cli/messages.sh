#!/bin/bash
# Messages name the file, the line and the key that is wrong, once, and what is allowed.
. "$(dirname "$0")/lib.sh"
write_scenarios

# expect_one REGEX COMMAND...: refused with one message and no other
expect_one() {
    expect_refused "$@"
    [ "$(wc -l <"$logs/err")" -eq 1 ] || fail "one message is enough"
}

cat >box.yaml <<'END'
body: {mass: 0.5, size: [0.12, 0.08], velocity: [0.6, 0, 5]}
friction: {mu: 0.3}
contact: {frame: body, patch: {shape: rectangle, size: [0.12, 0.08]}}
duration: 0.1
END
printf 'shape: disc\nradius: 0.01\n' >disc.yaml
cat >block.yaml <<'END'
M: [[1, 0], [0, 1]]
A: [[0, 1]]
b: [0]
Q: [0, -9.81]
J: [[1, 0], [0, 1]]
qd: [1, 0]
mu: 0.1
END

### names and commands that are missing or empty

expect_one 'a command is missing before box.yaml; did you mean: bristle run box.yaml\?' "$bristle" box.yaml
expect_one 'check: a name is empty' "$bristle" check box.yaml ''
expect_one 'help: takes one command or topic; got sweep and fit' "$bristle" help sweep fit
expect_one 'a value is missing at the end; there are' "$bristle" sweep box.yaml --vary friction.mu=0.1:0.2:2 --want 'a = 2 *'
seq 1025 | awk 'BEGIN { print "shape: points\npoints:" } { print "  - [" $1 * 1e-3 ", 0, 1]" }' >comb.yaml
expect_one 'comb.yaml:1: --pressure free takes at most 1024 corners; this patch has 1025' \
    "$bristle" cone --mu 0.5 --patch-wrench comb.yaml --pressure free --print h
expect_one '--cells 2.5: must be a whole number from 2 to 40' "$bristle" fit pressure none.csv --outline disc.yaml --cells 2.5
rm comb.yaml

### files of other commands

for command in run sweep; do
    expect_one 'disc.yaml:1: shape: this is a contact patch, not a scenario.*see: bristle surface$' \
        "$bristle" $command disc.yaml
    expect_one 'block.yaml:1: M: this is a constrained system, not a scenario; see: bristle constrained$' \
        "$bristle" $command block.yaml
done
scenario='box.yaml:1: body: this is a scenario, not a contact patch .*contact.patch.*see: bristle run$'
expect_one "$scenario" "$bristle" surface box.yaml
expect_one "$scenario" "$bristle" convert box.yaml --to mujoco --mu 0.3
expect_one "$scenario" "$bristle" cone --mu 0.3 --patch-wrench box.yaml --print v
expect_one 'block.yaml:1: M: this is a constrained system, not a contact patch; see: bristle constrained$' \
    "$bristle" surface block.yaml
expect_one 'box.yaml:1: body: this is a scenario, not a constrained system; see: bristle run$' \
    "$bristle" constrained box.yaml
expect_one 'disc.yaml:1: shape: this is a contact patch, not a constrained system; see: bristle surface$' \
    "$bristle" constrained disc.yaml
expect_exit 0 "$bristle" check box.yaml disc.yaml block.yaml

# what runs is misspelt: what is beside it is right
sed 's/^body/bdoy/' box.yaml >misspelt.yaml
expect_one 'misspelt.yaml:1: bdoy: unknown key; did you mean body\?$' "$bristle" run misspelt.yaml

### pressures in cells

printf 'shape: grid\nsize: [0.1, 0.1]\nfile: g.csv\n' >grid.yaml
grid() { # MESSAGE ROW: sixteen such rows
    yes "$2" | head -16 >g.csv
    expect_one "g.csv:1: $1" "$bristle" surface grid.yaml
}
grid 'the cells are separated by semicolons; commas are needed$' '1;2;3;4'
grid 'the cells are separated by tabs; commas are needed$' $'1\t2\t3'
grid 'the cells are separated by blanks; commas are needed$' '1 2 3'
grid 'the cells are separated by semicolons; commas are needed, and a point for decimals$' '1,5;2,5;3;4'
{ echo a,b,c; yes 1,2,3 | head -16; } >g.csv
expect_one 'g.csv:1: "a" is not a number; a grid has no header' "$bristle" surface grid.yaml
printf '1,2\n1,a\n' >g.csv
expect_one 'g.csv:2: cell 2: must be a number; got "a"' "$bristle" surface grid.yaml

### kinds

expect_one 'contact.patch.pressure.kind: is missing .*; must be one of uniform, power, linear$' \
    "$bristle" check box.yaml --set 'contact.patch.pressure={k: 2}'
expect_one 'contact.patch.pressure.kind: must be one of uniform, power, linear; got "quadratic"' \
    "$bristle" check box.yaml --set 'contact.patch.pressure={kind: quadratic}'
expect_one 'loads\[0\].fx.kind: must be one of sine, .*; got "quadratic"' \
    "$bristle" check box.yaml --set 'loads=[{fx: {kind: quadratic}}]'
expect_one 'law.kind: is missing .*; must be one of coulomb, .*, elasto-plastic$' \
    "$bristle" check rig.yaml --set 'law={mu_c: 1}'

### what people write

printf 'body: {mass: 1,5, radius: 0.1}\nfriction: {mu: 0.3}\nduration: 1\n' >comma.yaml
expect_one 'body.5: unknown key; a number has a decimal point: mass: 1.5$' "$bristle" check comma.yaml
printf 'body: {mass: 1.5, radius: 0.1}\nfriction: {mu: 0.3}\nduration: 1\n' >plain.yaml
expect_one 'gravity: must be a list of 2: x and y in the plane of motion, .*; got 3$' "$bristle" check plain.yaml --set 'gravity=[0, 0, -9.81]'
expect_one 'gravity: must be a list of 2: x and y in the plane of motion, .*; got "9.81"$' "$bristle" check plain.yaml --set gravity=9.81
expect_one 'mu: unknown key; did you mean friction.mu\?' "$bristle" check plain.yaml --set mu=0.5
rm comma.yaml plain.yaml

### angles

expect_exit 0 "$bristle" check box.yaml --set contact.patch.angle=30
expect_stderr 'warning: .*contact.patch.angle: 30 rad is 4.77 turns: angles are in radians; for degrees write 30 deg$'
expect_exit 0 "$bristle" check box.yaml --set 'body.pose=[0, 0, 45]'
expect_stderr 'warning: .*body.pose\[2\]: 45 rad is 7.16 turns'
for angle in 6.28 '30 deg' '720 deg'; do
    expect_exit 0 "$bristle" check box.yaml --set "contact.patch.angle=$angle"
    expect_quiet
done

### what moves is at fault by its own name

steps='{kind: steps, times: [0, 1], values: [0, 1]}'
for key in contact.support.position contact.position; do
    expect_one "$key\\[0\\]: must not jump: steps and hold are not for a position" "$bristle" check box.yaml --set "$key=[$steps, 0]"
done
expect_one 'contact.support.angle: must not jump' "$bristle" check box.yaml --set "contact.support.angle=$steps"
done_well
