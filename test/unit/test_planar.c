/* Tests of the module planar: contacts of the method distributed. */
#include "planar_shapes.h"

#include "bristle/papers.h"

#include <string.h>

enum { MOST_CELLS = 2000 };

static br_contact_def cells_def(const br_patch* patch)
{
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_DISTRIBUTED;
    def.patch = patch;
    return def;
}

static br_contact* make_contact(br_contact_def def)
{
    br_contact* contact = NULL;
    assert_status(br_contact_create(&def, &contact, NULL), BR_OK);
    assert_true(br_contact_get_part_count(contact) <= MOST_CELLS);
    return contact;
}

static br_contact* make_model(int which, br_law law, int plain)
{
    br_patch* patch = make_patch(patch_def(which));
    br_contact_def def = cells_def(patch);
    def.law = law;
    def.plain = plain;
    br_contact* contact = make_contact(def);
    br_patch_destroy(patch); // used during creation only
    return contact;
}

static void random_state(uint64_t* seed, const br_contact* m, double size, double* z)
{
    const size_t n = br_contact_get_part_count(m);
    for (size_t i = 0; i < n; i++) {
        const int counts = br_contact_get_part(m, i).weight > 0.0;
        const double length = size * uniform(seed, 0.0, 1.3), angle = uniform(seed, -BR_PI, BR_PI);
        z[i] = counts * length * cos(angle);
        z[n + i] = counts * length * sin(angle);
    }
}

/* Oracle: one lane. Rates and wrenches agree to rounding on every patch, law, regime. */
static void all_lanes_and_one_agree(void** state)
{
    (void)state;
    static double z[2 * MOST_CELLS], fast[2 * MOST_CELLS], plain[2 * MOST_CELLS];
    uint64_t seed = 1;
    for (int i = 0; i < 400; i++) {
        br_law law = br_law_default(i % 2 ? BR_LAW_LUGRE : BR_LAW_ELASTO_PLASTIC);
        law.s_ba = i % 7 == 0 ? 0.0 : 0.9;
        br_contact* a = make_model(i % PATCHES, law, 0);
        br_contact* b = make_model(i % PATCHES, law, 1);
        const size_t n = br_contact_get_part_count(a);
        const double speed = pow(10.0, uniform(&seed, -7.0, 0.0));
        const br_twist v = i % 11 == 0 ? (br_twist){0.0, 0.0, 0.0} : random_twist(&seed, speed);
        random_state(&seed, a, 1.2e-6, z);
        const br_wrench f = br_contact_eval(a, z, v, 1.5, fast);
        const br_wrench g = br_contact_eval(b, z, v, 1.5, plain);
        const double scale = 1.5 * (1.2 + law.sigma1 * speed * 3.0);
        assert_near(f.fx, g.fx, 1e-13 * scale /* rounding of 400 cells */);
        assert_near(f.fy, g.fy, 1e-13 * scale);
        assert_near(f.tau, g.tau, 1e-15 * scale);
        for (size_t k = 0; k < 2 * n; k++) {
            assert_near(fast[k], plain[k], 1e-13 * (speed * 3.0) + 1e-300);
        }
        br_contact_destroy(a);
        br_contact_destroy(b);
    }
}

