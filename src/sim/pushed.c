/*
 * Run of a body that a slow tip pushes.
 */
#include "bristle/sliding.h"

#include "base/definition.h"
#include "sim/sliding.h"
#include "sim/stepping.h"

// A break of the tip's path that is closer to the end of a step than this share of it counts as that end: rounding
// separates 0.3 s in a log from 20 steps of 0.015 s. A millionth is far above rounding, even in 1e8 steps, and moves
// the break by no more than that.
static const double same_time = 1e-6;

typedef struct pushed_run {
    const br_pushed* pushed;
    const br_run_watch* watch;
    run_row row;
    stepping plan;
    br_pose pose;
    br_push push; // of the last step
} pushed_run;

br_pushed br_pushed_default(void)
{
    return (br_pushed){.size = sizeof(br_pushed), .pushing = br_pushing_default(), .sticks = 1};
}

br_vec2 br_pushed_tip(const br_pushed* pushed, double t)
{
    BR_ASSERT(pushed);
    if (!pushed->sticks) {
        return (br_vec2){br_profile_eval(&pushed->x, t, t, NULL),
                         br_profile_eval(&pushed->y, t, t, NULL)};
    }
    const br_vec2 start = br_pose_apply(pushed->pose, pushed->point);
    return br_vec2_add(start, br_vec2_scale(t, pushed->velocity));
}

// Follow the tip over a step, piece by piece between breaks of its path. Returns the push of the last piece.
static br_push follow_tip(const br_pushed* p, br_pose* pose, double from, double to, double step)
{
    br_push push = {.mode = BR_PUSH_BREAK};
    const double same = same_time * step;
    for (double t = from, next; t < to; t = next) {
        next = fmin(br_profile_next_break(&p->x, t + same), br_profile_next_break(&p->y, t + same));
        next = next < to - same ? next : to;
        push = br_pushing_step(&p->pushing, pose, br_pushed_tip(p, t), br_pushed_tip(p, next));
        const double rate = 1.0 / (next - t);
        push.twist = (br_twist){rate * push.twist.vx, rate * push.twist.vy, rate * push.twist.w};
        push.sigma *= rate;
    }
    return push;
}

// Columns as of a slider, with friction over mu N instead of impulses.
#define MAIN(X)                                                                                    \
    SLIDING_STATE(X), X("pt", "-", NULL, f.x), X("po", "-", NULL, f.y),                            \
        X("pr", "m", NULL, push->friction.tau), X("sigma", "m/s", NULL, push->sigma),              \
        X("ax", "m", NULL, centre.x), X("ay", "m", NULL, centre.y),                                \
        X("mode", "-", sliding_modes, moves ? SLIDING_SLIDE : SLIDING_STICK)
#define MORE(X) X("tip", "-", tip_words, push->mode)

static const char* const tip_words[] = {"stick", "left", "right", "break", NULL};
static const br_column main_columns[] = {MAIN(COLUMN_ENTRY)}, more_columns[] = {MORE(COLUMN_ENTRY)};
static const column_group groups[] = {COLUMN_GROUP(main_columns, BR_COLUMNS_MAIN, 1),
                                      COLUMN_GROUP(more_columns, BR_COLUMNS_MORE, 1)};
enum { GROUPS = sizeof groups / sizeof *groups };

size_t br_pushed_get_columns(unsigned sets, br_column* out)
{
    return bri_columns_list(groups, GROUPS, 1, sets, out);
}

static int is_finite(const run_row* row)
{
    int finite = 1;
    for (size_t i = 0; i < row->count; i++) {
        finite = finite && isfinite(row->values[i]);
    }
    return finite;
}

// Fill the row of time t, with the push in world axes. Returns whether all values are finite.
static int fill_row(const pushed_run* r, double t)
{
    const br_push* push = &r->push;
    const br_vec2 own = br_pushing_get_centre(&r->pushed->pushing); // of friction, body frame
    const br_vec2 v = {push->twist.vx + push->twist.w * own.y,
                       push->twist.vy - push->twist.w * own.x}; // of the frame's origin
    const br_vec2 turned = br_vec2_rotate(v, r->pose.theta);
    const br_vec2 f =
        br_vec2_rotate((br_vec2){push->friction.fx, push->friction.fy}, r->pose.theta);
    const br_vec2 centre = br_pose_apply(r->pose, own);
    const br_slider_state at = {r->pose, {turned.x, turned.y, push->twist.w}};
    const int moves = at.v.vx != 0.0 || at.v.vy != 0.0 || at.v.w != 0.0;
    double* to = r->row.values;
    MAIN(COLUMN_VALUE);
    if (r->row.sets & BR_COLUMNS_MORE) {
        MORE(COLUMN_VALUE);
    }
    return is_finite(&r->row);
}

