/*
 * One push with its derivatives: see push_track.h. Derivatives of a vector are rows of P numbers.
 */
#include "fit/push_track.h"

#include <string.h>

#include "math/vec3.h"

enum { STEPS_PER_SIZE = 30, MOST_STEPS = STEPS_PER_SIZE * PUSH_MOST_SIZES };

size_t bri_push_parameters(const push_track* k)
{
    return k->feet->count + 1 + (k->has_offset ? 2 : 0) + (k->has_radius ? 1 : 0);
}

size_t bri_push_get_work(size_t parameters)
{
    return 13 * parameters;
}

// Where the tip touches, body frame, and how that moves with the tip: d c = slide t (t.dq), d n = -turn t (t.dq).
typedef struct touch {
    br_vec2 q, c, n, t; // tip, contact, unit normal into the body, its left
    double gap, slide, turn;
} touch;

// One instant of a push: the twist, and the data of its derivatives.
typedef struct instant {
    touch at;
    br_vec2 delta, d; // the tip's displacement, and that less the gap; body frame
    double gap;
    enum { APART, STICKS, SLIDES } mode;
    double side;
    double v[3], u[3], scale; // v = scale u; u = v where it sticks
    footprint_value value;    // at u
} instant;

// s a + b
static br_vec2 add_scaled(double s, br_vec2 a, br_vec2 b)
{
    return br_vec2_add(br_vec2_scale(s, a), b);
}

// The generalised force (f, c x f) of a force f at c.
static void wrench_of(br_vec2 c, br_vec2 f, double out[3])
{
    out[0] = f.x, out[1] = f.y, out[2] = br_vec2_cross(c, f);
}

// Edge: the contact slides along; corner: the normal turns; disc: both.
static void set_motion(const push_track* k, const br_outline_place* place, touch* at)
{
    size_t corners;
    const br_vec2* v = br_outline_get_vertices(k->outline, &corners);
    const double unit = k->feet->unit, distance = place->distance / unit;
    if (corners == 0) {
        const double r = br_outline_get_radius(k->outline) / unit;
        at->slide = r / (r + distance);
        at->turn = 1.0 / (r + distance);
        return;
    }
    const br_vec2 a = v[place->edge], b = v[(place->edge + 1) % corners];
    const double near = 1e-12 * br_outline_get_radius(k->outline);
    const int is_corner = br_vec2_norm(br_vec2_sub(place->nearest, a)) <= near ||
                          br_vec2_norm(br_vec2_sub(place->nearest, b)) <= near;
    at->slide = is_corner ? 0.0 : 1.0;
    at->turn = is_corner && fabs(distance) > 0.0 ? 1.0 / distance : 0.0;
}

static touch touch_at(const push_track* k, const double pose[3], br_vec2 tip)
{
    const double unit = k->feet->unit;
    touch at = {.q = br_vec2_rotate((br_vec2){tip.x - pose[0], tip.y - pose[1]}, -pose[2])};
    const br_outline_place place = br_outline_eval(k->outline, br_vec2_scale(unit, at.q));
    at.gap = place.distance / unit - k->radius;
    at.c = (br_vec2){place.nearest.x / unit, place.nearest.y / unit};
    at.n = (br_vec2){-place.normal.x, -place.normal.y};
    at.t = (br_vec2){-at.n.y, at.n.x};
    set_motion(k, &place, &at);
    return at;
}

// The tip slides: v of the load along the edge of its cone.
static void slide(const push_track* k, instant* it)
{
    double load[3], m[3];
    wrench_of(it->at.c, add_scaled(it->side * k->mu, it->at.t, it->at.n), load);
    wrench_of(it->at.c, it->at.n, m);
    memset(it->u, 0, sizeof it->u);
    bri_footprint_slide(k->feet, k->weights, load, it->u);
    it->mode = SLIDES;
    it->scale = br_vec2_dot(it->d, it->at.n) / vec3_dot(m, it->u);
    it->value = bri_footprint_eval(k->feet, k->weights, it->u);
    for (int i = 0; i < 3; i++) {
        it->v[i] = it->scale * it->u[i];
    }
}

// The motion of the body while the tip moves by `delta` (world), with the gap at the start of the sub-step.
static instant instant_at(const push_track* k, const double pose[3], br_vec2 tip, br_vec2 delta,
                          double gap, double* spin)
{
    instant it = {.at = touch_at(k, pose, tip), .gap = gap, .scale = 1.0};
    const br_vec2 n = it.at.n, c = it.at.c;
    it.delta = br_vec2_rotate(delta, -pose[2]);
    it.d = add_scaled(-gap, n, it.delta);
    if (!(br_vec2_dot(it.d, n) > 0.0)) {
        return it;
    }
    it.mode = STICKS;
    bri_footprint_stick(k->feet, k->weights, c, it.d, spin);
    it.v[0] = it.d.x + *spin * c.y, it.v[1] = it.d.y - *spin * c.x, it.v[2] = *spin;
    memcpy(it.u, it.v, sizeof it.u);
    it.value = bri_footprint_eval(k->feet, k->weights, it.u);
    const br_vec2 f = {it.value.slope[0], it.value.slope[1]};
    const double across = br_vec2_dot(f, it.at.t);
    if (fabs(across) > k->mu * br_vec2_dot(f, n)) {
        it.side = copysign(1.0, across);
        slide(k, &it);
    }
    return it;
}

