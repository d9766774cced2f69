#!/bin/sh
# The figure of docs/explanation/gradients.md: the angle of a tool over its grip, and what the integral of the exact gradient makes of
# it, for mu_s = mu_c and for mu_s > mu_c; prints the numbers of the page. Arguments: a Python with bristle, the picture.
set -eu
python=$1 picture=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/cliff.py" <<'END'
import dataclasses
import sys

import numpy as np

from bristle import Body, BodyContact, Contact, Law, Patch

same = dataclasses.replace(Law.from_mu(0.8, r=0.008, mass=0.2, fn=10.0), v_damping=0.0)
falls = dataclasses.replace(same, mu_c=0.7, mu_s=1.0, v_stribeck=0.005)
grips = np.linspace(3.4, 5.0, 161)
columns = [grips]
for name, law in (("mu_s = mu_c", same), ("mu_s > mu_c", falls)):
    fingers = BodyContact(Contact(Patch.disc(0.012), law), count=2)
    tool = Body(0.2, 5e-4, [fingers], pose=(0.03, 0, 0), gravity=(0, -9.81), start="relaxed")
    runs = [tool.rollout(500, 1e-3, normal_force=grip) for grip in grips]
    angle = np.degrees([run.pose[-1, 2] for run in runs])
    slope = np.degrees([run.vjp(pose=[0, 0, 1], by_law=False).normal_force.sum() for run in runs])
    change = np.diff(grips) * (slope[1:] + slope[:-1]) / 2
    columns += [angle, angle[-1] - np.append(np.cumsum(change[::-1])[::-1], 0.0)]
    print(
        f"{name}: {angle[-1] - angle[0]:.1f} degrees from 3.4 to 5.0 N, integral of the gradient {change.sum():.1f}, "
        f"largest change within 0.01 N {np.abs(np.diff(angle)).max():.1f}"
    )
np.savetxt(sys.argv[1], np.transpose(columns), delimiter=",")
END
"$python" -P "$scratch/cliff.py" "$scratch/cliff.csv"
gnuplot <<END_OF_SCRIPT
set terminal pngcairo size 900,420 font 'DejaVu Sans,10'
set output '$picture'
set datafile separator ','
set multiplot layout 1,2 margins 0.08,0.98,0.13,0.92 spacing 0.03,0
set xrange [3.4:5]
set yrange [-110:5]
set xlabel 'grip of a finger [N]'
set ylabel 'angle after 0.5 s [degrees]'
set grid linecolor rgb '#e0e0e0'
set key bottom right reverse Left samplen 2
set title 'mu_s = mu_c = 0.8' noenhanced
plot '$scratch/cliff.csv' using 1:2 with lines linewidth 2 linecolor rgb '#08306b' title 'run', \\
    '' using 1:3 with lines linewidth 2 dashtype 2 linecolor rgb '#cb181d' title 'integral of its gradient'
set title 'mu_s = 1.0, mu_c = 0.7' noenhanced
unset ylabel
set format y ''
plot '$scratch/cliff.csv' using 1:4 with lines linewidth 2 linecolor rgb '#08306b' title 'run', \\
    '' using 1:5 with lines linewidth 2 dashtype 2 linecolor rgb '#cb181d' title 'integral of its gradient'
END_OF_SCRIPT
