/*
 * Algebra of twists V = Vf + G p that depend on r unknowns p, and of resistances f(V).
 *
 * Sizes are arguments. A body has one twist and three unknowns; where these are constants, the compiler
 * unrolls the loops. With variables a step of a reduced contact would take a sixth longer.
 */
#ifndef BRISTLE_MATH_MOVES_H
#define BRISTLE_MATH_MOVES_H

#include <string.h>

#include "math/cholesky.h"
#include "math/lu.h"
#include "math/processor.h"

// How the twists depend on the unknowns: G of A = G G^T.
typedef struct moves {
    size_t twists;      // 1, or as many as contacts
    size_t r;           // unknowns p, the rank of A
    size_t stride;      // of the rows of G, >= r
    const double* root; // G (3 twists x stride)
} moves;

// The moves of a body, with constant sizes.
#define BODY_MOVES(root) ((moves){1, 3, 3, root})

static inline int moves_are_of_body(moves g)
{
    return g.twists == 1 && g.r == 3 && g.stride == 3;
}

// Call one of the functions below, with constant sizes for a body.
#define MOVES_CALL(function, g, ...)                                                               \
    (moves_are_of_body(g) ? function(BODY_MOVES((g).root), __VA_ARGS__) : function(g, __VA_ARGS__))

// v += G p
INLINE void moves_add_twists(moves g, const double* p, double* v)
{
    for (size_t i = 0; i < 3 * g.twists; i++) {
        v[i] += dot(g.root + i * g.stride, p, g.r);
    }
}

// out = p + h G^T f
INLINE void moves_residual(moves g, double h, const double* f, const double* p, double* out)
{
    for (size_t j = 0; j < g.r; j++) {
        out[j] = 0.0;
    }
    for (size_t i = 0; i < 3 * g.twists; i++) {
        add(out, f[i], g.root + i * g.stride, g.r);
    }
    for (size_t j = 0; j < g.r; j++) {
        out[j] = p[j] + h * out[j];
    }
}

// out = 1 + h G^T K G, K = df/dV: 3 x 3 for each twist
INLINE void moves_slope(moves g, double h, const double* f_v, double* out)
{
    for (size_t i = 0; i < g.r * g.r; i++) {
        out[i] = i % (g.r + 1) == 0 ? 1.0 : 0.0;
    }
    for (size_t t = 0; t < g.twists; t++) {
        const double* k = f_v + 9 * t;
        const double *x = g.root + 3 * t * g.stride, *y = x + g.stride, *w = y + g.stride;
        for (size_t j = 0; j < g.r; j++) {
            const double kx = k[0] * x[j] + k[1] * y[j] + k[2] * w[j];
            const double ky = k[3] * x[j] + k[4] * y[j] + k[5] * w[j];
            const double kw = k[6] * x[j] + k[7] * y[j] + k[8] * w[j];
            for (size_t i = 0; i < g.r; i++) {
                out[i * g.r + j] += h * (x[i] * kx + y[i] * ky + w[i] * kw);
            }
        }
    }
}

// f = C V + c, C = f_v
INLINE void moves_linear(moves g, const double* f_v, const double* v, const double* c, double* f)
{
    for (size_t k = 0; k < 3 * g.twists; k++) {
        f[k] = dot(f_v + 3 * k, v + k / 3 * 3, 3) + c[k];
    }
}

// p (r) of p + h G^T (C (Vf + G p) + c) = 0: Cholesky, refined `refinements` times. Scratch: v and f
// (3 twists), step (r), matrix (r x r).
INLINE void moves_close(moves g, double h, const double* f_v, const double* c, const double* vf,
                        int refinements, double* p, double* v, double* f, double* step,
                        double* matrix)
{
    moves_slope(g, h, f_v, matrix);
    cholesky_factor_above(matrix, g.r, 1.0); // 1 + a semidefinite matrix
    memset(p, 0, g.r * sizeof *p);
    for (int i = 0; i <= refinements; i++) {
        memcpy(v, vf, 3 * g.twists * sizeof *v);
        moves_add_twists(g, p, v);
        moves_linear(g, f_v, v, c, f);
        moves_residual(g, h, f, p, step);
        cholesky_solve(matrix, g.r, step);
        add(p, -1.0, step, g.r);
    }
}

#endif
