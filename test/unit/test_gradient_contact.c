/*
 * Derivatives of br_contact_step(). Oracle: central differences of the step, of contacts of every method, anisotropic ones and such as are
 * larger; <w, J d> = <J^T w, d>. And what flags report.
 */
#include "gradient_fixture.h"

// A contact step: all that it depends on, as one array.
typedef struct held {
    const br_contact* like;
    double v[3], fn, h;
    br_law law;
    double z[MOST_STATES];
} held;

static void run_held(const held* in, double* out)
{
    const br_contact c = contact_like(in->like, &in->law);
    memcpy(out + 3, in->z, br_contact_get_state_count(&c) * sizeof *out);
    const br_wrench f = br_contact_step(&c, out + 3, twist_from(in->v), in->fn, in->h, NULL);
    memcpy(out, (double[3]){f.fx, f.fy, f.tau}, 3 * sizeof *out);
}

static held moved_held(const held* in, double e, const held* d)
{
    held out = *in;
    held direction = *d;
    for (int i = 0; i < 3; i++) {
        out.v[i] += e * d->v[i];
    }
    out.fn += e * d->fn;
    out.h += e * d->h;
    for (int by = 0; by < BR_BY_COUNT; by++) {
        *law_number(&out.law, by) += e * *law_number(&direction.law, by);
    }
    for (size_t i = 0; i < br_contact_get_state_count(in->like); i++) {
        out.z[i] += e * d->z[i];
    }
    return out;
}

static void random_held(uint64_t* seed, const br_contact* like, damping how, held* in, held* d)
{
    const size_t parts = br_contact_get_part_count(like), states = br_contact_get_state_count(like);
    memset(in, 0, sizeof *in);
    memset(d, 0, sizeof *d);
    in->like = like;
    in->law = random_law(seed, how);
    in->fn = log_uniform(seed, 0.5, 50.0);
    in->h = log_uniform(seed, 1e-5, 1e-2);
    d->fn = 0.1 * in->fn * some(seed);
    d->h = 0.1 * in->h * some(seed);
    const double z_max = in->law.mu_c / in->law.sigma0,
                 speed = log_uniform(seed, 1e-2, 1e2) * z_max / in->h;
    for (int i = 0; i < 3; i++) {
        in->v[i] = speed * some(seed) * (i == 2 ? 50.0 : 1.0);
        d->v[i] = 0.1 * speed * some(seed) * (i == 2 ? 50.0 : 1.0);
    }
    for (int by = 0; by < BR_BY_COUNT; by++) {
        *law_number(&d->law, by) = 0.05 * some(seed) * *law_number(&in->law, by);
    }
    d->law.alpha = 0.0;
    d->law.gamma *= in->law.gamma == 2.0 ? 0.0 : 1.0;
    const double size = how == STRONG ? 3.0 : 0.8;
    for (size_t i = 0; i < states; i++) {
        const int counts = br_contact_get_part(like, i % parts).weight > 0.0;
        const double length = counts ? z_max * (i >= 2 * parts ? 3e-3 : 1.0) : 0.0;
        in->z[i] = size * length * uniform(seed, -1.0, 1.0);
        d->z[i] = 0.1 * length * some(seed);
    }
}

