#!/bin/sh
# The figure of docs/explanation/precision.md: work against precision of adaptive runs.
# Arguments: what bristle-precision printed, the picture.
set -eu
data=$1 picture=$2

# panel TITLE GROUP...: a curve for each problem of these groups, a dot for its defaults
panel() {
    title=$1
    shift
    indices=$(awk -v "wanted=$*" '/^#/ { if (index(wanted, substr($0, 3, index($0, ":") - 3))) print n + 0; n++ }' "$data")
    echo "set title '$title'"
    case $title in # one legend, in the panel that has space for it
    *drift) echo 'set key bottom left Left reverse samplen 1.5' ;;
    *) echo 'set key off' ;;
    esac
    echo "plot for [i in '$(echo $indices)'] '$data' index int(i) using (\$1 > 0 ? \$4 : NaN):2 with lines linewidth 1.5 linecolor rgb '#6baed6' notitle, \\"
    echo "    for [i in '$(echo $indices)'] '$data' index int(i) using (\$1 > 0 ? NaN : \$4):2 with points pointtype 7 linecolor rgb '#d94801' notitle, \\"
    echo "    NaN with lines linewidth 1.5 linecolor rgb '#6baed6' title 'a problem, rtol from 1e-3 to 1e-8', \\"
    echo "    NaN with points pointtype 7 linecolor rgb '#d94801' title 'its defaults'"
}

{
    cat <<END
set terminal pngcairo size 1200,700 font 'sans,10'
set output '$picture'
set logscale xy
set format '10^{%L}'
set xrange [1e-12:1e-2]
set yrange [30:3e4]
set xlabel 'largest error of the position [m]'
set ylabel 'attempted steps'
set grid
set multiplot layout 2,3
END
    panel 'W\&K, 317 cells and the like' 'W&K, distributed'
    panel 'W\&K, reduced' 'W&K, reduced'
    panel 'W\&K, blocks' 'W&K, blocks'
    panel 'W\&K, drift' 'W&K, drift'
    panel 'other bodies' bodies
    panel 'rig and mechanisms' rigs mechanisms
} | gnuplot
