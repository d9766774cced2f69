#!/bin/bash
# A patch as physics engines take it. Oracle: closed forms of a disc, r = 2R/3; XML's and Python's own parsers.
. "$(dirname "$0")/lib.sh"
printf 'shape: disc\nradius: 1e-2\n' >disc.yaml

# near NAME EXPECTED: a number of the last --json summary, to 12 digits
near() {
    awk -v want="$2" -v name="\"$1\": " '{
        i = index($0, name); got = substr($0, i + length(name)) + 0
        d = got - want; if (d < 0) d = -d
        exit !(i > 0 && d <= 1e-12 * want)
    }' "$logs/out" || fail "$1 should be $2"
}
convert() { expect_exit 0 "$bristle" convert disc.yaml --mu 0.5 --fn 10 "$@"; }

convert --to mujoco --json
expect_quiet
near r 0.00666666666666666667
near sliding 0.5
near torsional 0.00333333333333333333
near condim 4
expect_stdout '"form": "ellipsoid"'
expect_stdout '"error": \{"max": 0\.0657.*, "mean": 0\.03'
convert --to genesis --json
near friction 0.5
near friction_torsional 0.00333333333333333333
convert --to bullet --json
near lateralFriction 0.5
near spinningFriction 0.00333333333333333333
near other_lateralFriction 1
convert --to gazebo --json
near coefficient 0.5
near patch_radius 0.0113176848420903384 # 16 r/(3 pi)
convert --to drake --json
near mu_static 0.5
near hydroelastic_modulus 3183098.86183790672 # 100 fn/(pi R^2)
near mesh_resolution_hint 0.0025
convert --to drake --faces 4 --json
near mesh_resolution_hint 0.005

# budgets that know nothing of each other hold more: sqrt 2 or sqrt 3 in their corners
convert --to gazebo --json
expect_stdout '"form": "box".*"max": 0\.79'
convert --to gazebo --cone round --json
expect_stdout '"form": "cylinder".*"max": 0\.47'
convert --to mujoco --cone flat --json
expect_stdout '"form": "pyramid"'

# snippets are whole: XML of one root, Python that compiles
xml() { { echo '<root>'; cat "$logs/out"; echo '</root>'; } >"$here/snippet.xml"; }
parse() { /usr/bin/python3 -c "import xml.etree.ElementTree as e; r = e.parse('$here/snippet.xml').getroot(); $1"; }
convert --to mujoco
expect_stdout 'class="disc"'
xml
parse 'g = r.find("default/default/geom"); assert g.get("friction").split() == ["0.5", "0.00333333", "0.0001"], g.attrib' ||
    fail "MuJoCo's snippet"
convert --to gazebo
xml
parse 't = r.find("surface/friction/torsional"); assert t.find("patch_radius").text == "0.0113177" and t.find("use_patch_radius").text == "true"' ||
    fail "Gazebo's snippet"
convert --to drake
xml
parse 'assert r[0].find("{http://drake.mit.edu}mu_dynamic").text == "0.5"' || fail "Drake's snippet"
for engine in bullet genesis; do
    convert --to $engine
    /usr/bin/python3 -c "compile(open('$logs/out').read(), 'snippet', 'exec')" || fail "$engine's snippet"
done
cp disc.yaml 'my--disc & co.yaml'
expect_exit 0 "$bristle" convert 'my--disc & co.yaml' --mu 0.5 --to mujoco
xml
parse 'assert r.find("default/default").get("class") == "my__disc___co"' || fail "a name that XML does not bear"

# a patch that depends on the force is the one at fn; --set changes it
printf 'shape: disc\nradius: {coefficient: 0.01, exponent: 0.5, max: 1}\n' >grown.yaml
expect_exit 0 "$bristle" convert grown.yaml --to mujoco --mu 1 --fn 4 --json
near torsional 0.0133333333333333333
expect_exit 0 "$bristle" convert grown.yaml --to drake --mu 1 --fn 4 --json
near mesh_resolution_hint 0.005 # 2 x 0.02 m over 8 faces, not 2 m
expect_stdout '"error": \{"max": 0\.00'
convert --to mujoco --set radius=0.02 --json
near torsional 0.00666666666666666667
# every shape, each engine: an error that is a number; what has no area is none of Drake's
cat >ring.yaml <<<'{shape: ring, radius: 0.01}'
cat >line.yaml <<<'{shape: line, length: 0.04}'
cat >bar.yaml <<<'{shape: rectangle, size: [0.03, 0.02], pressure: {kind: linear, from: 0, to: 3}, centre: [0.1, 0.2], angle: 0.5}'
cat >angle.yaml <<<'{shape: polygon, vertices: [[0, 0], [0.03, 0], [0.03, 0.01], [0.01, 0.01], [0.01, 0.04], [0, 0.04]]}'
cat >corners.yaml <<<'{shape: points, points: [[0, 0, 1], [0.02, 0, 1], [0.02, 0.02, 1], [0, 0.02, 2]]}'
cat >sensor.yaml <<<'{shape: grid, size: [0.03, 0.02], cells: [[1, 2, 0], [0, 1, 3]]}'
for shape in disc grown ring line bar angle corners sensor; do
    for engine in mujoco drake gazebo bullet genesis; do
        case $engine-$shape in
        drake-ring | drake-line | drake-corners)
            expect_refused "$shape.yaml:1: shape: [a-z]*: has no area" "$bristle" convert $shape.yaml --to $engine --mu 0.5
            continue
            ;;
        esac
        expect_exit 0 "$bristle" convert $shape.yaml --to $engine --mu 0.5 --fn 10 --json
        /usr/bin/python3 -c "
