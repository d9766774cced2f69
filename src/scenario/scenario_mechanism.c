/*
 * mechanism: a constrained mechanism with friction at its contact point.
 */
#include <string.h>

#include "scenario/kind.h"
#include "scenario/read_mechanism.h"

static const char help[] =
    "mechanism: a constrained mechanism with friction at its contact point\n"
    "  mechanism: {kind: two-link, masses [kg], lengths [m], gravity (9.81), torque: [PROFILE,\n"
    "              PROFILE] (0) [N m], path: {kind: parabola, beta [1/m], gamma (0) [m]},\n"
    "              start: {x [m], y (on the path), elbow: down|up} or {theta: [..]}}\n"
    "    columns t,theta1,theta2,w1,w2,x,y,fn,fx,fy,mode: joints, end point, friction on it\n"
    "  mechanism: {kind: block, mass [kg], gravity, angle (0) [rad], force: PROFILE (0) [N] along\n"
    "              the slope, start: {x (0), y, v (0)}}; kind: incline is the same\n"
    "    columns t,x,y,vx,vy,fn,fx,fy,mode\n"
    "  mechanism: {kind: bead, mass [kg], gravity, force: PROFILE (0) [N] along the wire,\n"
    "              path: {kind: parabola, beta, gamma} with start: {x, v}, or\n"
    "                    {kind: helix, radius [m], pitch [m]} with start: {angle [rad], v}}\n"
    "    columns t,x,y,z,vx,vy,vz,fn,fx,fy,fz,mode; y is up; fn is the size of the normal force\n"
    "  mechanism: {kind: chain, masses, lengths of 2 to 8 links, gravity, torque: [PROFILE, ...] (0),\n"
    "              path: {kind: parabola, beta, gamma}, {kind: polynomial, coefficients: [c0, c1, ...]}\n"
    "                    or {kind: table, points: [[x, y], ...] or file: p.csv}, a smooth curve,\n"
    "              joints: {torque (0) [N m], torque_s (torque), viscous (0) [N m s], sigma0 (1e3 torque)\n"
    "                       [N m/rad], sigma1 (0.01 sigma0), w_s (0.01) [rad/s], s_ba} for all, or a\n"
    "                       list of such: friction in the joints, elasto-plastic,\n"
    "              start: {theta: [..], w: [..] (0)}}, with project: true onto the path\n"
    "    columns t,theta1,...,w1,...,x,y,fn,fx,fy,mode; with joints the friction torques f1,... before mode\n"
    "  each with mu, mu_s (mu), law: coulomb|dahl|lugre|elasto-plastic (coulomb) and its sigma0,\n"
    "    sigma1, sigma2, v_s (1e-3), gamma (2), alpha (1), s_ba (0.9); dahl: vector|per-axis|printed;\n"
    "    project: true to move a start onto the constraint; stabilisation (20) [1/s]\n"
    "  normal: geometric|paper  the normal force with friction's effect on it, or without (H+ 19)\n"
    "  integrator: rtol (1e-11), atol (1e-12) by default; mode is slide or stick\n"
    "  plot: {kind (both), instants (6)}\n";

static const char* const modes[] = {"slide", "stick", NULL};

static const br_column arm_columns[] = {
    {"t", "s", NULL},      {"theta1", "rad", NULL}, {"theta2", "rad", NULL}, {"w1", "rad/s", NULL},
    {"w2", "rad/s", NULL}, {"x", "m", NULL},        {"y", "m", NULL},        {"fn", "N", NULL},
    {"fx", "N", NULL},     {"fy", "N", NULL},       {"mode", "-", modes}};
static const br_column block_columns[] = {
    {"t", "s", NULL},    {"x", "m", NULL},    {"y", "m", NULL},
    {"vx", "m/s", NULL}, {"vy", "m/s", NULL}, {"fn", "N", NULL},
    {"fx", "N", NULL},   {"fy", "N", NULL},   {"mode", "-", modes}};
static const br_column bead_columns[] = {
    {"t", "s", NULL},    {"x", "m", NULL},    {"y", "m", NULL},    {"z", "m", NULL},
    {"vx", "m/s", NULL}, {"vy", "m/s", NULL}, {"vz", "m/s", NULL}, {"fn", "N", NULL},
    {"fx", "N", NULL},   {"fy", "N", NULL},   {"fz", "N", NULL},   {"mode", "-", modes}};

// Below this Painleve margin the user is warned [-].
static const double NEAR_LIMIT = 0.1;

// A scenario of this kind, while it runs; the report is what remains.
typedef struct running {
    br_mechanism_report report; // first: pictures and sums take it for `data`
    const mechanism_input* in;
} running;

