/*
 * Approximate limit surfaces: tables, smooth tables, ellipsoids, curves, and their errors.
 */
#include "check.h"

#include "bristle/limit.h"
#include "limit/cell_grid.h"
#include "limit/curve.h"
#include "limit/table.h"

enum { CELLS = 7 * 5 };

static br_patch* make_patch(const br_patch_def* def)
{
    br_patch* patch = NULL;
    assert_status(br_patch_create(def, &patch, NULL), BR_OK);
    return patch;
}

static br_limit* make_surface(const br_patch* patch, br_limit_method method, size_t n)
{
    br_limit_def def = br_limit_def_default();
    def.patch = patch;
    def.method = method;
    def.n = n;
    br_limit* surface = NULL;
    assert_status(br_limit_create(&def, &surface, NULL), BR_OK);
    return surface;
}

// The shapes that errors are stated for.
typedef enum shape { DISC, HERTZ, SQUARE, LINE, GRADIENT_LINE, GRID, SHAPES } shape;
static const char* const shape_names[] = {"disc", "hertz",         "square",
                                          "line", "gradient line", "grid"};

// 7 x 5 cells without any symmetry
static const double grid_cells[CELLS] = {1.0, 2.0, 0.0, 0.0, 3.0, 1.0, 0.5, 0.2, 1.0, 1.0, 2.0, 1.0,
                                         0.0, 0.0, 4.0, 1.0, 1.0, 1.5, 1.0, 0.7, 0.1, 0.0, 0.0, 2.0,
                                         2.0, 2.0, 0.3, 1.0, 1.0, 0.0, 0.0, 1.0, 1.2, 2.2, 0.9};

static br_patch* make_shape(shape which)
{
    br_patch_def def = br_patch_def_default();
    def.size_x = def.size_y = def.length = 0.02;
    def.columns = 7;
    def.rows = 5;
    def.cells = grid_cells;
    def.k = br_by_force_constant(2.0);
    def.from = 0.0;
    def.to = 1.0;
    def.pressure = which == HERTZ           ? BR_PRESSURE_POWER
                   : which == GRADIENT_LINE ? BR_PRESSURE_LINEAR
                                            : BR_PRESSURE_UNIFORM;
    def.shape = which == SQUARE                           ? BR_SHAPE_RECTANGLE
                : which == LINE || which == GRADIENT_LINE ? BR_SHAPE_LINE
                : which == GRID                           ? BR_SHAPE_GRID
                                                          : BR_SHAPE_DISC;
    def.angle = which == GRID ? 0.3 : 0.0;
    return make_patch(&def);
}

static br_twist random_twist(uint64_t* seed, double r)
{
    return (br_twist){uniform(seed, -1.0, 1.0), uniform(seed, -1.0, 1.0),
                      uniform(seed, -1.0, 1.0) / r};
}

static double dot(br_wrench f, br_twist v)
{
    return f.fx * v.vx + f.fy * v.vy + f.tau * v.w;
}

// A grid whose pressure is its own mirror image or not: bit 0 about x, bit 1 about y; 4: neither, and turned.
static br_patch* mirrored_patch(int which)
{
    double cells[CELLS];
    for (size_t i = 0; i < 5; i++) {
        for (size_t j = 0; j < 7; j++) {
            const size_t mirror_i = which & 1 && i > 2 ? 4 - i : i;
            const size_t mirror_j = which & 2 && j > 3 ? 6 - j : j;
            cells[i * 7 + j] = grid_cells[mirror_i * 7 + mirror_j];
        }
    }
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_GRID;
    def.size_x = 0.03, def.size_y = 0.02;
    def.columns = 7, def.rows = 5;
    def.cells = cells;
    def.centre = (br_vec2){0.1, -0.2};
    def.angle = which == 4 ? 0.7 : 0.0;
    return make_patch(&def);
}

/* Oracle: the plain twin. Pressures with and without mirror images, upright and turned. */
static void fast_nodes_agree_with_plain_ones(void** state)
{
    (void)state;
    enum { N = 6 };
    static double fast[(4 * N + 1) * (N + 1) * 3], plain[(4 * N + 1) * (N + 1) * 3];
    for (int which = 0; which < 5; which++) {
        br_patch* patch = mirrored_patch(which);
        const br_patch_value value = br_patch_eval(patch, 1.0);
        cell_grid grid;
        assert_status(bri_cell_grid_init(patch, 1.0, 1, value.cop, &grid, NULL), BR_OK);
        for (grid_rule rule = GRID_RIGHT; rule <= GRID_PUBLISHED; rule++) {
            bri_grid_nodes_plain(&grid, rule, value.r, 1.01, 1.02 * value.r, N, plain);
            bri_grid_nodes(&grid, rule, value.r, 1.01, 1.02 * value.r, N, fast);
            for (size_t i = 0; i < sizeof fast / sizeof *fast; i++) {
                assert_near(fast[i], plain[i], 1e-13 /* order of the sums */);
            }
        }
        bri_cell_grid_clear(&grid);
        br_patch_destroy(patch);
    }
}

