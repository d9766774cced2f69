/// @file scenario.h
/// Scenarios: what a scenario file means, read, run and tabulated without a process of its own.
///
/// A scenario says what moves, on which friction, for how long, and which rows are wanted; its keys are
/// those of `bristle help run`. It comes from a YAML file, from YAML text (JSON is YAML, too), or from a tree
/// that the caller builds. Nothing here prints, exits or keeps globals: many threads may read and run
/// scenarios at once, and one scenario may run in many threads. SI units and radians throughout.
///
///     br_scenario* scenario;
///     br_table* table;
///     if (br_scenario_read_text(text, "box", NULL, &scenario) == BR_OK &&
///         br_scenario_run(scenario, NULL, &table, &why) == BR_OK) { ... }
///
/// In libbristle-scenario, which needs libbristle-sim, libbristle and, for text, libyaml.
#ifndef BRISTLE_SCENARIO_H
#define BRISTLE_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>

#include "bristle/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- reading --------------------------------------------------------------------------------------

/// What is wrong with a scenario, and where. All texts are those of the scenario, and never NULL.
typedef struct br_mistake {
    const char*
        file;      ///< the file, the name of the text or tree, or "--set key=value" of an override
    size_t line;   ///< in the file, from 1; 0: not known
    size_t column; ///< in that line, from 1; 0: not known
    const char*
        key; ///< the full key, "contact.patch.radius" or "vertices[3]"; "" for the whole file
    const char* text; ///< what is wrong and what is allowed, "must be > 0; got -1"
    const char*
        allowed; ///< what is allowed alone, "> 0" or "mu_c, mu_s, ..."; "" where no list or range is
    const char* nearest; ///< the word or key that may have been meant; "" where none is near
} br_mistake;

/// A scenario that has been read. Immutable: it may run in many threads at once.
typedef struct br_scenario br_scenario;

/// What a value of a tree is.
typedef enum br_tree_kind {
    BR_TREE_NOTHING, ///< no value, as `key:` in YAML
    BR_TREE_FLAG,    ///< `number` is 0 (false) or 1 (true)
    BR_TREE_NUMBER,  ///< `number`
    BR_TREE_TEXT,    ///< `text`; one that spells a number is one
    BR_TREE_NUMBERS, ///< a list of numbers: `numbers` (count)
    BR_TREE_LIST,    ///< `children` (count)
    BR_TREE_MAP      ///< `children` (count), each with its own `key`
} br_tree_kind;

/// A value that the caller builds, and the values below it: Python's dicts, JavaScript's objects. Borrowed
/// for the call alone.
typedef struct br_tree {
    br_tree_kind kind;              ///< which of the following count
    const char* key;                ///< its name in a map; NULL elsewhere
    double number;                  ///< of a number, or of a flag
    const char* text;               ///< of a text
    const double* numbers;          ///< (count)
    const struct br_tree* children; ///< (count)
    size_t count;                   ///< of `numbers` or `children`
    size_t line;   ///< where its key, or else the value, stands in the caller's text, from 1, for
                   ///< mistakes; 0: not known
    size_t column; ///< in that line, from 1; 0: not known
} br_tree;

/// Read a YAML file. Files that it names are looked for beside it, then in the current folder.
/// @param path       the file
/// @param overrides  "key.path=value" each, ended by NULL, applied in their order, as --set of the command;
///                   NULL: none
/// @param[out] out   the scenario, never NULL but for BR_ERR_MEMORY: one with mistakes cannot run, and
///                   tells them; free it with br_scenario_destroy()
/// @return BR_OK, BR_ERR_DEF (mistakes: see br_scenario_get_mistake()), BR_ERR_MEMORY, or BR_ERR_ABSENT in a
/// build without libyaml
BR_API br_status br_scenario_read_file(const char* path, const char* const* overrides,
                                       br_scenario** out);

/// Read YAML or JSON text.
/// @param text  ended by 0
/// @param name  stands where a file's name would: in mistakes and titles; files named in the text are
///              looked for beside it, "/data/box.yaml", then in the current folder
/// @param overrides,out  see br_scenario_read_file()
/// @return see br_scenario_read_file()
BR_API br_status br_scenario_read_text(const char* text, const char* name,
                                       const char* const* overrides, br_scenario** out);

