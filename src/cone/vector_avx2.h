/*
 * Vectors of four doubles (AVX2 and FMA): names for what the fast twins use, and the two functions
 * of them that the processor does not have.
 */
#ifndef BRISTLE_CONE_VECTOR_AVX2_H
#define BRISTLE_CONE_VECTOR_AVX2_H

#include <immintrin.h>

// Compiled for these instructions whatever the rest is; called only where the processor has them.
#define AVX2 __attribute__((target("avx2,fma")))

typedef __m256d vec;

AVX2 static inline vec vec_set(double x)
{
    return _mm256_set1_pd(x);
}

AVX2 static inline vec vec_load(const double* from)
{
    return _mm256_loadu_pd(from);
}

AVX2 static inline vec vec_broadcast(const double* from)
{
    return _mm256_broadcast_sd(from);
}

AVX2 static inline void vec_store(double* to, vec x)
{
    _mm256_storeu_pd(to, x);
}

AVX2 static inline vec vec_add(vec a, vec b)
{
    return _mm256_add_pd(a, b);
}

AVX2 static inline vec vec_mul(vec a, vec b)
{
    return _mm256_mul_pd(a, b);
}

AVX2 static inline vec vec_div(vec a, vec b)
{
    return _mm256_div_pd(a, b);
}

AVX2 static inline vec vec_sqrt(vec a)
{
    return _mm256_sqrt_pd(a);
}

AVX2 static inline vec vec_min(vec a, vec b)
{
    return _mm256_min_pd(a, b);
}

AVX2 static inline vec vec_max(vec a, vec b)
{
    return _mm256_max_pd(a, b);
}

// a b + c
AVX2 static inline vec vec_fma(vec a, vec b, vec c)
{
    return _mm256_fmadd_pd(a, b, c);
}

// c - a b
AVX2 static inline vec vec_fnma(vec a, vec b, vec c)
{
    return _mm256_fnmadd_pd(a, b, c);
}

// x where weight > 0, else 0
AVX2 static inline vec vec_where_positive(vec weight, vec x)
{
    return _mm256_and_pd(_mm256_cmp_pd(weight, _mm256_setzero_pd(), _CMP_GT_OQ), x);
}

// is a > b in none of the four?
AVX2 static inline int vec_none_greater(vec a, vec b)
{
    return _mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_GT_OQ)) == 0;
}

// is a <= b in all of the four? NaN is not.
AVX2 static inline int vec_all_at_most(vec a, vec b)
{
    return _mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_NLE_UQ)) == 0;
}

AVX2 static inline double vec_sum(vec a)
{
    const __m128d pair = _mm_add_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
    return _mm_cvtsd_f64(_mm_add_sd(pair, _mm_unpackhi_pd(pair, pair)));
}

// e^x for x <= 0, absolute error 2e-16; e^-300 below -300.
AVX2 static inline vec vec_exp(vec x)
{
    // x = n ln 2 + r, |r| <= ln(2)/2; adding 1.5 2^52 rounds n into the low bits
    const vec magic = vec_set(0x1.8p52);
    const vec bounded = vec_max(vec_set(-300.0), x); // NaN stays
    const vec shifted = vec_fma(bounded, vec_set(1.4426950408889634074), magic);
    const vec n = _mm256_sub_pd(shifted, magic);
    const vec r = vec_fnma(n, vec_set(0.69314718055994530942), bounded);

    // Chebyshev, error 4e-18; in pairs, so that the products run side by side
    const vec r2 = vec_mul(r, r), r4 = vec_mul(r2, r2);
    const vec p01 = vec_add(vec_set(1.0), r);
    const vec p23 = vec_fma(r, vec_set(0.16666666666666702), vec_set(0.5000000000000019));
    const vec p45 = vec_fma(r, vec_set(0.008333333333309526), vec_set(0.04166666666648808));
    const vec p67 = vec_fma(r, vec_set(0.00019841269909219843), vec_set(0.0013888888952318045));
    const vec p89 = vec_fma(r, vec_set(2.755722495611072e-06), vec_set(2.480148547921643e-05));
    const vec pab = vec_fma(r, vec_set(2.5114870219497476e-08), vec_set(2.7632640675430235e-07));
    const vec low = vec_fma(p23, r2, p01), middle = vec_fma(p67, r2, p45);
    const vec high = vec_fma(pab, r2, p89);
    const vec sum = vec_fma(vec_fma(high, r4, middle), r4, low);

    // times 2^n: add n to the exponent
    const __m256i exponent = _mm256_slli_epi64(_mm256_castpd_si256(shifted), 52);
    return _mm256_castsi256_pd(_mm256_add_epi64(_mm256_castpd_si256(sum), exponent));
}

