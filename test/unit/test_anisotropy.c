/*
 * Anisotropic friction of a planar contact: cells, blocks, reduced contacts.
 *
 *   |A^-1 f| <= g fn,   f = -g fn A^2 v/|A v|,   A = R diag(ratio, 1) R^T
 */
#include "planar_shapes.h"

#include <string.h>

enum { MOST = 6144 };
static const double fn = 3.0; // N

static br_contact_def contact_def(const br_patch* patch, br_method method, double ratio,
                                  double angle)
{
    br_contact_def def = br_contact_def_default();
    def.patch = patch;
    def.method = method;
    def.anisotropy.ratio = ratio;
    def.anisotropy.angle = angle;
    return def;
}

static br_contact* create(const br_contact_def* def)
{
    br_contact* contact;
    br_reason why = {"", ""};
    if (br_contact_create(def, &contact, &why) != BR_OK) {
        fail_msg("%s: %s", why.field, why.text);
    }
    return contact;
}

static br_contact* create_on(const br_patch* patch, br_method method, double ratio, double angle)
{
    const br_contact_def def = contact_def(patch, method, ratio, angle);
    return create(&def);
}

// A rectangle that is cut into the same cells whatever its sides are.
static br_patch* rectangle(double x, double y)
{
    enum { COLUMNS = 9, ROWS = 7 };
    static double cells[COLUMNS * ROWS];
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_GRID;
    def.size_x = x;
    def.size_y = y;
    def.columns = COLUMNS;
    def.rows = ROWS;
    def.cells = cells;
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        cells[i] = 1.0;
    }
    return make_patch(def);
}

static void fill_random(uint64_t* seed, const br_contact* c, double* z)
{
    const size_t n = br_contact_get_part_count(c), states = br_contact_get_state_count(c);
    assert_true(states <= MOST);
    for (size_t i = 0; i < states; i++) {
        const double size = i < 2 * n ? 1e-6 : 1e-8; // m, m^2: some elastic, some plastic
        z[i] = br_contact_get_part(c, i % n).weight > 0.0 ? uniform(seed, -size, size) : 0.0;
    }
}

static void assert_wrench(br_wrench a, br_wrench b, double tolerance)
{
    assert_near(a.fx, b.fx, tolerance);
    assert_near(a.fy, b.fy, tolerance);
    assert_near(a.tau, b.tau, 0.01 * tolerance); // of 10 mm
}

static double power_of(br_wrench f, br_twist v)
{
    return f.fx * v.vx + f.fy * v.vy + f.tau * v.w;
}

// --- independent oracle -------------------------------------------------------------------------------------

// f = -(g A^2 v/|A v| + sigma2 A^2 v) fn of every point, by its definition alone: no map, no stretched patch
static br_wrench slide_points(const br_law* law, const br_anisotropy* a, br_vec2 cop, br_twist v)
{
    br_wrench sum = {0.0, 0.0, 0.0};
    double total = 0.0;
    for (int i = 0; i < 3; i++) {
        total += tripod[i].weight;
    }
    for (int i = 0; i < 3; i++) {
        const double x = tripod[i].x - cop.x, y = tripod[i].y - cop.y;
        const double vx = v.vx - v.w * y, vy = v.vy + v.w * x;
        const double c = cos(a->angle), s = sin(a->angle);
        // along the principal axes
        const double v1 = c * vx + s * vy, v2 = c * vy - s * vx;
        const double speed = hypot(a->ratio * v1, v2);
        const double g =
            law->mu_c + (law->mu_s - law->mu_c) * exp(-pow(speed / law->v_stribeck, law->gamma));
        const double size = -(g / speed + law->sigma2) * fn * tripod[i].weight / total;
        const double f1 = size * a->ratio * a->ratio * v1, f2 = size * v2;
        const double fx = c * f1 - s * f2, fy = s * f1 + c * f2;
        sum.fx += fx;
        sum.fy += fy;
        sum.tau += x * fy - y * fx;
    }
    return sum;
}

/* Oracle: independent code, a sum over points of f = -g fn A^2 v/|A v|. */
static void sliding_points_obey_the_definition(void** state)
{
    (void)state;
    uint64_t seed = 1;
    br_patch* patch = make_patch(patch_def(POINTS));
    for (int i = 0; i < 200; i++) {
        const double ratio = pow(10.0, uniform(&seed, -1.0, 1.0)),
                     angle = uniform(&seed, -4.0, 4.0);
        const br_contact_def def = contact_def(patch, BR_METHOD_DISTRIBUTED, ratio, angle);
        br_contact* c = create(&def);
        const br_twist v = random_twist(&seed, 0.01);
        const br_wrench expected =
            slide_points(&def.law, &def.anisotropy, br_contact_get_patch_value(c).cop, v);
        assert_wrench(br_contact_steady_eval(c, v, fn, NULL), expected,
                      1e-12 * fmax(ratio, 1.0) /* N: rounding */);
        br_contact_destroy(c);
    }
    br_patch_destroy(patch);
}

/* Oracle: closed form. Without spin every patch and method slides as one point does. */
static void sliding_without_spin_is_that_of_a_point(void** state)
{
    (void)state;
    uint64_t seed = 2;
    for (int which = 0; which < PATCHES; which++) {
        br_patch* patch = make_patch(patch_def(which));
        for (int method = BR_METHOD_BLOCKS; method <= BR_METHOD_ELLIPSOID; method++) {
            const double ratio = 1.7, angle = 0.4, mu = 0.6;
            br_contact_def def = contact_def(patch, (br_method)method, ratio, angle);
            def.law.mu_c = def.law.mu_s = mu;
            def.law.sigma2 = 0.0;
            br_contact* c = create(&def);
            const double to = uniform(&seed, 0.0, 6.0), v1 = cos(to), v2 = sin(to);
            const double size = -mu * fn / hypot(ratio * v1, v2);
            const br_wrench expected = {size * (ratio * ratio * v1 * cos(angle) - v2 * sin(angle)),
                                        size * (ratio * ratio * v1 * sin(angle) + v2 * cos(angle)),
                                        0.0};
            const br_twist v = {0.1 * cos(to + angle), 0.1 * sin(to + angle), 0.0};
            br_wrench f = br_contact_steady_eval(c, v, fn, NULL);
            f.tau = 0.0; // cells and tables have a small torque at their CoP; see the other tests
            const double table =
                which == POINTS ? 2e-3 : 1e-4; // N: smooth tables, points are kinks
            assert_wrench(f, expected, method == BR_METHOD_REDUCED ? table : 1e-12);
            br_contact_destroy(c);
        }
        br_patch_destroy(patch);
    }
}

