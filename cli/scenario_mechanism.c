/*
 * mechanism: a constrained mechanism with friction at its contact point.
 */
#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "message.h"
#include "plot_mechanism.h"
#include "read_mechanism.h"
#include "scenario.h"

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

static const char* const arm_columns[] = {"t", "theta1", "theta2", "w1", "w2",   "x",
                                          "y", "fn",     "fx",     "fy", "mode", NULL};
static const char* const block_columns[] = {"t",  "x",  "y",  "vx",   "vy",
                                            "fn", "fx", "fy", "mode", NULL};
static const char* const bead_columns[] = {"t",  "x",  "y",  "z",  "vx",   "vy", "vz",
                                           "fn", "fx", "fy", "fz", "mode", NULL};

// As Figs. 5 to 7 of H+.
static const plot_panel arm_panels[] = {{"fn [N]", {{7, "normal force"}}},
                                        {"x [m]", {{5, "end point"}}},
                                        {"fx [N]", {{8, "friction"}}},
                                        {"y [m]", {{6, "end point"}}},
                                        {"fy [N]", {{9, "friction"}}}};
static const plot_panel block_panels[] = {{"position [m]", {{1, "x"}, {2, "y"}}},
                                          {"velocity [m/s]", {{3, "vx"}, {4, "vy"}}},
                                          {"fn [N]", {{5, "normal force"}}},
                                          {"friction [N]", {{6, "fx"}, {7, "fy"}}}};
static const plot_panel bead_panels[] = {{"position [m]", {{1, "x"}, {2, "y"}, {3, "z"}}},
                                         {"velocity [m/s]", {{4, "vx"}, {5, "vy"}, {6, "vz"}}},
                                         {"fn [N]", {{7, "normal force"}}},
                                         {"friction [N]", {{8, "fx"}, {9, "fy"}, {10, "fz"}}}};

// Below this Painleve margin the user is warned [-].
static const double NEAR_LIMIT = 0.1;

// A scenario of this kind, while it runs.
typedef struct running {
    const mechanism_input* in;
    result* got;
} running;

// t, theta1.., w1.., x, y, fn, fx, fy, and f1.. where there is friction in the joints, mode
static void make_chain_columns(scenario* s, const mechanism_input* in)
{
    const size_t n = in->def.mechanism.n, joints = in->def.joints ? n : 0;
    const char** columns = memory_allocate(2 * n + joints + 8, sizeof *columns);
    static const char* const end[] = {"x", "y", "fn", "fx", "fy"};
    size_t count = 0;
    columns[count++] = "t";
    for (size_t i = 0; i < 2 * n; i++) {
        columns[count++] = memory_format("%s%zu", i < n ? "theta" : "w", i % n + 1);
    }
    for (size_t i = 0; i < sizeof end / sizeof *end; i++) {
        columns[count++] = end[i];
    }
    for (size_t i = 0; i < joints; i++) {
        columns[count++] = memory_format("f%zu", i + 1);
    }
    columns[count] = "mode";
    s->columns = columns;
}

// As those of the arm, with the friction of the first joints.
static void make_chain_panels(scenario* s, const mechanism_input* in)
{
    const size_t n = in->def.mechanism.n, x = 2 * n + 1;
    plot_panel* panels = memory_allocate(4, sizeof *panels);
    panels[0] = (plot_panel){"fn [N]", {{x + 2, "normal force"}}};
    panels[1] = (plot_panel){"end point [m]", {{x, "x"}, {x + 1, "y"}}};
    panels[2] = (plot_panel){"friction [N]", {{x + 3, "fx"}, {x + 4, "fy"}}};
    panels[3].label = "joints [N m]";
    for (size_t i = 0; i < n && i < PLOT_CURVES; i++) {
        panels[3].curves[i] = (plot_curve){x + 5 + i, memory_format("friction %zu", i + 1)};
    }
    s->panels = panels;
    s->panel_count = in->def.joints ? 4 : 3;
}

static void choose_columns(scenario* s, const mechanism_input* in)
{
    if (strcmp(in->kind, "chain") == 0) {
        make_chain_columns(s, in);
        make_chain_panels(s, in);
    } else if (strcmp(in->kind, "two-link") == 0) {
        s->columns = arm_columns;
        s->panels = arm_panels;
        s->panel_count = sizeof arm_panels / sizeof *arm_panels;
    } else if (strcmp(in->kind, "bead") == 0) {
        s->columns = bead_columns;
        s->panels = bead_panels;
        s->panel_count = sizeof bead_panels / sizeof *bead_panels;
    } else {
        s->columns = block_columns;
        s->panels = block_panels;
        s->panel_count = sizeof block_panels / sizeof *block_panels;
    }
    s->words = table_words_at_end(s->columns, modes);
}

