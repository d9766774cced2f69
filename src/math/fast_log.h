/*
 * The natural logarithm without branches or calls, so that compilers turn loops over it into vector
 * code. Header only.
 */
#ifndef BRISTLE_MATH_FAST_LOG_H
#define BRISTLE_MATH_FAST_LOG_H

#include <stdint.h>
#include <string.h>

static inline double double_of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint64_t bits_of_double(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

// ln x of a positive, normal x; error below 1 unit of rounding. Finite for 0 and all that is not normal,
// where callers multiply it by 0.
//
// The reduction and the polynomial of fdlibm (Sun Microsystems 1993, e_log.c): x = 2^k (1 + f),
// sqrt(1/2) < 1 + f < sqrt(2), s = f/(2 + f), ln(1 + f) = f - f^2/2 + s (f^2/2 + R(s^2)).
static inline double fast_log(double x)
{
    const uint64_t root_half = 0x3fe6a09e00000000u; // sqrt(1/2), upper half
    const uint64_t one = 0x3ff0000000000000u, fraction = 0x000fffffffffffffu;
    const uint64_t bits = bits_of_double(x) + (one - root_half);

    // the exponent as a double: stored in the fraction of 2^52, minus 2^52 + bias
    const double k = double_of_bits((bits >> 52) | 0x4330000000000000u) - (0x1p52 + 1023.0);
    const double f = double_of_bits((bits & fraction) + root_half) - 1.0;

    const double half = 0.5 * f * f, s = f / (2.0 + f), z = s * s, w = z * z;
    const double even = w * (3.999999999940941908e-01 +
                             w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
    const double odd = z * (6.666666666666735130e-01 +
                            w * (2.857142874366239149e-01 +
                                 w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
    const double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
    return s * (half + even + odd) + k * ln2_low - half + f + k * ln2_high;
}

#endif