/* Oracle: one lane. Derivatives agree to rounding, at rest and far beyond the band, too. */
static void gradients_of_all_lanes_and_one_agree(void** state)
{
    (void)state;
    static double z[2 * MOST_CELLS], fast[2][6 * MOST_CELLS], plain[2][6 * MOST_CELLS];
    uint64_t seed = 2;
    for (int i = 0; i < 200; i++) {
        br_law law = br_law_default(i % 2 ? BR_LAW_LUGRE : BR_LAW_ELASTO_PLASTIC);
        law.s_ba = i % 7 == 0 ? 0.0 : 0.9;
        br_contact* a = make_model(i % PATCHES, law, 0);
        br_contact* b = make_model(i % PATCHES, law, 1);
        const size_t n = br_contact_get_part_count(a);
        const double speed = i % 13 == 0 ? 1e120 : pow(10.0, uniform(&seed, -7.0, 0.0));
        const br_twist v = i % 11 == 0 ? (br_twist){0.0, 0.0, 0.0} : random_twist(&seed, speed);
        random_state(&seed, a, i % 17 == 0 ? 0.0 : 1.2e-6, z);
        br_contact_gradient many = {.dz_z = fast[0], .dz_v = fast[1]};
        br_contact_gradient one = {.dz_z = plain[0], .dz_v = plain[1]};
        br_contact_gradient_eval(a, z, v, 1.0, &many);
        br_contact_gradient_eval(b, z, v, 1.0, &one);
        for (size_t k = 0; k < 4 * n; k++) {
            const double scale = 30.0 * law.sigma0 * speed * 3.0; // the band is steep
            assert_near(fast[0][k], plain[0][k], 1e-13 * scale);
        }
        for (size_t k = 0; k < 6 * n; k++) {
            const double arm = k / n % 3 < 2 ? 1.0 : 0.03; // m, of a spin
            assert_near(fast[1][k], plain[1][k], 1e-12 * arm /* of 1, the slope of the band 16 */);
        }
        br_contact_destroy(a);
        br_contact_destroy(b);
    }
}

/* Oracle: the one-dimensional law. Pure translation moves every bristle alike. */
static void pure_translation_is_the_one_dimensional_law(void** state)
{
    (void)state;
    static double z[2 * MOST_CELLS], dz[2 * MOST_CELLS];
    uint64_t seed = 2;
    for (int i = 0; i < 200; i++) {
        const br_law law = br_law_default(i % 2 ? BR_LAW_LUGRE : BR_LAW_ELASTO_PLASTIC);
        br_contact* m = make_model(i % 2, law, 0); // symmetric patches: no torque
        const size_t n = br_contact_get_part_count(m);
        const double deflection = uniform(&seed, -1.2e-6, 1.2e-6), v = uniform(&seed, -5e-3, 5e-3);
        memset(z, 0, sizeof z);
        for (size_t k = 0; k < n; k++) {
            z[k] = br_contact_get_part(m, k).weight > 0.0 ? deflection : 0.0;
        }
        const br_wrench f = br_contact_eval(m, z, (br_twist){v, 0.0, 0.0}, 2.0, dz);
        const br_law_value line = br_law_eval(&law, deflection, v, 2.0);
        assert_near(f.fx, -line.f, 1e-12 /* N, rounding of 400 cells */);
        assert_near(f.fy, 0.0, 1e-15);
        assert_near(f.tau, 0.0, 1e-14);
        assert_near(dz[n / 2], line.dz, 1e-15 * 1e-2);
        br_contact_destroy(m);
    }
}

