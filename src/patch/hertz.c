/*
 * Elliptic Hertz contact. test/unit/test_hertz.c proves (1) to (3) from the integral equation of the half-space and, with
 * the integrals by quadrature, to 1e-12; the limits are a sphere on a plane and a line contact.
 *
 * The gap between the bodies is A x^2 + B y^2, A <= B half of the principal relative curvatures. The pressure
 * p0 (1 - (x/a)^2 - (y/b)^2)^(1/2) displaces the surfaces by (L - M x^2 - N y^2)/(pi E*), and with m = 1 - (b/a)^2 and
 * Bulirsch's parts K = B_m + D_m of the elliptic integrals (math/elliptic.h), which do not cancel for a circle,
 *
 *   A = p0 b D_m/(E* a^2),   B = p0 B_m/(E* b),   depth = p0 b K/E*                              (1)
 *   A/B = (b/a)^2 D_m/B_m                                                                     (2)
 *   fn = (2/3) p0 pi a b                                                                      (3)
 *
 * (2) gives b/a, then b^3 = 3 fn B_m (b/a)/(2 pi E* B).
 */
#include "bristle/hertz.h"

#include "base/definition.h"
#include "math/elliptic.h"

static const double min_ratio = 1e-6; // of semi-axes, as of ellipses

br_hertz_def br_hertz_def_default(void)
{
    return (br_hertz_def){.size = sizeof(br_hertz_def),
                          .radius_x = 0.01,
                          .radius_y = 0.01,
                          .ground_x = HUGE_VAL,
                          .ground_y = HUGE_VAL,
                          .modulus = 1e9};
}

double br_hertz_modulus(double e1, double nu1, double e2, double nu2)
{
    return 1.0 / ((1.0 - nu1 * nu1) / e1 + (1.0 - nu2 * nu2) / e2);
}

// Half of the principal relative curvatures, and the direction of the smaller one.
typedef struct gap {
    double A, B; // [1/m], A <= B
    double angle;
} gap;

static gap gap_of(const br_hertz_def* def)
{
    const double x = 1.0 / def->radius_x, y = 1.0 / def->radius_y;
    const double gx = 1.0 / def->ground_x, gy = 1.0 / def->ground_y;

    // curvatures as mean + half difference (cos, sin)(2 angle); those of both bodies add up
    const double mean = 0.5 * (x + y + gx + gy);
    const double along = 0.5 * ((x - y) + (gx - gy) * cos(2.0 * def->ground_angle));
    const double across = 0.5 * (gx - gy) * sin(2.0 * def->ground_angle);
    const double half = hypot(along, across), B = 0.5 * (mean + half);

    // A = (mean - half)/2, from the determinant 4 A B of the curvatures where that would cancel
    const double c = cos(def->ground_angle), s = sin(def->ground_angle), xy = (gx - gy) * c * s;
    const double det = (x + gx * c * c + gy * s * s) * (y + gx * s * s + gy * c * c) - xy * xy;
    const double A = half > 0.5 * mean ? 0.25 * det / B : 0.5 * (mean - half);
    return (gap){A, B, 0.5 * atan2(-across, -along)};
}

// A/B of a ratio b/a.                                                                        (2)
static double curvature_ratio(double ratio)
{
    const double mc = ratio * ratio;
    const elliptic_parts parts = bri_elliptic_parts_eval((1.0 - ratio) * (1.0 + ratio), mc);
    return mc * parts.D / parts.B;
}

// The ratio b/a of (2), which rises with A/B, by bisection of its logarithm.
static double solve_ratio(double of)
{
    double low = log(min_ratio), high = 0.0;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if (curvature_ratio(exp(middle)) < of) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return of < 1.0 ? exp(0.5 * (low + high)) : 1.0;
}

static br_status check_radius(const char* field, double radius, br_reason* why)
{
    if (!isnan(radius) && fabs(radius) > 0.0) {
        return BR_OK;
    }
    br_reason_set(why, field, "must not be 0: > 0 is convex, < 0 concave, infinite flat; got %g",
                  radius);
    return BR_ERR_DEF;
}

