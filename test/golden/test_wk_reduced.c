/*
 * The reduced model against golden/wk/vel_cont_*, columns fx_r, fy_r, tau_r (limit surface) and
 * fx_e, fy_e, tau_e (ellipsoid): the published code's reduced model on the published cell grids,
 * normal force 1 N, wrench at the CoP. The first argument is the folder with the tables.
 */
#include "wk.h"

#include "bristle/reduced.h"

// A value that is linear between these knots: (time, value) pairs.
static double knots(const double (*knot)[2], size_t count, double t)
{
    for (size_t i = 1; i < count; i++) {
        if (t <= knot[i][0]) {
            const double x = (t - knot[i - 1][0]) / (knot[i][0] - knot[i - 1][0]);
            return knot[i - 1][1] + x * (knot[i][1] - knot[i - 1][1]);
        }
    }
    return knot[count - 1][1];
}

// The velocity profile of Fig 5.
static br_twist profile(double t)
{
    static const double c = 0.015;
    static const double w[][2] = {{0, 0}, {0.6, 1}, {3.4, 1}, {4.0, 0}, {5.0, 0}};
    const double vx[][2] = {{0, 0}, {0.8, 0}, {1.4, c}, {1.6, c}, {2.2, 0}, {5.0, 0}};
    const double vy[][2] = {{0, 0}, {2.4, 0}, {2.7, 0.4 * c}, {4.3, 0.4 * c}, {4.6, 0}, {5.0, 0}};
    return (br_twist){knots(vx, 6, t), knots(vy, 6, t), knots(w, 5, t)};
}

// One step of the classical Runge-Kutta method; the bristles relax at 3e4 1/s at most.
static void runge_kutta(const br_reduced* m, double t, double h, double z[3])
{
    const double when[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double k[3] = {0.0, 0.0, 0.0}, sum[3] = {0.0, 0.0, 0.0};
    for (int stage = 0; stage < 4; stage++) {
        double trial[3];
        for (int i = 0; i < 3; i++) {
            trial[i] = z[i] + when[stage] * h * k[i];
        }
        br_reduced_eval(m, trial, profile(t + when[stage] * h), 1.0, k);
        for (int i = 0; i < 3; i++) {
            sum[i] += weight[stage] * k[i];
        }
    }
    for (int i = 0; i < 3; i++) {
        z[i] += h / 6.0 * sum[i];
    }
}

// Run the profile and compare with the columns that end in `suffix`.
static void compare_run(const br_reduced* model, char suffix)
{
    const char fx[] = {'f', 'x', '_', suffix, 0}, fy[] = {'f', 'y', '_', suffix, 0};
    const char tau[] = {'t', 'a', 'u', '_', suffix, 0};
    const double h = 2.5e-5; // [s]
    double z[3] = {0.0, 0.0, 0.0}, dz[3];
    size_t step = 0;
    for (size_t row = 0; row < golden.rows; row++) {
        const double t = table_get(&golden, row, "t");
        for (; (double)step * h < t - 0.5 * h; step++) {
            runge_kutta(model, (double)step * h, h, z);
        }
        const br_wrench f = br_reduced_eval(model, z, profile(t), 1.0, dz);
        assert_near(f.fx, table_get(&golden, row, fx), force_tolerance);
        assert_near(f.fy, table_get(&golden, row, fy), force_tolerance);
        assert_near(f.tau, table_get(&golden, row, tau), torque_tolerance);
    }
}

static void compare(const char* name, br_limit_method method, char suffix)
{
    br_patch* patch = read_surface(name);
    br_limit_def surface_def = br_limit_def_default();
    surface_def.patch = patch;
    surface_def.method = BR_LIMIT_PUBLISHED;
    br_limit* surface = NULL;
    assert_status(br_limit_create(&surface_def, &surface, NULL), BR_OK);
    for (int i = 0; i < 4; i++) {
        const int p = i / 2, elasto_plastic = i % 2;
        br_reduced_def def = br_reduced_def_default();
        def.law = table_one(p, elasto_plastic);
        def.guard = 0;
        if (method == BR_LIMIT_PUBLISHED) {
            def.surface = surface;
        } else {
            def.r = br_limit_get_patch_value(surface).r;
            def.u = br_limit_get_patch_value(surface).u;
        }
        br_reduced* model = NULL;
        assert_status(br_reduced_create(&def, &model, NULL), BR_OK);
        read_run(name, p, elasto_plastic);
        compare_run(model, suffix);
        br_reduced_destroy(model);
    }
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

/* Oracle: golden/wk/vel_cont_Circle_*. */
static void circle_matches_the_published_code(void** state)
{
    (void)state;
    compare("Circle", BR_LIMIT_PUBLISHED, 'r');
}

/* Oracle: golden/wk/vel_cont_Square_*. */
static void square_matches_the_published_code(void** state)
{
    (void)state;
    compare("Square", BR_LIMIT_PUBLISHED, 'r');
}

/* Oracle: golden/wk/vel_cont_Line_*. */
static void line_matches_the_published_code(void** state)
{
    (void)state;
    compare("Line", BR_LIMIT_PUBLISHED, 'r');
}

/* Oracle: golden/wk/vel_cont_LineGrad_*. */
static void gradient_line_matches_the_published_code(void** state)
{
    (void)state;
    compare("LineGrad", BR_LIMIT_PUBLISHED, 'r');
}

/* Oracle: golden/wk/vel_cont_NonConvex1_*. */
static void non_convex_patch_matches_the_published_code(void** state)
{
    (void)state;
    compare("NonConvex1", BR_LIMIT_PUBLISHED, 'r');
}

/* Oracle: golden/wk/vel_cont_*, the ellipsoid with exact unit vectors. */
static void ellipsoids_match_the_published_code(void** state)
{
    (void)state;
    static const char* const names[] = {"Circle", "Square", "Line", "LineGrad", "NonConvex1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        compare(names[i], BR_LIMIT_ELLIPSOID, 'e');
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(circle_matches_the_published_code),
        cmocka_unit_test(square_matches_the_published_code),
        cmocka_unit_test(line_matches_the_published_code),
        cmocka_unit_test(gradient_line_matches_the_published_code),
        cmocka_unit_test(non_convex_patch_matches_the_published_code),
        cmocka_unit_test(ellipsoids_match_the_published_code),
    };
    if (argc < 2) {
        fprintf(stderr, "usage: %s FOLDER [FILTER]\n", argv[0]);
        return 2;
    }
    folder = argv[1];
    return run_group(argc - 1, argv + 1, tests);
}
