/*
 * Exact limit surfaces; reference: a simple loop over cell centres.
 */
#include "bench.h"

#include "bristle/limit.h"

enum { SIDE = 21 };

typedef struct limit_setup {
    br_patch* patch;
    br_limit* surface;
    br_cells* cells;
    br_vec2 cop; // patch frame [m]
} limit_setup;

static void destroy(void* setup)
{
    limit_setup* s = setup;
    br_cells_destroy(s->cells);
    br_limit_destroy(s->surface);
    br_patch_destroy(s->patch);
    br_release(s);
}

static void* create(br_patch_def def)
{
    limit_setup* s = br_allocate(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    br_limit_def limit = br_limit_def_default();
    if (br_patch_create(&def, &s->patch, NULL) == BR_OK) {
        limit.patch = s->patch;
        br_limit_create(&limit, &s->surface, NULL);
        br_cells_create(s->patch, 1.0, SIDE, &s->cells, NULL);
    }
    if (!s->surface || !s->cells) {
        destroy(s);
        return NULL;
    }
    s->cop = br_cells_eval(s->cells).cop;
    return s;
}

static void* create_disc(void)
{
    return create(br_patch_def_default());
}

// Every cell differs from its neighbours, so that no corner can be skipped.
static void* create_grid(void)
{
    double cells[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        const double x = (i % SIDE - 10) / 10.5, y = (i / SIDE - 10) / 10.5;
        cells[i] = 1.0 + 0.3 * x - 0.2 * y + 0.5 * x * y + 0.1 * x * x * y * y;
    }
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_GRID;
    def.size_x = def.size_y = 0.02;
    def.columns = def.rows = SIDE;
    def.cells = cells;
    return create(def);
}

// Twists with the CoR from the centre to 1.5 sizes away, in all directions.
static br_twist twist_at(size_t i)
{
    const double d = 3e-4 * (double)(i % 64 + 1), phi = 0.7 * (double)i;
    return (br_twist){d * cos(phi), d * sin(phi), i % 2 ? 1.0 : -1.0};
}

enum { TWISTS = 64 };

static double exact(void* setup, size_t calls)
{
    const limit_setup* s = setup;
    br_twist v[TWISTS];
    for (size_t i = 0; i < TWISTS; i++) {
        v[i] = twist_at(i);
    }
    double sum = 0.0;
    for (size_t i = 0; i < calls; i++) {
        const br_limit_value at = br_limit_eval(s->surface, v[i % TWISTS]);
        sum += at.dissipation + at.wrench.tau;
    }
    return sum;
}

// Cell centres: the simple method, with an error of 1e-3.
static double plain(void* setup, size_t calls)
{
    const limit_setup* s = setup;
    double sum = 0.0;
    for (size_t i = 0; i < calls; i++) {
        const br_twist v = twist_at(i % TWISTS);
        double D = 0.0, tau = 0.0, fx = 0.0, fy = 0.0;
        for (size_t k = 0; k < s->cells->count; k++) {
            const double x = s->cells->x[k] - s->cop.x, y = s->cells->y[k] - s->cop.y;
            const double vx = v.vx - v.w * y, vy = v.vy + v.w * x, speed = hypot(vx, vy);
            const double share = speed > 0.0 ? s->cells->weight[k] / speed : 0.0;
            D += s->cells->weight[k] * speed;
            fx -= share * vx;
            fy -= share * vy;
            tau -= share * (x * vy - y * vx);
        }
        sum += D + tau + 0.0 * (fx + fy);
    }
    return sum;
}

const bench_case limit_cases[] = {
    BENCH_CASE("limit.exact/disc", 20000, create_disc, exact, plain, destroy),
    BENCH_CASE("limit.exact/grid21", 2000, create_grid, exact, plain, destroy),
};
const size_t limit_case_count = sizeof limit_cases / sizeof *limit_cases;
