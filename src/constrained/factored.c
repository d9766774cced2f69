/*
 * The mass matrix and the constraints, factored once per evaluation.
 *
 *   M = L L^T (Cholesky),  B = X L^-T = R^T Y (one-sided Jacobi)
 */
#include "constrained/constrained_internal.h"

#include "math/cholesky.h"

factored bri_factored_over(double** work, size_t n, size_t rows)
{
    factored f = {.n = n, .rows = rows, .L = *work};
    f.B = bri_svd_over(*work + n * n, rows, n);
    *work += n * n + bri_svd_size(rows, n);
    return f;
}

int bri_factored_mass(factored* f, const double* M)
{
    memcpy(f->L, M, f->n * f->n * sizeof *M);
    const int positive = cholesky_factor(f->L, f->n);
    for (size_t i = 0; !positive && i < f->n * f->n; i++) {
        f->L[i] = (double)NAN;
    }
    return positive;
}

void bri_factored_rows(factored* f, size_t rows, const double* X)
{
    f->rows = rows;
    f->B = bri_svd_over(f->B.y, rows, f->n);
    // rows of B: L b_i = x_i
    copy(f->B.y, X, rows * f->n);
    for (size_t i = 0; i < rows; i++) {
        bri_lower_solve(f, f->B.y + i * f->n);
    }
    bri_svd_factor(&f->B);
}

int bri_factored_set(factored* f, const double* M, const double* X)
{
    const int positive = bri_factored_mass(f, M);
    bri_factored_rows(f, f->rows, X);
    return positive;
}

void bri_lower_solve(const factored* f, double* x)
{
    for (size_t i = 0; i < f->n; i++) {
        const double* row = f->L + i * f->n;
        x[i] = (x[i] - dot(row, x, i)) / row[i];
    }
}

void bri_upper_solve(const factored* f, double* x)
{
    for (size_t i = f->n; i-- > 0;) {
        x[i] /= f->L[i * f->n + i];
        add(x, -x[i], f->L + i * f->n, i);
    }
}

void bri_lower_times(const factored* f, const double* x, double* out)
{
    for (size_t i = 0; i < f->n; i++) {
        out[i] = dot(f->L + i * f->n, x, i + 1);
    }
}

void bri_constrained_missing(const factored* f, const double* X, const double* b, const double* Q,
                             double* x, double* r)
{
    memcpy(x, Q, f->n * sizeof *x);
    mass_solve(f, x);
    times(X, x, f->rows, f->n, r);
    for (size_t i = 0; i < f->rows; i++) {
        r[i] = b[i] - r[i];
    }
}
