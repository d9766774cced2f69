/*
 * Sobol' points by index.
 *
 * Direction numbers: Joe & Kuo, "Constructing Sobol' sequences with better two-dimensional projections", SIAM J. Sci.
 * Comput. 30, 2008 (new-joe-kuo-6.21201, the first 64 dimensions). Scrambling after Owen, by a hash: Laine & Karras
 * 2011, Burley, "Practical hash-based Owen scrambling", JCGT 9(4), 2020.
 */
#include "sweep/sobol_points.h"

enum { MAX_DEGREE = 9 };

// A primitive polynomial, its inner coefficients as bits of `a`, and the first direction numbers.
typedef struct sobol_row {
    unsigned char degree, a;
    uint16_t m[MAX_DEGREE];
} sobol_row;

// Dimensions 1..63; dimension 0 is van der Corput's.
static const sobol_row rows[SOBOL_DIMENSIONS - 1] = {{1, 0, {1}},
                                                     {2, 1, {1, 3}},
                                                     {3, 1, {1, 3, 1}},
                                                     {3, 2, {1, 1, 1}},
                                                     {4, 1, {1, 1, 3, 3}},
                                                     {4, 4, {1, 3, 5, 13}},
                                                     {5, 2, {1, 1, 5, 5, 17}},
                                                     {5, 4, {1, 1, 5, 5, 5}},
                                                     {5, 7, {1, 1, 7, 11, 19}},
                                                     {5, 11, {1, 1, 5, 1, 1}},
                                                     {5, 13, {1, 1, 1, 3, 11}},
                                                     {5, 14, {1, 3, 5, 5, 31}},
                                                     {6, 1, {1, 3, 3, 9, 7, 49}},
                                                     {6, 13, {1, 1, 1, 15, 21, 21}},
                                                     {6, 16, {1, 3, 1, 13, 27, 49}},
                                                     {6, 19, {1, 1, 1, 15, 7, 5}},
                                                     {6, 22, {1, 3, 1, 15, 13, 25}},
                                                     {6, 25, {1, 1, 5, 5, 19, 61}},
                                                     {7, 1, {1, 3, 7, 11, 23, 15, 103}},
                                                     {7, 4, {1, 3, 7, 13, 13, 15, 69}},
                                                     {7, 7, {1, 1, 3, 13, 7, 35, 63}},
                                                     {7, 8, {1, 3, 5, 9, 1, 25, 53}},
                                                     {7, 14, {1, 3, 1, 13, 9, 35, 107}},
                                                     {7, 19, {1, 3, 1, 5, 27, 61, 31}},
                                                     {7, 21, {1, 1, 5, 11, 19, 41, 61}},
                                                     {7, 28, {1, 3, 5, 3, 3, 13, 69}},
                                                     {7, 31, {1, 1, 7, 13, 1, 19, 1}},
                                                     {7, 32, {1, 3, 7, 5, 13, 19, 59}},
                                                     {7, 37, {1, 1, 3, 9, 25, 29, 41}},
                                                     {7, 41, {1, 3, 5, 13, 23, 1, 55}},
                                                     {7, 42, {1, 3, 7, 3, 13, 59, 17}},
                                                     {7, 50, {1, 3, 1, 3, 5, 53, 69}},
                                                     {7, 55, {1, 1, 5, 5, 23, 33, 13}},
                                                     {7, 56, {1, 1, 7, 7, 1, 61, 123}},
                                                     {7, 59, {1, 1, 7, 9, 13, 61, 49}},
                                                     {7, 62, {1, 3, 3, 5, 3, 55, 33}},
                                                     {8, 14, {1, 3, 1, 15, 31, 13, 49, 245}},
                                                     {8, 21, {1, 3, 5, 15, 31, 59, 63, 97}},
                                                     {8, 22, {1, 3, 1, 11, 11, 11, 77, 249}},
                                                     {8, 38, {1, 3, 1, 11, 27, 43, 71, 9}},
                                                     {8, 47, {1, 1, 7, 15, 21, 11, 81, 45}},
                                                     {8, 49, {1, 3, 7, 3, 25, 31, 65, 79}},
                                                     {8, 50, {1, 3, 1, 1, 19, 11, 3, 205}},
                                                     {8, 52, {1, 1, 5, 9, 19, 21, 29, 157}},
                                                     {8, 56, {1, 3, 7, 11, 1, 33, 89, 185}},
                                                     {8, 67, {1, 3, 3, 3, 15, 9, 79, 71}},
                                                     {8, 70, {1, 3, 7, 11, 15, 39, 119, 27}},
                                                     {8, 84, {1, 1, 3, 1, 11, 31, 97, 225}},
                                                     {8, 97, {1, 1, 1, 3, 23, 43, 57, 177}},
                                                     {8, 103, {1, 3, 7, 7, 17, 17, 37, 71}},
                                                     {8, 115, {1, 3, 1, 5, 27, 63, 123, 213}},
                                                     {8, 122, {1, 1, 3, 5, 11, 43, 53, 133}},
                                                     {9, 8, {1, 3, 5, 5, 29, 17, 47, 173, 479}},
                                                     {9, 13, {1, 3, 3, 11, 3, 1, 109, 9, 69}},
                                                     {9, 16, {1, 1, 1, 5, 17, 39, 23, 5, 343}},
                                                     {9, 22, {1, 3, 1, 5, 25, 15, 31, 103, 499}},
                                                     {9, 25, {1, 1, 1, 11, 11, 17, 63, 105, 183}},
                                                     {9, 44, {1, 1, 5, 11, 9, 29, 97, 231, 363}},
                                                     {9, 47, {1, 1, 5, 15, 19, 45, 41, 7, 383}},
                                                     {9, 52, {1, 3, 7, 7, 31, 19, 83, 137, 221}},
                                                     {9, 55, {1, 1, 1, 3, 23, 15, 111, 223, 83}},
                                                     {9, 59, {1, 1, 5, 13, 31, 15, 55, 25, 161}},
                                                     {9, 62, {1, 1, 3, 13, 25, 47, 39, 87, 257}}};

