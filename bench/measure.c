/*
 * Timing: warm up, then run case and reference alternately, so that noise of the machine affects
 * both alike. Single-threaded work is measured by thread CPU time, which excludes other processes.
 */
#include "bench.h"

#include "bristle/base.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now_ns(int has_threads)
{
    struct timespec t;
    clock_gettime(has_threads ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static size_t allocation_count;

static void* count_allocate(size_t bytes, void* user)
{
    (void)user;
    allocation_count++;
    return malloc(bytes);
}

static void count_release(void* memory, void* user)
{
    (void)user;
    free(memory);
}

static int ascending(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// ns per call of one run; NAN if there is none
static double time_run(const bench_case* what, double (*run)(void*, size_t), void* setup,
                       double* check)
{
    if (!run) {
        return *check = (double)NAN;
    }
    const double start = now_ns(what->has_threads);
    *check = run(setup, what->calls);
    return (now_ns(what->has_threads) - start) / (double)what->calls;
}

static double count_allocations(const bench_case* what, void* setup)
{
    allocation_count = 0;
    br_set_allocator(count_allocate, count_release, NULL);
    what->run(setup, what->calls);
    br_set_allocator(NULL, NULL, NULL);
    return (double)allocation_count / (double)what->calls;
}

static bench_result time_all(const bench_case* what, void* setup)
{
    double ours[BENCH_RUNS], theirs[BENCH_RUNS], careful[BENCH_RUNS];
    double check, careful_check, ignored;
    for (int i = 0; i < BENCH_RUNS; i++) {
        ours[i] = time_run(what, what->run, setup, &check);
        theirs[i] = time_run(what, what->reference, setup, &ignored);
        careful[i] = time_run(what, what->careful, setup, &careful_check);
    }
    qsort(ours, BENCH_RUNS, sizeof *ours, ascending);
    qsort(theirs, BENCH_RUNS, sizeof *theirs, ascending);
    qsort(careful, BENCH_RUNS, sizeof *careful, ascending);
    return (bench_result){.ns = ours[0],
                          .median_ns = ours[BENCH_RUNS / 2],
                          .p90_ns = ours[BENCH_RUNS * 9 / 10],
                          .reference_ns = theirs[0],
                          .reference_median_ns = theirs[BENCH_RUNS / 2],
                          .ratio = theirs[0] / ours[0],
                          .careful_ns = careful[0],
                          .check = check,
                          .careful_check = careful_check};
}

bench_size bench_size_of(const br_contact* contact)
{
    bench_size size = {0, br_contact_get_part_count(contact)};
    for (size_t i = 0; i < size.lanes; i++) {
        size.live += br_contact_get_part(contact, i).weight > 0.0;
    }
    return size;
}

void bench_fill_state(const br_contact* contact, size_t index, double size, double* z)
{
    const size_t n = br_contact_get_part_count(contact),
                 states = br_contact_get_state_count(contact);
    for (size_t i = 0; i < n; i++) {
        const br_contact_part part = br_contact_get_part(contact, i);
        const double number = (double)(i + n * index), angle = 2.4 * number; // the golden angle
        const double length = (part.weight > 0.0) * size * (0.3 + 0.7 * fmod(0.618 * number, 1.0));
        z[i] = length * cos(angle);
        z[n + i] = length * sin(angle);
        if (states == 3 * n) {
            z[2 * n + i] = 0.3 * length * sqrt(part.xx + part.yy);
        }
    }
}

void bench_fill_plastic(const br_contact* contact, br_twist v, double* z)
{
    const double s_ba = br_contact_get_def(contact)->law.s_ba;
    const size_t n = br_contact_get_part_count(contact);
    br_contact_steady_eval(contact, v, 1.0, z);
    for (size_t k = 0; k < br_contact_get_state_count(contact); k++) {
        const double share = 0.1 + 0.8 * fmod(0.618 * (double)(k % n), 1.0); // of the band
        z[k] *= s_ba + (1.0 - s_ba) * share;
    }
}

bench_result bench_measure(const bench_case* what)
{
    void* setup = what->setup ? what->setup() : NULL;
    if (what->setup && !setup) {
        const double none = (double)NAN;
        return (bench_result){none, none, none, none, none, none, none, none, none, none, {0, 0}};
    }
    const double allocations = count_allocations(what, setup); // warms up, too
    bench_result result = time_all(what, setup);
    result.allocations = allocations;
    result.size = what->size ? what->size(setup) : (bench_size){0, 0};
    if (what->teardown) {
        what->teardown(setup);
    }
    return result;
}

const char* bench_compiler(void)
{
    return BENCH_COMPILER;
}

const char* bench_cpu(void)
{
    static char name[128] = "unknown processor";
    FILE* info = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (info && fgets(line, sizeof line, info)) {
        const char* value = strstr(line, ": ");
        if (strncmp(line, "model name", 10) == 0 && value) {
            snprintf(name, sizeof name, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
            break;
        }
    }
    if (info) {
        fclose(info);
    }
    return name;
}
