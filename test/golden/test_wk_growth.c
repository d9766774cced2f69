/*
 * Patches that grow with the normal force against golden/wk: the pressures k2_* and k2fN_* of W&K's
 * section VI-C, their tables, and the slip-stick runs of Figs 34 and 35. The first argument is the
 * folder with the tables.
 */
#include "table.h"

#include "bristle/contact.h"

static const char* folder;
static table golden, values; // surfaces.csv: one row per name

enum { CELLS = 21 };
static const double edge = 0.02 / CELLS; // of a cell [m]

// a = 6 fn^(1/3) cells, at most 10.5 of them (43); k = 2, or k = 2 fn (44).
static br_patch* make_patch(int k_grows)
{
    br_patch_def def = br_patch_def_default();
    def.radius = (br_by_force){6.0 * edge, 1.0 / 3.0, 10.5 * edge};
    def.pressure = BR_PRESSURE_POWER;
    def.k = (br_by_force){2.0, k_grows ? 1.0 : 0.0, HUGE_VAL};
    def.sampling = BR_SAMPLING_CENTRE;
    br_patch* patch = NULL;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    return patch;
}

typedef struct stored {
    const char* name;
    double fn;
} stored;
static const stored k2[] = {{"k2_fN0.5", 0.5}, {"k2_fN1", 1.0}, {"k2_fN2", 2.0}, {"k2_fN10", 10.0}};
static const stored k2fn[] = {
    {"k2fN_fN0.5", 0.5}, {"k2fN_fN1", 1.0}, {"k2fN_fN2", 2.0}, {"k2fN_fN10", 10.0}};
enum { FORCES = 4 };

static void read_golden(const char* prefix, const char* name)
{
    char file[128];
    snprintf(file, sizeof file, "%s_%s.csv", prefix, name);
    table_read(&golden, folder, file);
}

// Number of a line of cells from the left, of a coordinate.
static long line_of(double x)
{
    return lround(x / edge + 0.5 * (CELLS - 1));
}

static void compare_cells(const br_patch* patch, stored s)
{
    double expected[CELLS][CELLS] = {{0.0}};
    read_golden("surface", s.name);
    for (size_t i = 0; i < golden.rows; i++) {
        const int ix = (int)table_get(&golden, i, "ix"), iy = (int)table_get(&golden, i, "iy");
        expected[iy][ix] = table_get(&golden, i, "fn_cell") / s.fn;
    }
    br_cells* cells = NULL;
    assert_status(br_cells_create(patch, s.fn, CELLS, &cells, NULL), BR_OK);
    double sum = 0.0;
    for (size_t i = 0; i < cells->count; i++) {
        const double* share = &expected[line_of(-cells->y[i])][line_of(cells->x[i])];
        assert_near(cells->weight[i], *share, 1e-15 /* rounding */);
        sum += *share;
    }
    assert_near(sum, 1.0, 1e-14 /* every golden cell is among ours; rounding of 441 terms */);
    br_cells_destroy(cells);
}

/* Oracle: the published code. */
static void cells_are_those_of_the_published_code(void** state)
{
    (void)state;
    br_patch *constant = make_patch(0), *growing = make_patch(1);
    for (size_t i = 0; i < FORCES; i++) {
        compare_cells(constant, k2[i]);
        compare_cells(growing, k2fn[i]);
    }
    br_patch_destroy(constant);
    br_patch_destroy(growing);
}

static br_limit* make_surface(const br_patch* patch, br_limit_method method, double fn)
{
    br_limit_def def = br_limit_def_default();
    def.patch = patch;
    def.fn = fn;
    def.method = method;
    br_limit* surface = NULL;
    assert_status(br_limit_create(&def, &surface, NULL), BR_OK);
    return surface;
}

static size_t value_row(const char* name)
{
    static const char* const names[] = {"Circle",     "Square",     "Line",      "LineGrad",
                                        "NonConvex1", "NonConvex2", "LineGradX", "k2_fN0.5",
                                        "k2fN_fN0.5", "k2_fN1",     "k2fN_fN1",  "k2_fN2",
                                        "k2fN_fN2",   "k2_fN10",    "k2fN_fN10"};
    size_t row = 0;
    while (strcmp(names[row], name) != 0) {
        row++;
    }
    return row;
}

