/*
 * The in-hand slip-stick runs of W&K, Figs 27-35, against golden/wk/slip_*: the published code's models,
 * integrated tightly. The first argument is the folder with the tables.
 */
#include "slip.h"

// Tolerances: tight ones, and the defaults.
static br_run_def run_def(int tight)
{
    br_run_def def = br_run_def_default();
    def.duration = 2.0;
    def.every = 0.05; // every fifth row
    if (tight) {
        def.rtol = 1e-8;
        def.atol = 1e-10;
        def.atol_z = 1e-12;
    }
    return def;
}

// The asked accuracy: 1e-6 m and 1e-5 rad with tight tolerances, 1e-5 m with the defaults.
static void compare(const char* file, finger model, int case_number, int profile)
{
    table_read(&golden, folder, file);
    const br_body_contact contact = two_of(&model, case_number, profile);
    const br_body body = box(case_number, &contact);
    const br_run_def tight = run_def(1), loose = run_def(0);
    const misfit exact = run(&body, &tight), usual = run(&body, &loose);
    print_message("%-36s %.1e m %.1e rad %.1e N %.1e N m %.1e J; defaults %.1e m %.1e rad %.1e J\n",
                  file, exact.place, exact.angle, exact.force, exact.torque, exact.residual,
                  usual.place, usual.angle, usual.residual);
    assert_near(exact.place, 0.0, 1e-6 /* m, required */);
    assert_near(exact.angle, 0.0, 1e-5 /* rad, required */);
    assert_near(exact.force, 0.0, 1e-4 /* N: sigma0 times 1e-10 m, 100 times the tolerance of z */);
    assert_near(exact.torque, 0.0, 1e-6 /* N m: that at 10 mm */);
    assert_near(usual.place, 0.0, 1e-5 /* m, required */);

    // some 0.04 J are turned over; the residual follows the tolerance
    assert_near(exact.residual, 0.0, 1e-7 /* J */);
    assert_near(usual.residual, 0.0, 1e-5 /* J */);
    finger_destroy(&model);
}

typedef struct slip_case {
    const char *file, *surface;
    int case_number, profile;
} slip_case;

static const slip_case cases[] = {
    {"slip_case1_Circle_fN1", "Circle", 1, 1},       {"slip_case2_Circle_fN1", "Circle", 2, 1},
    {"slip_case2_Circle_fN2", "Circle", 2, 2},       {"slip_case2_Square_fN1", "Square", 2, 1},
    {"slip_case2_LineGradX_fN2", "LineGradX", 2, 2},
};

/* Oracle: golden/wk/slip_*_dist. */
static void distributed_model_slips_as_the_published_code(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char file[64];
        snprintf(file, sizeof file, "%s_dist.csv", cases[i].file);
        compare(file, distributed_finger(read_surface(cases[i].surface)), cases[i].case_number,
                cases[i].profile);
    }
}

/* Oracle: golden/wk/slip_*_red. */
static void reduced_model_slips_as_the_published_code(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char file[64];
        snprintf(file, sizeof file, "%s_red.csv", cases[i].file);
        compare(file, reduced_finger(read_surface(cases[i].surface), 1.0, 0), cases[i].case_number,
                cases[i].profile);
    }
}

// a = 6 fn^(1/3) cells, at most 10.5 of them (43); k = 2, or k = 2 fn (44).
static br_patch* growing_patch(int k_grows)
{
    const double edge = 0.02 / N;
    br_patch_def def = br_patch_def_default();
    def.radius = (br_by_force){6.0 * edge, 1.0 / 3.0, 10.5 * edge};
    def.pressure = BR_PRESSURE_POWER;
    def.k = (br_by_force){2.0, k_grows ? 1.0 : 0.0, HUGE_VAL};
    def.sampling = BR_SAMPLING_CENTRE;
    br_patch* patch = NULL;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    return patch;
}

/* Oracle: golden/wk/slip_case2_k2*: with k = 2 the published table is that of 10 N, u corrected. */
static void growing_patches_slip_as_the_published_code(void** state)
{
    (void)state;
    compare("slip_case2_k2_fN1_dist.csv", distributed_finger(growing_patch(0)), 2, 1);
    compare("slip_case2_k2fN_fN1_dist.csv", distributed_finger(growing_patch(1)), 2, 1);
    compare("slip_case2_k2_fN1_red_ufix.csv", reduced_finger(growing_patch(0), 10.0, 0), 2, 1);
    compare("slip_case2_k2fN_fN1_red.csv", reduced_finger(growing_patch(1), 1.0, 0), 2, 1);
}

/* Oracle: golden/wk/slip_*. CVODE on the same systems keeps the tolerance within ten times: 1e-8 m and
 * 1e-6 of 0.02 m, 1e-6 of 0.2 rad. */
static void cvode_slips_as_the_published_code(void** state)
{
    (void)state;
#ifdef BRISTLE_HAS_CVODE
    static const char* const files[] = {"slip_case2_Circle_fN1_red.csv",
                                        "slip_case2_Circle_fN2_red.csv",
                                        "slip_case2_Circle_fN2_dist.csv"};
    static const int profiles[] = {1, 2, 2};
    for (int i = 0; i < 3; i++) {
        br_patch* patch = read_surface("Circle");
        finger model = i < 2 ? reduced_finger(patch, 1.0, 0) : distributed_finger(patch);
        const br_body_contact contact = two_of(&model, 2, profiles[i]);
        const br_body body = box(2, &contact);
        br_run_def def = run_def(0);
        def.rtol = 5e-7;
        def.atol = 5e-9; // of turns some 6e-7 rad/s
        def.atol_z = 5e-11;
        def.method = BR_INTEGRATOR_CVODE;
        table_read(&golden, folder, files[i]);
        const misfit m = run(&body, &def);
        print_message("%-36s %.1e m %.1e rad by CVODE\n", files[i], m.place, m.angle);
        assert_near(m.place, 0.0, 3e-7 /* m */);
        assert_near(m.angle, 0.0, 2e-6 /* rad */);
        finger_destroy(&model);
    }
#endif
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distributed_model_slips_as_the_published_code),
        cmocka_unit_test(reduced_model_slips_as_the_published_code),
        cmocka_unit_test(growing_patches_slip_as_the_published_code),
        cmocka_unit_test(cvode_slips_as_the_published_code),
    };
    if (argc < 2) {
        fprintf(stderr, "usage: %s FOLDER [FILTER]\n", argv[0]);
        return 2;
    }
    folder = argv[1];
    return run_group(argc - 1, argv + 1, tests);
}
