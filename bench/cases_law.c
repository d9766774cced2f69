/*
 * One-dimensional laws: an evaluation, a step.
 */
#include "bench.h"

#include "bristle/law.h"

static double eval(br_law_kind kind, size_t calls)
{
    const br_law law = br_law_default(kind);
    double sum = 0.0;
    for (size_t i = 0; i < calls; i++) {
        const double phase = (double)(i % 64) - 31.5; // covers elastic, plastic and reversed motion
        sum += br_law_eval(&law, 4e-8 * phase, 1e-4 * phase, 1.0).f;
    }
    return sum;
}

static double eval_lugre(void* setup, size_t calls)
{
    (void)setup;
    return eval(BR_LAW_LUGRE, calls);
}

static double eval_elasto_plastic(void* setup, size_t calls)
{
    (void)setup;
    return eval(BR_LAW_ELASTO_PLASTIC, calls);
}

static double step_elasto_plastic(void* setup, size_t calls)
{
    (void)setup;
    const br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    double sum = 0.0, z = 0.0;
    for (size_t i = 0; i < calls; i++) {
        const double phase = (double)(i % 64) - 31.5;
        sum += br_law_step(&law, &z, 1e-4 * phase, 1.0, 1e-3);
    }
    return sum;
}

const bench_case law_cases[] = {
    BENCH_CASE("law.eval/lugre", 100000, NULL, eval_lugre, NULL, NULL),
    BENCH_CASE("law.eval/elasto-plastic", 100000, NULL, eval_elasto_plastic, NULL, NULL),
    BENCH_CASE("law.step/elasto-plastic", 100000, NULL, step_elasto_plastic, NULL, NULL),
};
const size_t law_case_count = sizeof law_cases / sizeof *law_cases;
