/*
 * How far a limit surface is from the exact one.
 *
 * W&K = Waltersson & Karayiannidis, section V-B: what counts is the wrench that belongs to a twist,
 * not the distance of the nearest points of two surfaces.
 */
#include "limit/limit_internal.h"
#include "limit/table.h"

enum {
    MOST_N = 64 // directions per quarter turn: beyond that a finer sample tells nothing new
};

// h = (fx, fy, tau/r)
typedef struct direction {
    double h[3];
} direction;

static direction normalised(br_wrench f, double r)
{
    return (direction){{f.fx, f.fy, r > 0.0 ? f.tau / r : 0.0}};
}

static double dot(const double* a, const double* b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Angle between two vectors, accurate for small ones [rad].
static double angle(const double* a, const double* b)
{
    const double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                         a[0] * b[1] - a[1] * b[0]};
    return atan2(sqrt(dot(c, c)), dot(a, b));
}

// Take one twist into account; returns |h - h_exact|^2.
static double compare(const br_limit* surface, br_twist v, br_limit_error* error)
{
    const double r = surface->value.r;
    const direction ours = normalised(br_limit_eval(surface, v).wrench, r);
    const direction theirs = normalised(exact_eval(surface->exact, v).wrench, r);
    const double* a = ours.h;
    const double* b = theirs.h;
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]}, square = dot(d, d);
    error->max = fmax(error->max, sqrt(square));
    error->max_angle = fmax(error->max_angle, angle(a, b));
    error->max_size = fmax(error->max_size, fabs(sqrt(dot(a, a)) - sqrt(dot(b, b))));
    return square;
}

br_limit_error br_limit_get_error(const br_limit* surface)
{
    BR_ASSERT(surface);
    const size_t n = surface->def.n < MOST_N ? surface->def.n : MOST_N;
    br_limit_error error = {0.0, 0.0, 0.0, 0.0};
    double sum = 0.0, area = 0.0;
    for (size_t i_theta = 0; i_theta < 8 * n; i_theta += 2) {
        for (size_t i_phi = 0; i_phi < 2 * n; i_phi++) {
            // middle and edge of the cells of (33) by turns; each stands for its part of the sphere
            const size_t i = i_theta + (i_phi % 2 == 0), j = i_phi;
            const double phi = ((double)j + 0.5) * BR_PI / (4.0 * (double)n), weight = sin(phi);
            const double theta = (double)i * BR_PI / (4.0 * (double)n), r = surface->value.r;
            const br_twist v = {r * cos(theta) * sin(phi), r * sin(theta) * sin(phi), cos(phi)};
            sum += weight * compare(surface, v, &error);
            area += weight;
        }
    }
    error.rms = sqrt(sum / area);
    return error;
}
