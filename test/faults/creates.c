/*
 * Every public function that allocates, with every allocation failing in turn: once, and from there on.
 *
 * Oracle: a counting allocator. The call returns BR_ERR_MEMORY, its output is NULL, and all memory comes back. After
 * that the same call succeeds.
 */
#include "creates.h"

#include <stdatomic.h>

// An allocator that fails at a call, or from a call on; threads of a sweep share it.
typedef struct faulty {
    atomic_size_t calls, alive;
    size_t fail_at; // 0: never
    int goes_on;    // it also fails after that
} faulty;

static size_t injected, findings; // faults in all, those with a wrong outcome

static void* faulty_allocate(size_t bytes, void* user)
{
    faulty* f = user;
    const size_t call = atomic_fetch_add(&f->calls, 1) + 1;
    if (f->fail_at > 0 && (f->goes_on ? call >= f->fail_at : call == f->fail_at)) {
        return NULL;
    }
    atomic_fetch_add(&f->alive, 1);
    return malloc(bytes);
}

static void faulty_release(void* memory, void* user)
{
    atomic_fetch_sub(&((faulty*)user)->alive, 1);
    free(memory);
}

static br_status call_with(faulty* f, const fault_case* c)
{
    br_set_allocator(faulty_allocate, faulty_release, f);
    const br_status status = c->call();
    br_set_allocator(NULL, NULL, NULL);
    if (f->alive != 0) {
        print_error("%s, allocation %zu: %zu blocks were not freed\n", c->name, f->fail_at,
                    (size_t)f->alive);
        findings++;
    }
    return status;
}

// Returns how many allocations the call makes.
static size_t count_calls(const fault_case* c)
{
    faulty f = {.fail_at = 0};
    const br_status status = call_with(&f, c);
    if (status != BR_OK) {
        fail_msg("%s: %s without a fault", c->name, br_status_get_text(status));
    }
    return f.calls;
}

static void inject(const fault_case* c, size_t at, int goes_on)
{
    faulty f = {.fail_at = at, .goes_on = goes_on};
    const br_status status = call_with(&f, c);
    if (status != BR_ERR_MEMORY && !(status == BR_OK && c->may_succeed)) {
        print_error("%s, allocation %zu%s: %s\n", c->name, at, goes_on ? " and all later ones" : "",
                    br_status_get_text(status));
        findings++;
    }
    injected++;
}

// At most MOST faults of each kind for a call: all of its first allocations, then some.
static void check_cases(const fault_case* cases)
{
    enum { MOST = 300, FIRST = 200 };
    for (const fault_case* c = cases; c->name; c++) {
        const size_t all = count_calls(c), before = injected;
        const size_t step = all > MOST ? (all - FIRST) / (MOST - FIRST) + 1 : 1;
        for (size_t at = 1; at <= all; at += at < FIRST ? 1 : step) {
            inject(c, at, 0);
            inject(c, at, 1);
        }
        assert_int_equal(count_calls(c), all);
        print_message("%-28s %5zu allocations, %5zu faults\n", c->name, all, injected - before);
    }
    assert_int_equal(findings, 0);
}

static void functions_of_the_core_survive_lack_of_memory(void** state)
{
    (void)state;
    faults_core_create();
    check_cases(faults_core);
    faults_core_destroy();
}

static void runs_survive_lack_of_memory(void** state)
{
    (void)state;
    faults_sim_create();
    check_cases(faults_sim);
    faults_sim_destroy();
}

static void fits_survive_lack_of_memory(void** state)
{
    (void)state;
    faults_fit_create();
    check_cases(faults_fit);
    faults_fit_destroy();
}

static void scenarios_survive_lack_of_memory(void** state)
{
    (void)state;
    faults_scenario_create();
    check_cases(faults_scenario);
    faults_scenario_destroy();
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_of_the_core_survive_lack_of_memory),
        cmocka_unit_test(runs_survive_lack_of_memory),
        cmocka_unit_test(fits_survive_lack_of_memory),
        cmocka_unit_test(scenarios_survive_lack_of_memory),
    };
    const int failed = run_group(argc, argv, tests);
    print_message("%zu faults\n", injected);
    return failed;
}