// --- stretched in the test ----------------------------------------------------------------------------------

// The same contact: anisotropic on `patch`, isotropic on `stretched`, which has its y times ratio.
typedef struct pair {
    br_contact *own, *plain;
    double ratio;
} pair;

static pair make_pair(const br_patch* patch, const br_patch* stretched, br_method method,
                      double ratio)
{
    return (pair){create_on(patch, method, ratio, 0.0), create_on(stretched, method, 1.0, 0.0),
                  ratio};
}

static void destroy_pair(pair p)
{
    br_contact_destroy(p.own);
    br_contact_destroy(p.plain);
}

static br_twist enter(const pair* p, br_twist v)
{
    return (br_twist){p->ratio * v.vx, v.vy, v.w};
}

static br_wrench leave(const pair* p, br_wrench f)
{
    return (br_wrench){p->ratio * f.fx, f.fy, f.tau};
}

// Everything a contact computes, beside the isotropic one; tolerance relative to forces of some newtons.
static void compare(const pair* p, uint64_t* seed, double tolerance)
{
    static double z[MOST], dz[MOST], z1[MOST], dz1[MOST];
    const size_t states = br_contact_get_state_count(p->plain);
    assert_int_equal(br_contact_get_state_count(p->own), states);
    const br_twist v = random_twist(seed, pow(10.0, uniform(seed, -5.0, -1.0))), u = enter(p, v);
    const double h = pow(10.0, uniform(seed, -5.0, -2.0));
    fill_random(seed, p->plain, z);
    memcpy(z1, z, states * sizeof *z);
    assert_wrench(br_contact_eval(p->own, z, v, fn, dz),
                  leave(p, br_contact_eval(p->plain, z, u, fn, dz1)), tolerance);
    for (size_t i = 0; i < states; i++) {
        assert_near(dz[i], dz1[i], 1e-2 * tolerance * (1.0 + fabs(dz1[i])) /* m/s, m^2/s */);
    }
    assert_near(br_contact_load_eval(p->own, z, v, fn), br_contact_load_eval(p->plain, z, u, fn),
                tolerance);
    const br_contact_slip slip = br_contact_slip_eval(p->own, z, v, fn, BR_STATE_STICK, NULL);
    const br_contact_slip slip1 = br_contact_slip_eval(p->plain, z, u, fn, BR_STATE_STICK, NULL);
    assert_int_equal(slip.state, slip1.state);
    assert_near(slip.slip_rate, slip1.slip_rate, tolerance);
    assert_wrench(br_contact_steady_eval(p->own, v, fn, NULL),
                  leave(p, br_contact_steady_eval(p->plain, u, fn, NULL)), tolerance);
    br_step_energy e, e1;
    assert_wrench(br_contact_step(p->own, z, v, fn, h, &e),
                  leave(p, br_contact_step(p->plain, z1, u, fn, h, &e1)), tolerance);
    assert_near(e.stored, e1.stored, 1e-3 * tolerance /* J */);
    assert_near(e.dissipated, e1.dissipated, 1e-3 * tolerance /* J */);
    assert_near(br_contact_stored(p->own, z, fn), e1.stored, 1e-3 * tolerance);
    const br_patch_value value = br_contact_get_patch_value(p->own);
    const br_patch_value value1 = br_contact_get_patch_value(p->plain);
    assert_near_relative(value.r, value1.r, 2e-4 /* large cells of blocks count as four points */);
    assert_near_relative(value.u, value1.u, 1e-12);
}

/* Oracle: a rectangle, a line, points, stretched here: y times ratio, vx and fx times ratio. */
static void a_contact_is_the_isotropic_one_of_the_stretched_patch(void** state)
{
    (void)state;
    static const double ratio = 1.6;
    uint64_t seed = 3;
    br_support_point far[3];
    for (int i = 0; i < 3; i++) {
        far[i] = tripod[i];
        far[i].y *= ratio;
    }
    br_patch_def line = patch_def(LINE), points = patch_def(POINTS);
    br_patch* from[4] = {rectangle(0.02, 0.01), make_patch(line)};
    br_patch* to[4] = {rectangle(0.02, ratio * 0.01), make_patch(line)};
    line.angle = 0.5 * BR_PI;
    from[2] = make_patch(line);
    line.length *= ratio;
    to[2] = make_patch(line);
    from[3] = make_patch(points);
    points.points = far;
    to[3] = make_patch(points);
    for (int shape = 0; shape < 4; shape++) {
        for (int method = BR_METHOD_BLOCKS; method <= BR_METHOD_ELLIPSOID; method++) {
            // an upright line: the axes of its bristles are turned in both, so is its map; shape 2 is in the next test
            const pair p = make_pair(from[shape], to[shape], (br_method)method, ratio);
            for (int i = 0; i < 20 && shape != 2; i++) {
                compare(&p, &seed, 1e-9 /* N: damping sigma1 times rounding of rates */);
            }
            const br_twist spin = {0.0, 0.0, 1.0};
            assert_wrench(br_contact_steady_eval(p.own, spin, fn, NULL),
                          leave(&p, br_contact_steady_eval(p.plain, spin, fn, NULL)), 1e-11);
            destroy_pair(p);
        }
        br_patch_destroy(from[shape]);
        br_patch_destroy(to[shape]);
    }
}

/* Oracle: closed form. A line of length L that spins resists with mu fn L/4 where it moves along the second axis, with
   ratio times that along the first. */
static void a_spinning_line_resists_across_its_length(void** state)
{
    (void)state;
    const double mu = 0.5, ratio = 3.0, length = patch_def(LINE).length;
    for (int upright = 0; upright < 2; upright++) {
        br_patch_def line = patch_def(LINE);
        line.angle = upright ? 0.5 * BR_PI : 0.0;
        br_patch* patch = make_patch(line);
        br_contact_def def = contact_def(patch, BR_METHOD_DISTRIBUTED, ratio, 0.0);
        def.resolution = 200; // an even number of cells has the exact mean distance
        def.law.mu_c = def.law.mu_s = mu;
        def.law.sigma2 = 0.0;
        br_contact* c = create(&def);
        const double tau = br_contact_steady_eval(c, (br_twist){0.0, 0.0, 10.0}, fn, NULL).tau;
        assert_near_relative(tau, -mu * (upright ? ratio : 1.0) * fn * length / 4.0, 1e-12);
        br_contact_destroy(c);
        br_patch_destroy(patch);
    }
}

