#!/bin/bash
# The numbers of a contact patch. Oracle: closed forms.
. "$(dirname "$0")/lib.sh"

# near NAME EXPECTED: a number of the last --json summary, to 12 digits (cop: its x).
near() {
    awk -v want="$2" -v name="\"$1\": " '{
        i = index($0, name); rest = substr($0, i + length(name)); sub(/^\[/, "", rest)
        got = rest + 0
        d = got - want; if (d < 0) d = -d
        s = want < 0 ? -want : want
        exit !(i > 0 && d <= 1e-12 * s + 1e-300)
    }' "$logs/out" || fail "$1 should be $2"
}

# a disc: r = 2R/3, u = R^2/2
printf 'shape: disc\nradius: 1e-2\n' >disc.yaml
expect_exit 0 "$bristle" surface disc.yaml --json
expect_quiet
expect_stdout '^\{"cop": \[-?0, -?0\], "p_s": \[-?0, -?0\], "r": '
near r 0.00666666666666666667
near u 5e-5
near area 0.000314159265358979324

# a radius whose square is no number is refused
for small in 5e-324 1e-310 1e-150; do
    expect_refused 'disc.yaml:2: radius: |--set radius=.*: radius: must be at least 1e-100 m' "$bristle" surface disc.yaml \
        --set radius=$small
done
expect_exit 0 "$bristle" surface disc.yaml --set radius=1e-100 -o small.csv -q
! grep -qi 'nan\|inf' small.csv || fail "a number that is none"

# the limit surface, sampled: 81 x 21 nodes; f.v < 0, |f| <= 1, |tau| <= r
expect_exit 0 "$bristle" surface disc.yaml
expect_stdout '^theta,phi,vx,vy,w,fx,fy,tau$'
awk -F, 'NR > 1 {
    n++; power = $3 * $6 + $4 * $7 + $5 * $8; force = sqrt($6 * $6 + $7 * $7)
    if (power >= 0 || force > 1 + 1e-12 || $8 < -0.00666666666666667 || $8 > 1e-15) bad++
} END {exit !(n == 1701 && !bad)}' "$logs/out" || fail "not a limit surface"
expect_exit 0 "$bristle" surface disc.yaml -o disc.csv
expect_stdout '^r +0\.006666666'
expect_stdout '^area +0\.00031415'
expect_stdout '^disc.csv: 1701 rows$'
expect_exit 0 "$bristle" surface disc.yaml --n 4 -o disc.csv -q
[ "$(wc -l <disc.csv)" -eq $((17 * 5 + 1)) ] || fail "--n 4 should give 85 rows"

# twists: pure spin meets r, pure sliding 1, rest nothing, and the closed form of the disc with the
# CoR on its rim: F = 8/(3 pi)
printf 'w,vx,vy\n1,0,0\n0,-2,0\n0,0,0\n1,0.01,0\n' >twists.csv
expect_exit 0 "$bristle" surface disc.yaml --twists twists.csv
expect_stdout '^vx,vy,w,fx,fy,tau$'
awk -F, 'function near(a, b) {return (a - b) ^ 2 < 1e-24}
    NR == 2 {ok += near($4, 0) && near($6, -0.02 / 3)}
    NR == 3 {ok += near($4, 1) && near($5, 0) && near($6, 0)}
    NR == 4 {ok += near($4, 0) && near($6, 0)}
    NR == 5 {ok += near($4, -8 / (3 * 3.14159265358979323846))}
    END {exit !(ok == 4)}' "$logs/out" || fail "wrong wrenches"

cp twists.csv "$logs/twists"
expect_refused 'twists.csv: is an input' "$bristle" surface disc.yaml --twists twists.csv -o twists.csv
expect_same twists.csv "$logs/twists"
expect_refused 'none.csv: cannot be read' "$bristle" surface disc.yaml --twists none.csv --json

# methods: a table reports its error, and a better method has less
error_of() {
    expect_exit 0 "$bristle" surface disc.yaml --json --method "$1"
    sed 's/.*"rms": \([0-9.e-]*\).*/\1/' "$logs/out"
}
smooth=$(error_of table) bilinear=$(error_of bilinear) ellipsoid=$(error_of ellipsoid)
awk -v a="$smooth" -v b="$bilinear" -v c="$ellipsoid" 'BEGIN {exit !(a < 1e-3 && a < b && b < c)}' ||
    fail "rms errors: table $smooth, bilinear $bilinear, ellipsoid $ellipsoid"
