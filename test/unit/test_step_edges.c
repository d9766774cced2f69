/*
 * Steps at the edges of what is allowed: a point as a pivot, bristles that yield from the first
 * deflection on, one number at a time.
 */
#include "step_fixture.h"

#include "law/law_internal.h"

/* ---- a single support point ------------------------------------------------------------------- */

static const br_support_point one_point = {0.013, -0.007, 2.0};

static br_patch* make_point(void)
{
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_POINTS;
    def.count = 1;
    def.points = &one_point;
    br_patch* patch = NULL;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    return patch;
}

// A body that slides and spins on a contact that is off its centre, for 0.5 s and some steps more.
static br_twist slide_to_pivot(const br_contact* contact, int order, double h)
{
    double z[MOST_STATES] = {0.0}, work[MOST_WORK];
    br_step_body body = body_of(0.5, 0.014, order);
    br_twist v = {0.1, 0.03, 2.0};
    br_step_contact c = {.contact = contact, .z = z, .fn = 5.0, .count = 1};
    c.arm = (br_vec2){one_point.x, one_point.y};
    for (int i = 0; i < (int)(0.5 / h) + 50; i++) {
        br_step_coupled(&body, &v, (br_wrench){0.0, 0.0, 0.0}, h, &c, 1, work);
    }
    for (size_t i = 0; i < br_contact_get_state_count(contact); i++) {
        assert_true(isfinite(z[i]));
    }
    return v;
}

/* Oracle: the distributed method, of which a single cell is the same law; and the body pivots. */
static void a_reduced_point_is_a_pivot_like_a_cell(void** state)
{
    (void)state;
    static const br_limit_method methods[] = {BR_LIMIT_EXACT, BR_LIMIT_SMOOTH, BR_LIMIT_BILINEAR,
                                              BR_LIMIT_ELLIPSOID, BR_LIMIT_FITTED};
    br_patch* patch = make_point();
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_DISTRIBUTED;
    def.patch = patch;
    br_contact* cell = NULL;
    assert_status(br_contact_create(&def, &cell, NULL), BR_OK);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        br_limit_def surface_def = br_limit_def_default();
        surface_def.patch = patch;
        surface_def.method = methods[i];
        br_limit* surface = NULL;
        assert_status(br_limit_create(&surface_def, &surface, NULL), BR_OK);
        br_contact_def reduced_def = br_contact_def_default();
        reduced_def.method = BR_METHOD_REDUCED;
        reduced_def.surface = surface;
        br_contact* point = NULL;
        assert_status(br_contact_create(&reduced_def, &point, NULL), BR_OK);
        for (int k = 0; k < 2 * 4; k++) {
            const int order = k % 2 + 1;
            const double h = pow(10.0, -4 + k / 2); // 0.1 ms .. 0.1 s
            const br_twist v = slide_to_pivot(point, order, h);
            const br_twist w = slide_to_pivot(cell, order, h);
            // the point is at rest
            assert_near(v.vx - v.w * one_point.y, 0.0, 1e-12 /* m/s: rounding of 1 m/s */);
            assert_near(v.vy + v.w * one_point.x, 0.0, 1e-12);
            // a table's h is off by 1e-3, and so is the distance to rest
            assert_near(v.w, w.w, (methods[i] == BR_LIMIT_EXACT ? 1e-9 : 2e-3) * fabs(w.w));
        }
        br_contact_destroy(point);
        br_limit_destroy(surface);
    }
    br_contact_destroy(cell);
    br_patch_destroy(patch);
}

/* ---- s_ba = 0 --------------------------------------------------------------------------------- */

/* Oracle: the equation itself, q (1 + A alpha(q)) = T, from deflections that are nearly 0 to full ones. */
static void the_plastic_root_solves_its_equation(void** state)
{
    (void)state;
    static const double bands[] = {0.0, 1e-12, 1e-3, 0.5, 0.9, 0.999};
    uint64_t seed = 3;
    for (int i = 0; i < 60000; i++) {
        const double s_ba = bands[i % 6];
        const double A = exp(uniform(&seed, log(1e-12), log(1e9)));
        const double most = 1.0 + fmin(A, 1.0);
        const double above = exp(uniform(&seed, log(1e-300), 0.0)) * (most - s_ba);
        const double T = s_ba + (i % 2 ? above : uniform(&seed, 0.0, most - s_ba));
        if (!(T > s_ba && T < 1.0 + A)) {
            continue;
        }
        const double q = bri_plastic_root(A, T, s_ba);
        assert_true(q >= s_ba && q > 0.0 && q <= fmin(T, 1.0) * (1.0 + 1e-15));

        // alpha of (6), in the form that keeps its digits at the lower end
        const double angle = BR_PI * (q - s_ba) / (1.0 - s_ba), sine = sin(0.5 * angle);
        const double alpha = sine * sine, slope = 0.5 * BR_PI * sin(angle) / (1.0 - s_ba);

        // rounding of q by itself changes the left side by this much
        const double steep = 1.0 + A * (alpha + q * slope);
        assert_near(q * (1.0 + A * alpha), T, 16.0 * 0x1p-52 * (T + q * steep));
    }
}

static int is_finite_energy(br_step_energy e)
{
    return isfinite(e.stored) && isfinite(e.work) && isfinite(e.dissipated);
}

