/* Tests of numbers as text. */
#include "check.h"

#include "digits.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The digits of a text from its first that is not 0 on, without sign, point, exponent and the zeros at
// their end; gives how many.
static int digits_of(const char* text, char digits[32])
{
    int count = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text >= '0' && *text <= '9' && (count > 0 || *text != '0')) {
            digits[count++] = *text;
        }
    }
    while (count > 0 && digits[count - 1] == '0') {
        count--;
    }
    digits[count] = '\0';
    return count;
}

// What printf and strtod make of it: is it `x`, shortest, nearest? Decimals of fewer digits next to x are
// those that printf rounds to, or, where the gaps around x differ, those below and above.
static int is_shortest(double x)
{
    char text[DIGITS_SIZE], digits[32], other[64], other_digits[32];
    const size_t length = digits_write(x, text);
    if (length != strlen(text) || length >= DIGITS_SIZE || strtod(text, NULL) != x) {
        return 0;
    }
    const int count = digits_of(text, digits);
    snprintf(other, sizeof other, "%.*e", count - 1, x);
    digits_of(other, other_digits);
    if (strcmp(digits, other_digits) != 0 && strtod(other, NULL) == x) {
        return 0; // as short, and nearer
    }
    if (count == 1) {
        return 1;
    }
    snprintf(other, sizeof other, "%.*e", count - 2, x);
    if (strtod(other, NULL) == x) {
        return 0;
    }
    int fraction;
    if (frexp(fabs(x), &fraction) != 0.5) {
        return 1;
    }
    const int directions[] = {FE_DOWNWARD, FE_UPWARD};
    int is_good = 1;
    for (int i = 0; i < 2; i++) {
        fesetround(directions[i]);
        snprintf(other, sizeof other, "%.*e", count - 2, x);
        fesetround(FE_TONEAREST);
        is_good = is_good && strtod(other, NULL) != x;
    }
    return is_good;
}

static void expect_shortest(double x)
{
    if (!is_shortest(x)) {
        char text[DIGITS_SIZE];
        digits_write(x, text);
        fail_msg("%.17g is written as %s", x, text);
    }
}

static void expect_text(double x, const char* expected)
{
    char text[DIGITS_SIZE];
    digits_write(x, text);
    assert_string_equal(text, expected);
}

/* Oracle: CLI.md and how people write numbers. */
static void numbers_look_as_people_write_them(void** state)
{
    (void)state;
    expect_text(0.95, "0.95");
    expect_text(-0.95, "-0.95");
    expect_text(0.0, "0");
    expect_text(-0.0, "0");
    expect_text(1.0, "1");
    expect_text(100.0, "100");
    expect_text(-12.5, "-12.5");
    expect_text(0.1 + 0.2, "0.30000000000000004");
    expect_text(1e-4, "0.0001");
    expect_text(1.5e-5, "1.5e-5");
    expect_text(-1e-5, "-1e-5");
    expect_text(1e15, "1000000000000000");
    expect_text(123456789012345680.0, "1.2345678901234568e17");
    expect_text(1e16, "1e16");
    expect_text(1e23, "1e23"); // is halfway between two doubles' texts
    expect_text(9007199254740993.0, "9007199254740992");
    expect_text(DBL_MAX, "1.7976931348623157e308");
    expect_text(DBL_MIN, "2.2250738585072014e-308");
    expect_text(4.9406564584124654e-324, "5e-324");
    expect_text((double)NAN, "nan");
    expect_text((double)INFINITY, "inf");
    expect_text(-(double)INFINITY, "-inf");
}

/* Oracle: printf and strtod of the C library. Powers of two have unequal gaps; the neighbours of powers
 * of ten, the smallest and the largest of each kind are where such methods fail. */
static void edges_are_shortest_and_nearest(void** state)
{
    (void)state;
    for (int e = -1074; e <= 1023; e++) {
        const double x = ldexp(1.0, e);
        expect_shortest(x);
        expect_shortest(nextafter(x, 0.0) > 0.0 ? nextafter(x, 0.0) : x);
        expect_shortest(nextafter(x, (double)INFINITY));
    }
    for (int e = -323; e <= 308; e++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", e);
        const double x = strtod(text, NULL);
        for (int i = 1; i <= 9; i++) {
            expect_shortest(i * x <= DBL_MAX ? i * x : x);
        }
        expect_shortest(nextafter(x, (double)INFINITY));
        expect_shortest(nextafter(x, 0.0) > 0.0 ? nextafter(x, 0.0) : x);
    }
    for (uint64_t i = 1; i < 1000; i++) {
        expect_shortest((double)i * 4.9406564584124654e-324);
        expect_shortest((double)i * 0.01);
        expect_shortest((double)i);
    }
}

// xorshift64*
static uint64_t draw(uint64_t* seed)
{
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    return *seed * 0x2545f4914f6cdd1du;
}

/* Oracle: printf and strtod of the C library, over 1e7 doubles: of all exponents, of the sizes that tables
 * hold, and decimals of few digits, which must come back as they were. */
static void random_doubles_are_shortest_and_nearest(void** state)
{
    (void)state;
    uint64_t seed = 88172645463325252u;
    for (int i = 0; i < 4000000; i++) {
        const uint64_t bits = draw(&seed);
        double x;
        memcpy(&x, &bits, sizeof x);
        if (isfinite(x) && x != 0.0) {
            expect_shortest(x);
        }
        expect_shortest(ldexp((double)(draw(&seed) >> 11), -60 + (int)(bits % 20)));
    }
    for (int i = 0; i < 2000000; i++) {
        char text[32], written[DIGITS_SIZE];
        snprintf(text, sizeof text, "%llue-%d", (unsigned long long)(draw(&seed) % 1000000000 + 1),
                 (int)(draw(&seed) % 15));
        const double x = strtod(text, NULL);
        char expected[32], got[32];
        digits_write(x, written);
        assert_true(strtod(written, NULL) == x);
        digits_of(text, expected);
        digits_of(written, got);
        assert_string_equal(got, expected); // 15 digits always come back
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_look_as_people_write_them),
        cmocka_unit_test(edges_are_shortest_and_nearest),
        cmocka_unit_test(random_doubles_are_shortest_and_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
