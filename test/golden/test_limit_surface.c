/*
 * Exact limit surfaces against golden/limit_surface: an independent program's results, at least
 * 1e-15 of mu fn. The first argument is the folder with the tables.
 */
#include "table.h"

#include "bristle/limit.h"
#include "patch_shapes.h"

static const char* folder;
static table golden;

// Asked: closed forms 1e-12, power law 1e-10; force relative to mu fn, torque to mu fn R.
static const double power_law = 1e-10;

static br_limit* surface_of(const br_patch* patch)
{
    br_limit_def def = br_limit_def_default();
    def.patch = patch;
    br_limit* surface = NULL;
    assert_status(br_limit_create(&def, &surface, NULL), BR_OK);
    return surface;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

// Compare one row with the surface of a definition; returns the error.
static double compare_row(br_patch_def def, size_t row, double size, double tolerance)
{
    br_patch* patch = make(def);
    br_limit* surface = surface_of(patch);
    const br_twist v = {table_get(&golden, row, "vx"), table_get(&golden, row, "vy"),
                        table_get(&golden, row, "omega")};
    const br_wrench f = br_limit_eval(surface, v).wrench;
    const double fx = table_get(&golden, row, "fx"), fy = table_get(&golden, row, "fy");
    const double tau = table_get(&golden, row, "tau");
    assert_near(f.fx, fx, tolerance);
    assert_near(f.fy, fy, tolerance);
    assert_near(f.tau, tau, tolerance * size);
    br_limit_destroy(surface);
    br_patch_destroy(patch);
    return larger(hypot(f.fx - fx, f.fy - fy), fabs(f.tau - tau) / size);
}

static void compare_round(const char* file, br_shape shape, double tolerance)
{
    table_read(&golden, folder, file);
    double error = 0.0;
    for (size_t row = 0; row < golden.rows; row++) {
        const double R = table_get(&golden, row, "R");
        br_patch_def def = disc_def(R);
        def.shape = shape;
        if (strstr(file, "_k")) {
            def.pressure = BR_PRESSURE_POWER;
            def.k = br_by_force_constant(table_get(&golden, row, "k"));
        }
        error = larger(error, compare_row(def, row, R, tolerance));
    }
    print_message("%s: largest error %.2g\n", file, error);
}

/* Oracle: golden/limit_surface/disc_uniform*.csv. */
static void uniform_discs_match(void** state)
{
    (void)state;
    compare_round("disc_uniform.csv", BR_SHAPE_DISC, closed);
    compare_round("disc_uniform_unit.csv", BR_SHAPE_DISC, closed);
}

/* Oracle: golden/limit_surface/disc_hertz_k2.csv, disc_power_k4.csv. */
static void power_law_discs_match(void** state)
{
    (void)state;
    compare_round("disc_hertz_k2.csv", BR_SHAPE_DISC, closed);
    compare_round("disc_power_k4.csv", BR_SHAPE_DISC, power_law);
}

/* Oracle: golden/limit_surface/ring.csv. */
static void ring_matches(void** state)
{
    (void)state;
    compare_round("ring.csv", BR_SHAPE_RING, closed);
}

static void compare_line(const char* file)
{
    table_read(&golden, folder, file);
    double error = 0.0;
    for (size_t row = 0; row < golden.rows; row++) {
        const double L = table_get(&golden, row, "L"), g = table_get(&golden, row, "g");
        const br_patch_def def = with_linear(line_def(L), 1.0 - g, 1.0 + g);
        error = larger(error, compare_row(def, row, 0.5 * L, closed));
    }
    print_message("%s: largest error %.2g\n", file, error);
}

/* Oracle: golden/limit_surface/line_*.csv. */
static void lines_match(void** state)
{
    (void)state;
    compare_line("line_uniform.csv");
    compare_line("line_gradient.csv");
    compare_line("line_gradient_half.csv");
    compare_line("line_gradient_neg.csv");
}

// As a rectangle, a polygon and a grid of equal cells.
static void compare_rectangle(const char* file)
{
    table_read(&golden, folder, file);
    double error = 0.0;
    for (size_t row = 0; row < golden.rows; row++) {
        const double a = table_get(&golden, row, "a"), b = table_get(&golden, row, "b");
        const br_vec2 corners[] = {
            {-0.5 * a, -0.5 * b}, {-0.5 * a, 0.5 * b}, {0.5 * a, 0.5 * b}, {0.5 * a, -0.5 * b}};
        const double cells[] = {1, 1, 1, 1, 1, 1};
        const double size = 0.5 * hypot(a, b);
        error = larger(error, compare_row(rectangle_def(a, b), row, size, closed));
        error = larger(error, compare_row(polygon_def(corners, 4), row, size, closed));
        error = larger(error, compare_row(grid_def(a, b, 2, 3, cells), row, size, closed));
    }
    print_message("%s: largest error %.2g\n", file, error);
}

/* Oracle: golden/limit_surface/rect_*.csv. */
static void rectangles_match(void** state)
{
    (void)state;
    compare_rectangle("rect_square.csv");
    compare_rectangle("rect_2x1.csv");
    compare_rectangle("rect_slider002.csv");
}

static void compare_tripod(const char* file, const br_support_point* points, double size)
{
    table_read(&golden, folder, file);
    double error = 0.0;
    for (size_t row = 0; row < golden.rows; row++) {
        error = larger(error, compare_row(points_def(points, 3), row, size, closed));
    }
    print_message("%s: largest error %.2g\n", file, error);
}

/* Oracle: golden/limit_surface/tripod_*.csv; points and weights from their comments. */
static void tripods_match(void** state)
{
    (void)state;
    const br_support_point equal[] = {
        {0.01, 0.0, 1.0}, {-0.005, 0.00866025403784, 1.0}, {-0.005, -0.00866025403784, 1.0}};
    const br_support_point unequal[] = {{0.0, 0.0, 0.5}, {0.03, 0.0, 0.2}, {0.01, 0.02, 0.3}};
    compare_tripod("tripod_equal.csv", equal, 0.01);
    compare_tripod("tripod_unequal.csv", unequal, 0.02);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_discs_match), cmocka_unit_test(power_law_discs_match),
        cmocka_unit_test(ring_matches),        cmocka_unit_test(lines_match),
        cmocka_unit_test(rectangles_match),    cmocka_unit_test(tripods_match),
    };
    if (argc < 2) {
        fprintf(stderr, "usage: %s FOLDER [FILTER]\n", argv[0]);
        return 2;
    }
    folder = argv[1];
    return run_group(argc - 1, argv + 1, tests);
}
