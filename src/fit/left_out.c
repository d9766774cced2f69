/*
 * Rows that are left out: see left_out.h.
 */
#include "fit/left_out.h"

#include "fit/student.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

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

// What every block leaves the same, to rounding, the data do not tell.
static const double rounding = 1e-9;

br_fit_estimate bri_jackknife_estimate(const char* name, const char* unit, double value,
                                       double scale, const jackknife* without, size_t place)
{
    const double error = bri_jackknife_error(without, place);
    if (!(error > rounding * scale)) {
        return (br_fit_estimate){.name = name,
                                 .unit = unit,
                                 .value = value,
                                 .error = (double)INFINITY,
                                 .low = -(double)INFINITY,
                                 .high = (double)INFINITY,
                                 .words = "not determined: no row of the data changes it"};
    }
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

// Fowler, Noll and Vo's hash of a row's bytes.
static size_t hash_of(const unsigned char* row, size_t size)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ row[i]) * 1099511628211u;
    }
    return (size_t)(hash ^ hash >> 32);
}

// A table of places by hash, probed one after the other; 0: free, else a kept row and 1.
br_status bri_drop_doubles(void* rows, size_t* count, size_t size, br_reason* why)
{
    unsigned char* at = rows;
    size_t room = 16, kept = 0;
    while (room < 2 * *count) {
        room *= 2;
    }
    size_t* table = br_allocate(room, sizeof *table);
    if (!table) {
        br_reason_set(why, "", "%s", br_status_text(BR_ERR_MEMORY));
        return BR_ERR_MEMORY;
    }
    memset(table, 0, room * sizeof *table);
    for (size_t i = 0; i < *count; i++) {
        size_t place = hash_of(at + i * size, size) % room;
        while (table[place] && memcmp(at + (table[place] - 1) * size, at + i * size, size) != 0) {
            place = (place + 1) % room;
        }
        if (!table[place]) {
            memmove(at + kept * size, at + i * size, size);
            table[place] = ++kept;
        }
    }
    br_release(table);
    *count = kept;
    return BR_OK;
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
