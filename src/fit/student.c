/*
 * Quantiles of the normal distribution and of Student's; break-away tests, which need no more.
 */
#include "fit/student.h"

#include <math.h>

#include "bristle/fit_law.h"

// Of the normal distribution: P(|x| < q) = level; by bisection.
static double normal_quantile(double level)
{
    double low = 0.0, high = 40.0;
    for (int i = 0; i < 100; i++) {
        const double middle = 0.5 * (low + high);
        if (erf(middle * sqrt(0.5)) < level) {
            low = middle;
        } else {
            high = middle;
        }
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

static br_status refuse(br_reason* why, const char* field, const char* text)
{
    br_reason_set(why, field, "%s", text);
    return BR_ERR_ARG;
}

br_status br_fit_break_away(size_t count, const double* f, const double* fn, double level,
                            br_fit_estimate* mu_s, br_reason* why)
{
    double mean = 0.0, square = 0.0;
    *mu_s = (br_fit_estimate){.name = "mu_s", .unit = fn ? "-" : "N", .is_told = 1};
    if (count < 2) {
        return refuse(why, "count", "too few rows: two tests are the least, ten are better");
    }
    if (!(level > 0.0 && level < 1.0)) {
        return refuse(why, "level", "must be in (0, 1)");
    }
    for (size_t i = 0; i < count; i++) {
        const double mu = fabs(f[i]) / (fn ? fn[i] : 1.0);
        if (!isfinite(mu) || (fn && !(fn[i] > 0.0))) {
            return refuse(why, fn && !(fn[i] > 0.0) ? "fn" : "f", "must be finite numbers, fn > 0");
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
