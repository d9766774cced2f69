/*
 * A rigid body on bristles: its equations, and their solution as an arrowhead.
 *
 *   p' = V,   M V' = m g + loads + sum count fn U^T f(z, u),   z' = rate(z, u),   u = twist at the CoP
 *
 * u = U V; the lever U depends on the pose (moving ground: body_ground.c). The bristles of each contact are
 * eliminated (contact.h), the pose by p = (b_p + V)/s; a 3 x 3 system for the velocity remains.
 */
#include "sim/body_internal.h"

#include <string.h>

// Arm of a load from the CoM in world axes; its point is fixed in the world or to the body.
static br_vec2 load_arm(const br_body_load* load, br_pose pose)
{
    return load->frame == BR_FRAME_WORLD ? (br_vec2){load->point.x - pose.x, load->point.y - pose.y}
                                         : br_vec2_rotate(load->point, pose.theta);
}

// d(wrench at the CoM)/d(pose) of a load f, in world axes at `arm` from the CoM. The point is fixed
// in the world or to the body; the force is constant in world axes or turns with the body.
static void add_load_slope(const br_body_load* load, br_vec2 arm, br_vec2 f, mat3* by_pose)
{
    if (load->frame == BR_FRAME_WORLD) {
        by_pose->at[2][0] -= f.y;
        by_pose->at[2][1] += f.x;
    } else {
        by_pose->at[2][2] -= br_vec2_dot(arm, f);
    }
    if (load->axes == BR_FRAME_BODY) {
        by_pose->at[0][2] -= f.y;
        by_pose->at[1][2] += f.x;
        by_pose->at[2][2] += br_vec2_dot(arm, f);
    }
}

// Rotate a load from its own axes to the world's.
static br_wrench turn_load(const br_body_load* load, br_pose pose, br_wrench f)
{
    if (load->axes == BR_FRAME_WORLD) {
        return f;
    }
    const br_vec2 turned = br_vec2_rotate((br_vec2){f.fx, f.fy}, pose.theta);
    return (br_wrench){turned.x, turned.y, f.tau};
}

br_wrench bri_body_loads(const body_system* s, double t, br_pose pose, br_wrench* slope,
                         mat3* by_pose)
{
    br_wrench sum = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < s->body->load_count; i++) {
        const br_body_load* load = &s->body->loads[i];
        const lever l = {1.0, 0.0, load_arm(load, pose)};
        br_wrench change;
        const br_wrench given = {br_profile_eval(&load->fx, t, s->within, &change.fx),
                                 br_profile_eval(&load->fy, t, s->within, &change.fy),
                                 br_profile_eval(&load->tau, t, s->within, &change.tau)};
        const br_wrench f = turn_load(load, pose, given);
        add_wrench(&sum, 1.0, wrench_from(&l, f));
        if (slope) {
            add_wrench(slope, 1.0, wrench_from(&l, turn_load(load, pose, change)));
        }
        if (by_pose) {
            add_load_slope(load, l.arm, (br_vec2){f.fx, f.fy}, by_pose);
        }
    }
    return sum;
}

// Fill in a contact's normal force, lever and twist.
static inline void locate_contact(const body_system* s, contact_run* h, double t, const double* y,
                                  contact_moment* m)
{
    m->fn = h->now.fn;
    m->change = h->now.change;
    if (!h->steady) {
        m->fn = bri_contact_run_force(s, h, t, &m->change);
    }
    bri_contact_run_move(s, h, t);
    contact_fill(h, m->fn, y);
    m->lever = contact_lever(h, pose_of(y));
    m->twist = contact_twist_by(h, &m->lever, y);
}

void bri_contact_run_place(const body_system* s, contact_run* h, double t, const double* y,
                           contact_moment* m)
{
    locate_contact(s, h, t, y, m);
}

static inline void evaluate_contact(const body_system* s, contact_run* h, double t, const double* y,
                                    double* dz, int slips, contact_moment* m)
{
    locate_contact(s, h, t, y, m);
    if (slips || h->open) {
        m->slip = bri_contact_run_slip(h, y, m->twist, dz);
    } else {
        m->slip.f = bri_contact_rate(&h->contact, y + h->at, m->twist, 1.0, dz);
    }
}

contact_moment bri_contact_run_at(const body_system* s, contact_run* h, double t, const double* y,
                                  double* dz, int slips)
{
    contact_moment m = {.fn = 0.0};
    evaluate_contact(s, h, t, y, dz, slips, &m);
    return m;
}

void bri_body_accelerate(const body_system* s, double t, const double* y, br_wrench sum, double* dy)
{
    memcpy(dy + POSE, y + VELOCITY, 3 * sizeof *dy);
    const br_vec2 gravity = bri_body_gravity(s, t, NULL);
    dy[VELOCITY] = gravity.x + sum.fx / s->body->mass;
    dy[VELOCITY + 1] = gravity.y + sum.fy / s->body->mass;
    dy[VELOCITY + 2] = sum.tau / s->body->inertia;
}

