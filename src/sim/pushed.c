/*
 * A body that a slow tip pushes, from pose to pose.
 */
#include "bristle/sliding.h"

#include "sim/stepping.h"

// Breaks of the tip's way nearer to an instant than this share of a step are at it: rounding puts a log's 0.3 s
// beside 20 steps of 0.015 s, and nothing goes on in the time between. A share of a millionth is far above
// rounding, even in 1e8 steps, and moves the tip's way by no more than that.
static const double same_time = 1e-6;

typedef struct pushed_run {
    const br_pushed* pushed;
    const br_run_watch* watch;
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

// Follow the tip over a step, by every break of its way in it. Gives the push of the last piece.
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

// The push in the world's axes.
static br_pushed_row row_at(const pushed_run* r, double t)
{
    const br_push* push = &r->push;
    const br_vec2 centre = br_pushing_get_centre(&r->pushed->pushing);
    const br_vec2 v = {push->twist.vx + push->twist.w * centre.y,
                       push->twist.vy - push->twist.w * centre.x}; // of the frame's origin
    const br_vec2 turned = br_vec2_rotate(v, r->pose.theta);
    const br_vec2 f =
        br_vec2_rotate((br_vec2){push->friction.fx, push->friction.fy}, r->pose.theta);
    return (br_pushed_row){.t = t,
                           .at = {r->pose, {turned.x, turned.y, push->twist.w}},
                           .friction = {f.x, f.y, push->friction.tau},
                           .sigma = push->sigma,
                           .centre = br_pose_apply(r->pose, centre),
                           .tip = push->mode};
}

static int is_finite(const br_pushed_row* row)
{
    const double all[] = {row->at.q.x,       row->at.q.y, row->at.q.theta,  row->at.v.vx,
                          row->at.v.vy,      row->at.v.w, row->friction.fx, row->friction.fy,
                          row->friction.tau, row->sigma,  row->centre.x,    row->centre.y};
    int finite = 1;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        finite = finite && isfinite(all[i]);
    }
    return finite;
}

static void tell_tip(const pushed_run* r, double t, br_push_mode before)
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
        const double t = (double)i * r->plan.step;
        const br_push_mode before = r->push.mode;
        if (i > 0) {
            advance(r, i);
            *steps = i;
        }
        const br_pushed_row row = row_at(r, t);
        if (!is_finite(&row)) {
            return bri_stepping_overflow(t, why);
        }
        tell_tip(r, t, before);
        if (i % r->plan.stride == 0) {
            r->watch->row.pushed(&row, r->watch->user);
        }
        status = bri_run_tell(r->watch, t, end, why);
    }
    return status;
}

static br_status check(const br_pushed* p, br_reason* why)
{
    if (p->size != sizeof *p) {
        br_reason_set(why, "size", "start from br_pushed_default()");
        return BR_ERR_DEF;
    }
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

static const run_kind kind = {.rows = RUN_ROWS_PUSHED, .is_fixed = 1, .has_events = 1};

br_status br_pushed_run(const br_pushed* pushed, const br_run_def* def, const br_run_watch* watch,
                        size_t* steps, br_reason* why)
{
    BR_ASSERT(pushed && def && watch);
    br_run_def full;
    pushed_run r = {.pushed = pushed, .watch = watch, .pose = pushed->pose};
    size_t taken = 0;
    br_status status = bri_run_check(&kind, def, watch, &full, why);
    if (status == BR_OK) {
        status = bri_stepping_plan(def, &r.plan, why);
    }
    if (status == BR_OK) {
        status = check(pushed, why);
    }
    if (status == BR_OK) {
        status = run(&r, &taken, why);
    }
    if (steps) {
        *steps = taken;
    }
    return status;
}
