/*
 * Friction laws at a point: bristle/law.h. A law is its kind and nine numbers in the order of br_law.
 */
#include "bristle/law.h"

#include "glue.h"

enum { NUMBERS = 9 };

static br_law law_of(int kind, const double* numbers)
{
    return (br_law){.kind = (br_law_kind)kind,
                    .mu_c = numbers[0],
                    .mu_s = numbers[1],
                    .v_stribeck = numbers[2],
                    .gamma = numbers[3],
                    .sigma0 = numbers[4],
                    .sigma1 = numbers[5],
                    .sigma2 = numbers[6],
                    .s_ba = numbers[7],
                    .alpha = numbers[8]};
}

static void put_law(double* numbers, const br_law* law)
{
    const double all[NUMBERS] = {law->mu_c,   law->mu_s,   law->v_stribeck, law->gamma, law->sigma0,
                                 law->sigma1, law->sigma2, law->s_ba,       law->alpha};
    for (int i = 0; i < NUMBERS; i++) {
        numbers[i] = all[i];
    }
}

EXPORT(void, law_default, int kind, double* numbers)
{
    const br_law law = br_law_default((br_law_kind)kind);
    put_law(numbers, &law);
}

EXPORT(void, law_from_mu, double mu, double r, double mass, double fn, double* numbers)
{
    const br_law law = br_law_from_mu(mu, r, mass, fn);
    put_law(numbers, &law);
}

EXPORT(br_law*, law_make, int kind, const double* numbers)
{
    const br_law given = law_of(kind, numbers);
    br_reason why = {"", ""};
    const br_status status = br_law_check(&given, &why);
    if (status != BR_OK) {
        return fail(status, &why);
    }
    br_law* law = br_allocate(1, sizeof *law);
    if (!law) {
        return fail(BR_ERR_MEMORY, &why);
    }
    *law = given;
    return law;
}

EXPORT(int, law_has_state, const br_law* law)
{
    return br_law_has_state(law->kind);
}

EXPORT(double, law_passivity_margin, const br_law* law)
{
    return br_law_passivity_margin(law);
}

EXPORT(void, law_g, const br_law* law, size_t count, const double* v, double* g)
{
    for (size_t i = 0; i < count; i++) {
        g[i] = br_law_g(law, v[i]);
    }
}

EXPORT(void, law_eval, const br_law* law, size_t count, const double* z, const double* v,
       const double* fn, double* f, double* dz)
{
    for (size_t i = 0; i < count; i++) {
        const br_law_value value = br_law_eval(law, z[i], v[i], fn[i]);
        f[i] = value.f;
        dz[i] = value.dz;
    }
}

EXPORT(void, law_gradient, const br_law* law, size_t count, const double* z, const double* v,
       const double* fn, double* out)
{
    for (size_t i = 0; i < count; i++) {
        const br_law_gradient d = br_law_gradient_eval(law, z[i], v[i], fn[i]);
        put_three(out, 2 * i, d.f_z, d.f_v, d.f_fn);
        put_three(out, 2 * i + 1, d.dz_z, d.dz_v, d.dz_fn);
    }
}

EXPORT(void, law_step, const br_law* law, size_t count, double* z, const double* v,
       const double* fn, double h, double* f)
{
    for (size_t i = 0; i < count; i++) {
        f[i] = br_law_step(law, &z[i], v[i], fn[i], h);
    }
}
