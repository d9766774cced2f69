/// @file scenario.h
/// Scenarios: reads scenario files, runs them and returns tables, within the calling process.
///
/// A scenario defines what moves, its friction, the duration and the rows; its keys are those of
/// `bristle help run`. It comes from a YAML file, from YAML text (JSON is YAML, too), or from a tree
/// that the caller builds. No function prints, exits or uses globals: many threads may read and run
/// scenarios at once, and one scenario may run in many threads. SI units and radians throughout,
/// unless the value of a key with a unit is a text with another unit: "30 deg", "12 mm", "300 g", "5 ms".
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

#include "bristle/body.h"
#include "bristle/column.h"
#include "bristle/mechanism.h"
#include "bristle/sliding.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- reading --------------------------------------------------------------------------------------

/// An error in a scenario and its location. The scenario owns all texts; none is NULL.
typedef struct br_scenario_error {
    /// the file, the name of the text or tree, or "--set key=value" of an override
    const char* file;
    size_t line;   ///< line in the file, from 1; 0: not known
    size_t column; ///< column in that line, from 1; 0: not known
    /// the full key, "contact.patch.radius" or "vertices[3]"; "" for the whole file
    const char* key;
    const char* text; ///< what is wrong and what is allowed, "must be > 0; got -1"
    /// only what is allowed, "> 0" or "mu_c, mu_s, ..."; "" if there is no list or range
    const char* allowed;
    const char* nearest; ///< the word or key that was probably meant; "" if none is similar
} br_scenario_error;

/// A scenario that has been read. Immutable: it may run in many threads at once.
typedef struct br_scenario br_scenario;

/// Kind of a value of a tree.
typedef enum br_tree_kind {
    BR_TREE_NOTHING, ///< no value, as `key:` in YAML
    BR_TREE_FLAG,    ///< `number` is 0 (false) or 1 (true)
    BR_TREE_NUMBER,  ///< `number`
    BR_TREE_TEXT,    ///< `text`; a text that spells a number counts as a number
    BR_TREE_NUMBERS, ///< a list of numbers: `numbers` (count)
    BR_TREE_LIST,    ///< `children` (count)
    BR_TREE_MAP      ///< `children` (count), each with its own `key`
} br_tree_kind;

/// A tree of values that the caller builds, e.g. from Python's dicts or JavaScript's objects. Borrowed
/// during the call only.
typedef struct br_tree {
    br_tree_kind kind;              ///< kind; it decides which of the following are used
    const char* key;                ///< its name in a map; NULL elsewhere
    double number;                  ///< value of a number or a flag
    const char* text;               ///< value of a text
    const double* numbers;          ///< list of numbers (count)
    const struct br_tree* children; ///< children (count)
    size_t count;                   ///< length of `numbers` or `children`
    size_t line; ///< line of its key, or else of the value, in the caller's text, from 1, for error
                 ///< messages; 0: not known
    size_t column; ///< column in that line, from 1; 0: not known
} br_tree;

/// Read a YAML file. Files that it names are searched in its folder, then in the current folder.
/// @param path       path of the file
/// @param overrides  "key.path=value" each, terminated by NULL, applied in their order, as --set of the command;
///                   NULL: none
/// @param[out] out   the scenario, NULL only for BR_ERR_MEMORY: a scenario with errors cannot run, and
///                   br_scenario_get_error() reports them; free it with br_scenario_destroy()
/// @return BR_OK, BR_ERR_DEF (errors: see br_scenario_get_error()), BR_ERR_MEMORY, or BR_ERR_ABSENT in a
/// build without libyaml
BR_API br_status br_scenario_read_file(const char* path, const char* const* overrides,
                                       br_scenario** out);

/// Read YAML or JSON text.
/// @param text  the text, terminated by 0
/// @param name  name instead of a file's path, for errors and titles; files named in the text are
///              searched beside it, "/data/box.yaml", then in the current folder
/// @param overrides,out  see br_scenario_read_file()
/// @return see br_scenario_read_file()
BR_API br_status br_scenario_read_text(const char* text, const char* name,
                                       const char* const* overrides, br_scenario** out);

/// Read a tree. Available in every build; without libyaml the values of overrides are single words or numbers.
/// @param tree  a map, borrowed during the call only
/// @param name,overrides,out  see br_scenario_read_text()
/// @return BR_OK, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_scenario_read_tree(const br_tree* tree, const char* name,
                                       const char* const* overrides, br_scenario** out);

