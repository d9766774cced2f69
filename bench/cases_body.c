/*
 * Bodies in time: two seconds of in-hand slip-stick (W&K, section VI-B, case 2) by our Rosenbrock method
 * and, at equal or better error, by CVODE; and how the cost grows with the number of cells.
 */
#include "bench.h"

#include "bristle/sim.h"

#include <math.h>
#include <string.h>

enum { ROWS = 201, STEPS = 200, GRID = 21 };

// A run, the tolerances at which both methods are compared, and the rows for the comparison.
typedef struct slip_case {
    br_patch* patch;
    br_limit* surface;
    br_contact* friction;
    br_body_contact contact;
    br_body body;
    double t[STEPS], fn[STEPS]; // normal force of one of the two fingers, constant for 10 ms each
    double duration;
    double ours_rtol, cvode_rtol;
    double ours_error, cvode_error; // largest position error [m]
    br_status (*cvode)(struct slip_case* c, double rtol);
    size_t row, x_column, y_column;
    br_vec2 position[ROWS];
} slip_case;

static void find_columns(const br_column* columns, size_t count, void* user)
{
    slip_case* c = user;
    c->x_column = br_column_find(columns, count, "x");
    c->y_column = br_column_find(columns, count, "y");
}

static void store_position(const double* row, void* user)
{
    slip_case* c = user;
    c->position[c->row++] = (br_vec2){row[c->x_column], row[c->y_column]};
}

// Absolute tolerances are proportional to the relative one.
static br_status run_slip(slip_case* c, br_integrator_kind kind, double rtol)
{
    br_run_def def = br_run_def_default();
    def.duration = c->duration;
    def.every = c->duration / (ROWS - 1);
    def.method = kind;
    def.rtol = rtol;
    def.atol = 1e-2 * rtol;
    def.atol_z = 1e-4 * rtol;
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = find_columns, .row = store_position, .user = c};
    c->row = 0;
    return br_body_run(&c->body, &def, &watch, NULL, NULL);
}

#ifdef BRISTLE_HAS_CVODE

static br_status run_structured(slip_case* c, double rtol)
{
    return run_slip(c, BR_INTEGRATOR_CVODE, rtol);
}

// --- the reduced model as a system without a Jacobian -------------------------------------------------

enum { STATES = 9 }; // pose, velocity, bristles

typedef struct plain_body {
    const slip_case* c;
    double fn;
} plain_body;

static void plain_rate(double t, const double* y, double* dy, void* user)
{
    (void)t;
    const plain_body* p = user;
    const br_body* body = &p->c->body;
    const br_twist v = {y[3] + y[5] * y[1], y[4] - y[5] * y[0], y[5]};
    const br_wrench f = br_contact_eval(p->c->friction, y + 6, v, 2.0 * p->fn, dy + 6);
    memcpy(dy, y + 3, 3 * sizeof *dy);
    dy[3] = f.fx / body->mass;
    dy[4] = f.fy / body->mass + body->gravity.y;
    dy[5] = (f.tau - y[0] * f.fy + y[1] * f.fx) / body->inertia;
}

static br_status run_step(br_integrator* s, plain_body* p, slip_case* c, size_t i, double y[STATES])
{
    const double end = 0.01 * (double)(i + 1);
    br_status status = BR_OK;
    p->fn = c->fn[i];
    br_integrator_start(s, 0.01 * (double)i, y);
    while (status == BR_OK && br_integrator_get_t(s) < end) {
        status = br_integrator_step(s, end, NULL, NULL);
    }
    memcpy(y, br_integrator_get_y(s), STATES * sizeof *y);
    c->position[i + 1] = (br_vec2){y[0], y[1]};
    return status;
}

// CVODE with its own finite differences.
static br_status run_differences(slip_case* c, double rtol)
{
    plain_body p = {.c = c};
    double y[STATES] = {c->body.pose.x}, atol[STATES];
    for (int i = 0; i < STATES; i++) {
        atol[i] = (i < 6 ? 1e-2 : i < 8 ? 1e-4 : 6e-7) * rtol;
    }
    const br_ode ode = {.size = sizeof(br_ode), .n = STATES, .rate = plain_rate, .user = &p};
    br_integrator_def def = br_integrator_def_default();
    def.kind = BR_INTEGRATOR_CVODE;
    def.rtol = rtol;
    def.atol = atol;
    br_integrator* s = NULL;
    br_status status = br_integrator_create(&ode, &def, &s, NULL);
    for (size_t i = 0; status == BR_OK && i < STEPS; i++) {
        status = run_step(s, &p, c, i, y);
    }
    br_integrator_destroy(s);
    return status;
}

