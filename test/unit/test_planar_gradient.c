/*
 * Tests of the module planar: derivatives of the wrench and of the rates of contacts of cells and of
 * blocks, by state, twist, normal force and the parameters of the law.
 */
#include "planar_shapes.h"

#include <string.h>

enum { MOST = 3 * 40 }; // states

// A contact of cells or of blocks: both pass the same tests.
typedef struct any_model {
    br_contact* contact;
    int is_cells;
    size_t states, parts;
} any_model;

// Points and a ring in few cells; a corner and a disc in few blocks; turned and moved.
static any_model make_at(double angle, int which, br_law law)
{
    static const int shape[4] = {POINTS, RING, CORNER, DISC};
    br_patch_def def = patch_def(shape[which]);
    def.angle = angle;
    def.centre = (br_vec2){0.1, -0.2};
    br_patch* patch = make_patch(def);
    any_model m = {.is_cells = which < 2};
    br_contact_def d = br_contact_def_default();
    d.patch = patch, d.law = law;
    d.method = m.is_cells ? BR_METHOD_DISTRIBUTED : BR_METHOD_BLOCKS;
    d.resolution = m.is_cells ? 4 : 3;
    assert_status(br_contact_create(&d, &m.contact, NULL), BR_OK);
    br_patch_destroy(patch);
    m.states = br_contact_get_state_count(m.contact);
    m.parts = br_contact_get_part_count(m.contact);
    assert_true(m.states <= MOST);
    return m;
}
enum { MODELS = 4 };

static any_model make(int which, br_law law)
{
    return make_at(0.7, which, law);
}

static void destroy(any_model m)
{
    br_contact_destroy(m.contact);
}

static br_wrench eval(any_model m, const double* z, br_twist v, double fn, double* dz)
{
    return br_contact_eval(m.contact, z, v, fn, dz);
}

// A deflection of some size; the spin of a block has a length more.
static void random_state(uint64_t* seed, any_model m, double* z)
{
    for (size_t i = 0; i < m.states; i++) {
        const int counts = br_contact_get_part(m.contact, i % m.parts).weight > 0.0;
        const double spin = i >= 2 * m.parts ? 2e-3 : 1.0;
        z[i] = counts * spin * uniform(seed, -0.9e-6, 0.9e-6);
    }
}

static br_law some_law(int i)
{
    br_law law = br_law_default(i % 2 ? BR_LAW_LUGRE : BR_LAW_ELASTO_PLASTIC);
    law.gamma = i % 3 == 0 ? 1.4 : 2.0;
    law.s_ba = 0.4; // a wide band: its curvature is small
    law.v_damping = i % 4 < 2 ? 3e-3 : 0.0;
    return law;
}

// Derivatives of the wrench.
typedef struct gradient {
    double f_v[3][3], f_fn[3], f_z[3 * MOST];
} gradient;

static gradient gradient_of(any_model m, const double* z, br_twist v, double fn)
{
    gradient g;
    br_contact_gradient d = {.f_z = g.f_z}, without = {.f_z = NULL};
    br_contact_gradient_eval(m.contact, z, v, fn, &d);
    br_contact_gradient_eval(m.contact, z, v, fn, &without);
    assert_memory_equal(d.f_v, without.f_v, sizeof d.f_v);
    memcpy(g.f_v, d.f_v, sizeof g.f_v);
    memcpy(g.f_fn, d.f_fn, sizeof g.f_fn);
    return g;
}

static const double arm[3] = {1.0, 1.0, 0.007}; // what makes forces of torques [m]

// (high - low)/width against column `j` of a 3 x n array.
static void compare_column(const double* column, size_t apart, br_wrench low, br_wrench high,
                           double width, double tolerance)
{
    const double slope[3] = {(high.fx - low.fx) / width, (high.fy - low.fy) / width,
                             (high.tau - low.tau) / width};
    for (size_t i = 0; i < 3; i++) {
        assert_near(column[i * apart], slope[i], tolerance * arm[i]);
    }
}