/// Read a scenario again with more overrides, without parsing the text again. For sweeps.
/// @param from  a scenario without errors; other threads may use it
/// @param overrides,out  see br_scenario_read_file()
/// @return BR_OK, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_scenario_read_variant(const br_scenario* from, const char* const* overrides,
                                          br_scenario** out);

/// Kind of a file that is not a scenario.
typedef enum br_model_kind {
    BR_MODEL_ANY,        ///< determined by its keys: a patch, a constrained system, else a scenario
    BR_MODEL_PATCH,      ///< a contact patch, which has `shape`
    BR_MODEL_CONSTRAINED ///< a constrained system at one instant, which has `M`
} br_model_kind;

/// Read a YAML file of a contact patch or of a constrained system: br_scenario_get_model() returns it; it cannot run.
/// @param path       path of the file
/// @param kind       required kind; another one is an error
/// @param overrides,out  see br_scenario_read_file()
/// @return see br_scenario_read_file()
BR_API br_status br_scenario_read_model(const char* path, br_model_kind kind,
                                        const char* const* overrides, br_scenario** out);

/// A value that replaces one of the scenario.
typedef struct br_override {
    const char* key;  ///< its full key, "friction.mu" or "contacts[1].patch.radius"
    double number;    ///< the new value if `text` is NULL
    const char* text; ///< a word, borrowed for the lifetime of the case; NULL: a number
} br_override;

/// Read one of many cases of a scenario: as br_scenario_read_variant(), but with numbers as doubles, and
/// patches, limit surfaces and contacts are shared if no override changes their definition. Results of case and
/// variant are identical to the last bit.
/// @param from       a scenario without errors; other threads may use it; must outlive `out`
/// @param overrides  applied in their order (count)
/// @param[out] out   see br_scenario_read_file()
/// @return BR_OK, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_scenario_read_case(const br_scenario* from, const br_override* overrides,
                                       size_t count, br_scenario** out);

/// Whether a scenario can run: BR_OK, or BR_ERR_DEF if it has errors.
BR_API br_status br_scenario_check(const br_scenario* scenario);

/// Number of errors; 0 if the scenario can run.
BR_API size_t br_scenario_get_error_count(const br_scenario* scenario);

/// An error, in the order in which they were found. `index` < br_scenario_get_error_count().
BR_API const br_scenario_error* br_scenario_get_error(const br_scenario* scenario, size_t index);

/// Number of warnings: settings that are allowed, but seldom intended.
BR_API size_t br_scenario_get_warning_count(const br_scenario* scenario);

/// A warning, a sentence. `index` < br_scenario_get_warning_count().
BR_API const char* br_scenario_get_warning(const br_scenario* scenario, size_t index);

/// Number of files that were read: the scenario's own, and those that it names (the cases of a sweep, too).
BR_API size_t br_scenario_get_file_count(const br_scenario* scenario);

/// The path of a file that was read. `index` < br_scenario_get_file_count().
BR_API const char* br_scenario_get_file(const br_scenario* scenario, size_t index);

/// Location of a value in the file, as the start of a message: "FILE:12: contact.patch: ". If the file does not have
/// the key, the line is that of the nearest enclosing value.
/// @param key       full key, as in `field` of a br_reason; "": the whole file
/// @param[out] out  the text, terminated by 0; free it with br_release(). NULL on failure
/// @return BR_OK or BR_ERR_MEMORY
BR_API br_status br_scenario_create_place(const br_scenario* scenario, const char* key, char** out);

/// Kind of a scenario: "body", "law + motion", ..., or "contact patch", "constrained system"; "" if errors
/// prevent its detection.
BR_API const char* br_scenario_get_kind(const br_scenario* scenario);

/// Duration [s]; 0 if it has errors.
BR_API double br_scenario_get_duration(const br_scenario* scenario);

/// Number of rows, unless it ends early; 0 if it has errors.
BR_API size_t br_scenario_get_row_count(const br_scenario* scenario);

/// Derived properties of the scenario as text: the friction parameters that follow from mu, vibration modes of a
/// body on its bristles. Lines, or "".
BR_API const char* br_scenario_get_text(const br_scenario* scenario);

/// Maximum number of samples of a sweep per point of its grid.
#define BR_SWEEP_MOST_SAMPLES 1000000000

