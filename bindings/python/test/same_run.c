/*
 * The oracle of test_same.py: a body, a mechanism and a scenario in time.
 */
#include <math.h>

#include "bristle/scenario.h"
#include "bristle/sim.h"
#include "same.h"

// Columns of the current run.
static const br_column* run_columns;
static size_t run_column_count;

static void start(const br_column* list, size_t count, void* user)
{
    (void)user;
    run_columns = list;
    run_column_count = count;
}

// The numbers of some columns, by name.
static void show_row(const double* row, const char* const* names)
{
    for (; *names; names++) {
        numbers(&row[br_column_find(run_columns, run_column_count, *names)], 1);
    }
}

static void body_row(const double* row, void* user)
{
    (void)user;
    static const char* const names[] = {"t",  "x",  "y",   "theta", "vx",         "vy", "w",
                                        "fx", "fy", "tau", "load",  "dissipated", NULL};
    show_row(row, names);
}

// A cup between two fingers that slips and turns.
static void show_body(void)
{
    const br_patch_def shape = br_patch_def_default();
    br_patch* patch = make_patch(&shape);
    br_contact* contact = make_contact(BR_METHOD_BLOCKS, patch);
    const br_body_contact finger = {.frame = BR_FRAME_WORLD,
                                    .contact = contact,
                                    .normal_force = br_profile_constant(0.8),
                                    .count = 2};
    br_body body = br_body_default();
    body.mass = 0.2;
    body.inertia = 5e-4;
    body.pose = (br_pose){0.002, 0.0, 0.0};
    body.gravity_change[0] = br_profile_constant(0.0);
    body.gravity_change[1] = br_profile_constant(-9.81);
    body.contacts = &finger;
    body.contact_count = 1;
    br_run_def run = br_run_def_default();
    run.duration = 0.1;
    run.every = 0.01;
    const br_run_watch watch = {.size = sizeof(br_run_watch), .start = start, .row = body_row};
    name("body", "rows");
    if (br_body_run(&body, &run, &watch, NULL, NULL) != BR_OK) {
        exit(1);
    }
    printf("\n");
    br_contact_destroy(contact);
    br_patch_destroy(patch);
}

// A bead on the wire y = x^2, of 1 kg.
static void dynamics(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    (void)user;
    out->M[0] = out->M[3] = 1.0;
    out->M[1] = out->M[2] = 0.0;
    out->Q[0] = 0.0;
    out->Q[1] = -9.81;
    out->potential = 9.81 * at->q[1];
    out->power = 0.0;
}

static void constraint(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    (void)user;
    out->A[0] = -2.0 * at->q[0];
    out->A[1] = 1.0;
    out->b[0] = 2.0 * at->qd[0] * at->qd[0];
    out->gap[0] = at->q[1] - at->q[0] * at->q[0];
}

static void touch(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    (void)user;
    const double x = at->q[0], slope = 2.0 * x, size = sqrt(1.0 + slope * slope);
    out->point[0] = x;
    out->point[1] = at->q[1];
    out->J[0] = out->J[3] = 1.0;
    out->J[1] = out->J[2] = 0.0;
    out->bias[0] = out->bias[1] = 0.0;
    out->normal[0] = -slope / size;
    out->normal[1] = 1.0 / size;
}

static void mechanism_row(const double* row, void* user)
{
    (void)user;
    static const char* const names[] = {"t", "q1", "q2", "qd1", "qd2", "fn", "work_friction", NULL};
    show_row(row, names);
}

static void show_mechanism(void)
{
    const double q[2] = {0.5, 0.25}, qd[2] = {0.0, 0.0};
    br_mechanism_def def = br_mechanism_def_default();
    def.mechanism = (br_mechanism){.n = 2,
                                   .m = 1,
                                   .d = 2,
                                   .normals = 1,
                                   .dynamics = dynamics,
                                   .constraint = constraint,
                                   .contact = touch};
    def.law = br_law_default(BR_LAW_COULOMB);
    def.q = q;
    def.qd = qd;
    br_run_def run = br_run_def_default();
    run.duration = 0.5;
    run.every = 0.05;
    const br_run_watch watch = {.size = sizeof(br_run_watch), .start = start, .row = mechanism_row};
    name("mechanism", "rows");
    br_mechanism_report report;
    if (br_mechanism_run(&def, &run, &watch, &report, NULL) != BR_OK) {
        exit(1);
    }
    printf("\n");
}

static void show_scenario(void)
{
    static const char text[] =
        "body: {mass: 1, inertia: 0.01, velocity: [1, 0, 3]}\n"
        "friction: {mu: 0.3}\n"
        "contact: {frame: body, patch: {shape: disc, radius: 0.05}, normal_force: 9.81}\n"
        "duration: 0.4\n"
        "output: {every: 0.05, energy: true}\n";
    br_scenario* scenario;
    br_table* table;
    if (br_scenario_read_text(text, "same", NULL, &scenario) != BR_OK ||
        br_scenario_run(scenario, NULL, &table, NULL) != BR_OK) {
        exit(1);
    }
    size_t columns;
    br_table_get_columns(table, &columns);
    name("scenario", "rows");
    line(br_table_get_rows(table), columns * br_table_get_row_count(table));
    br_table_destroy(table);
    br_scenario_destroy(scenario);
}

void show_runs(void)
{
    show_body();
    show_mechanism();
    show_scenario();
}
