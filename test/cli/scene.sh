#!/bin/bash
# Scenes and films. Oracle: the script that gnuplot gets, kept by one that draws nothing; counts of the
# files that gnuplot makes.
. "$(dirname "$0")/lib.sh"

cat >box.yaml <<'END'
body: {mass: 1, size: [0.2, 0.1]}
friction: {mu_c: 0.3, mu_s: 0.3, v_s: 2e-3, sigma0: 1e5, sigma1: 100, sigma2: 0}
model: reduced
contact: {frame: body, patch: {shape: rectangle, size: [0.2, 0.1]}, normal_force: 9.81}
loads:
  - fx: {kind: steps, times: [0, 0.1, 0.3], values: [0, 4.5, 0]}
    at: [-0.1, 0.03]
duration: 0.5
output: {every: 0.005}
plot: {kind: scene}
END
cat >hand.yaml <<'END'
body: {mass: 0.2, size: [0.15, 0.08]}
gravity: [0, -9.81]
friction: {mu_c: 0.5, mu_s: 0.5, v_s: 1e-3, sigma0: 1e5, sigma1: 100, sigma2: 0}
model: reduced
contact: {frame: world, patch: {shape: disc, radius: 0.01}, normal_force: 1, count: 2}
duration: 0.1
plot: {kind: scene}
END
cat >slider.yaml <<'END'
slider: {mass: 0.5, inertia: 2e-4, height: 0.08, mu: 0.31, e: [1, 1, 0.01], gravity: 9.8,
         velocity: [0.2, 0.3, 0], patch: {shape: rectangle, size: [0.05, 0.05]}}
push: {point: [-0.025, -0.0025], direction: [1, 0], magnitude: 2.5}
step: 0.01
duration: 1
END
cat >quasi.yaml <<'END'
slider: {e: [1, 1, 0.0191], patch: {shape: disc, radius: 0.05}}
pusher: {path: tip.csv, radius: 0.01, mu: 0.3}
model: quasistatic
END
printf 't,x,y\n0,-0.08,0.005\n4,0.05,0.005\n' >tip.csv
cat >arm.yaml <<'END'
mechanism: {kind: two-link, masses: [1, 1], lengths: [1, 2], gravity: 9.8, path: {kind: parabola, beta: 0.25, gamma: 0},
            torque: [5, 2], start: {x: 1.2, elbow: down}, mu: 0.1}
duration: 1
END
cat >slope.yaml <<'END'
mechanism: {kind: incline, mass: 2, angle: 0.35, mu: 0.3, force: 16}
duration: 1
END
cat >bead.yaml <<'END'
mechanism: {kind: bead, mass: 0.1, path: {kind: helix, radius: 0.3, pitch: 0.6}, start: {angle: 0, v: 4}, mu: 0.15}
duration: 1
END

mkdir keeps
printf '#!/bin/sh\ncat >"%s"\necho a picture\n' "$logs/script" >keeps/gnuplot
chmod +x keeps/gnuplot
script_of() { # FILE OPTION...: the script of its picture
    PATH=$here/keeps:$PATH expect_exit 0 "$bristle" run "$@" -q -o x.csv --plot p.svg
}
film_of() {
    PATH=$here/keeps:$PATH expect_exit 0 "$bristle" run "$@" -q -o x.csv --animate p.gif
}
expect_script() { # TEXT: somewhere in it
    grep -qF -- "$1" "$logs/script" || fail "the script has no: $1"
}
expect_no_script() {
    ! grep -qF -- "$1" "$logs/script" || fail "the script should not have: $1"
}
# values of the first "set NAME ..." of the script
setting() {
    sed -n "s/^set $1 [a-z ]*\[*\([^]]*\).*/\1/p" "$logs/script" | head -1
}
# axes have equal scales: metres per pixel, to the rounding of the margins (1e-5 of the picture)
expect_equal_scales() {
    local size
    size=$(sed -n 's/^set terminal .* size \([0-9]*,[0-9]*\).*/\1/p' "$logs/script")
    awk -v size="$size" -v x="$(setting xrange)" -v y="$(setting yrange)" -v l="$(setting lmargin)" -v r="$(setting rmargin)" \
        -v t="$(setting tmargin)" -v b="$(setting bmargin)" 'BEGIN {
        split(size, s, ","); split(x, u, ":"); split(y, v, ":")
        horizontal = (u[2] - u[1]) / ((r - l) * s[1]); vertical = (v[2] - v[1]) / ((t - b) * s[2])
        exit !(horizontal > 0 && horizontal / vertical < 1.001 && horizontal / vertical > 0.999)}' ||
        fail "scales differ: size $size, x $(setting xrange), y $(setting yrange)"
}