// dy at (t, y); with `store` the contacts store their moment there, including slip.
static void evaluate(body_system* s, double t, const double* y, double* dy, int store)
{
    const br_body* body = s->body;
    const br_pose pose = pose_of(y);
    br_wrench sum = bri_body_loads(s, t, pose, NULL, NULL);
    add_wrench(&sum, 1.0, bri_body_push(s, t, y));
    for (size_t i = 0; i < body->contact_count; i++) {
        contact_run* h = &s->contacts[i];
        contact_moment m;
        evaluate_contact(s, h, t, y, dy + h->at, store, &m);
        add_wrench(&sum, (double)h->def->count * m.fn, wrench_from(&m.lever, m.slip.f));
        if (store) {
            h->now = m;
        }
    }
    bri_body_accelerate(s, t, y, sum, dy);
}

static int is_cached(const body_system* s, double t, const double* y)
{
    return s->cached_t == t && memcmp(s->cached_y, y, s->n * sizeof *y) == 0;
}

void bri_body_rate(double t, const double* y, double* dy, void* user)
{
    body_system* s = user;
    if (is_cached(s, t, y)) {
        memcpy(dy, s->rates, s->n * sizeof *dy);
    } else {
        evaluate(s, t, y, dy, 0);
    }
}

void bri_body_update(body_system* s, double t, const double* y)
{
    if (!is_cached(s, t, y)) {
        evaluate(s, t, y, s->rates, 1);
        memcpy(s->cached_y, y, s->n * sizeof *y);
        s->cached_t = t;
    }
}

// d(wrench on the CoM)/d(pose) of a contact at constant wrench in its own axes.
static void add_pull(const contact_run* h, const lever* l, mat3* by_pose)
{
    const double scale = (double)h->def->count * h->now.fn;
    const br_wrench f = wrench_from(l, h->now.slip.f);
    if (h->def->frame == BR_FRAME_WORLD) {
        by_pose->at[2][0] -= scale * f.fy;
        by_pose->at[2][1] += scale * f.fx;
    } else {
        by_pose->at[0][2] -= scale * f.fy;
        by_pose->at[1][2] += scale * f.fx;
    }
}

// Friction of all `count` of a contact on the CoM, with the patch at force `fn`.
static br_wrench friction_at(contact_run* h, const double* y, double fn, double* dz)
{
    contact_fill(h, fn, y);
    const lever l = contact_lever(h, pose_of(y));
    const double scale = (double)h->def->count * fn;
    return wrench_from(&l,
                       bri_contact_rate(&h->contact, y + h->at, contact_twist(h, y), scale, dz));
}

// Add the effect of a changing normal force. Friction is proportional to it and bristle rates do not
// depend on it, unless the patch changes with the force: then use a central difference.
static void add_force_slope(body_system* s, contact_run* h, const lever* l, const double* y,
                            double* dfdt, br_wrench* slope)
{
    const double step = 1e-5 * h->now.fn;
    if (!h->contact.grows || h->now.change == 0.0 || step == 0.0) {
        add_wrench(slope, (double)h->def->count * h->now.change, wrench_from(l, h->now.slip.f));
        return;
    }
    for (int side = -1; side <= 1; side += 2) {
        const double factor = side * h->now.change / (2.0 * step);
        add_wrench(slope, factor, friction_at(h, y, h->now.fn + side * step, s->y_middle));
        for (size_t i = 0; i < contact_states(&h->contact); i++) {
            dfdt[h->at + i] += factor * s->y_middle[i];
        }
    }
    contact_fill(h, h->now.fn, y);
}

// dfdt is due to gravity, loads, normal forces and ground that depend on time.
void bri_body_linearise(double t, const double* y, double* dfdt, void* user)
{
    body_system* s = user;
    const br_pose pose = pose_of(y);
    bri_body_update(s, t, y); // for the wrenches
    memset(dfdt, 0, s->n * sizeof *dfdt);
    s->pull = (mat3){0};
    br_wrench slope = {0.0, 0.0, 0.0};
    bri_body_loads(s, t, pose, &slope, &s->pull);
    s->drag = (mat3){0};
    bri_body_push_slopes(s, t, y, &slope, &s->pull, &s->drag);
    for (size_t i = 0; i < s->body->contact_count; i++) {
        contact_run* h = &s->contacts[i];
        if (h->open) {
            continue;
        }
        bri_contact_run_move(s, h, t);
        contact_fill(h, h->now.fn, y);
        h->force = (double)h->def->count * h->now.fn;
        const lever l = h->now.lever;
        bri_contact_run_twist_slopes(h, &l, pose, velocity_of(y));
        add_pull(h, &l, &s->pull);
        add_force_slope(s, h, &l, y, dfdt, &slope);
        if (h->contact.on_pose) {
            bri_contact_run_field_slopes(h, y, dfdt, s->y_middle, &s->pull, &slope);
        }
        bri_contact_linearise(&h->contact, y + h->at, h->now.twist);
        if (h->moves) {
            bri_contact_run_ground_slopes(h, &l, y, dfdt, s->y_middle, &slope);
        }
    }
    br_vec2 gravity;
    bri_body_gravity(s, t, &gravity);
    dfdt[VELOCITY] = gravity.x + slope.fx / s->body->mass;
    dfdt[VELOCITY + 1] = gravity.y + slope.fy / s->body->mass;
    dfdt[VELOCITY + 2] = slope.tau / s->body->inertia;
}

