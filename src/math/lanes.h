/*
 * Vectors of LANES doubles in the compiler's own vector types: + - * / act on each lane, comparisons
 * give masks. Include with LANES set to 1, 2, 4 or 8, in a file that is compiled for the instructions
 * that go with it.
 *
 * Every lane depends on itself alone, whatever its neighbours are. fused(a, b, c) = a b + c is one
 * instruction where the processor has it. Without vector types (BRISTLE_SCALAR) LANES is 1, and a vector is a number.
 */
#ifndef BRISTLE_MATH_LANES_H
#define BRISTLE_MATH_LANES_H

#include <stddef.h>
#include <stdint.h>

#include "math/processor.h"

#ifdef BRISTLE_SCALAR
#include "math/one_lane.h"
#else

#if defined(__SSE2__) // every x86-64 has it
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

typedef double vec __attribute__((vector_size(8 * LANES)));
typedef int64_t mask __attribute__((vector_size(8 * LANES))); // all bits of a lane, or none
typedef uint64_t bits __attribute__((vector_size(8 * LANES)));
typedef double vec_in_memory __attribute__((vector_size(8 * LANES), aligned(8), may_alias));

// A long function of vectors: inlined, except in a WebAssembly module, which is to be small.
#ifdef __wasm__
#define SHARED static __attribute__((noinline, unused))
#else
#define SHARED INLINE
#endif

INLINE vec load(const double* from)
{
    return *(const vec_in_memory*)from;
}

INLINE void store(double* to, vec a)
{
    *(vec_in_memory*)to = a;
}

// Numbers in triples, x y t x y t ...: LANES triples as three vectors, and back.
INLINE void load_triples(const double* from, vec to[3])
{
#if LANES == 8 && defined(__AVX512F__)
    const __m512d a = _mm512_loadu_pd(from), b = _mm512_loadu_pd(from + 8);
    const __m512d c = _mm512_loadu_pd(from + 16);
    const __m512i x = _mm512_setr_epi64(0, 3, 6, 9, 12, 15, 0, 0);
    const __m512i y = _mm512_setr_epi64(1, 4, 7, 10, 13, 0, 0, 0);
    const __m512i t = _mm512_setr_epi64(2, 5, 8, 11, 14, 0, 0, 0);
    const __m512i x_end = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 10, 13);
    const __m512i y_end = _mm512_setr_epi64(0, 1, 2, 3, 4, 8, 11, 14);
    const __m512i t_end = _mm512_setr_epi64(0, 1, 2, 3, 4, 9, 12, 15);
    to[0] = (vec)_mm512_permutex2var_pd(_mm512_permutex2var_pd(a, x, b), x_end, c);
    to[1] = (vec)_mm512_permutex2var_pd(_mm512_permutex2var_pd(a, y, b), y_end, c);
    to[2] = (vec)_mm512_permutex2var_pd(_mm512_permutex2var_pd(a, t, b), t_end, c);
#else
    for (int j = 0; j < 3; j++) {
        vec a = from[j] - (vec){0.0};
        for (int i = 1; i < LANES; i++) {
            a[i] = from[3 * i + j];
        }
        to[j] = a;
    }
#endif
}

INLINE void store_triples(double* to, const vec from[3])
{
#if LANES == 8 && defined(__AVX512F__)
    const __m512d x = (__m512d)from[0], y = (__m512d)from[1], t = (__m512d)from[2];
    const __m512i first = _mm512_setr_epi64(0, 8, 0, 1, 9, 0, 2, 10);
    const __m512i second = _mm512_setr_epi64(0, 3, 11, 0, 4, 12, 0, 5);
    const __m512i third = _mm512_setr_epi64(13, 0, 6, 14, 0, 7, 15, 0);
    const __m512i first_t = _mm512_setr_epi64(0, 1, 8, 3, 4, 9, 6, 7);
    const __m512i second_t = _mm512_setr_epi64(10, 1, 2, 11, 4, 5, 12, 7);
    const __m512i third_t = _mm512_setr_epi64(0, 13, 2, 3, 14, 5, 6, 15);
    _mm512_storeu_pd(to, _mm512_permutex2var_pd(_mm512_permutex2var_pd(x, first, y), first_t, t));
    _mm512_storeu_pd(to + 8,
                     _mm512_permutex2var_pd(_mm512_permutex2var_pd(x, second, y), second_t, t));
    _mm512_storeu_pd(to + 16,
                     _mm512_permutex2var_pd(_mm512_permutex2var_pd(x, third, y), third_t, t));
#else
    for (int i = 0; i < LANES; i++) {
        for (int j = 0; j < 3; j++) {
            to[3 * i + j] = from[j][i];
        }
    }
#endif
}

