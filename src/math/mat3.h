/*
 * Vectors and matrices of three: products, Cholesky's factor, solving, eigenvectors by Jacobi's
 * rotations.
 */
#ifndef BRISTLE_MATH_MAT3_H
#define BRISTLE_MATH_MAT3_H

#include <float.h>
#include <math.h>

typedef struct vector3 {
    double at[3];
} vector3;

typedef struct mat3 {
    double at[3][3];
} mat3;

static inline mat3 mat3_identity(void)
{
    return (mat3){{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
}

// a b
static inline mat3 mat3_multiply(mat3 a, mat3 b)
{
    mat3 out;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out.at[i][j] =
                a.at[i][0] * b.at[0][j] + a.at[i][1] * b.at[1][j] + a.at[i][2] * b.at[2][j];
        }
    }
    return out;
}

static inline mat3 mat3_transpose(mat3 a)
{
    mat3 out;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out.at[i][j] = a.at[j][i];
        }
    }
    return out;
}

// Symmetric to 1e-12 of its diagonal? No for NaN.
static inline int mat3_is_symmetric(mat3 a)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < i; j++) {
            const double size = sqrt(fabs(a.at[i][i] * a.at[j][j]));
            if (!(fabs(a.at[i][j] - a.at[j][i]) <= 1e-12 * size)) {
                return 0;
            }
        }
    }
    return 1;
}

// m = c c^T with a lower triangle c; a column whose pivot is not positive is left 0.
static inline mat3 mat3_semi_root(const mat3* m)
{
    mat3 c = {{{0.0}}};
    for (int j = 0; j < 3; j++) {
        double pivot = m->at[j][j];
        for (int k = 0; k < j; k++) {
            pivot -= c.at[j][k] * c.at[j][k];
        }
        if (pivot <= 8.0 * DBL_EPSILON * m->at[j][j]) {
            continue;
        }
        c.at[j][j] = sqrt(pivot);
        for (int i = j + 1; i < 3; i++) {
            double rest = m->at[i][j];
            for (int k = 0; k < j; k++) {
                rest -= c.at[i][k] * c.at[j][k];
            }
            c.at[i][j] = rest / c.at[j][j];
        }
    }
    return c;
}

// a = L L^T with L lower triangular; 0 if a is not positive definite. Reads the lower half.
static inline int mat3_cholesky(mat3 a, mat3* L)
{
    *L = mat3_semi_root(&a);
    const double least = fmin(fmin(L->at[0][0], L->at[1][1]), L->at[2][2]);
    return least > 0.0 && isfinite(L->at[0][0] + L->at[1][1] + L->at[2][2]);
}

// The inverse of a lower triangular matrix.
static inline mat3 mat3_invert_lower(mat3 L)
{
    mat3 inverse = {{{0.0}}};
    for (int j = 0; j < 3; j++) {
        for (int i = j; i < 3; i++) {
            double rest = i == j;
            for (int k = j; k < i; k++) {
                rest -= L.at[i][k] * inverse.at[k][j];
            }
            inverse.at[i][j] = rest / L.at[i][i];
        }
    }
    return inverse;
}

static inline vector3 vector3_mix(double a, vector3 x, double b, vector3 y)
{
    vector3 sum;
    for (int i = 0; i < 3; i++) {
        sum.at[i] = a * x.at[i] + b * y.at[i];
    }
    return sum;
}

static inline double vector3_dot(vector3 x, vector3 y)
{
    return x.at[0] * y.at[0] + x.at[1] * y.at[1] + x.at[2] * y.at[2];
}

// |x|, without overflow
static inline double vector3_norm(vector3 x)
{
    return hypot(hypot(x.at[0], x.at[1]), x.at[2]);
}

// m x
static inline vector3 mat3_apply(const mat3* m, vector3 x)
{
    vector3 out;
    for (int i = 0; i < 3; i++) {
        out.at[i] = m->at[i][0] * x.at[0] + m->at[i][1] * x.at[1] + m->at[i][2] * x.at[2];
    }
    return out;
}

// m^T x
static inline vector3 mat3_apply_transposed(const mat3* m, vector3 x)
{
    vector3 out;
    for (int i = 0; i < 3; i++) {
        out.at[i] = m->at[0][i] * x.at[0] + m->at[1][i] * x.at[1] + m->at[2][i] * x.at[2];
    }
    return out;
}

// sum + scale j^T k j
static inline void mat3_add_congruent(mat3* sum, double scale, const mat3* j, const mat3* k)
{
    for (int c = 0; c < 3; c++) {
        const vector3 column = {{j->at[0][c], j->at[1][c], j->at[2][c]}};
        const vector3 image = mat3_apply_transposed(j, mat3_apply(k, column));
        for (int r = 0; r < 3; r++) {
            sum->at[r][c] += scale * image.at[r];
        }
    }
}

