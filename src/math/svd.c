/*
 * Singular values by one-sided Jacobi rotations (Hestenes): rotate pairs of rows until all are
 * orthogonal. Slower than a bidiagonalisation, but short, and as accurate for small
 * singular values as the data allow (Demmel & Veselic 1992).
 */
#include "math/svd.h"

#include "math/vector.h"

#include <float.h>
#include <string.h>

// Rotations converge quadratically; a 64 x 64 matrix needs some ten sweeps.
enum { SWEEPS = 60 };

size_t bri_svd_size(size_t m, size_t n)
{
    return m * n + m * m + m;
}

svd bri_svd_over(double* memory, size_t m, size_t n)
{
    return (svd){.m = m,
                 .n = n,
                 .y = memory,
                 .r = memory + m * n,
                 .square = memory + m * n + m * m,
                 .cut_off = 1e-12};
}

static void rotate(double* a, double* b, size_t n, double c, double s)
{
    for (size_t i = 0; i < n; i++) {
        const double first = a[i];
        a[i] = c * first - s * b[i];
        b[i] = s * first + c * b[i];
    }
}

// Make rows i and j orthogonal; 0 if they are already, or one of them counts as zero.
static int rotate_pair(svd* s, size_t i, size_t j, double min_square)
{
    double *a = s->y + i * s->n, *b = s->y + j * s->n;
    const double aa = dot(a, a, s->n), bb = dot(b, b, s->n), ab = dot(a, b, s->n);
    if (!(fabs(ab) > DBL_EPSILON * sqrt(aa) * sqrt(bb)) || !(fmin(aa, bb) > min_square)) {
        return 0;
    }
    // tan of the smaller angle that makes a . b zero
    const double zeta = (bb - aa) / (2.0 * ab);
    const double t = copysign(1.0, zeta) / (fabs(zeta) + hypot(1.0, zeta));
    const double c = 1.0 / hypot(1.0, t);
    rotate(a, b, s->n, c, c * t);
    rotate(s->r + i * s->m, s->r + j * s->m, s->m, c, c * t);
    return 1;
}

static int sweep(svd* s, double min_square)
{
    int rotated = 0;
    for (size_t i = 0; i + 1 < s->m; i++) {
        for (size_t j = i + 1; j < s->m; j++) {
            rotated += rotate_pair(s, i, j, min_square);
        }
    }
    return rotated;
}

// Squares of the singular values, those below the cut-off set to zero.
void bri_svd_cut_off(svd* s)
{
    double largest = 0.0;
    for (size_t j = 0; j < s->m; j++) {
        s->square[j] = dot(s->y + j * s->n, s->y + j * s->n, s->n);
        largest = fmax(largest, s->square[j]);
    }
    s->rank = 0;
    for (size_t j = 0; j < s->m; j++) {
        const int counts = !(s->square[j] <= s->cut_off * s->cut_off * largest); // NaN counts
        s->square[j] = counts ? s->square[j] : 0.0;
        s->rank += (size_t)counts;
    }
}

void bri_svd_factor(svd* s)
{
    memset(s->r, 0, s->m * s->m * sizeof *s->r);
    double size = 0.0;
    for (size_t j = 0; j < s->m; j++) {
        s->r[j * s->m + j] = 1.0;
        size += dot(s->y + j * s->n, s->y + j * s->n, s->n);
    }
    // rows of rounding errors alone never become orthogonal, and are cut off anyway
    const double min_square = DBL_EPSILON * DBL_EPSILON * size;
    for (int i = 0; i < SWEEPS && sweep(s, min_square) > 0; i++) {
    }
    bri_svd_cut_off(s);
}

void bri_svd_pseudo_inverse(const svd* s, const double* v, double* out)
{
    memset(out, 0, s->n * sizeof *out);
    for (size_t j = 0; j < s->m; j++) {
        if (s->square[j] != 0.0) {
            add(out, dot(s->r + j * s->m, v, s->m) / s->square[j], s->y + j * s->n, s->n);
        }
    }
}

void bri_svd_gram_inverse(const svd* s, const double* v, double* out)
{
    memset(out, 0, s->m * sizeof *out);
    for (size_t j = 0; j < s->m; j++) {
        if (s->square[j] != 0.0) {
            add(out, dot(s->r + j * s->m, v, s->m) / s->square[j], s->r + j * s->m, s->m);
        }
    }
}

void bri_svd_transposed_inverse(const svd* s, const double* v, double* out)
{
    memset(out, 0, s->m * sizeof *out);
    for (size_t j = 0; j < s->m; j++) {
        if (s->square[j] != 0.0) {
            add(out, dot(s->y + j * s->n, v, s->n) / s->square[j], s->r + j * s->m, s->m);
        }
    }
}

void bri_svd_row_part(const svd* s, const double* v, double* out)
{
    memset(out, 0, s->n * sizeof *out);
    for (size_t j = 0; j < s->m; j++) {
        if (s->square[j] != 0.0) {
            const double* y = s->y + j * s->n;
            add(out, dot(y, v, s->n) / s->square[j], y, s->n);
        }
    }
}

double bri_svd_outside(const svd* s, const double* v)
{
    double sum = 0.0;
    for (size_t j = 0; j < s->m; j++) {
        const double along = s->square[j] != 0.0 ? 0.0 : dot(s->r + j * s->m, v, s->m);
        sum += along * along;
    }
    return sqrt(sum);
}
