/*
 * slider: a body with its equivalent contact point (ECP) slides, sticks, topples, is pushed.
 */
#include <math.h>

#include "scenario/kind.h"
#include "scenario/mappings.h"
#include "scenario/slider_defs.h"

enum { MODE_SLIDE, MODE_STICK, MODE_TOPPLE };
static const char* const modes[] = {"slide", "stick", "topple", NULL};

static const br_column dynamic_columns[] = {
    {"t", "s", NULL},    {"x", "m", NULL},      {"y", "m", NULL},       {"theta", "rad", NULL},
    {"vx", "m/s", NULL}, {"vy", "m/s", NULL},   {"w", "rad/s", NULL},   {"pt", "N s", NULL},
    {"po", "N s", NULL}, {"pr", "N m s", NULL}, {"sigma", "m/s", NULL}, {"ax", "m", NULL},
    {"ay", "m", NULL},   {"mode", "-", modes}};
// friction over mu N stands where a dynamic slider has impulses
static const br_column pushed_columns[] = {
    {"t", "s", NULL},    {"x", "m", NULL},    {"y", "m", NULL},       {"theta", "rad", NULL},
    {"vx", "m/s", NULL}, {"vy", "m/s", NULL}, {"w", "rad/s", NULL},   {"pt", "-", NULL},
    {"po", "-", NULL},   {"pr", "m", NULL},   {"sigma", "m/s", NULL}, {"ax", "m", NULL},
    {"ay", "m", NULL},   {"mode", "-", modes}};

static const char help[] =
    "slider: a body with its equivalent contact point (Xie & Chakraborty)\n"
    "  columns t,x,y,theta,vx,vy,w,pt,po,pr,sigma,ax,ay,mode: pose and velocity of the centre of mass\n"
    "  (CoM), friction impulses of the step [N s, N m s], slip speed, contact point [m]; mode is\n"
    "  slide|stick|topple. quasistatic: pt,po,pr are friction over mu N [-, -, m]\n";

static void read(br_scenario* s)
{
    slider_input* in = bri_scenario_allocate(s, 1, sizeof *in);
    *in = bri_read_slider(s->root);
    const node* model = bri_node_find(s->root, "model");
    s->data = in;
    s->detail = model ? model->text : "quadratic";
    if (in->model == SLIDER_QUASISTATIC) {
        SET_COLUMNS(s, pushed_columns);
    } else {
        SET_COLUMNS(s, dynamic_columns);
    }
    if (s->in.problems == 0) {
        s->run = bri_slider_run(in);
        s->rows = in->rows;
        bri_scenario_check_holds(s->root, in->duration);
    }
}

static void on_row(const br_sliding_row* row, void* user)
{
    const br_slider_state* at = &row->at;
    const br_slider_value* value = &row->value;
    const int mode = row->topples                     ? MODE_TOPPLE
                     : value->mode == BR_SLIDER_STICK ? MODE_STICK
                                                      : MODE_SLIDE;
    const double values[] = {row->t,       at->q.x,      at->q.y,      at->q.theta, at->v.vx,
                             at->v.vy,     at->v.w,      value->pt,    value->po,   value->pr,
                             value->sigma, value->ecp.x, value->ecp.y, mode};
    bri_table_add_row(user, values);
}

// Where and when a slider toppled.
static void warn_topple(br_table* got, const br_sliding_report* told)
{
    bri_table_warn(
        got,
        "t = %.6g s: the slider topples: the equivalent contact point leaves the patch over the "
        "edge from (%.4g, %.4g) to (%.4g, %.4g) m, body frame",
        told->topple_t, told->edge[0].x, told->edge[0].y, told->edge[1].x, told->edge[1].y);
}

static br_status run_dynamic(const br_scenario* s, br_table* got, br_reason* why)
{
    br_run_watch watch = bri_table_watch(got);
    watch.row.sliding = on_row;
    br_sliding_report* report = bri_pool_allocate(&got->memory, 1, sizeof *report);
    const br_sliding sliding = bri_slider_sliding(s->data);
    const br_status status = br_sliding_run(&sliding, &s->run, &watch, report, why);
    got->cost.steps = report->steps;
    got->cost.evaluations = report->iterations;
    if (!isnan(report->topple_t)) {
        got->data = report;
        warn_topple(got, report);
    }
    return status;
}

static void on_pushed_row(const br_pushed_row* row, void* user)
{
    const br_slider_state* at = &row->at;
    const bool moves = at->v.vx != 0 || at->v.vy != 0 || at->v.w != 0;
    const double values[] = {row->t,           at->q.x,
                             at->q.y,          at->q.theta,
                             at->v.vx,         at->v.vy,
                             at->v.w,          row->friction.fx,
                             row->friction.fy, row->friction.tau,
                             row->sigma,       row->centre.x,
                             row->centre.y,    moves ? MODE_SLIDE : MODE_STICK};
    bri_table_add_row(user, values);
}

static br_status run(const br_scenario* s, br_table* got, br_reason* why)
{
    const slider_input* in = s->data;
    if (in->model != SLIDER_QUASISTATIC) {
        return run_dynamic(s, got, why);
    }
    br_run_watch watch = bri_table_watch(got);
    watch.row.pushed = on_pushed_row;
    const br_pushed pushed = bri_slider_pushed(in);
    return br_pushed_run(&pushed, &s->run, &watch, &got->cost.steps, why);
}

static void sum_up(const br_scenario* s, br_table* got)
{
    (void)s;
    const br_sliding_report* told = got->data;
    if (!told) {
        return;
    }
    bri_table_sum(got, told->topple_t, "topple.t");
    for (int i = 0; i < 2; i++) {
        bri_table_sum(got, told->edge[i].x, "topple.edge[%d][0]", i);
        bri_table_sum(got, told->edge[i].y, "topple.edge[%d][1]", i);
    }
}

const scenario_kind bri_scenario_slider = {.name = "slider",
                                           .help = FOR_HELP(help),
                                           .blocks = (const char* const[]){"slider", NULL},
                                           .keys = &bri_keys_slider,
                                           .also = &bri_keys_slider_pushed,
                                           .output = &bri_keys_output,
                                           .picture = PICTURE_BOTH,
                                           .magnifies = true,
                                           .read = read,
                                           .run = run,
                                           .sum_up = sum_up};
