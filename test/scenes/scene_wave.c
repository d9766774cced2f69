/*
 * Waves and fields: numbers over time and over the ground, by their documented formulas (docs/reference/keys.md,
 * "Profiles" and "field").
 */
#include <math.h>

#include "scene.h"

static const double two_pi = 6.283185307179586476925286766559;

// s and its place in [0, 1]: the share of a ramp, move or acceleration that is done
static double share_done(const wave* of, double t)
{
    const double s = (t - of->start) / (of->end - of->start);
    return s < 0 ? 0 : s > 1 ? 1 : s;
}

static int last_before(const wave* of, double t)
{
    int i = 0;
    while (i + 1 < of->count && of->t[i + 1] <= t) {
        i++;
    }
    return i;
}

static double table_value(const wave* of, double t)
{
    const int i = last_before(of, t);
    if (t <= of->t[0] || i + 1 == of->count) {
        return of->value[i];
    }
    return of->value[i] +
           (of->value[i + 1] - of->value[i]) * (t - of->t[i]) / (of->t[i + 1] - of->t[i]);
}

// slope (3 s^2 - 2 s^3), integrated: duration (s^3 - s^4/2), then straight on
static double accelerated(const wave* of, double t)
{
    const double s = share_done(of, t), duration = of->end - of->start;
    const double after = t > of->end ? t - of->end : 0;
    return of->mean + of->amplitude * (duration * (s * s * s - s * s * s * s / 2) + after);
}

static double smooth_value(const wave* of, double t)
{
    const double s = share_done(of, t);
    switch (of->kind) {
    case WAVE_CONSTANT:
        return of->mean;
    case WAVE_SINE:
        return t < of->start
                   ? of->mean
                   : of->mean + of->amplitude * sin(two_pi * of->frequency * t + of->phase);
    case WAVE_STEPS:
        return of->value[last_before(of, t)];
    case WAVE_TABLE:
        return table_value(of, t);
    case WAVE_RAMP:
        return of->mean + (of->amplitude - of->mean) * s;
    case WAVE_MOVE:
        return of->mean + (of->amplitude - of->mean) * s * s * s * (10 - 15 * s + 6 * s * s);
    default:
        return accelerated(of, t);
    }
}

double wave_value(const wave* of, double t)
{
    // the small part keeps an instant that rounding has put just before its own multiple
    return smooth_value(of, of->hold > 0 ? of->hold * floor(t / of->hold + 1e-9) : t);
}

// central difference over a microsecond: the oracle's steps are far longer than that
double wave_slope(const wave* of, double t)
{
    return of->kind == WAVE_CONSTANT
               ? 0
               : (smooth_value(of, t + 0.5e-6) - smooth_value(of, t - 0.5e-6)) / 1e-6;
}

double wave_largest(const wave* of, double duration)
{
    double most = 0;
    for (int i = 0; i <= 400; i++) {
        most = fmax(most, fabs(smooth_value(of, duration * i / 400)));
    }
    return most;
}

double field_factor(const field* of, double x, double y)
{
    const double dx = x - of->centre[0], dy = y - of->centre[1];
    const double c = cos(of->angle), s = sin(of->angle);
    return of->factor[c * dy - s * dx > 0 ? 0 : 1][c * dx + s * dy > 0 ? 1 : 0];
}
