/*
 * Margins of many forces, four at a time (AVX2).
 *
 * Margins: the same sums in the same order as br_cone_margin(), without fused products, so that a
 * batch equals its single calls to the last bit. Checks: squares tell the side of the boundary. Four
 * forces whose squares over- or underflow, or of which one is at the boundary, go to the plain twin.
 */
#include "bristle/cone.h"

#include <stdint.h>
#include <string.h>

// The plain twins: one force after the other, from `begin` on.
static void margin_plain(const br_cone* cone, size_t begin, size_t end, const double* f,
                         double* margin)
{
    for (size_t i = begin; i < end; i++) {
        margin[i] = br_cone_margin(cone, f + 3 * i);
    }
}

static void check_plain(const br_cone* cone, size_t begin, size_t end, const double* f,
                        unsigned char* inside)
{
    for (size_t i = begin; i < end; i++) {
        inside[i] = (unsigned char)br_cone_contains(cone, f + 3 * i);
    }
}

#if defined(__x86_64__) && defined(__GNUC__)

#include "cone/vector_avx2.h"

enum { LANES = 4, AHEAD = 64 }; // forces at a time, and how far ahead memory is asked for them

// A cone, four times each number.
typedef struct cone_vec {
    vec x, y, z, mu;
} cone_vec;

AVX2 static inline cone_vec cone_vec_of(const br_cone* cone)
{
    return (cone_vec){vec_set(cone->n[0]), vec_set(cone->n[1]), vec_set(cone->n[2]),
                      vec_set(cone->mu)};
}

// Four forces x y z x | y z x y | z x y z as three vectors of their components.
AVX2 static inline void load_forces(const double* f, vec* x, vec* y, vec* z)
{
    const vec a = vec_load(f), b = vec_load(f + 4), c = vec_load(f + 8);
    const vec low = _mm256_permute2f128_pd(a, b, 0x30);  // x0 y0 x2 y2
    const vec mid = _mm256_permute2f128_pd(a, c, 0x21);  // z0 x1 z2 x3
    const vec high = _mm256_permute2f128_pd(b, c, 0x30); // y1 z1 y3 z3
    *x = _mm256_blend_pd(low, mid, 0xA);
    *y = _mm256_shuffle_pd(low, high, 0x5);
    *z = _mm256_blend_pd(mid, high, 0xA);
}

AVX2 static size_t margin_fast(const br_cone* cone, size_t count, const double* f, double* margin)
{
    const cone_vec four = cone_vec_of(cone);
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        vec x, y, z;
        load_forces(f + 3 * i, &x, &y, &z);
        // mu n^T f - |(I - n n^T) f|                                                           (13)
        const vec fn = vec_add(vec_add(vec_mul(four.x, x), vec_mul(four.y, y)), vec_mul(four.z, z));
        const vec tx = vec_sub(x, vec_mul(fn, four.x));
        const vec ty = vec_sub(y, vec_mul(fn, four.y));
        const vec tz = vec_sub(z, vec_mul(fn, four.z));
        const vec square = vec_add(vec_add(vec_mul(tx, tx), vec_mul(ty, ty)), vec_mul(tz, tz));
        vec_store(margin + i, vec_sub(vec_mul(four.mu, fn), vec_sqrt(square)));
        // the range of vec3_norm()
        if (!vec_all_at_most(vec_set(1e-280), square) || !vec_all_at_most(square, vec_set(1e300))) {
            margin_plain(cone, i, i + LANES, f, margin);
        }
    }
    return i;
}

// Ask memory for forces that come later: it is what long lists wait for.
AVX2 static inline void fetch_ahead(const double* f, size_t i, size_t count)
{
    if (i + AHEAD + LANES <= count) {
        _mm_prefetch((const char*)(f + 3 * (i + AHEAD)), _MM_HINT_T0);
        _mm_prefetch((const char*)(f + 3 * (i + AHEAD) + 8), _MM_HINT_T0);
    }
}

// Check forces from `begin` on, up to four of which one is too near the boundary, or its square out
// of range. Inside is f_n > 0 and |f|^2 < (1 + mu^2) f_n^2; far from the boundary, rounding and what
// is allowed for it do not matter, and fused products may be used.
AVX2 static size_t check_sure(const br_cone* cone, size_t begin, size_t count, const double* f,
                              unsigned char* inside)
{
    const cone_vec four = cone_vec_of(cone);
    const vec zero = vec_set(0.0), least = vec_set(1e-280), most = vec_set(1e300);
    const vec steep = vec_set(1.0 + cone->mu * cone->mu);
    // the allowance in squares is at most twice that of the margin; the rest is the rounding of both
    // ways together, some 50 times
    const vec near = vec_set((2.0 * BR_CONE_ROUNDING + 1e-14) * (1.0 + cone->mu));
    size_t i = begin;
    for (; i + LANES <= count; i += LANES) {
        vec x, y, z;
        fetch_ahead(f, i, count);
        load_forces(f + 3 * i, &x, &y, &z);
        const vec fn = vec_fma(four.x, x, vec_fma(four.y, y, vec_mul(four.z, z)));
        const vec square = vec_fma(x, x, vec_fma(y, y, vec_mul(z, z)));
        const vec gap = vec_sub(vec_mul(steep, vec_mul(fn, fn)), square);
        const vec is_far = vec_greater(vec_abs(gap), vec_mul(near, square));
        const vec is_good = _mm256_and_pd(vec_greater(square, least), vec_greater(most, square));
        if (_mm256_movemask_pd(_mm256_and_pd(is_far, is_good)) != 0xF) {
            break;
        }
        // bit k of the mask becomes byte k
        const vec is_inside = _mm256_and_pd(vec_greater(fn, zero), vec_greater(gap, zero));
        const uint32_t mask = (uint32_t)_mm256_movemask_pd(is_inside);
        const uint32_t bytes = mask * 0x00204081u & 0x01010101u;
        memcpy(inside + i, &bytes, sizeof bytes);
    }
    return i;
}

static size_t check_fast(const br_cone* cone, size_t count, const double* f, unsigned char* inside)
{
    size_t i = check_sure(cone, 0, count, f, inside);
    while (i + LANES <= count) {
        check_plain(cone, i, i + LANES, f, inside);
        i = check_sure(cone, i + LANES, count, f, inside);
    }
    return i;
}

static int has_vectors(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

#else

static int has_vectors(void)
{
    return 0;
}

static size_t margin_fast(const br_cone* cone, size_t count, const double* f, double* margin)
{
    (void)cone, (void)count, (void)f, (void)margin;
    return 0;
}

static size_t check_fast(const br_cone* cone, size_t count, const double* f, unsigned char* inside)
{
    (void)cone, (void)count, (void)f, (void)inside;
    return 0;
}

#endif

void br_cone_margin_batch(const br_cone* cone, size_t count, const double* f, double* margin)
{
    const size_t done = has_vectors() ? margin_fast(cone, count, f, margin) : 0;
    margin_plain(cone, done, count, f, margin);
}

void br_cone_check_batch(const br_cone* cone, size_t count, const double* f, unsigned char* inside)
{
    const size_t done = has_vectors() ? check_fast(cone, count, f, inside) : 0;
    check_plain(cone, done, count, f, inside);
}
