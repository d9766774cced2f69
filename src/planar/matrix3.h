/*
 * Vectors and matrices of three.
 */
#ifndef BRISTLE_PLANAR_MATRIX3_H
#define BRISTLE_PLANAR_MATRIX3_H

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct vector3 {
    double e[3];
} vector3;

typedef struct matrix3 {
    double e[3][3];
} matrix3;

static inline vector3 vector3_mix(double a, vector3 x, double b, vector3 y)
{
    vector3 sum;
    for (int i = 0; i < 3; i++) {
        sum.e[i] = a * x.e[i] + b * y.e[i];
    }
    return sum;
}

static inline double vector3_dot(vector3 x, vector3 y)
{
    return x.e[0] * y.e[0] + x.e[1] * y.e[1] + x.e[2] * y.e[2];
}

// |x|, without overflow
static inline double vector3_norm(vector3 x)
{
    return hypot(hypot(x.e[0], x.e[1]), x.e[2]);
}

// m x
static inline vector3 matrix3_apply(const matrix3* m, vector3 x)
{
    vector3 out;
    for (int i = 0; i < 3; i++) {
        out.e[i] = m->e[i][0] * x.e[0] + m->e[i][1] * x.e[1] + m->e[i][2] * x.e[2];
    }
    return out;
}

// m^T x
static inline vector3 matrix3_apply_transposed(const matrix3* m, vector3 x)
{
    vector3 out;
    for (int i = 0; i < 3; i++) {
        out.e[i] = m->e[0][i] * x.e[0] + m->e[1][i] * x.e[1] + m->e[2][i] * x.e[2];
    }
    return out;
}

// sum + scale j^T k j
static inline void matrix3_add_congruent(matrix3* sum, double scale, const matrix3* j,
                                         const matrix3* k)
{
    for (int c = 0; c < 3; c++) {
        const vector3 column = {{j->e[0][c], j->e[1][c], j->e[2][c]}};
        const vector3 image = matrix3_apply_transposed(j, matrix3_apply(k, column));
        for (int r = 0; r < 3; r++) {
            sum->e[r][c] += scale * image.e[r];
        }
    }
}

// m = c c^T with a lower triangle c; a column whose pivot is not positive is left 0.
static inline matrix3 matrix3_cholesky(const matrix3* m)
{
    matrix3 c = {{{0.0}}};
    for (int j = 0; j < 3; j++) {
        double pivot = m->e[j][j];
        for (int k = 0; k < j; k++) {
            pivot -= c.e[j][k] * c.e[j][k];
        }
        if (pivot <= 8.0 * DBL_EPSILON * m->e[j][j]) {
            continue;
        }
        c.e[j][j] = sqrt(pivot);
        for (int i = j + 1; i < 3; i++) {
            double rest = m->e[i][j];
            for (int k = 0; k < j; k++) {
                rest -= c.e[i][k] * c.e[j][k];
            }
            c.e[i][j] = rest / c.e[j][j];
        }
    }
    return c;
}

// l = c^-T of a lower triangle c without zeros on its diagonal, so that l l^T = (c c^T)^-1
static inline matrix3 matrix3_inverse_transposed(const matrix3* c)
{
    const double a = 1.0 / c->e[0][0], b = 1.0 / c->e[1][1], d = 1.0 / c->e[2][2];
    const double ba = -c->e[1][0] * a * b, db = -c->e[2][1] * b * d;
    const double da = -(c->e[2][0] * a + c->e[2][1] * ba) * d;
    return (matrix3){{{a, ba, da}, {0.0, b, db}, {0.0, 0.0, d}}};
}

static inline void matrix3_swap_rows(matrix3* m, vector3* x, int a, int b)
{
    for (int c = 0; c < 3; c++) {
        const double kept = m->e[a][c];
        m->e[a][c] = m->e[b][c];
        m->e[b][c] = kept;
    }
    const double kept = x->e[a];
    x->e[a] = x->e[b];
    x->e[b] = kept;
}

// The solution of m x = y by elimination with row exchange; not finite if m is singular.
static inline vector3 matrix3_solve(matrix3 m, vector3 y)
{
    for (int j = 0; j < 3; j++) {
        int best = j;
        for (int i = j + 1; i < 3; i++) {
            best = fabs(m.e[i][j]) > fabs(m.e[best][j]) ? i : best;
        }
        if (best != j) {
            matrix3_swap_rows(&m, &y, j, best);
        }
        for (int i = j + 1; i < 3; i++) {
            const double ratio = m.e[i][j] / m.e[j][j];
            for (int c = j; c < 3; c++) {
                m.e[i][c] -= ratio * m.e[j][c];
            }
            y.e[i] -= ratio * y.e[j];
        }
    }
    for (int i = 2; i >= 0; i--) {
        for (int c = i + 1; c < 3; c++) {
            y.e[i] -= m.e[i][c] * y.e[c];
        }
        y.e[i] /= m.e[i][i];
    }
    return y;
}

#endif