static void read(scenario* s)
{
    static const char* const keys[] = {"mechanism", "normal", "duration", "integrator",
                                       "output",    "plot",   NULL};
    node_expect_keys(s->root, keys);
    mechanism_input* in = read_mechanism(s->root);
    s->data = in;
    s->detail = memory_format("%s, %s, %s normal force", in->kind,
                              in->def.law.kind == BR_LAW_STICTION ? "coulomb"
                                                                  : br_law_name(in->def.law.kind),
                              in->def.normal == BR_NORMAL_PAPER ? "paper's" : "geometric");
    choose_columns(s, in);
    s->run.rtol = 1e-11; // what br_mechanism_run() takes of itself
    s->run.atol = 1e-12;
    scenario_read_run(s, NULL);
}

static size_t put(double* row, size_t at, const double* values, size_t count)
{
    memcpy(row + at, values, count * sizeof *row);
    return at + count;
}

// t, q, qd, the contact point where it is not q itself, fn, friction, mode
static void on_row(const br_mechanism_row* row, void* user)
{
    result* got = user;
    const running* r = got->data;
    const br_mechanism* m = &r->in->def.mechanism;
    double values[3 * BR_CHAIN_MOST + 8] = {row->t};
    size_t count = put(values, 1, row->q, m->n);
    count = put(values, count, row->qd, m->n);
    if (strcmp(r->in->kind, "two-link") == 0 || strcmp(r->in->kind, "chain") == 0) {
        count = put(values, count, row->point, m->d);
    }
    values[count++] = row->fn;
    count = put(values, count, row->friction, m->d);
    count = row->joints ? put(values, count, row->joints, m->n) : count;
    values[count] = row->sticks;
    table_append(&got->rows, values);
}

static br_status run(const scenario* s, result* got, br_reason* why)
{
    const mechanism_input* in = s->data;
    running now = {in, got};
    br_mechanism_report* report = memory_allocate(1, sizeof *report);
    br_run_watch watch = result_watch(got);
    watch.row.mechanism = on_row;
    got->data = &now;
    const br_status status = br_mechanism_run(&in->def, &s->run, &watch, report, why);
    got->cost = report->cost;
    got->data = report;
    if (status == BR_OK && in->def.normal == BR_NORMAL_GEOMETRIC && report->margin < NEAR_LIMIT) {
        message_warn("%snear the Painleve limit, where friction jams the contact: its margin "
                     "1 - mu |W_np|/W_nn falls to %.3g",
                     node_place(node_find(s->root, "mechanism")), report->margin);
    }
    if (status == BR_OK) {
        scenario_judge_energy(s, report->residual, report->turnover);
    }
    return status;
}

static void draw(const scenario* s, const result* got, output* to)
{
    if (s->picture.kind == PICTURE_TIME) {
        scenario_draw_panels(s, got, NULL, to);
    } else {
        plot_mechanism_draw(s, got, to);
    }
}

static void add_json(const scenario* s, const result* got, json* out)
{
    (void)s;
    const br_mechanism_report* report = got->data;
    json_begin(out, "energy", '{');
    json_number(out, "kinetic", report->kinetic);
    json_number(out, "potential", report->potential);
    json_number(out, "work_applied", report->work_applied);
    json_number(out, "work_friction", report->work_friction);
    json_number(out, "residual", report->residual);
    json_end(out, '}');
    json_number(out, "constraint_drift", report->drift);
    json_number(out, "painleve_margin", report->margin);
}

static void add_text(const scenario* s, const result* got, FILE* to)
{
    (void)s;
    const br_mechanism_report* report = got->data;
    fprintf(to,
            "%zu events; constraint drift %.2g m, energy residual %.2g J, Painleve margin %.3g\n",
            got->event_count, report->drift, report->residual, report->margin);
}

const scenario_kind scenario_mechanism = {.name = "mechanism",
                                          .help = help,
                                          .blocks = (const char* const[]){"mechanism", NULL},
                                          .read = read,
                                          .run = run,
                                          .picture = PICTURE_BOTH,
                                          .draw = draw,
                                          .animate = plot_mechanism_animate,
                                          .add_json = add_json,
                                          .add_text = add_text};
