#!/bin/sh
# The figure of docs/explanation/mechanisms.md: an arm with and without friction compensation.
# Arguments: the program of examples/friction_compensation.c, the picture.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$1" "$scratch/arm.csv" >/dev/null
gnuplot <<END
set terminal pngcairo size 800,560 font 'DejaVu Sans,10'
set output '$2'
set datafile separator ','
set datafile columnheaders
set multiplot layout 2,1
set grid linecolor rgb '#e0e0e0'
set lmargin 9
set xrange [0:10]
set ylabel 'end point x [m]'
set yrange [1.2:2.15]
set key top right horizontal samplen 2
plot '$scratch/arm.csv' using 1:2 with lines linewidth 3 linecolor rgb '#b0b0b0' title 'wanted', \\
    '' using 1:3 with lines linewidth 1.8 linecolor rgb '#d94801' title 'without compensation', \\
    '' using 1:4 with lines linewidth 1.8 dashtype 2 linecolor rgb '#08306b' title 'with it'
set xlabel 't [s]'
set ylabel 'off by [mm]'
set yrange [-30:40]
plot '$scratch/arm.csv' using 1:(1e3*(\$3-\$2)) with lines linewidth 1.8 linecolor rgb '#d94801' title 'without compensation', \\
    '' using 1:(1e3*(\$5-\$2)) with lines linewidth 1.8 linecolor rgb '#31a354' title 'mu 20 % too low', \\
    '' using 1:(1e3*(\$4-\$2)) with lines linewidth 1.8 linecolor rgb '#08306b' title 'with it'
unset multiplot
END
