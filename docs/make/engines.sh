#!/bin/sh
# Print the tables of docs/explanation/engine_friction.md and rigid_engines.md and draw the figures; some minutes. Arguments: the build folder, the folder of the figures.
set -eu
build=$1 figures=$2
bristle=$build/cli/bristle
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf 'shape: disc\nradius: 0.01\n' >"$scratch/disc.yaml"
printf 'shape: disc\nradius: 0.01\npressure: {kind: power, k: 2}\n' >"$scratch/hertz.yaml"
printf 'shape: rectangle\nsize: [0.04, 0.01]\n' >"$scratch/bar.yaml"
cat >"$scratch/puck.yaml" <<'END'
body: {mass: 0.1, radius: 0.04, velocity: [0.5, 0, 40]}
friction: {mu: 0.2}
contact: {frame: body, patch: {shape: disc, radius: 0.04}}
duration: 2
END

# error PATCH ENGINE [CONE]: of that engine's limit surface
error() {
    "$bristle" convert "$scratch/$1.yaml" --to "$2" ${3:+--cone "$3"} --mu 0.5 --fn 10 --json |
        sed 's/.*"form": "\([a-z]*\)".*"max": \([0-9.e-]*\), "mean": \([0-9.e-]*\), "slide_max": \([0-9.e-]*\), "slide_mean": \([0-9.e-]*\).*/\1 \2 \3 \4 \5/' |
        awk -v patch="$1" -v engine="$2" '{printf "  %-6s %-8s %-10s %5.2f %5.2f   %5.2f %5.2f\n", patch, engine, $1, $2, $3, $4, $5}'
}
echo '-- limit surfaces, over mu fn: what is held, at most and on average; the force while sliding, at most and on average'
for patch in disc hertz bar; do
    error $patch mujoco round
    error $patch mujoco flat
    error $patch bullet
    error $patch gazebo flat
    error $patch drake
done

# a puck with spin: name, distance [mm], angle [rad]
pucks() {
    "$bristle" run "$scratch/puck.yaml" --json -o "$scratch/puck.csv" |
        sed 's/.*"final": {"t": 2, "x": \([0-9.e-]*\),.*"theta": \([0-9.e-]*\),.*/bristle run,\1,\2/' |
        awk -F, '{printf "%s,%.1f,%.2f\n", $1, 1e3 * $2, $3}'
    "$build/examples/example-box2d" | sed -n '2,3s/^ *\(.*[a-zA-Z]\)  *x  *\([0-9.]*\) mm.*turned  *\([0-9.]*\) rad/\1,\2,\3/p'
    "$build/test/test-engine-bullet" | sed -n 's/^multibody .*0\.5 m\/s, 40 rad\/s: \([0-9.]*\) mm, \([0-9.]*\) rad;.*/Bullet,\1,\2/p'
    "$build/test/test-engine-mujoco" "$bristle" 2>&1 | sed -n 's/^MuJoCo: \([0-9.]*\) mm, \([0-9.]*\) rad;.*/MuJoCo with one point,\1,\2/p'
}
pucks >"$scratch/pucks.csv"
echo '-- a puck, 40 mm, mu 0.2, 0.5 m/s and 40 rad/s, until it rests'
awk -F, '{printf "  %-24s %6.1f mm %6.2f rad\n", $1, $2, $3}' "$scratch/pucks.csv"
echo '-- a box pushed beside its middle, Box2D'
"$build/examples/example-box2d" | sed -n '5,$p'
echo '-- the same box on a slope, Bullet'
"$build/test/test-engine-bullet" | sed -n '/^box on/s/^/  /p'

