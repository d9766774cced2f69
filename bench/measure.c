/*
 * Timing: warm up, then case and reference in turns, so that a noisy machine treats both alike.
 */
#include "bench.h"

#include "bristle/base.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
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

// ns per call of one run
static double time_run(double (*run)(void*, size_t), void* setup, size_t calls, double* check)
{
    const double begin = now_ns();
    *check = run(setup, calls);
    return (now_ns() - begin) / (double)calls;
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
    double ours[BENCH_RUNS], theirs[BENCH_RUNS], check = 0.0, ignored;
    for (int i = 0; i < BENCH_RUNS; i++) {
        ours[i] = time_run(what->run, setup, what->calls, &check);
        theirs[i] =
            what->reference ? time_run(what->reference, setup, what->calls, &ignored) : (double)NAN;
    }
    qsort(ours, BENCH_RUNS, sizeof *ours, ascending);
    qsort(theirs, BENCH_RUNS, sizeof *theirs, ascending);
    return (bench_result){.ns = ours[0],
                          .median_ns = ours[BENCH_RUNS / 2],
                          .p90_ns = ours[BENCH_RUNS * 9 / 10],
                          .reference_ns = theirs[0],
                          .reference_median_ns = theirs[BENCH_RUNS / 2],
                          .ratio = theirs[0] / ours[0],
                          .check = check};
}

bench_result bench_measure(const bench_case* what)
{
    void* setup = what->setup ? what->setup() : NULL;
    if (what->setup && !setup) {
        const double none = (double)NAN;
        return (bench_result){none, none, none, none, none, none, none, none};
    }
    const double allocations = count_allocations(what, setup); // warms up, too
    bench_result result = time_all(what, setup);
    result.allocations = allocations;
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
