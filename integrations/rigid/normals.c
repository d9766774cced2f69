/*
 * Normal impulses and those of joints, solved to their end.
 *
 *   K = N M^-1 N^T,   v = v0 + K lam,   residual w = v + soft (lam - ref) - target
 *   lower <= lam <= upper:  w = 0 within, w >= 0 at the lower limit, w <= 0 at the upper one
 *
 * Block principal pivoting: guess which rows are at a limit, solve the others, change all rows that are wrong; where
 * that does not reduce their number, change the last one only. Usually the guess of the last step is right. If it does
 * not end, projected Gauss-Seidel sweeps do.
 *
 * Points of one face are redundant: four corners, three degrees of freedom. `soft` makes K regular. It acts on the
 * difference from `ref` alone.
 */
#include "internal.h"

#include <math.h>
#include <string.h>

static const double velocity_tolerance = 1e-9; // [m/s]
static const double impulse_tolerance = 1e-9;  // of the largest impulse [-]

void brgi_normals_set_mass(normals* s)
{
    for (int i = 0; i < s->count; i++) {
        for (int k = 0; k <= i; k++) {
            const double x = row_mass(&s->rows[i], &s->rows[k]);
            s->mass[i * s->count + k] = s->mass[k * s->count + i] = x;
        }
    }
    s->is_factored = 0;
}

// Cholesky factor of the free rows, lower half. A pivot that rounding made negative leaves its row out.
static void factor(normals* s)
{
    int n = 0;
    for (int i = 0; i < s->count; i++) {
        if (s->state[i] == 0) {
            s->list[n++] = i;
        }
    }
    double* L = s->factor;
    for (int i = 0; i < n; i++) {
        const double* from = s->mass + s->list[i] * s->count;
        for (int j = 0; j <= i; j++) {
            double x = from[s->list[j]] + (i == j ? s->soft[s->list[i]] : 0.0);
            for (int k = 0; k < j; k++) {
                x -= L[i * n + k] * L[j * n + k];
            }
            L[i * n + j] = i > j ? x / L[j * n + j] : x > 0.0 ? sqrt(x) : 1e100;
        }
    }
    s->free_count = n;
    s->is_factored = 1;
}

void brgi_normals_lower(const normals* s, double* x, int stride)
{
    const int n = s->free_count;
    for (int i = 0; i < n; i++) {
        double sum = x[i * stride];
        for (int k = 0; k < i; k++) {
            sum -= s->factor[i * n + k] * x[k * stride];
        }
        x[i * stride] = sum / s->factor[i * n + i];
    }
}

static void upper(const normals* s, double* x)
{
    const int n = s->free_count;
    for (int i = n - 1; i >= 0; i--) {
        double sum = x[i];
        for (int k = i + 1; k < n; k++) {
            sum -= s->factor[k * n + i] * x[k];
        }
        x[i] = sum / s->factor[i * n + i];
    }
}

// rhs = target - v0 + soft ref of all rows
static void set_rhs(normals* s, const double* v)
{
    for (int i = 0; i < s->count; i++) {
        s->rhs[i] = s->target[i] - row_velocity(&s->rows[i], v) + s->soft[i] * s->ref[i];
    }
}

static double limit(const normals* s, int i)
{
    return s->state[i] < 0 ? s->lower[i] : s->upper[i];
}

// -w without the row's own softness times lam
static double rest(const normals* s, int i)
{
    double x = s->rhs[i];
    const double* mass = s->mass + i * s->count;
    for (int k = 0; k < s->count; k++) {
        x -= mass[k] * s->lam[k];
    }
    return x;
}

// Impulses with the present states; the largest one.
static double solve_free(normals* s)
{
    if (!s->is_factored) {
        factor(s);
    }
    double* x = s->rhs + s->count;
    int bound = 0;
    for (int i = 0; i < s->count; i++) {
        s->lam[i] = s->state[i] == 0 ? 0.0 : limit(s, i);
        bound |= s->lam[i] != 0.0;
    }
    for (int i = 0; i < s->free_count; i++) {
        x[i] = bound ? rest(s, s->list[i]) : s->rhs[s->list[i]];
    }
    brgi_normals_lower(s, x, 1);
    upper(s, x);
    double largest = 0.0;
    for (int i = 0; i < s->free_count; i++) {
        s->lam[s->list[i]] = x[i];
        largest = fmax(largest, fabs(x[i]));
    }
    return largest;
}

// The state that a row should have instead of its present one.
static int better_state(const normals* s, int i, double largest)
{
    if (s->state[i] == 0) {
        const double tolerance = impulse_tolerance * largest;
        return s->lam[i] < s->lower[i] - tolerance ? -1 : s->lam[i] > s->upper[i] + tolerance;
    }
    const double w = s->soft[i] * s->lam[i] - rest(s, i);
    return (s->state[i] < 0 ? w < -velocity_tolerance : w > velocity_tolerance) ? 0 : s->state[i];
}

// One pass of block pivoting; the number of rows that were wrong. `all`: change all of them, else the last one.
static int pivot(normals* s, int all)
{
    const double largest = solve_free(s);
    int wrong = 0, last = -1, to = 0;
    int* const better = (int*)(void*)(s->rhs + s->count);
    for (int i = 0; i < s->count; i++) {
        better[i] = better_state(s, i, largest);
        if (better[i] != s->state[i]) {
            wrong++;
            last = i;
            to = better[i];
        }
    }
    if (wrong && all) {
        memcpy(s->state, better, (size_t)s->count * sizeof *better);
    } else if (wrong) {
        s->state[last] = to;
    }
    s->is_factored &= !wrong;
    return wrong;
}

// Projected Gauss-Seidel: bounded whatever the rows are.
static void sweep(normals* s)
{
    enum { SWEEPS = 200 };
    for (int i = 0; i < s->count; i++) {
        s->lam[i] = fmin(fmax(s->ref[i], s->lower[i]), s->upper[i]);
    }
    for (int pass = 0; pass < SWEEPS; pass++) {
        for (int i = 0; i < s->count; i++) {
            const double k = s->mass[i * s->count + i] + s->soft[i];
            const double x =
                s->lam[i] + (k > 0.0 ? (rest(s, i) - s->soft[i] * s->lam[i]) / k : 0.0);
            s->lam[i] = fmin(fmax(x, s->lower[i]), s->upper[i]);
        }
    }
    for (int i = 0; i < s->count; i++) {
        s->state[i] = s->lam[i] <= s->lower[i] ? -1 : s->lam[i] >= s->upper[i];
    }
    s->is_factored = 0;
}

static void push_all(normals* s, double* v)
{
    for (int i = 0; i < s->count; i++) {
        if (s->lam[i] != 0.0) {
            row_push(&s->rows[i], s->lam[i], v);
        }
    }
}

int brgi_normals_solve(normals* s, double* v)
{
    int fewest = s->count + 1, tries = 3, pass = 1;
    set_rhs(s, v);
    for (; pass <= NORMALS_PASSES; pass++) {
        const int wrong = pivot(s, tries > 0);
        if (wrong == 0) {
            break;
        }
        tries = wrong < fewest ? 3 : tries - 1;
        fewest = wrong < fewest ? wrong : fewest;
    }
    if (pass == NORMALS_SWEPT) {
        sweep(s);
    }
    push_all(s, v);
    return pass;
}

void brgi_normals_hold(normals* s, double* v)
{
    set_rhs(s, v);
    solve_free(s);
    push_all(s, v);
}
