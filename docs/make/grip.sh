#!/bin/sh
# The figure of docs/tutorial/gripper.md on grip control: normal force and load, controlled and constant.
# Arguments: the command, the folder of scenarios, the picture.
set -eu
bristle=$1 scenarios=$2 picture=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$bristle" run "$scenarios/grip_control.yaml" -q -o "$scratch/control.csv"
"$bristle" run "$scenarios/grip_control.yaml" --set contact.normal_force=12.8 -q -o "$scratch/safe.csv"
gnuplot <<END_OF_SCRIPT
set terminal pngcairo size 900,560 font 'DejaVu Sans,10'
set output '$picture'
set datafile separator ','
set datafile columnheaders
set multiplot layout 2,1 margins 0.08,0.98,0.09,0.97 spacing 0,0.04
set xrange [0:9]
set format x ''
set yrange [0:17]
set ylabel 'normal force of a finger [N]'
set grid linecolor rgb '#e0e0e0'
set key top left reverse Left samplen 2
plot '$scratch/safe.csv' using 't':'fn' with lines linewidth 2 dashtype 2 linecolor rgb '#606060' title 'constant, as safe', \\
    '$scratch/control.csv' using 't':'fn' with steps linewidth 2 linecolor rgb '#08306b' title 'controlled'
set format x '%g'
set xlabel 't [s]'
set yrange [0:1.05]
set ylabel 'load [-]'
set key at 3.05,0.4 left top
plot 1 with lines linewidth 1 linecolor rgb '#cb181d' title 'slips', \\
    0.8 with lines linewidth 1 dashtype 3 linecolor rgb '#cb181d' title 'aim', \\
    '$scratch/safe.csv' using 't':'load' with lines linewidth 2 dashtype 2 linecolor rgb '#606060' title 'constant', \\
    '$scratch/control.csv' using 't':'load' with lines linewidth 2 linecolor rgb '#08306b' title 'controlled'
END_OF_SCRIPT
