/*
 * Support points: sums, and the smallest of all possible wrenches if a point is at rest.
 *
 *   v_i = v_t + w q_i,   q_i = z x rho_i,   f = -sum w_i v_i/|v_i|,   tau = -sum w_i q_i.v_i/|v_i|
 *
 * A point at rest may carry any force b within the unit disc, times its weight.
 */
#include "limit/exact_internal.h"
#include "patch/patch_internal.h"

// Rounding error of v_t + w q, relative to its terms: below that a point is at rest.
static const double rest = 4.0 * 0x1p-52;

// A point's velocity.
typedef struct point_motion {
    br_vec2 q, v;
    double speed;
    int at_rest;
} point_motion;

static point_motion motion_of(const exact* surface, br_support_point point, br_twist v)
{
    const br_vec2 q = {-point.y, point.x};
    const br_vec2 at = {v.vx + v.w * q.x, v.vy + v.w * q.y};
    const double speed = br_vec2_norm(at);
    const double parts = fabs(v.vx) + fabs(v.vy) + fabs(v.w) * (fabs(q.x) + fabs(q.y));
    return (point_motion){q, at, speed, !(speed > rest * (parts + fabs(v.w) * surface->blur))};
}

// Direction of a point's velocity minus that of the CoP, u, without cancellation:
//   v/|v| - u = (delta - u a/(1 + n))/n,   v = V (u + delta), n = |u + delta|, a = n^2 - 1
static br_vec2 direction_change(br_vec2 u, br_vec2 delta)
{
    const double a = 2.0 * br_vec2_dot(u, delta) + br_vec2_dot(delta, delta);
    const double n = br_vec2_norm(br_vec2_add(u, delta));
    const br_vec2 back = br_vec2_scale(a / (1.0 + n), u);
    return br_vec2_scale(1.0 / n, br_vec2_sub(delta, back));
}

// The point of the unit disc that minimises |m b|^2/2 - g.b in axes where m^2 = diag(mx, my).
static br_vec2 smallest_in_disc(double mx, double my, br_vec2 g)
{
    // b = (m^2 + lambda)^-1 g, lambda >= 0 with |b| <= 1; Newton on 1/|b| from below converges
    double lambda = 0.0;
    br_vec2 b = {g.x / mx, g.y / my};
    for (int round = 0; round < 50; round++) {
        const double norm = br_vec2_norm(b);
        if (norm <= 1.0 + 1e-15) {
            break;
        }
        const double slope = b.x * b.x / (mx + lambda) + b.y * b.y / (my + lambda);
        lambda += (norm - 1.0) * norm * norm / slope;
        b = (br_vec2){g.x / (mx + lambda), g.y / (my + lambda)};
    }
    return b;
}

// Add the force of the points at rest (total `weight`) that gives the smallest |(f, tau/r)|.
static void add_rest(const exact* surface, br_wrench* f, br_vec2 q, double weight)
{
    // unit vectors along q and across it; r in local units
    const double r = surface->r / surface->size, length = br_vec2_norm(q);
    const br_vec2 e = length > 0.0 ? br_vec2_scale(1.0 / length, q) : (br_vec2){1.0, 0.0};
    const br_vec2 t = {-e.y, e.x}, moving = {f->fx, f->fy};
    const double lever = r > 0.0 ? length / r : 0.0, torque = r > 0.0 ? f->tau / r : 0.0;

    // |f + w b|^2 + (tau + w q.b)^2/r^2 has the Hessian w^2 diag(1 + lever^2, 1)
    const br_vec2 g = {-(br_vec2_dot(moving, e) + lever * torque) / weight,
                       -br_vec2_dot(moving, t) / weight};
    const br_vec2 b = smallest_in_disc(1.0 + lever * lever, 1.0, g);
    f->fx += weight * (b.x * e.x + b.y * t.x);
    f->fy += weight * (b.x * e.y + b.y * t.y);
    f->tau += weight * b.x * length;
}

