/// @file sweep.h
/// Sweeps: many runs of one scenario, each with other values of some keys.
///
/// A sweep has axes, the slowest first: one for each varied key, one for keys that change together, and last the
/// samples of randomly drawn keys. Case i is a point of this grid. The inputs and results of a case depend only on
/// its index, not on threads or order: they are identical to the last bit on all machines. SI units and radians.
///
///     const br_sweep_key keys[] = {{BR_SWEEP_VARY, "friction.mu", "0.2:0.6:41", NULL, 0}};
///     br_sweep_def def = br_sweep_def_default();
///     def.keys = keys, def.key_count = 1;
///     def.outputs = (const char* const[]){"final.theta"}, def.output_count = 1;
///     if (br_sweep_create(scenario, &def, &sweep, &why) == BR_OK) { br_sweep_run(sweep, &run, &why); }
///
/// In libbristle-scenario.
#ifndef BRISTLE_SWEEP_H
#define BRISTLE_SWEEP_H

#include <stdbool.h>

#include <stdint.h>

#include "bristle/scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- what is swept --------------------------------------------------------------------------------

/// How the values of a key are combined.
typedef enum br_sweep_use {
    BR_SWEEP_VARY, ///< an axis for this key
    BR_SWEEP_ZIP, ///< all these keys change together: one axis, at the position of the first of them
    BR_SWEEP_DRAW ///< drawn at random in each sample
} br_sweep_use;

/// A key that changes from case to case.
typedef struct br_sweep_key {
    br_sweep_use use; ///< how its values are combined
    const char* key;  ///< its full key, "friction.mu"
    /// "a:b:n", "log:a:b:n" or "[v1, v2, ...]"; to draw: "uniform:a:b", "loguniform:a:b", "normal:mean:sd",
    /// "lognormal:median:sigma" or "[v1, v2, ...]", equally likely
    const char* spec;
    /// the values instead of `spec`, not to draw (count), borrowed during the call
    const double* values;
    size_t count; ///< number of `values`
} br_sweep_key;

/// Sampling method.
typedef enum br_sweep_sampling {
    BR_SWEEP_DEFAULT, ///< that of the scenario's `sweep`, else random
    BR_SWEEP_RANDOM,  ///< independent random numbers
    BR_SWEEP_LATIN, ///< Latin hypercube: each key has one value in each of `samples` equally likely strata
    BR_SWEEP_SOBOL ///< Sobol' points, scrambled; best if `samples` is a power of 2
} br_sweep_sampling;

/// Definition of a sweep. Start from br_sweep_def_default(); unset members are those of the scenario's `sweep`.
typedef struct br_sweep_def {
    size_t size; ///< set by the default function; do not touch
    /// keys in addition to those of the scenario; replaces an equal key (key_count)
    const br_sweep_key* keys;
    size_t key_count; ///< number of `keys`
    /// a CSV file whose columns are keys that change together, one case per row; NULL: none
    const char* cases;
    /// number of samples per point of the grid, up to BR_SWEEP_MOST_SAMPLES; 0: not given
    size_t samples;
    br_sweep_sampling sampling; ///< sampling method
    bool has_seed;              ///< true: `seed` is given
    uint64_t seed;              ///< seed of the random numbers; 0 by default
    bool indices; ///< true: samples for Sobol' indices, each of (drawn keys + 2) cases
    /// Results of each case (output_count); commas separate several in one text:
    /// - a path of the summary: "final.theta", "contacts[0].slipped", "energy.dissipated", "steps"
    /// - "min.COLUMN", "max.COLUMN"
    /// - "events.KIND.first", ".last", ".count"; of one contact "events.slip[0].first"
    /// - "name = formula" of these and of swept keys
    const char* const* outputs;
    size_t output_count; ///< number of `outputs`
} br_sweep_def;

/// An input or output of the cases.
typedef struct br_sweep_column {
    const char* name; ///< the key, the path, or the formula's name
    const char* unit; ///< "N"; "" if it is not known
    /// NULL-terminated list: values are indices into it, from 0; NULL: numbers
    const char* const* words;
} br_sweep_column;

