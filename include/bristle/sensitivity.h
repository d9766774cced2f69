/// @file sensitivity.h
/// Sensitivities of scenario runs: derivatives of rows and summary values by numbers of the scenario.
///
/// Keys are those of `--set`: "friction.mu", "body.mass", "body.velocity[0]",
/// "contact.normal_force.values[2]". A run is differentiated by central differences of copies of it
/// that repeat its steps (br_run_steps), so that the differences are those of a smooth function.
/// Events move with the key and are located in each copy, which gives their jump conditions. Every
/// kind of scenario and every number of it is supported; docs/explanation/sensitivity.md has the errors.
#ifndef BRISTLE_SENSITIVITY_H
#define BRISTLE_SENSITIVITY_H

#include "bristle/scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A run with its derivatives. Immutable.
typedef struct br_sensitivity br_sensitivity;

/// A column of derivatives.
typedef struct br_sensitivity_column {
    const char* name; ///< "d(x)/d(friction.mu)"
    const char* unit; ///< "m", "m/kg", "m/(m/s)": the column's unit over that of the key
    size_t column;    ///< position of the differentiated column in the table
    size_t key;       ///< position of the key
} br_sensitivity_column;

/// Run a scenario and its derivatives: the run itself, then two copies for each key.
/// @param scenario  a scenario without errors, integrated by BR_INTEGRATOR_ROSENBROCK or with fixed steps
/// @param keys      full keys of numbers that the scenario has, ended by NULL; one at least
/// @param watch     may be NULL; its rows and events are those of the run itself, `progress` counts all copies, and
///                  `drop_rows` and `is_brief` are ignored
/// @param[out] out  the result, NULL on failure; free it with br_sensitivity_destroy(); does not depend on the scenario
/// @param[out] why  may be NULL; `field` is the key that is refused
/// @return BR_OK; BR_ERR_ARG: a key is unknown, not a number, has no value in the scenario, or sets how the run is
///         computed (duration, tolerances); BR_ERR_DEF: the scenario has errors or uses CVODE;
///         BR_ERR_CONVERGENCE: a copy takes another course for any change of a key (events come in another
///         order): the run has no derivative there; BR_ERR_MEMORY, BR_ERR_STOPPED
BR_API br_status br_sensitivity_create(const br_scenario* scenario, const char* const* keys,
                                       const br_scenario_watch* watch, br_sensitivity** out,
                                       br_reason* why);

/// Free a result; NULL is allowed.
BR_API void br_sensitivity_destroy(br_sensitivity* of);

/// The table of the run itself, with all rows; owned by the result.
BR_API const br_table* br_sensitivity_get_table(const br_sensitivity* of);

/// Columns of derivatives (count): for each key all columns of the table but t and those of words; owned by the result.
BR_API const br_sensitivity_column* br_sensitivity_get_columns(const br_sensitivity* of,
                                                               size_t* count);

/// Derivatives of the rows, one row after the other (rows of the table x count); owned by the result; NULL: no rows.
BR_API const double* br_sensitivity_get_rows(const br_sensitivity* of);

/// Derivative of summary value `index` of the table (br_table_get_value()) by key `key`, in SI units; NaN for words.
BR_API double br_sensitivity_get_value(const br_sensitivity* of, size_t index, size_t key);

#ifdef __cplusplus
}
#endif

#endif
