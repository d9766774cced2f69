/*
 * Measurements before anything is fitted: which directions and speeds they have, why they cannot be fitted to;
 * break-away tests, which need no fit; speeds from positions.
 */
#include <math.h>
#include <string.h>

#include "fit/law_problem.h"
#include "fit/numbers.h"

// --- directions and speeds --------------------------------------------------------------------------

// Sums over the rows that slide in one direction.
typedef struct side {
    double n, f, ff, v, vv;
} side;

static side side_of(const br_fit_law_data* d, double sign, double border)
{
    side s = {.n = 0.0};
    for (size_t i = 0; i < d->count; i++) {
        const double v = sign * d->v[i], f = sign * d->f[i];
        if (v > border) {
            s.n += 1.0;
            s.f += f;
            s.ff += f * f;
            s.v += v;
            s.vv += v * v;
        }
    }
    return s;
}

// Mean force along the motion, and the square of its error; 0 where no row is.
static double mean_of(const side* s, double* square)
{
    const double n = fmax(s->n, 1.0), mean = s->f / n;
    *square = fmax(s->ff / n - mean * mean, 0.0) / n;
    return mean;
}

law_motion bri_law_motion(const br_fit_law_data* d, double noise)
{
    static const double slow = 0.1, stray = 2e-3, alike = 0.02; // shares
    law_motion out = {.fastest = bri_largest(d->v, d->count)};
    const double border = fmin(fmax(slow * out.fastest, 4.0 * noise), 0.5 * out.fastest);
    const side forward = side_of(d, 1.0, border), backward = side_of(d, -1.0, border);
    const int is_backward = backward.n > forward.n;
    const side to = is_backward ? backward : forward, from = is_backward ? forward : backward;
    out.direction = is_backward ? -1.0 : 1.0;
    out.is_one_direction = from.n < fmax(1.0, stray * to.n);
    const double n = to.n + from.n;
    out.speed = (to.v + from.v) / n;
    const double scatter = sqrt(fmax((to.vv + from.vv) / n - out.speed * out.speed, 0.0));
    out.is_one_speed = scatter <= fmax(alike * out.speed, 1.2 * noise);
    out.is_noisy = out.is_one_speed && scatter > alike * out.speed;
    double a, b;
    const double f_to = mean_of(&to, &a), f_from = mean_of(&from, &b);
    out.resistance = out.is_one_direction ? f_to : 0.5 * (f_to + f_from);
    out.error = out.is_one_direction ? sqrt(a) : 0.5 * sqrt(a + b);
    return out;
}

br_status bri_law_check_sign(const br_fit_law_data* d, double sign, double offset, br_reason* why)
{
    enum { ERRORS = 3 };
    double noise;
    const br_status status = bri_sample_noise(d->t, d->v, d->count, &noise, why);
    if (status != BR_OK) {
        return status;
    }
    const law_motion motion = bri_law_motion(d, noise);
    const double known = motion.is_one_direction ? motion.direction * offset : 0.0;
    const double resistance = sign * motion.resistance - known;
    if (resistance >= -ERRORS * motion.error) {
        return BR_OK;
    }
    return REFUSE(
        BR_ERR_DEF, why, "f",
        "the force seems to have the opposite sign: it drives the motion, by %.3g on average; f is the "
        "resistance along +v; %s",
        -resistance,
        sign > 0.0 ? "flip_force (--flip-force) takes the force on the body"
                   : "fit without flip_force (--flip-force)");
}

// --- checks -----------------------------------------------------------------------------------------

// Squares of a column that is not 0 are finite and not 0.
static br_status check_size(const char* name, const double* x, size_t count, br_reason* why)
{
    static const double low = 1e-50, high = 1e50;
    const double largest = bri_largest(x, count);
    if (largest == 0.0 || (largest >= low && largest <= high)) {
        return BR_OK;
    }
    return REFUSE(BR_ERR_DEF, why, name, "the largest value must be %g to %g, got %g", low, high,
                  largest);
}