/* Oracle: central differences, away from the ends of the plastic band (truncation 1e-6). */
static void gradients_match_central_differences(void** state)
{
    (void)state;
    static double z[2 * MOST_CELLS], up[2 * MOST_CELLS], down[2 * MOST_CELLS];
    static double dz_z[4 * MOST_CELLS], dz_v[6 * MOST_CELLS];
    uint64_t seed = 3;
    for (int i = 0; i < 60; i++) {
        const br_law law = br_law_default(i % 2 ? BR_LAW_LUGRE : BR_LAW_ELASTO_PLASTIC);
        br_contact* m = make_model(POINTS, law, 1); // three cells with gaps between them
        const size_t n = br_contact_get_part_count(m);
        const br_twist v = random_twist(&seed, pow(10.0, uniform(&seed, -4.0, -2.0)));
        random_state(&seed, m, 1.2e-6, z);
        br_contact_gradient_eval(m, z, v, 1.0, &(br_contact_gradient){.dz_z = dz_z, .dz_v = dz_v});
        for (size_t k = 0; k < 3; k++) {
            const br_vec2 at = br_contact_get_part(m, k).position;
            const br_vec2 v_t = {v.vx - v.w * at.y, v.vy + v.w * at.x};
            const double speed = br_vec2_norm(v_t);
            const double q = hypot(z[k], z[n + k]) * law.sigma0 / br_law_g(&law, speed);
            if (fabs(q - 0.9) < 0.01 || fabs(q - 1.0) < 0.01) {
                continue;
            }
            for (size_t axis = 0; axis < 2; axis++) {
                const double hz = 1e-12;
                double* entry = &z[axis ? n + k : k];
                const double kept = *entry;
                *entry = kept + hz;
                br_contact_eval(m, z, v, 1.0, up);
                *entry = kept - hz;
                br_contact_eval(m, z, v, 1.0, down);
                *entry = kept;
                const double scale = law.sigma0 * speed * 20.0; // the band is steep
                assert_near(dz_z[(0 + axis) * n + k], (up[k] - down[k]) / (2.0 * hz), 1e-5 * scale);
                assert_near(dz_z[(2 + axis) * n + k], (up[n + k] - down[n + k]) / (2.0 * hz),
                            1e-5 * scale);
            }
            for (size_t axis = 0; axis < 3; axis++) {
                const double arm = axis < 2 ? 1.0 : 0.01, hv = 1e-6 * speed / arm; // arm: m
                br_twist plus = v, minus = v;
                *(axis == 0 ? &plus.vx : axis == 1 ? &plus.vy : &plus.w) += hv;
                *(axis == 0 ? &minus.vx : axis == 1 ? &minus.vy : &minus.w) -= hv;
                br_contact_eval(m, z, plus, 1.0, up);
                br_contact_eval(m, z, minus, 1.0, down);
                assert_near(dz_v[(0 + axis) * n + k], (up[k] - down[k]) / (2.0 * hv),
                            2e-5 * 20.0 * arm);
                assert_near(dz_v[(3 + axis) * n + k], (up[n + k] - down[n + k]) / (2.0 * hv),
                            2e-5 * 20.0 * arm);
            }
        }
        br_contact_destroy(m);
    }
}

/* Oracle: invariant. A patch turned by an angle feels the turned twist as the patch itself does. */
static void a_turned_patch_turns_twist_and_wrench(void** state)
{
    (void)state;
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_RECTANGLE;
    def.size_x = 0.02, def.size_y = 0.01;
    def.pressure = BR_PRESSURE_LINEAR;
    def.from = 1.0, def.to = 2.0;
    const double angle = 0.6;
    br_contact* model[2];
    for (int i = 0; i < 2; i++) {
        def.angle = i ? angle : 0.0;
        br_patch* patch = NULL;
        assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
        model[i] = make_contact(cells_def(patch));
        br_patch_destroy(patch);
    }
    static double z[2 * MOST_CELLS], dz[2 * MOST_CELLS];
    uint64_t seed = 4;
    for (int i = 0; i < 100; i++) {
        random_state(&seed, model[0], 1.1e-6, z);
        const br_twist v = random_twist(&seed, 1e-3);
        const br_vec2 slide = br_vec2_rotate((br_vec2){v.vx, v.vy}, angle);
        const br_wrench f = br_contact_eval(model[0], z, v, 1.0, dz);
        const br_wrench g =
            br_contact_eval(model[1], z, (br_twist){slide.x, slide.y, v.w}, 1.0, dz);
        const br_vec2 force = br_vec2_rotate((br_vec2){f.fx, f.fy}, angle);
        assert_near(g.fx, force.x, 1e-13 /* N, rounding */);
        assert_near(g.fy, force.y, 1e-13);
        assert_near(g.tau, f.tau, 1e-15);
    }
    br_contact_destroy(model[0]);
    br_contact_destroy(model[1]);
}

/* Oracle: closed form. At rest a stretched patch resists with sigma0 z fn; small rotations about the
 * CoP meet the stiffness sigma0 u. */
