/*
 * A round tip that moves as it is told and pushes the body's outline.
 *
 *   N = max(0, k d + c s d'),   F = -N n - mu N clip(v_t/v_e) t,   clip(x) = min(max(x, -1), 1)
 *
 * d is how deep the tip is in, n the outward normal of the edge where it is nearest, t along the edge, v
 * the body's velocity past the tip there. The damping builds up over the first micrometres, s = d/d_0, so
 * that the force does not jump as they touch; Coulomb's friction is a ramp below v_e.
 */
#include "sim/body_internal.h"

static const double soft_depth = 1e-5; // d_0 [m]
static const double slow = 1e-5;       // v_e [m/s]

// Steps of differences in x, y, theta, vx, vy, w and t: far below the scales above, far above rounding.
static const double steps[7] = {1e-8, 1e-8, 1e-7, 1e-7, 1e-7, 1e-6, 1e-8};

// At (pose, velocity, t), on the CoM.
static br_wrench push_at(const body_system* s, const double at[7])
{
    const br_body_pusher* p = s->body->pusher;
    br_vec2 tip_v;
    const br_vec2 tip = {br_profile_eval(&p->x, at[6], s->within, &tip_v.x),
                         br_profile_eval(&p->y, at[6], s->within, &tip_v.y)};
    const br_vec2 from_com = {tip.x - at[0], tip.y - at[1]};
    const br_outline_place place =
        br_outline_eval(s->body->outline, br_vec2_rotate(from_com, -at[2]));
    const double depth = p->radius - place.distance;
    if (!(depth > 0.0)) {
        return (br_wrench){0.0, 0.0, 0.0};
    }
    const br_vec2 n = br_vec2_rotate(place.normal, at[2]), t = {-n.y, n.x};
    const br_vec2 arm = br_vec2_rotate(place.nearest, at[2]);
    const br_vec2 v = {at[3] - at[5] * arm.y - tip_v.x, at[4] + at[5] * arm.x - tip_v.y};
    const double damping = p->damping * fmin(depth / soft_depth, 1.0);
    const double normal = fmax(0.0, p->stiffness * depth + damping * br_vec2_dot(v, n));
    const double slip = br_vec2_dot(v, t);
    const double along = -p->mu * normal * fmax(-1.0, fmin(slip / slow, 1.0));
    const br_vec2 f = {along * t.x - normal * n.x, along * t.y - normal * n.y};
    return (br_wrench){f.x, f.y, arm.x * f.y - arm.y * f.x};
}

br_wrench bri_body_push(const body_system* s, double t, const double* y)
{
    if (!s->body->pusher) {
        return (br_wrench){0.0, 0.0, 0.0};
    }
    const double at[7] = {y[0], y[1], y[2], y[3], y[4], y[5], t};
    return push_at(s, at);
}

void bri_body_push_slopes(const body_system* s, double t, const double* y, br_wrench* slope,
                          mat3* by_pose, mat3* by_velocity)
{
    if (!s->body->pusher) {
        return;
    }
    for (int i = 0; i < 7; i++) {
        double at[7] = {y[0], y[1], y[2], y[3], y[4], y[5], t};
        const double middle = at[i];
        at[i] = middle + steps[i];
        const br_wrench above = push_at(s, at);
        at[i] = middle - steps[i];
        const br_wrench below = push_at(s, at);
        const double per = 0.5 / steps[i];
        const br_wrench d = {per * (above.fx - below.fx), per * (above.fy - below.fy),
                             per * (above.tau - below.tau)};
        if (i == 6) {
            add_wrench(slope, 1.0, d);
        } else {
            mat3* to = i < 3 ? by_pose : by_velocity;
            to->at[0][i % 3] += d.fx;
            to->at[1][i % 3] += d.fy;
            to->at[2][i % 3] += d.tau;
        }
    }
}