static br_status check_numbers(const br_hertz_def* def, br_reason* why)
{
    if (check_radius("radii[0]", def->radius_x, why) != BR_OK ||
        check_radius("radii[1]", def->radius_y, why) != BR_OK ||
        check_radius("ground[0]", def->ground_x, why) != BR_OK ||
        check_radius("ground[1]", def->ground_y, why) != BR_OK) {
        return BR_ERR_DEF;
    }
    if (!isfinite(def->ground_angle)) {
        br_reason_set(why, "ground_angle", "must be finite, got %g", def->ground_angle);
        return BR_ERR_DEF;
    }
    if (!(def->modulus > 0.0 && isfinite(def->modulus))) {
        br_reason_set(why, "modulus", "must be > 0 and finite, got %g", def->modulus);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

static br_status check_gap(gap g, br_reason* why)
{
    if (!(g.B > 0.0 && isfinite(g.B)) || !(g.A >= curvature_ratio(min_ratio) * g.B)) {
        br_reason_set(why, "radii",
                      "must touch in a point: both relative curvatures must be > 0 and not too "
                      "different, got %g 1/m and %g 1/m",
                      2.0 * g.A, 2.0 * g.B);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

// Semi-axes at 1 N, along the direction of the smaller curvature and across, and K.
typedef struct unit_ellipse {
    double a, b, K, angle;
} unit_ellipse;

static br_status solve(const br_hertz_def* given, unit_ellipse* out, double* modulus,
                       br_reason* why)
{
    br_hertz_def def = br_hertz_def_default();
    br_status status = DEFINITION_READ(br_hertz_def, given, &def, why);
    status = status == BR_OK ? check_numbers(&def, why) : status;
    const gap g = gap_of(&def);
    status = status == BR_OK ? check_gap(g, why) : status;
    if (status != BR_OK) {
        return status;
    }
    const double ratio = solve_ratio(g.A / g.B), mc = ratio * ratio;
    const elliptic_parts parts = bri_elliptic_parts_eval((1.0 - ratio) * (1.0 + ratio), mc);
    const double b = cbrt(3.0 * parts.B * ratio / (2.0 * BR_PI * def.modulus * g.B));
    *out = (unit_ellipse){b / ratio, b, parts.B + parts.D, g.angle};
    *modulus = def.modulus;
    return BR_OK;
}

// Name the axes so that x of the ellipse is next to x of the body.
static unit_ellipse turned(unit_ellipse e)
{
    const double turns = ceil(e.angle / (0.5 * BR_PI) - 0.5); // quarter turns
    const int is_odd = fmod(fabs(turns), 2.0) > 0.5;
    return (unit_ellipse){is_odd ? e.b : e.a, is_odd ? e.a : e.b, e.K,
                          e.angle - 0.5 * BR_PI * turns};
}

br_status br_hertz_eval(const br_hertz_def* def, double fn, br_hertz_value* out, br_reason* why)
{
    BR_ASSERT(def && out);
    *out = (br_hertz_value){0};
    unit_ellipse e;
    double modulus;
    const br_status status = solve(def, &e, &modulus, why);
    if (status != BR_OK) {
        return status;
    }
    if (!(fn >= 0.0 && isfinite(fn))) {
        br_reason_set(why, "fn", "must be >= 0 and finite, got %g", fn);
        return BR_ERR_ARG;
    }
    const double root = cbrt(fn), a = root * fmax(e.a, e.b);
    const double per_a = fn > 0.0 ? 1.0 / a : 0.0;

    // depth = p0 b K/E*, p0 = 3 fn/(2 pi a b); it grows with fn^(2/3)                        (1)
    const double depth = 1.5 / BR_PI * fn * e.K / modulus * per_a;
    e = turned(e);
    *out = (br_hertz_value){.a = root * e.a,
                            .b = root * e.b,
                            .angle = e.angle,
                            .depth = depth,
                            .pressure = 1.5 / BR_PI * root / (e.a * e.b), // (3)
                            .stiffness = fn > 0.0 ? 1.5 * fn / depth : 0.0};
    return BR_OK;
}

br_status br_hertz_patch(const br_hertz_def* def, double max_force, br_patch_def* out,
                         br_reason* why)
{
    BR_ASSERT(def && out);
    unit_ellipse e;
    double modulus;
    const br_status status = solve(def, &e, &modulus, why);
    if (status != BR_OK) {
        return status;
    }
    if (!(max_force > 0.0)) {
        br_reason_set(why, "max_force", "must be > 0 (it may be infinite), got %g", max_force);
        return BR_ERR_ARG;
    }
    e = turned(e);
    out->shape = BR_SHAPE_ELLIPSE;
    out->radius = (br_by_force){e.a, 1.0 / 3.0, e.a * cbrt(max_force)};
    out->ratio = e.b / e.a;
    out->angle += e.angle;
    out->pressure = BR_PRESSURE_POWER;
    out->k = br_by_force_constant(2.0);
    return BR_OK;
}