void bri_sobol_directions(unsigned dimension, uint32_t directions[SOBOL_BITS])
{
    if (dimension == 0) {
        for (int i = 0; i < SOBOL_BITS; i++) {
            directions[i] = (uint32_t)1 << (SOBOL_BITS - 1 - i);
        }
        return;
    }
    const sobol_row* row = &rows[dimension - 1];
    const int s = row->degree;
    for (int i = 0; i < s; i++) {
        directions[i] = (uint32_t)row->m[i] << (SOBOL_BITS - 1 - i);
    }

    // v_i = v_{i-s} xor v_{i-s} 2^-s xor those v_{i-k} of which a_k is 1             (Joe & Kuo, (2))
    for (int i = s; i < SOBOL_BITS; i++) {
        directions[i] = directions[i - s] ^ directions[i - s] >> s;
        for (int k = 1; k < s; k++) {
            directions[i] ^= (row->a >> (s - 1 - k) & 1) ? directions[i - k] : 0;
        }
    }
}

uint32_t bri_sobol_point(const uint32_t directions[SOBOL_BITS], uint64_t index)
{
    uint32_t point = 0;
    uint64_t gray = index ^ index >> 1;
    for (int i = 0; i < SOBOL_BITS && gray; i++, gray >>= 1) {
        point ^= gray & 1 ? directions[i] : 0;
    }
    return point;
}

static uint32_t reverse_bits(uint32_t x)
{
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    x = (x >> 8 & 0x00ff00ff) | (x & 0x00ff00ff) << 8;
    return x >> 16 | x << 16;
}

// A hash of the higher bits decides whether each bit is flipped, which is Owen's scrambling.
uint32_t bri_sobol_scramble(uint32_t point, uint32_t seed)
{
    uint32_t x = reverse_bits(point);
    x += seed; // Laine and Karras' hash: every operation propagates bits upwards only
    x ^= x * 0x6c50b47cu;
    x ^= x * 0xb82f1e52u;
    x ^= x * 0xc7afe638u;
    x ^= x * 0x8d22f6e6u;
    return reverse_bits(x);
}
