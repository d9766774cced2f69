/*
 * The velocity profile of W&K Fig 5 against golden/wk/vel_cont_*: the published code's models on the
 * published cell grids, 21 x 21 cells over 20 mm, normal force 1 N, wrench at the CoP. The first
 * argument is the folder with the tables.
 */
#include "table.h"

#include "bristle/distributed.h"

enum { N = 21, MOST_STATES = 2 * 4 * N * N };

static const char* folder;
static table golden;

// Asked for: 1e-5 N, and 1e-5 of the largest torque (here of 1 N at r <= 8 mm).
static const double force_tolerance = 1e-5;         // [N]
static const double torque_tolerance = 1e-5 * 6e-3; // [N m]

static br_patch* read_surface(const char* name)
{
    char file[64];
    static double cells[N * N];
    snprintf(file, sizeof file, "surface_%s.csv", name);
    table_read(&golden, folder, file);
    memset(cells, 0, sizeof cells);
    for (size_t i = 0; i < golden.rows; i++) {
        const int column = (int)table_get(&golden, i, "ix"), row = (int)table_get(&golden, i, "iy");
        cells[row * N + column] = table_get(&golden, i, "fn_cell");
    }
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_GRID;
    def.size_x = def.size_y = 0.02;
    def.columns = def.rows = N;
    def.cells = cells;
    br_patch* patch = NULL;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    return patch;
}

// Table I of W&K
static br_law table_one(int p, int elasto_plastic)
{
    br_law law = br_law_default(elasto_plastic ? BR_LAW_ELASTO_PLASTIC : BR_LAW_LUGRE);
    law.mu_s = p ? 1.2 : 1.0;
    law.sigma2 = p ? 0.2 : 0.0;
    return law;
}

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

static br_twist profile(double t)
{
    static const double c = 0.015;
    static const double w[][2] = {{0, 0}, {0.6, 1}, {3.4, 1}, {4.0, 0}, {5.0, 0}};
    const double vx[][2] = {{0, 0}, {0.8, 0}, {1.4, c}, {1.6, c}, {2.2, 0}, {5.0, 0}};
    const double vy[][2] = {{0, 0}, {2.4, 0}, {2.7, 0.4 * c}, {4.3, 0.4 * c}, {4.6, 0}, {5.0, 0}};
    return (br_twist){knots(vx, 6, t), knots(vy, 6, t), knots(w, 5, t)};
}

static void move(const double* z, double h, const double* dz, size_t n, double* out)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = z[i] + h * dz[i];
    }
}

// One step of the classical Runge-Kutta method; the bristles relax at 3e4 1/s at most.
static void runge_kutta(const br_distributed* m, double t, double h, size_t n, double* z)
{
    static double k[4][MOST_STATES], trial[MOST_STATES];
    const br_twist begin = profile(t), middle = profile(t + 0.5 * h), end = profile(t + h);
    br_distributed_eval(m, z, begin, 1.0, k[0]);
    move(z, 0.5 * h, k[0], n, trial);
    br_distributed_eval(m, trial, middle, 1.0, k[1]);
    move(z, 0.5 * h, k[1], n, trial);
    br_distributed_eval(m, trial, middle, 1.0, k[2]);
    move(z, h, k[2], n, trial);
    br_distributed_eval(m, trial, end, 1.0, k[3]);
    for (size_t i = 0; i < n; i++) {
        z[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
    }
}

static void compare(const char* name, int p, int elasto_plastic)
{
    static double z[MOST_STATES], dz[MOST_STATES];
    br_patch* patch = read_surface(name);
    br_distributed_def def = br_distributed_def_default();
    def.patch = patch;
    def.law = table_one(p, elasto_plastic);
    br_distributed* model = NULL;
    assert_status(br_distributed_create(&def, &model, NULL), BR_OK);
    const size_t n = 2 * br_distributed_get_count(model);
    assert_true(n <= MOST_STATES);

    char file[64];
    snprintf(file, sizeof file, "vel_cont_%s_p%d_%s.csv", name, p, elasto_plastic ? "ep" : "lugre");
    table_read(&golden, folder, file);
    memset(z, 0, sizeof z);
    const double h = 2.5e-5; // [s]
    size_t step = 0;
    for (size_t row = 0; row < golden.rows; row++) {
        const double t = table_get(&golden, row, "t");
        for (; (double)step * h < t - 0.5 * h; step++) {
            runge_kutta(model, (double)step * h, h, n, z);
        }
        const br_wrench f = br_distributed_eval(model, z, profile(t), 1.0, dz);
        assert_near(f.fx, table_get(&golden, row, "fx_d"), force_tolerance);
        assert_near(f.fy, table_get(&golden, row, "fy_d"), force_tolerance);
        assert_near(f.tau, table_get(&golden, row, "tau_d"), torque_tolerance);
    }
    br_distributed_destroy(model);
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