for method in grid published fitted; do
    error_of $method >/dev/null
done
expect_refused '--method elipsoid: must be one of exact, .*did you mean ellipsoid' \
    "$bristle" surface disc.yaml --method elipsoid
expect_refused '--n 1: must be a whole number' "$bristle" surface disc.yaml --n 1
printf 'vx,vy\n1,2\n' >short.csv
expect_refused 'short.csv:1: .*w' "$bristle" surface disc.yaml --twists short.csv

# a picture
if command -v gnuplot >/dev/null; then
    expect_exit 0 "$bristle" surface disc.yaml -o disc.csv --plot disc.png
    head -c 8 disc.png | od -An -c | grep -q 'P   N   G' || fail "disc.png is not a PNG"
    printf 'shape: points\npoints: [[0, 0, 1]]\n' >point.yaml
    expect_exit 0 "$bristle" surface point.yaml -o point.csv --plot point.svg
    grep -q '>point: limit surface (exact)<' point.svg || fail "point.svg has no title"
fi

# p_s of a line with pressure from 0 to 1 is at its median, 1/sqrt 2 of the length; the picture has it, too
printf 'shape: line\nlength: 0.02\npressure: {kind: linear, from: 0, to: 1}\n' >slope.yaml
expect_exit 0 "$bristle" surface slope.yaml --json
near cop 0.00333333333333333333
near p_s 0.00414213562373095049
expect_exit 0 "$bristle" surface slope.yaml -o slope.csv
expect_stdout '^p_s +0\.004142135624 0 m$'

# the ellipsoid's lines, in the script that gnuplot gets. Oracle: an ellipsoid coincides with itself; that of
# a line is below its surface where it slides across
mkdir keeps
printf '#!/bin/sh\ncat >"%s"\necho a picture\n' "$logs/script" >keeps/gnuplot
chmod +x keeps/gnuplot
printf 'shape: line\nlength: 0.04\n' >line.yaml
lines_of() { # BLOCK: points of it
    awk -v name="$1" '$0 == "$" name " << EOD" {on = 1; next} $0 == "EOD" {on = 0} on && NF == 3 && $1 != "NaN"' "$logs/script" | wc -l
}
PATH=$here/keeps:$PATH expect_exit 0 "$bristle" surface disc.yaml --method ellipsoid -o disc.csv --plot disc.svg
[ "$(lines_of above)" -gt 1000 ] || fail "the ellipsoid on itself should be seen"
[ "$(lines_of below)" -eq 0 ] || fail "the ellipsoid should not be below itself"
! grep -q hidden3d "$logs/script" || fail "gnuplot should not hide lines by itself: it leaves stubs"
PATH=$here/keeps:$PATH expect_exit 0 "$bristle" surface slope.yaml -o slope.csv --plot slope.svg
grep -A1 -F '$p_s <<' "$logs/script" | grep -q '^4.14214 0$' || fail "the picture should show p_s"
PATH=$here/keeps:$PATH expect_exit 0 "$bristle" surface line.yaml -o line.csv --plot line.svg
[ "$(lines_of above)" -gt 1000 ] || fail "most of the ellipsoid should be seen"
[ "$(lines_of below)" -gt 10 ] || fail "some of the ellipsoid should be below the surface"

# a radius that depends on the force: min(0.01 fn^(1/3), 0.015)
printf 'shape: disc\nradius: {coefficient: 0.01, exponent: 0.333333333333333333, max: 0.015}\n' >hertz.yaml
expect_exit 0 "$bristle" surface hertz.yaml --json
near u 5e-5
expect_exit 0 "$bristle" surface hertz.yaml --json --fn 1000
near u 1.125e-4

# a ring, a line, points: no area
printf 'shape: ring\nradius: 0.02\n' >ring.yaml
expect_exit 0 "$bristle" surface ring.yaml --json
near r 0.02
near area 0
printf 'shape: line\nlength: 0.04\n' >line.yaml
expect_exit 0 "$bristle" surface line.yaml --json
near r 0.01
printf 'shape: points\npoints: [[0, 0, 1], [0.3, 0, 2]]\n' >points.yaml
expect_exit 0 "$bristle" surface points.yaml --json
near cop 0.2