// l = c^-T of a lower triangle c without zeros on its diagonal, so that l l^T = (c c^T)^-1
static inline mat3 mat3_inverse_transposed(const mat3* c)
{
    const double a = 1.0 / c->at[0][0], b = 1.0 / c->at[1][1], d = 1.0 / c->at[2][2];
    const double ba = -c->at[1][0] * a * b, db = -c->at[2][1] * b * d;
    const double da = -(c->at[2][0] * a + c->at[2][1] * ba) * d;
    return (mat3){{{a, ba, da}, {0.0, b, db}, {0.0, 0.0, d}}};
}

static inline void mat3_swap_rows(mat3* m, vector3* x, int a, int b)
{
    for (int c = 0; c < 3; c++) {
        const double kept = m->at[a][c];
        m->at[a][c] = m->at[b][c];
        m->at[b][c] = kept;
    }
    const double kept = x->at[a];
    x->at[a] = x->at[b];
    x->at[b] = kept;
}

// The solution of m x = y by elimination with row exchange; not finite if m is singular.
static inline vector3 mat3_solve(mat3 m, vector3 y)
{
    for (int j = 0; j < 3; j++) {
        int best = j;
        for (int i = j + 1; i < 3; i++) {
            best = fabs(m.at[i][j]) > fabs(m.at[best][j]) ? i : best;
        }
        if (best != j) {
            mat3_swap_rows(&m, &y, j, best);
        }
        for (int i = j + 1; i < 3; i++) {
            const double ratio = m.at[i][j] / m.at[j][j];
            for (int c = j; c < 3; c++) {
                m.at[i][c] -= ratio * m.at[j][c];
            }
            y.at[i] -= ratio * y.at[j];
        }
    }
    for (int i = 2; i >= 0; i--) {
        for (int c = i + 1; c < 3; c++) {
            y.at[i] -= m.at[i][c] * y.at[c];
        }
        y.at[i] /= m.at[i][i];
    }
    return y;
}

static inline void mat3_add_product(double scale, const mat3* u, const mat3* k, const mat3* x,
                                    mat3* sum)
{
    for (int column = 0; column < 3; column++) {
        double kx[3];
        for (int i = 0; i < 3; i++) {
            kx[i] = k->at[i][0] * x->at[0][column] + k->at[i][1] * x->at[1][column] +
                    k->at[i][2] * x->at[2][column];
        }
        for (int row = 0; row < 3; row++) {
            sum->at[row][column] +=
                scale * (u->at[0][row] * kx[0] + u->at[1][row] * kx[1] + u->at[2][row] * kx[2]);
        }
    }
}

static inline int mat3_invert(const mat3* a, mat3* out)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        for (int column = 0; column < 3; column++) {
            const int l = (column + 1) % 3, m = (column + 2) % 3;
            out->at[i][column] = a->at[l][j] * a->at[m][k] - a->at[l][k] * a->at[m][j];
        }
    }
    const double determinant =
        a->at[0][0] * out->at[0][0] + a->at[0][1] * out->at[1][0] + a->at[0][2] * out->at[2][0];
    const double per = 1.0 / determinant;
    for (int i = 0; i < 9; i++) {
        out->at[i / 3][i % 3] *= per;
    }
    return isfinite(per);
}

// Jacobi's rotation that makes a_pq vanish; V collects the rotations.
static inline void mat3_rotate(mat3* a, mat3* V, int p, int q)
{
    if (!(fabs(a->at[p][q]) > 1e-300)) {
        return;
    }
    const double theta = 0.5 * (a->at[q][q] - a->at[p][p]) / a->at[p][q];
    const double t = copysign(1.0, theta) / (fabs(theta) + hypot(1.0, theta));
    const double c = 1.0 / hypot(1.0, t), s = c * t;
    mat3 turn = mat3_identity();
    turn.at[p][p] = turn.at[q][q] = c;
    turn.at[p][q] = s;
    turn.at[q][p] = -s;
    *a = mat3_multiply(mat3_multiply(mat3_transpose(turn), *a), turn);
    *V = mat3_multiply(*V, turn);
}

// a = V diag V^T for a symmetric; a becomes diagonal, up to rounding.
static inline void mat3_diagonalise(mat3* a, mat3* V)
{
    enum { SWEEPS = 12 }; // convergence is quadratic: six are enough
    *V = mat3_identity();
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        mat3_rotate(a, V, 0, 1);
        mat3_rotate(a, V, 0, 2);
        mat3_rotate(a, V, 1, 2);
    }
}

#endif