// With dp = (b_p + dV)/s:   (s I + N_V + N_p/s) dV = b_V - N_p b_p/s - M^-1 sum count fn U^T h,
// N_V = M^-1 (sum count fn U^T K U - drag),   N_p = M^-1 (sum count fn U^T K du/dp - pull).
int bri_body_factor(double shift, void* user)
{
    body_system* s = user;
    mat3 by_pose = {0}, by_velocity = {0}, schur;
    for (size_t i = 0; i < s->body->contact_count; i++) {
        contact_run* h = &s->contacts[i];
        mat3 k;
        if (h->open) {
            continue;
        }
        if (!bri_contact_factor(&h->contact, shift, k.at)) {
            return 0;
        }
        mat3_add_product(h->force, &h->by_velocity, &k, &h->by_pose, &by_pose);
        mat3_add_product(h->force, &h->by_velocity, &k, &h->by_velocity, &by_velocity);
    }
    s->per_shift = 1.0 / shift;
    s->per_inertia[0] = s->per_inertia[1] = 1.0 / s->body->mass;
    s->per_inertia[2] = 1.0 / s->body->inertia;
    for (int row = 0; row < 3; row++) {
        const double per = s->per_inertia[row];
        for (int column = 0; column < 3; column++) {
            const double n_p = (by_pose.at[row][column] - s->pull.at[row][column]) * per;
            const double n_v = (by_velocity.at[row][column] - s->drag.at[row][column]) * per;
            s->by_pose.at[row][column] = n_p;
            schur.at[row][column] = (row == column ? shift : 0.0) + n_v + n_p * s->per_shift;
        }
    }
    return mat3_invert(&schur, &s->inverse);
}

static double row_times(const double row[3], const double* x)
{
    return row[0] * x[0] + row[1] * x[1] + row[2] * x[2];
}

void bri_contact_run_add_back(const contact_run* h, br_wrench back, br_wrench* sum)
{
    const mat3* u = &h->by_velocity;
    const lever l = {u->at[0][0], u->at[0][1], {u->at[1][2], -u->at[0][2]}};
    add_wrench(sum, h->force, wrench_from(&l, back));
}

static inline void solve_front(body_system* s, br_wrench back, double* x)
{
    double* p = x + POSE;
    double* v = x + VELOCITY;
    const double *per = s->per_inertia, per_shift = s->per_shift;
    const double scaled[3] = {back.fx * per[0], back.fy * per[1], back.tau * per[2]};
    double rest[3];
    for (int i = 0; i < 3; i++) {
        rest[i] = v[i] - row_times(s->by_pose.at[i], p) * per_shift - scaled[i];
    }
    for (int i = 0; i < 3; i++) {
        v[i] = row_times(s->inverse.at[i], rest);
        p[i] = (p[i] + v[i]) * per_shift;
    }
    for (size_t i = 0; i < s->body->contact_count; i++) {
        contact_run* h = &s->contacts[i];
        double du[3];
        for (int k = 0; k < 3; k++) {
            du[k] = row_times(h->by_velocity.at[k], v) + row_times(h->by_pose.at[k], p);
        }
        h->du = (br_twist){du[0], du[1], du[2]};
    }
}

void bri_body_solve_front(body_system* s, br_wrench back, double* x)
{
    solve_front(s, back, x);
}

void bri_body_solve(double* b, void* user)
{
    body_system* s = user;
    br_wrench back = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < s->body->contact_count; i++) {
        const contact_run* h = &s->contacts[i];
        if (!h->open) { // else its rates and b are 0
            bri_contact_run_add_back(h, bri_contact_eliminate(&h->contact, b + h->at, b + h->at),
                                     &back);
        }
    }
    solve_front(s, back, b);
    for (size_t i = 0; i < s->body->contact_count; i++) {
        const contact_run* h = &s->contacts[i];
        if (!h->open) {
            bri_contact_restore(&h->contact, h->du, b + h->at);
        }
    }
}