// --- symmetry -----------------------------------------------------------------------------------------------

// The law that has ratio^k times the force along both axes when velocities count ratio times.
static br_law scaled_law(br_law law, double ratio)
{
    law.mu_c *= ratio;
    law.mu_s *= ratio;
    law.sigma0 *= ratio * ratio;
    law.sigma1 *= ratio * ratio;
    law.sigma2 *= ratio * ratio;
    law.v_stribeck /= ratio;
    law.v_damping /= ratio;
    return law;
}

/* Oracle: symmetry. The ratio k at an angle is 1/k at a quarter turn more, with k mu: with k^2 sigma and v_s/k both
   contacts are the same, whatever they do. A half turn changes nothing. */
static void a_quarter_turn_inverts_the_ratio(void** state)
{
    (void)state;
    static double z[MOST], other[MOST];
    uint64_t seed = 5;
    const double k = 1.8, angle = 0.3;
    for (int which = 0; which < PATCHES; which++) {
        br_patch* patch = make_patch(patch_def(which));
        for (int method = BR_METHOD_BLOCKS; method <= BR_METHOD_ELLIPSOID; method++) {
            br_contact_def def = contact_def(patch, (br_method)method, k, angle);
            br_law_set_damping(&def.law, 1e-3);
            br_contact* a = create(&def);
            def.anisotropy.angle = angle + BR_PI;
            br_contact* half = create(&def);
            def.law = scaled_law(def.law, k);
            def.anisotropy = (br_anisotropy){1.0 / k, angle + 0.5 * BR_PI, BR_AXES_BODY};
            br_contact* b = create(&def);
            const double rounded = which == POINTS || which == LINE ? 1e-3 : 1e-6;
            const double tolerance = method == BR_METHOD_REDUCED ? rounded : 1e-9;
            memset(z, 0, sizeof z);
            memset(other, 0, sizeof other);
            for (int i = 0; i < 30; i++) {
                const br_twist v = random_twist(&seed, pow(10.0, uniform(&seed, -4.0, -1.0)));
                const br_wrench f = br_contact_step(a, z, v, fn, 1e-3, NULL);
                assert_wrench(br_contact_step(b, other, v, fn, 1e-3, NULL), f,
                              tolerance /* N: damping times rounding; tables have other nodes */);
                assert_wrench(br_contact_steady_eval(half, v, fn, NULL),
                              br_contact_steady_eval(a, v, fn, NULL), tolerance);
            }
            br_contact_destroy(a);
            br_contact_destroy(b);
            br_contact_destroy(half);
        }
        br_patch_destroy(patch);
    }
}

/* Oracle: frame change. Turned patch and axes give turned friction. */
static void friction_turns_with_patch_and_axes(void** state)
{
    (void)state;
    uint64_t seed = 7;
    const double turn = 0.9, c = cos(turn), s = sin(turn);
    for (int which = 0; which < PATCHES; which++) {
        br_patch_def def = patch_def(which);
        br_patch* patch = make_patch(def);
        def.centre = br_vec2_rotate(def.centre, turn);
        def.angle += turn;
        br_patch* turned = make_patch(def);
        for (int method = BR_METHOD_BLOCKS; method <= BR_METHOD_ELLIPSOID; method++) {
            br_contact* a = create_on(patch, (br_method)method, 0.6, 0.2);
            br_contact* b = create_on(turned, (br_method)method, 0.6, 0.2 + turn);
            const double rounded = which == POINTS || which == LINE ? 1e-3 : 1e-6;
            for (int i = 0; i < 30; i++) {
                const br_twist v = random_twist(&seed, 0.01);
                const br_wrench f = br_contact_steady_eval(a, v, fn, NULL);
                const br_wrench expected = {c * f.fx - s * f.fy, s * f.fx + c * f.fy, f.tau};
                const br_twist to = {c * v.vx - s * v.vy, s * v.vx + c * v.vy, v.w};
                assert_wrench(br_contact_steady_eval(b, to, fn, NULL), expected,
                              method == BR_METHOD_REDUCED ? rounded : 1e-10);
            }
            br_contact_destroy(a);
            br_contact_destroy(b);
        }
        br_patch_destroy(patch);
        br_patch_destroy(turned);
    }
}

// --- parts --------------------------------------------------------------------------------------------------

/* Oracle: the isotropic contact of the same patch. Parts are where they are: only forces are stretched. */
static void parts_are_those_of_the_true_patch(void** state)
{
    (void)state;
    static double z[MOST], dz[MOST];
    uint64_t seed = 11;
    for (int which = 0; which < PATCHES; which++) {
        br_patch* patch = make_patch(patch_def(which));
        for (int method = BR_METHOD_BLOCKS; method <= BR_METHOD_DISTRIBUTED; method++) {
            br_contact* c =
                create_on(patch, (br_method)method, 2.0, 0.7 /* with the CORNER's axes */);
            br_contact* plain = create_on(patch, (br_method)method, 1.0, 0.0);
            const br_patch_value value = br_contact_get_patch_value(c);
            const br_twist v = random_twist(&seed, 0.01);
            fill_random(&seed, c, z);
            const br_wrench f = br_contact_eval(c, z, v, fn, dz);
            br_wrench sum = {0.0, 0.0, 0.0};
            double spread = 0.0, spread1 = 0.0;
            for (size_t i = 0; i < br_contact_get_part_count(c); i++) {
                const br_contact_part_value p = br_contact_part_eval(c, z, v, fn, i);
                const br_vec2 arm = br_vec2_sub(p.position, value.cop);
                const br_contact_part part = br_contact_get_part(c, i);
                if (part.weight > 0.0) {
                    assert_near(p.v.x, v.vx - v.w * arm.y, 1e-14);
                    assert_near(p.v.y, v.vy + v.w * arm.x, 1e-14);
                }
                sum.fx += p.f.fx;
                sum.fy += p.f.fy;
                sum.tau += p.f.tau + arm.x * p.f.fy - arm.y * p.f.fx;
                spread +=
                    part.weight * (br_vec2_dot(part.position, part.position) + part.xx + part.yy);
            }
            for (size_t i = 0; i < br_contact_get_part_count(plain); i++) {
                const br_contact_part part = br_contact_get_part(plain, i);
                spread1 +=
                    part.weight * (br_vec2_dot(part.position, part.position) + part.xx + part.yy);
            }
            assert_wrench(sum, f, 1e-11 * (fabs(f.fx) + fabs(f.fy) + 1.0));
            assert_near_relative(spread, spread1, 1e-12);
            br_contact_destroy(c);
            br_contact_destroy(plain);
        }
        br_patch_destroy(patch);
    }
}

