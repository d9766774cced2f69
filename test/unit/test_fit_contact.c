/*
 * Fits of planar contacts.
 */
#include "fit_data.h"

#include <stdio.h>
#include <string.h>

#include "bristle/contact.h"
#include "bristle/fit_contact.h"
#include "fit/contact_history.h"

enum { ROWS = 400 };

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

static br_law known(br_law_kind kind)
{
    br_law law = br_law_default(kind);
    law.mu_c = 0.5;
    law.mu_s = 0.7;
    law.v_stribeck = 0.006;
    law.sigma0 = 1000;
    law.sigma1 = 8;
    law.sigma2 = 2;
    law.s_ba = 0.4;
    return law;
}

// Patches of every kind, `scale` times as large as they are given to the fit.
static br_patch* make_patch(br_shape shape, double scale)
{
    const br_vec2 triangle[] = {
        {0.012 * scale, -0.006 * scale}, {0.0, 0.014 * scale}, {-0.012 * scale, -0.006 * scale}};
    const br_support_point feet[] = {{0.01 * scale, 0.004 * scale, 1},
                                     {-0.01 * scale, 0.004 * scale, 2},
                                     {0.0, -0.01 * scale, 1}};
    const double cells[] = {1, 2, 0, 1, 3, 1};
    br_patch_def def = br_patch_def_default();
    def.shape = shape;
    def.radius = br_by_force_constant(0.01 * scale);
    def.size_x = 0.03 * scale;
    def.size_y = 0.016 * scale;
    def.length = 0.024 * scale;
    def.angle = shape == BR_SHAPE_RECTANGLE ? 0.4 : 0.0;
    def.vertices = shape == BR_SHAPE_POLYGON ? triangle : NULL;
    def.points = shape == BR_SHAPE_POINTS ? feet : NULL;
    def.count = shape == BR_SHAPE_POLYGON || shape == BR_SHAPE_POINTS ? 3 : 0;
    def.columns = 3;
    def.rows = 2;
    def.cells = shape == BR_SHAPE_GRID ? cells : NULL;
    def.pressure = shape == BR_SHAPE_DISC ? BR_PRESSURE_POWER : BR_PRESSURE_UNIFORM;
    def.k = br_by_force_constant(2);
    br_patch* patch;
    br_reason why = {"", ""};
    if (br_patch_create(&def, &patch, &why) != BR_OK) {
        fail_msg("%s: %s: %s", br_shape_name(shape), why.field, why.text);
    }
    return patch;
}

// The library's own contact in fine steps.
static void simulate(wrenches* r, const br_patch* patch, br_method method, br_law_kind law,
                     double noise, uint64_t* seed)
{
    enum { STEPS = 40 };
    const double dt = 0.008;
    br_contact* contact;
    br_contact_def def = br_contact_def_default();
    def.method = method;
    def.patch = patch;
    def.law = known(law);
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
}

// --- histories -----------------------------------------------------------------------------------------

// Every entry of the Jacobian of a history beside differences.
static void check_derivatives(const contact_history* h, const char* name)
{
    static double f[3 * ROWS], up[3 * ROWS], down[3 * ROWS];
    static double jacobian[3 * ROWS * CONTACT_INPUTS], other[3 * ROWS * CONTACT_INPUTS];
    const double p[CONTACT_INPUTS] = {0.5, 0.7, 0.006, 1000, 0.4, 1.1, 2.3, 8, 2};
    bri_contact_history(h, p, f, jacobian);
    for (int k = 0; k < CONTACT_INPUTS; k++) {
        double moved[CONTACT_INPUTS], worst = 0, largest = 1e-12;
        const double step = 1e-6 * p[k];
        memcpy(moved, p, sizeof moved);
        moved[k] = p[k] + step;
        bri_contact_history(h, moved, up, other);
        moved[k] = p[k] - step;
        bri_contact_history(h, moved, down, other);
        for (int at = 0; at < 3 * ROWS; at++) {
            const double scale = at < 2 * ROWS ? 1 : 100; // torques are smaller by the radius
            const double difference = (up[at] - down[at]) / (2 * step);
            const double off = scale * fabs(difference - jacobian[3 * ROWS * k + at]);
            largest = fmax(largest, scale * fabs(difference));
            worst = isnan(worst) || off <= worst ? worst : off; // NaN stays
        }
        // differences are right to 1e-7, but where a part begins to turn or to yield within a step
        if (!(worst <= 1e-4 * largest)) {
            fail_msg("%s, input %d: %g of %g", name, k, worst, largest);
        }
    }
}

