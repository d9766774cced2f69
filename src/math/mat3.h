/*
 * Matrices of three rows: products, Cholesky's factor, eigenvectors by Jacobi's rotations.
 */
#ifndef BRISTLE_MATH_MAT3_H
#define BRISTLE_MATH_MAT3_H

#include <math.h>

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

// Symmetric to 1e-12 of its diagonal? NaN is not.
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

// a = L L^T with L lower triangular; 0 if a is not positive definite. Reads the lower half.
static inline int mat3_cholesky(mat3 a, mat3* L)
{
    *L = (mat3){{{0.0}}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            double rest = a.at[i][j];
            for (int k = 0; k < j; k++) {
                rest -= L->at[i][k] * L->at[j][k];
            }
            if (i == j && !(rest > 1e-15 * a.at[i][i] && isfinite(rest))) {
                return 0;
            }
            L->at[i][j] = i == j ? sqrt(rest) : rest / L->at[j][j];
        }
    }
    return 1;
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
