/*
 * Error of a limit surface against the exact one.
 *
 * W&K = Waltersson & Karayiannidis, section V-B: the error compares the wrenches of the same twist,
 * not the nearest points of two surfaces.
 *
 * The directions are independent of any table's nodes: half of them are uniform over the sphere of
 * (vx, vy, r w) and give the root mean square; half are dense near pure spin, where surfaces bend
 * most; and there are rings of directions around the kinks of support points.
 */
#include "limit/limit_internal.h"
#include "math/vec3.h"

enum {
    MIN_SAMPLES = 8192,
    MAX_SAMPLES = 131072,
    SAMPLES_A_CELL = 8, // per cell of W&K's table, which has 4 n x n cells
    RING_SAMPLES = 8,   // directions per ring around a kink
    RINGS = 6           // rings at 0.3, 0.1, 0.03, ... rad from it
};

// Running comparison. Twists and wrenches are at the exact CoP.
typedef struct comparison {
    const br_limit* surface;
    double r;     // exact [m]; 0: a point
    double scale; // of twists: r, or 1 m for a point
    br_vec2 away; // from the exact CoP to the surface's [m]; published tables have their own CoP
    br_limit_error error;
} comparison;

// Angle between two vectors, accurate for small ones [rad].
static double angle(const double* a, const double* b)
{
    const double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                         a[0] * b[1] - a[1] * b[0]};
    return atan2(sqrt(vec3_dot(c, c)), vec3_dot(a, b));
}

// The surface's wrench at the exact CoP, for a twist at the exact CoP.
static br_wrench surface_wrench(const comparison* c, br_twist v)
{
    const br_vec2 d = c->away;
    const br_twist moved = {v.vx - v.w * d.y, v.vy + v.w * d.x, v.w};
    br_wrench f = br_limit_eval(c->surface, moved).wrench;
    f.tau += d.x * f.fy - d.y * f.fx;
    return f;
}

// Compare one direction (vx, vy, r w); returns |h - h_exact|^2.
static double compare(comparison* c, const double* direction)
{
    const br_twist v = {c->scale * direction[0], c->scale * direction[1], direction[2]};
    const br_wrench ours = surface_wrench(c, v);
    const br_wrench theirs = bri_exact_eval(c->surface->exact, v, NULL).wrench;
    const double arm = c->r > 0.0 ? 1.0 / c->r : 0.0;
    const double a[3] = {ours.fx, ours.fy, ours.tau * arm};
    const double b[3] = {theirs.fx, theirs.fy, theirs.tau * arm};
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]}, square = vec3_dot(d, d);
    c->error.max = fmax(c->error.max, sqrt(square));
    c->error.max_angle = fmax(c->error.max_angle, angle(a, b));
    c->error.max_size = fmax(c->error.max_size, fabs(sqrt(vec3_dot(a, a)) - sqrt(vec3_dot(b, b))));
    return square;
}

// A direction from the cosine and sine of phi (0: pure spin) and theta.
static double compare_angles(comparison* c, double cosine, double sine, double theta)
{
    const double direction[3] = {sine * cos(theta), sine * sin(theta), cosine};
    return compare(c, direction);
}

// Number i of an additive sequence with the plastic number's constants: uniform in 2 dimensions.
static double sequence(size_t i, double constant)
{
    const double x = 0.5 + constant * (double)(i + 1);
    return x - floor(x);
}

static void compare_sphere(comparison* c, size_t samples)
{
    double sum = 0.0;
    for (size_t i = 0; i < samples; i++) {
        const double u = sequence(i, 0.7548776662466927),
                     theta = 2.0 * BR_PI * sequence(i, 0.5698402909980532);
        sum += compare_angles(c, u, sqrt(1.0 - u * u), theta);
        compare_angles(c, cos(0.5 * BR_PI * u), sin(0.5 * BR_PI * u), theta);
    }
    c->error.rms = sqrt(sum / (double)samples);
}

// Rings of directions around a kink, and a little beside it.
static void compare_kink(comparison* c, br_twist kink)
{
    const double size = sqrt(kink.vx * kink.vx + kink.vy * kink.vy + c->scale * c->scale);
    const double axis[3] = {kink.vx / size, kink.vy / size, c->scale / size};
    double away = 0.3;
    for (int ring = 0; ring < RINGS; ring++, away *= 0.33) {
        for (int i = 0; i < RING_SAMPLES; i++) {
            const double turn = 2.0 * BR_PI * i / RING_SAMPLES;
            const double direction[3] = {axis[0] + away * cos(turn), axis[1] + away * sin(turn),
                                         axis[2]};
            compare(c, direction);
        }
    }
}

br_limit_error br_limit_get_error(const br_limit* surface)
{
    BR_ASSERT(surface);
    const stretched* s = bri_limit_stretched_of(surface);
    if (s) {
        return br_limit_get_error(s->inside);
    }
    const br_patch_value truth = br_patch_eval(surface->def.patch, surface->def.fn);
    comparison c = {surface,
                    truth.r,
                    truth.r > 0.0 ? truth.r : 1.0,
                    br_vec2_sub(surface->value.cop, truth.cop),
                    {0.0, 0.0, 0.0, 0.0}};
    const size_t wanted = SAMPLES_A_CELL * 4 * surface->def.n * surface->def.n;
    compare_sphere(&c, wanted < MIN_SAMPLES   ? MIN_SAMPLES
                       : wanted > MAX_SAMPLES ? MAX_SAMPLES
                                              : wanted);
    for (size_t i = 0; i < bri_exact_kink_count(surface->exact); i++) {
        compare_kink(&c, bri_exact_kink_get(surface->exact, i));
    }
    return c.error;
}
