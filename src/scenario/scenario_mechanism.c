/*
 * mechanism: a constrained mechanism with friction at its contact point.
 */
#include <string.h>

#include "scenario/kind.h"
#include "scenario/mappings.h"
#include "scenario/read_mechanism.h"

static const char help[] = "mechanism: a constrained mechanism with friction at its contact point\n"
                           "  columns depend on its kind, see there; mode is slide or stick\n";

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
    bri_keys_expect(s->root, &bri_keys_mechanism);
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
                                              .help = FOR_HELP(help),
                                              .blocks = (const char* const[]){"mechanism", NULL},
                                              .keys = &bri_keys_mechanism,
                                              .output = &bri_keys_output,
                                              .picture = PICTURE_BOTH,
                                              .read = read,
                                              .run = run,
                                              .sum_up = sum_up};