// --- derivatives --------------------------------------------------------------------------------------------

/* Oracle: central differences of br_contact_eval(). */
static void derivatives_are_those_of_the_wrench(void** state)
{
    (void)state;
    static double z[MOST], dz[MOST], up[MOST], dz_v[9 * MOST], f_z[9 * MOST];
    uint64_t seed = 13;
    for (int method = BR_METHOD_BLOCKS; method <= BR_METHOD_ELLIPSOID; method++) {
        br_patch* patch = make_patch(patch_def(CORNER));
        br_contact_def def = contact_def(patch, (br_method)method, 1.5, 0.3);
        def.resolution = method == BR_METHOD_DISTRIBUTED ? 5 : 0;
        br_contact* c = create(&def);
        const size_t states = br_contact_get_state_count(c), n = br_contact_get_part_count(c);
        const size_t size = states / n;
        const br_twist v = {0.002, -0.003, 0.4};
        fill_random(&seed, c, z);
        br_contact_gradient g = {.dz_v = dz_v, .f_z = f_z};
        br_contact_gradient_eval(c, z, v, fn, &g);
        const double step[3] = {1e-8, 1e-8, 1e-6};
        double map[2][2];
        br_contact_get_map(c, map);
        for (int j = 0; j < 3; j++) {
            br_twist more = v, less = v;
            double* const to[2][3] = {{&more.vx, &more.vy, &more.w}, {&less.vx, &less.vy, &less.w}};
            *to[0][j] += step[j];
            *to[1][j] -= step[j];
            const br_wrench a = br_contact_eval(c, z, more, fn, up);
            const br_wrench b = br_contact_eval(c, z, less, fn, dz);
            const double slope[3] = {(a.fx - b.fx) / (2.0 * step[j]),
                                     (a.fy - b.fy) / (2.0 * step[j]),
                                     (a.tau - b.tau) / (2.0 * step[j])};
            for (int i = 0; i < 3; i++) {
                assert_near(g.f_v[i][j], slope[i], 2e-3 * (1.0 + fabs(slope[i])) /* differences */);
            }
            for (size_t i = 0; i < states; i++) { // d dz/dv = d dz/du M
                const double* row = dz_v + 3 * (i / n) * n + i % n;
                const double own = j == 2 ? row[2 * n] : row[0] * map[0][j] + row[n] * map[1][j];
                const double found = (up[i] - dz[i]) / (2.0 * step[j]);
                assert_near(own, found, 1e-4 * (1.0 + fabs(found)));
            }
        }
        const br_wrench f = br_contact_eval(c, z, v, fn, dz);
        assert_near(g.f_fn[0], f.fx / fn, 1e-9);
        assert_near(g.f_fn[1], f.fy / fn, 1e-9);
        assert_near(g.f_fn[2], f.tau / fn, 1e-11);
        for (size_t k = 0; k < 5; k++) {
            const size_t i = k * (states - 1) / 4;
            const double bend = i < 2 * n ? 1e-11 : 1e-13; // m, m^2
            memcpy(up, z, states * sizeof *z);
            up[i] += bend;
            const br_wrench a = br_contact_eval(c, up, v, fn, dz);
            up[i] -= 2.0 * bend;
            const br_wrench b = br_contact_eval(c, up, v, fn, dz);
            const double slope[3] = {(a.fx - b.fx) / (2.0 * bend), (a.fy - b.fy) / (2.0 * bend),
                                     (a.tau - b.tau) / (2.0 * bend)};
            for (size_t row = 0; row < 3; row++) {
                const double own = f_z[(size * row + i / n) * n + i % n];
                assert_near(own, slope[row],
                            1e-2 * fabs(slope[row]) + 20.0 /* N/m of 1e5 and more */);
            }
        }
        br_contact_destroy(c);
        br_patch_destroy(patch);
    }
}

// --- energy -------------------------------------------------------------------------------------------------

// Random steps of contacts with random axes; the balance must hold in the contact frame.
static void step_at_random(int steps)
{
    static double z[MOST];
    uint64_t seed = 17;
    for (int method = BR_METHOD_BLOCKS; method <= BR_METHOD_ELLIPSOID; method++) {
        br_patch* patch = make_patch(patch_def(CORNER));
        br_contact* c = NULL;
        double stored = 0.0;
        for (int i = 0; i < steps; i++) {
            if (i % 1000 == 0) {
                br_contact_destroy(c);
                br_contact_def def =
                    contact_def(patch, (br_method)method, pow(10.0, uniform(&seed, -1.0, 1.0)),
                                uniform(&seed, -3.0, 3.0));
                def.resolution = method == BR_METHOD_DISTRIBUTED ? 6 : 0;
                def.law.sigma1 *= pow(10.0, uniform(&seed, -1.0, 1.0)); // passive and not
                c = create(&def);
                memset(z, 0, sizeof z);
                stored = 0.0;
            }
            const br_twist v = random_twist(&seed, pow(10.0, uniform(&seed, -6.0, 0.0)));
            const double h = pow(10.0, uniform(&seed, -6.0, 0.0));
            br_step_energy e;
            const br_wrench f = br_contact_step(c, z, v, fn, h, &e);
            const double work = -h * power_of(f, v);
            const double scale = fabs(work) + e.stored + stored + e.dissipated;
            assert_true(e.dissipated >= -1e-12 * scale);
            assert_near(e.work, work, 1e-9 * scale /* J: rounding of damping at tiny steps */);
            assert_near(e.stored - stored + e.dissipated, work, 1e-9 * scale);
            stored = e.stored;
        }
        br_contact_destroy(c);
        br_patch_destroy(patch);
    }
}

/* Oracle: invariant. Work goes into bristles and heat, and heat is never negative; "many": 1e6 steps. */
static void random_steps_are_passive(void** state)
{
    (void)state;
    step_at_random(5000);
}