// The largest difference of a smooth table from the exact surface at the inner nodes of its faces, of D and
// the wrench over its size.
static double smooth_error(const br_limit* smooth, const br_limit* exact, double angle, size_t n)
{
    const double r = br_limit_get_patch_value(exact).r;
    double worst = 0.0;
    for (size_t k = 0; k < 3 * n * n; k++) {
        const size_t face = k / (n * n), i = k / n % n, j = k % n;
        double s[3];
        s[face] = 1.0;
        s[(face + 1) % 3] = (2.0 * (double)i - (double)n) / (double)n;
        s[(face + 2) % 3] = (2.0 * (double)j - (double)n) / (double)n;
        const br_vec2 vt = br_vec2_rotate((br_vec2){s[0], s[1]}, angle);
        const br_twist v = {vt.x, vt.y, s[2] / r};
        const br_limit_value a = br_limit_eval(smooth, v), b = br_limit_eval(exact, v);
        worst = fmax(worst, fabs(a.dissipation - b.dissipation));
        if (i > 0 && j > 0) { // slopes at the edges of the cube are replaced for smooth seams
            worst = fmax(worst, fabs(a.wrench.fx - b.wrench.fx) + fabs(a.wrench.fy - b.wrench.fy));
            worst = fmax(worst, fabs(a.wrench.tau - b.wrench.tau) / r);
        }
    }
    return worst;
}

/* Oracle: the exact surface. Nodes that are taken from their mirror images are as right as the others. */
static void mirrored_nodes_are_those_of_the_exact_surface(void** state)
{
    (void)state;
    enum { N = 6 };
    for (int which = 0; which < 5; which++) {
        br_patch* patch = mirrored_patch(which);
        br_limit_def def = br_limit_def_default();
        def.patch = patch;
        def.n = N;
        br_limit* surface[3];
        const br_limit_method methods[] = {BR_LIMIT_EXACT, BR_LIMIT_SMOOTH, BR_LIMIT_BILINEAR};
        for (int i = 0; i < 3; i++) {
            def.method = methods[i];
            assert_status(br_limit_create(&def, &surface[i], NULL), BR_OK);
        }
        const double angle = br_patch_get_def(patch)->angle;
        assert_near(smooth_error(surface[1], surface[0], angle, N), 0.0, 1e-12 /* rounding */);
        const double r = br_patch_eval(patch, 1.0).r;
        for (size_t i = 0; i < 4 * N * N; i++) {
            const br_twist v = table_twist(r, N, i / N, i % N);
            const br_wrench a = br_limit_eval(surface[2], v).wrench;
            const br_wrench b = br_limit_eval(surface[0], v).wrench;
            assert_near(fabs(a.fx - b.fx) + fabs(a.fy - b.fy) + fabs(a.tau - b.tau) / r, 0.0,
                        1e-12 /* rounding of the angles */);
        }
        for (int i = 0; i < 3; i++) {
            br_limit_destroy(surface[i]);
        }
        br_patch_destroy(patch);
    }
}

/* Oracle: the exact surface, which a table from it must meet at its nodes. */
static void bilinear_table_is_exact_at_its_nodes(void** state)
{
    (void)state;
    br_patch* patch = make_shape(GRID);
    br_limit* exact = make_surface(patch, BR_LIMIT_EXACT, 8);
    br_limit* table = make_surface(patch, BR_LIMIT_BILINEAR, 8);
    const double r = br_limit_get_patch_value(table).r;
    for (size_t i = 0; i <= 32; i++) {
        for (size_t j = 0; j <= 8; j++) {
            for (double sign = -1.0; sign <= 1.0; sign += 2.0) {
                const br_twist node = table_twist(r, 8, i, j);
                const br_twist v = {sign * node.vx, sign * node.vy, sign * node.w};
                const br_wrench a = br_limit_eval(table, v).wrench;
                const br_wrench b = br_limit_eval(exact, v).wrench;
                const double near = 1e-12; // rounding of angles
                assert_near(a.fx, b.fx, near);
                assert_near(a.fy, b.fy, near);
                assert_near(a.tau / r, b.tau / r, near);
            }
        }
    }
    br_limit_destroy(table);
    br_limit_destroy(exact);
    br_patch_destroy(patch);
}