#define STRUCTURED  run_structured
#define DIFFERENCES run_differences
#else
#define STRUCTURED  NULL
#define DIFFERENCES NULL
#endif

// --- cases --------------------------------------------------------------------------------------------

static double error_against(const slip_case* c, const br_vec2* truth)
{
    double worst = 0.0;
    for (size_t i = 0; i < ROWS; i++) {
        worst = fmax(worst, hypot(c->position[i].x - truth[i].x, c->position[i].y - truth[i].y));
    }
    return worst;
}

// The loosest tolerance, by factors of 2, at which CVODE is as accurate as our method.
static void match_cvode(slip_case* c, const br_vec2* truth)
{
    c->cvode_error = (double)NAN;
    for (double rtol = 1e-5; c->cvode && rtol > 1e-11; rtol *= 0.5) {
        if (c->cvode(c, rtol) != BR_OK) {
            return;
        }
        c->cvode_rtol = rtol;
        c->cvode_error = error_against(c, truth);
        if (c->cvode_error <= c->ours_error) {
            return;
        }
    }
}

static slip_case* new_case(double duration)
{
    slip_case* c = br_allocate(1, sizeof *c);
    if (!c) {
        return NULL;
    }
    for (int i = 0; i < STEPS; i++) {
        c->t[i] = 0.01 * i;
        c->fn[i] = 1.73 + 0.91 * sin(4.0 * BR_PI * c->t[i]);
    }
    c->duration = duration;
    c->ours_rtol = 2e-6; // the default of a run
    c->contact = (br_body_contact){
        .frame = BR_FRAME_WORLD,
        .normal_force = {.kind = BR_PROFILE_STEPS, .count = STEPS, .t = c->t, .value = c->fn},
        .count = 2};
    c->body = br_body_default();
    c->body.start = BR_START_RELAXED;
    c->body.mass = 0.2;
    c->body.inertia = 0.2 / 12.0 * (0.15 * 0.15 + 0.08 * 0.08);
    c->body.pose.x = 0.002;
    c->body.gravity.y = -9.81;
    c->body.contacts = &c->contact;
    c->body.contact_count = 1;
    return c;
}

static void destroy_case(void* setup)
{
    slip_case* c = setup;
    br_contact_destroy(c->friction);
    br_limit_destroy(c->surface);
    br_patch_destroy(c->patch);
    br_release(c);
}

// W&K's circle: a mask of cells.
static br_status create_circle(slip_case* c)
{
    double cells[GRID * GRID];
    for (int i = 0; i < GRID * GRID; i++) {
        cells[i] = hypot(i % GRID - 10, i / GRID - 10) <= 10.0;
    }
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_GRID;
    def.size_x = def.size_y = 0.02;
    def.columns = def.rows = GRID;
    def.cells = cells;
    return br_patch_create(&def, &c->patch, NULL);
}

static br_status create_reduced(slip_case* c, br_limit_method method)
{
    br_limit_def surface_def = br_limit_def_default();
    surface_def.patch = c->patch;
    surface_def.method = method;
    br_status status = br_limit_create(&surface_def, &c->surface, NULL);
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_REDUCED;
    def.surface = c->surface;
    if (status == BR_OK) {
        status = br_contact_create(&def, &c->friction, NULL);
    }
    c->contact.contact = c->friction;
    return status;
}

static br_status create_parts(slip_case* c, br_method method, size_t resolution)
{
    br_contact_def def = br_contact_def_default();
    def.method = method;
    def.patch = c->patch;
    def.resolution = resolution;
    const br_status status = br_contact_create(&def, &c->friction, NULL);
    c->contact.contact = c->friction;
    return status;
}

// Find the tolerance for CVODE; frees the case and returns NULL if it could not be created.
static void* ready(slip_case* c, br_status status)
{
    if (status != BR_OK) {
        destroy_case(c);
        return NULL;
    }
    br_vec2 truth[ROWS];
    run_slip(c, BR_INTEGRATOR_ROSENBROCK, 1e-10);
    memcpy(truth, c->position, sizeof truth);
    run_slip(c, BR_INTEGRATOR_ROSENBROCK, c->ours_rtol);
    c->ours_error = error_against(c, truth);
    match_cvode(c, truth);
    return c;
}