// The change of q = R^T (tip - pose) with parameter p, which moves the pose by dpose. The offset moves the tip.
static br_vec2 tip_change(const push_track* k, size_t p, const touch* at, const double pose[3],
                          const double dpose[3])
{
    const size_t first = k->feet->count + 1;
    const br_vec2 dtip = {k->has_offset && p == first, k->has_offset && p == first + 1};
    const br_vec2 back = {dtip.x - dpose[0], dtip.y - dpose[1]};
    const br_vec2 turned = {dpose[2] * at->q.y, -dpose[2] * at->q.x};
    return br_vec2_add(br_vec2_rotate(back, -pose[2]), turned);
}

// How contact, normal and displacement of an instant change with a parameter that changes pose and gap.
typedef struct change {
    br_vec2 c, n, d;
} change;

static change change_of(const instant* it, br_vec2 dq, double turn, double dgap)
{
    const touch* at = &it->at;
    const double along = br_vec2_dot(at->t, dq);
    change by = {.c = br_vec2_scale(at->slide * along, at->t),
                 .n = br_vec2_scale(-at->turn * along, at->t)};
    by.d.x = turn * it->delta.y - dgap * at->n.x - it->gap * by.n.x;
    by.d.y = -turn * it->delta.x - dgap * at->n.y - it->gap * by.n.y;
    return by;
}

// dw = -(b.H dv + db.g + b.dg)/(b.H b)
static void stick_change(const instant* it, const change* by, const double dg[3], double dv[3])
{
    const double *g = it->value.slope, w = it->v[2], b[3] = {it->at.c.y, -it->at.c.x, 1.0};
    const double dv0[3] = {by->d.x + w * by->c.y, by->d.y - w * by->c.x, 0.0};
    double hb[3];
    bri_footprint_bend(it->value.bend, b, hb);
    const double dw =
        -(vec3_dot(hb, dv0) + by->c.y * g[0] - by->c.x * g[1] + vec3_dot(b, dg)) / vec3_dot(hb, b);
    vec3_combine(1.0, dv0, dw, b, dv);
}

// (g g^T + D H) du = dL - D dg - g (u.dg), then the change of the scale.
static void slide_change(const push_track* k, const instant* it, const change* by,
                         const double dg[3], double dmu, double dv[3])
{
    const br_vec2 c = it->at.c, n = it->at.n, t = it->at.t, dt = {-by->n.y, by->n.x};
    const double *u = it->u, mu = it->side * k->mu, drift = vec3_dot(u, dg);
    const br_vec2 phi = add_scaled(mu, t, n);
    const br_vec2 dphi = add_scaled(it->side * dmu, t, add_scaled(mu, dt, by->n));
    double rhs[3], du[3], m[3], dm[3];
    wrench_of(c, dphi, rhs);
    rhs[2] += br_vec2_cross(by->c, phi);
    for (int i = 0; i < 3; i++) {
        rhs[i] -= it->value.D * dg[i] + it->value.slope[i] * drift;
    }
    bri_footprint_solve(&it->value, rhs, du);
    wrench_of(c, n, m);
    wrench_of(c, by->n, dm);
    dm[2] += br_vec2_cross(by->c, n);
    const double dforce = br_vec2_dot(by->d, n) + br_vec2_dot(it->d, by->n);
    const double dscale =
        (dforce - it->scale * (vec3_dot(dm, u) + vec3_dot(m, du))) / vec3_dot(m, u);
    vec3_combine(dscale, u, it->scale, du, dv);
}

// Derivatives of the twist by all parameters (3 x P), from those of the pose (3 x P) and the gap (P).
static void instant_slope(const push_track* k, const instant* it, const double pose[3],
                          const double* pose_slope, const double* gap_slope, double* out)
{
    const size_t m = k->feet->count, P = bri_push_parameters(k);
    if (it->mode == APART) {
        memset(out, 0, 3 * P * sizeof *out);
        return;
    }
    for (size_t p = 0; p < P; p++) {
        const double dpose[3] = {pose_slope[p], pose_slope[P + p], pose_slope[2 * P + p]};
        double dg[3] = {0.0, 0.0, 0.0}, dv[3];
        const br_vec2 dq = tip_change(k, p, &it->at, pose, dpose);
        const change by = change_of(it, dq, dpose[2], gap_slope[p]);
        if (p < m) {
            bri_footprint_column(k->feet, p, it->u, dg);
        }
        if (it->mode == STICKS) {
            stick_change(it, &by, dg, dv);
        } else {
            slide_change(k, it, &by, dg, p == m ? 1.0 : 0.0, dv);
        }
        out[p] = dv[0], out[P + p] = dv[1], out[2 * P + p] = dv[2];
    }
}