static void a_stuck_patch_is_a_spring(void** state)
{
    (void)state;
    static double z[2 * MOST_CELLS], dz[2 * MOST_CELLS];
    br_contact* m = make_model(CORNER, br_law_default(BR_LAW_ELASTO_PLASTIC), 0);
    const size_t n = br_contact_get_part_count(m);
    const double turn = 1e-6;
    for (size_t i = 0; i < n; i++) {
        const br_contact_part cell = br_contact_get_part(m, i);
        z[i] = cell.weight > 0.0 ? -turn * cell.position.y : 0.0;
        z[n + i] = cell.weight > 0.0 ? turn * cell.position.x : 0.0;
    }
    const br_wrench f = br_contact_eval(m, z, (br_twist){0.0, 0.0, 0.0}, 3.0, dz);
    const double u = br_contact_get_patch_value(m).u;
    assert_near(f.tau, -1e6 * u * turn * 3.0, 1e-15);
    assert_near(f.fx, 0.0, 1e-14 /* about the CoP: no force */);
    br_contact_destroy(m);
}

/* Oracle: definition. The forces of all cells, at their positions, are the wrench at the CoP; turned and
 * moved patches, too. */
static void cells_make_up_the_wrench(void** state)
{
    (void)state;
    static double z[2 * MOST_CELLS], dz[2 * MOST_CELLS];
    uint64_t seed = 6;
    for (int i = 0; i < 4 * PATCHES; i++) {
        const br_law law = br_law_default(i % 2 ? BR_LAW_LUGRE : BR_LAW_ELASTO_PLASTIC);
        br_contact* m = make_model(i / 4, law, 0);
        const size_t n = br_contact_get_part_count(m);
        const br_twist v = random_twist(&seed, 1e-3);
        random_state(&seed, m, 1.2e-6, z);
        const br_wrench f = br_contact_eval(m, z, v, 2.0, dz);
        br_wrench sum = {0.0, 0.0, 0.0};
        for (size_t k = 0; k < n; k++) {
            const br_contact_part_value cell = br_contact_part_eval(m, z, v, 2.0, k);
            const br_vec2 arm = br_vec2_sub(cell.position, br_contact_get_patch_value(m).cop);
            sum.fx += cell.f.fx;
            sum.fy += cell.f.fy;
            sum.tau += br_vec2_cross(arm, (br_vec2){cell.f.fx, cell.f.fy});
            assert_near(cell.f.tau, 0.0, 0.0 /* a cell is a point */);
            assert_near(cell.v.x, v.vx - v.w * arm.y, 1e-15 /* m/s, rounding */);
            assert_near(br_vec2_norm(cell.z), hypot(z[k], z[n + k]), 1e-20 /* m, rounding */);
            assert_near(br_vec2_norm(cell.dz), hypot(dz[k], dz[n + k]), 1e-13 * 1e-2);
        }
        assert_near(f.fx, sum.fx, 1e-12 /* N, rounding of 400 cells */);
        assert_near(f.fy, sum.fy, 1e-12);
        assert_near(f.tau, sum.tau, 1e-14);
        br_contact_destroy(m);
    }
}

/* Oracle: a contact of another patch, which is at 1 N as this one is at 5 N. One that grows with
 * the normal force takes the lattice of the corner interpolation with it. */