/* Oracle: invariants and br_contact_step(). A step of a body keeps energy and momentum, and its friction is that of the
   contact at the twist where the step ends. */
static void steps_of_a_body_balance(void** state)
{
    (void)state;
    static double z[MOST], before[MOST], work[8 * MOST];
    uint64_t seed = 19;
    for (int method = BR_METHOD_BLOCKS; method <= BR_METHOD_ELLIPSOID; method++) {
        br_patch* patch = make_patch(patch_def(CORNER));
        br_contact_def def = contact_def(patch, (br_method)method, 2.5, 0.4);
        def.resolution = method == BR_METHOD_DISTRIBUTED ? 8 : 0;
        br_contact* c = create(&def);
        const size_t states = br_contact_get_state_count(c);
        const br_step_body body = br_step_body_default(0.3, 1e-4);
        br_step_contact contact = {
            .contact = c, .z = z, .fn = fn, .angle = 0.3, .arm = {0.01, 0.02}};
        br_step_body first = body;
        first.order = 1;
        assert_true(br_step_get_work(&contact, 1) <= sizeof work / sizeof *work);
        memset(z, 0, sizeof z);
        br_twist v = {0.3, -0.1, 3.0};
        for (int i = 0; i < 60; i++) {
            const double h = pow(10.0, uniform(&seed, -5.0, -2.0));
            const br_twist v0 = v;
            memcpy(before, z, states * sizeof *z);
            const br_step_result r =
                br_step_coupled(&first, &v, (br_wrench){0.1, 0.2, 0.0}, h, &contact, 1, work);
            const br_step_ledger* e = &r.energy;
            const double size =
                e->kinetic_before + e->stored_before + fabs(e->load) + e->dissipated;
            assert_near(e->kinetic_before + e->stored_before + e->load,
                        e->kinetic_after + e->stored_after + e->dissipated + e->numerical,
                        1e-12 * size);
            assert_true(e->dissipated >= -1e-12 * size);
            const br_vec2 f = br_vec2_rotate((br_vec2){contact.f.fx, contact.f.fy}, contact.angle);
            assert_near(v.vx - v0.vx, h * (f.x + 0.1) / 0.3, 1e-13);
            assert_near(v.vy - v0.vy, h * (f.y + 0.2) / 0.3, 1e-13);

            // the twist at the CoP, in the contact frame
            const br_vec2 at =
                br_vec2_rotate((br_vec2){v.vx - v.w * 0.02, v.vy + v.w * 0.01}, -contact.angle);
            const br_wrench same =
                br_contact_step(c, before, (br_twist){at.x, at.y, v.w}, fn, h, NULL);
            assert_wrench(contact.f, same, 1e-4 /* N: Newton's tolerance times the stiffness */);
        }
        br_contact_destroy(c);
        br_patch_destroy(patch);
    }
}

// --- changes ------------------------------------------------------------------------------------------------

// Elastic force and torque at the origin, per fn sigma0: a step at rest without damping.
static br_wrench elastic_of(const br_contact* c, const double* z)
{
    static double dz[MOST];
    const br_vec2 cop = br_contact_get_patch_value(c).cop;
    br_wrench f = br_contact_eval(c, z, (br_twist){0.0, 0.0, 0.0}, fn, dz);
    f.tau += cop.x * f.fy - cop.y * f.fx;
    return f;
}

/* Oracle: invariants. A contact that moves on its body keeps its wrench and gains no energy. */
static void bristles_are_carried_with_their_force(void** state)
{
    (void)state;
    static double z[MOST], to[MOST];
    for (int method = BR_METHOD_BLOCKS; method <= BR_METHOD_ELLIPSOID; method++) {
        br_patch_def def = patch_def(DISC);
        br_patch* patch = make_patch(def);
        def.centre = (br_vec2){2e-4, -1e-4};
        def.angle = 0.5;
        br_patch* other = make_patch(def);
        br_contact* a = create_on(patch, (br_method)method, 1.5, 0.3);
        br_contact* b = create_on(other, (br_method)method, 1.5, 0.3);
        memset(z, 0, sizeof z);
        br_contact_step(a, z, (br_twist){3e-7, 1e-7, 1e-5}, fn, 1.0, NULL); // elastic
        br_contact_carry(a, z, b, to);
        const br_wrench f = elastic_of(a, z), f1 = elastic_of(b, to);
        assert_near(f1.fx, f.fx, 1e-9 * fabs(f.fx));
        assert_near(f1.fy, f.fy, 1e-9 * fabs(f.fx));
        assert_near(f1.tau, f.tau, 2e-5 * fabs(f.fx) /* m: at most, where the energy limits it */);
        assert_true(br_contact_stored(b, to, fn) <= br_contact_stored(a, z, fn) * (1.0 + 1e-12));
        br_contact_destroy(a);
        br_contact_destroy(b);
        br_patch_destroy(patch);
        br_patch_destroy(other);
    }
}

/* Oracle: br_contact_create() at the force. A patch that grows with the force is stretched at every force. */
static void a_growing_patch_is_stretched_at_every_force(void** state)
{
    (void)state;
    for (int method = BR_METHOD_BLOCKS; method <= BR_METHOD_ELLIPSOID; method++) {
        br_patch_def def = br_patch_def_default();
        def.radius = (br_by_force){4e-3, 1.0 / 3.0, 9e-3};
        br_patch* patch = make_patch(def);
        br_contact* c = create_on(patch, (br_method)method, 2.0, 0.3);
        br_contact* plain = create_on(patch, (br_method)method, 1.0, 0.0);
        void* memory = calloc(1, br_contact_get_at_force_size(c));
        void* memory1 = calloc(1, br_contact_get_at_force_size(plain));
        for (double force = 0.5; force < 9.0; force *= 2.0) {
            const br_patch_value at =
                br_contact_get_patch_value(br_contact_at_force(c, force, memory));
            const br_patch_value at1 =
                br_contact_get_patch_value(br_contact_at_force(plain, force, memory1));
            // u of a disc: (1 + ratio^2)/2 times, by its two equal moments
            assert_near_relative(at.u, 2.5 * at1.u, method <= BR_METHOD_DISTRIBUTED ? 5e-3 : 1e-9);
        }
        free(memory);
        free(memory1);
        br_contact_destroy(c);
        br_contact_destroy(plain);
        br_patch_destroy(patch);
    }
}

