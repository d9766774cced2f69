/*
 * One solver for pressures: see supports.h.
 */
#include "fit/supports.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "fit/numbers.h"

// A lambda with little effect of the prior.
static const double weak = 1e-5;

// Share of the force below which a candidate carries none.
static const double negligible = 1e-6;

// --- memory -----------------------------------------------------------------------------------------

br_status bri_supports_create(supports* s, size_t more, double** memory, br_reason* why)
{
    const size_t P = s->unknowns, errors = s->rows * s->per_row;
    s->blocks = s->rows < BLOCKS ? s->rows : BLOCKS;
    const size_t doubles = P * (P + 4 + BLOCKS + 2 * FOLDS) + 2 * errors + bri_nnls_size(P) + more;
    s->memory = br_allocate(doubles, sizeof *s->memory);
    if (!s->memory) {
        return bri_out_of_memory(why);
    }
    s->gram = s->memory;
    s->rhs = s->gram + P * P;
    s->x = s->rhs + P;
    s->start = s->x + P;
    s->best = s->start + P;
    s->without = s->best + P;
    s->fold = s->without + BLOCKS * P;
    s->best_fold = s->fold + FOLDS * P;
    s->held = s->best_fold + FOLDS * P;
    s->best_held = s->held + errors;
    s->solver = bri_nnls_over(s->best_held + errors, P);
    *memory = s->best_held + errors + bri_nnls_size(P);
    memcpy(s->start, s->feet.prior, s->feet.count * sizeof *s->start);
    return BR_OK;
}

void bri_supports_destroy(supports* s)
{
    bri_footprint_destroy(&s->feet);
    br_release(s->memory);
    *s = (supports){.memory = NULL};
}

// --- watch ------------------------------------------------------------------------------------------

int bri_supports_stops(supports* s)
{
    const br_fit_watch* w = s->watch;
    s->is_stopped = s->is_stopped || (w->stop && w->stop(w->user));
    return s->is_stopped;
}

static int stops(void* user)
{
    return bri_supports_stops(user);
}

// --- solution ---------------------------------------------------------------------------------------

size_t bri_supports_block(const supports* s, size_t row)
{
    return row * s->blocks / s->rows;
}

unsigned bri_blocks_of_fold(size_t fold, size_t blocks)
{
    unsigned bits = 0;
    for (size_t b = fold; b < blocks; b += FOLDS) {
        bits |= 1u << b;
    }
    return bits;
}

// Add the prior of the weights, a stiff spring that holds their sum at 1, and the damping towards s->x.
static void add_expected(supports* s, double lambda, double damping)
{
    const size_t m = s->feet.count, P = s->unknowns;
    double trace = 1e-300;
    for (size_t p = 0; p < m; p++) {
        trace += s->gram[p * P + p];
    }
    const double spring = 1e3 * trace / (double)m, damped = damping * trace / (double)m;
    const double hold = isfinite(lambda) ? lambda * (double)(s->rows * m) : 1e6 * trace;
    for (size_t p = 0; p < m; p++) {
        for (size_t q = 0; q < m; q++) {
            s->gram[p * P + q] += spring;
        }
        s->gram[p * P + p] += hold + damped;
        s->rhs[p] += spring + hold * s->start[p] + damped * s->x[p];
    }
    if (s->expect) {
        s->expect(s, trace, damping);
    }
}

void bri_supports_solve(supports* s, double lambda, double damping, unsigned left_out, double* x)
{
    const size_t m = s->feet.count, P = s->unknowns;
    memset(s->gram, 0, P * P * sizeof *s->gram);
    memset(s->rhs, 0, P * sizeof *s->rhs);
    s->sum(s, left_out);
    for (size_t p = 0; p < P; p++) {
        for (size_t q = 0; q < p; q++) {
            s->gram[p * P + q] = s->gram[q * P + p];
        }
    }
    add_expected(s, lambda, damping);
    s->solver.stop = stops;
    s->solver.user = s; // not at its creation: trials are moved
    if (s->solve) {
        s->solve(s, x);
    } else {
        bri_nnls_solve(&s->solver, P, s->gram, s->rhs, x);
    }
    double sum = 0.0;
    for (size_t p = 0; p < m; p++) {
        sum += x[p];
    }
    for (size_t p = 0; p < m; p++) {
        x[p] /= sum;
    }
}

void bri_supports_predict_folds(supports* s, double lambda)
{
    for (size_t k = 0; k < FOLDS && !bri_supports_stops(s); k++) {
        const unsigned left_out = bri_blocks_of_fold(k, s->blocks);
        double* x = s->fold + k * s->unknowns;
        memcpy(x, s->x, s->unknowns * sizeof *x);
        bri_supports_solve(s, lambda, 0.0, left_out, x);
        s->predict(s, x, left_out);
    }
}

void bri_supports_keep(supports* s, double lambda)
{
    s->strength = lambda;
    s->has_errors = 0;
    memcpy(s->best, s->x, s->unknowns * sizeof *s->best);
    memcpy(s->best_fold, s->fold, FOLDS * s->unknowns * sizeof *s->fold);
    memcpy(s->best_held, s->held, s->rows * s->per_row * sizeof *s->held);
}

void bri_supports_leave_out(supports* s)
{
    for (size_t b = 0; b < s->blocks && !bri_supports_stops(s); b++) {
        double* x = s->without + b * s->unknowns;
        memcpy(x, s->best, s->unknowns * sizeof *x);
        bri_supports_solve(s, fmin(s->strength, weak), 0.0, 1u << b, x);
    }
    s->has_errors = !s->is_stopped;
}

