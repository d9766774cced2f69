/*
 * What all tests share: cmocka, near-equality that prints its numbers, a counting allocator, a
 * random number that is the same on every machine.
 */
#ifndef BRISTLE_TEST_CHECK_H
#define BRISTLE_TEST_CHECK_H

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "bristle/base.h"

#define assert_near(value, expected, tolerance)                                                    \
    check_near(#value, (value), (expected), (tolerance), __FILE__, __LINE__)

static inline void check_near(const char* what, double value, double expected, double tolerance,
                              const char* file, int line)
{
    const double difference = fabs(value - expected);
    if (!(difference <= tolerance)) {
        print_error("%s: %.17g, expected %.17g, difference %.3g, tolerance %.3g\n", what, value,
                    expected, difference, tolerance);
        _fail(file, line);
    }
}

// The same with a tolerance relative to the expected value.
#define assert_near_relative(value, expected, tolerance)                                           \
    assert_near(value, expected, (tolerance)*fabs(expected))

// Skips a test that compares bits, where numbers in registers have more digits than in memory (x87).
static inline void needs_equal_bits(void)
{
    if (FLT_EVAL_METHOD != 0) {
        skip();
    }
}

#define assert_status(call, expected)                                                              \
    do {                                                                                           \
        const br_status status_ = (call);                                                          \
        if (status_ != (expected)) {                                                               \
            fail_msg("%s: %s", #call, br_status_get_text(status_));                                \
        }                                                                                          \
    } while (0)

// Uniform in [low, high); splitmix64, so that a seed means the same everywhere.
static inline double uniform(uint64_t* seed, double low, double high)
{
    uint64_t x = *seed += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    x ^= x >> 31;
    return low + (high - low) * ((double)(x >> 11) * 0x1p-53);
}

// An allocator that counts, and fails from the given allocation on (0: never).
typedef struct counting {
    size_t calls;
    size_t alive;
    size_t fail_at;
} counting;

static inline void* counting_allocate(size_t bytes, void* user)
{
    counting* count = user;
    count->calls++;
    if (count->fail_at > 0 && count->calls >= count->fail_at) {
        return NULL;
    }
    count->alive++;
    return malloc(bytes);
}

static inline void counting_release(void* memory, void* user)
{
    ((counting*)user)->alive--;
    free(memory);
}

// Run a group of tests; the program's first argument, if any, is a filter such as "*disc*".
#define run_group(argc, argv, tests)                                                               \
    ((argc) > 1 ? cmocka_set_test_filter((argv)[1]) : (void)0,                                     \
     cmocka_run_group_tests(tests, NULL, NULL))

#endif