# exact PATCH THETA: a quarter of the exact curve, force along THETA [rad] over torque over r
exact() {
    "$bristle" surface "$scratch/$1.yaml" --n 60 -q | awk -F, -v theta="$2" -v r="$("$bristle" surface "$scratch/$1.yaml" --json |
        sed 's/.*"r": \([0-9.e-]*\),.*/\1/')" 'NR > 1 && ($1 - theta) ^ 2 < 1e-6 {print sqrt($6 * $6 + $7 * $7), -$8 / r}'
}
exact disc 0 >"$scratch/disc.txt"
exact bar 0 >"$scratch/along.txt"
exact bar 1.5707963 >"$scratch/across.txt"
gnuplot <<END
set terminal pngcairo size 1000,560 font 'DejaVu Sans,10'
set output '$figures/engines_limits.png'
set multiplot
set grid linecolor rgb '#e0e0e0'
set border 3
set tics nomirror
set xrange [0:1.15]
set yrange [0:1.15]
set lmargin at screen 0.08
set rmargin at screen 0.46
set bmargin at screen 0.33
set tmargin at screen 0.93
set xlabel 'force / (mu fn) [-]'
set ylabel 'torque / (mu r fn) [-]'
set key at screen 0.08, screen 0.22 left top reverse Left samplen 2 maxrows 6
set parametric
set trange [0:1]
set samples 201
set title 'what a contact holds'
plot '$scratch/disc.txt' with lines linewidth 4 linecolor rgb '#08306b' title 'disc, exact', \
    '$scratch/along.txt' with lines linewidth 2 linecolor rgb '#74a9cf' title 'bar 4 : 1, pulled along', \
    '$scratch/across.txt' with lines linewidth 2 dashtype 2 linecolor rgb '#74a9cf' title 'bar 4 : 1, pulled across', \
    cos(t*pi/2), sin(t*pi/2) with lines linewidth 2 linecolor rgb '#d94801' title 'elliptic: MuJoCo, Genesis', \
    t, 1-t with lines linewidth 2 dashtype 2 linecolor rgb '#d94801' title 'pyramidal: MuJoCo, Genesis', \
    t < 0.5 ? 2*t : 1, t <= 0.5 ? 1 : 2 - 2*t with lines linewidth 2 linecolor rgb '#31a354' title 'independent: Bullet, Gazebo, Box2D'
unset parametric
set title 'where a puck with spin comes to rest'
set lmargin at screen 0.58
set rmargin at screen 0.98
set xrange [0:220]
set yrange [11.5:14]
set xlabel 'distance [mm]'
set ylabel 'turned by [rad]'
set key at screen 0.58, screen 0.22 left top reverse Left samplen 1 maxrows 6
set datafile separator ','
row(i) = system(sprintf("sed -n '%dp' '$scratch/pucks.csv' | cut -d, -f1", i))
plot for [i=1:5] '$scratch/pucks.csv' using 2:3 every ::(i-1)::(i-1) with points pointsize (i == 2 ? 2.6 : 1.6) linewidth 2 \
    pointtype int(word('7 6 5 9 13', i)) linecolor rgb word('#08306b #74a9cf #31a354 #756bb1 #d94801', i) title row(i)
END

echo '-- MuJoCo by itself and by bristle'
"$build/integrations/mujoco/mujoco-table" "$(dirname "$0")/../../scenarios" | tee "$scratch/table.txt"
# what creeps: a line for each case, the four methods after its name; none is shown at the foot of the axis
awk 'substr($0, 1, 34) ~ /creep/ {
    name = $0; sub(/:.*/, "", name); line = "\"" name "\""
    count = split(substr($0, 35), value, " ")
    for (i = 1; i <= 4; i++) {v = value[i] < 0 ? -value[i] : value[i] + 0; line = line " " (v > 1e-13 ? v : 1e-13)}
    print line
}' "$scratch/table.txt" >"$scratch/creep.txt"
gnuplot <<END
set terminal pngcairo size 900,380 font 'DejaVu Sans,10'
set output '$figures/engines_creep.png'
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.9
set logscale y
set format y '10^{%T}'
set yrange [1e-13:1e5]
set ytics 1e-12, 1000
set ylabel 'creep [um/s], logarithmic'
set grid y linecolor rgb '#e0e0e0'
set border 3
set tics nomirror
set key outside right top Left reverse samplen 1
plot '$scratch/creep.txt' using 2:xtic(1) linecolor rgb '#d94801' title 'MuJoCo, elliptic', \
    '' using 3 linecolor rgb '#fd8d3c' title 'impratio 10', \
    '' using 4 linecolor rgb '#fdbe85' title 'and noslip 10', \
    '' using 5 linecolor rgb '#08306b' title 'bristle'
END

echo '-- engines alone and with bristle: docs/explanation/rigid_engines.md'
"$build/integrations/engines/engines-table" pushes=100000 2>"$scratch/messages.txt" | tee "$build/engines.txt" # ODE reports its own LCP errors
