/*
 * Random quasi-static pushes of a body on support points.
 *
 * Oracle: least dissipation. Friction of points i with shares p_i under a body with twist V dissipates
 * D(V) = sum p_i |v_i|, a convex function. A tip that sticks moves its point of the body with it; the body
 * takes the spin of least D. A tip that slides pushes along an edge of its cone, e = n -+ mu t; the body takes
 * the twist of least D among those with the same power u.e of the tip's force, scaled to u.n = v.n.
 */
#include <math.h>
#include <stdlib.h>

#include "bristle/limit.h"
#include "bristle/pushing.h"
#include "others.h"

enum { MOST_POINTS = 8 };

typedef struct push_case {
    br_support_point points[MOST_POINTS];
    size_t count;
    br_vec2 point, normal, velocity; // of the tip, body frame
    double mu;
} push_case;

// D of a twist whose velocity at the tip's point is (ux, uy)
static double dissipation(const push_case* of, double ux, double uy, double w)
{
    double sum = 0, total = 0;
    for (size_t i = 0; i < of->count; i++) {
        const double x = of->points[i].x - of->point.x, y = of->points[i].y - of->point.y;
        sum += of->points[i].weight * hypot(ux - w * y, uy + w * x);
        total += of->points[i].weight;
    }
    return sum / total;
}

// the spin of least dissipation, by golden sections: |w| <= |u|/(distance of the nearest useful turn)
static double best_spin(const push_case* of, double ux, double uy, double* least)
{
    static const double golden = 0.6180339887498949;
    double low = -2000, high = 2000;
    double a = high - golden * (high - low), b = low + golden * (high - low);
    double fa = dissipation(of, ux, uy, a), fb = dissipation(of, ux, uy, b);
    for (int i = 0; i < 90; i++) {
        if (fa < fb) {
            high = b, b = a, fb = fa;
            a = high - golden * (high - low);
            fa = dissipation(of, ux, uy, a);
        } else {
            low = a, a = b, fa = fb;
            b = low + golden * (high - low);
            fb = dissipation(of, ux, uy, b);
        }
    }
    *least = fmin(fa, fb);
    return (low + high) / 2;
}

// the least dissipation of a tip with velocity u
static double least_of(const push_case* of, double ux, double uy)
{
    double least;
    best_spin(of, ux, uy, &least);
    return least;
}

// force of the tip that sticks: the gradient of the least dissipation by its velocity
static br_vec2 stick_force(const push_case* of)
{
    const br_vec2 v = of->velocity;
    const double h = 1e-5 * hypot(v.x, v.y);
    return (br_vec2){(least_of(of, v.x + h, v.y) - least_of(of, v.x - h, v.y)) / (2 * h),
                     (least_of(of, v.x, v.y + h) - least_of(of, v.x, v.y - h)) / (2 * h)};
}

/*
 * Velocity of the body at the tip: u = (v.n) n + s t, s of least D(u)/(u.e) for the edge e = n + side mu t. This
 * ratio does not change if u is scaled, and is quasi-convex where u.e = v.n + side mu s > 0.
 */
static br_vec2 slide_velocity(const push_case* of, int side)
{
    static const double golden = 0.6180339887498949;
    const br_vec2 n = of->normal, t = {-n.y, n.x};
    const double vn = of->velocity.x * n.x + of->velocity.y * n.y;
    const double end = fmin(20, 0.999 / of->mu) * vn;
    double low = side > 0 ? -end : -20 * vn, high = side > 0 ? 20 * vn : end;
    for (int i = 0; i < 80; i++) {
        const double s[2] = {high - golden * (high - low), low + golden * (high - low)};
        double ratio[2];
        for (int k = 0; k < 2; k++) {
            ratio[k] = least_of(of, vn * n.x + s[k] * t.x, vn * n.y + s[k] * t.y) /
                       (vn + side * of->mu * s[k]);
        }
        if (ratio[0] < ratio[1]) {
            high = s[1];
        } else {
            low = s[0];
        }
    }
    const double s = (low + high) / 2;
    return (br_vec2){vn * n.x + s * t.x, vn * n.y + s * t.y};
}

