#!/bin/sh
# The figure of docs/howto/slip_control.md: grip, angle and slide, with slip control and with a constant grip that holds.
# Arguments: the program of examples/slip_control.c, the picture.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$1" "$scratch/slip.csv" >/dev/null
gnuplot <<END
set terminal pngcairo size 900,720 font 'DejaVu Sans,10'
set output '$2'
set datafile separator ','
set datafile columnheaders
set multiplot layout 3,1 margins 0.08,0.98,0.08,0.98 spacing 0,0.04
set grid linecolor rgb '#e0e0e0'
set xrange [0:4]
set format x ''
set key top right samplen 2
blue = '#08306b'
gray = '#606060'
set ylabel 'grip of a finger [N]'
set yrange [0:12]
set key at 3.95,9
plot '$scratch/slip.csv' using 't':'grip_held' with lines linewidth 2 dashtype 2 linecolor rgb gray title 'constant, holds, load 0.8', \\
    '' using 't':'grip' with lines linewidth 2 linecolor rgb blue title 'slip control'
set ylabel 'angle [degrees]'
set yrange [-8:68]
set key at 3.95,48
plot '$scratch/slip.csv' using 't':'gripper' with lines linewidth 1 linecolor rgb '#cb181d' title 'gripper', \\
    '' using 't':'angle_held' with lines linewidth 2 dashtype 2 linecolor rgb gray title 'bar, constant grip', \\
    '' using 't':'angle' with lines linewidth 2 linecolor rgb blue title 'bar, slip control'
set format x '%g'
set xlabel 't [s]'
set ylabel 'slide [mm]'
set yrange [-2:30]
set key at 3.95,14
plot 25 with lines linewidth 1 dashtype 3 linecolor rgb '#cb181d' title 'goal', \\
    '$scratch/slip.csv' using 't':(1e3*column('slid_held')) with lines linewidth 2 dashtype 2 linecolor rgb gray title 'constant grip', \\
    '' using 't':(1e3*column('slid')) with lines linewidth 2 linecolor rgb blue title 'slip control'
unset multiplot
END
