#!/bin/sh
# Each formula of the law is written once in src, in law/law_formulas.inc, and there is one type of dual numbers.
# The texts below were copies once: the script also checks that it finds each of them in a copy of src.
#   one_law.sh SOURCE
set -eu
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Source without comments, where the formulas of bristles are used: "FILE:LINE" for each line of code.
code_of() { # FOLDER
    (cd "$1" && find law planar constrained fit math -name '*.[ch]' -o -name '*.inc' | sort | while read -r file; do
        sed -e 's#//.*##' -e '/^\/\*/,/\*\//d' "$file" | sed -n "s#..*#$file:&#p"
    done)
}

status=0
expect() { # COUNT NAME FILES PATTERN: lines in FILES that match
    found=$(grep -E "^($3)[^:]*:" "$work/code" | grep -cE ":.*($4)" || true)
    if [ "$found" -ne "$1" ]; then
        echo "$2: $found definitions instead of $1"
        grep -E "^($3)[^:]*:" "$work/code" | grep -E ":.*($4)" || true
        status=1
    fi
}

bristles='law/|planar/|constrained/|fit/law_history|fit/contact_|fit/history'
count_all() {
    status=0
    expect 1 'Stribeck curve (2)' "$bristles" 'exp(_of)?\(.*(power|ratio|stribeck|v_s|per_v2|n2)'
    expect 0 'sine of the plastic share (6)' 'law/[^:]*[.][ch]|planar/kernel|constrained/|fit/law_history|fit/contact_h' \
        '\b(sin|cos|sin_pi)\('
    expect 3 'plastic share (6), its slope, its angle' 'law/law_formulas' 'sin_pi\(.*;'
    expect 1 'root of the plastic step' "$bristles" 'double plastic_root\(.*[^;]$'
    expect 1 'damping that fades (D-1)' "$bristles" '1\.0 / \(1\.0 \+ [^;]*(ratio|per_d2|v_d)'
    expect 1 'slope of the damping' "$bristles" '-2\.0\)? \* [^;]*(per_d2|ratio|v_d)'
    expect 1 'block constant 1.3' "$bristles" '\b1\.3\b'
    expect 1 'block constant 0.45' "$bristles" '\b0\.45\b'
    expect 1 'c0 of blocks' "$bristles" 'TURN_LINE +3\.0|\b3\.0 - .*4\.0'
    expect 1 'method of histories' 'fit/' '0\.2928932'
    expect 1 'type of dual numbers' "$bristles|math/" '(double|vec|real|number) (value, )?d\[[(A-Z0-9]|double v, k;'
    return 0
}

code_of "$source" >"$work/code"
count_all
[ "$status" -eq 0 ] || exit 1
echo 'each formula once'

# copies that must be found: FILE TEXT
cp "$work/code" "$work/good"
copies=0
while IFS='|' read -r file text; do
    { cat "$work/good"; echo "$file:$text"; } >"$work/code"
    count_all >"$work/log"
    [ "$status" -ne 0 ] || { echo "a copy is not found: $text"; exit 1; }
    copies=$((copies + 1))
done <<'COPIES'
law/law.c|    return law->mu_c + (law->mu_s - law->mu_c) * exp(-power);
planar/kernel_motion.inc|    return law->mu_c + law->drop * exp_of(-stribeck_power(law, n2));
planar/kernel_lattice.inc|        store(out->row + i, exp_of(vx * vx * law->per_v2));
fit/contact_history.c|    const number e = chain(exp(-ratio.v), -exp(-ratio.v), ratio);
law/law.c|        alpha = 0.5 * sin(angle) + 0.5;
planar/kernel_motion.inc|    const vec sine = sin_pi(least(all(0.5), most(all(-0.5), turn)));
fit/law_history.c|    const double by_q = 0.5 * BR_PI / band * cos(angle);
fit/law_history.c|static double plastic_root(double A, double C, double s_ba)
law/law_internal.h|    const double ratio = v / law->v_damping, e = 1.0 / (1.0 + ratio * ratio);
planar/kernel_motion.inc|    return 1.0 / (1.0 + n2 * law->per_d2);
planar/kernel_step.inc|    const vec fall = -2.0 * law->per_d2 * (c->e * c->e) * (w * k->damp);
fit/contact_history.c|    static const double spin = 1.3, spin_least = 0.45;
planar/contact_internal.h|    0.45
fit/contact_parts.c|        c->turn = (by_k){3.0 - 4.0 * det.v, -4.0 * det.k};
fit/contact_history.c|    static const double gamma = 0.29289321881345254;
fit/law_history.c|    double d[WIDTH];
planar/kernel.h|    double value, d[3];
fit/contact_parts.h|    double v, k;
COPIES
echo "$copies copies found"