static void* setup_reduced(void)
{
    slip_case* c = new_case(2.0);
    if (!c) {
        return NULL;
    }
    c->cvode = DIFFERENCES;
    br_status status = create_circle(c);
    if (status == BR_OK) {
        status = create_reduced(c, BR_LIMIT_PUBLISHED);
    }
    return ready(c, status);
}

static void* setup_distributed(void)
{
    slip_case* c = new_case(2.0);
    if (!c) {
        return NULL;
    }
    c->cvode = STRUCTURED;
    br_status status = create_circle(c);
    if (status == BR_OK) {
        status = create_parts(c, BR_METHOD_DISTRIBUTED, GRID);
    }
    return ready(c, status);
}

static void* setup_blocks(void)
{
    slip_case* c = new_case(2.0);
    if (!c) {
        return NULL;
    }
    c->cvode = STRUCTURED;
    br_status status = create_circle(c);
    if (status == BR_OK) {
        status = create_parts(c, BR_METHOD_BLOCKS, 0);
    }
    return ready(c, status);
}

// A soft finger (43), (44): its radius grows with the force, and so does the exponent k = 2 fn.
static void* setup_power(void)
{
    slip_case* c = new_case(2.0);
    if (!c) {
        return NULL;
    }
    c->cvode = STRUCTURED;
    const double edge = 0.02 / GRID;
    br_patch_def def = br_patch_def_default();
    def.radius = (br_by_force){6.0 * edge, 1.0 / 3.0, 10.5 * edge};
    def.pressure = BR_PRESSURE_POWER;
    def.k = (br_by_force){2.0, 1.0, HUGE_VAL};
    br_status status = br_patch_create(&def, &c->patch, NULL);
    if (status == BR_OK) {
        status = create_reduced(c, BR_LIMIT_CURVE);
    }
    return ready(c, status);
}

// A disc with this many cells across, 50 ms: the cost must be proportional to the number of cells.
static void* setup_cells(size_t across)
{
    slip_case* c = new_case(0.05);
    if (!c) {
        return NULL;
    }
    const br_patch_def def = br_patch_def_default();
    br_status status = br_patch_create(&def, &c->patch, NULL);
    if (status == BR_OK) {
        status = create_parts(c, BR_METHOD_DISTRIBUTED, across);
    }
    if (status != BR_OK) {
        destroy_case(c);
        return NULL;
    }
    return c;
}

static void* setup_cells_21(void)
{
    return setup_cells(21);
}

static void* setup_cells_41(void)
{
    return setup_cells(41);
}

static void* setup_cells_81(void)
{
    return setup_cells(81);
}

static void* setup_cells_161(void)
{
    return setup_cells(161);
}

static double run_ours(void* setup, size_t calls)
{
    slip_case* c = setup;
    for (size_t i = 0; i < calls; i++) {
        run_slip(c, BR_INTEGRATOR_ROSENBROCK, c->ours_rtol);
    }
    return c->position[ROWS - 1].y;
}

#ifdef BRISTLE_HAS_CVODE
static double run_cvode(void* setup, size_t calls)
{
    slip_case* c = setup;
    for (size_t i = 0; i < calls; i++) {
        c->cvode(c, c->cvode_rtol);
    }
    return c->position[ROWS - 1].y;
}
#else
#define run_cvode NULL
#endif

const bench_case body_cases[] = {
    BENCH_CASE("sim.slip/reduced", 1, setup_reduced, run_ours, run_cvode, destroy_case),
    BENCH_CASE("sim.slip/blocks", 1, setup_blocks, run_ours, run_cvode, destroy_case),
    BENCH_CASE("sim.slip/distributed", 1, setup_distributed, run_ours, run_cvode, destroy_case),
    BENCH_CASE("sim.slip/power-k2fn", 1, setup_power, run_ours, run_cvode, destroy_case),
    BENCH_CASE("sim.slip/cells-21", 1, setup_cells_21, run_ours, NULL, destroy_case),
    BENCH_CASE("sim.slip/cells-41", 1, setup_cells_41, run_ours, NULL, destroy_case),
    BENCH_CASE("sim.slip/cells-81", 1, setup_cells_81, run_ours, NULL, destroy_case),
    BENCH_CASE("sim.slip/cells-161", 1, setup_cells_161, run_ours, NULL, destroy_case),
};
const size_t body_case_count = sizeof body_cases / sizeof *body_cases;