static void compare_values(br_patch_value value, const char* name)
{
    const size_t row = value_row(name);
    assert_near(value.r, table_get(&values, row, "r_peer_bilinear"), 1e-15 /* m, rounding */);
    assert_near(value.u, table_get(&values, row, "u_eq27"), 1e-17 /* m^2, rounding of 441 terms */);
}

static void compare_nodes(const br_limit* surface, const char* name)
{
    read_golden("ls", name);
    const double r = br_limit_get_patch_value(surface).r, step = BR_PI / 40.0;
    for (size_t i = 0; i < golden.rows; i++) {
        const double theta = step * table_get(&golden, i, "itheta");
        const double phi = step * table_get(&golden, i, "iphi");
        const br_twist v = {r * cos(theta) * sin(phi), r * sin(theta) * sin(phi), cos(phi)};
        const br_wrench f = br_limit_eval(surface, v).wrench;
        assert_near(f.fx, table_get(&golden, i, "hx"), 1e-12 /* rounding of 441 terms, lookup */);
        assert_near(f.fy, table_get(&golden, i, "hy"), 1e-12);
        assert_near(f.tau / r, table_get(&golden, i, "htau"), 1e-12);
    }
}

/* Oracle: the published code. With k = 2 the table stays the one of the largest radius while r and u
 * follow the force; with k = 2 fn everything is that of the force. There and back. */
static void published_surface_follows_the_force(void** state)
{
    (void)state;
    br_patch *constant = make_patch(0), *growing = make_patch(1);
    br_limit* once = make_surface(constant, BR_LIMIT_PUBLISHED, 10.0);
    br_limit* again = make_surface(growing, BR_LIMIT_PUBLISHED, 3.0);
    void* once_memory = test_calloc(1, br_limit_get_at_force_size(once));
    void* again_memory = test_calloc(1, br_limit_get_at_force_size(again));
    static const size_t order[] = {1, 3, 0, 2, 1};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const br_limit* a = br_limit_at_force(once, k2[order[i]].fn, once_memory);
        compare_values(br_limit_get_patch_value(a), k2[order[i]].name);
        compare_nodes(a, "k2_fN10");
        const br_limit* b = br_limit_at_force(again, k2fn[order[i]].fn, again_memory);
        compare_values(br_limit_get_patch_value(b), k2fn[order[i]].name);
        compare_nodes(b, k2fn[order[i]].name);
    }
    test_free(once_memory);
    test_free(again_memory);
    br_limit_destroy(once);
    br_limit_destroy(again);
    br_patch_destroy(constant);
    br_patch_destroy(growing);
}

// --- slip-stick of Figs 34 and 35 --------------------------------------------------------------------

enum { MOST_STATES = 6 + 2 * 2 * CELLS * CELLS };

// An object between two fingers at the origin: pose, velocity, bristles of one finger.
typedef struct grasp {
    const br_contact* contact; // at the force fn
    size_t states;
    double fn;
} grasp;

static const double mass = 0.2, inertia = 0.2 / 12.0 * (0.15 * 0.15 + 0.08 * 0.08);

static br_wrench rate(const grasp* g, const double* y, double* dy)
{
    // the fingers see the object move at the origin
    const br_twist v = {y[3] + y[5] * y[1], y[4] - y[5] * y[0], y[5]};
    const br_wrench f = br_contact_eval(g->contact, y + 6, v, g->fn, dy + 6);
    memcpy(dy, y + 3, 3 * sizeof *dy);
    dy[3] = 2.0 * f.fx / mass;
    dy[4] = 2.0 * f.fy / mass - 9.81;
    dy[5] = 2.0 * (f.tau - y[0] * f.fy + y[1] * f.fx) / inertia;
    return f;
}

// A step of the classical method of Runge and Kutta.
static void step(const grasp* g, double* y, double h)
{
    static double k[4][MOST_STATES], at[MOST_STATES];
    rate(g, y, k[0]);
    for (int stage = 1; stage < 4; stage++) {
        const double part = stage < 3 ? 0.5 * h : h;
        for (size_t i = 0; i < g->states; i++) {
            at[i] = y[i] + part * k[stage - 1][i];
        }
        rate(g, at, k[stage]);
    }
    for (size_t i = 0; i < g->states; i++) {
        y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
    }
}

