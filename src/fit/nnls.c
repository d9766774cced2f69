/*
 * Non-negative least squares: see nnls.h. The passive set holds the unknowns that are free (> 0); its part
 * of G is kept as a Cholesky factor that grows by a row for each unknown that is let in.
 */
#include "fit/nnls.h"

#include <math.h>

struct nnls {
    size_t most, n;
    const double *gram, *rhs;
    size_t count;       // unknowns in the passive set
    size_t* order;      // which (most)
    double* factor;     // rows of L, L L^T = G of the passive set (most x most)
    double* trial;      // solution on the passive set (most)
    char *inside, *out; // is in the passive set; was refused since x last changed (most)
};

// Pivot of the factor over the diagonal of G below which a column depends on those before it.
static const double dependent = 1e-14;

// w_j over its own rounding error below which it is none.
static const double rounding = 1e-13;

void bri_nnls_destroy(nnls* work)
{
    if (work) {
        br_release(work->order);
        br_release(work->factor);
        br_release(work->trial);
        br_release(work->inside);
        br_release(work);
    }
}

nnls* bri_nnls_create(size_t most)
{
    nnls* work = br_allocate(1, sizeof *work);
    if (!work) {
        return NULL;
    }
    work->most = most;
    work->order = br_allocate(most, sizeof *work->order);
    work->factor = br_allocate(most * most, sizeof *work->factor);
    work->trial = br_allocate(most, sizeof *work->trial);
    work->inside = br_allocate(2 * most, sizeof *work->inside);
    if (!(work->order && work->factor && work->trial && work->inside)) {
        bri_nnls_destroy(work);
        return NULL;
    }
    work->out = work->inside + most;
    return work;
}

// Let an unknown into the passive set: a new row of L. 0: its column depends on the others.
static int let_in(nnls* k, size_t j)
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

// Keep those of the passive set whose x is positive; the rows of L behind the first that goes are made anew.
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
        if (!(x[j] > 0.0 && let_in(k, j))) {
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

// The share of the way from x to the trial solution on which all stay >= 0; 1: all of it.
static double way_to_bound(const nnls* k, const double* x)
{
    double share = 1.0;
    for (size_t i = 0; i < k->count; i++) {
        const double from = x[k->order[i]], to = k->trial[i];
        share = to <= 0.0 ? fmin(share, from / (from - to)) : share;
    }
    return share;
}

// Move x to the minimum over the passive set, from which what would become negative is taken out.
static void settle(nnls* k, double* x)
{
    for (size_t round = 0; round <= k->n && k->count > 0; round++) {
        solve_passive(k);
        const double share = way_to_bound(k, x);
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

// w = c - G x, and which unknown outside the passive set it would raise most; n: none.
static size_t steepest(nnls* k, const double* x)
{
    size_t best = k->n;
    double most = 0.0;
    for (size_t j = 0; j < k->n; j++) {
        double w = k->rhs[j], size = fabs(w);
        for (size_t i = 0; i < k->count && !k->inside[j] && !k->out[j]; i++) {
            const double term = k->gram[j * k->n + k->order[i]] * x[k->order[i]];
            w -= term;
            size += fabs(term);
        }
        if (!k->inside[j] && !k->out[j] && w > rounding * size && w > most) {
            best = j;
            most = w;
        }
    }
    return best;
}

// Let in an unknown that the gradient would raise. 0: it depends on the others or would not rise.
static int raise(nnls* k, size_t j, double* x)
{
    if (!let_in(k, j)) {
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

// Begin with the passive set that x has.
static void begin(nnls* k, size_t n, double* x)
{
    k->count = 0;
    for (size_t j = 0; j < n; j++) {
        k->inside[j] = k->out[j] = 0;
        if (!(x[j] > 0.0 && let_in(k, j))) {
            x[j] = 0.0;
        }
    }
    settle(k, x);
}

size_t bri_nnls_solve(nnls* k, size_t n, const double* gram, const double* rhs, double* x)
{
    BR_ASSERT(k && n <= k->most && gram && rhs && x);
    k->n = n;
    k->gram = gram;
    k->rhs = rhs;
    begin(k, n, x);
    size_t round = 0;
    for (; round < 10 * n; round++) {
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
