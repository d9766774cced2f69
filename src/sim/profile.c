/*
 * Numbers that change in time.
 */
#include "bristle/profile.h"

#include "bristle/math.h"

// Instants of a hold are told by index; this share of the hold decides on which side of an instant
// a time lies that rounding has moved: by up to BR_PROFILE_MOST_INSTANTS times DBL_EPSILON, 2e-9.
static const double hold_slack = 1e-8;

br_profile br_profile_constant(double value)
{
    return (br_profile){.kind = BR_PROFILE_CONSTANT, .mean = value};
}

int br_profile_has_instants(const br_profile* p, double duration)
{
    return p->kind == BR_PROFILE_CONSTANT || p->hold == 0.0 ||
           duration / p->hold <= BR_PROFILE_MOST_INSTANTS;
}

static br_status check_rows(const br_profile* p, br_reason* why)
{
    if (p->count < 1 || !p->t || !p->value) {
        br_reason_set(why, "values", "must hold at least one entry");
        return BR_ERR_DEF;
    }
    for (size_t i = 0; i < p->count; i++) {
        if (!isfinite(p->t[i]) || !isfinite(p->value[i])) {
            br_reason_set(why, "values", "entry %zu must be finite", i);
            return BR_ERR_DEF;
        }
        if (i > 0 && !(p->t[i] > p->t[i - 1])) {
            br_reason_set(why, "times", "must increase, but entry %zu is %g after %g", i, p->t[i],
                          p->t[i - 1]);
            return BR_ERR_DEF;
        }
    }
    return BR_OK;
}

br_status br_profile_check(const br_profile* p, br_reason* why)
{
    BR_ASSERT(p);
    if (!isfinite(p->hold) || p->hold < 0.0) {
        br_reason_set(why, "hold", "must be finite and >= 0, got %g", p->hold);
        return BR_ERR_DEF;
    }
    if (p->kind == BR_PROFILE_STEPS || p->kind == BR_PROFILE_TABLE) {
        return check_rows(p, why);
    }
    if (!isfinite(p->mean) || !isfinite(p->amplitude) || !isfinite(p->frequency) ||
        !isfinite(p->phase) || !isfinite(p->start)) {
        br_reason_set(why, "mean", "mean, amplitude, frequency, phase and start must be finite");
        return BR_ERR_DEF;
    }
    return BR_OK;
}