/// A sweep. Immutable: it may run in many threads at once.
typedef struct br_sweep br_sweep;

/// Default definition: only the scenario's `sweep`.
BR_API br_sweep_def br_sweep_def_default(void);

/// Create a sweep.
/// @param scenario  the scenario, borrowed; must outlive the sweep. Keys of the sweep may repair its errors
/// @param def       copied; NULL: the scenario's `sweep` alone
/// @param[out] out  the sweep, or NULL on failure; free it with br_sweep_destroy()
/// @param[out] why  may be NULL; filled when the result is not BR_OK
/// @return BR_OK, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_sweep_create(const br_scenario* scenario, const br_sweep_def* def,
                                 br_sweep** out, br_reason* why);

/// Free a sweep; NULL is allowed.
BR_API void br_sweep_destroy(br_sweep* sweep);

/// Start the first case and check that it has all outputs; it does not run to its end. If the first case cannot be
/// read, the middle one is tried, then the last. A case that can be read but not run is BR_OK.
/// @return BR_OK, BR_ERR_DEF (`why` names an output that does not exist, or the first error of the last case if none of
///         the three can be read) or BR_ERR_MEMORY
BR_API br_status br_sweep_check(const br_sweep* sweep, br_reason* why);

/// Number of cases.
BR_API size_t br_sweep_get_case_count(const br_sweep* sweep);

/// Lengths of the axes, the slowest first (count), at least one; their product is the number of cases.
BR_API const size_t* br_sweep_get_shape(const br_sweep* sweep, size_t* count);

/// Whether the last axis is that of the samples.
BR_API bool br_sweep_has_samples(const br_sweep* sweep);

/// Whether the samples are for Sobol' indices.
BR_API bool br_sweep_has_indices(const br_sweep* sweep);

/// The inputs (count): swept keys in the order of the axes, drawn ones last.
BR_API const br_sweep_column* br_sweep_get_inputs(const br_sweep* sweep, size_t* count);

/// Number of drawn inputs; they are the last ones.
BR_API size_t br_sweep_get_drawn_count(const br_sweep* sweep);

/// The axis of an input; `input` < the number of inputs.
BR_API size_t br_sweep_get_axis(const br_sweep* sweep, size_t input);

/// The outputs (count).
BR_API const br_sweep_column* br_sweep_get_outputs(const br_sweep* sweep, size_t* count);

/// The inputs of a case.
/// @param index        index of the case, < br_sweep_get_case_count()
/// @param[out] inputs  one number per input
BR_API void br_sweep_eval_inputs(const br_sweep* sweep, size_t index, double* inputs);

/// Text that identifies the sweep: with equal scenarios, equal texts mean equal cases and outputs.
BR_API const char* br_sweep_get_text(const br_sweep* sweep);

// --- running --------------------------------------------------------------------------------------

/// Result of a case.
typedef struct br_sweep_result {
    size_t index;         ///< index of the case
    const double* inputs; ///< one number per input
    /// one number per output; NaN if the case failed or has none (an event that never occurred)
    const double* outputs;
    /// why it could not be read or run, or which output it does not have; NULL: none
    const char* failure;
    /// table of the run, with its rows if they are kept; NULL if there is none
    const br_table* table;
} br_sweep_result;

/// How to run a sweep. All functions may be NULL. Start from
/// br_sweep_run_def_default(), or from {.size = sizeof(br_sweep_run_def)}.
typedef struct br_sweep_run_def {
    size_t size;     ///< sizeof(br_sweep_run_def)
    size_t threads;  ///< number of threads, at most 1024; 0: br_sweep_get_thread_count()
    bool keeps_rows; ///< true: tables have their rows
    size_t first;    ///< first case, if `next` is NULL
    size_t count;    ///< number of cases from there on; 0: all
    /// Sets `index` to the next case; false: there is none. Called by one thread at a time.
    bool (*next)(size_t* index, void* user);
    /// Called when a case is done; `result` is valid during the call. One thread at a time, not during `next`.
    void (*done)(const br_sweep_result* result, void* user);
    /// Called before each case and after each step, by any thread at any time: true ends the sweep; unfinished cases
    /// are not reported.
    bool (*stop)(void* user);
    void* user; ///< passed to all of them
} br_sweep_run_def;

