/*
 * Margins of many forces, four at a time (AVX2).
 *
 * The same sums in the same order as br_cone_margin(), without fused products, so that a batch
 * equals its single calls to the last bit. Four forces whose squares over- or underflow go there.
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
        inside[i] = br_cone_margin(cone, f + 3 * i) >= 0.0;
    }
}

#if defined(__x86_64__) && defined(__GNUC__)

#include "planar/vector_avx2.h"

enum { LANES = 4 };

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

// The margins of four forces; `square` tells whether they may be used.             (13)
AVX2 static inline vec margin_four(const cone_vec* cone, const double* f, vec* square)
{
    vec x, y, z;
    load_forces(f, &x, &y, &z);
    const vec fn = vec_add(vec_add(vec_mul(cone->x, x), vec_mul(cone->y, y)), vec_mul(cone->z, z));
    const vec tx = vec_sub(x, vec_mul(fn, cone->x));
    const vec ty = vec_sub(y, vec_mul(fn, cone->y));
    const vec tz = vec_sub(z, vec_mul(fn, cone->z));
    *square = vec_add(vec_add(vec_mul(tx, tx), vec_mul(ty, ty)), vec_mul(tz, tz));
    return vec_sub(vec_mul(cone->mu, fn), vec_sqrt(*square));
}

// Did no square over- or underflow, the range of vec3_norm()?
AVX2 static inline int is_in_range(vec square)
{
    return vec_all_at_most(vec_set(1e-280), square) && vec_all_at_most(square, vec_set(1e300));
}

AVX2 static size_t margin_fast(const br_cone* cone, size_t count, const double* f, double* margin)
{
    const cone_vec four = cone_vec_of(cone);
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        vec square;
        vec_store(margin + i, margin_four(&four, f + 3 * i, &square));
        if (!is_in_range(square)) {
            margin_plain(cone, i, i + LANES, f, margin);
        }
    }
    return i;
}

AVX2 static size_t check_fast(const br_cone* cone, size_t count, const double* f,
                              unsigned char* inside)
{
    const cone_vec four = cone_vec_of(cone);
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        vec square;
        const vec margin = margin_four(&four, f + 3 * i, &square);
        if (!is_in_range(square)) {
            check_plain(cone, i, i + LANES, f, inside);
            continue;
        }
        // bit k of the mask becomes byte k
        const vec is_inside = _mm256_cmp_pd(margin, vec_set(0.0), _CMP_GE_OQ);
        const uint32_t mask = (uint32_t)_mm256_movemask_pd(is_inside);
        const uint32_t bytes = mask * 0x00204081u & 0x01010101u;
        memcpy(inside + i, &bytes, sizeof bytes);
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
