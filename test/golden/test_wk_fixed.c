/*
 * The in-hand slip-stick runs of W&K in fixed steps, against golden/wk/slip_*. The first argument is the
 * folder with the tables.
 */
#include "slip.h"

// A step, and the largest errors that the prototype of these steps had [s, m, rad].
typedef struct fixed_case {
    double step, place, angle;
} fixed_case;

static void compare(const char* file, finger model, int case_number, int profile,
                    const fixed_case* list, size_t count)
{
    table_read(&golden, folder, file);
    const br_body_contact contact = two_of(&model, case_number, profile);
    const br_body body = box(case_number, &contact);
    for (size_t i = 0; i < count; i++) {
        br_run_def def = br_run_def_default();
        def.duration = 2.0;
        def.every = 0.05; // every fifth row
        def.method = BR_INTEGRATOR_FIXED, def.step = list[i].step;
        const misfit m = run(&body, &def);
        print_message("%-30s h %.0e s: %.3f mm %.3f mrad, residual %.0e J\n", file, list[i].step,
                      1e3 * m.place, 1e3 * m.angle, m.residual);
        assert_near(m.place, 0.0, list[i].place);
        assert_near(m.angle, 0.0, list[i].angle);
        assert_near(m.residual, 0.0, 1e-14 /* J of 0.04 J, rounding */);
    }
    finger_destroy(&model);
}

enum { STEPS = 3 };

/* Oracle: golden/wk/slip_*_dist; bounds: what the prototype reached, to half of its last digit. */
static void distributed_model_slips_in_steps(void** state)
{
    (void)state;
    static const fixed_case fn1[STEPS] = {
        {1e-2, 2.5e-3, 1.0e-2}, {2e-3, 1.2e-3, 2.75e-3}, {1e-3, 0.07e-3, 0.15e-3}};
    static const fixed_case fn2[STEPS] = {
        {1e-2, 0.77e-3, 3.4e-3}, {2e-3, 0.485e-3, 0.735e-3}, {1e-3, 0.0835e-3, 0.445e-3}};
    static const fixed_case one[STEPS] = {
        {1e-2, 1.0e-3, 32e-3}, {2e-3, 0.26e-3, 8.6e-3}, {1e-3, 0.00335e-3, 0.115e-3}};
    compare("slip_case2_Circle_fN1_dist.csv", distributed_finger(read_surface("Circle")), 2, 1, fn1,
            STEPS);
    compare("slip_case2_Circle_fN2_dist.csv", distributed_finger(read_surface("Circle")), 2, 2, fn2,
            STEPS);
    compare("slip_case1_Circle_fN1_dist.csv", distributed_finger(read_surface("Circle")), 1, 1, one,
            STEPS);
}

/* Oracle: golden/wk/slip_*_red; bounds as above. Guarded, as the prototype was. */
static void reduced_model_slips_in_steps(void** state)
{
    (void)state;
    static const fixed_case fn1[STEPS] = {
        {1e-2, 3.6e-3, 2e-2}, {1e-3, 0.058e-3, 0.1e-3}, {5e-4, 0.022e-3, 0.05e-3}};
    static const fixed_case one[STEPS] = {
        {1e-2, 2.0e-3, 64e-3}, {1e-3, 0.0026e-3, 0.1e-3}, {5e-4, 0.001e-3, 0.05e-3}};
    compare("slip_case2_Circle_fN1_red.csv", reduced_finger(read_surface("Circle"), 1.0, 1), 2, 1,
            fn1, STEPS);
    compare("slip_case1_Circle_fN1_red.csv", reduced_finger(read_surface("Circle"), 1.0, 1), 1, 1,
            one, STEPS);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distributed_model_slips_in_steps),
        cmocka_unit_test(reduced_model_slips_in_steps),
    };
    if (argc < 2) {
        fprintf(stderr, "usage: %s FOLDER [FILTER]\n", argv[0]);
        return 2;
    }
    folder = argv[1];
    return run_group(argc - 1, argv + 1, tests);
}
