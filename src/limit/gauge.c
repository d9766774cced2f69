/*
 * The gauge of a wrench, and the direction in which the body slides.
 *
 * In the units L = (f_x, f_y, tau/r), x = (v_x, v_y, r w), with l = L/|L|,
 *
 *   gauge = max f.v/D(v) = |L|/min {D(x) : l.x = 1}
 *
 * a convex problem in two unknowns y, x = l + y_1 b_1 + y_2 b_2, where l itself is the answer for
 * the ellipsoid (22). Levenberg's damped Newton method solves it where D is smooth. D has kinks
 * where a support point is at rest; those twists are evaluated separately, and the best result is
 * taken: every twist gives a lower bound.
 *
 * For a torque alone, l = (0, 0, 1), the plane contains all twists of one spin and D is G(c) of
 * their centres of rotation c: its minimiser is W&K's p_s.
 */
#include "limit/limit_internal.h"

enum { MAX_ROUNDS = 100 };

typedef struct vec3 {
    double at[3];
} vec3;

// The problem: minimise over the plane through l spanned by b_1 and b_2.
typedef struct plane {
    const br_limit* surface;
    double r;
    double gain; // stop when a step reduces D by less than this, relative to D
    vec3 l, b[2];
} plane;

// D and its gradient and Hessian along b_1, b_2.
typedef struct plane_value {
    double D;
    double slope[2];
    double bend[3]; // 11, 12, 22
} plane_value;

static double dot(vec3 a, vec3 b)
{
    return a.at[0] * b.at[0] + a.at[1] * b.at[1] + a.at[2] * b.at[2];
}

static vec3 cross(vec3 a, vec3 b)
{
    return (vec3){{a.at[1] * b.at[2] - a.at[2] * b.at[1], a.at[2] * b.at[0] - a.at[0] * b.at[2],
                   a.at[0] * b.at[1] - a.at[1] * b.at[0]}};
}

static vec3 unit(vec3 a)
{
    const double norm = sqrt(dot(a, a));
    return (vec3){{a.at[0] / norm, a.at[1] / norm, a.at[2] / norm}};
}

static br_twist twist_of(const plane* p, vec3 x)
{
    return (br_twist){x.at[0], x.at[1], x.at[2] / p->r};
}

// x = l + y_1 b_1 + y_2 b_2
static vec3 point_of(const plane* p, const double y[2])
{
    vec3 x;
    for (int i = 0; i < 3; i++) {
        x.at[i] = p->l.at[i] + y[0] * p->b[0].at[i] + y[1] * p->b[1].at[i];
    }
    return x;
}

static plane plane_across(const br_limit* surface, vec3 l, double r, double gain)
{
    // the axis with the smallest component along l gives the best conditioned cross product
    vec3 axis = {{0.0, 0.0, 0.0}};
    int smallest = 0;
    for (int i = 1; i < 3; i++) {
        smallest = fabs(l.at[i]) < fabs(l.at[smallest]) ? i : smallest;
    }
    axis.at[smallest] = 1.0;
    const vec3 b = unit(cross(l, axis));
    return (plane){surface, r, gain, l, {b, cross(l, b)}};
}

// Value and jacobian; the exact surface has both from one sum over its edges or points.
static br_limit_value eval_both(const br_limit* surface, br_twist v, double jacobian[3][3])
{
    if (surface->def.method == BR_LIMIT_EXACT && surface->exact) {
        return bri_exact_eval(surface->exact, v, jacobian);
    }
    br_limit_jacobian_eval(surface, v, jacobian);
    return br_limit_eval(surface, v);
}

static plane_value evaluate(const plane* p, const double y[2])
{
    const br_twist v = twist_of(p, point_of(p, y));
    double jacobian[3][3];
    const br_limit_value value = eval_both(p->surface, v, jacobian);
    const br_wrench f = value.wrench;
    const vec3 slope = {{-f.fx, -f.fy, -f.tau / p->r}};
    const double scale[3] = {1.0, 1.0, 1.0 / p->r};
    plane_value at = {value.dissipation, {dot(slope, p->b[0]), dot(slope, p->b[1])}, {0.0}};
    for (int ij = 0; ij < 9; ij++) {
        const int i = ij / 3, j = ij % 3;
        const double entry = -jacobian[i][j] * scale[i] * scale[j];
        at.bend[0] += p->b[0].at[i] * entry * p->b[0].at[j];
        at.bend[1] += p->b[0].at[i] * entry * p->b[1].at[j];
        at.bend[2] += p->b[1].at[i] * entry * p->b[1].at[j];
    }
    return at;
}