// velocity of the body at the tip's point, by the oracle; *side: 0 sticks, -1 or 1: which edge of its cone the
// force is on; *is_clear: not within a hundredth of the edge
static br_vec2 expected_velocity(const push_case* of, int* side, bool* is_clear)
{
    const br_vec2 f = stick_force(of), n = of->normal;
    const double fn = f.x * n.x + f.y * n.y, ft = -f.x * n.y + f.y * n.x;
    *side = fn > 0 && fabs(ft) <= of->mu * fn ? 0 : ft > 0 ? 1 : -1;
    *is_clear = fabs(fabs(ft) - of->mu * fn) > 0.01;
    return *side == 0 ? of->velocity : slide_velocity(of, *side);
}

static push_case draw_push(uint64_t* state)
{
    push_case out = {.count = 3 + (size_t)draw(state, 0, MOST_POINTS - 2)};
    for (size_t i = 0; i < out.count; i++) {
        out.points[i] = (br_support_point){draw(state, -0.05, 0.05), draw(state, -0.05, 0.05),
                                           draw(state, 0.2, 1)};
    }
    const double phi = draw(state, -3.2, 3.2), turn = draw(state, -1.2, 1.2);
    const double speed = draw(state, 0.005, 0.2);
    out.normal = (br_vec2){cos(phi), sin(phi)};
    out.point = (br_vec2){-0.06 * cos(phi) - draw(state, -0.05, 0.05) * sin(phi),
                          -0.06 * sin(phi) + draw(state, -0.05, 0.05) * cos(phi)};
    out.velocity = (br_vec2){speed * cos(phi + turn), speed * sin(phi + turn)};
    out.mu = draw(state, 0.02, 0.8);
    return out;
}

static br_limit* make_surface(const push_case* of, br_patch** patch)
{
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_POINTS;
    def.points = of->points;
    def.count = of->count;
    br_limit_def limit = br_limit_def_default();
    br_limit* out;
    if (br_patch_create(&def, patch, NULL) != BR_OK) {
        abort();
    }
    limit.patch = *patch;
    if (br_limit_create(&limit, &out, NULL) != BR_OK) {
        abort();
    }
    return out;
}

static size_t check_push(size_t index, const push_case* of)
{
    br_patch* patch;
    br_limit* surface = make_surface(of, &patch);
    br_pushing pushing = br_pushing_default();
    pushing.surface = surface;
    pushing.mu = of->mu;
    const br_push push = br_pushing_eval(&pushing, of->point, of->normal, of->velocity);
    const br_vec2 centre = br_pushing_get_centre(&pushing);
    const double x = of->point.x - centre.x, y = of->point.y - centre.y;
    const br_vec2 ours = {push.twist.vx - push.twist.w * y, push.twist.vy + push.twist.w * x};
    int side;
    bool is_clear;
    const br_vec2 theirs = expected_velocity(of, &side, &is_clear);
    const double speed = hypot(of->velocity.x, of->velocity.y);
    double least;
    best_spin(of, theirs.x, theirs.y, &least);
    // golden sections find a minimum to the root of rounding; a flat one is judged by its dissipation
    size_t failed = is_off("velocity at the tip of a push", index,
                           hypot(ours.x - theirs.x, ours.y - theirs.y), 0, 1e-3 * speed);
    failed += is_off("dissipation of a push", index, dissipation(of, ours.x, ours.y, push.twist.w),
                     least, 1e-3 * speed);
    failed += is_clear && is_off("mode of a push", index, push.mode == BR_PUSH_STICK, side == 0, 0);
    br_limit_destroy(surface);
    br_patch_destroy(patch);
    return failed;
}

size_t check_pushes(uint64_t seed, size_t count)
{
    size_t failed = 0;
    for (size_t index = 0; index < count; index++) {
        uint64_t state = seed * 1000033 + index;
        const push_case of = draw_push(&state);
        failed += check_push(index, &of) > 0;
    }
    return failed;
}
