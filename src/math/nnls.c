/*
 * Non-negative least squares: see nnls.h. The passive set holds the unknowns that are free (> 0); its part
 * of G is stored as a Cholesky factor that grows by a row for each unknown that is added.
 */
#include "math/nnls.h"

#include <math.h>

// Pivot of the factor over the diagonal of G below which a column depends on those before it.
static const double dependent = 1e-14;

// w_j over the sum of its terms below which it is a rounding error.
static const double rounding = 1e-13;

size_t bri_nnls_size(size_t most)
{
    return most * (most + 4);
}

nnls bri_nnls_over(double* memory, size_t most)
{
    double* flags = memory + most * (most + 2);
    return (nnls){.most = most,
                  .factor = memory,
                  .trial = memory + most * most,
                  .order = (size_t*)(memory + most * (most + 1)),
                  .inside = (char*)flags,
                  .out = (char*)(flags + most)};
}

static int stops(nnls* k)
{
    k->is_stopped = k->is_stopped || (k->stop && k->stop(k->user));
    return k->is_stopped;
}

// Add an unknown to the passive set: a new row of L. 0: its column depends on the others.
static int add_passive(nnls* k, size_t j)
{
    double* row = k->factor + k->count * k->most;
    double pivot = k->gram[j * k->n + j];
    for (size_t i = 0; i < k->count; i++) {
        const double* above = k->factor + i * k->most;
        double sum = k->gram[j * k->n + k->order[i]];
        for (size_t l = 0; l < i; l++) {
            sum -= above[l] * row[l];
        }
        row[i] = sum / above[i];
        pivot -= row[i] * row[i];
    }
    if (!(pivot > dependent * k->gram[j * k->n + j])) {
        return 0;
    }
    row[k->count] = sqrt(pivot);
    k->order[k->count++] = j;
    k->inside[j] = 1;
    return 1;
}

// Remove unknowns that are not positive from the passive set; rows of L after the first removed are computed again.
static void shrink(nnls* k, double* x)
{
    const size_t before = k->count;
    size_t first = 0;
    while (first < before && x[k->order[first]] > 0.0) {
        first++;
    }
    k->count = first;
    for (size_t i = first; i < before; i++) {
        const size_t j = k->order[i];
        k->inside[j] = 0;
        if (!(x[j] > 0.0 && !stops(k) && add_passive(k, j))) {
            x[j] = 0.0;
        }
    }
}

// The minimum over the passive set, whatever its signs: L L^T s = c.
static void solve_passive(nnls* k)
{
    double* s = k->trial;
    for (size_t i = 0; i < k->count; i++) {
        s[i] = k->rhs[k->order[i]];
        for (size_t l = 0; l < i; l++) {
            s[i] -= k->factor[i * k->most + l] * s[l];
        }
        s[i] /= k->factor[i * k->most + i];
    }
    for (size_t i = k->count; i-- > 0;) {
        for (size_t l = i + 1; l < k->count; l++) {
            s[i] -= k->factor[l * k->most + i] * s[l];
        }
        s[i] /= k->factor[i * k->most + i];
    }
}

// The share of the distance from x to the trial solution on which all stay >= 0; 1: all of it.
static double share_to_bound(const nnls* k, const double* x)
{
    double share = 1.0;
    for (size_t i = 0; i < k->count; i++) {
        const double from = x[k->order[i]], to = k->trial[i];
        share = to <= 0.0 ? fmin(share, from / (from - to)) : share;
    }
    return share;
}

// Move x to the minimum over the passive set; unknowns that would become negative are removed from it.
static void settle(nnls* k, double* x)
{
    for (size_t round = 0; round <= k->n && k->count > 0 && !stops(k); round++) {
        solve_passive(k);
        const double share = share_to_bound(k, x);
        for (size_t i = 0; i < k->count; i++) {
            const double from = x[k->order[i]], to = k->trial[i];
            const int stops = to <= 0.0 && from / (from - to) <= share;
            x[k->order[i]] = stops ? 0.0 : from + share * (to - from);
        }
        if (!(share < 1.0)) {
            return;
        }
        shrink(k, x);
    }
}

// The unknown outside the passive set with the largest gradient w = c - G x > 0; n: none.
static size_t steepest(nnls* k, const double* x)
{
    size_t best = k->n;
    double max = 0.0;
    for (size_t j = 0; j < k->n; j++) {
        double w = k->rhs[j], size = fabs(w);
        for (size_t i = 0; i < k->count && !k->inside[j] && !k->out[j]; i++) {
            const double term = k->gram[j * k->n + k->order[i]] * x[k->order[i]];
            w -= term;
            size += fabs(term);
        }
        if (!k->inside[j] && !k->out[j] && w > rounding * size && w > max) {
            best = j;
            max = w;
        }
    }
    return best;
}

// Add an unknown with a positive gradient. 0: it depends on the others or would not become positive.
static int raise(nnls* k, size_t j, double* x)
{
    if (!add_passive(k, j)) {
        return 0;
    }
    solve_passive(k);
    if (!(k->trial[k->count - 1] > 0.0)) {
        k->inside[j] = 0;
        k->count--;
        return 0;
    }
    settle(k, x);
    return 1;
}

// Start with the positive unknowns of x as the passive set.
static void start(nnls* k, size_t n, double* x)
{
    k->count = 0;
    for (size_t j = 0; j < n; j++) {
        k->inside[j] = k->out[j] = 0;
        if (!(x[j] > 0.0 && !stops(k) && add_passive(k, j))) {
            x[j] = 0.0;
        }
    }
    settle(k, x);
}

size_t bri_nnls_solve(nnls* k, size_t n, const double* gram, const double* rhs, double* x)
{
    k->n = n;
    k->gram = gram;
    k->rhs = rhs;
    k->is_stopped = 0;
    start(k, n, x);
    size_t round = 0;
    for (; round < 10 * n && !stops(k); round++) {
        const size_t j = steepest(k, x);
        if (j == n) {
            break;
        }
        const int rose = raise(k, j, x);
        for (size_t i = 0; i < n; i++) {
            k->out[i] = rose ? 0 : k->out[i];
        }
        k->out[j] = !rose;
    }
    return round;
}
