/*
 * Run of a slider, which may slide, stick, topple and be pushed.
 */
#include "bristle/sliding.h"

#include "bristle/papers.h"

#include "base/definition.h"
#include "sim/sliding.h"
#include "sim/stepping.h"

// A contact point farther than this from the hull is outside [m]; less is rounding.
static const double outside = 1e-12;

// A jump of the push acts from the step that starts at it, in spite of rounding in t [steps].
static const double just_after = 1e-9;

typedef struct sliding_run {
    const br_sliding* sliding;
    const br_run_watch* watch;
    run_row row;
    stepping plan;
    br_slider_state at;
    br_slider_value value; // of the last step
    double* forces;        // of the supports (support_count)
    br_sliding_report report;
} sliding_run;

br_sliding br_sliding_default(void)
{
    return (br_sliding){.size = sizeof(br_sliding), .slider = br_slider_default()};
}

#define MAIN(X)                                                                                    \
    SLIDING_STATE(X), X("pt", "N s", NULL, value->pt), X("po", "N s", NULL, value->po),            \
        X("pr", "N m s", NULL, value->pr), X("sigma", "m/s", NULL, value->sigma),                  \
        X("ax", "m", NULL, value->ecp.x), X("ay", "m", NULL, value->ecp.y),                        \
        X("mode", "-", sliding_modes, mode)

static const br_column main_columns[] = {MAIN(COLUMN_ENTRY)};
static const column_group groups[] = {COLUMN_GROUP(main_columns, BR_COLUMNS_MAIN, 1)};

size_t br_sliding_get_columns(unsigned sets, br_column* out)
{
    return bri_columns_list(groups, 1, 1, sets, out);
}

static void emit_row(const sliding_run* r, double t, int topples)
{
    const br_slider_state at = r->at;
    const br_slider_value* value = &r->value;
    const sliding_mode mode = topples                          ? SLIDING_TOPPLE
                              : value->mode == BR_SLIDER_STICK ? SLIDING_STICK
                                                               : SLIDING_SLIDE;
    double* to = r->row.values;
    MAIN(COLUMN_VALUE);
    bri_row_emit(&r->row);
}

static void report_event(const sliding_run* r, double t, br_event_kind kind)
{
    if (r->watch->event) {
        r->watch->event(&(br_run_event){.t = t, .kind = kind}, r->watch->user);
    }
}

static void report_topple(sliding_run* r, double t, const br_outline_place* place)
{
    br_sliding_report* report = &r->report;
    size_t count;
    const br_vec2* corners = br_outline_get_vertices(r->sliding->hull, &count);
    report->topple_t = t;
    report->edge[0] = count > 1 ? corners[place->edge] : place->nearest;
    report->edge[1] = count > 1 ? corners[(place->edge + 1) % count] : place->nearest;
    report_event(r, t, BR_EVENT_TOPPLE);
}

// Is the contact point outside the hull? Reported once.
static int topples(sliding_run* r, double t)
{
    if (!r->sliding->hull) {
        return 0;
    }
    const br_vec2 ecp = r->value.ecp;
    const br_vec2 shift = {ecp.x - r->at.q.x, ecp.y - r->at.q.y};
    const br_outline_place place =
        br_outline_eval(r->sliding->hull, br_vec2_rotate(shift, -r->at.q.theta));
    const int is_outside = place.distance > outside;
    if (is_outside && isnan(r->report.topple_t)) {
        report_topple(r, t, &place);
    }
    return is_outside;
}

// The push over a step: its value and the slider's orientation at the step's start.
static br_slider_load load_at(const sliding_run* r, double t)
{
    const br_sliding* s = r->sliding;
    const double force = br_profile_eval(&s->push, t, t + just_after * r->plan.step, NULL);
    const br_vec2 f = br_vec2_rotate(br_vec2_scale(force, s->direction), r->at.q.theta);
    const double moment = force * br_vec2_cross(s->point, s->direction);
    return (br_slider_load){{f.x, f.y, moment}, s->lift};
}

static br_status make_step(sliding_run* r, const br_slider_load* load)
{
    const br_sliding* s = r->sliding;
    const double h = r->plan.step;
    switch (s->model) {
    case BR_SLIDING_NCP:
        return br_slider_ncp_step(&s->slider, &r->at, load, h, &r->value);
    case BR_SLIDING_TRANSLATION:
        r->value = br_slider_translation_step(&s->slider, &r->at, load, h);
        return BR_OK;
    case BR_SLIDING_SUPPORTS:
        return br_slider_supports_step(&s->slider, s->supports, s->support_count, &r->at, load, h,
                                       r->forces, &r->value);
    default:
        r->value = br_slider_step(&s->slider, &r->at, load, h);
        return BR_OK;
    }
}

// Overflow of forces and speeds ends a run.
static int is_finite(const sliding_run* r)
{
    const br_slider_value* v = &r->value;
    const double all[] = {r->at.q.x, r->at.q.y, r->at.q.theta, r->at.v.vx, r->at.v.vy, r->at.v.w,
                          v->pt,     v->po,     v->pr,         v->sigma,   v->ecp.x,   v->ecp.y};
    int finite = 1;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        finite = finite && isfinite(all[i]);
    }
    return finite;
}

