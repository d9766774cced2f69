/*
 * Is a body well defined?
 */
#include "sim/body_internal.h"
#include "sim/run.h"

#include <stdio.h>

static br_status positive(const char* field, double value, br_reason* why)
{
    if (value > 0.0 && isfinite(value)) {
        return BR_OK;
    }
    br_reason_set(why, field, "must be finite and > 0, got %g", value);
    return BR_ERR_DEF;
}

static br_status check_start(const br_body* body, br_reason* why)
{
    const double number[] = {body->pose.x,      body->pose.y,      body->pose.theta,
                             body->velocity.vx, body->velocity.vy, body->velocity.w,
                             body->gravity.x,   body->gravity.y};
    static const char* const field[] = {"pose",     "pose",     "pose",    "velocity",
                                        "velocity", "velocity", "gravity", "gravity"};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        if (!isfinite(number[i])) {
            br_reason_set(why, field[i], "must be finite, got %g", number[i]);
            return BR_ERR_DEF;
        }
    }
    if (body->start < BR_START_BY_MOTION || body->start > BR_START_RELAXED) {
        br_reason_set(why, "start", "must be one of br_body_start, got %d", (int)body->start);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

// Its first force is the profile, and within its bounds; what the weight adds is not its to control.
static br_status check_grip(const br_body_contact* c, size_t i, double duration, br_reason* why)
{
    br_reason inner;
    char field[48];
    snprintf(field, sizeof field, "contacts[%zu].grip", i);
    if (br_grip_check(c->grip, &inner) != BR_OK) {
        br_reason_set(why, field, "%s %s", inner.field, inner.text);
        return BR_ERR_DEF;
    }
    if (duration / c->grip->period > BR_PROFILE_MOST_INSTANTS) {
        br_reason_set(why, field, "period gives more than %g instants, got %g",
                      BR_PROFILE_MOST_INSTANTS, c->grip->period);
        return BR_ERR_DEF;
    }
    const double start = c->normal_force.mean;
    if (c->normal_force.kind != BR_PROFILE_CONSTANT || c->weight > 0.0) {
        br_reason_set(why, field, "needs a constant normal_force, and no weight");
        return BR_ERR_DEF;
    }
    if (!(start >= c->grip->least && start <= c->grip->most)) {
        br_reason_set(why, field, "begins with %g N, which is not between least and most", start);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

static br_status check_contact(const br_body_contact* c, size_t i, double duration, br_reason* why)
{
    char field[48];
    if (!c->contact) {
        snprintf(field, sizeof field, "contacts[%zu].contact", i);
        br_reason_set(why, field, "is missing");
        return BR_ERR_DEF;
    }
    if (c->count < 1) {
        snprintf(field, sizeof field, "contacts[%zu].count", i);
        br_reason_set(why, field, "must be >= 1, got 0");
        return BR_ERR_DEF;
    }
    if (c->frame != BR_FRAME_WORLD && c->frame != BR_FRAME_BODY) {
        snprintf(field, sizeof field, "contacts[%zu].frame", i);
        br_reason_set(why, field, "must be BR_FRAME_WORLD or BR_FRAME_BODY, got %d", (int)c->frame);
        return BR_ERR_DEF;
    }
    if (!(c->weight >= 0.0 && isfinite(c->weight))) {
        snprintf(field, sizeof field, "contacts[%zu].weight", i);
        br_reason_set(why, field, "must be finite and >= 0, got %g", c->weight);
        return BR_ERR_DEF;
    }
    snprintf(field, sizeof field, "contacts[%zu].normal_force", i);
    const br_status status = bri_check_normal_force(&c->normal_force, duration, field, why);
    return status == BR_OK && c->grip ? check_grip(c, i, duration, why) : status;
}

// A place that jumps would be an infinite velocity.
static br_status check_place(const br_profile* p, const char* field, br_reason* why)
{
    const br_status status = bri_check_profile(p, field, why);
    if (status != BR_OK) {
        return status;
    }
    if (p->kind == BR_PROFILE_STEPS || (p->hold > 0.0 && p->kind != BR_PROFILE_CONSTANT)) {
        br_reason_set(why, field, "must not jump: steps and hold are not for a place");
        return BR_ERR_DEF;
    }
    return BR_OK;
}

static br_status not_negative(const char* field, double value, br_reason* why)
{
    if (value >= 0.0 && isfinite(value)) {
        return BR_OK;
    }
    br_reason_set(why, field, "must be finite and >= 0, got %g", value);
    return BR_ERR_DEF;
}

static br_status check_pusher(const br_body* body, int in_fixed_steps, br_reason* why)
{
    const br_body_pusher* p = body->pusher;
    if (!p) {
        return BR_OK;
    }
    if (!body->outline || in_fixed_steps) {
        br_reason_set(why, "pusher",
                      body->outline ? "is not for fixed steps" : "needs the body's outline");
        return BR_ERR_DEF;
    }
    br_status status = check_place(&p->x, "pusher.x", why);
    if (status == BR_OK) {
        status = check_place(&p->y, "pusher.y", why);
    }
    if (status == BR_OK) {
        status = positive("pusher.stiffness", p->stiffness, why);
    }
    if (status == BR_OK) {
        status = not_negative("pusher.radius", p->radius, why);
    }
    if (status == BR_OK) {
        status = not_negative("pusher.damping", p->damping, why);
    }
    return status == BR_OK ? not_negative("pusher.mu", p->mu, why) : status;
}

static br_status check_motion(const br_body_contact* c, size_t i, int in_fixed_steps,
                              br_reason* why)
{
    char field[48];
    snprintf(field, sizeof field, "contacts[%zu].motion", i);
    for (int k = 0; k < 3; k++) {
        const br_profile* p = &c->motion[k];
        const br_status status = check_place(p, field, why);
        if (status != BR_OK) {
            return status;
        }
        if (in_fixed_steps && p->kind != BR_PROFILE_CONSTANT) {
            br_reason_set(why, field, "is not for fixed steps");
            return BR_ERR_DEF;
        }
    }
    return BR_OK;
}

static br_status check_load(const br_body_load* load, size_t i, br_reason* why)
{
    const br_profile* profiles[] = {&load->fx, &load->fy, &load->tau};
    static const char* const names[] = {"fx", "fy", "tau"};
    char field[48];
    for (int k = 0; k < 3; k++) {
        snprintf(field, sizeof field, "loads[%zu].%s", i, names[k]);
        const br_status status = bri_check_profile(profiles[k], field, why);
        if (status != BR_OK) {
            return status;
        }
    }
    if (load->axes != BR_FRAME_WORLD && load->axes != BR_FRAME_BODY) {
        snprintf(field, sizeof field, "loads[%zu].axes", i);
        br_reason_set(why, field, "must be BR_FRAME_WORLD or BR_FRAME_BODY, got %d",
                      (int)load->axes);
        return BR_ERR_DEF;
    }
    const int known = load->frame == BR_FRAME_WORLD || load->frame == BR_FRAME_BODY;
    if (!known || !isfinite(load->point.x) || !isfinite(load->point.y)) {
        snprintf(field, sizeof field, "loads[%zu].point", i);
        br_reason_set(why, field, "must be finite, in the frame of the world or the body");
        return BR_ERR_DEF;
    }
    return BR_OK;
}

br_status bri_body_check(const br_body* body, const br_run_def* def, br_reason* why)
{
    br_status status = positive("mass", body->mass, why);
    if (status == BR_OK) {
        status = positive("inertia", body->inertia, why);
    }
    if (status == BR_OK) {
        status = check_start(body, why);
    }
    if (status == BR_OK) {
        status = check_pusher(body, def->method == BR_FIXED, why);
    }
    for (int i = 0; status == BR_OK && i < 2; i++) {
        status = bri_check_profile(&body->gravity_change[i], "gravity_change", why);
    }
    for (size_t i = 0; status == BR_OK && i < body->contact_count; i++) {
        status = check_contact(&body->contacts[i], i, def->duration, why);
        if (status == BR_OK) {
            status = check_motion(&body->contacts[i], i, def->method == BR_FIXED, why);
        }
    }
    for (size_t i = 0; status == BR_OK && i < body->load_count; i++) {
        status = check_load(&body->loads[i], i, why);
    }
    return status;
}