static void report_tip(const pushed_run* r, double t, br_push_mode before)
{
    static const br_event_kind kinds[] = {BR_EVENT_TIP_STICK, BR_EVENT_TIP_LEFT, BR_EVENT_TIP_RIGHT,
                                          BR_EVENT_TIP_BREAK};
    if (r->push.mode != before && r->watch->event) {
        r->watch->event(&(br_run_event){.t = t, .kind = kinds[r->push.mode]}, r->watch->user);
    }
}

static void advance(pushed_run* r, size_t i)
{
    const br_pushed* p = r->pushed;
    const double h = r->plan.step;
    r->push = p->sticks ? br_pushing_stick_step(&p->pushing, &r->pose, p->point, p->velocity, h)
                        : follow_tip(p, &r->pose, (double)(i - 1) * h, (double)i * h, h);
}

static br_status run(pushed_run* r, size_t* steps, br_reason* why)
{
    const br_pushed* p = r->pushed;
    const double end = (double)r->plan.steps * r->plan.step;
    r->push = p->sticks ? br_pushing_stick_step(&p->pushing, &r->pose, p->point, p->velocity, 0.0)
                        : (br_push){.mode = BR_PUSH_BREAK};
    br_status status = BR_OK;
    for (size_t i = 0; status == BR_OK && i <= r->plan.steps; i++) {
        const double t = bri_stepping_time(i, r->plan.step);
        const br_push_mode before = r->push.mode;
        if (i > 0) {
            advance(r, i);
            *steps = i;
        }
        if (!fill_row(r, t)) {
            return bri_stepping_overflow(t, why);
        }
        report_tip(r, t, before);
        if (bri_stepping_has_row(&r->plan, i)) {
            bri_row_emit(&r->row);
        }
        status = bri_run_report(r->watch, t, t / end, why);
    }
    return status;
}

static br_status check(const br_pushed* p, br_reason* why)
{
    if (!isfinite(p->pose.x + p->pose.y + p->pose.theta + p->point.x + p->point.y + p->velocity.x +
                  p->velocity.y)) {
        br_reason_set(why, "pose", "must be finite, and point and velocity, too");
        return BR_ERR_DEF;
    }
    if (!p->sticks && !p->pushing.outline) {
        br_reason_set(why, "pushing.outline", "is needed by a tip that may slide");
        return BR_ERR_DEF;
    }
    br_status status = br_pushing_check(&p->pushing, why);
    if (status == BR_OK) {
        status = bri_check_profile(&p->x, "x", why);
    }
    return status == BR_OK ? bri_check_profile(&p->y, "y", why) : status;
}

static const run_kind kind = {.is_fixed = 1, .has_events = 1};

br_status br_pushed_run(const br_pushed* given, const br_run_def* def,
                        const br_run_watch* given_watch, size_t* steps, br_reason* why)
{
    BR_ASSERT(given && def && given_watch);
    br_run_def full;
    br_run_watch watch;
    br_pushed pushed = br_pushed_default();
    br_status status = DEFINITION_READ(br_pushed, given, &pushed, why);
    pushed_run r = {.pushed = &pushed, .watch = &watch, .pose = pushed.pose};
    size_t taken = 0;
    status = status == BR_OK ? bri_run_check(&kind, def, given_watch, &full, &watch, why) : status;
    status = status == BR_OK ? bri_stepping_plan(def, &r.plan, why) : status;
    status = status == BR_OK ? check(&pushed, why) : status;
    if (status == BR_OK) {
        status = bri_row_create(&r.row, groups, GROUPS, 1, &full, &watch, why);
    }
    if (status == BR_OK) {
        status = run(&r, &taken, why);
    }
    bri_row_release(&r.row);
    if (steps) {
        *steps = taken;
    }
    return status;
}
