/*
 * Benchmarks: each case beside its plain reference, timed in turns within one run.
 */
#ifndef BRISTLE_BENCH_H
#define BRISTLE_BENCH_H

#include <stddef.h>

// One row of the table. `run` and `reference` do the work `calls` times and return a checksum.
typedef struct bench_case {
    const char* name;
    size_t calls;
    void* (*setup)(void); // NULL: no setup; a setup that returns NULL skips the case
    double (*run)(void* setup, size_t calls);
    double (*reference)(void* setup, size_t calls); // NULL: none in this build
    void (*teardown)(void* setup);
} bench_case;

// Nanoseconds per call over the runs, allocations per call, and what was computed.
typedef struct bench_result {
    double ns, median_ns, p90_ns;
    double reference_ns, reference_median_ns; // NAN without a reference
    double ratio;                             // reference_ns/ns, NAN without a reference
    double allocations;
    double check;
} bench_result;

enum { BENCH_RUNS = 31 };

bench_result bench_measure(const bench_case* what);

// How this program was compiled, and the processor it runs on.
const char* bench_compiler(void);
const char* bench_cpu(void);

// The cases of each room.
extern const bench_case law_cases[];
extern const size_t law_case_count;
extern const bench_case limit_cases[];
extern const size_t limit_case_count;
extern const bench_case limit_table_cases[];
extern const size_t limit_table_case_count;
extern const bench_case blocks_cases[];
extern const size_t blocks_case_count;
extern const bench_case planar_cases[];
extern const size_t planar_case_count;
extern const bench_case reduced_cases[];
extern const size_t reduced_case_count;
extern const bench_case body_cases[];
extern const size_t body_case_count;
extern const bench_case slider_cases[];
extern const size_t slider_case_count;
extern const bench_case cone_cases[];
extern const size_t cone_case_count;
extern const bench_case sim_cases[];
extern const size_t sim_case_count;

#endif
