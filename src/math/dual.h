/*
 * Dual numbers: a number and its derivatives by DUAL_SEEDS seeds, forward-mode differentiation. In
 * vectors of LANES, so that LANES numbers are differentiated at once.
 */
#ifndef BRISTLE_MATH_DUAL_H
#define BRISTLE_MATH_DUAL_H

#include "math/lanes.h"

enum { DUAL_SEEDS = 4 };

typedef struct dual {
    vec v;             // value
    vec d[DUAL_SEEDS]; // derivatives
} dual;

INLINE dual dual_constant(vec value)
{
    dual a = {.v = value};
    for (int i = 0; i < DUAL_SEEDS; i++) {
        a.d[i] = all(0.0);
    }
    return a;
}

// A number that is seed `index` itself, times `slope`.
INLINE dual dual_seed(vec value, int index, vec slope)
{
    dual a = dual_constant(value);
    a.d[index] = slope;
    return a;
}

// f(a) from its value and slope at a
INLINE dual dual_chain(dual a, vec value, vec slope)
{
    dual f = {.v = value};
    for (int i = 0; i < DUAL_SEEDS; i++) {
        f.d[i] = slope * a.d[i];
    }
    return f;
}

INLINE dual dual_sum(dual a, dual b)
{
    dual sum = {.v = a.v + b.v};
    for (int i = 0; i < DUAL_SEEDS; i++) {
        sum.d[i] = a.d[i] + b.d[i];
    }
    return sum;
}

INLINE dual dual_product(dual a, dual b)
{
    dual product = {.v = a.v * b.v};
    for (int i = 0; i < DUAL_SEEDS; i++) {
        product.d[i] = a.v * b.d[i] + b.v * a.d[i];
    }
    return product;
}

INLINE dual dual_scale(vec c, dual a)
{
    return dual_chain(a, c * a.v, c);
}

INLINE dual dual_square(dual a)
{
    return dual_chain(a, a.v * a.v, 2.0 * a.v);
}

INLINE dual dual_inverse(dual a)
{
    const vec per_a = 1.0 / a.v;
    return dual_chain(a, per_a, -(per_a * per_a));
}

// At 0 the slope is that of the smallest number that counts, times derivatives that are 0 there.
INLINE dual dual_root(dual a)
{
    const vec r = root(a.v);
    return dual_chain(a, r, 0.5 / most(all(1e-150), r));
}

// a where the mask is set, else the constant b
INLINE dual dual_pick(mask m, dual a, vec b)
{
    dual out = {.v = pick(m, a.v, b)};
    for (int i = 0; i < DUAL_SEEDS; i++) {
        out.d[i] = only(m, a.d[i]);
    }
    return out;
}

#endif