INLINE vec all(double a)
{
    return a - (vec){0.0};
}

INLINE double lane_of(vec a, int lane)
{
    return a[lane];
}

INLINE void set_lane(vec* a, int lane, double value)
{
    (*a)[lane] = value;
}

INLINE bool is_set(mask m, int lane)
{
    return m[lane] != 0;
}

// The numbers with these bits, and back.
INLINE vec from_bits(bits a)
{
    return (vec)a;
}

INLINE bits bits_of(vec a)
{
    return (bits)a;
}

INLINE mask no(mask m)
{
    return ~m;
}

// A number without excess digits, as every vector is; one_lane.h has those of x87.
INLINE vec rounded(vec a)
{
    return a;
}

// yes where the mask is set, else `otherwise`
INLINE vec pick(mask m, vec yes, vec otherwise)
{
#if LANES == 4 && defined(__AVX2__)
    return (vec)_mm256_blendv_pd((__m256d)otherwise, (__m256d)yes, (__m256d)m);
#else
    return (vec)((m & (mask)yes) | (~m & (mask)otherwise));
#endif
}

// a where the mask is set, else 0
INLINE vec only(mask m, vec a)
{
    return (vec)(m & (mask)a);
}

// 0 where the mask is set, else a
INLINE vec unless(mask m, vec a)
{
    return (vec)(~m & (mask)a);
}

// Change the sign where the mask is set.
INLINE vec turned(mask m, vec a)
{
    return (vec)((mask)a ^ (m & INT64_MIN));
}

INLINE vec magnitude(vec a)
{
    return (vec)((mask)a & INT64_MAX);
}

// Operations without an operator: one name for each processor's instruction. least and most give b where one of
// the two is NaN. per_root(a) = 1/root(a) and root_over(a, b) = root(a)/b, b > 0, have errors in the
// last bit or two.
#if LANES == 8 && defined(__AVX512F__)

INLINE vec least(vec a, vec b)
{
    return (vec)_mm512_min_pd((__m512d)a, (__m512d)b);
}

INLINE vec most(vec a, vec b)
{
    return (vec)_mm512_max_pd((__m512d)a, (__m512d)b);
}

INLINE int any(mask m)
{
    return _mm512_test_epi64_mask((__m512i)m, (__m512i)m) != 0;
}

INLINE int all_at_most(vec a, vec b)
{
    return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_LE_OQ) == 0xff;
}

INLINE vec fused(vec a, vec b, vec c)
{
    return (vec)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
}

// for 1e-300 < a < 1e300: 14 bits from the processor, four times as many by a series in 1 - a r^2
INLINE vec per_root(vec a)
{
    const vec r = (vec)_mm512_rsqrt14_pd((__m512d)a);
    const vec e = fused(-(a * r), r, all(1.0));
    const vec series = fused(fused(all(0.3125), e, all(0.375)), e, all(0.5));
    return fused(r * e, series, r);
}

INLINE vec root(vec a)
{
    return (vec)_mm512_sqrt_pd((__m512d)a);
}

INLINE vec root_over(vec a, vec b)
{
    return a * per_root(most(all(1e-290), a * (b * b)));
}

#else

#if LANES == 4 && defined(__AVX2__) && defined(__FMA__)

INLINE vec root(vec a)
{
    return (vec)_mm256_sqrt_pd((__m256d)a);
}

INLINE vec least(vec a, vec b)
{
    return (vec)_mm256_min_pd((__m256d)a, (__m256d)b);
}

INLINE vec most(vec a, vec b)
{
    return (vec)_mm256_max_pd((__m256d)a, (__m256d)b);
}

INLINE int any(mask m)
{
    return _mm256_movemask_pd((__m256d)m) != 0;
}

