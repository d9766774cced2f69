/*
 * Dual numbers: a number and its derivatives by DUAL_SEEDS seeds, forward-mode differentiation, over the `vec` of
 * scalar.h or lanes.h. Include one of these first and define DUAL_SEEDS; 0: values alone, without derivatives. A
 * header that only has such numbers in its structs includes this without DUAL_SEEDS and uses DUAL_OF.
 */
#ifndef DUAL_OF
#define DUAL_OF(real, seeds)                                                                       \
    struct {                                                                                       \
        real v; /* value */                                                                        \
        real d[(seeds) > 0 ? (seeds) : 1];                                                         \
    }
#endif

#if defined(DUAL_SEEDS) && !defined(BRISTLE_MATH_DUAL_H)
#define BRISTLE_MATH_DUAL_H

#ifdef DUAL_TYPE // the name of the type in a header
typedef DUAL_TYPE dual;
#else
typedef DUAL_OF(vec, DUAL_SEEDS) dual;
#endif

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
    if (DUAL_SEEDS > 0) {
        a.d[index] = slope;
    }
    return a;
}

// Add to the derivative by one seed.
INLINE void dual_add(dual* a, int index, vec slope)
{
    if (DUAL_SEEDS > 0) {
        a->d[index] += slope;
    }
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

// f(a, b) from its value and slopes
INLINE dual dual_chain2(vec value, vec by_a, dual a, vec by_b, dual b)
{
    dual f = {.v = value};
    for (int i = 0; i < DUAL_SEEDS; i++) {
        f.d[i] = by_a * a.d[i] + by_b * b.d[i];
    }
    return f;
}

// (1 - share) a + share b
INLINE dual dual_between(dual a, dual b, vec share)
{
    return dual_chain2(a.v + share * (b.v - a.v), 1.0 - share, a, share, b);
}

INLINE dual dual_sum(dual a, dual b)
{
    dual sum = {.v = a.v + b.v};
    for (int i = 0; i < DUAL_SEEDS; i++) {
        sum.d[i] = a.d[i] + b.d[i];
    }
    return sum;
}

INLINE dual dual_difference(dual a, dual b)
{
    return dual_chain2(a.v - b.v, all(1.0), a, all(-1.0), b);
}

INLINE dual dual_product(dual a, dual b)
{
    dual product = {.v = a.v * b.v};
    for (int i = 0; i < DUAL_SEEDS; i++) {
        product.d[i] = a.v * b.d[i] + b.v * a.d[i];
    }
    return product;
}

INLINE dual dual_quotient(dual a, dual b)
{
    const vec q = a.v / b.v;
    return dual_chain2(q, 1.0 / b.v, a, -q / b.v, b);
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

// At 0 the slope is finite, 0.5/1e-150; the derivatives of a are 0 there.
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