/* Oracle: central differences. Both laws, both methods, a disc whose pressure changes and a triangle. */
static void derivatives_are_those_of_differences(void** state)
{
    (void)state;
    static wrenches r;
    uint64_t seed = 1;
    static const br_shape shapes[] = {BR_SHAPE_DISC, BR_SHAPE_POLYGON};
    for (int i = 0; i < 8; i++) {
        br_patch* patch = make_patch(shapes[i & 1], 1);
        const br_method method = i & 2 ? BR_METHOD_BLOCKS : BR_METHOD_DISTRIBUTED;
        contact_parts parts;
        simulate(&r, patch, BR_METHOD_BLOCKS, BR_LAW_LUGRE, 0, &seed);
        assert_status(bri_parts_create(patch, method, 3, &parts, NULL), BR_OK);
        contact_history h = {data_of(&r), i & 4, &parts, NULL};
        h.data.count = ROWS;
        h.state = calloc(bri_contact_history_room(&parts), sizeof *h.state);
        char name[64];
        snprintf(name, sizeof name, "%s %s %s", br_shape_name(shapes[i & 1]),
                 i & 2 ? "blocks" : "cells", i & 4 ? "elasto-plastic" : "lugre");
        check_derivatives(&h, name);
        free(h.state);
        bri_parts_destroy(&parts);
        br_patch_destroy(patch);
    }
}

/* Oracle: the library's contact in fine steps. The history of the same blocks differs by what rows of 8 ms leave. */
static void histories_are_those_of_contacts(void** state)
{
    (void)state;
    static wrenches r;
    static double f[3 * ROWS], jacobian[3 * ROWS * CONTACT_INPUTS];
    uint64_t seed = 1;
    for (int shape = BR_SHAPE_DISC; shape <= BR_SHAPE_GRID; shape++) {
        for (int plastic = 0; plastic < 2; plastic++) {
            br_patch* patch = make_patch((br_shape)shape, 1);
            contact_parts parts;
            const double p[CONTACT_INPUTS] = {0.5, 0.7, 0.006, 1000, 0.4, 1, 2, 8, 2};
            simulate(&r, patch, BR_METHOD_BLOCKS, plastic ? BR_LAW_ELASTO_PLASTIC : BR_LAW_LUGRE, 0,
                     &seed);
            assert_status(bri_parts_create(patch, BR_METHOD_BLOCKS, 5, &parts, NULL), BR_OK);
            contact_history h = {data_of(&r), plastic, &parts, NULL};
            h.state = calloc(bri_contact_history_room(&parts), sizeof *h.state);
            bri_contact_history(&h, p, f, jacobian);
            double square = 0, torque = 0;
            for (int i = 0; i < ROWS; i++) {
                square += pow(f[i] - r.fx[i], 2) + pow(f[ROWS + i] - r.fy[i], 2);
                torque += pow(f[2 * ROWS + i] - r.tau[i], 2);
            }
            const double force = sqrt(square / ROWS);
            print_message("%-9s %s: %.3f N, %.2g N m off\n", br_shape_name((br_shape)shape),
                          plastic ? "elasto-plastic" : "lugre", force, sqrt(torque / ROWS));
            assert_true(force < 0.15); // of 5 N
            assert_true(sqrt(torque / ROWS) < 2e-3);
            free(h.state);
            bri_parts_destroy(&parts);
            br_patch_destroy(patch);
        }
    }
}

