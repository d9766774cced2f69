/*
 * slider: a body with its equivalent contact point (ECP) slides, sticks, topples, is pushed.
 */
#include <math.h>

#include "bristle/papers.h"

#include "memory.h"
#include "message.h"
#include "plot_slider.h"
#include "read_slider.h"
#include "scenario.h"
#include "slider_tip.h"

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
    s->run.duration = in->duration;
    scenario_check_holds(s->root, in->duration);
    s->rows = in->rows;
}

// What a run knows besides its rows.
typedef struct running {
    const slider_input* in;
    result* got;
    int mode; // of the last step
    br_push_mode tip;
    bool toppled;
} running;

static void add_row(running* r, size_t step, const br_slider_state* at,
                    const br_slider_value* value, int mode)
{
    const double t = (double)step * r->in->step;
    const double row[] = {
        t,         at->q.x,   at->q.y,   at->q.theta,  at->v.vx,     at->v.vy,     at->v.w,
        value->pt, value->po, value->pr, value->sigma, value->ecp.x, value->ecp.y, mode};
    table_append(&r->got->rows, row);
}

// Where and when a slider toppled: an edge of the patch, body frame; a round one's nearest point twice.
typedef struct toppling {
    double t;
    br_vec2 edge[2];
} toppling;

static void tell_topple(const running* r, double t, const br_outline_place* place)
{
    size_t count;
    const br_vec2* corners = br_outline_get_vertices(r->in->hull, &count);
    toppling* told = memory_allocate(1, sizeof *told);
    *told = (toppling){t, {place->nearest, place->nearest}};
    if (count > 1) {
        told->edge[0] = corners[place->edge];
        told->edge[1] = corners[(place->edge + 1) % count];
    }
    r->got->data = told;
    message_warn(
        "t = %.6g s: the slider topples: the equivalent contact point leaves the patch over the "
        "edge from (%.4g, %.4g) to (%.4g, %.4g) m, body frame",
        t, told->edge[0].x, told->edge[0].y, told->edge[1].x, told->edge[1].y);
    result_add_event(r->got, (result_event){t, 0, "topple"});
}

// Is the ECP outside the patch? Told once.
static bool topples(running* r, double t, const br_slider_state* at, br_vec2 ecp)
{
    if (!r->in->hull) {
        return false;
    }
    const br_vec2 shift = {ecp.x - at->q.x, ecp.y - at->q.y};
    const br_outline_place place =
        br_outline_eval(r->in->hull, br_vec2_rotate(shift, -at->q.theta));
    if (!(place.distance > 1e-12)) {
        return false;
    }
    if (!r->toppled) {
        r->toppled = true;
        tell_topple(r, t, &place);
    }
    return true;
}

static void tell_mode(running* r, double t, int mode)
{
    if (mode != r->mode) {
        result_add_event(r->got, (result_event){t, 0, mode == MODE_STICK ? "stick" : "slip"});
        r->mode = mode;
    }
}

// The push over a step: its value and the slider's orientation at the step's start.
static br_slider_load load_at(const slider_input* in, double t, double theta)
{
    br_slider_load load = {{0, 0, 0}, in->lift};
    if (in->has_push) {
        // at a jump the value after it, in spite of rounding in t
        const double force = br_profile_eval(&in->magnitude, t, t + 1e-9 * in->step, NULL);
        const br_vec2 f = br_vec2_rotate(br_vec2_scale(force, in->direction), theta);
        load.f = (br_wrench){f.x, f.y, force * br_vec2_cross(in->point, in->direction)};
    }
    return load;
}

static br_status make_step(const slider_input* in, br_slider_state* at, const br_slider_load* load,
                           br_slider_value* value)
{
    switch (in->model) {
    case SLIDER_NCP:
        return br_slider_ncp_step(&in->slider, at, load, in->step, value);
    case SLIDER_TRANSLATION:
        *value = br_slider_translation_step(&in->slider, at, load, in->step);
        return BR_OK;
    case SLIDER_SUPPORTS:
        return br_slider_supports_step(&in->slider, in->supports, in->support_count, at, load,
                                       in->step, in->support_forces, value);
    default:
        *value = br_slider_step(&in->slider, at, load, in->step);
        return BR_OK;
    }
}

// Forces and speeds beyond the range of numbers end a run.
static bool is_finite(const br_slider_state* at, const br_slider_value* value)
{
    return isfinite(at->q.x) && isfinite(at->q.y) && isfinite(at->q.theta) && isfinite(at->v.vx) &&
           isfinite(at->v.vy) && isfinite(at->v.w) && isfinite(value->pt) && isfinite(value->po) &&
           isfinite(value->pr) && isfinite(value->sigma) && isfinite(value->ecp.x) &&
           isfinite(value->ecp.y);
}

static br_status refuse_infinite(double t, br_reason* why)
{
    br_reason_set(why, "", "t = %g s: the motion has left the range of numbers (overflow)", t);
    return BR_ERR_CONVERGENCE;
}

static bool is_moving(br_twist v)
{
    return v.vx != 0 || v.vy != 0 || v.w != 0;
}

