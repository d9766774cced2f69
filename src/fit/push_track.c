/*
 * One push with its derivatives: see push_track.h. P = candidates + 1 parameters; derivatives of a vector are rows
 * of P numbers.
 */
#include "fit/push_track.h"

#include <string.h>

enum { STEPS_PER_SIZE = 30, MOST_STEPS = 2000 };

size_t bri_push_room(size_t candidates)
{
    return 13 * (candidates + 1);
}

// Where the tip touches, body frame, and how that moves with the tip: d c = slide t (t.dq), d n = -turn t (t.dq).
typedef struct touch {
    double q[2], gap;
    double c[2], n[2], t[2]; // contact, unit normal into the body, its left
    double slide, turn;
} touch;

// What one instant does: the twist, and what its derivatives need.
typedef struct instant {
    touch at;
    double delta[2], d[2]; // the tip's way, and that less the gap; body frame
    double gap;
    int mode; // 0: apart, 1: stick, 2: slide
    double side;
    double v[3], u[3], scale; // v = scale u; u = v where it sticks
    footprint_value value;    // at u
} instant;

static void turn_back(double theta, const double a[2], double out[2])
{
    const double c = cos(theta), s = sin(theta);
    out[0] = c * a[0] + s * a[1];
    out[1] = c * a[1] - s * a[0];
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

static touch touch_at(const push_track* k, const double pose[3], const double tip[2])
{
    touch at;
    const double away[2] = {tip[0] - pose[0], tip[1] - pose[1]}, unit = k->feet->unit;
    turn_back(pose[2], away, at.q);
    const br_outline_place place =
        br_outline_eval(k->outline, (br_vec2){unit * at.q[0], unit * at.q[1]});
    at.gap = place.distance / unit - k->radius;
    at.c[0] = place.nearest.x / unit, at.c[1] = place.nearest.y / unit;
    at.n[0] = -place.normal.x, at.n[1] = -place.normal.y;
    at.t[0] = -at.n[1], at.t[1] = at.n[0];
    set_motion(k, &place, &at);
    return at;
}

static double dot2(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

static double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The tip slides: v of the load along the edge of its cone.
static void slide(const push_track* k, instant* it)
{
    const double *c = it->at.c, *n = it->at.n, *t = it->at.t;
    const double phi[2] = {n[0] + it->side * k->mu * t[0], n[1] + it->side * k->mu * t[1]};
    const double load[3] = {phi[0], phi[1], c[0] * phi[1] - c[1] * phi[0]};
    const double m[3] = {n[0], n[1], c[0] * n[1] - c[1] * n[0]};
    memset(it->u, 0, sizeof it->u);
    bri_footprint_slide(k->feet, k->weights, load, it->u);
    it->mode = 2;
    it->scale = dot2(it->d, n) / dot3(m, it->u);
    it->value = bri_footprint_eval(k->feet, k->weights, it->u);
    for (int i = 0; i < 3; i++) {
        it->v[i] = it->scale * it->u[i];
    }
}

// What the body does while the tip moves by `delta` (world), its gap being what it was at the sub-step's start.
static instant instant_at(const push_track* k, const double pose[3], const double tip[2],
                          const double delta[2], double gap, double* spin)
{
    instant it = {.at = touch_at(k, pose, tip), .gap = gap, .scale = 1.0};
    const double *n = it.at.n, *c = it.at.c;
    turn_back(pose[2], delta, it.delta);
    it.d[0] = it.delta[0] - gap * n[0];
    it.d[1] = it.delta[1] - gap * n[1];
    if (!(dot2(it.d, n) > 0.0)) {
        return it;
    }
    it.mode = 1;
    bri_footprint_stick(k->feet, k->weights, c, it.d, spin);
    it.v[0] = it.d[0] + *spin * c[1], it.v[1] = it.d[1] - *spin * c[0], it.v[2] = *spin;
    memcpy(it.u, it.v, sizeof it.u);
    it.value = bri_footprint_eval(k->feet, k->weights, it.u);
    const double across = dot2(it.value.slope, it.at.t);
    if (fabs(across) > k->mu * dot2(it.value.slope, n)) {
        it.side = copysign(1.0, across);
        slide(k, &it);
    }
    return it;
}

static void times_bend(const double h[6], const double a[3], double out[3])
{
    out[0] = h[0] * a[0] + h[1] * a[1] + h[2] * a[2];
    out[1] = h[1] * a[0] + h[3] * a[1] + h[4] * a[2];
    out[2] = h[2] * a[0] + h[4] * a[1] + h[5] * a[2];
}

// How contact, normal and way of an instant change with a parameter that changes pose and gap.
typedef struct change {
    double c[2], n[2], d[2];
} change;

static change change_of(const instant* it, const double pose[3], const double dpose[3], double dgap)
{
    // q = R^T (tip - p)
    const touch* at = &it->at;
    double dq[2];
    const double back[2] = {-dpose[0], -dpose[1]};
    turn_back(pose[2], back, dq);
    dq[0] += dpose[2] * at->q[1];
    dq[1] -= dpose[2] * at->q[0];
    const double along = dot2(at->t, dq);
    change by;
    for (int i = 0; i < 2; i++) {
        by.c[i] = at->slide * along * at->t[i];
        by.n[i] = -at->turn * along * at->t[i];
    }
    by.d[0] = dpose[2] * it->delta[1] - dgap * at->n[0] - it->gap * by.n[0];
    by.d[1] = -dpose[2] * it->delta[0] - dgap * at->n[1] - it->gap * by.n[1];
    return by;
}

// dw = -(b.H dv + db.g + b.dg)/(b.H b)
static void stick_change(const instant* it, const change* by, const double dg[3], double dv[3])
{
    const double *c = it->at.c, *g = it->value.slope, w = it->v[2];
    const double b[3] = {c[1], -c[0], 1.0};
    const double dv0[3] = {by->d[0] + w * by->c[1], by->d[1] - w * by->c[0], 0.0};
    double hb[3];
    times_bend(it->value.bend, b, hb);
    const double dw =
        -(dot3(hb, dv0) + by->c[1] * g[0] - by->c[0] * g[1] + dot3(b, dg)) / dot3(hb, b);
    for (int i = 0; i < 3; i++) {
        dv[i] = dv0[i] + dw * b[i];
    }
}

// (g g^T + D H) du = dL - D dg - g (u.dg), then the change of the scale.
static void slide_change(const push_track* k, const instant* it, const change* by,
                         const double dg[3], double dmu, double dv[3])
{
    const double *c = it->at.c, *n = it->at.n, *t = it->at.t, *g = it->value.slope, *u = it->u,
                 D = it->value.D;
    const double dt[2] = {-by->n[1], by->n[0]}, mu = it->side * k->mu;
    const double phi[2] = {n[0] + mu * t[0], n[1] + mu * t[1]};
    const double dphi[2] = {by->n[0] + mu * dt[0] + it->side * dmu * t[0],
                            by->n[1] + mu * dt[1] + it->side * dmu * t[1]};
    const double dload[3] = {
        dphi[0], dphi[1], by->c[0] * phi[1] - by->c[1] * phi[0] + c[0] * dphi[1] - c[1] * dphi[0]};
    const double drift = dot3(u, dg);
    double rhs[3], bend[6], du[3];
    for (int i = 0, p = 0; i < 3; i++) {
        rhs[i] = dload[i] - D * dg[i] - g[i] * drift;
        for (int j = i; j < 3; j++, p++) {
            bend[p] = g[i] * g[j] + D * it->value.bend[p];
        }
    }
    bri_solve_spd3(bend, rhs, du);
    const double m[3] = {n[0], n[1], c[0] * n[1] - c[1] * n[0]};
    const double dm[3] = {by->n[0], by->n[1],
                          by->c[0] * n[1] - by->c[1] * n[0] + c[0] * by->n[1] - c[1] * by->n[0]};
    const double dscale =
        (dot2(by->d, n) + dot2(it->d, by->n) - it->scale * (dot3(dm, u) + dot3(m, du))) /
        dot3(m, u);
    for (int i = 0; i < 3; i++) {
        dv[i] = dscale * u[i] + it->scale * du[i];
    }
}

// Derivatives of the twist by all parameters (3 x P), from those of the pose (3 x P) and the gap (P).
static void instant_slope(const push_track* k, const instant* it, const double pose[3],
                          const double* pose_slope, const double* gap_slope, double* out)
{
    const size_t m = k->feet->count, P = m + 1;
    if (it->mode == 0) {
        memset(out, 0, 3 * P * sizeof *out);
        return;
    }
    for (size_t p = 0; p < P; p++) {
        const double dpose[3] = {pose_slope[p], pose_slope[P + p], pose_slope[2 * P + p]};
        const change by = change_of(it, pose, dpose, gap_slope[p]);
        double dg[3] = {0.0, 0.0, 0.0}, dv[3];
        if (p < m) {
            bri_footprint_column(k->feet, p, it->u, dg);
        }
        if (it->mode == 1) {
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
    const size_t P = k->feet->count + 1;
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

// d gap = normal.dq, the normal pointing out of the body.
static void gap_slope(const push_track* k, const touch* at, const double pose[3],
                      const double* pose_slope, double* out)
{
    const size_t P = k->feet->count + 1;
    for (size_t p = 0; p < P; p++) {
        const double back[2] = {-pose_slope[p], -pose_slope[P + p]}, turn = pose_slope[2 * P + p];
        double dq[2];
        turn_back(pose[2], back, dq);
        dq[0] += turn * at->q[1];
        dq[1] -= turn * at->q[0];
        out[p] = -dot2(at->n, dq);
    }
}

// One sub-step by the midpoint rule. 1: the tip pushes.
static int sub_step(const push_track* k, double pose[3], const double from[2],
                    const double delta[2], double* spin, double* slope)
{
    const size_t P = k->feet->count + 1;
    double *v_slope = k->room, *middle_slope = v_slope + 3 * P, *gap_by = middle_slope + 3 * P;
    const touch begin = touch_at(k, pose, from);
    if (begin.gap > sqrt(dot2(delta, delta))) {
        return 0;
    }
    const instant first = instant_at(k, pose, from, delta, begin.gap, spin);
    double middle[3], next[3];
    move(pose, first.v, 0.5, middle);
    const double halfway[2] = {from[0] + 0.5 * delta[0], from[1] + 0.5 * delta[1]};
    const instant second = instant_at(k, middle, halfway, delta, begin.gap, spin);
    move(pose, second.v, 1.0, next);
    if (slope) {
        gap_slope(k, &begin, pose, slope, gap_by);
        instant_slope(k, &first, pose, slope, gap_by, v_slope);
        move_slope(k, pose, first.v, 0.5, slope, v_slope, middle_slope);
        instant_slope(k, &second, middle, middle_slope, gap_by, v_slope);
        move_slope(k, pose, second.v, 1.0, slope, v_slope, slope);
    }
    memcpy(pose, next, sizeof next);
    return second.mode != 0;
}

double bri_push_end(const push_track* k, const br_fit_push* push, double end[3], double* slope)
{
    const double unit = k->feet->unit, from[2] = {push->from.x / unit, push->from.y / unit};
    const double way[2] = {push->to.x / unit - from[0], push->to.y / unit - from[1]};
    const double size = br_outline_get_radius(k->outline) / unit;
    const int per_size = k->steps_per_size ? k->steps_per_size : STEPS_PER_SIZE;
    const double wanted = ceil(per_size * sqrt(dot2(way, way)) / size);
    const int steps = wanted >= 1.0 ? (int)fmin(wanted, MOST_STEPS) : 1;
    const double delta[2] = {way[0] / steps, way[1] / steps};
    double spin = 0.0;
    int touching = 0;
    end[0] = push->start.x / unit, end[1] = push->start.y / unit, end[2] = push->start.theta;
    if (slope) {
        memset(slope, 0, 3 * (k->feet->count + 1) * sizeof *slope);
    }
    for (int i = 0; i < steps; i++) {
        const double tip[2] = {from[0] + i * delta[0], from[1] + i * delta[1]};
        touching += sub_step(k, end, tip, delta, &spin, slope);
    }
    return (double)touching / steps;
}
