#!/bin/sh
# Oracle: docs/explanation/architecture.md: a law is changed in one place. A copy of law_formulas.inc has exp(-2 (n/v_s)^gamma) in
# its Stribeck curve; with sqrt(2) times v_s everything that includes it gives what the true law gives with v_s:
# laws, contacts of cells and blocks, reduced contacts, their derivatives and steps, histories of fits.
# Arguments: source folder, build folder, C compiler, libraries to link.
set -eu
source=$1 build=$2 cc=$3
shift 3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

cat >main.c <<'END'
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bristle/contact.h"
#include "fit/contact_history.h"
#include "fit/law_history.h"

enum { ROWS = 40, COLUMNS = BR_FIT_COUNT };

static void print(const char* name, const double* values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        printf("%s %.17g\n", name, values[i]);
    }
}

static void print_laws(br_law law)
{
    double z = 2e-5;
    for (int i = 1; i < 6; i++) {
        const double v = 4e-4 * i;
        const br_law_gradient slopes = br_law_gradient_eval(&law, z, v, 2.0);
        const double values[] = {br_law_g(&law, v), br_law_step(&law, &z, v, 2.0, 1e-3), slopes.f_v, slopes.dz_z};
        print("law", values, 4);
    }
}

static void print_contact(const char* name, br_law law, br_method method)
{
    br_patch_def shape = br_patch_def_default();
    br_contact_def def = br_contact_def_default();
    br_patch* patch;
    br_contact* contact;
    if (br_patch_create(&shape, &patch, NULL) != BR_OK) {
        exit(1);
    }
    def.patch = patch;
    def.law = law;
    def.method = method;
    def.plain = 1;
    if (br_contact_create(&def, &contact, NULL) != BR_OK) {
        exit(1);
    }
    const size_t n = br_contact_get_state_count(contact);
    double *z = calloc(n, sizeof *z), *dz = calloc(n, sizeof *dz);
    const br_twist v = {8e-4, -5e-4, 0.06};
    for (int i = 0; i < 4; i++) {
        br_contact_step(contact, z, v, 2.0, 4e-3, NULL);
        br_contact_gradient slopes = {.f_z = NULL};
        const br_wrench f = br_contact_eval(contact, z, v, 2.0, dz);
        br_contact_gradient_eval(contact, z, v, 2.0, &slopes);
        const double values[] = {f.fx, f.fy, f.tau, slopes.f_v[0][0], slopes.f_v[1][2], slopes.f_v[2][2]};
        print(name, values, 6);
    }
    free(z);
    free(dz);
    br_contact_destroy(contact);
    br_patch_destroy(patch);
}

// derivatives by v_s are per sqrt(2) of it
static void print_history(const br_law* law, double by_v_s)
{
    static double t[ROWS], v[ROWS], f[ROWS], slopes[ROWS * COLUMNS];
    for (int i = 0; i < ROWS; i++) {
        t[i] = 1e-3 * i;
        v[i] = 2e-3 * sin(0.3 * i);
    }
    double p[BR_FIT_COUNT] = {0.0};
    p[BR_FIT_MU_C] = law->mu_c, p[BR_FIT_MU_S] = law->mu_s, p[BR_FIT_V_S] = law->v_stribeck;
    p[BR_FIT_GAMMA] = law->gamma, p[BR_FIT_SIGMA0] = law->sigma0, p[BR_FIT_SIGMA1] = law->sigma1;
    p[BR_FIT_S_BA] = law->s_ba;
    const law_history h = {
        .kind = law->kind, .data = {.t = t, .v = v, .count = ROWS}, .wanted = 1u << BR_FIT_MU_S | 1u << BR_FIT_V_S};
    bri_law_history(&h, p, f, slopes);
    for (int i = 0; i < ROWS; i++) {
        slopes[ROWS + i] *= by_v_s;
    }
    print("history", f, ROWS);
    print("by", slopes, 2 * ROWS);
}

int main(int count, char** arguments)
{
    const double factor = count > 1 ? atof(arguments[1]) : 1.0;
    for (int i = 0; i < 2; i++) {
        br_law law = br_law_default(i ? BR_LAW_ELASTO_PLASTIC : BR_LAW_LUGRE);
        law.sigma0 = 2e4, law.sigma1 = 10.0;
        law.v_stribeck = 1e-3 * factor;
        print_laws(law);
        print_contact("cells", law, BR_METHOD_DISTRIBUTED);
        print_contact("blocks", law, BR_METHOD_BLOCKS);
        print_contact("ellipsoid", law, BR_METHOD_ELLIPSOID);
        print_history(&law, factor);
    }
    return 0;
}
END

options="-std=gnu17 -O1 -ffp-contract=off -fno-math-errno -Wno-psabi -I$source/include -I$build/include -I$source/src"
# $@: libraries
$cc $options main.c "$@" -lm -o plain

mkdir -p law
sed -e 's/exp_of(-power)/exp_of(-2.0 * power)/' -e 's/return -(excess \* half_gamma/return -2.0 * (excess * half_gamma/' \
    "$source/src/law/law_formulas.inc" >law/law_formulas.inc
[ "$(diff law/law_formulas.inc "$source/src/law/law_formulas.inc" | grep -c '^<')" -eq 2 ] ||
    { echo 'law_formulas.inc has other words'; exit 1; }
for unit in law/law law/law_step planar/kernel_1 planar/kernel_reduced_1 fit/law_history fit/law_history_slopes \
    fit/law_history_slopes_4; do
    $cc -I. $options -c "$source/src/$unit.c" -o "$(basename $unit).o"
done
$cc $options main.c ./*.o "$@" -lm -o changed

./plain >expected
./changed >without
./changed 1.4142135623730951 >found
! cmp -s expected without || { echo 'the law does not change'; exit 1; }
paste -d ' ' expected found without | awk '
    {
        size = $2 < 0 ? -$2 : $2
        far = $4 - $2
        far = far < 0 ? -far : far
        if (far > 1e-9 * size + 1e-12) { print "differs: " $0; bad = 1 }   # rounding; roots stop at 1e-12
        moved[$1] += $6 != $2
    }
    END {
        for (name in moved) if (!moved[name]) { print name ": does not follow"; bad = 1 }
        print NR " numbers"
        exit bad || NR < 200
    }'
