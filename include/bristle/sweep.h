/// @file sweep.h
/// Sweeps: many runs of one scenario, each with other values of some keys.
///
/// A sweep has axes, the first the slowest: one for each varied key, one for keys that go together, and at the end the
/// samples, where keys are drawn at random. Case i is a place in this grid. What a case is and what it gives depends on
/// its index alone, never on threads or order: the same bits everywhere. SI units and radians.
///
///     const br_sweep_key keys[] = {{BR_SWEEP_VARY, "friction.mu", "0.2:0.6:41", NULL, 0}};
///     br_sweep_def def = br_sweep_def_default();
///     def.keys = keys, def.key_count = 1;
///     def.want = (const char* const[]){"final.theta"}, def.want_count = 1;
///     if (br_sweep_create(scenario, &def, &sweep, &why) == BR_OK) { br_sweep_run(sweep, &run, &why); }
///
/// In libbristle-scenario.
#ifndef BRISTLE_SWEEP_H
#define BRISTLE_SWEEP_H

#include <stdint.h>

#include "bristle/scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- what is swept --------------------------------------------------------------------------------

/// How a key takes its values.
typedef enum br_sweep_use {
    BR_SWEEP_VARY, ///< an axis of its own
    BR_SWEEP_ZIP, ///< all of these go together, value by value: one axis, where the first of them stands
    BR_SWEEP_DRAW ///< at random in each sample
} br_sweep_use;

/// A key that changes from case to case.
typedef struct br_sweep_key {
    br_sweep_use use; ///< how
    const char* key;  ///< its full key, "friction.mu"
    const char*
        spec; ///< "a:b:n", "log:a:b:n" or "[v1, v2, ...]"; to draw: "uniform:a:b", "loguniform:a:b",
              ///< "normal:mean:sd", "lognormal:median:sigma" or "[v1, v2, ...]", equally likely
    const double*
        values; ///< instead of `spec`, not to draw: the values themselves (count), borrowed for the call
    size_t count; ///< of `values`
} br_sweep_key;

/// How samples lie.
typedef enum br_sweep_sampling {
    BR_SWEEP_DEFAULT, ///< as the scenario's `sweep` says, else at random
    BR_SWEEP_RANDOM,  ///< independently
    BR_SWEEP_LATIN, ///< Latin hypercube: each key has one value in each of `samples` equally likely strata
    BR_SWEEP_SOBOL ///< Sobol' points, scrambled; best where `samples` is a power of 2
} br_sweep_sampling;

/// What a sweep is made of. Start from br_sweep_def_default(); what is left open is as the scenario's `sweep` has it.
typedef struct br_sweep_def {
    size_t size; ///< set by the default function; do not touch
    const br_sweep_key*
        keys; ///< (key_count), besides those of the scenario; the same key replaces its spec
    size_t key_count; ///< of `keys`
    const char*
        cases; ///< a CSV file whose columns are keys that go together, a row a case; NULL: none
    size_t samples;             ///< for each point of the grid; 0: not said
    br_sweep_sampling sampling; ///< how they lie
    int has_seed;               ///< 1: `seed` is given
    uint64_t seed;              ///< of what is random; 0 by default
    int indices;                ///< 1: samples for Sobol' indices, each of (drawn keys + 2) cases
    const char* const*
        want; ///< what each case gives (want_count): a path of the summary ("final.theta",
              ///< "contacts[0].slipped", "energy.dissipated", "steps"), "min.COLUMN", "max.COLUMN",
    ///< "events.KIND.first", ".last", ".count" (of one contact: "events.slip[0].first"), or
    ///< "name = formula" of these and of keys that change
    size_t want_count; ///< of `want`
} br_sweep_def;

/// A number that a case has: an input that changes, or something wanted.
typedef struct br_sweep_column {
    const char* name; ///< the key, the path, or the formula's name
    const char* unit; ///< "N"; "" where it is not known
    const char* const*
        words; ///< ended by NULL: values are places in this list, from 0; NULL: numbers
} br_sweep_column;

/// A planned sweep. Immutable: it may run in many threads at once.
typedef struct br_sweep br_sweep;

/// Nothing but what the scenario's `sweep` says.
BR_API br_sweep_def br_sweep_def_default(void);

/// Plan a sweep.
/// @param scenario  what runs, borrowed; must outlive the sweep. It may have mistakes that the keys of the sweep mend
/// @param def       copied; NULL: all is in the scenario
/// @param[out] out  the sweep, or NULL on failure; free it with br_sweep_destroy()
/// @param[out] why  may be NULL; filled when the result is not BR_OK
/// @return BR_OK, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_sweep_create(const br_scenario* scenario, const br_sweep_def* def,
                                 br_sweep** out, br_reason* why);

/// Free a sweep; NULL is allowed.
BR_API void br_sweep_destroy(br_sweep* sweep);