// --- fits ----------------------------------------------------------------------------------------------

static void show(const br_fit_contact_result* fit)
{
    for (int k = 0; k < BR_FIT_CONTACT_COUNT; k++) {
        const br_fit_estimate* e = &fit->estimates[k];
        if (fit->has >> k & 1) {
            print_message("%-7s %9.4g +- %-8.2g [%.4g, %.4g] %s\n", e->name, e->value, e->error,
                          e->low, e->high, e->words);
        }
    }
}

// Fit to what a contact 1.3 times as large as `patch` does, and check what comes out.
static void check_found(br_shape shape, br_method method, br_law_kind law)
{
    static wrenches r;
    uint64_t seed = 3;
    br_patch *truth = make_patch(shape, 1.3), *given = make_patch(shape, 1);
    simulate(&r, truth, method, law, 0.05, &seed);
    br_fit_contact_def def = br_fit_contact_def_default();
    def.data = data_of(&r);
    def.method = method;
    def.law = law;
    def.patch = given;
    br_fit_contact_result fit;
    br_reason why = {"", ""};
    assert_status(br_fit_contact(&def, NULL, &fit, &why), BR_OK);
    print_message("%s, %s, %s: %.4f N, %.2g N m, %zu evaluations\n", br_shape_name(shape),
                  method == BR_METHOD_BLOCKS ? "blocks" : "cells", br_law_name(law), fit.rms_force,
                  fit.rms_torque, fit.evaluations);
    show(&fit);
    // rows of 8 ms stand for fine steps, 13 cells across for 21: some per cent
    const int is_round = shape == BR_SHAPE_DISC || shape == BR_SHAPE_RING;
    const double size = is_round ? fit.estimates[BR_FIT_CONTACT_RADIUS].value / 0.01
                                 : fit.estimates[BR_FIT_CONTACT_SCALE].value;
    assert_near_relative(fit.law.mu_c, 0.5, 0.04);
    assert_near(fit.law.mu_s, 0.7, 0.05 + 3 * fit.estimates[BR_FIT_CONTACT_MU_S].error);
    assert_near_relative(fit.law.sigma0, 1000.0, 0.08);
    assert_near_relative(size, 1.3, 0.05);
    assert_true(fit.rms_force < 0.09 && fit.rms_force > 0.045); // the noise, and that
    if (law == BR_LAW_ELASTO_PLASTIC) {
        assert_near(fit.law.s_ba, 0.4, 0.15);
    }
    br_patch_destroy(truth);
    br_patch_destroy(given);
}

/* Oracle: the contact of the library that made the data, by the same method in fine steps. */
static void contacts_are_found(void** state)
{
    (void)state;
    check_found(BR_SHAPE_DISC, BR_METHOD_BLOCKS, BR_LAW_LUGRE);
    check_found(BR_SHAPE_DISC, BR_METHOD_DISTRIBUTED, BR_LAW_LUGRE);
    check_found(BR_SHAPE_RECTANGLE, BR_METHOD_BLOCKS, BR_LAW_LUGRE);
    check_found(BR_SHAPE_RING, BR_METHOD_BLOCKS, BR_LAW_LUGRE);
    check_found(BR_SHAPE_POLYGON, BR_METHOD_DISTRIBUTED, BR_LAW_LUGRE);
    check_found(BR_SHAPE_POINTS, BR_METHOD_BLOCKS, BR_LAW_LUGRE);
    check_found(BR_SHAPE_RECTANGLE, BR_METHOD_BLOCKS, BR_LAW_ELASTO_PLASTIC);
    check_found(BR_SHAPE_POINTS, BR_METHOD_DISTRIBUTED, BR_LAW_ELASTO_PLASTIC);
}