/* Oracle: br_contact_step(), one by one. */
static void batches_are_stretched_as_single_contacts(void** state)
{
    (void)state;
    enum { COUNT = 40 };
    br_patch* patch = make_patch(patch_def(CORNER));
    for (int method = BR_METHOD_REDUCED; method <= BR_METHOD_ELLIPSOID; method++) {
        uint64_t seed = 23;
        br_contact* c = create_on(patch, (br_method)method, 1.5, 0.3);
        double z[3 * COUNT], one[3 * COUNT], force[COUNT];
        br_twist v[COUNT];
        br_wrench f[COUNT];
        br_batch_contact contacts[COUNT];
        for (size_t i = 0; i < COUNT; i++) {
            contacts[i] = (br_batch_contact){c, 3 * i};
            v[i] = random_twist(&seed, 0.01);
            force[i] = uniform(&seed, 1.0, 2.0);
            fill_random(&seed, c, z + 3 * i);
        }
        memcpy(one, z, sizeof z);
        br_batch_step(contacts, COUNT, z, v, force, 1e-3, f, NULL);
        for (size_t i = 0; i < COUNT; i++) {
            const br_wrench g = br_contact_step(c, one + 3 * i, v[i], force[i], 1e-3, NULL);
            assert_memory_equal(&g, &f[i], sizeof g);
        }
        assert_memory_equal(z, one, sizeof z);
        br_contact_destroy(c);
    }
    br_patch_destroy(patch);
}

// --- axes fixed to the ground -------------------------------------------------------------------------------

// A disc that grows, or another patch.
static br_patch* patch_for_turning(int which)
{
    br_patch_def def = patch_def(which == PATCHES ? DISC : which);
    if (which == PATCHES) {
        def.radius = (br_by_force){4e-3, 1.0 / 3.0, 9e-3};
        def.centre = (br_vec2){0.01, -0.02};
    }
    return make_patch(def);
}

/* Oracle: the contact with axes of the body at the angle that those of the ground have there. */
static void axes_of_the_ground_turn_in_the_body(void** state)
{
    (void)state;
    static double z[MOST], dz[MOST], dz1[MOST];
    uint64_t seed = 29;
    for (int which = 0; which <= PATCHES; which++) {
        br_patch* patch = patch_for_turning(which);
        for (int method = BR_METHOD_BLOCKS; method <= BR_METHOD_ELLIPSOID; method++) {
            const int is_round =
                which == DISC || which == HERTZ || which == RING || which == PATCHES;
            if (method >= BR_METHOD_REDUCED && !is_round) {
                continue;
            }
            br_contact_def def = contact_def(patch, (br_method)method, 1.7, 0.3);
            def.anisotropy.axes = BR_AXES_GROUND;
            br_contact* c = create(&def);
            assert_true(br_contact_depends_on_pose(c));
            void* memory = calloc(1, br_contact_get_at_force_size(c));
            for (int i = 0; i < 10; i++) {
                const br_pose pose = {uniform(&seed, -1.0, 1.0), 0.2, uniform(&seed, -7.0, 7.0)};
                def.anisotropy = (br_anisotropy){1.7, 0.3 - pose.theta, BR_AXES_BODY};
                br_contact* fixed = create(&def);
                void* memory1 = calloc(1, br_contact_get_at_force_size(fixed) + 1);
                const br_contact* at = br_contact_at(c, fn, pose, memory);
                const br_contact* at1 = br_contact_at_force(fixed, fn, memory1);
                const br_twist v = random_twist(&seed, 0.01);
                fill_random(&seed, c, z);
                assert_wrench(br_contact_eval(at, z, v, fn, dz),
                              br_contact_eval(at1, z, v, fn, dz1),
                              1e-9 /* N: damping times rounding */);
                const br_patch_value value = br_contact_get_patch_value(at);
                const br_patch_value value1 = br_contact_get_patch_value(at1);
                assert_near(value.cop.x, value1.cop.x, 1e-15);
                assert_near(value.cop.y, value1.cop.y, 1e-15);
                assert_near_relative(value.u, value1.u, 1e-10);
                assert_near_relative(value.r, value1.r, method == BR_METHOD_BLOCKS ? 0.02 : 1e-10);
                br_contact_destroy(fixed);
                free(memory1);
            }
            free(memory);
            br_contact_destroy(c);
        }
        br_patch_destroy(patch);
    }
}

// --- limit surfaces -----------------------------------------------------------------------------------------

static br_limit* create_surface(const br_patch* patch, br_limit_method method, double ratio,
                                double angle)
{
    br_limit_def def = br_limit_def_default();
    br_limit* surface;
    br_reason why = {"", ""};
    def.patch = patch;
    def.method = method;
    def.anisotropy.ratio = ratio;
    def.anisotropy.angle = angle;
    if (br_limit_create(&def, &surface, &why) != BR_OK) {
        fail_msg("%s: %s", why.field, why.text);
    }
    return surface;
}

/* Oracle: independent code, the sum over points; and invariants, D = -f.v, f = -grad D, gauge 1 along the slide. */
static void exact_surfaces_obey_the_definition(void** state)
{
    (void)state;
    uint64_t seed = 31;
    br_law law = br_law_default(BR_LAW_LUGRE);
    law.mu_c = law.mu_s = 1.0 / fn;
    law.sigma2 = 0.0;
    for (int which = 0; which < PATCHES; which++) {
        br_patch* patch = make_patch(patch_def(which));
        const br_anisotropy a = {2.2, 0.8, BR_AXES_BODY};
        br_limit* surface = create_surface(patch, BR_LIMIT_EXACT, a.ratio, a.angle);
        const br_vec2 cop = br_limit_get_patch_value(surface).cop;
        assert_near(cop.x, br_patch_eval(patch, 1.0).cop.x, 1e-15);
        assert_near(cop.y, br_patch_eval(patch, 1.0).cop.y, 1e-15);
        for (int i = 0; i < 40; i++) {
            const br_twist v = random_twist(&seed, 0.01);
            const br_limit_value at = br_limit_eval(surface, v);
            if (which == POINTS) {
                assert_wrench(at.wrench, slide_points(&law, &a, cop, v), 1e-12);
            }
            assert_near_relative(at.dissipation, -power_of(at.wrench, v), 1e-12);
            double jacobian[3][3];
            br_limit_jacobian_eval(surface, v, jacobian);
            const br_twist more = {v.vx + 1e-8, v.vy, v.w}, less = {v.vx - 1e-8, v.vy, v.w};
            const br_wrench up = br_limit_eval(surface, more).wrench,
                            down = br_limit_eval(surface, less).wrench;
            assert_near(jacobian[0][0], (up.fx - down.fx) / 2e-8,
                        1e-3 * (1.0 + fabs(jacobian[0][0])));
            assert_near(jacobian[1][0], (up.fy - down.fy) / 2e-8,
                        1e-3 * (1.0 + fabs(jacobian[0][0])));
            assert_near(jacobian[2][0], (up.tau - down.tau) / 2e-8, 1e-3);
            assert_near(jacobian[1][0], jacobian[0][1], 1e-9 * (1.0 + fabs(jacobian[0][0])));
            br_twist slide;
            const br_wrench load = {-at.wrench.fx, -at.wrench.fy, -at.wrench.tau};
            assert_near(br_limit_gauge(surface, load, &slide), 1.0, 1e-8);
            if (which != POINTS && which != LINE &&
                which != RING) { // whose surfaces have flat faces
                assert_near(slide.vx * at.dissipation, v.vx, 1e-5);
                assert_near(slide.vy * at.dissipation, v.vy, 1e-5);
            }
        }
        br_limit_destroy(surface);
        br_patch_destroy(patch);
    }
}