// Both directions at a state; returns the relative error of J d, < 0 where a flag is set.
static double error_at(uint64_t* seed, const held* in, const held* d, double* identity)
{
    static double out[NUMBERS], dot[NUMBERS], w[NUMBERS], zb[MOST_STATES], plus[NUMBERS],
        minus[NUMBERS];
    const br_contact c = contact_like(in->like, &in->law);
    const size_t states = br_contact_get_state_count(&c), parts = br_contact_get_part_count(&c);
    held direction = *d;
    run_held(in, out);
    br_contact_step_tangent t = {
        .z0_dot = d->z, .v = twist_from(d->v), .fn = d->fn, .h = d->h, .z1_dot = dot + 3};
    for (int by = 0; by < BR_BY_COUNT; by++) {
        t.law[by] = *law_number(&direction.law, by);
    }
    br_contact_step_jvp(&c, in->z, out + 3, twist_from(in->v), in->fn, in->h, &t);
    memcpy(dot, (double[3]){t.f.fx, t.f.fy, t.f.tau}, 3 * sizeof *dot);
    double forward = 0.0, size = 0.0;
    for (size_t i = 0; i < 3 + states; i++) {
        const double scale = i < 2 ? 1.0 / (in->law.mu_c * in->fn)
                             : i == 2
                                 ? 100.0 / (in->law.mu_c * in->fn)
                                 : in->law.sigma0 / in->law.mu_c *
                                       (i >= 3 + 2 * parts ? 300.0 : 1.0) / sqrt((double)states);
        w[i] = scale * some(seed);
        forward += w[i] * dot[i];
        size += fabs(w[i] * dot[i]);
    }
    memcpy(zb, w + 3, states * sizeof *zb);
    br_contact_step_adjoint a = {.f_bar = wrench_from(w), .z1_bar = zb, .z0_bar = zb, .by_law = 1};
    br_contact_step_vjp(&c, in->z, out + 3, twist_from(in->v), in->fn, in->h, &a);
    double backward =
        a.v.vx * d->v[0] + a.v.vy * d->v[1] + a.v.w * d->v[2] + a.fn * d->fn + a.h * d->h;
    for (int by = 0; by < BR_BY_COUNT; by++) {
        backward += a.law[by] * t.law[by];
    }
    for (size_t i = 0; i < states; i++) {
        backward += zb[i] * d->z[i];
    }
    *identity = fmax(*identity, fabs(forward - backward) / size);
    assert_int_equal(a.flags, t.flags);
    double best = HUGE_VAL, error = 0.0, before[NUMBERS];
    for (double e = 1e-3; e > 5e-7; e *= 0.1) {
        const held more = moved_held(in, e, d), less = moved_held(in, -e, d);
        double off = 0.0, all = 0.0, self = 0.0;
        run_held(&more, plus);
        run_held(&less, minus);
        for (size_t i = 0; i < 3 + states; i++) {
            const double slope = (plus[i] - minus[i]) / (2.0 * e);
            off += pow(w[i] * (slope - dot[i]), 2.0);
            all += pow(w[i] * slope, 2.0);
            self += e < 5e-4 ? pow(w[i] * (slope - before[i]), 2.0) : HUGE_VAL;
            before[i] = slope;
        }
        if (self < best) {
            best = self;
            error = sqrt(off / all);
        }
    }
    return a.flags ? -1.0 : error;
}

static void check_held(const br_contact* like, damping how, int states)
{
    static held in, d;
    uint64_t seed = 5;
    double worst = 0.0, identity = 0.0;
    int flagged = 0, rough = 0;
    for (int i = 0; i < states; i++) {
        random_held(&seed, like, how, &in, &d);
        const double error = error_at(&seed, &in, &d, &identity);
        flagged += error < 0.0;
        rough += error > 1e-6; // a kink within the smallest difference
        worst = fmax(worst, error > 1e-6 ? 0.0 : error);
    }
    print_message("%d states: worst %.2g, identity %.2g, flagged %d, rough %d\n", states, worst,
                  identity, flagged, rough);
    assert_true(identity <= 1e-11);
    assert_true(rough <= states / 200);
    assert_true(flagged <= states / 4);
}

static void contact_steps_agree_with_differences(void** state)
{
    (void)state;
    for (int which = 0; which < MODELS; which++) {
        const br_contact_def def = disc_def(which, br_law_default(BR_LAW_LUGRE));
        br_contact* like;
        assert_status(br_contact_create(&def, &like, NULL), BR_OK);
        check_held(like, CONSTANT, 400);
        check_held(like, FADING, 400);
        check_held(like, STRONG, 400);
        br_contact_destroy(like);
    }
}

static void anisotropic_contacts_agree_with_differences(void** state)
{
    (void)state;
    for (int which = 0; which < MODELS; which++) {
        br_contact_def def = disc_def(which, br_law_default(BR_LAW_LUGRE));
        def.anisotropy.ratio = 0.6;
        def.anisotropy.angle = 0.4;
        if (which == TABLE) {
            def.patch = disc;
            def.surface = NULL;
        }
        br_contact* like;
        assert_status(br_contact_create(&def, &like, NULL), BR_OK);
        check_held(like, CONSTANT, 200);
        br_contact_destroy(like);
    }
}

