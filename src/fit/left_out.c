/*
 * Rows that are left out: see left_out.h.
 */
#include "fit/left_out.h"

#include "fit/student.h"

#include <stdio.h>

// Share of the force below which a candidate carries none.
static const double negligible = 1e-6;

size_t bri_block_of(size_t row, size_t count, size_t blocks)
{
    return row * blocks / count;
}

unsigned bri_blocks_of_fold(size_t fold, size_t blocks)
{
    unsigned bits = 0;
    for (size_t b = fold; b < blocks; b += FOLDS) {
        bits |= 1u << b;
    }
    return bits;
}

// The jackknife's variance: (b - 1)/b sum (without block - mean)^2.
double bri_jackknife_error(const jackknife* without, size_t place)
{
    const double n = (double)without->blocks, *x = without->numbers + place;
    double mean = 0.0, square = 0.0;
    for (size_t b = 0; b < without->blocks; b++) {
        mean += x[b * without->stride] / n;
    }
    for (size_t b = 0; b < without->blocks; b++) {
        const double d = x[b * without->stride] - mean;
        square += d * d;
    }
    return sqrt((n - 1.0) / n * square);
}

br_fit_estimate bri_jackknife_estimate(const char* name, const char* unit, double value,
                                       const jackknife* without, size_t place)
{
    const double error = bri_jackknife_error(without, place);
    const double half = error * bri_student_quantile(0.95, (double)without->blocks - 1.0);
    return (br_fit_estimate){.name = name,
                             .unit = unit,
                             .value = value,
                             .error = error,
                             .low = value - half,
                             .high = value + half,
                             .is_told = 1};
}

size_t bri_collect_supports(const footprint* feet, const double* weights, const jackknife* without,
                            br_support_point* points, double* errors)
{
    size_t n = 0;
    for (size_t i = 0; i < feet->count; i++) {
        if (weights[i] > negligible) {
            points[n] =
                (br_support_point){feet->unit * feet->x[i], feet->unit * feet->y[i], weights[i]};
            if (errors) {
                errors[n] = bri_jackknife_error(without, i);
            }
            n++;
        }
    }
    return n;
}

int bri_is_gain(double sum, double square, size_t count, double errors)
{
    const double n = (double)count, mean = sum / n;
    return mean > errors * sqrt(fmax(square / n - mean * mean, 0.0) / n);
}

br_status bri_refuse_row(const char* rows, size_t row, const char* text, br_reason* why)
{
    char field[32];
    snprintf(field, sizeof field, "%s[%zu]", rows, row);
    br_reason_set(why, field, "%s", text);
    return BR_ERR_ARG;
}