br_status br_fit_law_data_check(const br_fit_law_data* d, br_reason* why)
{
    enum { LEAST_ROWS = 6 };
    if (d->count < LEAST_ROWS || !d->v || !d->f) {
        return REFUSE(BR_ERR_DEF, why, "data",
                      "too few rows: %zu; at least %d, and ten or more for each parameter",
                      d->count, LEAST_ROWS);
    }
    br_status status = bri_check_column("t", d->t, d->count, INCREASING, why);
    status = status ? status : bri_check_column("v", d->v, d->count, ANY_NUMBER, why);
    status = status ? status : bri_check_column("f", d->f, d->count, ANY_NUMBER, why);
    status = status ? status : bri_check_column("fn", d->fn, d->count, POSITIVE, why);
    status = status ? status : bri_check_column("load", d->load, d->count, ANY_NUMBER, why);
    if (status == BR_OK && bri_largest(d->v, d->count) == 0.0) {
        return REFUSE(BR_ERR_DEF, why, "v", "no motion: all speeds are 0");
    }
    status = status ? status : check_size("v", d->v, d->count, why);
    status = status ? status : check_size("f", d->f, d->count, why);
    if (status == BR_OK && bri_is_constant(d->f, d->count, 0.0)) {
        return REFUSE(BR_ERR_DEF, why, "f", "all values are %g: a sensor that does not measure?",
                      d->f[0]);
    }
    return status;
}

// Friction is measured below these values: larger ones suggest another unit.
static const double fastest = 20.0, longest_row = 5.0; // [m/s or rad/s], [s]

const char bri_time_doubt[] =
    "rows are more than 5 s apart: is t in milliseconds? Seconds are needed";

int bri_is_doubtful_speed(const double* v, size_t count)
{
    return v && bri_largest(v, count) > fastest;
}

int bri_is_doubtful_time(const double* t, size_t count)
{
    return t && count > 0 && (t[count - 1] - t[0]) / (double)count > longest_row;
}

const char* br_fit_law_data_doubt(const br_fit_law_data* d)
{
    if (bri_is_doubtful_speed(d->v, d->count)) {
        return "v exceeds 20: are these millimetres or degrees a second? SI units are needed, m/s or rad/s";
    }
    if (bri_is_doubtful_time(d->t, d->count)) {
        return bri_time_doubt;
    }
    return NULL;
}

br_status br_fit_break_away(size_t count, const double* f, const double* fn, double level,
                            br_fit_estimate* mu_s, br_reason* why)
{
    double mean = 0.0, square = 0.0;
    *mu_s = (br_fit_estimate){.name = "mu_s", .unit = fn ? "-" : "N", .is_identifiable = 1};
    if (count < 2) {
        return REFUSE(BR_ERR_ARG, why, "count", "too few rows: at least two tests, ten are better");
    }
    if (!(level > 0.0 && level < 1.0)) {
        return REFUSE(BR_ERR_ARG, why, "level", "must be in (0, 1)");
    }
    for (size_t i = 0; i < count; i++) {
        const double mu = fabs(f[i]) / (fn ? fn[i] : 1.0);
        if (!isfinite(mu) || (fn && !(fn[i] > 0.0))) {
            return REFUSE(BR_ERR_ARG, why, fn && !(fn[i] > 0.0) ? "fn" : "f",
                          "must be finite numbers, fn > 0");
        }
        mean += mu / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        const double miss = fabs(f[i]) / (fn ? fn[i] : 1.0) - mean;
        square += miss * miss;
    }
    const double free = (double)count - 1.0;
    mu_s->value = mean;
    mu_s->error = sqrt(square / free / (double)count);
    const double half = bri_student_quantile(level, free) * mu_s->error;
    mu_s->low = mean - half;
    mu_s->high = mean + half;
    return BR_OK;
}

