/*
 * slider: a body with its equivalent contact point (ECP) slides, sticks, topples, is pushed.
 */
#include <math.h>

#include "memory.h"
#include "message.h"
#include "plot_slider.h"
#include "read_slider.h"
#include "scenario.h"
#include "slider_defs.h"

static const char* const columns[] = {"t",  "x",  "y",     "theta", "vx", "vy",   "w", "pt",
                                      "po", "pr", "sigma", "ax",    "ay", "mode", NULL};

enum { MODE_SLIDE, MODE_STICK, MODE_TOPPLE };
static const char* const modes[] = {"slide", "stick", "topple", NULL};

static const char help[] =
    "slider: a body with its equivalent contact point (Xie & Chakraborty)\n"
    "  columns t,x,y,theta,vx,vy,w,pt,po,pr,sigma,ax,ay,mode: pose and velocity of the centre of mass\n"
    "  (CoM), friction impulses of the step [N s, N m s], slip speed, contact point [m]; mode is\n"
    "  slide|stick|topple. quasistatic: pt,po,pr are friction over mu N [-, -, m]\n"
    "  model: quadratic|ncp|quasistatic|translation|supports (quadratic), step [s], duration [s];\n"
    "         supports: not the contact point but the patch itself, in cells or as its support points,\n"
    "         each with its own normal force and friction\n"
    "  slider: {mass [kg], inertia [kg m^2], height (0) [m] of the CoM, mu, gravity (9.81) [m/s^2],\n"
    "           e: [e_t, e_o, e_r] (from the patch) [-, -, m], pose, velocity ([0, 0, 0]),\n"
    "           patch: as for bristle surface, outline: likewise (the patch),\n"
    "           topple: stop|ignore (stop), surface: ellipsoid|exact (ellipsoid) for quasistatic}\n"
    "  push: {point [m], direction, magnitude: PROFILE [N], height [m]}     body frame; not for\n"
    "                         quasistatic, which has\n"
    "  pusher: {point [m], velocity [m/s]}   sticks; world frame, or\n"
    "          {path: p.csv, radius (0) [m], mu}    columns t,x,y of the tip's centre, which begins\n"
    "                                               outside the slider\n"
    "  plot: {kind (both), instants (by the way), ...}\n";

static const plot_panel panels[] = {{"v [m/s]", {{4, "vx"}, {5, "vy"}}}, {"w [rad/s]", {{6, "w"}}}};

static void read(scenario* s)
{
    slider_input* in = memory_allocate(1, sizeof *in);
    *in = read_slider(s->root);
    const node* model = node_find(s->root, "model");
    s->data = in;
    s->detail = model ? model->text : "quadratic";
    s->columns = columns;
    s->words = table_words_at_end(columns, modes);
    s->panels = panels;
    s->panel_count = sizeof panels / sizeof *panels;
    s->run = slider_run(in);
    scenario_check_holds(s->root, in->duration);
    s->rows = in->rows;
}

// Where and when a slider toppled.
static void warn_topple(const br_sliding_report* told)
{
    message_warn(
        "t = %.6g s: the slider topples: the equivalent contact point leaves the patch over the "
        "edge from (%.4g, %.4g) to (%.4g, %.4g) m, body frame",
        told->topple_t, told->edge[0].x, told->edge[0].y, told->edge[1].x, told->edge[1].y);
}

static void on_row(const br_sliding_row* row, void* user)
{
    result* got = user;
    const br_slider_state* at = &row->at;
    const br_slider_value* value = &row->value;
    const int mode = row->topples                     ? MODE_TOPPLE
                     : value->mode == BR_SLIDER_STICK ? MODE_STICK
                                                      : MODE_SLIDE;
    const double values[] = {row->t,       at->q.x,      at->q.y,      at->q.theta, at->v.vx,
                             at->v.vy,     at->v.w,      value->pt,    value->po,   value->pr,
                             value->sigma, value->ecp.x, value->ecp.y, mode};
    table_append(&got->rows, values);
}

static br_status run_dynamic(const scenario* s, result* got, br_reason* why)
{
    const slider_input* in = s->data;
    br_run_watch watch = result_watch(got);
    watch.row.sliding = on_row;
    br_sliding_report* report = memory_allocate(1, sizeof *report);
    const br_sliding sliding = slider_sliding(in);
    const br_status status = br_sliding_run(&sliding, &s->run, &watch, report, why);
    got->cost.steps = report->steps;
    got->cost.evaluations = report->iterations;
    if (!isnan(report->topple_t)) {
        got->data = report;
        warn_topple(report);
    }
    return status;
}

// Friction over mu N stands where a dynamic slider has impulses.
static void on_pushed_row(const br_pushed_row* row, void* user)
{
    result* got = user;
    const br_slider_state* at = &row->at;
    const bool moves = at->v.vx != 0 || at->v.vy != 0 || at->v.w != 0;
    const double values[] = {row->t,           at->q.x,
                             at->q.y,          at->q.theta,
                             at->v.vx,         at->v.vy,
                             at->v.w,          row->friction.fx,
                             row->friction.fy, row->friction.tau,
                             row->sigma,       row->centre.x,
                             row->centre.y,    moves ? MODE_SLIDE : MODE_STICK};
    table_append(&got->rows, values);
}

static br_status run(const scenario* s, result* got, br_reason* why)
{
    const slider_input* in = s->data;
    if (in->model != SLIDER_QUASISTATIC) {
        return run_dynamic(s, got, why);
    }
    br_run_watch watch = result_watch(got);
    watch.row.pushed = on_pushed_row;
    const br_pushed pushed = slider_pushed(in);
    return br_pushed_run(&pushed, &s->run, &watch, &got->cost.steps, why);
}

static void draw(const scenario* s, const result* got, output* to)
{
    if (s->picture.kind == PICTURE_TIME) {
        scenario_draw_panels(s, got, NULL, to);
    } else {
        plot_slider_draw(s, got, to);
    }
}

static void add_json(const scenario* s, const result* got, json* out)
{
    (void)s;
    const br_sliding_report* told = got->data;
    if (!told) {
        return;
    }
    json_begin(out, "topple", '{');
    json_number(out, "t", told->topple_t);
    json_begin(out, "edge", '[');
    for (int i = 0; i < 2; i++) {
        json_begin(out, NULL, '[');
        json_number(out, NULL, told->edge[i].x);
        json_number(out, NULL, told->edge[i].y);
        json_end(out, ']');
    }
    json_end(out, ']');
    json_end(out, '}');
}

const scenario_kind scenario_slider = {.name = "slider",
                                       .help = help,
                                       .blocks = (const char* const[]){"slider", NULL},
                                       .read = read,
                                       .run = run,
                                       .picture = PICTURE_BOTH,
                                       .magnifies = true,
                                       .draw = draw,
                                       .animate = plot_slider_animate,
                                       .add_json = add_json};
