/*
 * Primitives of code that is compiled for doubles and for floats, with one world in each lane: `real`, `vec`, `mask` and
 * what acts on them. Include with LANES set, and REAL_IS_FLOAT for floats. This is the only header that such code needs, so
 * that OpenCL C or CUDA need one of the same names.
 *
 *   real, vec, mask            a number; one in each lane; a condition in each lane
 *   NUM(a)                     a constant that is not exact in binary, as a real
 *   TINY, REST_OF_PI           no 0/0: its square is a normal number
 *   all, pick, only, unless    a number in every lane; choose by a mask; 0 unless, or where, it is set
 *   both, either, no           of masks
 *   any, root, least, most, fused, magnitude, exp_of, sin_pi, nearest
 *   load, store                LANES numbers of memory
 *   lanes_of                   a mask as bits
 *   count_bits, first_bit      how many bits are set, and the number of the first
 *   OFFSET_OF                  of a member of a struct
 */
#ifndef BRISTLE_MATH_REAL_LANES_H
#define BRISTLE_MATH_REAL_LANES_H

#ifndef REAL_IS_FLOAT

#include "math/lanes.h"

typedef double real;
#define NUM(a)     (a)
#define TINY       1e-150
#define REST_OF_PI 1.2246467991473532e-16 // pi without its first 53 bits

// The nearest whole number, |a| < 2^51
INLINE vec nearest(vec a)
{
    const vec shifted = rounded(a + 0x1.8p52);
    return shifted - 0x1.8p52;
}

#else

#include <stddef.h>
#include <stdint.h>

#include <math.h>

#include "math/processor.h"

typedef float real;
#define NUM(a)     ((float)(a))
#define TINY       1e-18f
#define REST_OF_PI -8.7422777e-8f // pi without its first 24 bits

#ifdef BRISTLE_SCALAR
#include "math/one_lane.h"
#else

#if defined(__SSE2__) // every x86-64 has it
#include <immintrin.h>
#endif

typedef float vec __attribute__((vector_size(4 * LANES)));
typedef int32_t mask __attribute__((vector_size(4 * LANES)));
typedef uint32_t bits __attribute__((vector_size(4 * LANES)));
typedef float vec_in_memory __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

#ifdef __wasm__
#define SHARED static __attribute__((noinline, unused))
#else
#define SHARED INLINE
#endif

INLINE vec load(const float* from)
{
    return *(const vec_in_memory*)from;
}

INLINE void store(float* to, vec a)
{
    *(vec_in_memory*)to = a;
}

INLINE vec all(float a)
{
    return a - (vec){0.0f};
}

INLINE float lane_of(vec a, int lane)
{
    return a[lane];
}

INLINE void set_lane(vec* a, int lane, float value)
{
    (*a)[lane] = value;
}

INLINE bool is_set(mask m, int lane)
{
    return m[lane] != 0;
}

INLINE vec from_bits(bits a)
{
    return (vec)a;
}

INLINE bits bits_of(vec a)
{
    return (bits)a;
}

// A number without excess digits, as in math/lanes.h.
INLINE vec rounded(vec a)
{
    return a;
}

INLINE mask no(mask m)
{
    return ~m;
}

INLINE vec pick(mask m, vec yes, vec otherwise)
{
#if LANES == 8 && defined(__AVX2__)
    return (vec)_mm256_blendv_ps((__m256)otherwise, (__m256)yes, (__m256)m);
#else
    return (vec)((m & (mask)yes) | (~m & (mask)otherwise));
#endif
}

INLINE vec only(mask m, vec a)
{
    return (vec)(m & (mask)a);
}

INLINE vec unless(mask m, vec a)
{
    return (vec)(~m & (mask)a);
}

INLINE vec magnitude(vec a)
{
    return (vec)((mask)a & INT32_MAX);
}

#if LANES == 16 && defined(__AVX512F__)

INLINE vec root(vec a)
{
    return (vec)_mm512_sqrt_ps((__m512)a);
}

INLINE vec least(vec a, vec b)
{
    return (vec)_mm512_min_ps((__m512)a, (__m512)b);
}

INLINE vec most(vec a, vec b)
{
    return (vec)_mm512_max_ps((__m512)a, (__m512)b);
}

INLINE int any(mask m)
{
    return _mm512_test_epi32_mask((__m512i)m, (__m512i)m) != 0;
}

