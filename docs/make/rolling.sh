#!/bin/sh
# The figure of docs/explanation/rolling.md: bristles in a rolling patch beside closed forms.
# Arguments: the program bristle-rolling, the picture.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$1" "$scratch" >/dev/null
part() { # FILE WHEEL CONDITION NAME: the rows of a wheel
    awk -F, -v wheel="$2" "NR == 1 || (\$1 == wheel && ($3))" "$scratch/$1.csv" >"$scratch/$4.csv"
}
for wheel in brush_uniform brush_parabolic brush_pressure lugre_uniform; do
    part steady $wheel 1 $wheel
done
for angle in 0 2 4 8; do
    part combined brush_parabolic "\$2 == $angle" combined_$angle
done
for wheel in brush_parabolic brush_pressure; do
    part step $wheel 1 step_$wheel
done
gnuplot <<END
set terminal pngcairo size 1000,800 font 'DejaVu Sans,10'
set output '$2'
set datafile separator ','
set datafile columnheaders
set multiplot layout 2,2
set grid linecolor rgb '#e0e0e0'
set border 3
set tics nomirror
c(i) = word('#08306b #d94801 #31a354 #756bb1', i)
wheels = 'brush_uniform brush_parabolic brush_pressure lugre_uniform'
titles = '"brush, uniform" "brush, parabolic" "brush, stiffness of the pressure" "LuGre, uniform"'
set key bottom right samplen 1.5
set xlabel 'slip angle [degrees]'
set ylabel 'lateral force [kN]'
set yrange [0:3.2]
plot for [i=1:4] '$scratch/'.word(wheels, i).'.csv' using 'angle':(column('fy_closed')/1e3) with lines linewidth 1.5 linecolor rgb c(i) title word(titles, i), \\
    for [i=1:4] '$scratch/'.word(wheels, i).'.csv' every 10 using 'angle':(column('fy')/1e3) with points pointtype 6 pointsize 0.6 linecolor rgb c(i) notitle
set ylabel 'aligning torque [N m]'
set yrange [0:40]
set key top right
plot for [i=1:4] '$scratch/'.word(wheels, i).'.csv' using 'angle':'tau_closed' with lines linewidth 1.5 linecolor rgb c(i) title word(titles, i), \\
    for [i=1:4] '$scratch/'.word(wheels, i).'.csv' every 10 using 'angle':'tau' with points pointtype 6 pointsize 0.6 linecolor rgb c(i) notitle
set xlabel 'longitudinal force [kN]'
set ylabel 'lateral force [kN]'
set xrange [-3.2:3.2]
set yrange [-0.1:3.2]
set key bottom center
plot for [i=1:4] '$scratch/combined_'.word('0 2 4 8', i).'.csv' using (column('fx_closed')/1e3):(column('fy_closed')/1e3) with lines linewidth 1.5 linecolor rgb c(i) title word('0 2 4 8', i).' degrees', \\
    for [i=1:4] '$scratch/combined_'.word('0 2 4 8', i).'.csv' every 4 using (column('fx')/1e3):(column('fy')/1e3) with points pointtype 6 pointsize 0.6 linecolor rgb c(i) notitle
set xlabel 'distance over the length of the patch [-]'
set ylabel 'share of the steady value [-]'
set xrange [0:1.5]
set yrange [0:1.05]
set key bottom right
set arrow 1 from 0.39347,0 to 0.39347,0.63212 nohead dashtype 3 linecolor rgb '#606060'
plot '$scratch/step_brush_parabolic.csv' using 'u':'force_closed' with lines linewidth 1.5 linecolor rgb c(1) title 'force', \\
    '' every 8 using 'u':'force' with points pointtype 6 pointsize 0.6 linecolor rgb c(1) notitle, \\
    '' using 'u':'torque_closed' with lines linewidth 1.5 linecolor rgb c(2) title 'torque', \\
    '' every 8 using 'u':'torque' with points pointtype 6 pointsize 0.6 linecolor rgb c(2) notitle, \\
    '$scratch/step_brush_pressure.csv' using 'u':'force_closed' with lines linewidth 1.5 linecolor rgb c(3) title 'force, stiffness of the pressure', \\
    '' every 8 using 'u':'force' with points pointtype 6 pointsize 0.6 linecolor rgb c(3) notitle
unset multiplot
END