/// Read a tree. Works in every build; without libyaml the values of overrides are single words or numbers.
/// @param tree  a map, borrowed for the call alone
/// @param name,overrides,out  see br_scenario_read_text()
/// @return BR_OK, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_scenario_read_tree(const br_tree* tree, const char* name,
                                       const char* const* overrides, br_scenario** out);

/// Read a scenario again with more overrides: the text is not parsed again. For sweeps.
/// @param from  a scenario that could be read; it may be in use by other threads
/// @param overrides,out  see br_scenario_read_file()
/// @return BR_OK, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_scenario_read_variant(const br_scenario* from, const char* const* overrides,
                                          br_scenario** out);

/// A value that stands in place of the scenario's.
typedef struct br_override {
    const char* key;  ///< its full key, "friction.mu" or "contacts[1].patch.radius"
    double number;    ///< what stands there, where `text` is NULL
    const char* text; ///< a word, borrowed for as long as the case lives; NULL: a number
} br_override;

/// Read one of many cases of a scenario: as br_scenario_read_variant(), but numbers need not be spelled, and
/// patches, limit surfaces and contacts are shared where no override touches what they are made of. Case and
/// variant run to the same bits.
/// @param from       a scenario that could be read; it may be in use by other threads and must outlive `out`
/// @param overrides  applied in their order (count)
/// @param out        see br_scenario_read_file()
/// @return BR_OK, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_scenario_read_case(const br_scenario* from, const br_override* overrides,
                                       size_t count, br_scenario** out);

/// Whether a scenario may run: BR_OK, or BR_ERR_DEF if it has mistakes.
BR_API br_status br_scenario_check(const br_scenario* scenario);

/// Number of its mistakes; 0 if it may run.
BR_API size_t br_scenario_get_mistake_count(const br_scenario* scenario);

/// A mistake, in the order in which they were found. `index` < br_scenario_get_mistake_count().
BR_API const br_mistake* br_scenario_get_mistake(const br_scenario* scenario, size_t index);

/// Number of warnings: what may be meant as it is, but seldom is.
BR_API size_t br_scenario_get_warning_count(const br_scenario* scenario);

/// A warning, a sentence. `index` < br_scenario_get_warning_count().
BR_API const char* br_scenario_get_warning(const br_scenario* scenario, size_t index);

/// Number of files that were read: the scenario's own, and those that it names.
BR_API size_t br_scenario_get_file_count(const br_scenario* scenario);

/// The path of a file that was read. `index` < br_scenario_get_file_count().
BR_API const char* br_scenario_get_file(const br_scenario* scenario, size_t index);

/// The kind of a scenario: "body", "law + motion", ...; "" if it has mistakes that hide it.
BR_API const char* br_scenario_get_kind(const br_scenario* scenario);

/// How long it runs [s]; 0 if it has mistakes.
BR_API double br_scenario_get_duration(const br_scenario* scenario);

/// How many rows it gives, unless it ends early; 0 if it has mistakes.
BR_API size_t br_scenario_get_row_count(const br_scenario* scenario);

/// What reading found out besides, for people: the friction that follows from mu, how a body swings on its
/// bristles. Lines, or "".
BR_API const char* br_scenario_get_text(const br_scenario* scenario);

/// Free a scenario; NULL is allowed. Its tables live on.
BR_API void br_scenario_destroy(br_scenario* scenario);

/// The JSON Schema (draft 7) of scenario files, for editors; `scenario.schema.json` of an installed bristle.
/// @param[out] out  the text, ended by 0; free it with br_release(). NULL on failure
/// @return BR_OK or BR_ERR_MEMORY
BR_API br_status br_scenario_create_schema(char** out);

// --- running --------------------------------------------------------------------------------------

/// A column of a table.
typedef struct br_column {
    const char* name; ///< "fx"
    const char* unit; ///< "N", "-" for pure numbers
    const char* const*
        words; ///< ended by NULL: the column holds places in this list, from 0; NULL: numbers
} br_column;