static void the_interpolated_steady_state_follows_a_growing_patch(void** state)
{
    (void)state;
    br_patch_def shape = patch_def(DISC);
    shape.radius = (br_by_force){.coefficient = 0.004, .exponent = 1.0 / 3.0, .max = 0.01};
    shape.pressure = BR_PRESSURE_LINEAR; // its CoP moves
    shape.from = 1.0, shape.to = 3.0;
    br_patch* patch = make_patch(shape);
    shape.radius.coefficient = 0.004 * cbrt(5.0);
    br_patch* wider = make_patch(shape);
    br_contact *contact = make_contact(cells_def(patch)), *other = make_contact(cells_def(wider));
    void* memory = test_calloc(1, br_contact_get_at_force_size(contact));
    void* other_memory = test_calloc(1, br_contact_get_at_force_size(other));
    br_contact_at_force(contact, 0.3, memory);
    const br_contact* grown = br_contact_at_force(contact, 5.0, memory);
    const br_contact* fresh = br_contact_at_force(other, 1.0, other_memory);
    uint64_t seed = 7;
    for (int i = 0; i < 100; i++) {
        const br_twist v = random_twist(&seed, 1e-2);
        const br_wrench f = br_papers_steady_eval(grown, v, 5.0, 0);
        const br_wrench g = br_papers_steady_eval(fresh, v, 5.0, 0);
        assert_near(f.fx, g.fx, 1e-12 /* N, rounding */);
        assert_near(f.tau, g.tau, 1e-14);
    }
    test_free(memory);
    test_free(other_memory);
    br_contact_destroy(contact);
    br_contact_destroy(other);
    br_patch_destroy(patch);
    br_patch_destroy(wider);
}

/* Oracle: the rates. Under a constant twist the bristles end in the steady state. */
static void steady_state_is_where_the_bristles_end(void** state)
{
    (void)state;
    static double z[2 * MOST_CELLS], dz[2 * MOST_CELLS];
    const br_twist v = {2e-3, -1e-3, 0.8};
    for (int which = LINE; which < PATCHES; which++) { // the line and the points: few cells
        br_contact* m = make_model(which, br_law_default(BR_LAW_LUGRE), 0);
        const size_t n = br_contact_get_part_count(m);
        memset(z, 0, sizeof z);
        const double h = 1e-4; // [s], relaxation is 1e4 1/s at the most
        for (int step = 0; step < 20000; step++) {
            br_contact_eval(m, z, v, 1.0, dz);
            for (size_t i = 0; i < 2 * n; i++) {
                z[i] += h * dz[i];
            }
        }
        const br_wrench end = br_contact_eval(m, z, v, 1.0, dz);
        const br_wrench steady = br_contact_steady_eval(m, v, 1.0, NULL);
        assert_near(end.fx, steady.fx, 1e-9 /* N, the slowest cell after 2 s */);
        assert_near(end.fy, steady.fy, 1e-9);
        assert_near(end.tau, steady.tau, 1e-11);
        br_contact_destroy(m);
    }
}

/* Oracle: invariant. For any step size: finite, bounded, the ledger closes (work of the wrench equals
 * what is stored and turned into heat), and no energy is given back that was not put in. */
static void steps_of_any_size_are_bounded_and_passive(void** state)
{
    (void)state;
    static double z[2 * MOST_CELLS];
    uint64_t seed = 5;
    for (int i = 0; i < 2000; i++) {
        br_law law = br_law_default(i % 2 ? BR_LAW_LUGRE : BR_LAW_ELASTO_PLASTIC);
        law.mu_s = uniform(&seed, 1.0, 2.0); // misses the passivity condition almost always
        law.sigma1 = uniform(&seed, 0.0, 5000.0);
        law.s_ba = uniform(&seed, 0.0, 0.98);
        law.v_damping = i % 4 < 2 ? 0.0 : uniform(&seed, 1e-4, 1e-2);
        br_contact* m = make_model(LINE + i % 2, law, 0);
        const size_t n = br_contact_get_part_count(m);
        const double h = pow(10.0, uniform(&seed, -6.0, -1.0)), fn = uniform(&seed, 0.0, 100.0);
        const br_twist v = random_twist(&seed, pow(10.0, uniform(&seed, -6.0, 1.0)));
        random_state(&seed, m, 2e-6, z);
        double largest = 0.0, stored = 0.0;
        for (size_t k = 0; k < n; k++) {
            const double square = z[k] * z[k] + z[n + k] * z[n + k];
            largest = fmax(largest, sqrt(square));
            stored += 0.5 * fn * law.sigma0 * br_contact_get_part(m, k).weight * square;
        }
        br_step_energy energy;
        const br_wrench f = br_contact_step(m, z, v, fn, h, &energy);
        const double work = -h * (f.fx * v.vx + f.fy * v.vy + f.tau * v.w);
        const double scale = fabs(work) + stored + energy.stored;
        assert_near(energy.work, work, 1e-12 * scale /* rounding of the sums */);
        assert_near(energy.work, energy.stored - stored + energy.dissipated, 1e-12 * scale);
        assert_true(energy.dissipated >= -1e-13 * scale);
        for (size_t k = 0; k < n; k++) {
            assert_true(hypot(z[k], z[n + k]) <=
                        fmax(largest, law.mu_s / law.sigma0) * (1.0 + 1e-12));
        }
        br_contact_destroy(m);
    }
}

