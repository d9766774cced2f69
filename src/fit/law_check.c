/*
 * Measurements that cannot be fitted to, and what they look like.
 */
#include <math.h>

#include "bristle/fit_law.h"

static br_status refuse(br_reason* why, const char* column, size_t row, const char* text)
{
    br_reason_set(why, column, "row %zu: %s", row + 1, text);
    return BR_ERR_DEF;
}

static br_status check_numbers(const char* name, const double* x, size_t count, int positive,
                               br_reason* why)
{
    for (size_t i = 0; x && i < count; i++) {
        if (!isfinite(x[i])) {
            return refuse(why, name, i, "must be a finite number");
        }
        if (positive && !(x[i] > 0.0)) {
            return refuse(why, name, i, "must be > 0");
        }
    }
    return BR_OK;
}

static int is_constant(const double* x, size_t count)
{
    size_t i = 1;
    while (i < count && x[i] == x[0]) {
        i++;
    }
    return i >= count;
}

static br_status check_time(const br_fit_law_data* d, br_reason* why)
{
    for (size_t i = 1; d->t && i < d->count; i++) {
        if (!(d->t[i] > d->t[i - 1])) {
            return refuse(why, "t", i,
                          "time must increase from row to row; sort the rows, drop doubles");
        }
    }
    return BR_OK;
}

static br_status check_motion(const br_fit_law_data* d, br_reason* why)
{
    double fastest = 0.0;
    for (size_t i = 0; i < d->count; i++) {
        fastest = fmax(fastest, fabs(d->v[i]));
    }
    if (fastest == 0.0) {
        br_reason_set(why, "v", "no motion: all speeds are 0");
        return BR_ERR_DEF;
    }
    if (is_constant(d->f, d->count)) {
        br_reason_set(why, "f", "all values are %g: a sensor that does not measure?", d->f[0]);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

br_status br_fit_law_data_check(const br_fit_law_data* d, br_reason* why)
{
    enum { LEAST_ROWS = 6 };
    if (d->count < LEAST_ROWS || !d->v || !d->f) {
        br_reason_set(why, "data",
                      "too few rows: %zu; at least %d, and ten or more for each parameter",
                      d->count, LEAST_ROWS);
        return BR_ERR_DEF;
    }
    br_status status = check_numbers("t", d->t, d->count, 0, why);
    status = status ? status : check_numbers("v", d->v, d->count, 0, why);
    status = status ? status : check_numbers("f", d->f, d->count, 0, why);
    status = status ? status : check_numbers("fn", d->fn, d->count, 1, why);
    status = status ? status : check_numbers("load", d->load, d->count, 0, why);
    status = status ? status : check_time(d, why);
    return status ? status : check_motion(d, why);
}

const char* br_fit_law_data_doubt(const br_fit_law_data* d)
{
    // friction is measured below these: faster and further apart is rather another unit
    static const double fastest = 20.0, longest_row = 5.0; // [m/s or rad/s], [s]
    double most = 0.0;
    for (size_t i = 0; i < d->count; i++) {
        most = fmax(most, fabs(d->v[i]));
    }
    if (most > fastest) {
        return "v exceeds 20: are these millimetres or degrees a second? SI units are needed, m/s or rad/s";
    }
    if (d->t && (d->t[d->count - 1] - d->t[0]) / (double)d->count > longest_row) {
        return "rows are more than 5 s apart: is t in milliseconds? Seconds are needed";
    }
    return NULL;
}
