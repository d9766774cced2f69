/*
 * Friction cones, their polyhedra and the wrench cone of a rectangle against golden/friction_cone:
 * an independent program's results. The first argument is the folder with the tables.
 */
#include "table.h"

#include "bristle/polyhedron.h"
#include "bristle/wrench_cone.h"

static const char* folder;
static table golden;

// Asked: 1e-12 [N] for numbers of order 1 to 10; both sides round some ten operations.
static const double rounding = 1e-12;

static br_cone cone_of(size_t row)
{
    const double n[3] = {table_get(&golden, row, "nx"), table_get(&golden, row, "ny"),
                         table_get(&golden, row, "nz")};
    br_cone cone;
    assert_status(br_cone_init(n, table_get(&golden, row, "mu"), &cone, NULL), BR_OK);
    return cone;
}

static br_polyhedron polyhedron_of(size_t row, br_polyhedron_side side)
{
    br_polyhedron_def def = br_polyhedron_def_default();
    def.cone = cone_of(row);
    def.faces = (size_t)table_get(&golden, row, "faces");
    def.side = side;
    br_polyhedron out;
    assert_status(br_polyhedron_init(&def, &out, NULL), BR_OK);
    return out;
}

// Compare entry i of a list (x 4) with three columns of a row; returns the largest difference.
static double compare_three(const double* list, size_t row, const char* side)
{
    const size_t i = (size_t)table_get(&golden, row, "i");
    double error = 0.0;
    for (size_t k = 0; k < 3; k++) {
        char name[16];
        snprintf(name, sizeof name, "%s_%c", side, "xyz"[k]);
        const double expected = table_get(&golden, row, name);
        assert_near(list[4 * i + k], expected, rounding);
        error = fmax(error, fabs(list[4 * i + k] - expected));
    }
    return error;
}

static void compare_polyhedra(const char* file, void (*get)(const br_polyhedron*, double*))
{
    table_read(&golden, folder, file);
    double error = 0.0, list[4 * 16];
    for (size_t row = 0; row < golden.rows; row++) {
        const br_polyhedron inner = polyhedron_of(row, BR_POLYHEDRON_INNER);
        const br_polyhedron outer = polyhedron_of(row, BR_POLYHEDRON_OUTER);
        get(&inner, list);
        error = fmax(error, compare_three(list, row, "inner"));
        get(&outer, list);
        error = fmax(error, compare_three(list, row, "outer"));
    }
    print_message("%s: %zu rows, largest error %.2g\n", file, golden.rows, error);
}

/* Oracle: golden/friction_cone, V_inner and V_outer. */
static void rays_match(void** state)
{
    (void)state;
    compare_polyhedra("rays.csv", br_polyhedron_get_v);
}

/* Oracle: golden/friction_cone, H_inner and H_outer. */
static void rows_match(void** state)
{
    (void)state;
    compare_polyhedra("rows.csv", br_polyhedron_get_h);
}

// A margin, and whether it means inside, which counts unless the reference calls it ambiguous.
static double compare_margin(size_t row, const char* column, double margin)
{
    const double expected = table_get(&golden, row, column);
    assert_near(margin, expected, rounding);
    if (!(table_get(&golden, row, "ambiguous") > 0.0)) {
        assert_int_equal(margin >= 0.0, expected >= 0.0);
    }
    return fabs(margin - expected);
}

/* Oracle: golden/friction_cone, forces: margins and memberships of the cone and both polyhedra. */
static void forces_match(void** state)
{
    (void)state;
    table_read(&golden, folder, "forces.csv");
    double error = 0.0;
    size_t wrong_by_print = 0;
    for (size_t row = 0; row < golden.rows; row++) {
        const double f[3] = {table_get(&golden, row, "fx"), table_get(&golden, row, "fy"),
                             table_get(&golden, row, "fz")};
        const br_polyhedron inner = polyhedron_of(row, BR_POLYHEDRON_INNER);
        const br_polyhedron outer = polyhedron_of(row, BR_POLYHEDRON_OUTER);
        error = fmax(error, compare_margin(row, "soc", br_cone_margin(&inner.def.cone, f)));
        error = fmax(error, compare_margin(row, "inner", br_polyhedron_margin(&inner, f)));
        error = fmax(error, compare_margin(row, "outer", br_polyhedron_margin(&outer, f)));
        wrong_by_print +=
            table_get(&golden, row, "soc") < 0.0 && table_get(&golden, row, "literal") >= 0.0;
    }
    print_message(
        "forces.csv: %zu forces, largest error %.2g; (10) as printed accepts %zu wrongly\n",
        golden.rows, error, wrong_by_print);
    assert_true(wrong_by_print > 0); // else the table could not distinguish (10) from (13)
}

static const char* const axes[] = {"fx", "fy", "fz", "tx", "ty", "tz"};

