#!/bin/sh
# Draw the small pictures of scenarios/README.md and examples/README.md.
#   thumbnails.sh BRISTLE EXAMPLES PYTHON FIGURES [NAME...]
# The command, the folder of the built C examples, a Python that has the package and matplotlib, the folder of the pictures.
# NAMEs: only those pictures. An example that cannot run here (PyTorch, Box2D) keeps the picture that it has.
set -eu
bristle=$1 examples=$2 python=$3 figures=$4
shift 4
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$figures"

is_wanted() { # NAME, then the names on the command line
    candidate=$1
    shift
    [ $# -gt 0 ] || return 0
    for wanted in "$@"; do
        [ "$wanted" != "$candidate" ] || return 0
    done
    return 1
}

# small NAME OPTIONS...: what was drawn, cut and with few colours
small() {
    target=$1
    shift
    [ -s "$scratch/large.png" ] || { echo "$target: not drawn" >&2; return 0; }
    convert "$scratch/large.png" -strip -background white -flatten "$@" -resize '240x180>' +dither -colors 32 "PNG8:$figures/$target.png"
    rm "$scratch/large.png"
}

# scenarios: a scene without its title and legend; the panels without their title where there is none or hardly any motion
run() { # FILE OPTIONS...
    "$bristle" run "$@" -q -o "$scratch/table.csv" --plot "$scratch/large.png" 2>/dev/null
}
for file in "$root"/scenarios/*.yaml "$root"/scenarios/wk/*.yaml; do
    name=$(basename "$file" .yaml)
    is_wanted "$name" "$@" || continue
    case $name in
    grip_control | drift_* | k2fn_falling) kind=time ;;
    *) kind=scene ;;
    esac
    if [ $kind = scene ] && run "$file" --set plot.kind=scene; then
        small "$name" -crop 562x+0+32 +repage
    else # laws and contacts under a prescribed motion have no plot.kind
        run "$file" --set plot.kind=time || run "$file"
        small "$name" -crop 800x+0+26 +repage
    fi
done

# patches: their limit surfaces
for file in "$root"/scenarios/patches/*.yaml; do
    name=patch_$(basename "$file" .yaml)
    is_wanted "$name" "$@" || continue
    "$bristle" surface "$file" -q -o "$scratch/table.csv" --plot "$scratch/large.png"
    small "$name" -crop 620x+0+30 +repage
done

for file in "$root"/examples/python/*.py; do
    name=python_$(basename "$file" .py)
    is_wanted "$name" "$@" && grep -q 'picture.png' "$file" || continue
    MPLBACKEND=Agg "$python" "$file" "$scratch/large.png" >"$scratch/log" 2>&1 || { tail -n 1 "$scratch/log" >&2; continue; }
    small "$name"
done

# draw NAME XLABEL YLABEL WHAT: a curve of what a C example printed, two numbers in a line
draw() {
    gnuplot <<END && small "$1"
set terminal pngcairo size 240,160 font 'DejaVu Sans,8'
set output '$scratch/large.png'
set border 3
set tics nomirror
set grid linecolor rgb '#e0e0e0'
set key above samplen 1
set autoscale xfixmin
set autoscale xfixmax
set offsets 0, 0, graph 0.05, graph 0.05
set xlabel '$2' offset 0,0.4
set ylabel '$3' offset 1
$5
plot $4
END
}
blue="with lines linewidth 2 linecolor rgb '#08306b' notitle"
red="with lines linewidth 2 linecolor rgb '#d94801'"
dots="with linespoints linewidth 2 pointtype 7 linecolor rgb '#08306b'"
for name in breakaway hydroelastic own_loop own_mechanism patch_numbers scenario_threads standing_body standing_forces stick_slip box2d \
    friction_compensation normal_force_steps slip_control; do
    is_wanted "c_$name" "$@" && [ -x "$examples/example-$name" ] || continue
    "$examples/example-$name" >"$scratch/out.txt"
    out=$scratch/out.txt
    case $name in
    breakaway) draw c_$name 'rate of the load [N/s]' 'breaks away at [N]' "'$out' using 1:6 $dots notitle" 'set logscale x' ;;
    hydroelastic) draw c_$name 't [s]' 'v [m/s]' "'$out' using 2:8 $dots notitle" 'set xtics 0.1' ;;
    own_loop) draw c_$name 't [s]' 'x [m]' "'$out' using 2:5 $dots notitle" '' ;;
    own_mechanism) draw c_$name 't [s]' 'x [m]' "'<grep ^t $out' using 2:5 $dots notitle" '' ;;
    patch_numbers) draw c_$name 'fn [N]' 'r [mm]' "'<grep ^fn $out' using 2:5 $dots notitle" '' ;;
    scenario_threads)
        awk '{for (i = 0; i < 6; i++) print i, $(2 + 2 * i); print ""; print ""}' "$out" >"$scratch/rows.txt"
        draw c_$name 'row' 'x [m]' "for [i=0:3] '$scratch/rows.txt' index i using 1:2 with lines linewidth 2 title sprintf('mu 0.%d', i + 2)" 'set key outside right vertical' ;;
    standing_body | standing_forces)
        awk '$1 + 0 >= 4 && $2 + 0 > 100 {print $1, $2, $4}' "$out" >"$scratch/rows.txt"
        draw c_$name 'faces' '[N]' "'$scratch/rows.txt' using 1:2 $dots title 'inside', '' using 1:3 with linespoints linewidth 2 pointtype 7 linecolor rgb '#d94801' title 'around'" 'set logscale x 2' ;;
    stick_slip) draw c_$name 't [s]' 'x [m]' "'$out' using 1:4 $blue" '' ;;
    box2d)
        sed -n '2,3s/.*x  *\([0-9.]*\) mm.*turned  *\([0-9.]*\) rad/\1 \2/p' "$out" >"$scratch/rows.txt"
        draw c_$name 'distance [mm]' 'turned [rad]' "'$scratch/rows.txt' every ::0::0 with points pointtype 7 linecolor rgb '#08306b' title 'bristle', '' every ::1::1 with points pointtype 7 linecolor rgb '#d94801' title 'Box2D'" 'set xrange [0:220]; set yrange [11:14]' ;;
    friction_compensation)
        "$examples/example-$name" "$scratch/arm.csv" >/dev/null
        draw c_$name 't [s]' 'off by [mm]' "'$scratch/arm.csv' using 1:(1e3*(\$3-\$2)) $red title 'without', '' using 1:(1e3*(\$4-\$2)) with lines linewidth 2 linecolor rgb '#08306b' title 'with'" 'set datafile separator ","; set datafile columnheaders' ;;
    slip_control)
        "$examples/example-$name" "$scratch/slip.csv" >/dev/null
        draw c_$name 't [s]' 'grip [N]' "'$scratch/slip.csv' using 't':'grip_held' $red title 'holds', '' using 't':'grip' with lines linewidth 2 linecolor rgb '#08306b' title 'slip control'" 'set datafile separator ","; set datafile columnheaders; set yrange [0:*]' ;;
    normal_force_steps)
        awk '$1 + 0 > 0 && NF >= 5' "$out" >"$scratch/rows.txt"
        draw c_$name 'step [ms]' 'error [m]' "'$scratch/rows.txt' using 1:4 $dots title 'of the instant', '' using 1:5 with linespoints linewidth 2 pointtype 7 linecolor rgb '#d94801' title 'old'" 'set logscale xy; set format "10^{%T}"' ;;
    esac
done