// The disc of another radius: all its lengths scale.
static br_contact* larger(int which, double factor, br_law law)
{
    br_patch_def shape = br_patch_def_default();
    br_patch* patch;
    shape.radius = br_by_force_constant(0.01 * factor);
    assert_status(br_patch_create(&shape, &patch, NULL), BR_OK);
    br_contact_def def = disc_def(which, law);
    br_contact* made;
    def.patch = patch;
    def.surface = NULL;
    assert_status(br_contact_create(&def, &made, NULL), BR_OK);
    br_patch_destroy(patch);
    return made;
}

static void lengths_agree_with_differences(void** state)
{
    (void)state;
    for (int which = 0; which < MODELS; which++) {
        const double e = 1e-5;
        br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
        br_contact *at = larger(which, 1.0, law), *more = larger(which, 1.0 + e, law),
                   *less = larger(which, 1.0 - e, law);
        static held in, d;
        static double out[NUMBERS], plus[NUMBERS], minus[NUMBERS], dot[NUMBERS];
        uint64_t seed = 11;
        for (int i = 0; i < 20; i++) {
            random_held(&seed, at, CONSTANT, &in, &d);
            run_held(&in, out);
            in.like = more;
            run_held(&in, plus);
            in.like = less;
            run_held(&in, minus);
            const br_contact c = contact_like(at, &in.law);
            const size_t states = br_contact_get_state_count(at);
            br_contact_step_tangent t = {.length = 1.0, .z1_dot = dot + 3};
            br_contact_step_jvp(&c, in.z, out + 3, twist_from(in.v), in.fn, in.h, &t);
            memcpy(dot, (double[3]){t.f.fx, t.f.fy, t.f.tau}, 3 * sizeof *dot);
            double off[2] = {0.0}, all[2] = {1e-300, 1e-300};
            for (size_t k = 0; k < 3 + states; k++) {
                const double slope = (plus[k] - minus[k]) / (2.0 * e);
                off[k > 2] += pow((slope - dot[k]) * (k == 2 ? 100.0 : 1.0), 2.0);
                all[k > 2] += pow(slope * (k == 2 ? 100.0 : 1.0), 2.0);
            }
            // differences of 1e-5 leave 1e-6; tables of limit surfaces are computed for each radius
            assert_true(t.flags || (sqrt(off[0] / all[0]) < 1e-5 && sqrt(off[1] / all[1]) < 1e-5));
            br_contact_step_adjoint a = {.f_bar = {1.0, -2.0, 300.0}, .by_law = 1};
            br_contact_step_vjp(&c, in.z, out + 3, twist_from(in.v), in.fn, in.h, &a);
            const double expected = dot[0] - 2.0 * dot[1] + 300.0 * dot[2];
            assert_near(a.length, expected,
                        1e-11 * (fabs(dot[0]) + fabs(dot[1]) + 300.0 * fabs(dot[2])));
        }
        br_contact_destroy(at);
        br_contact_destroy(more);
        br_contact_destroy(less);
    }
}

/* Oracle: the rule of docs/robustness.md. NaN in gives NaN out: of the step, and of its derivatives in both directions. */
static void a_step_of_nan_has_derivatives_of_nan(void** state)
{
    (void)state;
    for (int which = 0; which < MODELS; which++) {
        br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
        br_contact* at = larger(which, 1.0, law);
        static held in, d;
        static double out[NUMBERS];
        uint64_t seed = 13;
        random_held(&seed, at, CONSTANT, &in, &d);
        in.h = (double)NAN;
        run_held(&in, out);
        assert_true(isnan(out[0]));
        br_contact_step_tangent t = {.v = {1.0, 2.0, 3.0}};
        br_contact_step_jvp(at, in.z, out + 3, twist_from(in.v), in.fn, in.h, &t);
        assert_true(isnan(t.f.fx));
        br_contact_step_adjoint a = {.f_bar = {1.0, -2.0, 300.0}};
        br_contact_step_vjp(at, in.z, out + 3, twist_from(in.v), in.fn, in.h, &a);
        assert_true(isnan(a.v.vx));
        br_contact_destroy(at);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_of_nan_has_derivatives_of_nan),
        cmocka_unit_test(contact_steps_agree_with_differences),
        cmocka_unit_test(anisotropic_contacts_agree_with_differences),
        cmocka_unit_test(lengths_agree_with_differences),
    };
    return run_disc_group(argc, argv, tests);
}
