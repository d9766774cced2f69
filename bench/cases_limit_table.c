/*
 * Tables and curves of limit surfaces. Reference: the published method, implemented directly: the
 * steady state of every cell of the lattice, for every corner of (21), for every node of (33).
 *
 * W&K = Waltersson & Karayiannidis. Numbers in brackets are that paper's equations.
 */
#include "bench.h"

#include "../src/limit/curve.h"
#include "bristle/limit.h"

#include <stdlib.h>

enum { N = 21, N_LS = 20 };
static const double size = 0.02; // of the lattice [m]

typedef struct setup {
    br_patch* patch;
    br_limit* exact;
    br_limit* smooth;
    curve_basis* basis;
    double pressure[N][N]; // sums to 1
    double mu_c, mu_s, v_s, gamma, sigma0;
    double h[4 * N_LS + 1][N_LS + 1][3];
} setup;

// Steady state of one cell: sigma0 z = g(|v|) v/|v|, divided by |v|.
typedef double (*cell_law)(const setup* s, double speed);

// g(v) = mu_c + (mu_s - mu_c) exp(-|v/v_s|^gamma): what the published code evaluates
static double stribeck(const setup* s, double speed)
{
    const double g = s->mu_c + (s->mu_s - s->mu_c) * exp(-pow(speed / s->v_s, s->gamma));
    return s->sigma0 * g / (s->sigma0 * speed + 1e-10);
}

static double coulomb(const setup* s, double speed)
{
    return s->sigma0 * s->mu_c / (s->sigma0 * speed + 1e-10);
}

// (19), (20)
static inline br_wrench cells_wrench(const setup* s, cell_law law, br_twist v)
{
    br_wrench f = {0.0, 0.0, 0.0};
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            const double x = (j + 0.5 - 0.5 * N) * size / N, y = (i + 0.5 - 0.5 * N) * size / N;
            const double vx = v.vx - v.w * y, vy = v.vy + v.w * x;
            const double p = law(s, sqrt(vx * vx + vy * vy)) * s->pressure[i][j];
            f.fx -= p * vx;
            f.fy -= p * vy;
            f.tau -= p * (x * vy - y * vx);
        }
    }
    return f;
}

// (21)
static inline br_wrench corners_wrench(const setup* s, cell_law law, br_twist v)
{
    const double x = (-v.vy / v.w / size + 0.5) * N, y = (v.vx / v.w / size + 0.5) * N;
    if (!(fabs(v.w) > 1e-10 && x >= 0.0 && x < N && y >= 0.0 && y < N)) {
        return cells_wrench(s, law, v);
    }
    br_wrench f = {0.0, 0.0, 0.0};
    for (int k = 0; k < 4; k++) {
        const int j = (int)x + k % 2, i = (int)y + k / 2;
        const double weight = (1.0 - fabs(x - j)) * (1.0 - fabs(y - i));
        const double cx = ((double)j / N - 0.5) * size, cy = ((double)i / N - 0.5) * size;
        const br_wrench c = cells_wrench(s, law, (br_twist){v.w * cy, -v.w * cx, v.w});
        f.fx += weight * c.fx;
        f.fy += weight * c.fy;
        f.tau += weight * c.tau;
    }
    return f;
}

// (33), (29); the CoP is the lattice's centre
static inline double plain_table(setup* s, cell_law law)
{
    const double r = fabs(corners_wrench(s, law, (br_twist){0.0, 0.0, 1.0}).tau);
    for (int i = 0; i <= 4 * N_LS; i++) {
        for (int j = 0; j <= N_LS; j++) {
            const double theta = i * BR_PI / (2 * N_LS), phi = j * BR_PI / (2 * N_LS);
            const br_twist v = {r * cos(theta) * sin(phi), r * sin(theta) * sin(phi), cos(phi)};
            const br_wrench f = corners_wrench(s, law, v);
            s->h[i][j][0] = f.fx;
            s->h[i][j][1] = f.fy;
            s->h[i][j][2] = f.tau / r;
        }
    }
    return s->h[3][5][0];
}

static double plain_stribeck(void* data, size_t calls)
{
    double sum = 0.0;
    for (size_t i = 0; i < calls; i++) {
        sum += plain_table(data, stribeck);
    }
    return sum;
}

static double plain_coulomb(void* data, size_t calls)
{
    double sum = 0.0;
    for (size_t i = 0; i < calls; i++) {
        sum += plain_table(data, coulomb);
    }
    return sum;
}

static br_limit* create(const setup* s, br_limit_method method)
{
    br_limit_def def = br_limit_def_default();
    def.patch = s->patch;
    def.method = method;
    br_limit* surface = NULL;
    br_limit_create(&def, &surface, NULL);
    return surface;
}

static double create_tables(void* data, br_limit_method method, size_t calls)
{
    double sum = 0.0;
    for (size_t i = 0; i < calls; i++) {
        br_limit* surface = create(data, method);
        sum += br_limit_eval(surface, (br_twist){0.003, 0.002, 0.7}).wrench.fx;
        br_limit_destroy(surface);
    }
    return sum;
}

static double create_grid(void* data, size_t calls)
{
    return create_tables(data, BR_LIMIT_GRID, calls);
}

