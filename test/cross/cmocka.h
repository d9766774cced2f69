/*
 * The part of cmocka that the tests use, for targets that have no cmocka of their own: tests that are
 * cross-compiled and run under an emulator. A failed test is left by longjmp and counted.
 */
#ifndef BRISTLE_TEST_CROSS_CMOCKA_H
#define BRISTLE_TEST_CROSS_CMOCKA_H

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
    const char* name;
    void (*test)(void** state);
};

static jmp_buf cross_end;
static const char* cross_filter;

enum { CROSS_FAILED = 1, CROSS_SKIPPED = 2 };

#define cmocka_unit_test(f)                                                                        \
    {                                                                                              \
#f, f                                                                                      \
    }
#define cmocka_set_test_filter(filter) ((void)(cross_filter = (filter)))
#define print_error(...)               ((void)fprintf(stderr, __VA_ARGS__))
#define print_message(...)             ((void)printf(__VA_ARGS__))
#define test_calloc(count, bytes)      calloc((count), (bytes))
#define test_malloc(bytes)             malloc(bytes)
#define test_free(memory)              free(memory)
#define skip()                         longjmp(cross_end, CROSS_SKIPPED)

_Noreturn static inline void _fail(const char* file, int line)
{
    fprintf(stderr, "%s:%d: failed\n", file, line);
    longjmp(cross_end, CROSS_FAILED);
}

#define fail_msg(...) (print_error(__VA_ARGS__), print_error("\n"), _fail(__FILE__, __LINE__))
#define fail()        _fail(__FILE__, __LINE__)
#define assert_true(condition)                                                                     \
    ((condition) ? (void)0 : (print_error("%s\n", #condition), _fail(__FILE__, __LINE__)))
#define assert_false(condition)             assert_true(!(condition))
#define assert_null(pointer)                assert_true((pointer) == NULL)
#define assert_non_null(pointer)            assert_true((pointer) != NULL)
#define assert_int_equal(a, b)              assert_true((long long)(a) == (long long)(b))
#define assert_int_not_equal(a, b)          assert_true((long long)(a) != (long long)(b))
#define assert_ptr_equal(a, b)              assert_true((a) == (b))
#define assert_ptr_not_equal(a, b)          assert_true((a) != (b))
#define assert_string_equal(a, b)           assert_true(strcmp((a), (b)) == 0)
#define assert_string_not_equal(a, b)       assert_true(strcmp((a), (b)) != 0)
#define assert_memory_equal(a, b, bytes)    assert_true(memcmp((a), (b), (bytes)) == 0)
#define assert_in_range(value, least, most) assert_true((value) >= (least) && (value) <= (most))
#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    cross_run(tests, sizeof(tests) / sizeof *(tests), setup, teardown)

// Does a name match a pattern in which * stands for any text?
static inline int cross_matches(const char* pattern, const char* name)
{
    if (*pattern == '*') {
        return cross_matches(pattern + 1, name) || (*name && cross_matches(pattern, name + 1));
    }
    return *pattern == *name && (*name == '\0' || cross_matches(pattern + 1, name + 1));
}

static inline int cross_run_one(const struct CMUnitTest* t, void** state)
{
    const int end = setjmp(cross_end);
    if (end == 0) {
        t->test(state);
    }
    printf("%s %s\n",
           end == CROSS_FAILED    ? "FAILED"
           : end == CROSS_SKIPPED ? "skipped"
                                  : "ok",
           t->name);
    return end == CROSS_FAILED;
}

static inline int cross_run(const struct CMUnitTest* tests, size_t count, int (*setup)(void**),
                            int (*teardown)(void**))
{
    void* state = NULL;
    int failed = setup ? setup(&state) : 0;
    for (size_t i = 0; i < count; i++) {
        if (!cross_filter || cross_matches(cross_filter, tests[i].name)) {
            failed += cross_run_one(&tests[i], &state);
        }
    }
    return failed + (teardown ? teardown(&state) : 0);
}

#endif
