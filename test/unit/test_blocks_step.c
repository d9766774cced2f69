/* Tests of the module planar: steps of contacts of blocks with the twist held. */
#include "step_fixture.h"

// |z| of a block, its spin as a length
static double size_of(const br_contact* m, const double* z, size_t i)
{
    const size_t n = br_contact_get_part_count(m);
    const br_contact_part b = br_contact_get_part(m, i);
    const double t = b.xx + b.yy;
    return hypot(hypot(z[i], z[n + i]), t > 0.0 ? z[2 * n + i] / sqrt(t) : 0.0);
}

static double stored(const br_contact* m, const double* z, double fn)
{
    double sum = 0.0;
    for (size_t i = 0; i < br_contact_get_part_count(m); i++) {
        const double size = size_of(m, z, i);
        sum += 0.5 * fn * br_contact_get_def(m)->law.sigma0 * br_contact_get_part(m, i).weight *
               size * size;
    }
    return sum;
}

/* Oracle: invariant. For any step size: finite, bounded, the ledger closes, nothing is gained. */
static void steps_of_any_size_are_bounded_and_passive(void** state)
{
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < 500; i++) {
        br_law law = law_of(i % 2);
        law.mu_s = uniform(&seed, 1.0, 2.0); // misses the passivity condition almost always
        law.sigma1 = uniform(&seed, 0.0, 5000.0);
        law.s_ba = uniform(&seed, 0.0, 0.98);
        law.v_damping = i % 4 < 2 ? 0.0 : uniform(&seed, 1e-4, 1e-2);
        fixture f;
        fixture_init(&f, BLOCKS, law);
        fixture_shake(&f, &seed, 2e-6);
        const size_t n = br_contact_get_part_count(f.made);
        const double h = pow(10.0, uniform(&seed, -6.0, -1.0)), fn = uniform(&seed, 0.0, 100.0);
        const double speed = pow(10.0, uniform(&seed, -6.0, 1.0));
        const br_twist v = {speed * uniform(&seed, -1.0, 1.0), speed * uniform(&seed, -1.0, 1.0),
                            speed / 0.007 * uniform(&seed, -1.0, 1.0)};
        double largest = 0.0;
        for (size_t k = 0; k < n; k++) {
            largest = fmax(largest, size_of(f.made, f.z, k));
        }
        const double before = stored(f.made, f.z, fn);
        br_step_energy e;
        const br_wrench w = br_contact_step(f.made, f.z, v, fn, h, &e);
        const double work = -h * (w.fx * v.vx + w.fy * v.vy + w.tau * v.w);
        const double scale = fabs(work) + before + e.stored;
        assert_near(e.work, work, 1e-12 * scale /* rounding of the sums */);
        assert_near(e.work, e.stored - before + e.dissipated, 1e-12 * scale);
        assert_near(e.stored, stored(f.made, f.z, fn), 1e-12 * scale);
        assert_true(e.dissipated >= -1e-13 * scale);

        // steady sliding has vn g/(s sigma0) on a block, and vn is well below 2 s
        const double most = 2.0 * law.mu_s / law.sigma0;
        for (size_t k = 0; k < n; k++) {
            assert_true(size_of(f.made, f.z, k) <= fmax(largest, most) * (1.0 + 1e-12));
        }
        fixture_free(&f);
    }
}

/* Oracle: the step of cells. A block for every point is a cell. */
static void blocks_without_size_step_as_cells(void** state)
{
    (void)state;
    static const br_support_point tripod[] = {
        {0.01, 0.0, 1.0}, {-0.004, 0.007, 2.0}, {-0.003, -0.009, 1.5}};
    br_patch_def shape = br_patch_def_default();
    shape.shape = BR_SHAPE_POINTS;
    shape.count = 3;
    shape.points = tripod;
    br_patch* patch = NULL;
    assert_status(br_patch_create(&shape, &patch, NULL), BR_OK);
    uint64_t seed = 6;
    for (int i = 0; i < 100; i++) {
        br_contact_def def = br_contact_def_default();
        def.patch = patch;
        def.law = law_of(i % 2);
        br_contact_def all = def;
        all.method = BR_METHOD_DISTRIBUTED;
        br_contact *m = NULL, *d = NULL;
        assert_status(br_contact_create(&def, &m, NULL), BR_OK);
        assert_status(br_contact_create(&all, &d, NULL), BR_OK);
        const size_t n = br_contact_get_part_count(m);
        double z[64] = {0.0}, z_d[64] = {0.0};
        for (int k = 0; k < 20; k++) {
            const double speed = pow(10.0, uniform(&seed, -5.0, -1.0));
            const double h = pow(10.0, uniform(&seed, -6.0, -2.0));
            const br_twist v = {speed, speed * uniform(&seed, -1.0, 1.0), 50.0 * speed};
            const br_wrench f = br_contact_step(m, z, v, 1.5, h, NULL);
            const br_wrench g = br_contact_step(d, z_d, v, 1.5, h, NULL);
            const double scale = 1.5 * (1.2 + 800.0 * speed);
            assert_near(f.fx, g.fx, 1e-12 * scale /* rounding, grown over 20 steps */);
            assert_near(f.tau, g.tau, 1e-14 * scale);
            for (size_t j = 0; j < 2 * n; j++) {
                assert_near(z[j], z_d[j], 1e-12 * 1.2e-6);
            }
        }
        br_contact_destroy(m);
        br_contact_destroy(d);
    }
    br_patch_destroy(patch);
}