static double slope_norm(const plane_value* at)
{
    return hypot(at->slope[0], at->slope[1]);
}

// y - (bend + damping)^-1 slope
static void newton_step(const plane_value* at, double damping, const double y[2], double next[2])
{
    const double a = at->bend[0] + damping, b = at->bend[1], c = at->bend[2] + damping;
    const double det = a * c - b * b;
    next[0] = y[0] - (c * at->slope[0] - b * at->slope[1]) / det;
    next[1] = y[1] - (a * at->slope[1] - b * at->slope[0]) / det;
}

static const double rounding_of_D = 1e-14; // relative
static const double level_slope = 1e-12;   // over D: below it a minimum is smooth, not a kink
static const double last_slope = 1e-13;    // over D: below it a step that does not gain is the last

// A smaller D; or, where D differs only by rounding, a smaller slope.
static int is_better(const plane_value* next, const plane_value* at)
{
    const double rounding = rounding_of_D * at->D;
    return next->D < at->D - rounding ||
           (next->D < at->D + rounding && slope_norm(next) < slope_norm(at));
}

// Decrease of D over a step, by the quadratic model of Newton's method.
static double expected_gain(const plane_value* at, const double y[2], const double next[2])
{
    return 0.5 * (at->slope[0] * (y[0] - next[0]) + at->slope[1] * (y[1] - next[1]));
}

// Minimise D over the plane from y = 0; y becomes the minimiser.
static plane_value minimise(const plane* p, double y[2])
{
    plane_value at = evaluate(p, y);
    double damping = 1e-3;
    for (int round = 0; round < MAX_ROUNDS && slope_norm(&at) > 1e-15 * at.D; round++) {
        // relative to the curvature, but positive where D is flat
        const double scale = fabs(at.bend[0]) + fabs(at.bend[2]) + 1e-9 * at.D;
        double next[2];
        newton_step(&at, damping * scale, y, next);
        if (expected_gain(&at, y, next) < p->gain * at.D) {
            break;
        }
        const plane_value there = evaluate(p, next);
        if (is_better(&there, &at)) {
            y[0] = next[0];
            y[1] = next[1];
            at = there;
            damping = damping > 1e-14 ? 0.1 * damping : damping;
        } else if (damping > 1e12 || slope_norm(&at) < last_slope * at.D) {
            break; // no step is small enough: rounding, which grows with the number of edges or points
        } else {
            damping *= 5.0;
        }
    }
    return at;
}

// A lower bound of D at a point x of the plane: D is convex, so it is above its tangent at y.
static double tangent(const plane* p, const plane_value* at, const double y[2], vec3 x)
{
    return at->D + at->slope[0] * (dot(x, p->b[0]) - y[0]) +
           at->slope[1] * (dot(x, p->b[1]) - y[1]);
}

// Twists about support points, where D has a kink. Keeps the one with the largest gauge. Most
// cannot be better than y, by the tangent there, and are skipped: each evaluation is a sum over all
// points. At a smooth minimum the tangent is level except for rounding, and all are skipped.
static void try_kinks(const plane* p, const plane_value* at, const double y[2], double* D, vec3* x)
{
    if (p->surface->def.method != BR_LIMIT_EXACT) {
        return;
    }
    const int is_smooth = slope_norm(at) < level_slope * at->D;
    const double bound = is_smooth ? (1.0 - rounding_of_D) * at->D : at->D;
    const size_t count = bri_exact_kink_count(p->surface->exact);
    for (size_t i = 0; i < count; i++) {
        const br_twist v = bri_exact_kink_get(p->surface->exact, i);
        const vec3 kink = {{v.vx, v.vy, v.w * p->r}};
        const double along = dot(kink, p->l); // scaled by 1/along, of either sign, to l.x = 1
        const vec3 there = {{kink.at[0] / along, kink.at[1] / along, kink.at[2] / along}};
        if (tangent(p, at, y, there) > bound) {
            continue;
        }
        const double dissipation = br_limit_eval(p->surface, v).dissipation;
        if (dissipation < *D * fabs(along)) {
            *D = dissipation / fabs(along);
            *x = there;
        }
    }
}

static double set_slide(br_twist* slide, br_twist v, double D, double gauge)
{
    if (slide) {
        *slide = (br_twist){v.vx / D, v.vy / D, v.w / D};
    }
    return gauge;
}