static br_limit_value points_value(const exact* surface, br_twist v)
{
    const double V = hypot(v.vx, v.vy);
    const int is_fast = V > fabs(v.w); // the CoP moves: sum differences from its direction
    const br_vec2 u = is_fast ? (br_vec2){v.vx / V, v.vy / V} : (br_vec2){0.0, 0.0};
    br_limit_value value = {0.0, {0.0, 0.0, 0.0}, 0};
    br_vec2 rest_q = {0.0, 0.0};
    double rest_weight = 0.0, weight = 0.0;
    for (size_t i = 0; i < surface->count; i++) {
        const br_support_point point = surface->points[i];
        const point_motion at = motion_of(surface, point, v);
        if (at.at_rest) {
            rest_weight += point.weight;
            rest_q = at.q;
            continue;
        }
        const br_vec2 change = is_fast ? direction_change(u, br_vec2_scale(v.w / V, at.q))
                                       : br_vec2_scale(1.0 / at.speed, at.v);
        value.dissipation += point.weight * at.speed;
        value.wrench.fx -= point.weight * change.x;
        value.wrench.fy -= point.weight * change.y;
        value.wrench.tau -= point.weight * br_vec2_dot(at.q, change);
        weight += point.weight;
    }
    // sum w q = 0 at the CoP: the common direction gives a torque only if some points are at rest
    value.wrench.fx -= weight * u.x;
    value.wrench.fy -= weight * u.y;
    value.wrench.tau += rest_weight * br_vec2_dot(rest_q, u);
    if (rest_weight > 0.0) {
        add_rest(surface, &value.wrench, rest_q, rest_weight);
        value.set_valued = 1;
    }
    return value;
}

static void points_hessian(const exact* surface, br_twist v, double hessian[3][3])
{
    for (size_t i = 0; i < surface->count; i++) {
        const br_support_point point = surface->points[i];
        const point_motion at = motion_of(surface, point, v);
        if (at.at_rest) {
            continue;
        }
        // w_i/|v_i| a a, a = (t, t.q), t across v_i
        const br_vec2 t = {-at.v.y / at.speed, at.v.x / at.speed};
        const double a[3] = {t.x, t.y, br_vec2_dot(t, at.q)};
        for (int kl = 0; kl < 9; kl++) {
            hessian[kl / 3][kl % 3] += point.weight / at.speed * a[kl / 3] * a[kl % 3];
        }
    }
}

static br_limit_value points_eval(const exact* surface, br_twist v, double hessian[3][3])
{
    if (hessian) {
        points_hessian(surface, v, hessian);
    }
    return points_value(surface, v);
}

static const exact_shape points_shape = {points_eval};

// Position of a point from the CoP; 0 if there is only one.
static br_vec2 from_cop(br_support_point point, br_vec2 cop, int is_one)
{
    return is_one ? (br_vec2){0.0, 0.0} : (br_vec2){point.x - cop.x, point.y - cop.y};
}

int bri_exact_fill_points(exact* surface, const br_patch_def* def, br_vec2 cop)
{
    surface->points = bri_exact_own(surface, def->count, sizeof *surface->points);
    if (!surface->points) {
        return 0;
    }
    surface->shape = &points_shape;
    surface->count = def->count;
    const int is_one = bri_points_coincide(def);
    double total = 0.0;
    for (size_t i = 0; i < def->count; i++) {
        const br_vec2 rho = from_cop(def->points[i], cop, is_one);
        surface->size = fmax(surface->size, br_vec2_norm(rho));
        total += def->points[i].weight;
    }
    surface->size = surface->size > 0.0 ? surface->size : 1.0;
    surface->blur = (br_vec2_norm(def->centre) + br_vec2_norm(cop)) / surface->size;
    for (size_t i = 0; i < def->count; i++) {
        const br_vec2 rho = from_cop(def->points[i], cop, is_one);
        surface->points[i] = (br_support_point){rho.x / surface->size, rho.y / surface->size,
                                                def->points[i].weight / total};
    }
    return 1;
}

int bri_exact_fill_point(exact* surface)
{
    const br_support_point point = {0.0, 0.0, 1.0};
    const br_patch_def def = {.shape = BR_SHAPE_POINTS, .count = 1, .points = &point};
    return bri_exact_fill_points(surface, &def, (br_vec2){0.0, 0.0});
}

size_t bri_exact_kink_count(const exact* surface)
{
    return surface->count;
}

br_twist bri_exact_kink_get(const exact* surface, size_t index)
{
    // v_t = -q, turned into the contact frame [m]
    const br_support_point point = surface->points[index];
    const double x = surface->size * point.y, y = -surface->size * point.x;
    const double c = surface->cosine, s = surface->sine;
    return (br_twist){c * x - s * y, s * x + c * y, 1.0};
}