# rectangle, polygon and grid of the same size have the same second moment (a^2 + b^2)/12
printf 'shape: rectangle\nsize: [0.02, 0.04]\ncentre: [1, 2]\nangle: 0.3\n' >rectangle.yaml
expect_exit 0 "$bristle" surface rectangle.yaml --json
near u 1.66666666666666667e-4
near area 8e-4
printf 'shape: polygon\nvertices: [[0, 0], [0.02, 0], [0.02, 0.04], [0, 0.04]]\n' >polygon.yaml
expect_exit 0 "$bristle" surface polygon.yaml --json
near u 1.66666666666666667e-4
printf 'shape: grid\nsize: [0.02, 0.04]\ncells: [[1, 1], [1, 1]]\n' >grid.yaml
expect_exit 0 "$bristle" surface grid.yaml --json
near u 1.66666666666666667e-4

# cells from a file beside the YAML file: the same patch
mkdir sub
printf '# top row first\r\n1, 1\r\n\r\n1, 1\r\n' >sub/p.csv
printf 'shape: grid\nsize: [0.02, 0.04]\nfile: p.csv\n' >sub/grid.yaml
cp "$logs/out" "$logs/inline"
expect_exit 0 "$bristle" surface sub/grid.yaml --json
expect_same "$logs/out" "$logs/inline"

# rows go from top to bottom
printf 'shape: grid\nsize: [2, 4]\ncells: [[1], [0]]\n' >top.yaml
expect_exit 0 "$bristle" surface top.yaml --json
expect_stdout '"cop": \[-?[0-9.e-]*, (1|0\.99999999999999)'

# pressures
printf 'shape: line\nlength: 2\npressure: {kind: linear, from: 0, to: 1}\n' >linear.yaml
expect_exit 0 "$bristle" surface linear.yaml --json
near cop 0.333333333333333333
printf 'shape: disc\nradius: 0.01\npressure: {kind: power, k: 2}\n' >power.yaml
expect_exit 0 "$bristle" surface power.yaml --json
near u 4e-5
expect_exit 0 "$bristle" surface power.yaml --json --set pressure=uniform
near u 5e-5

# an ellipse: u = (a^2 + b^2)/4, area = pi a b; under Hertz's pressure (a^2 + b^2)/5
printf 'shape: ellipse\nradius: 20 mm\nratio: 0.5\n' >ellipse.yaml
expect_exit 0 "$bristle" surface ellipse.yaml --json
near u 1.25e-4
near area 0.000628318530717958648
expect_exit 0 "$bristle" surface ellipse.yaml --json --set 'pressure={kind: power, k: 2}'
near u 1e-4
printf 'shape: ellipse\nradius: 1\n' >half.yaml
expect_refused 'half.yaml:1: ratio: is missing: an ellipse has radius and ratio, or hertz' "$bristle" surface half.yaml

# elastic bodies: a sphere has a^3 = 3 fn R/(4 E*)
printf 'shape: ellipse\nhertz: {radii: [20 mm, 20 mm], modulus: 1 MPa, max_force: 20}\n' >bodies.yaml
expect_exit 0 "$bristle" surface bodies.yaml --json --fn 8
near u 9.731523192917445e-06
expect_refused '.*hertz.radii: must touch in a point' "$bristle" surface bodies.yaml \
    --set 'hertz.radii=[0.02, 0]'
expect_refused '.*radius: must not be given: it follows from hertz' "$bristle" surface bodies.yaml --set radius=1

# triangles: those of a rectangle under a linear pressure
printf 'shape: triangles\nvertices: [[0, 0, 1], [0.1, 0, 3], [0.1, 0.1, 3], [0, 0.1, 1]]\ntriangles: [[0, 1, 2], [0, 2, 3]]\n' >triangles.yaml
expect_exit 0 "$bristle" surface triangles.yaml --json
near cop 0.0583333333333333333
near area 0.01
expect_refused '.*triangles\[1\]: must be numbers of vertices, 0 to 3, got 4' "$bristle" surface triangles.yaml \
    --set 'triangles=[[0, 1, 2], [0, 2, 4]]'
expect_refused '.*pressure.angle: is for ellipses only' "$bristle" surface rectangle.yaml \
    --set 'pressure={kind: linear, from: 1, to: 2, angle: 0.3}'