// All columns of the twist; at rest only the first `columns`.
static void compare_by_v(any_model m, const gradient* g, const double* z, br_twist v, double fn,
                         double speed, int columns)
{
    static double dz[MOST];
    for (int j = 0; j < columns; j++) {
        const double h = 1e-6 * speed / arm[j];
        br_twist low = v, high = v;
        *(j == 0 ? &low.vx : j == 1 ? &low.vy : &low.w) -= h;
        *(j == 0 ? &high.vx : j == 1 ? &high.vy : &high.w) += h;
        // sigma1 fn is some 1e3 N s/m; truncation in the steep band and rounding 1e-5 of it
        compare_column(&g->f_v[0][j], 3, eval(m, z, low, fn, dz), eval(m, z, high, fn, dz), 2.0 * h,
                       1e-5 * 1e4 * arm[j]);
    }
}

static void compare_by_z(any_model m, const gradient* g, double* z, br_twist v, double fn,
                         double speed)
{
    static double dz[MOST];
    for (size_t j = 0; j < m.states; j++) {
        const double unit = j >= 2 * m.parts ? arm[2] : 1.0; // of zeta
        const double h = 1e-12 * unit, kept = z[j];
        z[j] = kept - h;
        const br_wrench low = eval(m, z, v, fn, dz);
        z[j] = kept + h;
        const br_wrench high = eval(m, z, v, fn, dz);
        z[j] = kept;
        // sigma0 fn and sigma1 fn times the decay; rounding of 1e-15 N over 1e-12 m, truncation
        const double scale = fn * 1e6 * (1.0 + 800.0 * speed);
        if (dz[j] != 0.0) { // padding has no derivative
            compare_column(&g->f_z[j], m.states, low, high, 2.0 * h, 1e-5 * 3.0 * scale / unit);
        }
    }
}

static void compare_by_fn(any_model m, const gradient* g, const double* z, br_twist v)
{
    static double dz[MOST];
    const br_wrench none = {0.0, 0.0, 0.0};
    compare_column(g->f_fn, 1, none, eval(m, z, v, 1.0, dz), 1.0, 1e-12 * 20.0 /* linear */);
}

/* Oracle: central differences. */
static void wrench_gradients_are_the_differences(void** state)
{
    (void)state;
    static double z[MOST];
    uint64_t seed = 1;
    for (int i = 0; i < 48; i++) {
        any_model m = make(i % MODELS, some_law(i / MODELS));
        const double speed = pow(10.0, uniform(&seed, -4.0, -2.0)), fn = 1.5;
        const br_twist v = random_twist(&seed, speed);
        random_state(&seed, m, z);
        const gradient g = gradient_of(m, z, v, fn);
        compare_by_v(m, &g, z, v, fn, speed, 3);
        compare_by_z(m, &g, z, v, fn, speed);
        compare_by_fn(m, &g, z, v);
        destroy(m);
    }
}

/* Oracle: central differences, which at rest are the mean of both sides; blocks in translation, and
 * with LuGre also in rotation. */
static void wrench_gradients_at_rest_are_the_mean_of_both_sides(void** state)
{
    (void)state;
    static double z[MOST];
    const br_twist rest = {0.0, 0.0, 0.0};
    uint64_t seed = 2;
    for (int i = 0; i < 32; i++) {
        const br_law law = some_law(i / MODELS);
        any_model m = make_at(0.0, i % MODELS, law); // blocks take their means along their own axes
        memset(z, 0, sizeof z);
        if (i < 16) {
            random_state(&seed, m, z);
        }
        const gradient g = gradient_of(m, z, rest, 2.0);
        compare_by_v(m, &g, z, rest, 2.0, 1e-3, m.is_cells || law.kind == BR_LAW_LUGRE ? 3 : 2);
        compare_by_fn(m, &g, z, rest);

        // nothing moves: bristles are springs
        for (size_t j = 0; j < m.parts; j++) {
            const double weight = br_contact_get_part(m.contact, j).weight;
            assert_near(hypot(g.f_z[j], g.f_z[m.states + j]), 2.0 * law.sigma0 * weight,
                        1e-9 /* N/m, rounding of 1e6 */);
        }
        destroy(m);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrench_gradients_are_the_differences),
        cmocka_unit_test(wrench_gradients_at_rest_are_the_mean_of_both_sides),
    };
    return run_group(argc, argv, tests);
}
