/*
 * Margins of many forces, four at a time (AVX2).
 *
 * Margins: the same sums in the same order as br_cone_margin(), without fused products, so that a
 * batch equals its single calls to the last bit. Checks: squares decide the side of the boundary.
 * If a square over- or underflows or a force is at the boundary, all four go to the scalar code.
 */
#include "bristle/cone.h"

#include <stdint.h>
#include <string.h>

#include "math/processor.h"

// Scalar code: one force after the other, from `start` on.
static void margin_plain(const br_cone* cone, size_t start, size_t end, const double* f,
                         double* margin)
{
    for (size_t i = start; i < end; i++) {
        margin[i] = br_cone_margin(cone, f + 3 * i);
    }
}

static void check_plain(const br_cone* cone, size_t start, size_t end, const double* f,
                        unsigned char* inside)
{
    for (size_t i = start; i < end; i++) {
        inside[i] = (unsigned char)br_cone_contains(cone, f + 3 * i);
    }
}

#if VECTOR_LANES & 4

#include <immintrin.h>

enum { LANES = 4, AHEAD = 64 }; // forces at a time, and prefetch distance

typedef __m256d vec; // the compiler provides + - * for it

FOR_4 static inline vec all(double x)
{
    return _mm256_set1_pd(x);
}

// All bits set where a > b; none where one is NaN.
FOR_4 static inline vec greater(vec a, vec b)
{
    return _mm256_cmp_pd(a, b, _CMP_GT_OQ);
}

// Is a <= b in all four lanes? False for NaN.
FOR_4 static inline bool all_at_most(vec a, vec b)
{
    return _mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_NLE_UQ)) == 0;
}

// A cone, each number repeated four times.
typedef struct cone_vec {
    vec x, y, z, mu;
} cone_vec;

FOR_4 static inline cone_vec cone_vec_of(const br_cone* cone)
{
    return (cone_vec){all(cone->n[0]), all(cone->n[1]), all(cone->n[2]), all(cone->mu)};
}

// Four forces x y z x | y z x y | z x y z as three vectors of their components.
FOR_4 static inline void load_forces(const double* f, vec* x, vec* y, vec* z)
{
    const vec a = _mm256_loadu_pd(f), b = _mm256_loadu_pd(f + 4), c = _mm256_loadu_pd(f + 8);
    const vec low = _mm256_permute2f128_pd(a, b, 0x30);  // x0 y0 x2 y2
    const vec mid = _mm256_permute2f128_pd(a, c, 0x21);  // z0 x1 z2 x3
    const vec high = _mm256_permute2f128_pd(b, c, 0x30); // y1 z1 y3 z3
    *x = _mm256_blend_pd(low, mid, 0xA);
    *y = _mm256_shuffle_pd(low, high, 0x5);
    *z = _mm256_blend_pd(mid, high, 0xA);
}

FOR_4 static size_t margin_fast(const br_cone* cone, size_t count, const double* f, double* margin)
{
    const cone_vec four = cone_vec_of(cone);
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        vec x, y, z;
        load_forces(f + 3 * i, &x, &y, &z);
        // mu n^T f - |(I - n n^T) f|                                                           (13)
        const vec fn = four.x * x + four.y * y + four.z * z;
        const vec tx = x - fn * four.x, ty = y - fn * four.y, tz = z - fn * four.z;
        const vec square = tx * tx + ty * ty + tz * tz;
        _mm256_storeu_pd(margin + i, four.mu * fn - _mm256_sqrt_pd(square));
        // the range of vec3_norm()
        if (!all_at_most(all(1e-280), square) || !all_at_most(square, all(1e300))) {
            margin_plain(cone, i, i + LANES, f, margin);
        }
    }
    return i;
}

// Prefetch later forces: memory limits the speed of long lists.
FOR_4 static inline void fetch_ahead(const double* f, size_t i, size_t count)
{
    if (i + AHEAD + LANES <= count) {
        _mm_prefetch((const char*)(f + 3 * (i + AHEAD)), _MM_HINT_T0);
        _mm_prefetch((const char*)(f + 3 * (i + AHEAD) + 8), _MM_HINT_T0);
    }
}

// Check forces from `start` on, up to the first four with one too near the boundary or with its
// square out of range. Inside is f_n > 0 and |f|^2 < (1 + mu^2) f_n^2; far from the boundary,
// rounding and its allowance do not matter, and fused products may be used.
FOR_4 static size_t check_sure(const br_cone* cone, size_t start, size_t count, const double* f,
                               unsigned char* inside)
{
    const cone_vec four = cone_vec_of(cone);
    const vec zero = all(0.0), min_square = all(1e-280), max_square = all(1e300);
    const vec steep = all(1.0 + cone->mu * cone->mu);
    // the allowance in squares is at most twice that of the margin; the rest is about 50 times the
    // rounding of both checks together
    const vec near = all((2.0 * BR_CONE_ROUNDING + 1e-14) * (1.0 + cone->mu));
    size_t i = start;
    for (; i + LANES <= count; i += LANES) {
        vec x, y, z;
        fetch_ahead(f, i, count);
        load_forces(f + 3 * i, &x, &y, &z);
        const vec fn = _mm256_fmadd_pd(four.x, x, _mm256_fmadd_pd(four.y, y, four.z * z));
        const vec square = _mm256_fmadd_pd(x, x, _mm256_fmadd_pd(y, y, z * z));
        const vec gap = steep * (fn * fn) - square;
        const vec is_far = greater(_mm256_andnot_pd(all(-0.0), gap), near * square); // |gap|
        const vec is_good = _mm256_and_pd(greater(square, min_square), greater(max_square, square));
        if (_mm256_movemask_pd(_mm256_and_pd(is_far, is_good)) != 0xF) {
            break;
        }
        // bit k of the mask becomes byte k
        const vec is_inside = _mm256_and_pd(greater(fn, zero), greater(gap, zero));
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

#else

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
    const size_t done = processor_has(4) ? margin_fast(cone, count, f, margin) : 0;
    margin_plain(cone, done, count, f, margin);
}

void br_cone_check_batch(const br_cone* cone, size_t count, const double* f, unsigned char* inside)
{
    const size_t done = processor_has(4) ? check_fast(cone, count, f, inside) : 0;
    check_plain(cone, done, count, f, inside);
}