INLINE int all_at_most(vec a, vec b)
{
    return _mm256_movemask_pd((__m256d)(a <= b)) == 0xf;
}

INLINE vec fused(vec a, vec b, vec c)
{
    return (vec)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
}

#elif LANES == 2 && defined(__SSE2__)

INLINE vec root(vec a)
{
    return (vec)_mm_sqrt_pd((__m128d)a);
}

INLINE vec least(vec a, vec b)
{
    return (vec)_mm_min_pd((__m128d)a, (__m128d)b);
}

INLINE vec most(vec a, vec b)
{
    return (vec)_mm_max_pd((__m128d)a, (__m128d)b);
}

INLINE int any(mask m)
{
    return _mm_movemask_pd((__m128d)m) != 0;
}

INLINE int all_at_most(vec a, vec b)
{
    return _mm_movemask_pd((__m128d)(a <= b)) == 0x3;
}

INLINE vec fused(vec a, vec b, vec c)
{
    return a * b + c;
}

#elif LANES == 2 && defined(__aarch64__)

INLINE vec root(vec a)
{
    return (vec)vsqrtq_f64((float64x2_t)a);
}

// fmin and fmax treat NaN differently
INLINE vec least(vec a, vec b)
{
    return pick(a < b, a, b);
}

INLINE vec most(vec a, vec b)
{
    return pick(a > b, a, b);
}

INLINE int any(mask m)
{
    return (m[0] | m[1]) != 0;
}

INLINE int all_at_most(vec a, vec b)
{
    return !any(~(a <= b));
}

INLINE vec fused(vec a, vec b, vec c)
{
    return (vec)vfmaq_f64((float64x2_t)c, (float64x2_t)a, (float64x2_t)b);
}

#elif LANES == 2 && defined(__wasm_simd128__)

INLINE vec root(vec a)
{
    return (vec)wasm_f64x2_sqrt((v128_t)a);
}

INLINE vec least(vec a, vec b)
{
    return (vec)wasm_f64x2_pmin((v128_t)b, (v128_t)a);
}

INLINE vec most(vec a, vec b)
{
    return (vec)wasm_f64x2_pmax((v128_t)b, (v128_t)a);
}

INLINE int any(mask m)
{
    return wasm_v128_any_true((v128_t)m);
}

INLINE int all_at_most(vec a, vec b)
{
    return !any(~(a <= b));
}

INLINE vec fused(vec a, vec b, vec c)
{
    return a * b + c;
}

#else // lane by lane

INLINE vec root(vec a)
{
    vec r = a;
    for (int i = 0; i < LANES; i++) {
        r[i] = __builtin_sqrt(a[i]);
    }
    return r;
}

INLINE vec least(vec a, vec b)
{
    return pick(a < b, a, b);
}

INLINE vec most(vec a, vec b)
{
    return pick(a > b, a, b);
}

// gcc 12 splits comparisons of such vectors into numbers of a boolean type whose true is -1. After a branch on
// one it takes true for 1, and pick(m, pick(n, a, b), b) there gives b. So the branch must hide the mask from gcc.
INLINE int any(mask m)
{
    int64_t some = 0;
    for (int i = 0; i < LANES; i++) {
        some |= m[i];
    }
#if defined(__GNUC__) && !defined(__clang__)
    __asm__("" : "+r"(some));
#endif
    return some != 0;
}

INLINE int all_at_most(vec a, vec b)
{
    return !any(~(a <= b));
}

INLINE vec fused(vec a, vec b, vec c)
{
    return a * b + c;
}

#endif

INLINE vec per_root(vec a)
{
    return 1.0 / root(a);
}

INLINE vec root_over(vec a, vec b)
{
    return root(a) / b;
}

#endif

// Bit i: the mask of lane i.
INLINE unsigned lanes_of(mask m)
{
#if LANES == 8 && defined(__AVX512F__)
    return (unsigned)_mm512_test_epi64_mask((__m512i)m, (__m512i)m);
#elif LANES == 4 && defined(__AVX2__)
    return (unsigned)_mm256_movemask_pd((__m256d)m);
#else
    unsigned set = 0;
    for (int i = 0; i < LANES; i++) {
        set |= (unsigned)(m[i] & 1) << i;
    }
    return set;
#endif
}