INLINE vec fused(vec a, vec b, vec c)
{
    return (vec)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
}

#elif LANES == 8 && defined(__AVX2__) && defined(__FMA__)

INLINE vec root(vec a)
{
    return (vec)_mm256_sqrt_ps((__m256)a);
}

INLINE vec least(vec a, vec b)
{
    return (vec)_mm256_min_ps((__m256)a, (__m256)b);
}

INLINE vec most(vec a, vec b)
{
    return (vec)_mm256_max_ps((__m256)a, (__m256)b);
}

INLINE int any(mask m)
{
    return _mm256_movemask_ps((__m256)m) != 0;
}

INLINE vec fused(vec a, vec b, vec c)
{
    return (vec)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}

#else // lane by lane, or what the compiler makes of it

INLINE vec root(vec a)
{
    vec r = a;
    for (int i = 0; i < LANES; i++) {
        r[i] = __builtin_sqrtf(a[i]);
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

// The branch hides the mask from gcc, as in math/lanes.h.
INLINE int any(mask m)
{
    int32_t some = 0;
    for (int i = 0; i < LANES; i++) {
        some |= m[i];
    }
#if defined(__GNUC__) && !defined(__clang__)
    __asm__("" : "+r"(some));
#endif
    return some != 0;
}

INLINE vec fused(vec a, vec b, vec c)
{
    return a * b + c;
}

#endif

INLINE unsigned lanes_of(mask m)
{
#if LANES == 16 && defined(__AVX512F__)
    return (unsigned)_mm512_test_epi32_mask((__m512i)m, (__m512i)m);
#elif LANES == 8 && defined(__AVX2__)
    return (unsigned)_mm256_movemask_ps((__m256)m);
#else
    unsigned set = 0;
    for (int i = 0; i < LANES; i++) {
        set |= (unsigned)(m[i] & 1) << i;
    }
    return set;
#endif
}

#endif

INLINE vec nearest(vec a)
{
    const vec shifted = rounded(a + 0x1.8p23f);
    return shifted - 0x1.8p23f;
}

// e^x for x <= 80, e^-80 below -80; relative error 2e-7
SHARED vec exp_of(vec x)
{
    const vec bounded = most(all(-80.0f), x);
    const vec shifted = rounded(fused(bounded, all(1.44269504f), all(0x1.8p23f)));
    const vec n = shifted - 0x1.8p23f;
    const vec r = fused(n, all(1.42860682e-06f), fused(n, all(-0.693145752f), bounded));
    vec p = fused(r, all(1.98756915e-4f), all(1.39819995e-3f));
    p = fused(p, r, all(8.33345191e-3f));
    p = fused(p, r, all(4.16657959e-2f));
    p = fused(p, r, all(1.66666655e-1f));
    p = fused(p, r, all(5.00000012e-1f));
    p = fused(p * r, r, r + 1.0f);
    return from_bits(bits_of(p) + (bits_of(shifted) << 23));
}

// sin(pi x) for |x| <= 1/2, error 2e-7
INLINE vec sin_pi(vec x)
{
    const vec s = x * x;
    vec p = fused(s, all(-7.37036435e-3f), all(8.21458788e-2f));
    p = fused(p, s, all(-5.99264529e-1f));
    p = fused(p, s, all(2.55016404f));
    p = fused(p, s, all(-5.16771278f));
    p = fused(p, s, all(3.14159265f));
    return x * p;
}

// For other exponents than 2, which are rare, lane by lane.
INLINE vec log_of(vec a)
{
    for (int i = 0; i < LANES; i++) {
        set_lane(&a, i, logf(lane_of(a, i)));
    }
    return a;
}

INLINE vec raised(vec a, vec b)
{
    for (int i = 0; i < LANES; i++) {
        const float base = lane_of(a, i);
        set_lane(&a, i, base > 0.0f ? powf(base, lane_of(b, i)) : 0.0f);
    }
    return a;
}

#endif

INLINE mask both(mask a, mask b)
{
    return a & b;
}

INLINE mask either(mask a, mask b)
{
    return a | b;
}

#define OFFSET_OF(type, member) offsetof(type, member)

#ifndef BRISTLE_SCALAR // one lane needs no bits

INLINE int count_bits(unsigned a)
{
    return __builtin_popcount(a);
}

INLINE int first_bit(unsigned a)
{
    return __builtin_ctz(a);
}

#endif

#include "math/sine_pair.inc"

#endif