/* Oracle: golden/friction_cone, H of the rectangle (Caron): 16 rows as printed, not normalised. */
static void rectangle_rows_match(void** state)
{
    (void)state;
    table_read(&golden, folder, "wrench_rows.csv");
    double h[16][6];
    for (size_t row = 0; row < golden.rows; row++) {
        br_wrench_cone_rectangle(table_get(&golden, row, "X"), table_get(&golden, row, "Y"),
                                 table_get(&golden, row, "mu"), h);
        double norm = 0.0;
        for (size_t k = 0; k < 6; k++) {
            norm = hypot(norm, table_get(&golden, row, axes[k]));
        }
        for (size_t k = 0; k < 6; k++) {
            assert_near(h[row % 16][k], table_get(&golden, row, axes[k]) / norm, rounding);
        }
    }
}

// The wrench cone of the rectangle in a row: four corners, each with the square pyramid (23).
static br_wrench_cone* corners_of(size_t row)
{
    const double X = table_get(&golden, row, "X"), Y = table_get(&golden, row, "Y");
    br_support supports[4];
    for (size_t i = 0; i < 4; i++) {
        br_polyhedron_def def = br_polyhedron_def_default();
        assert_status(
            br_cone_init((double[]){0.0, 0.0, 1.0}, table_get(&golden, row, "mu"), &def.cone, NULL),
            BR_OK);
        def.side = BR_POLYHEDRON_OUTER;
        def.phase = 0.25 * 3.14159265358979323846;
        assert_status(br_polyhedron_init(&def, &supports[i].forces, NULL), BR_OK);
        supports[i].place[0] = i < 2 ? X : -X;
        supports[i].place[1] = i % 2 ? -Y : Y;
        supports[i].place[2] = 0.0;
    }
    br_wrench_cone* cone = NULL;
    assert_status(br_wrench_cone_create(supports, 4, &cone, NULL), BR_OK);
    return cone;
}

static double difference(const double* a, const double* b)
{
    double most = 0.0;
    for (size_t k = 0; k < 6; k++) {
        most = fmax(most, fabs(a[k] - b[k]));
    }
    return most;
}

// How near the list (count x 6) comes to a row of numbers.
static double nearest(const double* list, size_t count, const double* wanted)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < count; i++) {
        least = fmin(least, difference(list + 6 * i, wanted));
    }
    return least;
}

/* Oracle: golden/friction_cone, rays of four corners x four pyramid edges. */
static void rectangle_rays_match(void** state)
{
    (void)state;
    table_read(&golden, folder, "wrench_rays.csv");
    for (size_t row = 0; row < golden.rows; row++) {
        br_wrench_cone* cone = corners_of(row);
        double wanted[6];
        for (size_t k = 0; k < 6; k++) {
            wanted[k] = table_get(&golden, row, axes[k]);
        }
        const size_t count = br_wrench_cone_get_v_count(cone);
        assert_int_equal(count, 16);
        assert_near(nearest(br_wrench_cone_get_v(cone), count, wanted), 0.0, rounding);
        br_wrench_cone_destroy(cone);
    }
}

/* Oracle: golden/friction_cone, wrenches: the margin, and a linear program's word on whether the
   corners can carry them. By both: Caron's rows, and our facets of the corners' cone. */
static void wrenches_match(void** state)
{
    (void)state;
    table_read(&golden, folder, "wrenches.csv");
    double X = 0.0, h[16][6];
    br_wrench_cone* cone = NULL;
    for (size_t row = 0; row < golden.rows; row++) {
        if (table_get(&golden, row, "X") != X) {
            X = table_get(&golden, row, "X");
            br_wrench_cone_destroy(cone);
            cone = corners_of(row);
            br_wrench_cone_rectangle(X, table_get(&golden, row, "Y"), table_get(&golden, row, "mu"),
                                     h);
        }
        double w[6], margin = HUGE_VAL;
        for (size_t k = 0; k < 6; k++) {
            w[k] = table_get(&golden, row, axes[k]);
        }
        for (size_t i = 0; i < 16; i++) {
            double along = 0.0;
            for (size_t k = 0; k < 6; k++) {
                along += h[i][k] * w[k];
            }
            margin = fmin(margin, -along);
        }
        compare_margin(row, "margin", margin);
        const double facets = br_wrench_cone_margin(cone, w);
        assert_near(facets, margin, 1e-9); // the facets come from a double description, asked 1e-9
        if (!(table_get(&golden, row, "ambiguous") > 0.0)) {
            assert_int_equal(facets >= 0.0, (int)table_get(&golden, row, "feasible"));
        }
    }
    br_wrench_cone_destroy(cone);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_match),           cmocka_unit_test(rows_match),
        cmocka_unit_test(forces_match),         cmocka_unit_test(rectangle_rows_match),
        cmocka_unit_test(rectangle_rays_match), cmocka_unit_test(wrenches_match),
    };
    if (argc < 2) {
        fprintf(stderr, "usage: %s FOLDER [FILTER]\n", argv[0]);
        return 2;
    }
    folder = argv[1];
    return run_group(argc - 1, argv + 1, tests);
}
