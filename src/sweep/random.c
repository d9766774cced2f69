/*
 * Random numbers by index.
 *
 * Philox4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011. A counter goes
 * through ten rounds of multiplications that mix in a key; equal counters give equal numbers, others independent ones.
 */
#include "sweep/random.h"

#include <math.h>

void bri_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    static const uint32_t M0 = 0xD2511F53, M1 = 0xCD9E8D57; // multipliers of the paper
    static const uint32_t W0 = 0x9E3779B9,
                          W1 = 0xBB67AE85; // increments of the key: golden ratio, sqrt(3) - 1
    enum { ROUNDS = 10 };
    uint32_t c[4] = {counter[0], counter[1], counter[2], counter[3]}, k[2] = {key[0], key[1]};
    for (int round = 0; round < ROUNDS; round++) {
        const uint64_t a = (uint64_t)M0 * c[0], b = (uint64_t)M1 * c[2];
        const uint32_t next[4] = {(uint32_t)(b >> 32) ^ c[1] ^ k[0], (uint32_t)b,
                                  (uint32_t)(a >> 32) ^ c[3] ^ k[1], (uint32_t)a};
        for (int i = 0; i < 4; i++) {
            c[i] = next[i];
        }
        k[0] += W0;
        k[1] += W1;
    }
    for (int i = 0; i < 4; i++) {
        out[i] = c[i];
    }
}

// Purpose of a stream; separates the numbers of different uses.
enum { FOR_UNIFORM, FOR_PERMUTATION };

static void random_bits(uint64_t seed, uint32_t stream, uint32_t use, uint64_t index,
                        uint32_t out[4])
{
    const uint32_t counter[4] = {(uint32_t)index, (uint32_t)(index >> 32), stream, use};
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    bri_philox(counter, key, out);
}

double bri_random_uniform(uint64_t seed, uint32_t stream, uint64_t index)
{
    uint32_t bits[4];
    random_bits(seed, stream, FOR_UNIFORM, index, bits);
    const uint64_t fraction =
        ((uint64_t)bits[0] << 32 | bits[1]) >> 12; // 52 bits: with the half, exact
    return ((double)fraction + 0.5) * 0x1p-52;
}

// One pass through a Feistel network on 2 `half` bits: a permutation for any mixing in its rounds.
static uint64_t scramble(uint64_t seed, uint32_t stream, uint64_t x, int half)
{
    enum { ROUNDS = 6 }; // four are enough for a pseudo-random permutation (Luby & Rackoff 1988)
    const uint64_t mask = ((uint64_t)1 << half) - 1;
    uint64_t left = x >> half, right = x & mask;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        uint32_t bits[4];
        random_bits(seed, stream, FOR_PERMUTATION, round << 32 | right, bits);
        const uint64_t next = left ^ (bits[0] & mask);
        left = right;
        right = next;
    }
    return left << half | right;
}

uint64_t bri_random_permute(uint64_t seed, uint32_t stream, uint64_t index, uint64_t count)
{
    int half = 1;
    while (half < 31 && (uint64_t)1 << 2 * half < count) {
        half++;
    }

    // repeat until the result is in range: that gives a permutation of 0..count-1
    uint64_t x = index;
    do {
        x = scramble(seed, stream, x, half);
    } while (x >= count);
    return x;
}

// ((c[7] r + c[6]) r + ...) r + c[0]
static double polynomial(const double c[8], double r)
{
    double sum = c[7];
    for (int i = 6; i >= 0; i--) {
        sum = sum * r + c[i];
    }
    return sum;
}

// Algorithm AS 241 (PPND16): Wichura, Applied Statistics 37, 1988; relative error 1e-16.
double bri_normal_quantile(double p)
{
    static const double a[8] = {3.3871328727963666080e0,  1.3314166789178437745e+2,
                                1.9715909503065514427e+3, 1.3731693765509461125e+4,
                                4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                3.3430575583588128105e+4, 2.5090809287301226727e+3};
    static const double b[8] = {1.0,
                                4.2313330701600911252e+1,
                                6.8718700749205790830e+2,
                                5.3941960214247511077e+3,
                                2.1213794301586595867e+4,
                                3.9307895800092710610e+4,
                                2.8729085735721942674e+4,
                                5.2264952788528545610e+3};
    static const double c[8] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                5.76949722146069140550e0,  3.64784832476320460504e0,
                                1.27045825245236838258e0,  2.41780725177450611770e-1,
                                2.27238449892691845833e-2, 7.74545014278341407640e-4};
    static const double d[8] = {1.0,
                                2.05319162663775882187e0,
                                1.67638483018380384940e0,
                                6.89767334985100004550e-1,
                                1.48103976427480074590e-1,
                                1.51986665636164571966e-2,
                                5.47593808499534494600e-4,
                                1.05075007164441684324e-9};
    static const double e[8] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                1.78482653991729133580e0,  2.96560571828504891230e-1,
                                2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                2.71155556874348757815e-5, 2.01033439929228813265e-7};
    static const double f[8] = {1.0,
                                5.99832206555887937690e-1,
                                1.36929880922735805310e-1,
                                1.48753612908506148525e-2,
                                7.86869131145613259100e-4,
                                1.84631831751005468180e-5,
                                1.42151175831644588870e-7,
                                2.04426310338993978564e-15};
    const double q = p - 0.5;
    if (fabs(q) <= 0.425) {
        const double r = 0.180625 - q * q;
        return q * polynomial(a, r) / polynomial(b, r);
    }
    const double r = sqrt(-log(q < 0 ? p : 1 - p));
    const double x = r <= 5 ? polynomial(c, r - 1.6) / polynomial(d, r - 1.6)
                            : polynomial(e, r - 5) / polynomial(f, r - 5);
    return q < 0 ? -x : x;
}
