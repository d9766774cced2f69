/*
 * Numbers as text: the fewest decimal digits that read back to the same double.
 *
 * The method is R. Giulietti's, "The Schubfach way to render doubles" (2020); numbers in brackets below
 * are steps of this summary. x = c 2^q with integers c, q. All decimals between the midpoints to the two
 * neighbours of x, [l, r], read back as x (the ends do where c is even, as rounding goes to even).
 *
 *   1  k = floor(log10(gap)), gap the distance of the neighbours' midpoints, so that multiples of 10^k
 *      are close enough for one or two of them to be next to x within [l, r], and multiples of 10^(k+1)
 *      are too far apart for two of them.
 *   2  l, x and r in units of 10^k/4, rounded to odd: an integer keeps its value, anything between
 *      two integers becomes the odd one. Comparisons with multiples of 4 stay right.
 *   3  If a multiple of 10^(k+1) is in [l, r], it is the result; its trailing zeros are dropped,
 *      which also finds shorter ones.
 *   4  Else the result is the multiple of 10^k next to x that is in [l, r], or the nearer one of two.
 *
 * Step 2 multiplies by 10^-k, rounded up to 128 bits; that this suffices to recognise integers for
 * every double is the paper's theorem. The powers are computed by exact arithmetic at first use.
 */
#include "digits.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Doubles: 52 bits of fraction, exponents of their last bit from LEAST_Q on.
enum { FRACTION_BITS = 52, LEAST_Q = -1074 };

// --- powers of ten --------------------------------------------------------------------------------

// 10^e = (g - d) 2^(log2 - 127) with 0 < d <= 1: the upper 128 bits, plus one
typedef struct power {
    uint64_t high, low; // of g
    int log2;           // floor(log2(10^e))
} power;

enum { LEAST_POWER = -292, MOST_POWER = 324, POWER_COUNT = MOST_POWER - LEAST_POWER + 1 };

static power powers[POWER_COUNT];

// A large integer, its least significant word first. 5^324 has 753 bits; 2^ONE/5^292 has more than 128.
enum { WORDS = 28, ONE = 832 };

typedef struct whole {
    uint32_t words[WORDS];
} whole;