// One step to time t with its events and row; `ends`: the slider topples, and its run ends there.
static br_status advance(sliding_run* r, size_t i, int* ends, br_reason* why)
{
    const double t = bri_stepping_time(i, r->plan.step);
    const br_slider_mode before = r->value.mode;
    const br_slider_load load = load_at(r, (double)(i - 1) * r->plan.step);
    // if the supports cannot carry the body, its contact point is outside of them: it topples
    const int is_solved = make_step(r, &load) == BR_OK;
    if (!is_solved && r->sliding->model != BR_SLIDING_SUPPORTS) {
        br_reason_set(why, "", "t = %g s: the complementarity solver did not converge", t);
        return BR_ERR_CONVERGENCE;
    }
    if (!is_finite(r)) {
        return bri_stepping_overflow(t, why);
    }
    r->report.steps++;
    r->report.iterations += (size_t)r->value.iterations;
    if (r->value.mode != before) {
        report_event(r, t, r->value.mode == BR_SLIDER_STICK ? BR_EVENT_STICK : BR_EVENT_SLIP);
    }
    const int falls = topples(r, t);
    if (!is_solved && !falls) {
        br_reason_set(why, "", "t = %g s: no forces of the supports were found", t);
        return BR_ERR_CONVERGENCE;
    }
    *ends = falls && !r->sliding->goes_on;
    if (bri_stepping_has_row(&r->plan, i) || *ends) {
        emit_row(r, t, falls);
    }
    return BR_OK;
}

static br_status run(sliding_run* r, br_reason* why)
{
    const br_twist v = r->at.v;
    const int moves = v.vx != 0.0 || v.vy != 0.0 || v.w != 0.0;
    r->value = (br_slider_value){.ecp = {r->at.q.x, r->at.q.y},
                                 .mode = moves ? BR_SLIDER_SLIDE : BR_SLIDER_STICK};
    emit_row(r, 0.0, 0);
    const double end = (double)r->plan.steps * r->plan.step;
    br_status status = BR_OK;
    int ends = 0;
    for (size_t i = 1; status == BR_OK && !ends && i <= r->plan.steps; i++) {
        status = advance(r, i, &ends, why);
        if (status == BR_OK && !ends) {
            const double t = (double)i * r->plan.step;
            status = bri_run_report(r->watch, t, t / end, why);
        }
    }
    return status;
}

static br_status refuse(const char* field, const char* text, br_reason* why)
{
    br_reason_set(why, field, "%s", text);
    return BR_ERR_DEF;
}

static br_status check(const br_sliding* s, br_reason* why)
{
    const br_slider_state* at = &s->start;
    const double length = br_vec2_norm(s->direction);
    const int has_supports = s->model == BR_SLIDING_SUPPORTS;
    if (!isfinite(at->q.x + at->q.y + at->q.theta + at->v.vx + at->v.vy + at->v.w)) {
        return refuse("start", "must be finite", why);
    }
    if (length != 0.0 && !(fabs(length - 1.0) < 1e-9)) {
        return refuse("direction", "must be a unit vector, or (0, 0): no push", why);
    }
    if (!isfinite(s->point.x + s->point.y) ||
        !(s->lift >= -s->slider.height && isfinite(s->lift))) {
        return refuse("lift", "must be >= -height, and the push's point finite", why);
    }
    if (has_supports ? !s->supports || s->support_count < 3 : s->support_count != 0) {
        return refuse("supports",
                      has_supports ? "must be three or more" : "are of BR_SLIDING_SUPPORTS alone",
                      why);
    }
    const br_status status = br_slider_check(&s->slider, why);
    return status == BR_OK ? bri_check_profile(&s->push, "push", why) : status;
}

static const run_kind kind = {.is_fixed = 1, .has_events = 1};

br_status br_sliding_run(const br_sliding* given, const br_run_def* def,
                         const br_run_watch* given_watch, br_sliding_report* report, br_reason* why)
{
    BR_ASSERT(given && def && given_watch);
    br_run_def full;
    br_run_watch watch;
    br_sliding sliding = br_sliding_default();
    br_status status = DEFINITION_READ(br_sliding, given, &sliding, why);
    sliding_run r = {.sliding = &sliding, .watch = &watch, .at = sliding.start};
    r.report.topple_t = (double)NAN;
    status = status == BR_OK ? bri_run_check(&kind, def, given_watch, &full, &watch, why) : status;
    status = status == BR_OK ? bri_stepping_plan(def, &r.plan, why) : status;
    status = status == BR_OK ? check(&sliding, why) : status;
    if (status == BR_OK && sliding.support_count > 0) {
        r.forces = br_allocate(sliding.support_count, sizeof *r.forces);
        status = r.forces ? BR_OK : BR_ERR_MEMORY;
    }
    if (status == BR_OK) {
        status = bri_row_create(&r.row, groups, 1, 1, &full, &watch, why);
    }
    if (status == BR_OK) {
        status = run(&r, why);
    }
    bri_row_release(&r.row);
    if (report) {
        *report = r.report;
    }
    br_release(r.forces);
    return status;
}