// All force in one point: no torque can be held.
static double gauge_of_point(br_wrench load, br_twist* slide)
{
    const double force = hypot(load.fx, load.fy);
    if (load.tau > 0.0 || load.tau < 0.0) {
        return set_slide(slide, (br_twist){0.0, 0.0, copysign((double)INFINITY, load.tau)}, 1.0,
                         (double)INFINITY);
    }
    return set_slide(slide, (br_twist){load.fx, load.fy, 0.0}, force > 0.0 ? force : 1.0,
                     force + load.tau);
}

static double gauge_of(const br_limit* surface, br_wrench load, double gain, br_twist* slide)
{
    const double r = surface->value.r;
    if (!(r > 0.0)) {
        return gauge_of_point(load, slide);
    }
    // two calls of hypot avoid overflow; the sum keeps a NaN that hypot drops beside an infinity
    const double sum = load.fx + load.fy + load.tau;
    const double norm = isnan(sum) ? sum : hypot(hypot(load.fx, load.fy), load.tau / r);
    if (!(norm > 0.0) || isinf(norm)) {
        const double none = norm > 0.0 ? (double)NAN : norm; // infinite loads have no direction
        return set_slide(slide, (br_twist){none, none, none}, 1.0, norm);
    }
    const vec3 l = {{load.fx / norm, load.fy / norm, load.tau / r / norm}};
    const plane p = plane_across(surface, unit(l), r, gain);
    double y[2] = {0.0, 0.0};
    const plane_value at = minimise(&p, y);
    double D = at.D;
    vec3 x = point_of(&p, y);
    try_kinks(&p, &at, y, &D, &x);
    if (!(D > 0.0)) {
        return gauge_of_point(load, slide); // r is below the resolution of the surface
    }
    return set_slide(slide, twist_of(&p, x), D, norm / D);
}

// The gauge of M^-T f inside, where the slide is M v.
static double gauge_stretched(const stretched* s, br_wrench load, double gain, br_twist* slide)
{
    const map2 back = map2_cofactors(s->map);
    const br_vec2 f = map2_apply(back, (br_vec2){load.fx, load.fy});
    const double gauge =
        gauge_of(s->inside, (br_wrench){f.x / s->det, f.y / s->det, load.tau}, gain, slide);
    if (slide) {
        const br_vec2 v = map2_apply_transposed(back, (br_vec2){slide->vx, slide->vy});
        *slide = (br_twist){v.x / s->det, v.y / s->det, slide->w};
    }
    return gauge;
}

static double gauge_of_any(const br_limit* surface, br_wrench load, double gain, br_twist* slide)
{
    const stretched* s = bri_limit_stretched_of(surface);
    return s ? gauge_stretched(s, load, gain, slide) : gauge_of(surface, load, gain, slide);
}

double br_limit_gauge(const br_limit* surface, br_wrench load, br_twist* slide)
{
    BR_ASSERT(surface);
    return gauge_of_any(surface, load, -(double)INFINITY, slide);
}

double bri_limit_gauge_near(const br_limit* surface, br_wrench load, double gain)
{
    return gauge_of_any(surface, load, gain, NULL);
}

// Largest force over mu fn that rounding alone can cause in a spin about the CoP.
static const double no_force = 1e-13;

br_vec2 br_limit_get_spin_centre(const br_limit* surface, double* torque)
{
    BR_ASSERT(surface);
    const stretched* s = bri_limit_stretched_of(surface);
    if (s) { // centres of rotation map as positions do
        const br_vec2 inside = br_limit_get_spin_centre(s->inside, torque);
        return br_vec2_scale(1.0 / s->det, map2_apply_transposed(s->map, inside));
    }
    const br_limit as_exact = bri_limit_as_exact(surface);
    const br_vec2 cop = as_exact.value.cop;
    const br_limit_value about_cop = br_limit_eval(&as_exact, (br_twist){0.0, 0.0, 1.0});
    double min_torque = about_cop.dissipation;
    br_vec2 centre = cop;
    if (hypot(about_cop.wrench.fx, about_cop.wrench.fy) > no_force) {
        // of all twists of the same spin, the one caused by a torque alone has the smallest
        // dissipation: the plane of the gauge's problem is that of all centres of rotation
        br_twist slide;
        min_torque = 1.0 / br_limit_gauge(&as_exact, (br_wrench){0.0, 0.0, 1.0}, &slide);
        centre = (br_vec2){cop.x - slide.vy / slide.w, cop.y + slide.vx / slide.w};
    }
    if (torque) {
        *torque = min_torque;
    }
    return centre;
}