/// Begin the first case and look whether it gives what is wanted; it is not run to its end. A case that cannot run
/// says nothing, which is BR_OK.
/// @return BR_OK, BR_ERR_DEF (`why` names what there is no value of, and what there is) or BR_ERR_MEMORY
BR_API br_status br_sweep_check(const br_sweep* sweep, br_reason* why);

/// Number of cases.
BR_API size_t br_sweep_get_case_count(const br_sweep* sweep);

/// Lengths of the axes, the slowest first (count), at least one; their product is the number of cases.
BR_API const size_t* br_sweep_get_shape(const br_sweep* sweep, size_t* count);

/// Whether the last axis is that of the samples.
BR_API int br_sweep_has_samples(const br_sweep* sweep);

/// The inputs, (count): keys that change, in the order of the axes, drawn ones at the end.
BR_API const br_sweep_column* br_sweep_get_inputs(const br_sweep* sweep, size_t* count);

/// Number of inputs that are drawn; they are the last ones.
BR_API size_t br_sweep_get_drawn_count(const br_sweep* sweep);

/// The axis of an input; `input` < the number of inputs.
BR_API size_t br_sweep_get_axis(const br_sweep* sweep, size_t input);

/// What is wanted, (count).
BR_API const br_sweep_column* br_sweep_get_wants(const br_sweep* sweep, size_t* count);

/// The inputs of a case.
/// @param index        of the case, < br_sweep_get_case_count()
/// @param[out] inputs  a number each
BR_API void br_sweep_eval_inputs(const br_sweep* sweep, size_t index, double* inputs);

/// All that says what the cases are and give, as text: equal texts of equal scenarios are equal sweeps.
BR_API const char* br_sweep_get_text(const br_sweep* sweep);

// --- running --------------------------------------------------------------------------------------

/// What a case gave.
typedef struct br_sweep_result {
    size_t index;         ///< of the case
    const double* inputs; ///< a number each
    const double*
        wants; ///< a number each; NaN where it failed, or where there is none (an event that never was)
    const char* failure; ///< why it could not be read or run; NULL: it ran
    const br_table*
        table; ///< all of it, with its rows where they are kept; NULL where there is none
} br_sweep_result;

/// How a sweep runs. All functions may be NULL.
typedef struct br_sweep_run_def {
    size_t threads; ///< that run cases; 0: one for each processor that may be used
    int keeps_rows; ///< 1: tables come with their rows
    size_t first;   ///< the cases from here on, where `next` is NULL
    size_t count;   ///< how many of them; 0: all that follow
    /// The next case to run, into `index`; 0: there is none. One thread at a time.
    int (*next)(size_t* index, void* user);
    /// A case is done; `result` lives for the call alone. One thread at a time, none in `next`.
    void (*done)(const br_sweep_result* result, void* user);
    /// Asked before each case and after each step, by any thread at any time: nonzero ends the sweep; cases that
    /// were under way are not told.
    int (*stop)(void* user);
    void* user; ///< handed to all of them
} br_sweep_run_def;

/// Run cases. A case that fails is a result with its reason, not the end.
/// @param[out] why  may be NULL; filled when the result is not BR_OK
/// @return BR_OK, BR_ERR_STOPPED or BR_ERR_MEMORY
BR_API br_status br_sweep_run(const br_sweep* sweep, const br_sweep_run_def* def, br_reason* why);

/// Number of threads that br_sweep_run() takes for `threads` 0: processors that this process may use.
BR_API size_t br_sweep_get_thread_count(void);

// --- Sobol' indices -------------------------------------------------------------------------------

/// Sums over samples of one wanted number, for one drawn input; all 0 at first.
typedef struct br_sobol_sums {
    double n;       ///< samples
    double v;       ///< of the squared distances to the centre: n times the variance
    double vv;      ///< of their squares
    double first;   ///< of the products that estimate the first index times the variance
    double first_2; ///< of their squares
    double first_v; ///< of them times the squared distances
    double
        total; ///< of the halved squared changes that estimate the total index times the variance
    double total_2; ///< of their squares
    double total_v; ///< of them times the squared distances
} br_sobol_sums;

/// What share of the variance an input has.
typedef struct br_sobol_index {
    double first;      ///< alone [-]
    double first_low;  ///< 95 % interval [-]
    double first_high; ///< [-]
    double total;      ///< with all that it does together with others [-]
    double total_low;  ///< 95 % interval [-]
    double total_high; ///< [-]
} br_sobol_index;

/// Add a sample. One with a number that is not finite is left out.
/// @param sums    (inputs)
/// @param f       the wanted number in the sample's cases, in their order (inputs + 2)
/// @param centre  the mean of the number over all cases, or near it: any is right, this one most precise
BR_API void br_sobol_add(br_sobol_sums* sums, size_t inputs, const double* f, double centre);

/// The indices so far; NaN where nothing varies.
BR_API br_sobol_index br_sobol_eval(const br_sobol_sums* sums);

#ifdef __cplusplus
}
#endif

#endif