static br_status run_dynamic(running* r, br_reason* why)
{
    const slider_input* in = r->in;
    br_slider_state at = in->start;
    br_slider_value value = {.ecp = {at.q.x, at.q.y}};
    r->mode = is_moving(at.v) ? MODE_SLIDE : MODE_STICK;
    add_row(r, 0, &at, &value, r->mode);
    for (size_t i = 1; i <= in->steps; i++) {
        const double t = (double)i * in->step;
        const br_slider_load load = load_at(in, (double)(i - 1) * in->step, at.q.theta);
        // supports that cannot carry the body leave its contact point outside of them: it topples
        const bool is_solved = make_step(in, &at, &load, &value) == BR_OK;
        if (!is_solved && in->model != SLIDER_SUPPORTS) {
            br_reason_set(why, "", "t = %g s: the complementarity solver did not converge", t);
            return BR_ERR_CONVERGENCE;
        }
        if (!is_finite(&at, &value)) {
            return refuse_infinite(t, why);
        }
        r->got->cost.steps++;
        r->got->cost.evaluations += (size_t)value.iterations;
        tell_mode(r, t, value.mode == BR_SLIDER_STICK ? MODE_STICK : MODE_SLIDE);
        const bool falls = topples(r, t, &at, value.ecp);
        const bool stops = falls && !in->ignores_topple;
        if (!is_solved && !falls) {
            br_reason_set(why, "", "t = %g s: no forces of the supports were found", t);
            return BR_ERR_CONVERGENCE;
        }
        if (i % in->stride == 0 || stops) {
            add_row(r, i, &at, &value, falls ? MODE_TOPPLE : r->mode);
        }
        if (stops) {
            break;
        }
        if (result_on_progress((double)i / (double)in->steps, r->got)) {
            return BR_ERR_STOPPED;
        }
    }
    return BR_OK;
}

// Rows of the path nearer to an instant than this share of a step are at it: rounding puts a log's
// 0.3 s beside 20 steps of 0.015 s, and nothing goes on in the time between. A share of a millionth
// is far above rounding, even in 1e8 steps, and moves the tip's way by no more than that.
static const double SAME_TIME = 1e-6;

// Follow the tip over a step, by every row of its path in it. Gives the push of the last piece.
static br_push follow_tip(const slider_input* in, br_pose* pose, double from, double to)
{
    br_push push = {.mode = BR_PUSH_BREAK};
    const double same = SAME_TIME * in->step;
    for (double t = from, next; t < to; t = next) {
        const size_t row = tip_row_after(&in->path, t + same);
        next = row < in->path.rows ? in->path.columns[0][row] : to;
        next = next < to - same ? next : to;
        push = br_pushing_step(&in->pushing, pose, tip_at(in, t), tip_at(in, next));
        const double rate = 1 / (next - t);
        push.twist = (br_twist){rate * push.twist.vx, rate * push.twist.vy, rate * push.twist.w};
        push.sigma *= rate;
    }
    return push;
}

// A push in the world's axes: the body's state, friction over mu N, the centre of friction.
static void show_push(const slider_input* in, const br_push* push, br_slider_state* at,
                      br_slider_value* value)
{
    const br_vec2 centre = br_pushing_get_centre(&in->pushing);
    const br_vec2 v = {push->twist.vx + push->twist.w * centre.y,
                       push->twist.vy - push->twist.w * centre.x}; // of the frame's origin
    const br_vec2 turned = br_vec2_rotate(v, at->q.theta);
    const br_vec2 f = br_vec2_rotate((br_vec2){push->friction.fx, push->friction.fy}, at->q.theta);
    at->v = (br_twist){turned.x, turned.y, push->twist.w};
    *value = (br_slider_value){.pt = f.x,
                               .po = f.y,
                               .pr = push->friction.tau,
                               .sigma = push->sigma,
                               .ecp = br_pose_apply(at->q, centre)};
}

static void tell_tip(running* r, double t, br_push_mode tip)
{
    static const char* const kinds[] = {"tip sticks", "tip slides left", "tip slides right",
                                        "tip breaks away"};
    if (tip != r->tip) {
        result_add_event(r->got, (result_event){t, 0, kinds[tip]});
        r->tip = tip;
    }
}

static br_status run_quasistatic(running* r, br_reason* why)
{
    const slider_input* in = r->in;
    br_slider_state at = {.q = in->start.q};
    br_slider_value value;
    br_push push = {.mode = BR_PUSH_BREAK};
    if (in->pusher == PUSHER_POINT) {
        push = br_pushing_stick_step(&in->pushing, &at.q, in->contact, in->velocity, 0);
    }
    r->tip = push.mode;
    for (size_t i = 0; i <= in->steps; i++) {
        const double t = (double)i * in->step;
        if (i > 0) {
            push = in->pusher == PUSHER_POINT
                       ? br_pushing_stick_step(&in->pushing, &at.q, in->contact, in->velocity,
                                               in->step)
                       : follow_tip(in, &at.q, (double)(i - 1) * in->step, t);
            r->got->cost.steps++;
        }
        show_push(in, &push, &at, &value);
        if (!is_finite(&at, &value)) {
            return refuse_infinite(t, why);
        }
        tell_tip(r, t, push.mode);
        if (i % in->stride == 0) {
            add_row(r, i, &at, &value, is_moving(at.v) ? MODE_SLIDE : MODE_STICK);
        }
        if (result_on_progress((double)i / (double)in->steps, r->got)) {
            return BR_ERR_STOPPED;
        }
    }
    return BR_OK;
}

static br_status run(const scenario* s, result* got, br_reason* why)
{
    running r = {.in = s->data, .got = got};
    return r.in->model == SLIDER_QUASISTATIC ? run_quasistatic(&r, why) : run_dynamic(&r, why);
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
    const toppling* told = got->data;
    if (!told) {
        return;
    }
    json_begin(out, "topple", '{');
    json_number(out, "t", told->t);
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
