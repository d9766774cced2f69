/*
 * bristle-sweeps SCENARIO.yaml BRISTLE [CASES [PROCESSES]]: the table of docs/sweeps.md.
 *
 * Cases of a sweep over friction.mu in one thread and in two, their cost beyond the runs themselves, and the same runs
 * as processes of `bristle run`. Times of the processor, which others on the machine disturb little, and of the clock on
 * the wall.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bristle/sweep.h"

extern char** environ;

typedef struct cost {
    double cpu, wall; // [s]
} cost;

static double seconds(clockid_t of)
{
    struct timespec t;
    clock_gettime(of, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static cost now(void)
{
    return (cost){seconds(CLOCK_PROCESS_CPUTIME_ID), seconds(CLOCK_MONOTONIC)};
}

static cost since(cost begin)
{
    const cost end = now();
    return (cost){end.cpu - begin.cpu, end.wall - begin.wall};
}

static void print(const char* name, cost c, double cases)
{
    printf("%-34s %8.0f %12.1f %12.1f %10.0f\n", name, cases, 1e6 * c.cpu / cases,
           1e6 * c.wall / cases, cases / c.wall);
    fflush(stdout);
}

// --- in this process ------------------------------------------------------------------------------

static cost sweep_in(const br_sweep* sweep, size_t threads, size_t first, size_t count)
{
    const br_sweep_run_def def = {.threads = threads, .first = first, .count = count};
    const cost begin = now();
    br_sweep_run(sweep, &def, NULL);
    return since(begin);
}

// The runs of these cases alone: read before the clock starts.
static cost run_alone(const br_scenario* base, const br_sweep* sweep, size_t first, size_t count)
{
    cost sum = {0, 0};
    for (size_t i = first; i < first + count; i++) {
        double mu;
        br_sweep_eval_inputs(sweep, i, &mu);
        const br_override value = {"friction.mu", mu, NULL};
        br_scenario* one;
        br_scenario_read_case(base, &value, 1, &one);
        const br_scenario_watch watch = {.drop_rows = true};
        br_table* table;
        const cost begin = now();
        br_scenario_run(one, &watch, &table, NULL);
        br_table_destroy(table);
        const cost took = since(begin);
        sum.cpu += took.cpu;
        sum.wall += took.wall;
        br_scenario_destroy(one);
    }
    return sum;
}

static int compare(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// What a case costs beyond its run: both in turns, a few cases at a time; the median of the differences.
static void print_overhead(const br_scenario* base, const br_sweep* sweep)
{
    enum { TURNS = 61, CASES = 16 };
    double differences[TURNS];
    for (int i = 0; i < TURNS; i++) {
        const size_t first = (size_t)i * CASES % br_sweep_get_case_count(sweep);
        const cost all = sweep_in(sweep, 1, first, CASES),
                   runs = run_alone(base, sweep, first, CASES);
        differences[i] = 1e6 * (all.cpu - runs.cpu) / CASES;
    }
    qsort(differences, TURNS, sizeof *differences, compare);
    printf("a case beyond its run: %.1f us (median of %d turns; quartiles %.1f and %.1f)\n",
           differences[TURNS / 2], TURNS, differences[TURNS / 4], differences[3 * TURNS / 4]);
}

// --- processes ------------------------------------------------------------------------------------

static double children_cpu(void)
{
    struct rusage use;
    getrusage(RUSAGE_CHILDREN, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

static cost run_processes(char* bristle, char* file, const br_sweep* sweep, size_t count)
{
    posix_spawn_file_actions_t silent;
    posix_spawn_file_actions_init(&silent);
    posix_spawn_file_actions_addopen(&silent, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const cost begin = now();
    const double cpu = children_cpu();
    for (size_t i = 0; i < count; i++) {
        double mu;
        char set[64];
        br_sweep_eval_inputs(sweep, i, &mu);
        snprintf(set, sizeof set, "friction.mu=%.17g", mu);
        char* arguments[] = {bristle, "run", file, "--set", set, "-o", "/dev/null", "-q", NULL};
        pid_t child;
        int status;
        if (posix_spawn(&child, bristle, &silent, NULL, arguments, environ) != 0 ||
            waitpid(child, &status, 0) != child || status != 0) {
            fprintf(stderr, "%s could not be run\n", bristle);
            exit(1);
        }
    }
    posix_spawn_file_actions_destroy(&silent);
    return (cost){children_cpu() - cpu, since(begin).wall};
}

// --- the table ------------------------------------------------------------------------------------

static br_sweep* plan(const br_scenario* base, size_t cases)
{
    char spec[64];
    snprintf(spec, sizeof spec, "0.7:0.9:%zu", cases);
    const br_sweep_key key = {BR_SWEEP_VARY, "friction.mu", spec, NULL, 0};
    const char* want = "contacts[0].slipped";
    br_sweep_def def = br_sweep_def_default();
    def.keys = &key, def.key_count = 1;
    def.want = &want, def.want_count = 1;
    br_sweep* sweep;
    br_reason why = {"", ""};
    if (br_sweep_create(base, &def, &sweep, &why) != BR_OK) {
        fprintf(stderr, "%s\n", why.text);
        exit(1);
    }
    return sweep;
}

int main(int argc, char** argv)
{
    br_scenario* base;
    if (argc < 3 || br_scenario_read_file(argv[1], NULL, &base) != BR_OK) {
        fprintf(stderr, "usage: bristle-sweeps SCENARIO.yaml BRISTLE [CASES [PROCESSES]]\n");
        return 2;
    }
    const size_t cases = argc > 3 ? strtoul(argv[3], NULL, 10) : 10000;
    const size_t processes = argc > 4 ? strtoul(argv[4], NULL, 10) : cases;
    br_sweep* sweep = plan(base, cases);
    printf("%-34s %8s %12s %12s %10s\n", "", "cases", "cpu us/case", "wall us/case", "cases/s");
    const cost one = sweep_in(sweep, 1, 0, cases), two = sweep_in(sweep, 2, 0, cases);
    print("bristle sweep, 1 thread", one, (double)cases);
    print("bristle sweep, 2 threads", two, (double)cases);
    const cost spawned = run_processes(argv[2], argv[1], sweep, processes);
    print("processes of bristle run", spawned, (double)processes);
    const double per_case = one.cpu / (double)cases, per_process = spawned.cpu / (double)processes;
    printf(
        "2 threads over 1: %.2f times by the wall, %.2f by processor time if it had two to itself\n",
        one.wall / two.wall, 2 * one.cpu / two.cpu);
    printf(
        "processes over 1 thread: %.1f times by the wall, %.1f by processor time; over 2 threads: %.1f\n",
        spawned.wall / (double)processes / (one.wall / (double)cases), per_process / per_case,
        spawned.wall / (double)processes / (two.wall / (double)cases));
    print_overhead(base, sweep);
    br_sweep_destroy(sweep);
    br_scenario_destroy(base);
    return 0;
}