// The sum of the lanes, always in the same order: half by half, so that few additions depend on each other.
INLINE double total(vec a)
{
#if LANES == 8 && defined(__AVX512F__)
    return _mm512_reduce_add_pd((__m512d)a);
#elif LANES == 4 && defined(__AVX2__)
    const __m128d low = _mm256_castpd256_pd128((__m256d)a);
    const __m128d pair = _mm_add_pd(low, _mm256_extractf128_pd((__m256d)a, 1));
    return pair[0] + pair[1];
#else
    double sum = a[0];
    for (int i = 1; i < LANES; i++) {
        sum += a[i];
    }
    return sum;
#endif
}

typedef int32_t node_places __attribute__((vector_size(4 * LANES)));

// Whole numbers as indices; NaN becomes 0.
INLINE node_places index_of(vec a)
{
    return __builtin_convertvector(most(a, all(0.0)), node_places);
}

INLINE int32_t place_of(node_places index, int lane)
{
    return index[lane];
}

// The numbers at base[index] for each lane's own index; `alone`: all lanes are the same
INLINE vec gather(const double* base, node_places index, const int alone)
{
    vec a = all(base[index[0]]);
    for (int i = 1; !alone && i < LANES; i++) {
        a[i] = base[index[i]];
    }
    return a;
}

// Four numbers that follow each other, from base[index] on, for each lane's own index.
INLINE void gather_four(const double* base, node_places index, const int alone, vec to[4])
{
#if LANES == 8 && defined(__AVX512F__)
    if (!alone) { // lanes k and k + 4 side by side, then both halves transposed
        __m512d row[4];
        for (int k = 0; k < 4; k++) {
            const __m256d low = _mm256_loadu_pd(base + index[k]);
            row[k] = _mm512_insertf64x4(_mm512_castpd256_pd512(low),
                                        _mm256_loadu_pd(base + index[k + 4]), 1);
        }
        const __m512d a = _mm512_unpacklo_pd(row[0], row[1]),
                      b = _mm512_unpackhi_pd(row[0], row[1]);
        const __m512d c = _mm512_unpacklo_pd(row[2], row[3]),
                      d = _mm512_unpackhi_pd(row[2], row[3]);
        const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
        const __m512i last = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
        to[0] = (vec)_mm512_permutex2var_pd(a, first, c);
        to[1] = (vec)_mm512_permutex2var_pd(b, first, d);
        to[2] = (vec)_mm512_permutex2var_pd(a, last, c);
        to[3] = (vec)_mm512_permutex2var_pd(b, last, d);
        return;
    }
#elif LANES == 4 && defined(__AVX2__)
    if (!alone) {
        const __m256d r0 = _mm256_loadu_pd(base + index[0]), r1 = _mm256_loadu_pd(base + index[1]);
        const __m256d r2 = _mm256_loadu_pd(base + index[2]), r3 = _mm256_loadu_pd(base + index[3]);
        const __m256d a = _mm256_unpacklo_pd(r0, r1), b = _mm256_unpackhi_pd(r0, r1);
        const __m256d c = _mm256_unpacklo_pd(r2, r3), d = _mm256_unpackhi_pd(r2, r3);
        to[0] = (vec)_mm256_permute2f128_pd(a, c, 0x20);
        to[1] = (vec)_mm256_permute2f128_pd(b, d, 0x20);
        to[2] = (vec)_mm256_permute2f128_pd(a, c, 0x31);
        to[3] = (vec)_mm256_permute2f128_pd(b, d, 0x31);
        return;
    }
#endif
    for (int j = 0; j < 4; j++) {
        to[j] = gather(base + j, index, alone);
    }
}

#endif

