/*
 * bristle-sweeps SCENARIO.yaml BRISTLE [CASES [PROCESSES]]: the table of docs/explanation/sensitivity.md.
 *
 * Cases of a sweep over friction.mu in one thread and in two, their cost beyond the runs, and the
 * same runs as processes of `bristle run`, one after the other and two at a time; fewer processes
 * use cases from the full range. CPU times, which other processes disturb little, and wall times.
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

static cost since(cost start)
{
    const cost end = now();
    return (cost){end.cpu - start.cpu, end.wall - start.wall};
}

static void print(const char* name, cost c, double cases)
{
    printf("%-34s %8.0f %12.1f %12.1f %10.0f\n", name, cases, 1e6 * c.cpu / cases,
           1e6 * c.wall / cases, cases / c.wall);
    fflush(stdout);
}

static br_sweep* plan(const br_scenario* base, const char* spec)
{
    const br_sweep_key key = {BR_SWEEP_VARY, "friction.mu", spec, NULL, 0};
    const char* output = "contacts[0].slipped";
    br_sweep_def def = br_sweep_def_default();
    def.keys = &key, def.key_count = 1;
    def.outputs = &output, def.output_count = 1;
    br_sweep* sweep;
    br_reason why = {"", ""};
    if (br_sweep_create(base, &def, &sweep, &why) != BR_OK) {
        fprintf(stderr, "%s\n", why.text);
        exit(1);
    }
    return sweep;
}

// --- in this process ------------------------------------------------------------------------------

static cost sweep_in(const br_sweep* sweep, size_t threads, size_t count)
{
    const br_sweep_run_def def = {
        .size = sizeof(br_sweep_run_def), .threads = threads, .count = count};
    const cost start = now();
    br_sweep_run(sweep, &def, NULL);
    return since(start);
}

// Cost of a case beyond its run: the same cases with a duration of a microsecond. Other processes
// disturb all times: takes the minimum of several turns, and the median of all cases.
enum { TURNS = 15, CASES = 64 };

typedef struct timing {
    size_t next;
    double started;         // [s]
    double shortest[CASES]; // [s]
} timing;

static void note(timing* of, size_t index, double took)
{
    of->shortest[index] =
        of->shortest[index] > 0 && of->shortest[index] < took ? of->shortest[index] : took;
}

// A case lasts until the next one is requested.
static bool next_case(size_t* index, void* user)
{
    timing* of = user;
    const double t = seconds(CLOCK_MONOTONIC);
    if (of->next > 0) {
        note(of, of->next - 1, t - of->started);
    }
    *index = of->next++;
    of->started = t;
    return *index < CASES;
}

static void time_cases(const br_sweep* sweep, timing* of)
{
    of->next = 0;
    const br_sweep_run_def def = {
        .size = sizeof(br_sweep_run_def), .threads = 1, .next = next_case, .user = of};
    br_sweep_run(sweep, &def, NULL);
}

// The runs of the same cases, read before the clock starts.
static void time_runs(const br_scenario* base, const br_sweep* sweep, timing* of)
{
    for (size_t i = 0; i < CASES; i++) {
        double mu;
        br_sweep_eval_inputs(sweep, i, &mu);
        const br_override value = {"friction.mu", mu, NULL};
        br_scenario* one;
        br_scenario_read_case(base, &value, 1, &one);
        const br_scenario_watch watch = {
            .size = sizeof(br_scenario_watch), .drop_rows = true, .is_brief = true};
        br_table* table;
        const double start = seconds(CLOCK_MONOTONIC);
        br_scenario_run(one, &watch, &table, NULL);
        note(of, i, seconds(CLOCK_MONOTONIC) - start);
        br_table_destroy(table);
        br_scenario_destroy(one);
    }
}

static int compare(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double median(double* list)
{
    qsort(list, CASES, sizeof *list, compare);
    return list[CASES / 2];
}

static void print_overhead(const br_scenario* base)
{
    static const char* const brief[] = {"duration=1e-6", "output.every=1e-6", NULL};
    char spec[64];
    snprintf(spec, sizeof spec, "0.7:0.9:%d", CASES);
    br_scenario* at_once;
    if (br_scenario_read_variant(base, brief, &at_once) != BR_OK) {
        fprintf(stderr, "the scenario cannot be cut short\n");
        exit(1);
    }
    br_sweep* sweep = plan(at_once, spec);
    timing all = {.next = 0}, runs = {.next = 0};
    for (int i = 0; i < TURNS; i++) {
        time_cases(sweep, &all);
        time_runs(at_once, sweep, &runs);
    }
    for (size_t i = 0; i < CASES; i++) {
        all.shortest[i] -= runs.shortest[i];
    }
    printf("a case beyond its run: %.1f us; a run until it steps: %.1f us\n",
           1e6 * median(all.shortest), 1e6 * median(runs.shortest));
    br_sweep_destroy(sweep);
    br_scenario_destroy(at_once);
}

// --- processes ------------------------------------------------------------------------------------

static double children_cpu(void)
{
    struct rusage use;
    getrusage(RUSAGE_CHILDREN, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

// Start `bristle run` for one case, as a shell would.
static void start_process(char* bristle, char* file, double mu)
{
    char set[64];
    snprintf(set, sizeof set, "friction.mu=%.17g", mu);
    char* arguments[] = {bristle, "run", file, "--set", set, "-o", "/dev/null", "-q", NULL};
    posix_spawn_file_actions_t silent;
    posix_spawn_file_actions_init(&silent);
    posix_spawn_file_actions_addopen(&silent, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child;
    if (posix_spawn(&child, bristle, &silent, NULL, arguments, environ) != 0) {
        fprintf(stderr, "%s could not be run\n", bristle);
        exit(1);
    }
    posix_spawn_file_actions_destroy(&silent);
}

static void await_process(const char* bristle)
{
    int status;
    if (wait(&status) < 0 || status != 0) {
        fprintf(stderr, "%s failed\n", bristle);
        exit(1);
    }
}

// A process for each case, `at_once` at a time: 1 as in a shell loop, 2 as by xargs -P2.
static cost run_processes(char* bristle, char* file, const br_sweep* sweep, size_t count,
                          size_t at_once)
{
    const cost start = now();
    const double cpu = children_cpu();
    for (size_t i = 0; i < count; i++) {
        double mu;
        br_sweep_eval_inputs(sweep, i * (br_sweep_get_case_count(sweep) / count), &mu);
        if (i >= at_once) {
            await_process(bristle);
        }
        start_process(bristle, file, mu);
    }
    for (size_t i = 0; i < at_once && i < count; i++) {
        await_process(bristle);
    }
    return (cost){children_cpu() - cpu, since(start).wall};
}

// --- the table ------------------------------------------------------------------------------------

int main(int argc, char** argv)
{
    br_scenario* base;
    if (argc < 3 || br_scenario_read_file(argv[1], NULL, &base) != BR_OK) {
        fprintf(stderr, "usage: bristle-sweeps SCENARIO.yaml BRISTLE [CASES [PROCESSES]]\n");
        return 2;
    }
    const size_t cases = argc > 3 ? strtoul(argv[3], NULL, 10) : 10000;
    const size_t processes = argc > 4 ? strtoul(argv[4], NULL, 10) : cases;
    char spec[64];
    snprintf(spec, sizeof spec, "0.7:0.9:%zu", cases);
    br_sweep* sweep = plan(base, spec);
    printf("%-34s %8s %12s %12s %10s\n", "", "cases", "cpu us/case", "wall us/case", "cases/s");
    const cost one = sweep_in(sweep, 1, cases), two = sweep_in(sweep, 2, cases);
    print("bristle sweep, 1 thread", one, (double)cases);
    print("bristle sweep, 2 threads", two, (double)cases);
    const cost loop = run_processes(argv[2], argv[1], sweep, processes, 1);
    print("bristle run, one after the other", loop, (double)processes);
    const cost pairs = run_processes(argv[2], argv[1], sweep, processes, 2);
    print("bristle run, two at a time", pairs, (double)processes);
    const double more = (double)cases / (double)processes;
    printf("2 threads over 1: %.2f times by the wall, %.2f by processor time with two to itself\n",
           one.wall / two.wall, 2 * one.cpu / two.cpu);
    printf(
        "processes in a loop over 1 thread: %.1f times by the wall, %.1f by processor time; over "
        "2 threads: %.1f by the wall\n",
        more * loop.wall / one.wall, more * loop.cpu / one.cpu, more * loop.wall / two.wall);
    printf(
        "two processes at a time over 2 threads: %.1f times by the wall, %.1f by processor time\n",
        more * pairs.wall / two.wall, more * pairs.cpu / two.cpu);
    print_overhead(base);
    br_sweep_destroy(sweep);
    br_scenario_destroy(base);
    return 0;
}