// --- comparison -------------------------------------------------------------------------------------

int bri_is_gain(double sum, double square, size_t count, double errors)
{
    const double n = (double)count, mean = sum / n;
    return mean > errors * sqrt(fmax(square / n - mean * mean, 0.0) / n);
}

static double size_of(const double* error, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += error[i] * error[i];
    }
    return sqrt(sum);
}

int bri_is_better(const supports* s, const double* held, const double* other, double errors)
{
    double sum = 0.0, square = 0.0;
    for (size_t i = 0; i < s->rows; i++) {
        const double gain = size_of(other + i * s->per_row, s->per_row) -
                            size_of(held + i * s->per_row, s->per_row);
        sum += gain;
        square += gain * gain;
    }
    return bri_is_gain(sum, square, s->rows, errors);
}

// --- results ----------------------------------------------------------------------------------------

// The jackknife's variance: (b - 1)/b sum (without block - mean)^2.
double bri_jackknife_error(const jackknife* without, size_t index)
{
    const double n = (double)without->blocks, *x = without->numbers + index;
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
                                       double scale, const jackknife* without, size_t index)
{
    static const double rounding =
        1e-9; // a number that is equal without any block does not depend on the data
    if (!without->numbers) {
        const double all = (double)INFINITY;
        return (br_fit_estimate){name, unit, value,
                                 all,  -all, all,
                                 0,    0,    "the fit was stopped before its error was computed"};
    }
    const double error = bri_jackknife_error(without, index);
    const int is_identifiable = error > rounding * scale;
    const double half = error * bri_student_quantile(0.95, (double)without->blocks - 1.0);
    br_fit_estimate out = {name,         unit, value,           error, value - half,
                           value + half, 0,    is_identifiable, ""};
    if (!is_identifiable) {
        out.error = out.high = (double)INFINITY;
        out.low = -(double)INFINITY;
        strcpy(out.words, "not determined: no row of the data changes it");
    }
    return out;
}

void bri_supports_moments(const supports* s, br_fit_estimate cop[2], br_fit_estimate* r)
{
    double at[3], without[BLOCKS][3];
    bri_footprint_moments(&s->feet, s->best, at);
    for (size_t b = 0; b < s->blocks && s->has_errors; b++) {
        bri_footprint_moments(&s->feet, s->without + b * s->unknowns, without[b]);
    }
    const jackknife cut = {s->has_errors ? without[0] : NULL, 3, s->blocks};
    cop[0] = bri_jackknife_estimate("cop_x", "m", at[0], s->feet.unit, &cut, 0);
    cop[1] = bri_jackknife_estimate("cop_y", "m", at[1], s->feet.unit, &cut, 1);
    *r = bri_jackknife_estimate("r", "m", at[2], s->feet.unit, &cut, 2);
}

size_t bri_supports_points(const supports* s, const double* weights, br_support_point* points,
                           double* errors)
{
    const jackknife cut = {s->without, s->unknowns, s->blocks};
    const footprint* f = &s->feet;
    size_t n = 0;
    for (size_t i = 0; i < f->count; i++) {
        if (weights[i] > negligible) {
            if (errors) {
                errors[n] = s->has_errors ? bri_jackknife_error(&cut, i) : (double)INFINITY;
            }
            points[n++] = (br_support_point){f->unit * f->x[i], f->unit * f->y[i], weights[i]};
        }
    }
    return n;
}

void* bri_supports_result(const supports* s, size_t size, size_t* count,
                          const br_support_point** points, const double** errors)
{
    const size_t m = s->feet.count;
    char* memory = br_allocate(1, size + m * (sizeof **points + sizeof **errors));
    if (memory) {
        br_support_point* to = (br_support_point*)(memory + size);
        double* error = (double*)(to + m);
        *count = bri_supports_points(s, s->best, to, error);
        *points = to;
        *errors = error;
    }
    return memory;
}

br_status bri_points_patch(const br_support_point* points, size_t count, br_patch** out,
                           br_reason* why)
{
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_POINTS;
    def.points = points;
    def.count = count;
    return br_patch_create(&def, out, why);
}

// --- rows -------------------------------------------------------------------------------------------

// Open hash table of kept rows, with linear probing; entries: 0: free, else row + 1.
br_status bri_drop_doubles(void* rows, size_t* count, size_t size, br_reason* why)
{
    unsigned char* at = rows;
    size_t slots = 16, kept = 0;
    while (slots < 2 * *count) {
        slots *= 2;
    }
    size_t* table = br_allocate(slots, sizeof *table);
    if (!table) {
        return bri_out_of_memory(why);
    }
    memset(table, 0, slots * sizeof *table);
    for (size_t i = 0; i < *count; i++) {
        uint64_t hash = 14695981039346656037u; // Fowler, Noll and Vo's, of a row's bytes
        for (size_t b = i * size; b < (i + 1) * size; b++) {
            hash = (hash ^ at[b]) * 1099511628211u;
        }
        size_t slot = (size_t)(hash ^ hash >> 32) % slots;
        while (table[slot] && memcmp(at + (table[slot] - 1) * size, at + i * size, size) != 0) {
            slot = (slot + 1) % slots;
        }
        if (!table[slot]) {
            memmove(at + kept * size, at + i * size, size);
            table[slot] = ++kept;
        }
    }
    br_release(table);
    *count = kept;
    return BR_OK;
}

br_status bri_refuse_row(const char* rows, size_t row, const char* text, br_reason* why)
{
    char field[32];
    snprintf(field, sizeof field, "%s[%zu]", rows, row);
    return REFUSE(BR_ERR_ARG, why, field, "%s", text);
}