// D of a disc of radius a by the midpoint rule over its area.
static double disc_dissipation(const br_anisotropy* of, double a, br_twist v)
{
    enum { N = 400 };
    double matrix[2][2], sum = 0.0;
    br_anisotropy_get_matrix(of, 0.0, matrix);
    for (int i = 0; i < N; i++) {
        const double rho = a * sqrt((i + 0.5) / N);
        for (int k = 0; k < N; k++) {
            const double x = rho * cos(2.0 * BR_PI * k / N), y = rho * sin(2.0 * BR_PI * k / N);
            const double vx = v.vx - v.w * y, vy = v.vy + v.w * x;
            sum +=
                hypot(matrix[0][0] * vx + matrix[0][1] * vy, matrix[1][0] * vx + matrix[1][1] * vy);
        }
    }
    return sum / (N * N);
}

/* Oracle: quadrature of |A v| over a disc; and the exact surface for every method. */
static void surfaces_of_a_disc_are_those_of_an_ellipse(void** state)
{
    (void)state;
    uint64_t seed = 37;
    br_patch* patch = make_patch(patch_def(DISC));
    const double radius = br_by_force_eval(patch_def(DISC).radius, 1.0);
    const br_anisotropy a = {1.5, 0.6, BR_AXES_BODY};
    br_limit* exact = create_surface(patch, BR_LIMIT_EXACT, a.ratio, a.angle);
    for (int i = 0; i < 5; i++) {
        const br_twist v = random_twist(&seed, 0.01);
        assert_near_relative(br_limit_eval(exact, v).dissipation, disc_dissipation(&a, radius, v),
                             2e-5);
    }
    static const br_limit_method methods[] = {BR_LIMIT_SMOOTH, BR_LIMIT_BILINEAR, BR_LIMIT_GRID,
                                              BR_LIMIT_ELLIPSOID, BR_LIMIT_FITTED};
    static const double errors[] = {3e-3, 2e-2, 3e-2, 0.3, 0.25}; // 1.5 times those of a disc
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        br_limit* surface = create_surface(patch, methods[m], a.ratio, a.angle);
        const double r = br_limit_get_patch_value(exact).r;
        for (int i = 0; i < 50; i++) {
            const br_twist v = random_twist(&seed, 0.01);
            const br_wrench f = br_limit_eval(surface, v).wrench,
                            f1 = br_limit_eval(exact, v).wrench;
            assert_near(f.fx, f1.fx, a.ratio * errors[m]);
            assert_near(f.fy, f1.fy, a.ratio * errors[m]);
            assert_near(f.tau / r, f1.tau / r, errors[m]);
        }
        assert_true(br_limit_get_error(surface).max < errors[m]);
        br_limit_destroy(surface);
    }
    br_limit_destroy(exact);
    br_patch_destroy(patch);
}

/* Oracle: closed form. p_s minimises the mean of |A (J (rho - c))|: for three equal points at the corners of a triangle
   stretched so that it is equilateral it is their centre. */