// --- speeds from positions: slopes of local parabolas ------------------------------------------------

//   x(t_i + s) = a + b s + c s^2 over the rows i - m .. i + m,  v_i = b                   (F-15)
//
// The half width m grows while the speeds change by no more than the noise in x explains (Lepski's rule): the slope
// of the wider parabola has the smaller variance, so the variance of the change is the difference of both.

static const size_t half_widths[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};

// Slope at row i of the parabola through the rows first..last, and its variance for noise of deviation 1.
static double slope_at(const double* t, const double* x, size_t i, size_t first, size_t last,
                       double* variance)
{
    const double unit = t[last] - t[first];
    double s[5] = {0}, y[3] = {0};
    for (size_t k = first; k <= last; k++) {
        const double at = (t[k] - t[i]) / unit;
        double power = 1.0;
        for (int p = 0; p < 5; p++) {
            s[p] += power;
            y[p < 3 ? p : 0] += p < 3 ? power * (x[k] - x[i]) : 0.0;
            power *= at;
        }
    }
    // normal equations [[s0, s1, s2], [s1, s2, s3], [s2, s3, s4]] (a, b, c) = y, by cofactors of the middle row
    const double by_y0 = s[2] * s[3] - s[1] * s[4], by_y1 = s[0] * s[4] - s[2] * s[2];
    const double by_y2 = s[1] * s[2] - s[0] * s[3];
    const double all = s[1] * by_y0 + s[2] * by_y1 + s[3] * by_y2; // determinant
    *variance = by_y1 / all / (unit * unit);
    return (by_y0 * y[0] + by_y1 * y[1] + by_y2 * y[2]) / all / unit;
}

// Speeds of all rows; returns the mean variance for noise of deviation 1. Windows are cut at the ends.
static double slopes(size_t count, const double* t, const double* x, size_t m, double* v)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        double variance;
        size_t first = i > m ? i - m : 0, last = i + m < count ? i + m : count - 1;
        first = last < 2 ? 0 : first > last - 2 ? last - 2 : first;
        last = last < first + 2 ? first + 2 : last;
        v[i] = slope_at(t, x, i, first, last, &variance);
        sum += variance / (double)count;
    }
    return sum;
}

br_status br_fit_law_speed(size_t count, const double* t, const double* x, double* v,
                           br_fit_speed* out, br_reason* why)
{
    enum { LEAST_ROWS = 5 };
    static const double slack = 1.3; // of a mean square of correlated numbers
    if (count < LEAST_ROWS) {
        return REFUSE(BR_ERR_DEF, why, "x", "too few rows: %zu; at least %d", count, LEAST_ROWS);
    }
    br_status status = bri_check_column("t", t, count, INCREASING, why);
    status = status ? status : bri_check_column("x", x, count, ANY_NUMBER, why);
    double noise;
    status = status ? status : bri_sample_noise(t, x, count, &noise, why);
    double* wider = status ? NULL : br_allocate(count, sizeof *wider);
    if (!wider) {
        return status ? status : bri_out_of_memory(why);
    }
    const double square = noise * noise;
    size_t m = half_widths[0];
    double variance = slopes(count, t, x, m, v);
    for (size_t i = 1; i < sizeof half_widths / sizeof *half_widths; i++) {
        const double next = slopes(count, t, x, half_widths[i], wider);
        double change = 0.0; // mean square
        for (size_t k = 0; k < count; k++) {
            change += (v[k] - wider[k]) * (v[k] - wider[k]) / (double)count;
        }
        if (change > slack * square * (variance - next)) {
            break;
        }
        memcpy(v, wider, count * sizeof *v);
        m = half_widths[i];
        variance = next;
    }
    br_release(wider);
    if (out) {
        *out = (br_fit_speed){2 * m + 1, noise, noise * sqrt(variance)};
    }
    return BR_OK;
}