static void compare_row(size_t row, const double* y, br_wrench f)
{
    // measured: 4e-9 m, 4e-8 rad, 1e-7 N, 2e-8 N m, by the steps where the bristles' law has a kink
    assert_near(y[0], table_get(&golden, row, "px"), 2e-8 /* m */);
    assert_near(y[1], table_get(&golden, row, "py"), 2e-8 /* m */);
    assert_near(y[2], table_get(&golden, row, "theta"), 2e-7 /* rad */);
    assert_near(f.fx, table_get(&golden, row, "fx"), 1e-6 /* N */);
    assert_near(f.fy, table_get(&golden, row, "fy"), 1e-6 /* N */);
    assert_near(f.tau, table_get(&golden, row, "tau"), 1e-7 /* N m */);
}

// Two seconds, the force held for 10 ms each, in steps that are well within the method's stability.
static void run(const br_contact* contact, const char* file, size_t substeps)
{
    static double y[MOST_STATES], dy[MOST_STATES];
    grasp g = {.states = 6 + br_contact_get_state_count(contact)};
    void* memory = test_calloc(1, br_contact_get_at_force_size(contact));
    assert_true(g.states <= MOST_STATES);
    table_read(&golden, folder, file);
    memset(y, 0, sizeof y);
    y[0] = 0.002;
    for (size_t i = 0; i < 200; i++) {
        g.fn = 1.73 + 0.91 * sin(4.0 * BR_PI * 0.01 * (double)i);
        g.contact = br_contact_at_force(contact, g.fn, memory);
        for (size_t k = 0; k < substeps; k++) {
            step(&g, y, 0.01 / (double)substeps);
        }
        if (i % 10 == 9) {
            compare_row(i / 10, y, rate(&g, y, dy));
        }
    }
    test_free(memory);
}

static void run_distributed(int k_grows, const char* file)
{
    br_patch* patch = make_patch(k_grows);
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_DISTRIBUTED;
    def.patch = patch;
    def.resolution = CELLS;
    br_contact* model = NULL;
    assert_status(br_contact_create(&def, &model, NULL), BR_OK);
    br_patch_destroy(patch); // no longer needed
    run(model, file, 500);
    br_contact_destroy(model);
}

static void run_reduced(int k_grows, const char* file)
{
    br_patch* patch = make_patch(k_grows);
    br_limit* surface = make_surface(patch, BR_LIMIT_PUBLISHED, 10.0);
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_REDUCED;
    def.surface = surface;
    br_contact* model = NULL;
    assert_status(br_contact_create(&def, &model, NULL), BR_OK);
    run(model, file, 1000);
    br_contact_destroy(model);
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

/* Oracle: the published code's distributed model, Fig 34. */
static void distributed_slip_of_k2_is_the_stored_one(void** state)
{
    (void)state;
    run_distributed(0, "growth_k2_dist.csv");
}

/* Oracle: the same, Fig 35. */
static void distributed_slip_of_k2fn_is_the_stored_one(void** state)
{
    (void)state;
    run_distributed(1, "growth_k2fN_dist.csv");
}

/* Oracle: the published code's reduced model, with u updated. */
static void reduced_slip_of_k2_is_the_stored_one(void** state)
{
    (void)state;
    run_reduced(0, "growth_k2_red.csv");
}

/* Oracle: the published code's reduced model. */
static void reduced_slip_of_k2fn_is_the_stored_one(void** state)
{
    (void)state;
    run_reduced(1, "growth_k2fN_red.csv");
}

int main(int argc, char** argv)
{
    folder = argc > 1 ? argv[1] : ".";
    table_read(&values, folder, "surfaces.csv");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_those_of_the_published_code),
        cmocka_unit_test(published_surface_follows_the_force),
        cmocka_unit_test(distributed_slip_of_k2_is_the_stored_one),
        cmocka_unit_test(distributed_slip_of_k2fn_is_the_stored_one),
        cmocka_unit_test(reduced_slip_of_k2_is_the_stored_one),
        cmocka_unit_test(reduced_slip_of_k2fn_is_the_stored_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
