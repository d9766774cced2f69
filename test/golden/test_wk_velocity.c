/*
 * The velocity profile of W&K Fig 5 against golden/wk/vel_cont_*: the published code's models on the
 * published cell grids, 21 x 21 cells over 20 mm, normal force 1 N, wrench at the CoP. The first
 * argument is the folder with the tables.
 */
#include "rows.h"
#include "wk_motion.h"

static void compare_row(const double* row, void* user)
{
    size_t* index = user;
    assert_near(number_of(row, "vx"), table_get(&golden, *index, "vx"), 1e-15 /* rounding */);
    assert_near(number_of(row, "vy"), table_get(&golden, *index, "vy"), 1e-15);
    assert_near(number_of(row, "w"), table_get(&golden, *index, "w"), 1e-13);
    assert_near(number_of(row, "fx"), table_get(&golden, *index, "fx_d"), force_tolerance);
    assert_near(number_of(row, "fy"), table_get(&golden, *index, "fy_d"), force_tolerance);
    assert_near(number_of(row, "tau"), table_get(&golden, *index, "tau_d"), torque_tolerance);
    ++*index;
}

static void run(br_contact* model, br_run_def def)
{
    br_motion motion = figure_five(0.0);
    motion.contact = model;
    size_t index = 0;
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = take_columns, .row = compare_row, .user = &index};
    assert_status(br_motion_run(&motion, &def, &watch, NULL, NULL), BR_OK);
    assert_int_equal(index, golden.rows);
}

static void compare(const char* name, int p, int elasto_plastic)
{
    br_patch* patch = read_surface(name);
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_DISTRIBUTED;
    def.patch = patch;
    def.law = table_one(p, elasto_plastic);
    br_contact* model = NULL;
    assert_status(br_contact_create(&def, &model, NULL), BR_OK);
    read_run(name, p, elasto_plastic);
    br_run_def how = golden_times();
    run(model, how);
    how.rtol = 1e-9, how.atol_z = 1e-14;
    run(model, how);
    br_contact_destroy(model);
    br_patch_destroy(patch);
}

static void compare_all(const char* name)
{
    for (int p = 0; p < 2; p++) {
        compare(name, p, 0);
        compare(name, p, 1);
    }
}

/* Oracle: golden/wk/vel_cont_Circle_*. */
static void circle_matches_the_published_code(void** state)
{
    (void)state;
    compare_all("Circle");
}

/* Oracle: golden/wk/vel_cont_Square_*. */
static void square_matches_the_published_code(void** state)
{
    (void)state;
    compare_all("Square");
}

/* Oracle: golden/wk/vel_cont_Line_*. */
static void line_matches_the_published_code(void** state)
{
    (void)state;
    compare_all("Line");
}

/* Oracle: golden/wk/vel_cont_LineGrad_*. */
static void gradient_line_matches_the_published_code(void** state)
{
    (void)state;
    compare_all("LineGrad");
}

/* Oracle: golden/wk/vel_cont_NonConvex1_*. */
static void non_convex_patch_matches_the_published_code(void** state)
{
    (void)state;
    compare_all("NonConvex1");
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(circle_matches_the_published_code),
        cmocka_unit_test(square_matches_the_published_code),
        cmocka_unit_test(line_matches_the_published_code),
        cmocka_unit_test(gradient_line_matches_the_published_code),
        cmocka_unit_test(non_convex_patch_matches_the_published_code),
    };
    if (argc < 2) {
        fprintf(stderr, "usage: %s FOLDER [FILTER]\n", argv[0]);
        return 2;
    }
    folder = argv[1];
    return run_group(argc - 1, argv + 1, tests);
}