### what is in a scene

for file in box hand slider quasi arm slope bead; do
    script_of $file.yaml
    expect_equal_scales
    expect_script "title '$file: "
done

# pushes and the friction of fingers are arrows, with their largest value
script_of box.yaml
expect_script "with vectors"
expect_script "title 'push, up to 4.5 N'"
script_of box.yaml --set 'loads=[{tau: 0.1}]'
expect_no_script "with vectors"
script_of hand.yaml
expect_script "title 'friction, up to "
expect_no_script "title 'push"
script_of slider.yaml
expect_script "title 'push, up to 2.5 N'"
script_of quasi.yaml
expect_script " mu N'"
expect_script "title 'path of the tip'"
script_of arm.yaml
expect_script "title 'normal, up to "
expect_script "title 'masses'"
script_of slope.yaml
expect_script "title 'push, up to 16 N'"
expect_script "the size of the block is not to scale"
script_of bead.yaml
expect_script "set ylabel 'y + 0.25 z [m]'"
expect_script "title 'path, behind'"

# an arrow that pushes inwards ends at its point: the box has hardly moved by then
script_of box.yaml --set 'loads=[{fx: 4.5, at: [-0.1, 0.03]}]' --set duration=0.01 --set output.every=0.01 \
    --set plot.instants=1 --set plot.magnify=1
awk '/with vectors/ {found = 1} NF == 4 && $1 + 0 == $1 {head = $1 + $3; tail = $1; y = $2} END {
    exit !(found && head > -0.101 && head < -0.095 && tail < head - 0.05 && y > 0.029 && y < 0.031)}' "$logs/script" ||
    fail "the arrow should end at (-0.1, 0.03)"

# the last pose alone is filled and thick; the legend has the times
script_of box.yaml --set plot.instants=3 --set 'contact.patch={shape: points, points: [[0, 0.03, 1], [0.03, -0.02, 1], [-0.03, -0.02, 1]]}'
[ "$(grep -o 'with filledcurves' "$logs/script" | wc -l)" -eq 1 ] || fail "one pose should be filled"
[ "$(grep -o 'with lines linewidth 3 ' "$logs/script" | wc -l)" -eq 1 ] || fail "one pose should be thick"
expect_script "title 't = 0 s'"
expect_script "title 't = 0.5 s'"

# kinds
script_of slider.yaml
expect_script "title 'vx'" # both
script_of slider.yaml --set plot.kind=scene
expect_no_script "title 'vx'"
script_of slider.yaml --set plot.kind=time
expect_no_script "title 'ECP'"
expect_script "title 'vx'"
script_of box.yaml --set plot.kind=both --set output.energy=true
expect_script "title 'CoM'"
expect_script "title 'dissipated'"

# every panel is shaded from an event "slip" to the next "stick", and the legend has that once. Oracle: the events of the run
pause=(slope.yaml --set mechanism.mu_s=0.4 --set 'mechanism.force={kind: steps, times: [0, 0.2, 0.4], values: [0, 20, 0]}')
expect_exit 0 "$bristle" run "${pause[@]}" -q -o a.csv --json
sed 's/.*"events": \[\([^]]*\).*/\1/; s/}, {/\n/g' "$logs/out" | sed -n 's/.*"t": \([0-9.e-]*\), "kind": "slip".*/\1/p' >"$logs/slips"
[ -s "$logs/slips" ] || fail "the block on the slope does not slip"
script_of "${pause[@]}"
sed -n 's/^set object rectangle from first \([0-9.e-]*\), graph 0 .*ffecdb.*/\1/p' "$logs/script" >"$logs/bands"
panels=$(grep -c '^set ylabel.*\[[NmJ]' "$logs/script")
awk -v panels="$((panels - 1))" 'NR == FNR {slip[n++] = $1; next}
    {d = $1 - slip[i++ % n]; wrong += d * d > 1e-12} END {exit wrong > 0 || i != n * panels}' "$logs/slips" "$logs/bands" ||
    fail "bands do not start where the block slips: $(paste -s "$logs/bands"), $panels labels"
[ "$(grep -o "title 'slip'" "$logs/script" | wc -l)" -eq 1 ] || fail "one entry of the legend for slip"

