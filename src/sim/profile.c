/*
 * Profiles: numbers as functions of time.
 */
#include "bristle/profile.h"

#include "bristle/math.h"

// Instants of a hold are identified by index. A time within this share of the hold before an instant
// counts as that instant: rounding is up to BR_PROFILE_MOST_INSTANTS times DBL_EPSILON, 2e-9.
static const double hold_slack = 1e-8;

br_profile br_profile_constant(double value)
{
    return (br_profile){.kind = BR_PROFILE_CONSTANT, .mean = value};
}

bool br_profile_has_instants(const br_profile* p, double duration)
{
    return p->kind == BR_PROFILE_CONSTANT || p->hold == 0.0 ||
           duration / p->hold <= BR_PROFILE_MOST_INSTANTS;
}

// A change that starts and ends smoothly.
static int is_smooth(const br_profile* p)
{
    return p->kind == BR_PROFILE_MOVE || p->kind == BR_PROFILE_ACCELERATE;
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

static br_status check_coefficients(const br_profile* p, br_reason* why)
{
    if (p->count < 1 || p->count > BR_PROFILE_MOST_COEFFICIENTS || !p->value) {
        br_reason_set(why, "coefficients", "must be 1 to %d numbers, got %zu",
                      BR_PROFILE_MOST_COEFFICIENTS, p->count);
        return BR_ERR_DEF;
    }
    for (size_t i = 0; i < p->count; i++) {
        if (!isfinite(p->value[i])) {
            br_reason_set(why, "coefficients", "entry %zu must be finite", i);
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
    if (p->kind == BR_PROFILE_POLYNOMIAL) {
        return check_coefficients(p, why);
    }
    if (is_smooth(p) && !(p->duration > 0.0 && isfinite(p->duration))) {
        br_reason_set(why, "duration", "must be finite and > 0, got %g", p->duration);
        return BR_ERR_DEF;
    }
    if (!isfinite(p->mean) || !isfinite(p->amplitude) || !isfinite(p->frequency) ||
        !isfinite(p->phase) || !isfinite(p->start)) {
        br_reason_set(why, "mean", "mean, amplitude, frequency, phase and start must be finite");
        return BR_ERR_DEF;
    }
    return BR_OK;
}

// Number of entries of the increasing t (count) that are <= time.
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

    // from the nearer row, so that the values of the rows are exact
    return t - p->t[i] <= p->t[i + 1] - t ? p->value[i] + *slope * (t - p->t[i])
                                          : p->value[i + 1] - *slope * (p->t[i + 1] - t);
}

// Horner's scheme.
static double polynomial_eval(const double* c, size_t count, double t, double* slope)
{
    double value = 0.0;
    *slope = 0.0;
    for (size_t i = count; i-- > 0;) {
        *slope = *slope * t + value;
        value = value * t + c[i];
    }
    return value;
}

// Value, slope and second derivative.
typedef struct jet {
    double value, slope, second;
} jet;

// Minimum jerk (Flash, Hogan 1985): 10 s^3 - 15 s^4 + 6 s^5, s = (t - start)/duration.
static jet move_eval(const br_profile* p, double t, double within)
{
    const double T = p->duration, s = (t - p->start) / T;
    if (within < p->start || within >= p->start + T) {
        return (jet){within < p->start ? p->mean : p->mean + p->amplitude, 0.0, 0.0};
    }
    const double rest = 1.0 - s;
    return (jet){p->mean + p->amplitude * s * s * s * (10.0 + s * (6.0 * s - 15.0)),
                 p->amplitude / T * 30.0 * s * s * rest * rest,
                 p->amplitude / (T * T) * 60.0 * s * rest * (1.0 - 2.0 * s)};
}

// The slope is amplitude (3 s^2 - 2 s^3), the value its integral, amplitude duration (s^3 - s^4/2).
static jet accelerate_eval(const br_profile* p, double t, double within)
{
    const double T = p->duration, s = (t - p->start) / T;
    if (within < p->start) {
        return (jet){p->mean, 0.0, 0.0};
    }
    if (within >= p->start + T) {
        return (jet){p->mean + p->amplitude * (t - p->start - 0.5 * T), p->amplitude, 0.0};
    }
    return (jet){p->mean + p->amplitude * T * s * s * s * (1.0 - 0.5 * s),
                 p->amplitude * s * s * (3.0 - 2.0 * s), p->amplitude / T * 6.0 * s * (1.0 - s)};
}

static jet smooth_eval(const br_profile* p, double t, double within)
{
    return p->kind == BR_PROFILE_MOVE ? move_eval(p, t, within) : accelerate_eval(p, t, within);
}

// The profile without its hold; at a break, the piece after it.
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
    case BR_PROFILE_POLYNOMIAL:
        return polynomial_eval(p->value, p->count, t, slope);
    case BR_PROFILE_MOVE:
    case BR_PROFILE_ACCELERATE: {
        const jet at = smooth_eval(p, t, within);
        *slope = at.slope;
        return at.value;
    }
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

static double polynomial_second(const br_profile* p, double t)
{
    double second = 0.0;
    for (size_t i = p->count; i-- > 2;) {
        second = second * t + (double)(i * (i - 1)) * p->value[i];
    }
    return second;
}

double br_profile_second(const br_profile* p, double t, double within)
{
    if (p->hold > 0.0) {
        return 0.0;
    }
    if (p->kind == BR_PROFILE_POLYNOMIAL) {
        return polynomial_second(p, t);
    }
    if (is_smooth(p)) {
        return smooth_eval(p, t, within).second;
    }
    if (p->kind != BR_PROFILE_SINE || within < p->start) {
        return 0.0;
    }
    const double pulsation = 2.0 * BR_PI * p->frequency;
    return -p->amplitude * pulsation * pulsation * sin(pulsation * t + p->phase);
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
    if (p->kind == BR_PROFILE_POLYNOMIAL) {
        return HUGE_VAL;
    }
    if (is_smooth(p)) {
        const double end = p->start + p->duration;
        return t < p->start ? p->start : t < end ? end : HUGE_VAL;
    }
    const size_t passed = entries_until(p, t);
    return passed < p->count ? p->t[passed] : HUGE_VAL;
}

// Values and slopes that differ by less than this share of the larger one are equal.
static const double same_share = 1e-9;

static int has_jump(double before, double after)
{
    return fabs(after - before) > same_share * fmax(fabs(before), fabs(after));
}

double br_profile_jump(const br_profile* p, double duration)
{
    double start = 0.0, at = br_profile_next_break(p, 0.0);
    while (at < duration) {
        const double end = fmin(br_profile_next_break(p, at), 2.0 * at + 1.0);
        double slope_before, slope_after;
        const double before = br_profile_eval(p, at, 0.5 * (start + at), &slope_before);
        const double after = br_profile_eval(p, at, 0.5 * (at + end), &slope_after);
        if (p->hold > 0.0 || has_jump(before, after) || has_jump(slope_before, slope_after)) {
            return at;
        }
        start = at;
        at = br_profile_next_break(p, at);
    }
    return HUGE_VAL;
}

// The first instant from `start` on at which a sine is negative; HUGE_VAL if there is none.
static double sine_negative_from(const br_profile* p, double start)
{
    // mean + |a| sin(x) < 0 for x in (pi + d, 2 pi - d), d = asin(mean/|a|)
    const double a = fabs(p->amplitude), pulsation = 2.0 * BR_PI * p->frequency;
    if (!(p->mean < a)) {
        return HUGE_VAL;
    }
    const double sign = pulsation < 0.0 ? -1.0 : 1.0; // sin(-x) = sin(x + pi) with time reversed
    const double shift = (p->amplitude < 0.0) != (sign < 0.0) ? BR_PI : 0.0;
    const double x = sign * (pulsation * start + p->phase) + shift;
    const double d = p->mean <= -a ? -0.5 * BR_PI : asin(p->mean / a);
    const double turn = x - 2.0 * BR_PI * floor((x - (BR_PI + d)) / (2.0 * BR_PI));
    if (turn - (BR_PI + d) < BR_PI - 2.0 * d) {
        return start; // it is negative at the start
    }
    const double wait = BR_PI + d + 2.0 * BR_PI - turn;
    return pulsation != 0.0 ? start + wait / fabs(pulsation) : HUGE_VAL;
}

enum { BISECTIONS = 60 };

// Where a polynomial that is monotonic in [low, high] changes sign: the upper end of the last bracket.
static double sign_change(const double* c, size_t count, double low, double high)
{
    double slope;
    const int was_negative = polynomial_eval(c, count, low, &slope) < 0.0;
    for (int i = 0; i < BISECTIONS; i++) {
        const double middle = 0.5 * (low + high);
        if ((polynomial_eval(c, count, middle, &slope) < 0.0) == was_negative) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

// The sign changes of a polynomial in (low, high), in order: between its extremes, which are the sign changes of its
// derivative, there is at most one. Returns their number, less than `count`.
static size_t sign_changes(const double* c, size_t count, double low, double high, double* out)
{
    double derivative[BR_PROFILE_MOST_COEFFICIENTS], corner[BR_PROFILE_MOST_COEFFICIENTS + 1];
    double slope;
    size_t corners = 0, found = 0;
    corner[0] = low;
    for (size_t i = 1; i < count; i++) {
        derivative[i - 1] = (double)i * c[i];
    }
    if (count > 1) {
        corners = sign_changes(derivative, count - 1, low, high, corner + 1);
    }
    corner[corners + 1] = high;
    for (size_t i = 0; i <= corners; i++) {
        const int before = polynomial_eval(c, count, corner[i], &slope) < 0.0;
        const int after = polynomial_eval(c, count, corner[i + 1], &slope) < 0.0;
        if (before != after) {
            out[found++] = sign_change(c, count, corner[i], corner[i + 1]);
        }
    }
    return found;
}

// Where a profile that is monotonic in [low, high], and negative at its end, becomes negative.
static double monotonic_negative_from(const br_profile* p, double low, double high)
{
    const double within = 0.5 * (low + high);
    for (int i = 0; i < BISECTIONS; i++) {
        const double middle = 0.5 * (low + high);
        if (br_profile_eval(p, middle, within, NULL) < 0.0) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high;
}

// The first negative time within a smooth piece of a profile without hold.
static double piece_negative_from(const br_profile* p, double start, double end)
{
    const double within = 0.5 * (start + end);
    double slope;
    const double now = br_profile_eval(p, start, within, &slope);
    if (now < 0.0) {
        return start;
    }
    if (p->kind == BR_PROFILE_SINE && within >= p->start) {
        return sine_negative_from(p, start);
    }
    if (p->kind == BR_PROFILE_POLYNOMIAL) {
        double change[BR_PROFILE_MOST_COEFFICIENTS];
        return sign_changes(p->value, p->count, start, end, change) > 0 ? change[0] : HUGE_VAL;
    }
    if (!(br_profile_eval(p, end, within, NULL) < 0.0)) {
        return HUGE_VAL;
    }
    // a zero at a row is exact, a crossing is not
    return is_smooth(p) ? monotonic_negative_from(p, start, end) : start - now / slope;
}

// The same from t = 0 on, ignoring the hold.
static double plain_negative_from(const br_profile* held, double duration)
{
    br_profile p = *held;
    p.hold = 0.0;
    double start = 0.0;
    while (start < duration) {
        const double end = br_profile_next_break(&p, start);
        const double when = piece_negative_from(&p, start, fmin(end, 2.0 * duration));
        if (when < fmin(end, duration)) {
            return when;
        }
        start = end;
    }
    return HUGE_VAL;
}

// Instants of a hold are checked only from the first negative time of the profile on. With too many
// instants to distinguish, the profile itself decides.
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

double br_profile_get_largest(const br_profile* p)
{
    BR_ASSERT(p);
    if (is_smooth(p)) {
        const double end = p->start + p->duration;
        return fmax(p->mean, br_profile_eval(p, end, end, NULL));
    }
    if (p->kind == BR_PROFILE_CONSTANT || p->kind == BR_PROFILE_SINE) {
        return p->mean + (p->kind == BR_PROFILE_SINE ? fabs(p->amplitude) : 0.0);
    }
    double largest = p->value[0];
    for (size_t i = 1; i < p->count; i++) {
        largest = fmax(largest, p->value[i]);
    }
    return largest;
}