/* Oracle: the exact surface. By (38) as printed pure sliding, phi = pi/2, has i_phi = N_ls: the first cell
 * of the next theta, whose corner is pure spin. */
static void pure_sliding_is_in_the_last_cell(void** state)
{
    (void)state;
    br_patch* patch = make_shape(GRID);
    for (size_t n = 2; n <= 40; n++) {
        br_limit* table = make_surface(patch, BR_LIMIT_BILINEAR, n);
        const double r = br_limit_get_patch_value(table).r;
        for (size_t i = 0; i < 4 * n; i++) {
            const br_twist v = table_twist(r, n, i, n);
            const br_wrench f = br_limit_eval(table, v).wrench;
            assert_near(f.fx, -v.vx / hypot(v.vx, v.vy), 1e-12 /* rounding of angles */);
            assert_near(f.fy, -v.vy / hypot(v.vx, v.vy), 1e-12);
            assert_near(f.tau / r, 0.0, 1e-12);
        }
        br_limit_destroy(table);
    }
    br_patch_destroy(patch);
}

// The Jacobian against central differences of the wrench, for random twists.
static void check_jacobian(const br_limit* surface, double tolerance)
{
    const double r = br_limit_get_patch_value(surface).r, step = 1e-6;
    uint64_t seed = 5;
    for (int i = 0; i < 300; i++) {
        const br_twist v = random_twist(&seed, r);
        const double size = sqrt(v.vx * v.vx + v.vy * v.vy + r * r * v.w * v.w);
        double jacobian[3][3];
        br_limit_jacobian_eval(surface, v, jacobian);
        for (int j = 0; j < 3; j++) {
            const double d[3] = {j == 0 ? step : 0.0, j == 1 ? step : 0.0, j == 2 ? step / r : 0.0};
            const br_twist up = {v.vx + d[0], v.vy + d[1], v.w + d[2]};
            const br_twist down = {v.vx - d[0], v.vy - d[1], v.w - d[2]};
            const br_wrench a = br_limit_eval(surface, up).wrench;
            const br_wrench b = br_limit_eval(surface, down).wrench;
            const double scale = j == 2 ? 1.0 / r : 1.0, h = 2.0 * step;
            assert_near(size * jacobian[0][j] * scale, size * (a.fx - b.fx) / h, tolerance);
            assert_near(size * jacobian[1][j] * scale, size * (a.fy - b.fy) / h, tolerance);
            assert_near(size * jacobian[2][j] * scale / r, size * (a.tau - b.tau) / (h * r),
                        tolerance);
        }
    }
}

/* Oracle: central differences. A table has kinks, which the differences must not straddle: the
 * twists of this seed do not. */
static void jacobians_are_derivatives_of_the_wrench(void** state)
{
    (void)state;
    const br_limit_method methods[] = {BR_LIMIT_SMOOTH, BR_LIMIT_BILINEAR, BR_LIMIT_GRID,
                                       BR_LIMIT_ELLIPSOID, BR_LIMIT_FITTED};
    br_patch* patch = make_shape(GRID);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        br_limit* surface = make_surface(patch, methods[i], 20);
        check_jacobian(surface, 1e-4 /* step times the third derivative of a cell, 1/0.1^2 */);
        br_limit_destroy(surface);
    }
    br_patch_destroy(patch);
}

/* Oracle: invariants of a surface that comes from one function D. */
static void smooth_table_is_passive_and_symmetric(void** state)
{
    (void)state;
    for (shape which = 0; which < SHAPES; which++) {
        br_patch* patch = make_shape(which);
        br_limit* surface = make_surface(patch, BR_LIMIT_SMOOTH, 20);
        const double r = br_limit_get_patch_value(surface).r;
        uint64_t seed = 1;
        for (int i = 0; i < 20000; i++) {
            const br_twist v = random_twist(&seed, r);
            const br_limit_value value = br_limit_eval(surface, v);
            double j[3][3];
            br_limit_jacobian_eval(surface, v, j);
            assert_true(value.dissipation > 0.0);
            assert_near(dot(value.wrench, v), -value.dissipation, 1e-14 /* rounding */);
            const double size = fmax(1.0, fabs(j[0][0]) + fabs(j[1][1]) + fabs(j[2][2]) / (r * r));
            assert_near(j[0][1], j[1][0], 1e-15 * size);
            assert_near(j[0][2] / r, j[2][0] / r, 1e-15 * size);
            assert_near(j[1][2] / r, j[2][1] / r, 1e-15 * size);
            // v is in the null space
            assert_near(j[0][0] * v.vx + j[0][1] * v.vy + j[0][2] * v.w, 0.0, 1e-13 * size);
            const br_twist back = {-3.0 * v.vx, -3.0 * v.vy, -3.0 * v.w};
            assert_near(br_limit_eval(surface, back).dissipation, 3.0 * value.dissipation, 1e-14);
        }
        br_limit_destroy(surface);
        br_patch_destroy(patch);
    }
}