static double create_published(void* data, size_t calls)
{
    return create_tables(data, BR_LIMIT_PUBLISHED, calls);
}

static double create_smooth(void* data, size_t calls)
{
    return create_tables(data, BR_LIMIT_SMOOTH, calls);
}

static double create_bilinear(void* data, size_t calls)
{
    return create_tables(data, BR_LIMIT_BILINEAR, calls);
}

static void teardown(void* data)
{
    setup* s = data;
    bri_curve_basis_destroy(s->basis);
    br_limit_destroy(s->smooth);
    br_limit_destroy(s->exact);
    br_patch_destroy(s->patch);
    free(s);
}

// W&K's circle (a mask of radius 10 cells) or the square, W&K's p = 0.
static void* setup_grid(int is_disc)
{
    setup* s = calloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    s->mu_c = s->mu_s = 1.0, s->v_s = 1e-3, s->gamma = 2.0, s->sigma0 = 1e5;
    double sum = 0.0;
    for (int i = 0; i < N * N; i++) {
        const int x = i % N - N / 2, y = i / N - N / 2;
        sum += s->pressure[i / N][i % N] = !is_disc || x * x + y * y <= 100;
    }
    for (int i = 0; i < N * N; i++) {
        s->pressure[i / N][i % N] /= sum;
    }
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_GRID;
    def.size_x = def.size_y = size;
    def.columns = def.rows = N;
    def.cells = &s->pressure[0][0];
    br_patch_create(&def, &s->patch, NULL);
    s->exact = create(s, BR_LIMIT_EXACT);
    s->smooth = create(s, BR_LIMIT_SMOOTH);
    return s;
}

static void* setup_disc(void)
{
    return setup_grid(1);
}

static void* setup_square(void)
{
    return setup_grid(0);
}

// A power law whose exponent is 2 fn, W&K's Fig. 35.
static void* setup_power(void)
{
    setup* s = calloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    br_patch_def def = br_patch_def_default();
    def.pressure = BR_PRESSURE_POWER;
    def.k = (br_by_force){2.0, 1.0, (double)INFINITY};
    br_patch_create(&def, &s->patch, NULL);
    bri_curve_basis_create(&s->basis, NULL);
    return s;
}

static double change_curve(void* data, size_t calls)
{
    const setup* s = data;
    limit_curve curve;
    double sum = 0.0;
    for (size_t i = 0; i < calls; i++) {
        bri_curve_init(s->basis, s->patch, 0.5 + 0.01 * (double)(i % 64), &curve);
        sum += bri_curve_eval(&curve, (br_twist){0.003, 0.002, 0.7}).wrench.fx;
    }
    return sum;
}

// The same with a new table at each change, of the same nodes per quarter turn.
static double change_table(void* data, size_t calls)
{
    const setup* s = data;
    double sum = 0.0;
    for (size_t i = 0; i < calls; i++) {
        br_limit_def def = br_limit_def_default();
        def.patch = s->patch;
        def.fn = 0.5 + 0.01 * (double)(i % 64);
        def.method = BR_LIMIT_GRID;
        br_limit* surface = NULL;
        br_limit_create(&def, &surface, NULL);
        sum += br_limit_eval(surface, (br_twist){0.003, 0.002, 0.7}).wrench.fx;
        br_limit_destroy(surface);
    }
    return sum;
}

static double eval(const br_limit* surface, size_t calls)
{
    double sum = 0.0;
    for (size_t i = 0; i < calls; i++) {
        const double phase = (double)(i % 64) - 31.5;
        sum += br_limit_eval(surface, (br_twist){1e-3 * phase, 0.01, 0.1 * phase}).wrench.fy;
    }
    return sum;
}

static double eval_smooth(void* data, size_t calls)
{
    return eval(((setup*)data)->smooth, calls);
}

static double eval_exact(void* data, size_t calls)
{
    return eval(((setup*)data)->exact, calls);
}

const bench_case limit_table_cases[] = {
    BENCH_CASE("limit.table/disc21", 1, setup_disc, create_grid, plain_stribeck, teardown),
    BENCH_CASE("limit.table/disc21-coulomb", 1, setup_disc, create_grid, plain_coulomb, teardown),
    BENCH_CASE("limit.table/square21", 1, setup_square, create_grid, plain_stribeck, teardown),
    BENCH_CASE("limit.table/square21-coulomb", 1, setup_square, create_grid, plain_coulomb,
               teardown),
    BENCH_CASE("limit.table/disc21-published", 1, setup_disc, create_published, plain_stribeck,
               teardown),
    BENCH_CASE("limit.table/disc21-smooth", 1, setup_disc, create_smooth, NULL, teardown),
    BENCH_CASE("limit.table/disc21-bilinear", 1, setup_disc, create_bilinear, NULL, teardown),
    BENCH_CASE("limit.smooth/grid21", 1000, setup_disc, eval_smooth, eval_exact, teardown),
    BENCH_CASE("limit.curve/power", 10, setup_power, change_curve, change_table, teardown),
};
const size_t limit_table_case_count = sizeof limit_table_cases / sizeof *limit_table_cases;