// t, theta1.., w1.., x, y, fn, fx, fy, and f1.. where there is friction in the joints, mode
static void make_chain_columns(br_scenario* s, const mechanism_input* in)
{
    static const br_column end[] = {{"x", "m", NULL},
                                    {"y", "m", NULL},
                                    {"fn", "N", NULL},
                                    {"fx", "N", NULL},
                                    {"fy", "N", NULL}};
    enum { END = sizeof end / sizeof *end };
    const size_t n = in->def.mechanism.n, joints = in->def.joints ? n : 0;
    br_column* columns = bri_scenario_allocate(s, 2 * n + joints + END + 2, sizeof *columns);
    size_t count = 0;
    columns[count++] = (br_column){"t", "s", NULL};
    for (size_t i = 0; i < n; i++) {
        columns[count++] = (br_column){bri_format(&s->in, "theta%zu", i + 1), "rad", NULL};
    }
    for (size_t i = 0; i < n; i++) {
        columns[count++] = (br_column){bri_format(&s->in, "w%zu", i + 1), "rad/s", NULL};
    }
    memcpy(columns + count, end, sizeof end);
    count += END;
    for (size_t i = 0; i < joints; i++) {
        columns[count++] = (br_column){bri_format(&s->in, "f%zu", i + 1), "N m", NULL};
    }
    columns[count++] = (br_column){"mode", "-", modes};
    s->columns = columns;
    s->column_count = count;
}

static void choose_columns(br_scenario* s, const mechanism_input* in)
{
    if (strcmp(in->kind, "chain") == 0) {
        make_chain_columns(s, in);
    } else if (strcmp(in->kind, "two-link") == 0) {
        SET_COLUMNS(s, arm_columns);
    } else if (strcmp(in->kind, "bead") == 0) {
        SET_COLUMNS(s, bead_columns);
    } else {
        SET_COLUMNS(s, block_columns);
    }
}

static void read(br_scenario* s)
{
    static const char* const keys[] = {"mechanism", "normal", "duration", "integrator",
                                       "output",    "plot",   NULL};
    bri_node_expect_keys(s->root, keys);
    mechanism_input* in = bri_read_mechanism(s->root);
    s->data = in;
    s->detail =
        bri_format(&s->in, "%s, %s, %s normal force", in->kind,
                   in->def.law.kind == BR_LAW_STICTION ? "coulomb" : br_law_name(in->def.law.kind),
                   in->def.normal == BR_NORMAL_PAPER ? "paper's" : "geometric");
    choose_columns(s, in);
    s->run.rtol = 1e-11; // what br_mechanism_run() takes of itself
    s->run.atol = 1e-12;
    bri_scenario_read_run(s, NULL);
}

static size_t put(double* row, size_t at, const double* values, size_t count)
{
    memcpy(row + at, values, count * sizeof *row);
    return at + count;
}

// t, q, qd, the contact point where it is not q itself, fn, friction, mode
static void on_row(const br_mechanism_row* row, void* user)
{
    br_table* got = user;
    const mechanism_input* in = ((const running*)got->data)->in;
    const br_mechanism* m = &in->def.mechanism;
    double values[3 * BR_CHAIN_MOST + 8] = {row->t};
    size_t count = put(values, 1, row->q, m->n);
    count = put(values, count, row->qd, m->n);
    if (strcmp(in->kind, "two-link") == 0 || strcmp(in->kind, "chain") == 0) {
        count = put(values, count, row->point, m->d);
    }
    values[count++] = row->fn;
    count = put(values, count, row->friction, m->d);
    count = row->joints ? put(values, count, row->joints, m->n) : count;
    values[count] = row->sticks;
    bri_table_add_row(got, values);
}

static br_status run(const br_scenario* s, br_table* got, br_reason* why)
{
    const mechanism_input* in = s->data;
    running* now = bri_pool_allocate(&got->memory, 1, sizeof *now);
    now->in = in;
    got->data = now;
    br_run_watch watch = bri_table_watch(got);
    watch.row.mechanism = on_row;
    br_mechanism_report* report = &now->report;
    const br_status status = br_mechanism_run(&in->def, &s->run, &watch, report, why);
    got->cost = report->cost;
    if (status == BR_OK && in->def.normal == BR_NORMAL_GEOMETRIC && report->margin < NEAR_LIMIT) {
        bri_table_warn(got,
                       "%snear the Painleve limit, where friction jams the contact: its margin "
                       "1 - mu |W_np|/W_nn falls to %.3g",
                       bri_scenario_place(got, bri_node_find(s->root, "mechanism")),
                       report->margin);
    }
    if (status == BR_OK) {
        bri_scenario_judge_energy(s, got, report->residual, report->turnover);
    }
    return status;
}

static void sum_up(const br_scenario* s, br_table* got)
{
    (void)s;
    const br_mechanism_report* report = &((const running*)got->data)->report;
    bri_table_sum(got, report->kinetic, "energy.kinetic");
    bri_table_sum(got, report->potential, "energy.potential");
    bri_table_sum(got, report->work_applied, "energy.work_applied");
    bri_table_sum(got, report->work_friction, "energy.work_friction");
    bri_table_sum(got, report->residual, "energy.residual");
    bri_table_sum(got, report->drift, "constraint_drift");
    bri_table_sum(got, report->margin, "painleve_margin");
    bri_table_say(got,
                  "%zu events; constraint drift %.2g m, energy residual %.2g J, Painleve margin "
                  "%.3g\n",
                  got->event_count, report->drift, report->residual, report->margin);
}

const scenario_kind bri_scenario_mechanism = {.name = "mechanism",
                                              .help = help,
                                              .blocks = (const char* const[]){"mechanism", NULL},
                                              .picture = PICTURE_BOTH,
                                              .read = read,
                                              .run = run,
                                              .sum_up = sum_up};
