/*
 * A disc under sub-critical loads, Figs 6 and 23-25 of W&K, against golden/wk/drift_*: LuGre bristles
 * drift, elasto-plastic ones hold. The first argument is the folder with the tables.
 */
#include "rows.h"
#include "wk.h"

#include "bristle/sim.h"

enum { HOLDS = 500 };

// Loads and normal force, each held for 10 ms.
static double hold_t[HOLDS], fx[HOLDS], tau[HOLDS], fn[HOLDS];

static void fill_loads(int tangential)
{
    for (int i = 0; i < HOLDS; i++) {
        const double t = hold_t[i] = 0.01 * i, sine = sin(6.0 * BR_PI * t);
        const double ramp = fmin(t / 0.2, 1.0), late = fmin(fmax((t - 2.8) / 0.2, 0.0), 1.0);
        fx[i] = tangential && i >= 100 ? 1.0 + 0.4 * sine : ramp;
        tau[i] = tangential ? 0.03 * late + (i >= 300 ? 0.01 * sine : 0.0) : 0.03 * ramp;
        fn[i] = !tangential && i > 100 ? 9.81 + sine : 9.81;
    }
}

static br_profile held(const double* value)
{
    return (br_profile){.kind = BR_PROFILE_STEPS, .count = HOLDS, .t = hold_t, .value = value};
}

static double worst; // [m]

// The rim of the disc moves by the angle times 25 mm: as far as the CoM may be off, times 100.
static void compare_row(const double* row, void* user)
{
    size_t* i = user;
    assert_near(row[0], table_get(&golden, *i, "t_end"), 1e-12 /* s, rounding */);
    assert_near(number_of(row, "x"), table_get(&golden, *i, "px"), 1e-9 /* m, required */);
    assert_near(number_of(row, "y"), table_get(&golden, *i, "py"), 1e-9);
    assert_near(number_of(row, "theta"), table_get(&golden, *i, "theta"), 1e-9 / 0.025 /* rad */);
    worst = fmax(worst, fabs(number_of(row, "x") - table_get(&golden, *i, "px")));
    ++*i;
}

static void compare(const char* file, int tangential, br_body_contact contact)
{
    table_read(&golden, folder, file);
    fill_loads(tangential);
    contact.frame = BR_FRAME_WORLD;
    contact.normal_force = held(fn);
    contact.count = 1;
    const br_body_load load = {
        .fx = held(fx), .fy = br_profile_constant(0.0), .tau = held(tau), .frame = BR_FRAME_BODY};
    br_body body = br_body_default();
    body.start = BR_START_RELAXED;
    body.inertia = 0.5 * 0.05 * 0.05;
    body.contacts = &contact, body.contact_count = 1;
    body.loads = &load, body.load_count = 1;
    br_run_def def = br_run_def_default();
    def.duration = 5.0;
    def.rtol = 1e-8, def.atol = 1e-12, def.atol_z = 1e-13;
    double at[50];
    for (int i = 0; i < 50; i++) {
        at[i] = 0.1 * (i + 1);
    }
    def.at = at, def.at_count = 50;
    size_t rows = 0;
    worst = 0.0;
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = take_columns, .row = compare_row, .user = &rows};
    assert_status(br_body_run(&body, &def, &watch, NULL, NULL), BR_OK);
    assert_int_equal(rows, golden.rows);
    print_message("%-34s %.1e m\n", file, worst);
}

static void compare_distributed(const char* file, int tangential, int elasto_plastic)
{
    br_patch* patch = read_surface_of("Circle", 0.05);
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_DISTRIBUTED;
    def.patch = patch;
    def.law = table_one(1, elasto_plastic);
    br_contact* model = NULL;
    assert_status(br_contact_create(&def, &model, NULL), BR_OK);
    compare(file, tangential, (br_body_contact){.contact = model});
    br_contact_destroy(model);
    br_patch_destroy(patch);
}

static void compare_reduced(const char* file, int tangential, int elasto_plastic)
{
    br_patch* patch = read_surface_of("Circle", 0.05);
    br_limit_def surface_def = br_limit_def_default();
    surface_def.patch = patch;
    surface_def.method = BR_LIMIT_PUBLISHED;
    br_limit* surface = NULL;
    assert_status(br_limit_create(&surface_def, &surface, NULL), BR_OK);
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_REDUCED;
    def.law = table_one(1, elasto_plastic);
    def.surface = surface;
    def.guard = 0;
    br_contact* model = NULL;
    assert_status(br_contact_create(&def, &model, NULL), BR_OK);
    compare(file, tangential, (br_body_contact){.contact = model});
    br_contact_destroy(model);
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

/* Oracle: golden/wk/drift_tangential_*. */
static void tangential_loads_drift_as_in_the_published_code(void** state)
{
    (void)state;
    compare_distributed("drift_tangential_dist_lugre.csv", 1, 0);
    compare_reduced("drift_tangential_red_lugre.csv", 1, 0);
    compare_reduced("drift_tangential_red_ep.csv", 1, 1);
}

/* Oracle: golden/wk/drift_normal_*. */
static void normal_forces_drift_as_in_the_published_code(void** state)
{
    (void)state;
    compare_distributed("drift_normal_dist_lugre.csv", 0, 0);
    compare_reduced("drift_normal_red_lugre.csv", 0, 0);
    compare_reduced("drift_normal_red_ep.csv", 0, 1);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tangential_loads_drift_as_in_the_published_code),
        cmocka_unit_test(normal_forces_drift_as_in_the_published_code),
    };
    if (argc < 2) {
        fprintf(stderr, "usage: %s FOLDER [FILTER]\n", argv[0]);
        return 2;
    }
    folder = argv[1];
    return run_group(argc - 1, argv + 1, tests);
}