/* Oracle: convexity, D(a + b) <= D(a) + D(b), and negative semidefinite Jacobians. Patches with an
 * area; a line has twists, turning about a point of its axis, where D is not strictly convex, and
 * there the table is not convex (1e-3 of all directions at n = 20). */
static void smooth_table_is_convex(void** state)
{
    (void)state;
    const shape shapes[] = {DISC, HERTZ, SQUARE, GRID};
    for (size_t i = 0; i < 4; i++) {
        br_patch* patch = make_shape(shapes[i]);
        br_limit* surface = make_surface(patch, BR_LIMIT_SMOOTH, 20);
        const double r = br_limit_get_patch_value(surface).r;
        uint64_t seed = 2;
        for (int k = 0; k < 30000; k++) {
            const br_twist a = random_twist(&seed, r);
            const double near = k % 2 ? 1.0 : 0.01; // far apart and close together by turns
            const br_twist d = random_twist(&seed, r / near);
            const br_twist b = {a.vx + near * d.vx, a.vy + near * d.vy, a.w + d.w};
            const br_twist sum = {a.vx + b.vx, a.vy + b.vy, a.w + b.w};
            const double lack = br_limit_eval(surface, a).dissipation +
                                br_limit_eval(surface, b).dissipation -
                                br_limit_eval(surface, sum).dissipation;
            assert_true(lack >= -1e-14); // rounding
        }
        br_limit_destroy(surface);
        br_patch_destroy(patch);
    }
}

