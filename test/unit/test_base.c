/* Tests of the module base: statuses, reasons, memory, assertions, version. */
#include "check.h"

#include <string.h>

/* Oracle: the list itself. Every status has its own text. */
static void every_status_has_a_text(void** state)
{
    (void)state;
    assert_string_equal(br_status_get_text(BR_OK), "ok");
    assert_string_equal(br_status_get_text((br_status)99), "unknown status");
    for (int i = 1; i <= BR_ERR_ABSENT; i++) {
        assert_string_not_equal(br_status_get_text((br_status)i),
                                br_status_get_text((br_status)(i - 1)));
    }
}

/* Oracle: printf. Long fields and texts are cut, never overrun; NULL is allowed. */
static void a_reason_is_cut_to_fit(void** state)
{
    (void)state;
    char endless[1000];
    memset(endless, 'x', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';

    br_reason why;
    br_reason_set(&why, endless, "%s", endless);
    assert_int_equal(strlen(why.field), sizeof why.field - 1);
    assert_int_equal(strlen(why.text), sizeof why.text - 1);
    br_reason_set(NULL, "radius", "nobody listens");
}

/* Oracle: a counting allocator. Memory is zeroed, and an overflowing product gives NULL. */
static void allocation_goes_through_the_hook(void** state)
{
    (void)state;
    counting count = {0};
    br_set_allocator(counting_allocate, counting_release, &count);
    double* numbers = br_allocate(3, sizeof *numbers);
    assert_non_null(numbers);
    assert_true(numbers[0] == 0.0 && numbers[2] == 0.0);
    assert_null(br_allocate(SIZE_MAX / 2, 3));
    br_release(numbers);
    br_release(NULL);
    br_set_allocator(NULL, NULL, NULL);
    assert_int_equal(count.calls, 1);
    assert_int_equal(count.alive, 0);
}

static int broken;

static void note_broken(const char* expression, const char* file, int line)
{
    (void)file;
    broken = line > 0 && strcmp(expression, "1 + 1 == 3") == 0;
}

/* Oracle: the handler receives the expression. */
static void a_failed_assertion_reaches_the_handler(void** state)
{
    (void)state;
    br_set_assert_handler(note_broken);
    BR_ASSERT(1 + 1 == 3);
    br_set_assert_handler(NULL);
    assert_true(broken);
}

/* Oracle: the headers. */
static void library_and_headers_have_one_version(void** state)
{
    (void)state;
    assert_string_equal(br_get_version(), BR_VERSION);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_text),
        cmocka_unit_test(a_reason_is_cut_to_fit),
        cmocka_unit_test(allocation_goes_through_the_hook),
        cmocka_unit_test(a_failed_assertion_reaches_the_handler),
        cmocka_unit_test(library_and_headers_have_one_version),
    };
    return run_group(argc, argv, tests);
}