static void the_spin_centre_is_the_median_of_the_stretched_patch(void** state)
{
    (void)state;
    const double ratio = 2.0, h = sqrt(3.0) / 2.0;
    const br_support_point corners[] = {
        {1.0, 0.0, 1.0}, {-0.5, h / ratio, 1.0}, {-0.5, -h / ratio, 1.0}, {0.3, 0.0, 1e-9}};
    br_patch_def def = patch_def(POINTS);
    def.points = corners;
    def.count = 4; // a tiny force off the centre, so that CoP and median differ
    br_patch* patch = make_patch(def);
    br_limit* surface = create_surface(patch, BR_LIMIT_EXACT, ratio, 0.0);
    double torque;
    const br_vec2 centre = br_limit_get_spin_centre(surface, &torque);
    assert_near(centre.x, 0.0, 1e-8);
    assert_near(centre.y, 0.0, 1e-8);
    assert_near(torque, 1.0, 1e-8);
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

/* Oracle: the contact that creates its surface itself. */
static void a_contact_takes_the_anisotropy_of_its_surface(void** state)
{
    (void)state;
    static double dz[3], dz1[3];
    uint64_t seed = 41;
    br_patch* patch = make_patch(patch_def(CORNER));
    br_limit* surface = create_surface(patch, BR_LIMIT_SMOOTH, 1.4, 0.2);
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_REDUCED;
    def.surface = surface;
    br_contact* given = create(&def);
    br_contact* own = create_on(patch, BR_METHOD_REDUCED, 1.4, 0.2);
    assert_near(br_contact_get_def(given)->anisotropy.ratio, 1.4, 0.0);
    for (int i = 0; i < 20; i++) {
        double z[3];
        fill_random(&seed, own, z);
        const br_twist v = random_twist(&seed, 0.01);
        assert_wrench(br_contact_eval(given, z, v, fn, dz), br_contact_eval(own, z, v, fn, dz1),
                      1e-12);
    }
    assert_near(br_contact_get_patch_value(given).cop.x, br_patch_eval(patch, 1.0).cop.x, 1e-15);

    // another one is refused
    br_reason why = {"", ""};
    br_contact* none = NULL;
    def.anisotropy.ratio = 1.5;
    assert_status(br_contact_create(&def, &none, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "anisotropy");
    br_contact_destroy(given);
    br_contact_destroy(own);
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

/* Oracle: the surface that is created at the force. */
static void a_surface_follows_the_force(void** state)
{
    (void)state;
    uint64_t seed = 43;
    br_patch* patch = patch_for_turning(PATCHES);
    br_limit* surface = create_surface(patch, BR_LIMIT_EXACT, 1.4, 0.2);
    void* memory = calloc(1, br_limit_get_at_force_size(surface));
    for (double force = 0.3; force < 20.0; force *= 2.0) {
        br_limit_def def = br_limit_def_default();
        br_limit* there;
        def.patch = patch;
        def.fn = force;
        def.anisotropy = (br_anisotropy){1.4, 0.2, BR_AXES_BODY};
        assert_status(br_limit_create(&def, &there, NULL), BR_OK);
        const br_limit* at = br_limit_at_force(surface, force, memory);
        const br_twist v = random_twist(&seed, 0.01);
        assert_wrench(br_limit_eval(at, v).wrench, br_limit_eval(there, v).wrench, 1e-13);
        assert_near_relative(br_limit_get_patch_value(at).r, br_limit_get_patch_value(there).r,
                             1e-13);
        br_limit_destroy(there);
    }
    free(memory);
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

// --- definitions --------------------------------------------------------------------------------------------

static void assert_refused(br_anisotropy a, const char* field)
{
    br_patch* patch = make_patch(patch_def(DISC));
    br_contact_def def = contact_def(patch, BR_METHOD_BLOCKS, 1.0, 0.0);
    br_contact* c = NULL;
    br_reason why = {"", ""};
    def.anisotropy = a;
    assert_status(br_contact_create(&def, &c, &why), BR_ERR_DEF);
    assert_string_equal(why.field, field);
    assert_null(c);
    br_patch_destroy(patch);
}

/* Oracle: the documented ranges. */
static void bad_numbers_are_refused(void** state)
{
    (void)state;
    assert_refused((br_anisotropy){0.0, 0.0, BR_AXES_BODY}, "anisotropy.ratio");
    assert_refused((br_anisotropy){-1.5, 0.0, BR_AXES_BODY}, "anisotropy.ratio");
    assert_refused((br_anisotropy){(double)NAN, 0.0, BR_AXES_BODY}, "anisotropy.ratio");
    assert_refused((br_anisotropy){(double)INFINITY, 0.0, BR_AXES_BODY}, "anisotropy.ratio");
    assert_refused((br_anisotropy){1.5, (double)NAN, BR_AXES_BODY}, "anisotropy.angle");
    assert_refused((br_anisotropy){1.5, 0.0, (br_axes)7}, "anisotropy.axes");
}

/* Oracle: the documented conditions of axes that are fixed to the ground. */
static void patches_that_change_their_form_are_refused(void** state)
{
    (void)state;
    for (int method = BR_METHOD_REDUCED; method <= BR_METHOD_ELLIPSOID; method++) {
        br_patch* patch = make_patch(patch_def(CORNER));
        br_contact_def def = contact_def(patch, (br_method)method, 2.0, 0.0);
        def.anisotropy.axes = BR_AXES_GROUND;
        br_contact* c = NULL;
        br_reason why = {"", ""};
        assert_status(br_contact_create(&def, &c, &why), BR_ERR_DEF);
        assert_string_equal(why.field, "anisotropy.axes");
        br_patch_destroy(patch);
    }
    br_patch* patch = make_patch(patch_def(DISC));
    br_limit_def surface = br_limit_def_default();
    br_limit* none = NULL;
    br_reason why = {"", ""};
    surface.patch = patch;
    surface.anisotropy = (br_anisotropy){2.0, 0.0, BR_AXES_GROUND};
    assert_status(br_limit_create(&surface, &none, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "anisotropy.axes");
    br_patch_destroy(patch);
}

/* Oracle: a caller of an older version, whose definition ends before the anisotropy, is isotropic. */
static void older_callers_are_isotropic(void** state)
{
    (void)state;
    br_patch* patch = make_patch(patch_def(DISC));
    br_contact_def def = contact_def(patch, BR_METHOD_BLOCKS, 3.0, 0.0);
    def.size = offsetof(br_contact_def, anisotropy);
    br_contact* c = create(&def);
    assert_near(br_contact_get_def(c)->anisotropy.ratio, 1.0, 0.0);
    br_contact_destroy(c);
    br_patch_destroy(patch);
}

int main(int argc, char** argv)
{
    if (argc > 1 && !strcmp(argv[1], "many")) {
        step_at_random(250000); // of each of four methods
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliding_points_obey_the_definition),
        cmocka_unit_test(sliding_without_spin_is_that_of_a_point),
        cmocka_unit_test(a_contact_is_the_isotropic_one_of_the_stretched_patch),
        cmocka_unit_test(a_spinning_line_resists_across_its_length),
        cmocka_unit_test(a_quarter_turn_inverts_the_ratio),
        cmocka_unit_test(friction_turns_with_patch_and_axes),
        cmocka_unit_test(parts_are_those_of_the_true_patch),
        cmocka_unit_test(derivatives_are_those_of_the_wrench),
        cmocka_unit_test(random_steps_are_passive),
        cmocka_unit_test(steps_of_a_body_balance),
        cmocka_unit_test(bristles_are_carried_with_their_force),
        cmocka_unit_test(a_growing_patch_is_stretched_at_every_force),
        cmocka_unit_test(batches_are_stretched_as_single_contacts),
        cmocka_unit_test(axes_of_the_ground_turn_in_the_body),
        cmocka_unit_test(exact_surfaces_obey_the_definition),
        cmocka_unit_test(surfaces_of_a_disc_are_those_of_an_ellipse),
        cmocka_unit_test(the_spin_centre_is_the_median_of_the_stretched_patch),
        cmocka_unit_test(a_contact_takes_the_anisotropy_of_its_surface),
        cmocka_unit_test(a_surface_follows_the_force),
        cmocka_unit_test(bad_numbers_are_refused),
        cmocka_unit_test(patches_that_change_their_form_are_refused),
        cmocka_unit_test(older_callers_are_isotropic),
    };
    return run_group(argc, argv, tests);
}