static void multiply(whole* n, uint32_t by)
{
    uint64_t carry = 0;
    for (int i = 0; i < WORDS; i++) {
        carry += (uint64_t)n->words[i] * by;
        n->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

// floor(n/by)
static void divide(whole* n, uint32_t by)
{
    uint64_t rest = 0;
    for (int i = WORDS - 1; i >= 0; i--) {
        rest = rest << 32 | n->words[i];
        n->words[i] = (uint32_t)(rest / by);
        rest %= by;
    }
}

static int highest_bit(const whole* n)
{
    int i = WORDS - 1;
    while (n->words[i] == 0) {
        i--;
    }
    int bit = 31;
    while (!(n->words[i] >> bit)) {
        bit--;
    }
    return 32 * i + bit;
}

// The 32 bits from bit `position` on; bits below 0 are zero.
static uint32_t bits_from(const whole* n, int position)
{
    if (position < 0) {
        return position > -32 ? n->words[0] << -position : 0;
    }
    const uint32_t* at = &n->words[position / 32];
    const int shift = position % 32;
    return shift == 0 ? at[0] : at[0] >> shift | at[1] << (32 - shift);
}

static power power_of(const whole* n, int shift)
{
    const int high = highest_bit(n);
    power p = {0, 0, high + shift};
    for (int position = high - 31; position > high - 128; position -= 32) {
        p.high = p.high << 32 | p.low >> 32;
        p.low = p.low << 32 | bits_from(n, position);
    }
    p.low++;
    p.high += p.low == 0;
    return p;
}

// 10^e = 5^e 2^e, and 10^-e = floor(2^ONE/5^e) 2^(-ONE - e) up to the part that floor drops; a floor
// of floors is the floor of the whole quotient.
static void compute_powers(void)
{
    whole up = {{1}}, down = {{0}};
    down.words[ONE / 32] = 1u << ONE % 32;
    for (int e = 0; e <= MOST_POWER; e++) {
        powers[e - LEAST_POWER] = power_of(&up, e);
        multiply(&up, 5);
    }
    for (int e = 1; e <= -LEAST_POWER; e++) {
        divide(&down, 5);
        powers[-e - LEAST_POWER] = power_of(&down, -ONE - e);
    }
}

// --- digits ---------------------------------------------------------------------------------------

// digits 10^exponent
typedef struct decimal {
    uint64_t digits;
    int exponent;
} decimal;

// Drop `zeros` zeros from the end, if they are there; factor = 10^zeros, known when compiled.
static inline bool drop(decimal* d, uint64_t factor, int zeros)
{
    if (d->digits % factor != 0) {
        return false;
    }
    d->digits /= factor;
    d->exponent += zeros;
    return true;
}

static decimal without_zeros(decimal d)
{
    while (drop(&d, 100000000, 8)) {
    }
    drop(&d, 10000, 4);
    drop(&d, 100, 2);
    drop(&d, 10, 1);
    return d;
}

// floor(log10(2^q)), or of 3/4 2^q, where the neighbour below is nearer. In units of 2^-22; q times the
// error of the first constant, 1e-7, is less than the distance of q log10(2) to an integer, which is
// 4e-4 or more for all q here but 0. A test checks all powers of two.
static int floor_log10(int q, bool is_narrow)
{
    enum { LOG10_2 = 1262611, LOG10_4_3 = 524031, UNIT = 1 << 22 };
    const int scaled = q * LOG10_2 - (is_narrow ? LOG10_4_3 : 0);
    return scaled >= 0 ? scaled / UNIT : -((UNIT - 1 - scaled) / UNIT);
}

// a b: returns the upper 64 bits of it, *low gets the lower ones.
static inline uint64_t product(uint64_t a, uint64_t b, uint64_t* low)
{
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 wide;
    const wide all = (wide)a * b;
    *low = (uint64_t)all;
    return (uint64_t)(all >> 64);
#else // by halves of 32 bits; no sum of these exceeds 2^64
    const uint64_t a1 = a >> 32, a0 = (uint32_t)a, b1 = b >> 32, b0 = (uint32_t)b;
    const uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (uint32_t)middle;
    *low = other << 32 | (uint32_t)(a0 * b0);
    return a1 * b1 + (middle >> 32) + (other >> 32);
#endif
}

// n 10^e 2^-h rounded to odd, n already shifted by h: step 2. The part below 2^64 is too large by up to
// n < 2^64, so that a fraction of 0 or 1 means an integer.
static inline uint64_t scale(const power* p, uint64_t n)
{
    uint64_t dropped, low;
    const uint64_t carry = product(n, p->low, &dropped);
    const uint64_t high = product(n, p->high, &low);
    const uint64_t fraction = low + carry;
    return (high + (fraction < low)) | (fraction > 1);
}

// The shortest decimal of c 2^q; `is_narrow` where the gap below is half of that above.
static decimal shorten(uint64_t c, int q, bool is_narrow)
{
    const int k = floor_log10(q, is_narrow);
    const power* p = &powers[-k - LEAST_POWER];
    const int h = q + p->log2 + 1;
    const uint64_t left = scale(p, (4 * c - (is_narrow ? 1 : 2)) << h);
    const uint64_t middle = scale(p, 4 * c << h);
    const uint64_t right = scale(p, (4 * c + 2) << h);
    const uint64_t open = c & 1; // 1: the ends do not read back as x

    const uint64_t below = middle / 4, tens_below = below / 10 * 10;
    if (tens_below > 0) {
        const bool has_below = left + open <= 4 * tens_below;
        const bool has_above = 4 * (tens_below + 10) + open <= right;
        if (has_below || has_above) {
            return without_zeros((decimal){has_below ? tens_below : tens_below + 10, k});
        }
    }
    const bool has_below = left + open <= 4 * below;
    const bool has_above = 4 * (below + 1) + open <= right;
    const uint64_t halfway = 4 * below + 2;
    const bool above_is_nearer = middle > halfway || (middle == halfway && below % 2 == 1);
    const bool takes_above = has_below && has_above ? above_is_nearer : has_above;
    return (decimal){below + takes_above, k};
}

static decimal decimal_of(uint64_t bits)
{
    const uint64_t fraction = bits & (((uint64_t)1 << FRACTION_BITS) - 1);
    const int exponent = (int)(bits >> FRACTION_BITS & 0x7ff);
    const bool is_normal = exponent > 0;
    const uint64_t c = is_normal ? fraction | (uint64_t)1 << FRACTION_BITS : fraction;
    const int q = is_normal ? exponent - 1 + LEAST_Q : LEAST_Q;
    return shorten(c, q, fraction == 0 && exponent > 1);
}

// --- text -----------------------------------------------------------------------------------------

// Exponents of the first digit that are written with zeros instead, as Python does.
enum { LEAST_PLAIN = -4, MOST_PLAIN = 15 };

// The two digits of n < 100.
static inline void write_pair(uint32_t n, char* to)
{
    static const char pairs[] =
        "00010203040506070809101112131415161718192021222324252627282930313233"
        "34353637383940414243444546474849505152535455565758596061626364656667"
        "6869707172737475767778798081828384858687888990919293949596979899";
    memcpy(to, pairs + 2 * (size_t)n, 2);
}

// The eight digits of n < 1e8.
static inline void write_eight(uint32_t n, char* to)
{
    const uint32_t high = n / 10000, low = n % 10000;
    write_pair(high / 100, to);
    write_pair(high % 100, to + 2);
    write_pair(low / 100, to + 4);
    write_pair(low % 100, to + 6);
}

// The digits of a decimal, padded: copying always LONGEST bytes is fastest.
enum { LONGEST = 18 };

typedef struct digit_text {
    char all[2 * LONGEST];
    const char* first; // first digit that is not 0
    int count;
} digit_text;

// 0 < n < 1e18
static inline void spell(uint64_t n, digit_text* out)
{
    static const uint64_t EIGHT = 100000000;
    write_pair((uint32_t)(n / EIGHT / EIGHT), out->all);
    write_eight((uint32_t)(n / EIGHT % EIGHT), out->all + 2);
    write_eight((uint32_t)(n % EIGHT), out->all + 10);
    memset(out->all + LONGEST, '0', LONGEST);
    out->first = out->all;
    while (*out->first == '0') {
        out->first++;
    }
    out->count = LONGEST - (int)(out->first - out->all);
}

// d.ddde-5; the first digit has the exponent `first`
static char* write_scientific(const digit_text* d, int first, char* at)
{
    *at++ = d->first[0];
    if (d->count > 1) {
        *at++ = '.';
        memcpy(at, d->first + 1, LONGEST);
        at += d->count - 1;
    }
    *at++ = 'e';
    if (first < 0) {
        *at++ = '-';
    }
    digit_text exponent;
    spell((uint64_t)abs(first), &exponent);
    memcpy(at, exponent.first, 4);
    return at + exponent.count;
}

// 0.00ddd, d.dd or dd000
static char* write_plain(const digit_text* d, int first, char* at)
{
    if (first < 0) {
        memcpy(at, "0.0000", 6);
        memcpy(at + 1 - first, d->first, LONGEST);
        return at + 1 - first + d->count;
    }
    const int before = first + 1; // digits before the point
    memcpy(at, d->first, LONGEST);
    if (d->count <= before) {
        return at + before; // the padding after the digits is zeros
    }
    at[before] = '.';
    memcpy(at + before + 1, d->first + before, LONGEST);
    return at + d->count + 1;
}

static size_t write_special(double x, char* to)
{
    strcpy(to, x == 0 ? "0" : isnan(x) ? "nan" : x < 0 ? "-inf" : "inf");
    return strlen(to);
}

size_t digits_write(double x, char to[DIGITS_SIZE])
{
    if (x == 0 || !isfinite(x)) {
        return write_special(x, to);
    }
    if (powers[0].high == 0) {
        compute_powers();
    }
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    char* at = to;
    if (x < 0) {
        *at++ = '-';
    }
    const decimal d = decimal_of(bits);
    digit_text text;
    spell(d.digits, &text);
    const int first = d.exponent + text.count - 1;
    const bool is_plain = first >= LEAST_PLAIN && first <= MOST_PLAIN;
    at = is_plain ? write_plain(&text, first, at) : write_scientific(&text, first, at);
    *at = '\0';
    return (size_t)(at - to);
}
