/*
 * Benchmarks: each case and its scalar reference, timed alternately within one run.
 */
#ifndef BRISTLE_BENCH_H
#define BRISTLE_BENCH_H

#include "bristle/contact.h"

#include <stddef.h>

// Size of a problem.
typedef struct bench_size {
    size_t live;  // parts (cells, blocks) that carry force
    size_t lanes; // parts that are computed, padding included
} bench_size;

// One row of the table. `run`, `reference` and `careful` do the work `calls` times and return a checksum.
typedef struct bench_case {
    const char* name;
    size_t calls;
    void* (*setup)(void); // NULL: no setup; a setup that returns NULL skips the case
    double (*run)(void* setup, size_t calls);
    double (*reference)(void* setup, size_t calls); // NULL: none in this build
    void (*teardown)(void* setup);
    double (*careful)(void* setup, size_t calls); // careful.h; NULL: none in this build
    bench_size (*size)(const void* setup);        // NULL: not counted
    int has_threads;                              // 1: measured by wall-clock time
} bench_case;

// A row with only the first six fields.
#define BENCH_CASE(its_name, its_calls, its_setup, its_run, its_reference, its_teardown)           \
    {                                                                                              \
        .name = its_name, .calls = its_calls, .setup = its_setup, .run = its_run,                  \
        .reference = its_reference, .teardown = its_teardown                                       \
    }

// Nanoseconds per call over the runs (min, median, 90th percentile), and allocations per call.
typedef struct bench_result {
    double ns, median_ns, p90_ns;
    double reference_ns, reference_median_ns; // NAN without a reference
    double ratio;                             // reference_ns/ns, NAN without a reference
    double careful_ns;                        // NAN without it
    double allocations;
    double check, careful_check; // checksums
    bench_size size;             // 0: not counted
} bench_result;

enum { BENCH_RUNS = 31 };

// Number of parts of a contact.
bench_size bench_size_of(const br_contact* contact);

// Bristles of length up to `size` [m] in all directions, a third of it in the spin of blocks; they
// differ for each index.
void bench_fill_state(const br_contact* contact, size_t index, double size, double* z);

// Bristles that are all in the plastic band: steady sliding at v, reduced by different fractions.
void bench_fill_plastic(const br_contact* contact, br_twist v, double* z);

bench_result bench_measure(const bench_case* what);

// Compiler and flags of this program, and the processor.
const char* bench_compiler(void);
const char* bench_cpu(void);

// The cases of each module.
extern const bench_case law_cases[];
extern const size_t law_case_count;
extern const bench_case limit_cases[];
extern const size_t limit_case_count;
extern const bench_case limit_table_cases[];
extern const size_t limit_table_case_count;
extern const bench_case step_cases[];
extern const size_t step_case_count;
extern const bench_case worlds_cases[];
extern const size_t worlds_case_count;
extern const bench_case group_cases[];
extern const size_t group_case_count;
extern const bench_case batch_cases[];
extern const size_t batch_case_count;
extern const bench_case contact_cases[];
extern const size_t contact_case_count;
extern const bench_case reduced_cases[];
extern const size_t reduced_case_count;
extern const bench_case body_cases[];
extern const size_t body_case_count;
extern const bench_case pushing_cases[];
extern const size_t pushing_case_count;
extern const bench_case slider_cases[];
extern const size_t slider_case_count;
extern const bench_case cone_cases[];
extern const size_t cone_case_count;
extern const bench_case sim_cases[];
extern const size_t sim_case_count;

#endif