/* Oracle: order of convergence against the rates themselves, with very short steps. */
static void steps_converge_with_order_one(void** state)
{
    (void)state;
    const br_twist v = {3e-4, -1e-4, 0.05};
    const double time = 5e-3;
    for (int elasto_plastic = 0; elasto_plastic < 2; elasto_plastic++) {
        static double fine[MOST_STATES], dz[MOST_STATES];
        fixture f;
        fixture_init(&f, BLOCKS, law_of(elasto_plastic));
        memset(fine, 0, sizeof fine);
        for (int i = 0; i < 40000; i++) {
            br_contact_eval(f.made, fine, v, 1.0, dz);
            for (size_t k = 0; k < f.states; k++) {
                fine[k] += time / 40000 * dz[k];
            }
        }
        double last = 0.0;
        for (int steps = 50; steps <= 400; steps *= 2) {
            memset(f.z, 0, sizeof f.z);
            for (int i = 0; i < steps; i++) {
                br_contact_step(f.made, f.z, v, 1.0, time / steps, NULL);
            }
            double error = 0.0;
            for (size_t k = 0; k < f.states; k++) {
                error = fmax(error, fabs(f.z[k] - fine[k]));
            }
            assert_true(last == 0.0 || (last / error > 1.6 && last / error < 2.4));
            last = error;
        }
        fixture_free(&f);
    }
}

/* Oracle: the steady state. A long step ends where long sliding ends. */
static void a_long_step_ends_in_steady_sliding(void** state)
{
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 50; i++) {
        fixture f;
        fixture_init(&f, BLOCKS, law_of(i % 2));
        fixture_shake(&f, &seed, 1e-6);
        static double dz[MOST_STATES];
        const br_twist v = {0.01, 0.01 * uniform(&seed, -1.0, 1.0), uniform(&seed, -3.0, 3.0)};
        br_contact_step(f.made, f.z, v, 1.0, 1e3, NULL);
        br_contact_eval(f.made, f.z, v, 1.0, dz);
        for (size_t k = 0; k < f.states; k++) {
            assert_near(dz[k], 0.0, 1e-6 * 0.01 /* one relaxation length in 10 m of sliding */);
        }
        fixture_free(&f);
    }
}

/* Oracle: definition. No normal force: no wrench, nothing stored, bristles forgotten. */
static void a_lifted_patch_forgets(void** state)
{
    (void)state;
    uint64_t seed = 8;
    fixture f;
    fixture_init(&f, BLOCKS, law_of(1));
    fixture_shake(&f, &seed, 1e-6);
    br_step_energy e;
    const br_wrench w = br_contact_step(f.made, f.z, (br_twist){0.1, 0.0, 1.0}, 0.0, 1e-3, &e);
    assert_near(fabs(w.fx) + fabs(w.fy) + fabs(w.tau), 0.0, 0.0);
    assert_near(e.stored + e.work + e.dissipated, 0.0, 0.0);
    for (size_t k = 0; k < f.states; k++) {
        assert_near(f.z[k], 0.0, 0.0);
    }
    fixture_free(&f);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_of_any_size_are_bounded_and_passive),
        cmocka_unit_test(blocks_without_size_step_as_cells),
        cmocka_unit_test(steps_converge_with_order_one),
        cmocka_unit_test(a_long_step_ends_in_steady_sliding),
        cmocka_unit_test(a_lifted_patch_forgets),
    };
    return run_disc_group(argc, argv, tests);
}
