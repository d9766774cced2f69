/*
 * The reduced model against golden/wk/vel_cont_*, columns fx_r, fy_r, tau_r (limit surface) and
 * fx_e, fy_e, tau_e (ellipsoid): the published code's reduced model on the published cell grids,
 * normal force 1 N, wrench at the CoP. The first argument is the folder with the tables.
 */
#include "rows.h"
#include "wk_motion.h"

// The velocity profile of Fig 5.
static br_twist profile(double t)
{
    const br_motion m = figure_five(0.0);
    return (br_twist){br_profile_eval(&m.vx, t, t, NULL), br_profile_eval(&m.vy, t, t, NULL),
                      br_profile_eval(&m.w, t, t, NULL)};
}

// One step of the classical Runge-Kutta method; the bristles relax at 3e4 1/s at most.
static void runge_kutta(const br_contact* m, double t, double h, double z[3])
{
    const double when[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double k[3] = {0.0, 0.0, 0.0}, sum[3] = {0.0, 0.0, 0.0};
    for (int stage = 0; stage < 4; stage++) {
        double trial[3];
        for (int i = 0; i < 3; i++) {
            trial[i] = z[i] + when[stage] * h * k[i];
        }
        br_contact_eval(m, trial, profile(t + when[stage] * h), 1.0, k);
        for (int i = 0; i < 3; i++) {
            sum[i] += weight[stage] * k[i];
        }
    }
    for (int i = 0; i < 3; i++) {
        z[i] += h / 6.0 * sum[i];
    }
}

// Which columns to compare with, and the next row.
typedef struct comparison {
    char suffix;
    size_t row;
} comparison;

static void compare_wrench(comparison* c, br_wrench f)
{
    const char fx[] = {'f', 'x', '_', c->suffix, 0}, fy[] = {'f', 'y', '_', c->suffix, 0};
    const char tau[] = {'t', 'a', 'u', '_', c->suffix, 0};
    assert_near(f.fx, table_get(&golden, c->row, fx), force_tolerance);
    assert_near(f.fy, table_get(&golden, c->row, fy), force_tolerance);
    assert_near(f.tau, table_get(&golden, c->row, tau), torque_tolerance);
    c->row++;
}

// The model's equations, integrated here.
static void compare_model(const br_contact* model, char suffix)
{
    const double h = 2.5e-5; // [s]
    double z[3] = {0.0, 0.0, 0.0}, dz[3];
    size_t step = 0;
    comparison c = {suffix, 0};
    while (c.row < golden.rows) {
        const double t = table_get(&golden, c.row, "t");
        for (; (double)step * h < t - 0.5 * h; step++) {
            runge_kutta(model, (double)step * h, h, z);
        }
        compare_wrench(&c, br_contact_eval(model, z, profile(t), 1.0, dz));
    }
}

static void on_row(const double* row, void* user)
{
    compare_wrench(user, wrench_in(row, 0));
}

// The library's run, as anyone would ask for it: a table has kinks that its steps must not pass over.
static void compare_run(br_contact* model, char suffix)
{
    br_motion motion = figure_five(0.0);
    motion.contact = model;
    comparison c = {suffix, 0};
    br_run_def def = golden_times();
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = take_columns, .row = on_row, .user = &c};
    assert_status(br_motion_run(&motion, &def, &watch, NULL, NULL), BR_OK);
    assert_int_equal(c.row, golden.rows);
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
        br_contact_def def = br_contact_def_default();
        def.law = table_one(p, elasto_plastic);
        def.guard = 0;
        if (method == BR_LIMIT_PUBLISHED) {
            def.method = BR_METHOD_REDUCED;
            def.surface = surface;
        } else {
            def.method = BR_METHOD_ELLIPSOID;
            def.r = br_limit_get_patch_value(surface).r;
            def.u = br_limit_get_patch_value(surface).u;
        }
        br_contact* model = NULL;
        assert_status(br_contact_create(&def, &model, NULL), BR_OK);
        read_run(name, p, elasto_plastic);
        compare_model(model, suffix);
        compare_run(model, suffix);
        br_contact_destroy(model);
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
