/*
 * Checks of the definition of a body.
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

static br_status check_finite(const char* field, const double* number, size_t count, br_reason* why)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(number[i])) {
            br_reason_set(why, field, "must be finite, got %g", number[i]);
            return BR_ERR_DEF;
        }
    }
    return BR_OK;
}

// `fields`: the names of pose and velocity.
static br_status check_pose_and_velocity(const char* const fields[2], br_pose pose,
                                         br_twist velocity, br_reason* why)
{
    const double number[] = {pose.x, pose.y, pose.theta, velocity.vx, velocity.vy, velocity.w};
    const br_status status = check_finite(fields[0], number, 3, why);
    return status == BR_OK ? check_finite(fields[1], number + 3, 3, why) : status;
}

static br_status check_start(const br_body* body, br_reason* why)
{
    static const char* const fields[] = {"pose", "velocity"};
    const double gravity[] = {body->gravity.x, body->gravity.y};
    br_status status = check_pose_and_velocity(fields, body->pose, body->velocity, why);
    if (status == BR_OK) {
        status = check_finite("gravity", gravity, 2, why);
    }
    if (status == BR_OK && (body->start < BR_START_BY_MOTION || body->start > BR_START_RELAXED)) {
        br_reason_set(why, "start", "must be one of br_body_start, got %d", (int)body->start);
        return BR_ERR_DEF;
    }
    return status;
}

// The controller starts with normal_force, which must be constant and within bounds. It needs weight = 0.
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
        br_reason_set(why, field, "starts with %g N, which is not between least and most", start);
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

// A jump of a position would be an infinite velocity.
static br_status check_place(const br_profile* p, const char* field, br_reason* why)
{
    const br_status status = bri_check_profile(p, field, why);
    if (status != BR_OK) {
        return status;
    }
    if (p->kind == BR_PROFILE_STEPS || (p->hold > 0.0 && p->kind != BR_PROFILE_CONSTANT)) {
        br_reason_set(why, field, "must not jump: steps and hold are not for a position");
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

static br_status check_pusher(const br_body* body, br_reason* why)
{
    const br_body_pusher* p = body->pusher;
    if (!p) {
        return BR_OK;
    }
    if (!body->outline) {
        br_reason_set(why, "pusher", "needs the body's outline");
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

static int is_constant(const br_profile* p)
{
    return p->kind == BR_PROFILE_CONSTANT;
}

// Position and angle of a table that does not move have no effect; a user who sets them probably means
// those of the contact. The position of a turning table is its axis.
static int is_idle(const br_body_contact* c)
{
    const br_profile* p = c->motion;
    const int turns = !is_constant(&p[2]);
    const int moves = turns || !is_constant(&p[0]) || !is_constant(&p[1]);
    const int is_placed = p[0].mean != 0.0 || p[1].mean != 0.0;
    return c->frame == BR_FRAME_BODY && ((!moves && is_placed) || (!turns && p[2].mean != 0.0));
}

static br_status check_at(const br_body_contact* c, size_t i, br_reason* why)
{
    char field[48];
    if (!isfinite(c->at.x) || !isfinite(c->at.y)) {
        snprintf(field, sizeof field, "contacts[%zu].at", i);
        br_reason_set(why, field, "must be finite, got %g, %g", c->at.x, c->at.y);
        return BR_ERR_DEF;
    }
    if (is_idle(c)) {
        snprintf(field, sizeof field, "contacts[%zu].motion", i);
        br_reason_set(why, field,
                      "is constant, which has no effect on a contact of frame body: only the "
                      "velocity of a table counts; the contact's position on the body is `at`, its "
                      "angle that of its patch");
        return BR_ERR_DEF;
    }
    return BR_OK;
}

static br_status check_motion(const br_body_contact* c, size_t i, br_reason* why)
{
    char field[48];
    snprintf(field, sizeof field, "contacts[%zu].motion", i);
    for (int k = 0; k < 3; k++) {
        const br_profile* p = &c->motion[k];
        const br_status status = check_place(p, field, why);
        if (status != BR_OK) {
            return status;
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

br_status bri_body_check_state(const br_body* body, const br_body_state* at, br_reason* why)
{
    static const char* const fields[] = {"from.pose", "from.velocity"};
    br_status status = check_finite("from.t", &at->t, 1, why);
    if (status == BR_OK) {
        status = check_pose_and_velocity(fields, at->pose, at->velocity, why);
    }
    if (status == BR_OK) {
        status = check_finite("from.z", at->z, br_body_get_state_count(body), why);
    }
    for (size_t i = 0; status == BR_OK && i < body->contact_count; i++) {
        const br_body_contact_state* c = &at->contacts[i];
        if (c->state < BR_STATE_STICK || c->state > BR_STATE_OPEN ||
            (body->contacts[i].grip && !(c->grip_force >= 0.0 && isfinite(c->grip_force)))) {
            br_reason_set(why, "from.contacts",
                          "contact %zu must stick, slip or be open, and its grip_force be finite "
                          "and >= 0, got state %d and %g N",
                          i, (int)c->state, c->grip_force);
            status = BR_ERR_DEF;
        }
    }
    return status;
}

br_status bri_body_check(const br_body* body, const br_run_def* def, br_reason* why)
{
    const double end = (body->from ? body->from->t : 0.0) + def->duration;
    br_status status = positive("mass", body->mass, why);
    if (status == BR_OK) {
        status = positive("inertia", body->inertia, why);
    }
    if (status == BR_OK) {
        status = check_start(body, why);
    }
    if (status == BR_OK) {
        status = check_pusher(body, why);
    }
    for (int i = 0; status == BR_OK && i < 2; i++) {
        status = bri_check_profile(&body->gravity_change[i], "gravity_change", why);
    }
    for (size_t i = 0; status == BR_OK && i < body->contact_count; i++) {
        status = check_contact(&body->contacts[i], i, end, why);
        if (status == BR_OK) {
            status = check_motion(&body->contacts[i], i, why);
        }
        if (status == BR_OK) {
            status = check_at(&body->contacts[i], i, why);
        }
    }
    for (size_t i = 0; status == BR_OK && i < body->load_count; i++) {
        status = check_load(&body->loads[i], i, why);
    }
    if (status == BR_OK && body->from) {
        status = bri_body_check_state(body, body->from, why);
    }
    return status;
}
