#!/usr/bin/env bash
# Every scenario and patch that ships is valid, runs, gives finite numbers, and shows what its comment promises.
# Arguments: the command, the folder with the scenarios.
set -eu
bristle=$1 folder=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

for file in "$folder"/*.yaml "$folder"/wk/*.yaml; do
    "$bristle" check "$file" 2>"$scratch/warnings"
    # published friction may inject energy, with a warning; what is ours may not
    case $file in
    "$folder"/wk/*) grep -q 'may inject energy' "$scratch/warnings" ;;
    *) [ ! -s "$scratch/warnings" ] || { cat "$scratch/warnings"; exit 1; } ;;
    esac
    "$bristle" run "$file" -o "$scratch/out.csv" --quiet 2>"$scratch/warnings"
    [ "$(wc -l <"$scratch/out.csv")" -gt 50 ]
    if grep -qiE 'nan|inf' "$scratch/out.csv"; then
        echo "$file: the result is not finite"
        exit 1
    fi
done
for file in "$folder"/patches/*.yaml; do
    "$bristle" check "$file"
    "$bristle" surface "$file" --json >/dev/null
done

# run NAME OPTIONS...: the table of a scenario
run() {
    local name=$1
    shift
    "$bristle" run "$folder/$name.yaml" --quiet "$@" 2>/dev/null
}

# between WHAT LOW VALUE HIGH
between() {
    awk -v low="$2" -v value="$3" -v high="$4" -v what="$1" \
        'BEGIN {print what ":", value; exit !(low <= value && value <= high)}'
}

# moved NAME FROM OPTIONS...: |x| between t = FROM and the end, whole periods apart [m]
moved() {
    local name=$1 from=$2
    shift 2
    run "$name" --set integrator.rtol=1e-8 --set integrator.atol=1e-13 --set integrator.atol_z=1e-14 "$@" |
        awk -F, -v from="$from" '$1 == from {a = $2} END {d = $2 - a; print (d < 0 ? -d : d)}'
}

# what the heads of the files promise: elasto-plastic bristles hold still, LuGre creeps
between 'holds still [m]' 0 "$(moved holds_still 2)" 1e-12
between 'creeps [m]' 1e-5 "$(moved creeps 2)" 1
for load in tangential normal; do
    between "drift, $load load, elasto-plastic [m]" 0 \
        "$(moved wk/drift_$load 4 --set model=blocks)" 1e-12
    between "drift, $load load, LuGre [m]" 1e-9 \
        "$(moved wk/drift_$load 4 --set model=blocks --set friction.elasto_plastic=false)" 1
done

# the block holds until it is pushed, and ends lower
# it holds: 0 but for rounding
between 'incline, before the push [m]' -1e-4 "$(run incline | awk -F, '$1 == 1 {print $3}')" 1e-15
between 'incline, at the end [m]' -0.1 "$(run incline | awk -F, 'END {print $3}')" -0.02

# the bar turns as far as its feet are from its middle; 1 %: bristles that spring back
between 'bar on feet, turned [rad]' 0.0602 "$(run bar_on_feet | awk -F, 'END {print $4}')" 0.0614

# a puck on grained wood: dv/dt = -mu g A^2 v/|A v| in steps of 10 us, in principal axes, to the end of the slide; 1 mm of
# 148: bristles give way by 50 um
read -r grain_x grain_y <<<"$(awk 'BEGIN {
    a = 120*atan2(0, -1)/180; c = cos(a); s = sin(a); v1 = 0.8*c; v2 = -0.8*s; h = 1e-5; k = 1.6
    while (v1*v1 + v2*v2 > 1e-8) {
        n = sqrt(k*k*v1*v1 + v2*v2); v1 -= h*0.2*9.81*k*k*v1/n; v2 -= h*0.2*9.81*v2/n; p1 += h*v1; p2 += h*v2}
    print c*p1 - s*p2, s*p1 + c*p2}')"
near_by() { awk -v x="$1" 'BEGIN {print x - 1e-3, x + 1e-3}'; }
read -r from to <<<"$(near_by "$grain_x")"
between 'grained puck, along x [m]' "$from" "$(run grained_puck | awk -F, 'END {print $2}')" "$to"
read -r from to <<<"$(near_by "$grain_y")"
between 'grained puck, along y [m]' "$from" "$(run grained_puck | awk -F, 'END {print $3}')" "$to"

# mu alone ends near bristles a hundred times stiffer (docs/explanation/models.md), over the distance
against_stiff() { # NAME
    { run "$1" | tail -n 1; run "$1" --set friction.sigma0=1e7 --set friction.sigma1=1000 | tail -n 1; } |
        awk -F, 'NR == 1 {x = $2; y = $3} END {print sqrt((x-$2)^2 + (y-$3)^2)/sqrt($2^2 + $3^2)}'
}
between 'in hand, mu alone, off by' 0 "$(against_stiff in_hand)" 0.01
between 'pushed box, mu alone, off by' 0 "$(against_stiff pushed_box)" 0.03

# the puck: from 0.31 and from 1.33, v/(R w) has come near 0.653 when v is down to 1 mm/s
ending() {
    run puck --set output.every=1e-4 "$@" |
        awk -F, '$5 > 0.001 {ratio = $5 / (0.04 * $7)} END {print ratio}'
}
between 'puck, v/(R w) at the end' 0.623 "$(ending)" 0.683
between 'puck, another start' 0.623 "$(ending --set body.velocity='[0.8, 0, 15]')" 0.683

# grip control: the forces that its head promises, slip below its limit, two fifths less than the constant grip
between 'grip of the empty cup [N]' 2.75 "$(run grip_control | awk -F, '$1 == 1 {print $11}')" 2.9
between 'grip of the full cup [N]' 9.8 "$(run grip_control | awk -F, '$1 == 3.9 {print $11}')" 9.9
between 'grip when shaken [N]' 12.6 "$(run grip_control | awk -F, '$11 + 0 > most {most = $11} END {print most}')" 12.8
between 'mean grip [N]' 7 "$(run grip_control | awk -F, 'NR > 1 {sum += $11} END {print sum / (NR - 1)}')" 7.7
between 'slip rate [m/s]' 0 "$(run grip_control | awk -F, '$13 + 0 > most {most = $13} END {print most}')" 0.001
between 'load of the constant grip' 0.78 \
    "$(run grip_control --set contact.normal_force=12.8 | awk -F, '$14 + 0 > most {most = $14} END {print most}')" 0.8

# slip control: the pose, the mean grip and the constant grip that its head promises; angles in rad, the goal within 1 mm and
# 1 degree
slid() { run slip_control "$@" | awk -F, 'END {print sqrt($2*$2 + $3*$3) - 0.04}'; }
between 'slip control, slid [m]' 0.024 "$(slid)" 0.026
between 'slip control, turned [rad]' -0.0175 "$(run slip_control | awk -F, 'END {print $4}')" 0.0175
between 'slip control, mean grip [N]' 2.3 "$(run slip_control | awk -F, 'NR > 1 {sum += $11} END {print sum / (NR - 1)}')" 2.5
between 'constant grip, slid [m]' -1e-4 "$(slid --set contact.normal_force=9)" 1e-4
between 'constant grip, turned [rad]' 1.03 "$(run slip_control --set contact.normal_force=9 | awk -F, 'END {print $4}')" 1.0472
between 'slip control, 1 % less friction, slid [m]' 0.033 "$(slid --set friction.mu=0.594)" 0.036