// Move a pose by a share of a twist in body axes, turned by half of the turn.
static void move(const double pose[3], const double v[3], double share, double out[3])
{
    const double angle = pose[2] + 0.5 * share * v[2], c = cos(angle), s = sin(angle);
    out[0] = pose[0] + share * (c * v[0] - s * v[1]);
    out[1] = pose[1] + share * (s * v[0] + c * v[1]);
    out[2] = pose[2] + share * v[2];
}

static void move_slope(const push_track* k, const double pose[3], const double v[3], double share,
                       const double* pose_slope, const double* v_slope, double* out)
{
    const size_t P = bri_push_parameters(k);
    const double angle = pose[2] + 0.5 * share * v[2], c = cos(angle), s = sin(angle);
    const double x = c * v[0] - s * v[1], y = s * v[0] + c * v[1];
    for (size_t p = 0; p < P; p++) {
        const double dx = v_slope[p], dy = v_slope[P + p], dw = v_slope[2 * P + p];
        const double turn = pose_slope[2 * P + p] + 0.5 * share * dw;
        const double a = pose_slope[p] + share * (c * dx - s * dy - y * turn);
        const double b = pose_slope[P + p] + share * (s * dx + c * dy + x * turn);
        out[2 * P + p] = pose_slope[2 * P + p] + share * dw;
        out[p] = a;
        out[P + p] = b;
    }
}

// d gap = normal.dq - d radius, the normal pointing out of the body.
static void gap_slope(const push_track* k, const touch* at, const double pose[3],
                      const double* pose_slope, double* out)
{
    const size_t P = bri_push_parameters(k);
    for (size_t p = 0; p < P; p++) {
        const double dpose[3] = {pose_slope[p], pose_slope[P + p], pose_slope[2 * P + p]};
        const br_vec2 dq = tip_change(k, p, at, pose, dpose);
        out[p] = -br_vec2_dot(at->n, dq) - (k->has_radius && p == P - 1);
    }
}

// One sub-step by the midpoint rule. 1: the tip pushes.
static int sub_step(const push_track* k, double pose[3], br_vec2 from, br_vec2 delta, double* spin,
                    double* slope)
{
    const size_t P = bri_push_parameters(k);
    double *v_slope = k->work, *middle_slope = v_slope + 3 * P, *gap_by = middle_slope + 3 * P;
    const touch at_start = touch_at(k, pose, from);
    if (at_start.gap > br_vec2_norm(delta)) {
        return 0;
    }
    const instant first = instant_at(k, pose, from, delta, at_start.gap, spin);
    double middle[3], next[3];
    move(pose, first.v, 0.5, middle);
    const instant second =
        instant_at(k, middle, add_scaled(0.5, delta, from), delta, at_start.gap, spin);
    move(pose, second.v, 1.0, next);
    if (slope) {
        gap_slope(k, &at_start, pose, slope, gap_by);
        instant_slope(k, &first, pose, slope, gap_by, v_slope);
        move_slope(k, pose, first.v, 0.5, slope, v_slope, middle_slope);
        instant_slope(k, &second, middle, middle_slope, gap_by, v_slope);
        move_slope(k, pose, second.v, 1.0, slope, v_slope, slope);
    }
    memcpy(pose, next, sizeof next);
    return second.mode != APART;
}

double bri_push_end(const push_track* k, const br_fit_push* push, double end[3], double* slope)
{
    const double unit = k->feet->unit, *offset = k->offset;
    const br_vec2 from = {push->from.x / unit + offset[0], push->from.y / unit + offset[1]};
    const br_vec2 path = {(push->to.x - push->from.x) / unit, (push->to.y - push->from.y) / unit};
    const double size = br_outline_get_radius(k->outline) / unit;
    const int per_size = k->steps_per_size ? k->steps_per_size : STEPS_PER_SIZE;
    const double wanted = ceil(per_size * br_vec2_norm(path) / size);
    const int steps = wanted >= 1.0 ? (int)fmin(wanted, MOST_STEPS) : 1;
    const br_vec2 delta = {path.x / steps, path.y / steps};
    double spin = 0.0;
    int touching = 0;
    end[0] = push->start.x / unit, end[1] = push->start.y / unit, end[2] = push->start.theta;
    if (slope) {
        memset(slope, 0, 3 * bri_push_parameters(k) * sizeof *slope);
    }
    for (int i = 0; i < steps; i++) {
        touching += sub_step(k, end, add_scaled(i, delta, from), delta, &spin, slope);
    }
    return (double)touching / steps;
}
