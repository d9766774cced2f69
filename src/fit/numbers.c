/*
 * Small helpers: see numbers.h.
 */
#include "fit/numbers.h"

#include <math.h>
#include <stdlib.h>

br_status bri_check_rules(const fit_rule* rules, size_t count, br_reason* why)
{
    for (size_t i = 0; i < count; i++) {
        const fit_rule* rule = &rules[i];
        if (rule->is_bad) {
            return REFUSE(BR_ERR_DEF, why, rule->field, rule->is_number ? "%s, got %g" : "%s",
                          rule->text, rule->got);
        }
    }
    return BR_OK;
}

br_status bri_out_of_memory(br_reason* why)
{
    return REFUSE(BR_ERR_MEMORY, why, "", "%s", br_status_get_text(BR_ERR_MEMORY));
}

// --- statistics -------------------------------------------------------------------------------------

// Of the normal distribution: P(|x| < q) = level; by bisection.
static double normal_quantile(double level)
{
    double low = 0.0, high = 40.0;
    for (int i = 0; i < 100; i++) {
        const double middle = 0.5 * (low + high);
        const int is_below = erf(middle * sqrt(0.5)) < level;
        low = is_below ? middle : low;
        high = is_below ? high : middle;
    }
    return low;
}

// Cornish and Fisher's expansion about the normal one.
double bri_student_quantile(double level, double free)
{
    const double q = normal_quantile(level), q2 = q * q;
    const double first = q * (q2 + 1.0) / 4.0,
                 second = q * (5.0 * q2 * q2 + 16.0 * q2 + 3.0) / 96.0;
    const double third = q * (((3.0 * q2 + 19.0) * q2 + 17.0) * q2 - 15.0) / 384.0;
    return q + (first + (second + third / free) / free) / free;
}

static int compare(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

double bri_quantile(double* x, size_t count, size_t index)
{
    qsort(x, count, sizeof *x, compare);
    return x[index];
}

double bri_largest(const double* x, size_t count)
{
    double largest = 0.0;
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, fabs(x[i]));
    }
    return largest;
}

int bri_is_constant(const double* x, size_t count, double tolerance)
{
    size_t i = 1;
    while (x && i < count && fabs(x[i] - x[0]) <= tolerance * fabs(x[0])) {
        i++;
    }
    return !x || i >= count;
}

// --- noise ------------------------------------------------------------------------------------------

// Row i less the cubic through its four neighbours, in standard deviations of white noise of deviation 1.
static double off_cubic(const double* t, const double* x, size_t i)
{
    const size_t at[4] = {i - 2, i - 1, i + 1, i + 2};
    double off = x[i], square = 1.0;
    for (int j = 0; j < 4; j++) {
        double weight = 1.0;
        for (int k = 0; k < 4; k++) {
            weight *= k == j ? 1.0 : (t[i] - t[at[k]]) / (t[at[j]] - t[at[k]]);
        }
        off -= weight * x[at[j]];
        square += weight * weight;
    }
    return off / sqrt(square);
}

// Neighbouring residuals of white noise correlate by -0.8, those of a smooth motion by nearly +1. Jumps are left out.
static int looks_like_noise(const double* e, size_t count, double deviation)
{
    static const double border = -0.4, far = 5.0;
    double square = 0.0, product = 0.0;
    for (size_t i = 1; i < count; i++) {
        if (fabs(e[i]) < far * deviation && fabs(e[i - 1]) < far * deviation) {
            square += 0.5 * (e[i] * e[i] + e[i - 1] * e[i - 1]);
            product += e[i] * e[i - 1];
        }
    }
    return square > 0.0 && product < border * square;
}

br_status bri_sample_noise(const double* t, const double* x, size_t count, double* noise,
                           br_reason* why)
{
    *noise = 0.0;
    if (!t || count < 9) {
        return BR_OK;
    }
    const size_t n = count - 4;
    double* e = br_allocate(2 * n, sizeof *e);
    if (!e) {
        return bri_out_of_memory(why);
    }
    for (size_t i = 0; i < n; i++) {
        e[i] = off_cubic(t, x, i + 2);
        e[n + i] = fabs(e[i]);
    }
    const double deviation = 1.4826 * bri_quantile(e + n, n, n / 2);
    *noise = looks_like_noise(e, n, deviation) ? deviation : 0.0;
    br_release(e);
    return BR_OK;
}

// --- rows -------------------------------------------------------------------------------------------

br_status bri_check_column(const char* name, const double* x, size_t count, column_kind kind,
                           br_reason* why)
{
    for (size_t i = 0; x && i < count; i++) {
        const char* text = !isfinite(x[i])                     ? "must be a finite number"
                           : kind == POSITIVE && !(x[i] > 0.0) ? "must be > 0"
                           : kind == INCREASING && i > 0 && !(x[i] > x[i - 1])
                               ? "time must increase from row to row; sort the rows, drop doubles"
                               : NULL;
        if (text) {
            return REFUSE(BR_ERR_DEF, why, name, "row %zu: %s", i + 1, text);
        }
    }
    return BR_OK;
}

double bri_moved(const br_fit_law_data* d, size_t i)
{
    return 0.5 * (d->v[i] + d->v[i - 1]) * (d->t[i] - d->t[i - 1]);
}

double bri_stroke(const br_fit_law_data* d)
{
    double x = 0.0, low = 0.0, high = 0.0;
    for (size_t i = 1; d->t && i < d->count; i++) {
        x += bri_moved(d, i);
        low = fmin(low, x);
        high = fmax(high, x);
    }
    return high - low;
}