/* Oracle: a wrench of the surface is on it, so that its gauge is 1. True of a convex D only. */
static void gauge_of_a_smooth_table_is_its_own(void** state)
{
    (void)state;
    br_patch* patch = make_shape(GRID);
    br_limit* surface = make_surface(patch, BR_LIMIT_SMOOTH, 20);
    uint64_t seed = 7;
    for (int i = 0; i < 2000; i++) {
        const br_twist v = random_twist(&seed, br_limit_get_patch_value(surface).r);
        const br_wrench f = br_limit_eval(surface, v).wrench;
        const br_wrench load = {-f.fx, -f.fy, -f.tau};
        assert_near(br_limit_gauge(surface, load, NULL), 1.0, 1e-12 /* the gauge's own */);
    }
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

/* Oracle: continuity of the gradient across the edges of the cube, |s_k| = |s_m|. */
static void smooth_table_has_no_seams(void** state)
{
    (void)state;
    br_patch* patch = make_shape(GRADIENT_LINE);
    br_limit* surface = make_surface(patch, BR_LIMIT_SMOOTH, 10);
    const double r = br_limit_get_patch_value(surface).r;
    uint64_t seed = 3;
    for (int i = 0; i < 3000; i++) {
        br_wrench f[2];
        for (int side = 0; side < 2; side++) {
            double s[3];
            s[i % 3] = side ? 1.0 + 1e-12 : 1.0 - 1e-12;
            s[(i + 1) % 3] = i % 2 ? -1.0 : 1.0;
            uint64_t same = seed;
            s[(i + 2) % 3] = uniform(&same, -1.0, 1.0);
            f[side] = br_limit_eval(surface, (br_twist){s[0], s[1], s[2] / r}).wrench;
        }
        uniform(&seed, 0.0, 1.0);
        assert_near(f[0].fx, f[1].fx, 1e-10 /* distance times the curvature */);
        assert_near(f[0].fy, f[1].fy, 1e-10);
        assert_near(f[0].tau / r, f[1].tau / r, 1e-10);
    }
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

typedef struct stated {
    shape which;
    br_limit_method method;
    double max, rms; // as measured when this was written, plus a tenth
} stated;

/* Oracle: the exact surface. The errors that the documents state, N_ls = 20. */
static void errors_are_as_stated(void** state)
{
    (void)state;
    const stated all[] = {
        {DISC, BR_LIMIT_SMOOTH, 0.0011, 0.00011},
        {HERTZ, BR_LIMIT_SMOOTH, 0.00055, 7.6e-05},
        {SQUARE, BR_LIMIT_SMOOTH, 0.0019, 8.6e-05},
        {LINE, BR_LIMIT_SMOOTH, 0.018, 0.001},
        {GRADIENT_LINE, BR_LIMIT_SMOOTH, 0.022, 0.001},
        {DISC, BR_LIMIT_BILINEAR, 0.01, 0.0023},
        {HERTZ, BR_LIMIT_BILINEAR, 0.0059, 0.0018},
        {SQUARE, BR_LIMIT_BILINEAR, 0.014, 0.002},
        {LINE, BR_LIMIT_BILINEAR, 0.044, 0.0039},
        {GRADIENT_LINE, BR_LIMIT_BILINEAR, 0.075, 0.0039},
        {DISC, BR_LIMIT_ELLIPSOID, 0.18, 0.12},
        {DISC, BR_LIMIT_FITTED, 0.17, 0.11},
        {GRADIENT_LINE, BR_LIMIT_ELLIPSOID, 0.6, 0.19},
        {GRADIENT_LINE, BR_LIMIT_FITTED, 0.59, 0.16},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        br_patch* patch = make_shape(all[i].which);
        br_limit* surface = make_surface(patch, all[i].method, 20);
        const br_limit_error error = br_limit_get_error(surface);
        print_message("%-13s method %d: max %.2e rms %.2e angle %.2e size %.2e\n",
                      shape_names[all[i].which], (int)all[i].method, error.max, error.rms,
                      error.max_angle, error.max_size);
        assert_true(error.max <= all[i].max && error.rms <= all[i].rms);
        assert_true(error.max >= 0.7 * all[i].max); // stated, not guessed
        assert_true(error.max_size <= error.max + 1e-15 && error.max_angle < 2.0 * error.max);
        br_limit_destroy(surface);
        br_patch_destroy(patch);
    }
}

/* Oracle: the exact surface, sampled densely about rotations around a point of the ring, where its slope grows without
 * bound. With D_ab of the nodes there as rounding made it, errors were up to 0.15. */
static void smooth_tables_of_rings_hold_where_their_slope_is_infinite(void** state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        br_patch_def def = br_patch_def_default();
        def.shape = BR_SHAPE_RING;
        def.angle = 0.3 * i;
        br_patch* patch = make_patch(&def);
        br_limit* surface = make_surface(patch, BR_LIMIT_SMOOTH, 20);
        br_limit* exact = make_surface(patch, BR_LIMIT_EXACT, 20);
        const double r = br_patch_eval(patch, 1.0).r;
        uint64_t seed = 5;
        double most = 0.0;
        for (int k = 0; k < 20000; k++) {
            const double phi = uniform(&seed, -BR_PI, BR_PI), near = uniform(&seed, 0.8, 1.25);
            const br_twist v = {near * cos(phi), near * sin(phi), k % 2 ? 1.0 / r : -1.0 / r};
            const br_wrench a = br_limit_eval(surface, v).wrench,
                            b = br_limit_eval(exact, v).wrench;
            most = fmax(most, fmax(hypot(a.fx - b.fx, a.fy - b.fy), fabs(a.tau - b.tau) / r));
        }
        print_message("ring at %.1f rad: %.2e\n", def.angle, most);
        assert_true(most < 0.0066 && most > 0.004); // as measured, and a tenth
        br_limit_destroy(exact);
        br_limit_destroy(surface);
        br_patch_destroy(patch);
    }
}

/* Oracle: the order of the table. The sample does not fall on the nodes of any n: four times the
 * nodes leave about a sixteenth of the error, and the largest is never stated as rounding. */
static void errors_of_fine_tables_are_not_sampled_on_their_nodes(void** state)
{
    (void)state;
    br_patch* patch = make_shape(DISC);
    double last = 0.0;
    for (size_t n = 32; n <= 512; n *= 4) {
        br_limit* surface = make_surface(patch, BR_LIMIT_BILINEAR, n);
        const double rms = br_limit_get_error(surface).rms;
        assert_true(last == 0.0 || (rms > 0.03 * last && rms < 0.12 * last));
        last = rms;
        br_limit_destroy(surface);
    }
    br_patch_destroy(patch);
}

/* Oracle: definition. A published table of one cell has no torque at all: that is an error of 1. */
static void a_table_without_torque_has_none(void** state)
{
    (void)state;
    br_patch* patch = make_shape(DISC);
    br_limit_def def = br_limit_def_default();
    def.patch = patch;
    def.method = BR_LIMIT_PUBLISHED;
    def.resolution = 1;
    br_limit* surface = NULL;
    assert_status(br_limit_create(&def, &surface, NULL), BR_OK);
    assert_near(br_limit_get_error(surface).max, 1.0, 1e-6 /* a sample close to pure spin */);
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

/* Oracle: the exact surface against itself. */
static void exact_surface_has_no_error(void** state)
{
    (void)state;
    br_patch* patch = make_shape(SQUARE);
    br_limit* surface = make_surface(patch, BR_LIMIT_EXACT, 4);
    const br_limit_error error = br_limit_get_error(surface);
    assert_near(error.max + error.rms + error.max_angle + error.max_size, 0.0, 0.0);
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

/* Oracle: closed form (22): f = -S v_S/|v_S|. */
static void ellipsoid_is_the_closed_form(void** state)
{
    (void)state;
    br_patch* patch = make_shape(DISC);
    br_limit* surface = make_surface(patch, BR_LIMIT_ELLIPSOID, 20);
    const double r = 0.02 / 3.0, norm = sqrt(0.03 * 0.03 + 0.04 * 0.04 + 25.0 * r * r);
    const br_limit_value value = br_limit_eval(surface, (br_twist){0.03, -0.04, 5.0});
    assert_near(value.dissipation, norm, 1e-16 /* rounding */);
    assert_near(value.wrench.fx, -0.03 / norm, 1e-15);
    assert_near(value.wrench.fy, 0.04 / norm, 1e-15);
    assert_near(value.wrench.tau, -5.0 * r * r / norm, 1e-16);
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

/* Oracle: homogeneity, over the whole range of doubles. */
static void every_method_takes_twists_of_any_size(void** state)
{
    (void)state;
    br_patch* patch = make_shape(SQUARE);
    for (int method = BR_LIMIT_EXACT; method <= BR_LIMIT_FITTED; method++) {
        br_limit* surface = make_surface(patch, (br_limit_method)method, 5);
        const br_twist v = {0.3, -0.2, 40.0};
        const br_wrench one = br_limit_eval(surface, v).wrench;
        const double sizes[] = {1e-300, 1e-150, 1e150, 1e298};
        for (size_t i = 0; i < 4; i++) {
            const double s = sizes[i];
            const br_limit_value value =
                br_limit_eval(surface, (br_twist){s * v.vx, s * v.vy, s * v.w});
            assert_near(value.wrench.fx, one.fx, 1e-14 /* rounding */);
            assert_near(value.wrench.fy, one.fy, 1e-14);
            assert_near(value.wrench.tau, one.tau, 1e-14);
            assert_near_relative(value.dissipation, -s * dot(one, v), 1e-13);
        }
        assert_true(isnan(br_limit_eval(surface, (br_twist){(double)NAN, 0.0, 1.0}).wrench.fx));
        assert_near(br_limit_eval(surface, (br_twist){0.0, 0.0, 0.0}).dissipation, 0.0, 0.0);
        br_limit_destroy(surface);
    }
    br_patch_destroy(patch);
}

/* Oracle: closed form. A point slides like a point, and its spin costs nothing. */
static void surfaces_of_a_point_are_circles(void** state)
{
    (void)state;
    const br_limit_method methods[] = {BR_LIMIT_SMOOTH, BR_LIMIT_BILINEAR, BR_LIMIT_ELLIPSOID,
                                       BR_LIMIT_FITTED};
    const br_support_point point = {0.01, 0.02, 1.0};
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_POINTS;
    def.count = 1;
    def.points = &point;
    br_patch* patch = make_patch(&def);
    for (size_t i = 0; i < 4; i++) {
        br_limit* surface = make_surface(patch, methods[i], 20);
        const br_limit_value value = br_limit_eval(surface, (br_twist){3.0, 4.0, 7.0});
        const double near = 1e-3; // a bilinear table of a circle, n = 20
        assert_near(value.dissipation, 5.0, 5.0 * near);
        assert_near(value.wrench.fx, -0.6, near);
        assert_near(value.wrench.fy, -0.8, near);
        assert_near(value.wrench.tau, 0.0, 0.0);
        const br_limit_value spin = br_limit_eval(surface, (br_twist){0.0, 0.0, 7.0});
        assert_near(spin.dissipation, 0.0, 0.0);
        br_limit_destroy(surface);
    }
    br_patch_destroy(patch);
}

/* Oracle: the documentation. A ring and points have no lattice. */
static void grid_methods_refuse_what_has_no_lattice(void** state)
{
    (void)state;
    const br_support_point points[] = {{0.0, 0.0, 1.0}, {0.01, 0.0, 1.0}};
    for (int i = 0; i < 4; i++) {
        br_patch_def def = br_patch_def_default();
        def.shape = i % 2 ? BR_SHAPE_RING : BR_SHAPE_POINTS;
        def.count = 2;
        def.points = points;
        br_patch* patch = make_patch(&def);
        br_limit_def limit = br_limit_def_default();
        limit.patch = patch;
        limit.method = i / 2 ? BR_LIMIT_GRID : BR_LIMIT_PUBLISHED;
        br_limit* surface = NULL;
        br_reason why = {"", ""};
        assert_status(br_limit_create(&limit, &surface, &why), BR_ERR_DEF);
        assert_string_equal(why.field, "method");
        assert_null(surface);
        br_patch_destroy(patch);
    }
}

/* Oracle: a counting allocator. */
static void failed_creation_leaves_nothing_behind(void** state)
{
    (void)state;
    br_patch* patch = make_shape(GRID);
    for (int method = BR_LIMIT_EXACT; method <= BR_LIMIT_FITTED; method++) {
        br_status status = BR_ERR_MEMORY;
        for (size_t fail_at = 1; status == BR_ERR_MEMORY; fail_at++) {
            counting count = {0, 0, fail_at};
            br_set_allocator(counting_allocate, counting_release, &count);
            br_limit_def def = br_limit_def_default();
            def.patch = patch;
            def.method = (br_limit_method)method;
            def.n = 2;
            br_limit* surface = NULL;
            br_reason why = {"", ""};
            status = br_limit_create(&def, &surface, &why);
            assert_true((status == BR_OK) == (surface != NULL));
            assert_true(status == BR_OK || why.text[0] != '\0');
            br_limit_destroy(surface);
            br_set_allocator(NULL, NULL, NULL);
            assert_int_equal(count.alive, 0);
        }
        assert_int_equal(status, BR_OK);
    }
    br_patch_destroy(patch);
}

static double curve_difference(const limit_curve* curve, const br_limit* exact, double d)
{
    const br_twist v = {0.6 * d * curve->radius, 0.8 * d * curve->radius, -1.0};
    const br_limit_value a = bri_curve_eval(curve, v), b = br_limit_eval(exact, v);
    assert_near(dot(a.wrench, v), -a.dissipation, 1e-14 * (1.0 + a.dissipation));
    return hypot(hypot(a.wrench.fx - b.wrench.fx, a.wrench.fy - b.wrench.fy),
                 (a.wrench.tau - b.wrench.tau) / curve->radius);
}

// The curve of a patch against its exact surface, relative to mu fn and mu fn R, the CoR at
// distances from 1e-9 to 100 radii from the centre and from the rim.
static void compare_curve(const curve_basis* basis, const br_patch_def* def, double tolerance)
{
    br_patch* patch = make_patch(def);
    limit_curve curve;
    assert_status(bri_curve_init(basis, patch, 1.0, &curve), BR_OK);
    br_limit* exact = make_surface(patch, BR_LIMIT_EXACT, 20);
    double largest = curve_difference(&curve, exact, 1.0);
    for (int i = 0; i <= 1100; i++) {
        const double x = 1e-9 * pow(10.0, 0.01 * i);
        largest = fmax(largest, curve_difference(&curve, exact, x));
        largest = fmax(largest, curve_difference(&curve, exact, 1.0 + x));
        largest = fmax(largest, curve_difference(&curve, exact, x < 1.0 ? 1.0 - x : 1.0 / x));
    }
    print_message("r = %.3f R: curve - exact %.1e\n", curve.r / curve.radius, largest);
    assert_near(largest, 0.0, tolerance);
    br_limit_destroy(exact);
    br_patch_destroy(patch);
}

/* Oracle: the exact surface. */
static void curves_agree_with_the_exact_surface(void** state)
{
    (void)state;
    curve_basis* basis = NULL;
    assert_status(bri_curve_basis_create(&basis, NULL), BR_OK);
    br_patch_def def = br_patch_def_default();
    compare_curve(basis, &def, 2.5e-8 /* as stated: polynomials of degree 5, 20 cells */);
    const double exponents[] = {0.4, 0.5, 1.0, 2.0, 3.46, 8.0, 20.0, 1000.0, 0.3, 0.2, 0.1, 0.051};
    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
        const double k = exponents[i];
        def.pressure = BR_PRESSURE_POWER;
        def.k = br_by_force_constant(k);
        compare_curve(basis, &def, k < 0.3 ? 0.05 /* a sum of rings */ : k < 0.4 ? 2e-7 : 2.5e-8);
    }
    def.pressure = BR_PRESSURE_UNIFORM;
    def.shape = BR_SHAPE_RING;
    compare_curve(basis, &def, 6e-6 /* its curvature is infinite at the rim */);
    bri_curve_basis_destroy(basis);
}

/* Oracle: a point, which a power law becomes as its exponent k = 2 fn vanishes. */
static void a_curve_shrinks_to_a_point(void** state)
{
    (void)state;
    curve_basis* basis = NULL;
    assert_status(bri_curve_basis_create(&basis, NULL), BR_OK);
    br_patch_def def = br_patch_def_default();
    def.pressure = BR_PRESSURE_POWER;
    def.k = (br_by_force){2.0, 1.0, (double)INFINITY};
    br_patch* patch = make_patch(&def);
    limit_curve curve;
    assert_status(bri_curve_init(basis, patch, 0.0, &curve), BR_OK);
    const double spins[] = {0.0, 1.0, 1e3};
    for (size_t i = 0; i < 3; i++) {
        const br_limit_value value = bri_curve_eval(&curve, (br_twist){0.03, -0.04, spins[i]});
        assert_near(value.dissipation, 0.05, 1e-15 /* rounding */);
        assert_near(value.wrench.fx, -0.6, 1e-13 /* rounding over a small cell */);
        assert_near(value.wrench.tau, 0.0, 1e-15);
    }
    br_patch_destroy(patch);
    bri_curve_basis_destroy(basis);
}

/* Oracle: central differences, and the documentation. */
static void curve_jacobian_is_the_derivative_and_nothing_is_allocated(void** state)
{
    (void)state;
    curve_basis* basis = NULL;
    assert_status(bri_curve_basis_create(&basis, NULL), BR_OK);
    br_patch* patch = make_shape(HERTZ);
    counting count = {0, 0, 0};
    br_set_allocator(counting_allocate, counting_release, &count);
    limit_curve curve;
    assert_status(bri_curve_init(basis, patch, 1.0, &curve), BR_OK);
    const double radius = curve.radius, step = 1e-6;
    uint64_t seed = 6;
    for (int i = 0; i < 500; i++) {
        const br_twist v = random_twist(&seed, radius);
        double j[3][3];
        bri_curve_jacobian_eval(&curve, v, j);
        const br_wrench a = bri_curve_eval(&curve, (br_twist){v.vx + step, v.vy, v.w}).wrench;
        const br_wrench b = bri_curve_eval(&curve, (br_twist){v.vx - step, v.vy, v.w}).wrench;
        const double size = hypot(hypot(v.vx, v.vy), radius * v.w), h = 2.0 * step / size;
        assert_near(size * j[0][0], (a.fx - b.fx) / h,
                    1e-5 /* step over size, squared, and more */);
        assert_near(size * j[1][0], (a.fy - b.fy) / h, 1e-5);
        assert_near(size * j[2][0] / radius, (a.tau - b.tau) / (h * radius), 1e-5);
        assert_near(j[0][1], j[1][0], 0.0);
        assert_near(j[0][2], j[2][0], 0.0);
        // v is in the null space
        assert_near(size * (j[2][0] * v.vx + j[2][1] * v.vy + j[2][2] * v.w) / radius, 0.0, 1e-12);
    }
    assert_near(bri_curve_eval(&curve, (br_twist){0.0, 0.0, 0.0}).dissipation, 0.0, 0.0);
    assert_true(isnan(bri_curve_eval(&curve, (br_twist){(double)NAN, 0.0, 1.0}).dissipation));
    assert_int_equal(count.calls, 0);
    br_set_allocator(NULL, NULL, NULL);
    br_patch_destroy(patch);
    br_patch* square = make_shape(SQUARE);
    assert_status(bri_curve_init(basis, square, 1.0, &curve), BR_ERR_ARG);
    br_patch_destroy(square);
    bri_curve_basis_destroy(basis);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_nodes_agree_with_plain_ones),
        cmocka_unit_test(mirrored_nodes_are_those_of_the_exact_surface),
        cmocka_unit_test(bilinear_table_is_exact_at_its_nodes),
        cmocka_unit_test(pure_sliding_is_in_the_last_cell),
        cmocka_unit_test(jacobians_are_derivatives_of_the_wrench),
        cmocka_unit_test(smooth_table_is_passive_and_symmetric),
        cmocka_unit_test(smooth_table_is_convex),
        cmocka_unit_test(gauge_of_a_smooth_table_is_its_own),
        cmocka_unit_test(smooth_table_has_no_seams),
        cmocka_unit_test(errors_are_as_stated),
        cmocka_unit_test(smooth_tables_of_rings_hold_where_their_slope_is_infinite),
        cmocka_unit_test(errors_of_fine_tables_are_not_sampled_on_their_nodes),
        cmocka_unit_test(a_table_without_torque_has_none),
        cmocka_unit_test(exact_surface_has_no_error),
        cmocka_unit_test(ellipsoid_is_the_closed_form),
        cmocka_unit_test(every_method_takes_twists_of_any_size),
        cmocka_unit_test(surfaces_of_a_point_are_circles),
        cmocka_unit_test(grid_methods_refuse_what_has_no_lattice),
        cmocka_unit_test(failed_creation_leaves_nothing_behind),
        cmocka_unit_test(curves_agree_with_the_exact_surface),
        cmocka_unit_test(a_curve_shrinks_to_a_point),
        cmocka_unit_test(curve_jacobian_is_the_derivative_and_nothing_is_allocated),
    };
    return run_group(argc, argv, tests);
}
