/*
 * Steady states of the distributed model against golden/wk/steady_state_random: the published code on
 * the published cell grids, normal force 1 N, twist and wrench at the CoP; interpolated between the
 * corners of the cell that holds the CoR (columns _b), and cell by cell (columns _s). The first
 * argument is the folder with the tables.
 */
#include "wk.h"

#include "bristle/papers.h"

static const char* const surfaces[] = {"Circle",   "Square",     "Line",
                                       "LineGrad", "NonConvex1", "NonConvex2"};
enum { SURFACES = 6 };

static br_contact* make_model(int surface, int p)
{
    br_patch* patch = read_surface(surfaces[surface]);
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_DISTRIBUTED;
    def.patch = patch;
    def.law = table_one(p, 0);
    br_contact* model = NULL;
    assert_status(br_contact_create(&def, &model, NULL), BR_OK);
    br_patch_destroy(patch);
    return model;
}

static br_twist twist_of(size_t row)
{
    return (br_twist){table_get(&golden, row, "vx"), table_get(&golden, row, "vy"),
                      table_get(&golden, row, "w")};
}

// Compare one stored row to a tolerance of the force [N].
static void compare(br_wrench f, size_t row, const char* fx, const char* fy, const char* tau,
                    double tolerance)
{
    assert_near(f.fx, table_get(&golden, row, fx), tolerance);
    assert_near(f.fy, table_get(&golden, row, fy), tolerance);
    assert_near(f.tau, table_get(&golden, row, tau), 1e-11 /* N m, the tables have 11 digits */);
}

// Share of the normal force on a cell at the CoP, but for rounding.
static double weight_in_cop(const br_contact* m)
{
    for (size_t i = 0; i < br_contact_get_part_count(m); i++) {
        const br_contact_part cell = br_contact_get_part(m, i);
        if (br_vec2_norm(cell.position) < 1e-15 && cell.weight > 0.0) {
            return cell.weight;
        }
    }
    return 0.0;
}

// The rows of one surface and parameter set.
static size_t compare_rows(int surface, int p, int bilinear)
{
    br_contact* m = make_model(surface, p);
    table_read(&golden, folder, "steady_state_random.csv");
    size_t rows = 0;
    for (size_t i = 0; i < golden.rows; i++) {
        if ((int)table_get(&golden, i, "surface") != surface ||
            (int)table_get(&golden, i, "p") != p) {
            continue;
        }
        const br_twist v = twist_of(i);
        const double tolerance = 1e-9; // [N], likewise
        if (bilinear) {
            compare(br_papers_steady_eval(m, v, 1.0, 1), i, "fx_b", "fy_b", "tau_b", tolerance);
        } else {
            // a cell in the CoR does not move, and resists nothing; in the published code the
            // rounding of the CoP, 2e-18 m, times 2 rad/s over its 1e-16 m/s leaves 4 % of g weight
            const int spins = v.vx == 0.0 && v.vy == 0.0;
            compare(br_contact_steady_eval(m, v, 1.0, NULL), i, "fx_s", "fy_s", "tau_s",
                    tolerance + spins * 0.04 * 1.2 * weight_in_cop(m));
        }
        rows++;
    }
    br_contact_destroy(m);
    return rows;
}

/* Oracle: golden/wk/steady_state_random, columns _s. */
static void single_points_match_the_published_code(void** state)
{
    (void)state;
    for (int i = 0; i < 2 * SURFACES; i++) {
        assert_true(compare_rows(i / 2, i % 2, 0) >= 20);
    }
}

/* Oracle: golden/wk/steady_state_random, columns _b. */
static void corner_interpolation_matches_the_published_code(void** state)
{
    (void)state;
    for (int i = 0; i < 2 * SURFACES; i++) {
        assert_true(compare_rows(i / 2, i % 2, 1) >= 20);
    }
}

/* Oracle: the definition of (21). At a lattice corner it is the single evaluation; between two
 * corners along an edge it is linear; the wrench does not jump from cell to cell or at the border. */
static void corner_interpolation_is_continuous(void** state)
{
    (void)state;
    br_contact* m = make_model(0, 1);
    const br_vec2 cop = br_contact_get_patch_value(m).cop;
    const double cell = 0.02 / N, w = 0.7;
    const double y = -0.5 * 0.02 + 7.0 * cell - cop.y; // on an edge of cells
    br_wrench last = {0.0, 0.0, 0.0};
    for (int i = -40; i <= 40 * (N + 2); i++) {
        const double x = -0.5 * 0.02 + cell * i / 40.0 - cop.x; // CoR (x, y) from the CoP
        const br_twist v = {w * y, -w * x, w};
        const br_wrench f = br_papers_steady_eval(m, v, 1.0, 0);
        const br_wrench single = br_contact_steady_eval(m, v, 1.0, NULL);
        if (i % 40 == 0 || i < 0 || i > 40 * N) {
            assert_near(f.fy, single.fy, 1e-12 /* N, rounding of the CoR */);
            assert_near(f.tau, single.tau, 1e-14);
        }
        // a 40th of a cell: the slope of the force is at most some 2/R, R = 9.5 mm
        assert_true(i == -40 || fabs(f.fy - last.fy) < 2.0 / 9.5e-3 * cell / 40.0 * 1.5);
        last = f;
    }
    br_contact_destroy(m);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_points_match_the_published_code),
        cmocka_unit_test(corner_interpolation_matches_the_published_code),
        cmocka_unit_test(corner_interpolation_is_continuous),
    };
    if (argc < 2) {
        fprintf(stderr, "usage: %s FOLDER [FILTER]\n", argv[0]);
        return 2;
    }
    folder = argv[1];
    return run_group(argc - 1, argv + 1, tests);
}