// How many entries of the increasing t (count) are <= time.
static size_t entries_until(const br_profile* p, double time)
{
    size_t low = 0, high = p->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (p->t[middle] <= time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static double sine_eval(const br_profile* p, double t, double* slope)
{
    const double pulsation = 2.0 * BR_PI * p->frequency;
    const double angle = pulsation * t + p->phase;
    *slope = p->amplitude * pulsation * cos(angle);
    return p->mean + p->amplitude * sin(angle);
}

static double table_eval(const br_profile* p, double t, double within, double* slope)
{
    const size_t passed = entries_until(p, within);
    if (passed == 0) {
        return p->value[0];
    }
    if (passed == p->count) {
        return p->value[p->count - 1];
    }
    const size_t i = passed - 1;
    *slope = (p->value[i + 1] - p->value[i]) / (p->t[i + 1] - p->t[i]);

    // from the nearer row, so that the rows themselves are met exactly
    return t - p->t[i] <= p->t[i + 1] - t ? p->value[i] + *slope * (t - p->t[i])
                                          : p->value[i + 1] - *slope * (p->t[i + 1] - t);
}

// The profile before any hold; on a break the piece after it counts.
static double plain_eval(const br_profile* p, double t, double within, double* slope)
{
    *slope = 0.0;
    switch (p->kind) {
    case BR_PROFILE_SINE:
        return within < p->start ? p->mean : sine_eval(p, t, slope);
    case BR_PROFILE_STEPS: {
        const size_t passed = entries_until(p, within);
        return p->value[passed > 0 ? passed - 1 : 0];
    }
    case BR_PROFILE_TABLE:
        return table_eval(p, t, within, slope);
    default:
        return p->mean;
    }
}

double br_profile_eval(const br_profile* p, double t, double within, double* slope)
{
    double plain_slope;
    if (p->hold > 0.0) {
        const double instant = floor(within / p->hold + hold_slack) * p->hold;
        if (slope) {
            *slope = 0.0;
        }
        return plain_eval(p, instant, instant + hold_slack * p->hold, &plain_slope);
    }
    return plain_eval(p, t, within, slope ? slope : &plain_slope);
}

double br_profile_next_break(const br_profile* p, double t)
{
    if (p->kind == BR_PROFILE_CONSTANT) {
        return HUGE_VAL;
    }
    if (p->hold > 0.0) {
        return (floor(t / p->hold + hold_slack) + 1.0) * p->hold;
    }
    if (p->kind == BR_PROFILE_SINE) {
        return t < p->start ? p->start : HUGE_VAL;
    }
    const size_t passed = entries_until(p, t);
    return passed < p->count ? p->t[passed] : HUGE_VAL;
}

// The first instant from `begin` on at which a sine is negative; HUGE_VAL if there is none.
static double sine_negative_from(const br_profile* p, double begin)
{
    // mean + |a| sin(x) < 0 for x in (pi + d, 2 pi - d), d = asin(mean/|a|)
    const double a = fabs(p->amplitude), pulsation = 2.0 * BR_PI * p->frequency;
    if (!(p->mean < a)) {
        return HUGE_VAL;
    }
    const double sign = pulsation < 0.0 ? -1.0 : 1.0; // sin(-x) = sin(x + pi) with the clock turned
    const double shift = (p->amplitude < 0.0) != (sign < 0.0) ? BR_PI : 0.0;
    const double x = sign * (pulsation * begin + p->phase) + shift;
    const double d = p->mean <= -a ? -0.5 * BR_PI : asin(p->mean / a);
    const double turn = x - 2.0 * BR_PI * floor((x - (BR_PI + d)) / (2.0 * BR_PI));
    if (turn - (BR_PI + d) < BR_PI - 2.0 * d) {
        return begin; // it is, now
    }
    const double wait = BR_PI + d + 2.0 * BR_PI - turn;
    return pulsation != 0.0 ? begin + wait / fabs(pulsation) : HUGE_VAL;
}

// The same within a smooth piece of any profile that is not held.
static double piece_negative_from(const br_profile* p, double begin, double end)
{
    const double within = 0.5 * (begin + end);
    double slope;
    const double now = br_profile_eval(p, begin, within, &slope);
    if (now < 0.0) {
        return begin;
    }
    if (p->kind == BR_PROFILE_SINE && within >= p->start) {
        return sine_negative_from(p, begin);
    }
    // a row of 0 is met exactly, the crossing is not
    return br_profile_eval(p, end, within, NULL) < 0.0 ? begin - now / slope : HUGE_VAL;
}

// The same from t = 0 on, before any hold.
static double plain_negative_from(const br_profile* held, double duration)
{
    br_profile p = *held;
    p.hold = 0.0;
    double begin = 0.0;
    while (begin < duration) {
        const double end = br_profile_next_break(&p, begin);
        const double when = piece_negative_from(&p, begin, fmin(end, 2.0 * duration));
        if (when < fmin(end, duration)) {
            return when;
        }
        begin = end;
    }
    return HUGE_VAL;
}

// Instants are looked at only where the profile that they hold is negative somewhere, and from there on.
// Where there are more than can be told apart, they are as good as that profile.
double br_profile_negative_from(const br_profile* p, double duration)
{
    const double plain = plain_negative_from(p, duration);
    if (p->hold == 0.0 || plain == HUGE_VAL || !br_profile_has_instants(p, duration)) {
        return plain;
    }
    for (double i = floor(plain / p->hold); i * p->hold < duration; i++) {
        if (br_profile_eval(p, i * p->hold, (i + 0.5) * p->hold, NULL) < 0.0) {
            return i * p->hold;
        }
    }
    return HUGE_VAL;
}