/* Oracle: the data. Without spin neither radius nor exponent are told; what is known is kept; mistakes are named. */
static void what_data_cannot_tell_is_said(void** state)
{
    (void)state;
    static wrenches r;
    uint64_t seed = 5;
    br_patch* disc = make_patch(BR_SHAPE_DISC, 1);
    simulate(&r, disc, BR_METHOD_BLOCKS, BR_LAW_LUGRE, 0.05, &seed);
    br_patch_destroy(disc);
    br_fit_contact_def def = br_fit_contact_def_default();
    br_fit_contact_result fit;
    br_reason why = {"", ""};
    def.data = data_of(&r);
    def.resolution = 3;
    def.fixed = 1u << BR_FIT_CONTACT_SIGMA1 | 1u << BR_FIT_CONTACT_RADIUS;
    def.values[BR_FIT_CONTACT_SIGMA1] = 8;
    def.values[BR_FIT_CONTACT_RADIUS] = 0.01;
    assert_status(br_fit_contact(&def, NULL, &fit, &why), BR_OK);
    assert_true(fit.law.sigma1 == 8 && fit.estimates[BR_FIT_CONTACT_RADIUS].is_fixed);
    assert_true(fit.estimates[BR_FIT_CONTACT_RADIUS].value == 0.01);
    def.fixed = 0;
    memset(r.w, 0, sizeof r.w);
    for (int i = 0; i < ROWS; i++) {
        r.tau[i] = 1e-4 * normal(&seed);
    }
    assert_status(br_fit_contact(&def, NULL, &fit, NULL), BR_OK);
    assert_false(fit.estimates[BR_FIT_CONTACT_RADIUS].is_told);
    assert_false(fit.estimates[BR_FIT_CONTACT_K].is_told);
    def.fixed = 1u << BR_FIT_CONTACT_SCALE;
    def.values[BR_FIT_CONTACT_SCALE] = 1;
    assert_status(br_fit_contact(&def, NULL, &fit, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "scale");
    def.fixed = 0;
    r.fn[10] = 0;
    assert_status(br_fit_contact(&def, NULL, &fit, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "fn");
}

static int stop_soon(void* user)
{
    int* asked = user;
    return ++*asked > 8;
}

/* Oracle: the caller's wish. A fit that is stopped gives the best so far; failed allocations leave nothing. */
static void fits_stop_and_clean_up(void** state)
{
    (void)state;
    static wrenches r;
    uint64_t seed = 5;
    br_patch* patch = make_patch(BR_SHAPE_RECTANGLE, 1);
    simulate(&r, patch, BR_METHOD_BLOCKS, BR_LAW_LUGRE, 0.05, &seed);
    br_fit_contact_def def = br_fit_contact_def_default();
    br_fit_contact_result fit;
    int asked = 0;
    const br_fit_watch watch = {.stop = stop_soon, .user = &asked};
    def.data = data_of(&r);
    def.patch = patch;
    def.resolution = 2;
    assert_status(br_fit_contact(&def, &watch, &fit, NULL), BR_ERR_STOPPED);
    assert_true(fit.rms_force > 0 && fit.rms_force < 5);
    assert_status(br_law_check(&fit.law, NULL), BR_OK);
    counting count = {0};
    br_set_allocator(counting_allocate, counting_release, &count);
    for (count.fail_at = 1; count.fail_at < 12; count.fail_at++) {
        count.calls = 0;
        assert_status(br_fit_contact(&def, NULL, &fit, NULL), BR_ERR_MEMORY);
        assert_int_equal(count.alive, 0);
    }
    br_set_allocator(NULL, NULL, NULL);
    br_patch_destroy(patch);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_those_of_differences),
        cmocka_unit_test(histories_are_those_of_contacts), cmocka_unit_test(contacts_are_found),
        cmocka_unit_test(what_data_cannot_tell_is_said), cmocka_unit_test(fits_stop_and_clean_up)};
    return run_group(argc, argv, tests);
}