/* Oracle: invariant. Bristles whose deflections nearly cancel a step have energies, and lose some. */
static void deflections_that_cancel_have_energies(void** state)
{
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < 4 * 300; i++) {
        const int which = i % MODELS;
        br_law law = law_of(1);
        law.s_ba = 0.0;
        law.gamma = i / MODELS % 2 ? 2.0 : 1.7; // both forms of g
        fixture f;
        fixture_init(&f, which, law);
        f.contact.fn = 3.0;
        const double h = exp(uniform(&seed, log(1e-6), log(0.1)));
        const br_twist v = {exp(uniform(&seed, log(1e-12), 0.0)), 0.0, 0.0};
        const double left = i % 3 ? exp(uniform(&seed, log(1e-40), log(1e-10))) : 0.0;
        for (size_t k = 0; k < br_contact_get_part_count(f.made); k++) {
            f.z[k] = -h * v.vx * (1.0 - left);
        }
        br_step_energy e;
        const br_wrench w = br_contact_step(f.made, f.z, v, 3.0, h, &e);
        assert_true(isfinite(w.fx) && isfinite(w.tau) && is_finite_energy(e));
        assert_true(e.dissipated >= -1e-12 * fabs(e.work) /* rounding */);
        fixture_free(&f);
    }
}

// A body that was kicked and is left alone: its bristles come to nothing.
static void leave_alone(fixture* f, double mass, double h, int order)
{
    const br_step_body body = body_of(mass, 0.01, order);
    br_twist v = {0.01, 0.003, 0.2};
    f->contact.fn = 5.0;
    for (int i = 0; i < 100; i++) {
        const br_wrench load = {i < 10 ? 1.0 : 0.0, 0.0, 0.0};
        const br_step_result r = br_step_coupled(&body, &v, load, h, &f->contact, 1, f->work);
        const br_step_ledger* e = &r.energy;
        assert_true(isfinite(v.vx) && isfinite(v.vy) && isfinite(v.w));
        assert_true(isfinite(e->stored_after) && isfinite(e->dissipated) && isfinite(e->numerical));
    }
}

/* Oracle: invariant. 2,400,000 such steps with random laws, masses and step sizes were run manually. */
static void a_body_left_alone_keeps_finite_energies(void** state)
{
    (void)state;
    uint64_t seed = 11;
    for (int i = 0; i < MODELS * 60; i++) {
        br_law law = law_of(1);
        law.s_ba = 0.0;
        law.sigma0 = exp(uniform(&seed, log(1e3), log(1e7)));
        law.sigma1 = exp(uniform(&seed, 0.0, log(5e3)));
        law.gamma = uniform(&seed, 0.0, 1.0) < 0.5 ? 2.0 : 1.7;
        fixture f;
        fixture_init(&f, i % MODELS, law);
        const double mass = exp(uniform(&seed, log(0.01), log(10.0)));
        leave_alone(&f, mass, exp(uniform(&seed, log(1e-6), log(0.1))), 1 + i / MODELS % 2);
        fixture_free(&f);
    }
}

/* ---- one number at a time --------------------------------------------------------------------- */

// Two guarded contacts on the same stream of held twists: wrenches, energies and bristles.
static void follow_both(fixture* fast, fixture* plain, uint64_t* seed)
{
    const br_law law = br_contact_get_def(fast->made)->law;
    for (int i = 0; i < 2000; i++) {
        const double h = exp(uniform(seed, log(1e-6), log(0.1)));
        const double speed = exp(uniform(seed, log(1e-6), 0.0));
        const br_twist v = {speed * uniform(seed, -1.0, 1.0), speed * uniform(seed, -1.0, 1.0),
                            100.0 * speed * uniform(seed, -1.0, 1.0)};
        br_step_energy e, p;
        memcpy(plain->z, fast->z, sizeof plain->z);
        const br_wrench f = br_contact_step(fast->made, fast->z, v, 1.0, h, &e);
        const br_wrench g = br_contact_step(plain->made, plain->z, v, 1.0, h, &p);

        // rounding of deflections up to mu_s/sigma0, which sigma1/h multiplies
        const double z_max = law.mu_s / law.sigma0;
        const double size = law.mu_s + law.sigma1 * (3.0 * speed + z_max / h); // [N]
        const double energy = size * (3.0 * h * speed + z_max);                // [J]
        assert_near(g.fx, f.fx, 1e-12 * size);
        assert_near(g.fy, f.fy, 1e-12 * size);
        assert_near(g.tau, f.tau, 1e-14 * size);
        assert_near(p.stored, e.stored, 1e-12 * energy);
        assert_near(p.dissipated, e.dissipated, 1e-12 * energy);
        assert_true(p.dissipated >= -1e-14 * energy && e.dissipated >= -1e-14 * energy);
        for (size_t k = 0; k < fast->states; k++) {
            assert_near(plain->z[k], fast->z[k], 1e-12 * z_max);
        }
    }
}

/* Oracle: the vectors. A law whose damping would often give energy back, were it not limited. */
static void plain_steps_are_those_of_vectors(void** state)
{
    (void)state;
    uint64_t seed = 28;
    for (int i = 0; i < 2 * MODELS; i++) {
        br_law law = law_of(i / MODELS);
        law.mu_c = 0.5, law.mu_s = 1.0;
        law.sigma1 = 1000.0;
        fixture fast, plain;
        fixture_init(&fast, i % MODELS, law);
        plain = fast;
        br_contact_def def = disc_def(i % MODELS, law);
        def.plain = 1;
        assert_status(br_contact_create(&def, &plain.made, NULL), BR_OK);
        follow_both(&fast, &plain, &seed);
        fixture_free(&plain);
        fixture_free(&fast);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reduced_point_is_a_pivot_like_a_cell),
        cmocka_unit_test(the_plastic_root_solves_its_equation),
        cmocka_unit_test(deflections_that_cancel_have_energies),
        cmocka_unit_test(a_body_left_alone_keeps_finite_energies),
        cmocka_unit_test(plain_steps_are_those_of_vectors),
    };
    return run_disc_group(argc, argv, tests);
}