# anisotropic friction. Oracle: closed form, f = -A^2 v/|A v| of pure sliding, A = R diag(1.5, 1) R^T at 0.3 rad
printf 'shape: rectangle\nsize: [0.02, 0.01]\nanisotropy: {ratio: 1.5, angle: 0.3}\n' >grained.yaml
printf 'vx,vy,w\n1,0,0\n0,1,0\n0.3,-0.7,0\n0,0,1\n' >slides.csv
expect_exit 0 "$bristle" surface grained.yaml --twists slides.csv
expect_quiet
awk -F, 'NR > 1 && $3 == 0 {
    c = cos(0.3); s = sin(0.3); along = c * $1 + s * $2; across = c * $2 - s * $1
    size = sqrt((1.5 * along) ^ 2 + across ^ 2); f = -2.25 * along / size; g = -across / size
    if (($4 - c * f + s * g) ^ 2 + ($5 - s * f - c * g) ^ 2 + $6 ^ 2 > 1e-26) bad++
    n++
} END {exit !(n == 3 && !bad)}' "$logs/out" || fail "not the ellipse of anisotropic friction"
# the torque of a spin: that of the stretched rectangle, with axes along it 20 mm x 15 mm
expect_exit 0 "$bristle" surface grained.yaml --twists slides.csv --set anisotropy.angle=0
cp "$logs/out" "$logs/turned"
printf 'shape: rectangle\nsize: [0.02, 0.015]\n' >stretched.yaml
expect_exit 0 "$bristle" surface stretched.yaml --twists slides.csv
awk -F, 'NR == FNR {tau[FNR] = $6; next} FNR == 5 {d = $6 - tau[5]; exit !(d * d < 1e-28)}' "$logs/turned" "$logs/out" ||
    fail "the torque should be that of the stretched patch"
# ratio 1 changes nothing, to the last digit
expect_exit 0 "$bristle" surface rectangle.yaml --n 6
cp "$logs/out" "$logs/isotropic"
expect_exit 0 "$bristle" surface rectangle.yaml --n 6 --set 'anisotropy={ratio: 1, angle: 0.4}'
expect_same "$logs/out" "$logs/isotropic"
for method in table bilinear grid ellipsoid fitted; do
    expect_exit 0 "$bristle" surface grained.yaml --json --method $method
done
# units and errors
expect_exit 0 "$bristle" surface grained.yaml --json --set 'anisotropy.angle=17 deg'
expect_refused '.*anisotropy.axes: must be body: a patch file has no pose over the ground' "$bristle" surface \
    grained.yaml --set anisotropy.axes=ground
expect_refused '.*anisotropy.ratio: must be .*0.001' "$bristle" surface grained.yaml --set anisotropy.ratio=0
expect_refused '.*anisotropy.ratio: is missing' "$bristle" surface disc.yaml --set 'anisotropy={angle: 1}'
expect_refused 'grained.yaml:3: anisotropy: must be left out here: this command takes isotropic friction' \
    "$bristle" convert grained.yaml --mu 0.5 --fn 10 --to mujoco
# the picture: axes hold the stronger friction, and the ellipsoid of anisotropic friction coincides with itself
PATH=$here/keeps:$PATH expect_exit 0 "$bristle" surface grained.yaml --method ellipsoid -o g.csv --plot g.svg
grep -q 'set xrange \[-1.65:1.65\]' "$logs/script" || fail "axes of forces should end at 1.1 times 1.5"
grep -q 'anisotropy 1.5 at 0.3 rad' "$logs/script" || fail "the title should name the anisotropy"
[ "$(lines_of above)" -gt 1000 ] || fail "the ellipsoid on itself should be seen"
[ "$(lines_of below)" -eq 0 ] || fail "the ellipsoid should not be below itself"

# what cannot be computed with is refused
expect_refused 'radius: must be at most 1e\+100 m' "$bristle" surface disc.yaml --set radius=1e200
expect_refused 'hertz.yaml:1: the patch is too large' "$bristle" surface hertz.yaml --fn 1e300 \
    --set 'radius={coefficient: 0.01, exponent: 2}'

for file in grained disc ellipse bodies triangles hertz ring line points rectangle polygon grid sub/grid linear power; do
    expect_exit 0 "$bristle" check $file.yaml
    expect_stdout "^$file.yaml: ok: "
done
done_well