// e^x for x <= 300, e^-300 below -300; absolute error 2e-16 for x <= 0
SHARED vec exp_of(vec x)
{
    // x = n ln 2 + r, |r| <= ln(2)/2; adding 1.5 2^52 rounds n into the low bits
    const vec bounded = most(all(-300.0), x); // NaN propagates
    const vec shifted = rounded(fused(bounded, all(1.4426950408889634074), all(0x1.8p52)));
    const vec r = fused(shifted - 0x1.8p52, all(-0.69314718055994530942), bounded);

    // Chebyshev, error 4e-18; in pairs, so that the products run side by side
    const vec r2 = r * r, r4 = r2 * r2;
    const vec p01 = 1.0 + r;
    const vec p23 = fused(r, all(0.16666666666666702), all(0.5000000000000019));
    const vec p45 = fused(r, all(0.008333333333309526), all(0.04166666666648808));
    const vec p67 = fused(r, all(0.00019841269909219843), all(0.0013888888952318045));
    const vec p89 = fused(r, all(2.755722495611072e-06), all(2.480148547921643e-05));
    const vec pab = fused(r, all(2.5114870219497476e-08), all(2.7632640675430235e-07));
    const vec low = fused(p23, r2, p01), middle = fused(p67, r2, p45), high = fused(pab, r2, p89);
    const vec sum = fused(fused(high, r4, middle), r4, low);

    // times 2^n: n is added to the exponent; NaN propagates
    return from_bits(bits_of(sum) + (bits_of(shifted) << 52));
}

// ln a of a normal number, error 1 in the last place; after fdlibm
SHARED vec log_of(vec a)
{
    // a = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt(2)
    const bits above = bits_of(a) + (0x3ff0000000000000 - 0x3fe6a09e00000000);
    const vec k = from_bits((above >> 52) | 0x4330000000000000) - (0x1p52 + 1023.0);
    const vec f = from_bits((above & 0x000fffffffffffff) + 0x3fe6a09e00000000) - 1.0;
    const vec half = 0.5 * f * f, s = f / (2.0 + f), z = s * s, w = z * z;
    const vec even = w * (3.999999999940941908e-01 +
                          w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
    const vec odd = z * (6.666666666666735130e-01 +
                         w * (2.857142874366239149e-01 +
                              w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
    return s * (half + even + odd) + k * 1.90821492927058770002e-10 - half + f +
           k * 6.93147180369123816490e-01;
}

// a^b of a >= 0 and b > 0, e^300 at most
SHARED vec raised(vec a, vec b)
{
    return unless(a <= 0.0, exp_of(least(b * log_of(most(all(1e-300), a)), all(300.0))));
}

#include "math/sin_pi.inc"

// atan2(y, x) in the first quadrant (x, y >= 0), error 4e-16; 0 at x = y = 0
SHARED vec atan2_quadrant(vec y, vec x)
{
    // the smaller over the larger; beyond pi/8 from pi/4: u = tan(angle - centre)
    const vec small = least(x, y), large = most(x, y);
    const mask far = small > large * 0.41421356237309504880;
    const vec u = (small - only(far, large)) / most(all(1e-300), large + only(far, small));

    // (atan(u)/u - 1)/u^2 by Chebyshev for |u| <= tan(pi/8), error 1e-17; in pairs
    const vec s = u * u, s2 = s * s, s4 = s2 * s2;
    const vec p12 = fused(s, all(0.19999999998882076), all(-0.3333333333332858));
    const vec p34 = fused(s, all(0.11111106255995819), all(-0.14285714182978565));
    const vec p56 = fused(s, all(0.07689975128569665), all(-0.09090774712795827));
    const vec p78 = fused(s, all(0.056892235017660546), all(-0.06640410811535268));
    const vec p9a = fused(s, all(0.021163217481242648), all(-0.043504452574300106));
    const vec low = fused(p34, s2, p12), high = fused(p78, s2, p56);
    const vec sum = fused(fused(p9a, s4, high), s4, low);
    const vec angle = fused(sum * s, u, u) + only(far, all(0.78539816339744830962));
    return pick(y > x, 1.57079632679489661923 - angle, angle);
}

// The largest whole number that is not above a, for 0 <= a < 2^31
INLINE vec whole_part(vec a)
{
#if LANES == 8 && defined(__AVX512F__)
    return (vec)_mm512_floor_pd((__m512d)a);
#elif LANES == 4 && defined(__AVX2__)
    return (vec)_mm256_floor_pd((__m256d)a);
#else
    const vec near = rounded(a + 0x1p52) - 0x1p52;
    return near - only(near > a, all(1.0));
#endif
}

#endif