# feet of a slider are dots in every pose; of a face in many cells only in the last one
feet='slider.patch={shape: points, points: [[0.025, 0, 1], [-0.025, 0.025, 1], [-0.025, -0.025, 1]]}'
script_of slider.yaml --set model=supports --set "$feet" --set slider.height=0 --set plot.kind=scene --set plot.instants=4
expect_script "title 'supports'"
[ "$(grep -o "pointtype 7 pointsize \(0.7\|1.3\) linewidth 2 linecolor rgb '#f[^']*'" "$logs/script" | wc -l)" -eq 4 ] ||
    fail "feet should be drawn in four poses"
script_of slider.yaml --set model=supports --set slider.height=0 --set plot.kind=scene --set plot.instants=4
[ "$(grep -o 'pointtype 7 pointsize 0.25 ' "$logs/script" | wc -l)" -eq 1 ] || fail "cells should be drawn in one pose"

### a body that hardly moves

# held by friction: some 0.2 um of 0.1 m
still=(box.yaml --set 'loads=[{fx: {kind: sine, amplitude: 1, frequency: 5}}]' --set duration=0.05)
script_of "${still[@]}"
expect_script "the motion from the start is drawn "
expect_no_script "title 'CoR'"
# it is then seen: the last CoM is a few per cent to a quarter of the size away from the first
awk '/set label 1/ {factor = $0; sub(/.* drawn /, "", factor); sub(/ .*/, "", factor)} END {exit !(factor >= 1000)}' \
    "$logs/script" || fail "a factor of thousands expected"
script_of "${still[@]}" --set plot.magnify=1
expect_no_script "the motion from the start"
script_of box.yaml
expect_no_script "the motion from the start"
script_of slider.yaml --set plot.magnify=3
expect_script "is drawn 3 times as large"

### films

frames() {
    grep -c '^set multiplot' "$logs/script"
}
film_of box.yaml # 101 rows of 0.5 s, slowed down to 2 s of 51 frames
[ "$(frames)" -eq 51 ] || fail "51 frames expected, got $(frames)"
expect_script "t = 0.5000 s (4 times slower than life)"
expect_equal_scales
film_of slider.yaml # 101 rows of 1 s
[ "$(frames)" -eq 51 ] || fail "51 frames expected, got $(frames)"
film_of quasi.yaml # 201 rows of 4 s, as in life: 101 frames
[ "$(frames)" -eq 101 ] || fail "101 frames expected, got $(frames)"
expect_no_script "than life"
expect_script "delay 4 "
film_of slope.yaml --set duration=100 --set output.every=0.1 # speeded up to 20 s of 250 frames
[ "$(frames)" -eq 250 ] || fail "250 frames expected, got $(frames)"
expect_script "(5 times faster than life)"
film_of arm.yaml --set output.every=0.5 # three rows
[ "$(frames)" -eq 3 ] || fail "3 frames expected, got $(frames)"
film_of bead.yaml
expect_script "title 'bead'"

### bad input

expect_refused 'plot.kind: must be one of time, scene, both' "$bristle" run slider.yaml --set plot.kind=film
expect_refused 'plot.instants: must be a whole number' "$bristle" run arm.yaml --set plot.instants=0
expect_refused 'plot.magnify: must be > 0' "$bristle" run box.yaml --set plot.magnify=0
expect_refused 'plot.magnify: unknown key' "$bristle" run arm.yaml --set plot.magnify=2
write_scenarios
expect_refused '--animate draws a body, a slider or a mechanism; rig.yaml is of the kind law \+ rig' \
    "$bristle" run rig.yaml --animate p.gif

### what gnuplot makes of it

command -v gnuplot >/dev/null || done_well
for file in box hand slider quasi arm slope bead; do
    expect_exit 0 "$bristle" run $file.yaml -q -o x.csv --plot $file.svg
    grep -q '</svg>' $file.svg || fail "$file.svg is not whole"
    expect_quiet
done
expect_exit 0 "$bristle" run slope.yaml -q -o x.csv --animate slope.gif --set output.every=0.1
[ "$(head -c 6 slope.gif)" = GIF89a ] || fail "slope.gif is not a GIF"
# each frame has a graphic control extension before its image: 21 f9 04, four bytes, 00 2c
[ "$(od -An -v -tx1 slope.gif | tr -d '\n' | grep -oE ' 21 f9 04( ..){4} 00 2c' | wc -l)" -eq 11 ] || fail "11 frames expected"
done_well