/// Something that happened at an instant.
typedef struct br_table_event {
    double t;         ///< [s]
    size_t contact;   ///< from 1; 0: there is but one thing it can happen to
    const char* kind; ///< "stick", "slip", "open", "topple", ...
} br_table_event;

/// A number that sums up a run, or a word.
typedef struct br_table_value {
    const char* path; ///< "final.x", "contacts[0].slipped", "energy.residual"
    double number;    ///< SI units; NaN where `word` is given
    const char* word; ///< "slide"; NULL: a number
} br_table_value;

/// Columns of a scenario's table, (count); NULL and 0 if it has mistakes.
BR_API const br_column* br_scenario_get_columns(const br_scenario* scenario, size_t* count);

/// Who looks at a run, as br_run_watch has it: all may be NULL.
typedef struct br_scenario_watch {
    /// A row of numbers (columns of the scenario), in the order of time.
    void (*row)(const double* row, void* user);
    /// An event, between the rows around it; `event` lives for the call alone.
    void (*event)(const br_table_event* event, void* user);
    /// After every step: the share of the work that is done [-].
    void (*progress)(double fraction, void* user);
    /// Asked after every step, at time t [s]: nonzero ends the run, with BR_ERR_STOPPED.
    int (*stop)(double t, void* user);
    void* user;     ///< handed to all of them
    bool drop_rows; ///< the table keeps the last row alone: memory does not grow with the run
    bool
        is_brief; ///< nobody asks for rows but the first and the last, for contacts[i].load, warnings
                  ///< or the text: what saves work is left out (a load is NaN then)
} br_scenario_watch;

/// What a run gave.
typedef struct br_table br_table;

/// Run a scenario.
/// @param scenario   without mistakes
/// @param watch      may be NULL: nobody looks
/// @param[out] out   the table, NULL for BR_ERR_DEF, BR_ERR_ARG and BR_ERR_MEMORY; with BR_ERR_STOPPED and
///                   BR_ERR_CONVERGENCE it has what was computed until then. Free it with
///                   br_table_destroy(); it does not need the scenario any more
/// @param[out] why   may be NULL; filled when the result is not BR_OK
/// @return BR_OK, BR_ERR_DEF, BR_ERR_ARG, BR_ERR_MEMORY, BR_ERR_CONVERGENCE or BR_ERR_STOPPED
BR_API br_status br_scenario_run(const br_scenario* scenario, const br_scenario_watch* watch,
                                 br_table** out, br_reason* why);

/// Its columns (count).
BR_API const br_column* br_table_get_columns(const br_table* table, size_t* count);

/// The place of a column by its name; the number of columns if there is none.
BR_API size_t br_table_find_column(const br_table* table, const char* name);

/// Number of rows that it keeps.
BR_API size_t br_table_get_row_count(const br_table* table);

/// Its rows, one behind the other (row_count x columns); NULL if there are none.
BR_API const double* br_table_get_rows(const br_table* table);

/// Number of events.
BR_API size_t br_table_get_event_count(const br_table* table);

/// An event, in the order of time. `index` < br_table_get_event_count().
BR_API const br_table_event* br_table_get_event(const br_table* table, size_t index);

/// Number of values that sum up the run: its last row (`final`), energies, contacts, cost; 0 if it gave no
/// row.
BR_API size_t br_table_get_value_count(const br_table* table);

/// A value that sums up the run. `index` < br_table_get_value_count().
BR_API const br_table_value* br_table_get_value(const br_table* table, size_t index);

/// The value of a path; NULL if there is none.
BR_API const br_table_value* br_table_find_value(const br_table* table, const char* path);

/// Number of warnings of the run.
BR_API size_t br_table_get_warning_count(const br_table* table);

/// A warning of the run. `index` < br_table_get_warning_count().
BR_API const char* br_table_get_warning(const br_table* table, size_t index);

/// The run in words for people: lines, or "".
BR_API const char* br_table_get_text(const br_table* table);

/// Free a table; NULL is allowed.
BR_API void br_table_destroy(br_table* table);

#ifdef __cplusplus
}
#endif

#endif
