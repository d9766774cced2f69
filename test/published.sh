#!/usr/bin/env bash
# Scenarios of published experiments, beside numbers that do not come from bristle.
# Arguments: the command, the folder with the scenarios, the folder with the stored numbers.
set -euo pipefail
bristle=$1 folder=$2 golden=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# run NAME OPTIONS...: the table of a scenario
run() {
    local name=$1
    shift
    "$bristle" run "$folder/$name.yaml" --quiet "$@" 2>/dev/null
}

# Oracle: W&K's code, run by us (NonConvex2: our own program), every tenth row. Ends of intervals: a row is 10 ms later.
# 1e-6 N and 1e-8 N m: 30 times what default tolerances leave (3e-8 N, 3e-10 N m).
near_code() { # CASE STORED MODEL: sweep's table, stored table, d or r
    awk -F, -v model="$3" -v name="$2 $3" '
        /^#/ { next }
        /^t,/ { for (i = 1; i <= NF; i++) at[FILENAME, $i] = i; file++; next }
        file == 1 { t = sprintf("%.2f", $at[FILENAME, "t"]); x[t] = $at[FILENAME, "fx"]; y[t] = $at[FILENAME, "fy"]; w[t] = $at[FILENAME, "tau"]; next }
        (t = sprintf("%.2f", $1 + 0.01)) in x {
            rows++
            force = max(force, max(off(x[t], "fx"), off(y[t], "fy")))
            torque = max(torque, off(w[t], "tau"))
        }
        function off(ours, column, d) { d = ours - $at[FILENAME, column "_" model]; return d < 0 ? -d : d }
        function max(a, b) { return a > b ? a : b }
        END { print name ":", rows, "rows, off by", force, "N,", torque, "N m"; exit !(rows == 50 && force < 1e-6 && torque < 1e-8) }
    ' "$1" "$2"
}
"$bristle" sweep "$folder/wk/profile.yaml" --tables "$scratch" -o "$scratch/cases.csv" --quiet 2>/dev/null
[ "$(wc -l <"$scratch/cases.csv")" -eq 25 ] # six surfaces, two models, two columns of Table I
row=0
for surface in Circle Square Line LineGrad NonConvex1 NonConvex2; do
    stored=$golden/wk/vel_zoh_${surface}_p1_ep.csv
    [ -e "$stored" ] || stored=$golden/oracle/vel_zoh_${surface}_p1_ep.csv
    near_code "$scratch/$(printf %02d $((row + 1))).csv" "$stored" d
    near_code "$scratch/$(printf %02d $((row + 3))).csv" "$stored" r
    row=$((row + 4))
done

# Oracle: golden/xie_slider, a program of our own with 50 digits: one step of 1 s, so that impulses are forces.
translated() { # M MU PN ET EO VX VY PX PY: the velocity after a step
    run slider_translation --set step=1 --set duration=1 --set "slider.mass=$1" --set "slider.mu=$2" \
        --set "slider.gravity=$(awk "BEGIN {printf \"%.17g\", $3 / $1}")" --set "slider.e=[$4, $5, 0.01]" \
        --set "slider.velocity=[$6, $7, 0]" --set "push.direction=[$8, $9]" \
        --set "push.magnitude=$(awk "BEGIN {printf \"%.17g\", sqrt(($8)^2 + ($9)^2)}")" | awk -F, 'END {print $5, $6}'
}
steps=0
while IFS=, read -r m mu pn et eo vx vy px py pt po sigma vx_new vy_new mode; do
    # 1e-12 of the speed: rounding of the direction and of g
    echo "$(translated "$m" "$mu" "$pn" "$et" "$eo" "$vx" "$vy" "$px" "$py") $vx_new $vy_new $vx $vy" | awk '
        { off = sqrt(($1 - $3)^2 + ($2 - $4)^2) / sqrt($5^2 + $6^2); print "translation, off by", off; exit !(off < 1e-12) }'
    steps=$((steps + 1))
done < <(sed 1,2d "$golden/xie_slider/pure_translation.csv" | awk 'NR % 4 == 1')
[ "$steps" -eq 15 ]

# Oracle: closed form, (46)-(49) with e = 1 from step to step; then it rests.
run slider_translation | awk -F, '
    BEGIN { m = 0.5; h = 0.01; limit = 0.31 * m * 9.8 * h; push = 1 * h; vx = 0.7; vy = 0.9 }
    NR > 2 {
        px = m * vx + push; py = m * vy; size = sqrt(px^2 + py^2); keep = size > limit ? 1 - limit / size : 0
        vx = px * keep / m; vy = py * keep / m
        if (($5 - vx)^2 + ($6 - vy)^2 > 1e-26 || $7 != 0) { print "translation at t = " $1 ": " $5 " " $6 ", not " vx " " vy; exit 1 }
        rows++
    }
    END { print "translation: " rows " rows, at the end " $14; exit !(rows == 100 && $14 == "stick") }'

# Oracle: H+ (39), (40) and Newton: N = m g; friction is -F at rest, -mu m g in motion, which starts at F = mu_s m g;
# 2 kg v = integral of F - mu m g. 1e-8: the instant of slip is located to 1e-10 s.
run mechanism_block_coulomb | awk -F, '
    function near(what, ours, theirs, by) { if ((ours - theirs)^2 > by^2) { print "block at t = " $1 ": " what " " ours ", not " theirs; failed = 1 } }
    NR == 1 { next }
    { near("N", $6, 19.6, 1e-12); modes[$9]++ }
    $1 <= 1.17 { near("friction", $7, -5 * $1, 1e-12) }
    $1 >= 1.18 && $1 <= 1.6 { near("friction", $7, -4.9, 1e-12); near("v", $4, (2.5 * ($1^2 - 1.176^2) - 4.9 * ($1 - 1.176)) / 2, 1e-8) }
    $1 > 2.5 { near("friction", $7, 0, 1e-12); near("v", $4, 0, 1e-12) }
    END { print "block: " modes["stick"] " rows stick, " modes["slide"] " slide"; exit failed || modes["stick"] < 200 || modes["slide"] < 90 }'

# Oracle: the balance of energy. k = 2 f_N with a force that falls to 0 ends at rest here; as published it cannot be run.
run wk/k2fn_falling | awk -F, '
    NR > 1 { stored = $13 > stored ? $13 : stored; given = $15 > given ? $15 : given; off = $19^2 > off^2 ? $19 : off }
    END {
        print "k = 2 f_N: at most " stored " J stored of " given " J given, balance off by " off " J"
        exit !(stored < given && given < 2e-6 && off^2 < (1e-3 * given)^2) # 0.1 %: what default tolerances leave is 0.01 %
    }'
if "$bristle" run "$folder/wk/k2fn_falling.yaml" -q --set contact.surface.method=published >/dev/null 2>"$scratch/why"; then
    echo 'k = 2 f_N runs as published: docs/make/claims.sh reports that it does not'
    exit 1
fi
grep 'step size fell below' "$scratch/why"
