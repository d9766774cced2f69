/*
 * Fits of planar contacts.
 */
#include "fit_data.h"

#include <string.h>

#include "bristle/contact.h"
#include "bristle/fit_contact.h"
#include "fit/contact_history.h"

enum { ROWS = 500 };

typedef struct wrenches {
    double t[ROWS], vx[ROWS], vy[ROWS], w[ROWS], fx[ROWS], fy[ROWS], tau[ROWS], fn[ROWS];
} wrenches;

static br_fit_contact_data data_of(const wrenches* r)
{
    return (br_fit_contact_data){ROWS, r->t, r->vx, r->vy, r->w, r->fx, r->fy, r->tau, r->fn};
}

// To and fro, with spin that comes and goes.
static br_twist twist_at(double t)
{
    return (br_twist){0.02 * sin(5 * t), 0.012 * sin(3.1 * t + 1), 3 * sin(2.3 * t) * sin(0.7 * t)};
}

static br_law known(void)
{
    br_law law = br_law_default(BR_LAW_LUGRE);
    law.mu_c = 0.5;
    law.mu_s = 0.7;
    law.v_stribeck = 0.006;
    law.sigma0 = 3000;
    law.sigma1 = 8;
    law.sigma2 = 2;
    return law;
}

// The library's own contact, of fine cells and fine steps.
static void simulate(wrenches* r, double noise, uint64_t* seed)
{
    enum { STEPS = 40 };
    const double dt = 0.008;
    br_patch_def patch_def = br_patch_def_default();
    patch_def.pressure = BR_PRESSURE_POWER;
    patch_def.k = br_by_force_constant(2);
    br_patch* patch;
    br_contact* contact;
    assert_status(br_patch_create(&patch_def, &patch, NULL), BR_OK);
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_DISTRIBUTED;
    def.patch = patch;
    def.law = known();
    assert_status(br_contact_create(&def, &contact, NULL), BR_OK);
    const size_t n = br_contact_get_state_count(contact);
    double *z = calloc(2 * n, sizeof *z), *dz = z + n;
    for (int i = 0; i < ROWS; i++) {
        const double t = dt * i;
        const br_twist v = twist_at(t);
        r->fn[i] = 10 + 2 * sin(t);
        for (int k = 0; k < STEPS && i > 0; k++) {
            const double share = (k + 0.5) / STEPS;
            const br_twist from = twist_at(t - dt);
            const br_twist now = {from.vx + share * (v.vx - from.vx),
                                  from.vy + share * (v.vy - from.vy),
                                  from.w + share * (v.w - from.w)};
            br_contact_step(contact, z, now, r->fn[i], dt / STEPS, NULL);
        }
        const br_wrench f = br_contact_eval(contact, z, v, r->fn[i], dz);
        r->t[i] = t;
        r->vx[i] = v.vx;
        r->vy[i] = v.vy;
        r->w[i] = v.w;
        r->fx[i] = f.fx + noise * normal(seed);
        r->fy[i] = f.fy + noise * normal(seed);
        r->tau[i] = f.tau + 0.005 * noise * normal(seed);
    }
    free(z);
    br_contact_destroy(contact);
    br_patch_destroy(patch);
}

/* Oracle: central differences. */
static void derivatives_are_those_of_differences(void** state)
{
    (void)state;
    static wrenches r;
    uint64_t seed = 1;
    simulate(&r, 0, &seed);
    const double p[CONTACT_UNKNOWNS] = {0.5, 0.7, 0.006, 3000, 8, 2, 0.01, 2};
    static double f[3 * ROWS], up[3 * ROWS], down[3 * ROWS], jacobian[3 * ROWS * CONTACT_UNKNOWNS];
    contact_history h = {data_of(&r), 4, 8, NULL};
    h.work = calloc(bri_contact_history_work(4, 8), sizeof *h.work);
    bri_contact_history(&h, p, f, jacobian);
    for (int k = 0; k < CONTACT_UNKNOWNS; k++) {
        double moved[CONTACT_UNKNOWNS], worst = 0, largest = 0;
        const double step = 1e-6 * p[k];
        memcpy(moved, p, sizeof moved);
        moved[k] = p[k] + step;
        bri_contact_history(&h, moved, up, NULL);
        moved[k] = p[k] - step;
        bri_contact_history(&h, moved, down, NULL);
        for (int row = 0; row < 3; row++) { // torques are smaller by the radius
            const double scale = row < 2 ? 1 : 1 / p[BR_FIT_CONTACT_RADIUS];
            for (int i = 0; i < ROWS; i++) {
                const int at = row * ROWS + i;
                const double difference = (up[at] - down[at]) / (2 * step);
                largest = fmax(largest, scale * fabs(difference));
                worst = fmax(worst, scale * fabs(difference - jacobian[3 * ROWS * k + at]));
            }
        }
        // differences are right to 1e-7, but where a cell begins to turn within a step
        if (!(worst <= 1e-5 * largest)) {
            fail_msg("%s: %g of %g", br_fit_contact_get_name(k), worst, largest);
        }
    }
    free(h.work);
}

/* Oracle: the library's contact of 21 x 21 cells in fine steps, which made the data. */
static void contacts_are_found(void** state)
{
    (void)state;
    static wrenches r;
    uint64_t seed = 3;
    simulate(&r, 0.05, &seed);
    br_fit_contact_def def = br_fit_contact_def_default();
    def.data = data_of(&r);
    br_fit_contact_result fit;
    br_reason why = {"", ""};
    assert_status(br_fit_contact(&def, NULL, &fit, &why), BR_OK);
    for (int k = 0; k < BR_FIT_CONTACT_COUNT; k++) {
        const br_fit_estimate* e = &fit.estimates[k];
        print_message("%-7s %9.4g +- %-8.2g [%.4g, %.4g] %s\n", e->name, e->value, e->error, e->low,
                      e->high, e->words);
    }
    // 6 rings and rows of 8 ms stand for 21 cells and fine steps: a few per cent
    assert_near_relative(fit.law.mu_c, 0.5, 0.03);
    assert_near_relative(fit.law.mu_s, 0.7, 0.05);
    assert_near_relative(fit.law.sigma0, 3000.0, 0.06);
    assert_near_relative(fit.radius, 0.01, 0.05);
    assert_true(fit.k > 1.2 && fit.k < 3.5);
    assert_near(fit.rms_force, 0.05, 0.01 /* N: the noise */);
}

/* Oracle: the data. Without spin neither radius nor exponent are told. */
static void what_data_cannot_tell_is_said(void** state)
{
    (void)state;
    static wrenches r;
    uint64_t seed = 5;
    simulate(&r, 0.05, &seed);
    br_fit_contact_def def = br_fit_contact_def_default();
    br_fit_contact_result fit;
    br_reason why;
    def.data = data_of(&r);
    memset(r.w, 0, sizeof r.w);
    for (int i = 0; i < ROWS; i++) {
        r.tau[i] = 1e-4 * normal(&seed);
    }
    def.rings = 3;
    assert_status(br_fit_contact(&def, NULL, &fit, NULL), BR_OK);
    assert_false(fit.estimates[BR_FIT_CONTACT_RADIUS].is_told);
    r.fn[10] = 0;
    assert_status(br_fit_contact(&def, NULL, &fit, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "fn");
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(derivatives_are_those_of_differences),
                                       cmocka_unit_test(contacts_are_found),
                                       cmocka_unit_test(what_data_cannot_tell_is_said)};
    return run_group(argc, argv, tests);
}