import json, sys
d = json.load(sys.stdin)
e = d['error']
assert 0 <= e['mean'] <= e['max'] < 1 and 0 <= e['slide_mean'] <= e['slide_max'] < 2, e
assert d['engine'] == '$engine' and d['r'] > 0" <"$logs/out" || fail "$shape in $engine"
    done
done
# a point has no torsion
printf 'shape: points\npoints: [[0, 0, 1]]\n' >point.yaml
expect_exit 0 "$bristle" convert point.yaml --to mujoco --mu 1 --json
near condim 3

# a law is the friction of a joint: mu_c fn, sigma2 fn, and the bristles of MuJoCo's <dcmotor>
cat >joint.yaml <<<'{law: {kind: lugre, mu_c: 0.2, mu_s: 0.3, v_s: 0.05, sigma0: 200, sigma1: 1, sigma2: 0.04}, motion: {velocity: {kind: ramp, to: 1, end: 1}}, duration: 1}'
joint() { expect_exit 0 "$bristle" convert joint.yaml "$@"; }
joint --to mujoco --json
near frictionloss 0.2
near damping 0.04
expect_stdout '"lugre": \[200, 1, 0.2.*, 0.3.*, 0.05.*\]'
joint --to mujoco --fn 10 --set law.mu_c=0.25 --json
near frictionloss 2.5
near damping 0.4
joint --to mujoco
xml
parse 'assert r.find("default/default/joint").get("frictionloss") == "0.2" and r.find("actuator/dcmotor").get("lugre") == "200 1 0.2 0.3 0.05"' ||
    fail "MuJoCo's joint"
joint --to drake
xml
parse 'assert r.find("dynamics").get("friction") == "0.2" and r.find("dynamics").get("damping") == "0.04"' || fail "Drake's joint"
joint --to gazebo
xml
parse 'assert r.find("dynamics/friction").text == "0.2"' || fail "Gazebo's joint"
for law in '{kind: coulomb, mu_c: 0.2}' '{kind: dahl, mu_c: 0.2, sigma0: 200}' '{kind: stribeck, mu_c: 0.2, mu_s: 0.3, v_s: 0.05}'; do
    cat >other.yaml <<<"{law: $law, motion: {velocity: {kind: ramp, to: 1, end: 1}}, duration: 1}"
    expect_exit 0 "$bristle" convert other.yaml --to mujoco --json
    near frictionloss 0.2
done
expect_refused '--to bullet: must be one of mujoco, drake, gazebo' "$bristle" convert joint.yaml --to bullet
expect_refused '--cone: is for patches; joint.yaml is a law' "$bristle" convert joint.yaml --to mujoco --cone flat
expect_refused 'joint.yaml' "$bristle" convert joint.yaml --to mujoco --mu 0.5
cat >table.yaml <<<'{law: {kind: stribeck, curve: {v: [0, 1], g: [0.3, 0.2]}}, motion: {velocity: {kind: ramp, to: 1, end: 1}}, duration: 1}'
expect_refused 'table.yaml:1: law.curve: engines have no tables' "$bristle" convert table.yaml --to mujoco

# errors
expect_refused '--to is missing: one of mujoco, drake' "$bristle" convert disc.yaml --mu 1
expect_refused '--to mujco: must be one of .*did you mean mujoco' "$bristle" convert disc.yaml --to mujco --mu 1
expect_refused '--mu is missing' "$bristle" convert disc.yaml --to mujoco
expect_refused '--mu 0: must be a number > 0' "$bristle" convert disc.yaml --to mujoco --mu 0
expect_refused '--fn 0: must be a number > 0' "$bristle" convert disc.yaml --to mujoco --mu 1 --fn 0
expect_refused '--cone square: must be one of round, flat' "$bristle" convert disc.yaml --to mujoco --mu 1 --cone square
expect_refused '--cone: that of drake is' "$bristle" convert disc.yaml --to drake --mu 1 --cone flat
expect_refused '--cone: that of bullet is' "$bristle" convert disc.yaml --to bullet --mu 1 --cone flat
expect_refused '--faces: needs --to drake' "$bristle" convert disc.yaml --to mujoco --mu 1 --faces 4
expect_refused '--faces 1.5: must be a whole number' "$bristle" convert disc.yaml --to drake --mu 1 --faces 1.5
expect_refused 'point.yaml:1: shape: points: has no area' "$bristle" convert point.yaml --to drake --mu 1
expect_refused 'unknown option --normal' "$bristle" convert disc.yaml --to mujoco --mu 1 --normal 0,0,1
expect_refused 'unknown option --to' "$bristle" surface disc.yaml --to mujoco

# a picture of both
if command -v gnuplot >/dev/null; then
    for file in disc point; do
        expect_exit 0 "$bristle" convert $file.yaml --to gazebo --mu 0.5 --json --plot $file.svg
        grep -q '>gazebo: box<' $file.svg || fail "$file.svg should name the engine's surface"
    done
fi
# fine patches end in seconds of processor time: 5 s and more for these before
/usr/bin/python3 - <<'END' >round.yaml
from math import cos, pi, sin
print("shape: polygon\nvertices: [" + ", ".join(f"[{0.02 * cos(i * pi / 2000):.12g}, {0.02 * sin(i * pi / 2000):.12g}]" for i in range(4000)) + "]")
END
printf 'shape: disc\nradius: 0.02\n' >round_disc.yaml
(
    ulimit -t 10 # 0.6 s alone; 20 s before
    expect_exit 0 "$bristle" convert round.yaml --to mujoco --mu 0.5
    # that of the disc
    expect_stdout 'off by 0.065[0-9]* of mu fn at most, 0.037[0-9]* on average'
    expect_exit 0 "$bristle" convert round_disc.yaml --to drake --faces 64 --mu 0.5
    expect_stdout 'off by 0.000[0-9]* of mu fn at most'
) || exit 1
done_well