/* Oracle: the one-dimensional step, the same scheme along a line. */
static void a_step_of_pure_translation_is_the_step_of_the_law(void** state)
{
    (void)state;
    static double z[2 * MOST_CELLS];
    uint64_t seed = 6;
    br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    br_contact* m = make_model(DISC, law, 0);
    const size_t n = br_contact_get_part_count(m);
    for (int i = 0; i < 50; i++) {
        double line = uniform(&seed, -1.1e-6, 1.1e-6);
        const double v = uniform(&seed, -2e-3, 2e-3), h = pow(10.0, uniform(&seed, -5.0, -1.0));
        for (size_t k = 0; k < n; k++) {
            z[k] = br_contact_get_part(m, k).weight > 0.0 ? line : 0.0;
            z[n + k] = 0.0;
        }
        const double expected = br_law_step(&law, &line, v, 2.0, h);
        br_step_energy energy;
        const br_wrench f = br_contact_step(m, z, (br_twist){v, 0.0, 0.0}, 2.0, h, &energy);
        assert_near(z[n / 2], line, 1e-20 /* m, rounding */);
        if (energy.dissipated > 0.0) { // else the damping was limited, which a line's is not
            assert_near(f.fx, -expected, 1e-11 * (1.0 + fabs(expected)));
        }
    }
    br_contact_destroy(m);
}

/* Oracle: order of convergence against the rates themselves, Runge-Kutta with short steps. */
static void steps_converge_with_order_one(void** state)
{
    (void)state;
    static double fine[2 * MOST_CELLS], z[2 * MOST_CELLS], dz[2 * MOST_CELLS];
    const br_twist v = {3e-4, -1e-4, 0.05};
    const double time = 5e-3;
    br_contact* m = make_model(POINTS, br_law_default(BR_LAW_ELASTO_PLASTIC), 0);
    const size_t n = 2 * br_contact_get_part_count(m);
    memset(fine, 0, sizeof fine);
    for (int i = 0; i < 200000; i++) {
        br_contact_eval(m, fine, v, 1.0, dz);
        for (size_t k = 0; k < n; k++) {
            fine[k] += time / 200000 * dz[k];
        }
    }
    double last = 0.0;
    for (int steps = 50; steps <= 400; steps *= 2) {
        memset(z, 0, sizeof z);
        for (int i = 0; i < steps; i++) {
            br_contact_step(m, z, v, 1.0, time / steps, NULL);
        }
        double error = 0.0;
        for (size_t k = 0; k < n; k++) {
            error = fmax(error, fabs(z[k] - fine[k]));
        }
        assert_true(last == 0.0 || (last / error > 1.6 && last / error < 2.4));
        last = error;
    }
    br_contact_destroy(m);
}

