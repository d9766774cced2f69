/*
 * W&K Fig 22: how far the reduced model, with its limit surface or with the ellipsoid, is from the
 * distributed one along the motion of Fig 5; quartiles over 500 samples, p = 1, elasto-plastic. As in
 * the authors' protocol each twist is held for 10 ms, and the wrench is that of the end of the hold.
 * The first argument is the folder with the tables.
 */
#include "rows.h"
#include "wk_motion.h"

enum { SAMPLES = 500, SURFACES = 6 };
static const char* const surfaces[SURFACES] = {"Circle",   "Square",     "Line",
                                               "LineGrad", "NonConvex1", "NonConvex2"};
static const double hold = 0.01; // [s]

// The wrenches of one run.
typedef struct wrenches {
    size_t count;
    br_wrench f[SAMPLES];
} wrenches;

static void keep_row(const double* row, void* user)
{
    wrenches* out = user;
    assert_true(out->count < SAMPLES);
    out->f[out->count++] = wrench_in(row, 0);
}

static void run(br_motion motion, wrenches* out)
{
    static double at[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
        at[i] = hold * (i + 1) - 1e-9; // the next twist has not started
    }
    br_run_def def = br_run_def_default();
    def.duration = hold * SAMPLES;
    def.at = at, def.at_count = SAMPLES;
    def.rtol = 1e-7, def.atol_z = 1e-13;
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = take_columns, .row = keep_row, .user = out};
    out->count = 0;
    assert_status(br_motion_run(&motion, &def, &watch, NULL, NULL), BR_OK);
    assert_int_equal(out->count, SAMPLES);
}

static void run_distributed(const br_patch* patch, wrenches* out)
{
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_DISTRIBUTED;
    def.patch = patch;
    def.law = table_one(1, 1);
    br_contact* model = NULL;
    assert_status(br_contact_create(&def, &model, NULL), BR_OK);
    br_motion motion = figure_five(hold);
    motion.contact = model;
    run(motion, out);
    br_contact_destroy(model);
}

static void run_reduced(const br_limit* surface, int ellipsoid, wrenches* out)
{
    br_contact_def def = br_contact_def_default();
    def.method = ellipsoid ? BR_METHOD_ELLIPSOID : BR_METHOD_REDUCED;
    def.law = table_one(1, 1);
    def.guard = 0;
    def.surface = ellipsoid ? NULL : surface;
    def.r = br_limit_get_patch_value(surface).r;
    def.u = br_limit_get_patch_value(surface).u;
    br_contact* model = NULL;
    assert_status(br_contact_create(&def, &model, NULL), BR_OK);
    br_motion motion = figure_five(hold);
    motion.contact = model;
    run(motion, out);
    br_contact_destroy(model);
}

static int ascending(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// A quantile of sorted values, linear between them.
static double quantile(const double sorted[SAMPLES], double q)
{
    const double at = q * (SAMPLES - 1);
    const int i = (int)fmin(floor(at), SAMPLES - 2);
    return sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]);
}

static void sort_differences(const wrenches* a, const wrenches* b, int torque, double out[SAMPLES])
{
    for (int i = 0; i < SAMPLES; i++) {
        const double dx = a->f[i].fx - b->f[i].fx, dy = a->f[i].fy - b->f[i].fy;
        out[i] = torque ? fabs(a->f[i].tau - b->f[i].tau) : hypot(dx, dy);
    }
    qsort(out, SAMPLES, sizeof *out, ascending);
}

static size_t row_of(int surface, int ellipsoid, int torque)
{
    for (size_t i = 0; i < golden.rows; i++) {
        if ((int)table_get(&golden, i, "surface") == surface &&
            (int)table_get(&golden, i, "model") == ellipsoid &&
            (int)table_get(&golden, i, "quantity") == torque) {
            return i;
        }
    }
    fail_msg("no such row");
    return 0;
}

// Quartiles and largest difference of one box of the figure.
static void compare_box(int surface, int ellipsoid, int torque, const double sorted[SAMPLES])
{
    static const char* const columns[4] = {"q1", "median", "q3", "max"};
    const size_t row = row_of(surface, ellipsoid, torque);
    // both runs know the wrench to some 1e-7 N, and 5e-9 N m
    const double known = torque ? 1e-8 : 1e-6;
    for (int k = 0; k < 4; k++) {
        const double expected = table_get(&golden, row, columns[k]);
        assert_near(quantile(sorted, 0.25 * (k + 1)), expected, 0.02 * expected + known);
    }
}

/* Oracle: golden/wk/fig22_quartiles. Quartiles within 2 %, and the limit surface is the closer one. */
static void limit_surface_and_ellipsoid_err_as_in_the_figure(void** state)
{
    (void)state;
    static wrenches cells, model;
    static double sorted[SAMPLES];
    for (int surface = 0; surface < SURFACES; surface++) {
        br_patch* patch = read_surface(surfaces[surface]);
        br_limit_def def = br_limit_def_default();
        def.patch = patch;
        def.method = BR_LIMIT_PUBLISHED;
        br_limit* limit = NULL;
        assert_status(br_limit_create(&def, &limit, NULL), BR_OK);
        table_read(&golden, folder, "fig22_quartiles.csv");
        run_distributed(patch, &cells);
        double upper[2]; // third quartile of the force
        for (int ellipsoid = 0; ellipsoid < 2; ellipsoid++) {
            run_reduced(limit, ellipsoid, &model);
            for (int torque = 1; torque >= 0; torque--) {
                sort_differences(&cells, &model, torque, sorted);
                compare_box(surface, ellipsoid, torque, sorted);
            }
            upper[ellipsoid] = quantile(sorted, 0.75);
        }
        print_message("%-10s third quartile: limit surface %.4f N, ellipsoid %.4f N\n",
                      surfaces[surface], upper[0], upper[1]);
        assert_true(upper[0] < upper[1]);
        br_limit_destroy(limit);
        br_patch_destroy(patch);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limit_surface_and_ellipsoid_err_as_in_the_figure),
    };
    if (argc < 2) {
        fprintf(stderr, "usage: %s FOLDER [FILTER]\n", argv[0]);
        return 2;
    }
    folder = argv[1];
    return run_group(argc - 1, argv + 1, tests);
}