// sin(pi x) for |x| <= 1/2, absolute error 4e-16.
AVX2 static inline vec vec_sin_pi(vec x)
{
    // sin(pi x)/x in x^2 by Chebyshev, error 2e-16; in pairs, so that the products run side by side
    const vec s = vec_mul(x, x), s2 = vec_mul(s, s), s4 = vec_mul(s2, s2);
    const vec p01 = vec_fma(vec_set(-5.167712780049786), s, vec_set(3.1415926535897927));
    const vec p23 = vec_fma(vec_set(-0.5992645288256148), s, vec_set(2.550164039861884));
    const vec p45 = vec_fma(vec_set(-0.007370364352718201), s, vec_set(0.08214587882077493));
    const vec p67 = vec_fma(vec_set(-2.1133714397960184e-05), s, vec_set(0.0004659870919775173));
    const vec low = vec_fma(p23, s2, p01), high = vec_fma(p67, s2, p45);
    return vec_mul(x, vec_fma(high, s4, low));
}

AVX2 static inline vec vec_sub(vec a, vec b)
{
    return _mm256_sub_pd(a, b);
}

AVX2 static inline vec vec_abs(vec a)
{
    return _mm256_andnot_pd(vec_set(-0.0), a);
}

AVX2 static inline vec vec_floor(vec a)
{
    return _mm256_floor_pd(a);
}

// All bits set where a > b; none where one is NaN.
AVX2 static inline vec vec_greater(vec a, vec b)
{
    return _mm256_cmp_pd(a, b, _CMP_GT_OQ);
}

// yes where the bits of mask are set, else no
AVX2 static inline vec vec_select(vec mask, vec yes, vec no)
{
    return _mm256_blendv_pd(no, yes, mask);
}

// a with its sign changed where the bits of mask are set
AVX2 static inline vec vec_negate_where(vec mask, vec a)
{
    return _mm256_xor_pd(a, _mm256_and_pd(mask, vec_set(-0.0)));
}

// atan2(y, x) in the first quadrant (x, y >= 0), error 4e-16; 0 at x = y = 0.
AVX2 static inline vec vec_atan2_quadrant(vec y, vec x)
{
    // the smaller over the larger; beyond pi/8 from pi/4: u = tan(angle - centre)
    const vec small = vec_min(x, y), large = vec_max(x, y);
    const vec far = vec_greater(small, vec_mul(large, vec_set(0.41421356237309504880)));
    const vec shift_x = _mm256_and_pd(far, small), shift_y = _mm256_and_pd(far, large);
    const vec centre = _mm256_and_pd(far, vec_set(0.78539816339744830962));
    const vec below = vec_max(vec_add(large, shift_x), vec_set(1e-300));
    const vec u = vec_div(vec_sub(small, shift_y), below);

    // (atan(u)/u - 1)/u^2 by Chebyshev for |u| <= tan(pi/8), error 1e-17; in pairs
    const vec s = vec_mul(u, u), s2 = vec_mul(s, s), s4 = vec_mul(s2, s2);
    const vec p12 = vec_fma(vec_set(0.19999999998882076), s, vec_set(-0.3333333333332858));
    const vec p34 = vec_fma(vec_set(0.11111106255995819), s, vec_set(-0.14285714182978565));
    const vec p56 = vec_fma(vec_set(0.07689975128569665), s, vec_set(-0.09090774712795827));
    const vec p78 = vec_fma(vec_set(0.056892235017660546), s, vec_set(-0.06640410811535268));
    const vec p9a = vec_fma(vec_set(0.021163217481242648), s, vec_set(-0.043504452574300106));
    const vec low = vec_fma(p34, s2, p12), high = vec_fma(p78, s2, p56);
    const vec sum = vec_fma(vec_fma(p9a, s4, high), s4, low);
    const vec angle = vec_add(vec_fma(vec_mul(sum, s), u, u), centre);
    return vec_select(vec_greater(y, x), vec_sub(vec_set(1.57079632679489661923), angle), angle);
}

#endif