/* Oracle: definition. Edges: rest, no normal force, NaN, very fast, one cell. */
static void edges_behave(void** state)
{
    (void)state;
    static double z[2 * MOST_CELLS], dz[2 * MOST_CELLS];
    for (int which = 0; which < PATCHES; which++) {
        br_contact* m = make_model(which, br_law_default(BR_LAW_ELASTO_PLASTIC), 0);
        memset(z, 0, sizeof z);
        const br_wrench still = br_contact_eval(m, z, (br_twist){0.0, 0.0, 0.0}, 1.0, dz);
        assert_near(still.fx, 0.0, 0.0);
        const br_twist v = {1e-3, 2e-3, 0.3};
        assert_near(br_contact_eval(m, z, v, 0.0, dz).fx, 0.0, 0.0);
        assert_true(isnan(br_contact_eval(m, z, (br_twist){(double)NAN, 0.0, 0.0}, 1.0, dz).fx));
        z[0] = (double)NAN;
        assert_true(isnan(br_contact_eval(m, z, v, 1.0, dz).fx));
        z[0] = 0.0;
        assert_true(isfinite(br_contact_eval(m, z, (br_twist){1e200, 0.0, 1e180}, 1.0, dz).fx));
        br_contact_destroy(m);
    }
    br_patch* patch = make_patch(patch_def(DISC));
    br_contact_def def = cells_def(patch);
    def.resolution = 1;
    br_contact* one = make_contact(def);
    memset(z, 0, sizeof z);
    assert_true(isfinite(br_contact_eval(one, z, (br_twist){1e-3, 0.0, 1.0}, 1.0, dz).tau));
    br_contact_destroy(one);
    br_patch_destroy(patch);
}

/* Oracle: the counting allocator; and the reasons of bad definitions. */
static void memory_and_errors(void** state)
{
    (void)state;
    br_patch* patch = make_patch(patch_def(DISC));
    br_contact_def def = cells_def(NULL);
    br_contact* m = (br_contact*)1;
    br_reason why;
    assert_status(br_contact_create(&def, &m, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "patch");
    assert_null(m);
    def.patch = patch;
    def.law.kind = BR_LAW_DAHL;
    assert_status(br_contact_create(&def, &m, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "law.kind");
    def.law.kind = BR_LAW_LUGRE;

    counting count = {.fail_at = 1};
    br_set_allocator(counting_allocate, counting_release, &count);
    while (br_contact_create(&def, &m, NULL) == BR_ERR_MEMORY) {
        assert_int_equal(count.alive, 0);
        count.calls = 0;
        count.fail_at++;
    }
    static double z[2 * MOST_CELLS], dz[2 * MOST_CELLS];
    static double a[4 * MOST_CELLS], b[6 * MOST_CELLS], c[6 * MOST_CELLS];
    const size_t before = count.calls;
    br_contact_eval(m, z, (br_twist){1e-3, 0.0, 0.1}, 1.0, dz);
    br_contact_gradient_eval(m, z, (br_twist){1e-3, 0.0, 0.1}, 1.0,
                             &(br_contact_gradient){.dz_z = a, .dz_v = b, .f_z = c});
    assert_int_equal(count.calls, before);
    br_contact_destroy(m);
    br_set_allocator(NULL, NULL, NULL);
    assert_int_equal(count.alive, 0);
    br_patch_destroy(patch);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_lanes_and_one_agree),
        cmocka_unit_test(gradients_of_all_lanes_and_one_agree),
        cmocka_unit_test(pure_translation_is_the_one_dimensional_law),
        cmocka_unit_test(gradients_match_central_differences),
        cmocka_unit_test(a_turned_patch_turns_twist_and_wrench),
        cmocka_unit_test(a_stuck_patch_is_a_spring),
        cmocka_unit_test(cells_make_up_the_wrench),
        cmocka_unit_test(the_interpolated_steady_state_follows_a_growing_patch),
        cmocka_unit_test(steady_state_is_where_the_bristles_end),
        cmocka_unit_test(steps_of_any_size_are_bounded_and_passive),
        cmocka_unit_test(a_step_of_pure_translation_is_the_step_of_the_law),
        cmocka_unit_test(steps_converge_with_order_one),
        cmocka_unit_test(edges_behave),
        cmocka_unit_test(memory_and_errors),
    };
    return run_group(argc, argv, tests);
}