/// Default: all cases on br_sweep_get_thread_count() threads, without rows and functions.
BR_API br_sweep_run_def br_sweep_run_def_default(void);

/// Run cases. A case that fails is a result with its reason and does not end the sweep.
/// @param[out] why  may be NULL; filled when the result is not BR_OK
/// @return BR_OK, BR_ERR_DEF (size), BR_ERR_STOPPED or BR_ERR_MEMORY
BR_API br_status br_sweep_run(const br_sweep* sweep, const br_sweep_run_def* def, br_reason* why);

/// Number of threads of br_sweep_run() for `threads` 0: the processors that this process may use, by its affinity
/// mask and, on Linux, by the processor quota of its control groups, rounded up. 1 in WebAssembly.
BR_API size_t br_sweep_get_thread_count(void);

// --- local error propagation ----------------------------------------------------------------------

/// An output at the means of the drawn inputs, and its standard deviation to first order.
typedef struct br_sweep_local {
    double value;     ///< the output with all inputs at their means
    double deviation; ///< square root of the sum over inputs of (slope times standard deviation)^2
} br_sweep_local;

/// Local error propagation: variances of outputs from those of the drawn inputs through the derivatives of the run at
/// their means (sensitivity.h), beside Monte Carlo. Exact if the outputs are linear over the spread of the inputs. One
/// run, and two more for each input.
/// @param sweep         all its inputs are drawn, as numbers
/// @param[out] outputs  one for each output
/// @param[out] slopes   derivatives of the outputs by the inputs (outputs x inputs)
/// @param[out] why      may be NULL; filled when the result is not BR_OK
/// @return BR_OK, BR_ERR_DEF, or what br_sensitivity_create() returns
BR_API br_status br_sweep_eval_local(const br_sweep* sweep, br_sweep_local* outputs, double* slopes,
                                     br_reason* why);

/// Standard deviation of a drawn input, in its unit; NaN for other inputs and for words.
BR_API double br_sweep_get_deviation(const br_sweep* sweep, size_t input);

// --- Sobol' indices -------------------------------------------------------------------------------

/// Sums over samples of one output, for one drawn input; all 0 at first.
typedef struct br_sobol_sums {
    double n;       ///< number of samples
    double v;       ///< sum of the squared distances to the centre: n times the variance
    double vv;      ///< sum of their squares
    double first;   ///< sum of the products that estimate the first-order index times the variance
    double first_2; ///< sum of their squares
    double first_v; ///< sum of them times the squared distances
    /// sum of the halved squared changes that estimate the total index times the variance
    double total;
    double total_2; ///< sum of their squares
    double total_v; ///< sum of them times the squared distances
} br_sobol_sums;

/// Sobol' indices of an input: its shares of the variance.
typedef struct br_sobol_index {
    double first;      ///< first-order index: the input alone [-]
    double first_low;  ///< lower end of its 95 % interval [-]
    double first_high; ///< upper end of its 95 % interval [-]
    double total;      ///< total index: with all interactions [-]
    double total_low;  ///< lower end of its 95 % interval [-]
    double total_high; ///< upper end of its 95 % interval [-]
} br_sobol_index;

/// Add a sample. A sample with a number that is not finite is left out.
/// @param sums    sums of each input (inputs)
/// @param inputs  number of drawn inputs
/// @param f       the output in the sample's cases, in their order (inputs + 2)
/// @param centre  mean of the output over all cases, or near it: any value is valid, this one most precise
BR_API void br_sobol_add(br_sobol_sums* sums, size_t inputs, const double* f, double centre);

/// The indices so far; NaN where nothing varies.
BR_API br_sobol_index br_sobol_eval(const br_sobol_sums* sums);

#ifdef __cplusplus
}
#endif

#endif