/// The definitions that a scenario consists of, for custom steps and plots. NULL or 0: it has none.
typedef struct br_scenario_model {
    const br_run_def* run;             ///< definition of the run
    const br_patch* patch;             ///< patch of a patch file
    size_t resolution;                 ///< cells across of a patch file [-]
    const br_constrained* constrained; ///< constrained system of such a file, checked
    const br_body* body;               ///< body, with its contacts, loads and pusher
    bool in_world;             ///< true: fx and fy of contacts in the table are in world axes
    const br_sliding* sliding; ///< a slider of a dynamic model
    const br_pushed* pushed;   ///< a slider of the quasi-static model
    const br_outline* outline; ///< outline of a body or a slider, in its frame
    const br_mechanism_def* mechanism; ///< a mechanism; one of the next four is its type
    const br_two_link* two_link;       ///< an arm on a parabola
    const br_chain* chain;             ///< links on a path
    const br_slope_block* block;       ///< a block on a slope
    const br_bead* bead;               ///< a bead on a wire
    const br_path_motion* motion;      ///< motion of the path of a mechanism
    bool sweeps;                       ///< true: `sweep` changes keys
    bool lacks_samples;       ///< true: `sweep` draws keys and does not set the number of samples
    br_anisotropy anisotropy; ///< friction of a patch file, in body axes; ratio 0: it is none
    const br_law* law;        ///< law of a one-dimensional scenario
} br_scenario_model;

/// The definitions of a scenario, owned by it. All are NULL if it has errors.
BR_API br_scenario_model br_scenario_get_model(const br_scenario* scenario);

/// Replace deprecated words, keys and functions of formulas in the text of a file by their present names; all else,
/// comments included, does not change. Deprecated words can still be read.
/// @param scenario  read from this text: a scenario, or a file of br_scenario_read_model()
/// @param text      text of the file, in UTF-8
/// @param[out] out  the new text; free it with br_release(). NULL on failure
/// @return BR_OK or BR_ERR_MEMORY
BR_API br_status br_scenario_upgrade(const br_scenario* scenario, const char* text, char** out);

/// Content of a plot of a run.
typedef enum br_picture_kind {
    BR_PICTURE_PLAIN, ///< columns over time; there is no scene to choose
    BR_PICTURE_TIME,  ///< columns over time
    BR_PICTURE_SCENE, ///< the moving objects, at some instants
    BR_PICTURE_BOTH   ///< both
} br_picture_kind;

/// Plot settings of a run, from `plot` of the scenario.
typedef struct br_picture {
    const char* title;    ///< never NULL
    br_picture_kind kind; ///< what is shown
    bool has_all_panels;  ///< true: all columns over time; else the first ones that vary
    size_t instants;      ///< number of instants in a scene; 0: not given
    double magnify;       ///< factor on the motion in a scene [-]; 0: not given
} br_picture;

/// Plot settings of a scenario, owned by it. NULL if it has errors, or is a model (br_scenario_read_model()).
BR_API const br_picture* br_scenario_get_picture(const br_scenario* scenario);

/// Free a scenario; NULL is allowed. Its tables stay valid.
BR_API void br_scenario_destroy(br_scenario* scenario);

/// JSON Schema (draft 7) of scenario files, for editors; `scenario.schema.json` of an installed bristle.
/// @param[out] out  the text, terminated by 0; free it with br_release(). NULL on failure
/// @return BR_OK or BR_ERR_MEMORY
BR_API br_status br_scenario_create_schema(char** out);

/// Help text on the keys of scenario files, as `bristle help TOPIC` prints it.
/// @param topic     a key, "profiles", or a block that names a kind of scenario ("body"); NULL: all topics
/// @param[out] out  the text, terminated by 0; free it with br_release(). NULL on failure
/// @return BR_OK, BR_ERR_ARG (there is no such topic) or BR_ERR_MEMORY
BR_API br_status br_scenario_create_help(const char* topic, char** out);

/// The topics of br_scenario_create_help(), one per line.
/// @param all       true: all keys; false: those that contain others, and "profiles"
/// @param[out] out  see br_scenario_create_help()
/// @return BR_OK or BR_ERR_MEMORY
BR_API br_status br_scenario_create_topics(bool all, char** out);

// --- running --------------------------------------------------------------------------------------

