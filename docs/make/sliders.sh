#!/bin/sh
# The figure of docs/explanation/sliders.md: one push, the contact as a patch, as its equivalent contact point, as three feet.
# Arguments: the command, the folder of scenarios, the picture.
set -eu
bristle=$1 scenarios=$2 picture=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# run NAME FILE OPTIONS...: heights 0 and 50 mm
run() {
    name=$1 file=$2
    shift 2
    for height in 0 0.05; do
        "$bristle" run "$scenarios/$file" --set "slider.height=$height" "$@" -q \
            -o "$scratch/$name-$height.csv" 2>/dev/null
    done
}
# what a triangle of feet at the distance r of the square (19.1 mm) is called, and one the other way round
small='slider.patch={shape: points, points: [[0.0191, 0, 1], [-0.00955, 0.01654, 1], [-0.00955, -0.01654, 1]]}'
back='slider.patch={shape: points, points: [[-0.025, 0, 1], [0.025, 0.025, 1], [0.025, -0.025, 1]]}'
run patch slider_supports.yaml
run ecp slider_supports.yaml --set model=quadratic
run edges slider_three_supports.yaml
run back slider_three_supports.yaml --set "$back"
run small slider_three_supports.yaml --set "$small"

# plots HEIGHT MM LEFT RIGHT KEY: a curve each, and a cross where a block topples; one legend below both panels
plots() {
    cat <<END
set title 'centre of mass $2 mm above the table'
set lmargin at screen $3
set rmargin at screen $4
$5
plot '$scratch/patch-$1.csv' using 1:(\$4*180/pi) with lines linewidth 3 linecolor rgb '#08306b' title 'whole face', \\
    '$scratch/ecp-$1.csv' using 1:(\$4*180/pi) with lines linewidth 2 linecolor rgb '#d94801' title 'equivalent contact point', \\
    '$scratch/edges-$1.csv' using 1:(\$4*180/pi) with lines linewidth 2 linecolor rgb '#606060' title 'three feet at the edges', \\
    '$scratch/back-$1.csv' using 1:(\$4*180/pi) with lines linewidth 2 dashtype 2 linecolor rgb '#606060' title 'the same, turned by half', \\
    '$scratch/small-$1.csv' using 1:(\$4*180/pi) with lines linewidth 2 dashtype 3 linecolor rgb '#31a354' title 'three feet 19 mm from the middle', \\
    NaN with points pointtype 2 linewidth 2 linecolor rgb '#cb181d' title 'topples', \\
    for [name in 'edges back small'] '$scratch/'.name.'-$1.csv' \\
        using 1:(strcol(14) eq 'topple' ? \$4*180/pi : NaN) with points pointtype 2 pointsize 1.6 linewidth 2 linecolor rgb '#cb181d' notitle
END
}
{
    cat <<END
set terminal pngcairo size 1000,440 font 'DejaVu Sans,10'
set output '$picture'
set datafile separator ','
set datafile columnheaders
set multiplot
set bmargin at screen 0.25
set tmargin at screen 0.93
set xlabel 't [s]'
set ylabel 'angle [degrees]'
set yrange [0:210]
set xrange [0:0.6]
set grid linecolor rgb '#e0e0e0'
END
    plots 0 0 0.07 0.49 'set key at screen 0.07, screen 0.12 left top reverse Left samplen 2 maxrows 2 width -1'
    plots 0.05 50 0.57 0.98 'set key off'
} | gnuplot