/// An event of a run.
typedef struct br_table_event {
    double t;         ///< time [s]
    size_t contact;   ///< number of the contact, from 1; 0: there is only one object
    const char* kind; ///< "stick", "slip", "open", "topple", ...
} br_table_event;

/// A number or a word of a run's summary.
typedef struct br_table_value {
    const char* path; ///< "final.x", "contacts[0].slipped", "energy.residual"
    double number;    ///< value in SI units; NaN if `word` is given
    const char* word; ///< "slide"; NULL: a number
} br_table_value;

/// Columns of a scenario's table (count), owned by the scenario; NULL and 0 if it has errors.
BR_API const br_column* br_scenario_get_columns(const br_scenario* scenario, size_t* count);

/// Callbacks of a run, as br_run_watch. Any callback may be NULL. Start from br_scenario_watch_default(), or from
/// {.size = sizeof(br_scenario_watch)}.
typedef struct br_scenario_watch {
    size_t size; ///< sizeof(br_scenario_watch)
    /// Called for each row of numbers (columns of the scenario), in the order of time.
    void (*row)(const double* row, void* user);
    /// Called for each event, between the rows around it; `event` is valid during the call.
    void (*event)(const br_table_event* event, void* user);
    /// Called after every step with the share of the work that is done [-].
    void (*progress)(double fraction, void* user);
    /// Called after every step, at time t [s]: true ends the run, with BR_ERR_STOPPED.
    bool (*stop)(double t, void* user);
    void* user; ///< passed to all of them
    /// true: the table keeps the last row and all events; memory grows with events alone
    bool drop_rows;
    /// true: only the first and the last row are needed, no contacts[i].load (NaN then), warnings or text: work for
    /// these is saved
    bool is_brief;
} br_scenario_watch;

/// Default callbacks: none; the table keeps all rows.
BR_API br_scenario_watch br_scenario_watch_default(void);

/// Result of a run.
typedef struct br_table br_table;

/// Run a scenario.
/// @param scenario   a scenario without errors
/// @param watch      may be NULL
/// @param[out] out   the table, NULL for BR_ERR_DEF, BR_ERR_ARG and BR_ERR_MEMORY; with BR_ERR_STOPPED and
///                   BR_ERR_CONVERGENCE it has what was computed until then. Free it with
///                   br_table_destroy(); it does not depend on the scenario
/// @param[out] why   may be NULL; filled when the result is not BR_OK
/// @return BR_OK, BR_ERR_DEF, BR_ERR_ARG, BR_ERR_MEMORY, BR_ERR_CONVERGENCE or BR_ERR_STOPPED
BR_API br_status br_scenario_run(const br_scenario* scenario, const br_scenario_watch* watch,
                                 br_table** out, br_reason* why);

/// Columns of a table (count), owned by it.
BR_API const br_column* br_table_get_columns(const br_table* table, size_t* count);

/// Position of a column by its name; the number of columns if there is none.
BR_API size_t br_table_find_column(const br_table* table, const char* name);

/// Number of rows in the table.
BR_API size_t br_table_get_row_count(const br_table* table);

/// Rows of a table, one after the other (row_count x columns), owned by it; NULL if there are none.
BR_API const double* br_table_get_rows(const br_table* table);

/// Number of events.
BR_API size_t br_table_get_event_count(const br_table* table);

/// An event, in the order of time. `index` < br_table_get_event_count().
BR_API const br_table_event* br_table_get_event(const br_table* table, size_t index);

/// Number of summary values: the last row (`final`), energies, contacts, cost; 0 if the run has no row.
BR_API size_t br_table_get_value_count(const br_table* table);

/// A summary value. `index` < br_table_get_value_count().
BR_API const br_table_value* br_table_get_value(const br_table* table, size_t index);

/// The summary value with a path; NULL if there is none.
BR_API const br_table_value* br_table_find_value(const br_table* table, const char* path);

/// Number of warnings of the run.
BR_API size_t br_table_get_warning_count(const br_table* table);

/// A warning of the run. `index` < br_table_get_warning_count().
BR_API const char* br_table_get_warning(const br_table* table, size_t index);

/// Description of the run as text: lines, or "".
BR_API const char* br_table_get_text(const br_table* table);

/// Free a table; NULL is allowed.
BR_API void br_table_destroy(br_table* table);

#ifdef __cplusplus
}
#endif

#endif
