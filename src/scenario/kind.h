/*
 * A scenario that is being read, and its kinds.
 *
 * Each kind of scenario has its own file, scenario_*.c, and a row in the list of kinds.c.
 */
#ifndef BRISTLE_SCENARIO_KIND_H
#define BRISTLE_SCENARIO_KIND_H

#include "scenario/keys.h"
#include "scenario/table.h"

// --- `sweep`: which keys change from case to case, and the results of each case -------------------

// In the order of bri_sweep_samplings; 0: not given.
typedef enum sweep_sampling {
    SAMPLING_UNSAID,
    SAMPLING_RANDOM,
    SAMPLING_LATIN,
    SAMPLING_SOBOL
} sweep_sampling;
extern const char* const bri_sweep_samplings[]; // ended by NULL

// A key that changes, and its values as a text that src/sweep reads.
typedef struct sweep_entry {
    const char* key;
    const char* spec; // "0.2:0.6:41", "[1, 2]"
} sweep_entry;

typedef struct sweep_entries {
    const sweep_entry* at; // (count)
    size_t count;
} sweep_entries;

typedef struct sweep_input {
    sweep_entries vary, zip, draw;
    const char* cases; // a file; NULL: none
    size_t samples;    // 0: not given
    sweep_sampling sampling;
    bool has_seed;
    size_t seed;
    bool indices;
    names outputs; // ended by NULL
} sweep_input;

// A map of keys and texts; a text with commas or a list of texts, ended by NULL.
sweep_entries bri_read_entries(const node* list);
names bri_read_texts(const node* value);

// The parts of "a, b(c, d)" between commas that are not in brackets, ended by NULL.
names bri_sweep_split(pool* to, const char* text);

// --- kinds ----------------------------------------------------------------------------------------

// One kind of scenario.
typedef struct scenario_kind {
    const char* name;          // "law + rig"
    const char* help;          // "NAME: what it is" and its columns; a line each
    names blocks;              // a file of this kind has all of these keys
    const mapping* keys;       // of its file
    const mapping* also;       // of another form of the file; NULL: there is none
    br_picture_kind picture;   // by default
    double rtol, atol, atol_z; // of its runs by default, see br_run_def

    // Fill the rest of the scenario from its root; errors are noted.
    void (*read)(br_scenario* s);
    // Create the models of the run, where there are no errors; NULL: none.
    void (*make)(br_scenario* s);
    // Run it into `got`: rows, events, cost.
    br_status (*run)(const br_scenario* s, br_table* got, br_reason* why);
    // The definitions for callers of the library; NULL: none but those of all kinds.
    void (*get_model)(const br_scenario* s, br_scenario_model* to);
    // After a run that gave rows: add to the summary and the text; NULL: nothing.
    void (*sum_up)(const br_scenario* s, br_table* got);
} scenario_kind;

// In the order of the help, ended by NULL. The last one whose blocks the file has is used; the first one accepts every
// file and reports what is missing.
extern const scenario_kind* const bri_scenario_kinds[];

extern const scenario_kind bri_scenario_law_motion, bri_scenario_law_rig,
    bri_scenario_contact_motion, bri_scenario_body, bri_scenario_mechanism, bri_scenario_slider;

// `output` of a scenario.
typedef struct output_input {
    double every;          // [s]; 0: not given
    bool energy, contacts; // columns of them
    bool cop;              // columns of torques at the CoP
    bool in_world;         // fx and fy in world axes
    bool bristles;         // columns of their state
} output_input;

struct br_scenario {
    parse_context in;
    node* root;                // NULL: there is no tree
    const scenario_kind* kind; // NULL if there is no root
    void* data;                // of its kind
    const char* detail;        // second part of a picture's title: the law, or the model
    size_t version;            // of the words of its file; 0: not given
    br_picture picture;
    output_input output;
    const br_column* columns; // of its table (column_count)
    size_t column_count;
    struct_list noise;   // as it is read
    const noise* noises; // that sensors add to rows (noise_count)
    size_t noise_count;
    br_run_def run;
    size_t rows;              // of its table, as far as known
    writer text;              // information for the user
    const sweep_input* sweep; // NULL: it has none
    bool is_case;             // one of many: without such text
};

// Read a scenario of any kind; errors are noted.
void bri_scenario_read_kind(br_scenario* s);

// Create the noise of a scenario from its input.
void bri_scenario_create_noise(br_scenario* s);

// Files that are no scenarios: contact patches and constrained systems. Read a file that must be of the wanted kind;
// BR_MODEL_ANY: of any, scenarios included. Errors are noted.
void bri_read_model(br_scenario* s, br_model_kind wanted);

// Is a file of another kind than the wanted one, which is a scenario for BR_MODEL_ANY? That is an error.
bool bri_refuse_model(const node* root, br_model_kind wanted);

// For the kinds: the columns of a list, each by the name that it has in the rows of the run.
#define SET_COLUMNS(s, list)                                                                       \
    ((s)->columns = (list), (s)->column_count = sizeof(list) / sizeof *(list))

// For the kinds: all columns that a function like br_body_get_columns(..., out) of a run lists, called with the
// arguments before `out`.
#define TAKE_COLUMNS(s, get, ...)                                                                  \
    do {                                                                                           \
        (s)->column_count = get(__VA_ARGS__, NULL);                                                \
        br_column* list = bri_allocate(&(s)->in, (s)->column_count, sizeof *list);                 \
        get(__VA_ARGS__, list);                                                                    \
        (s)->columns = list;                                                                       \
    } while (0)

// For the kinds: complete `duration`, `output` and `integrator`. `input` is the profile from the input file, which
// gives the default of the first two; NULL: there is none.
void bri_scenario_read_run(br_scenario* s, const br_profile* input);

// Warn of times that are implausible beside the duration [s] of a run, most of them in ms.
void bri_warn_of_times(const node* root, double duration);

// For kinds without bri_scenario_read_run(): refuse a `hold` anywhere below `value` that has more instants in the
// duration than a run allows.
void bri_scenario_check_holds(const node* value, double duration);

// For the kinds: warn where the energy of a run is out of balance by `residual` [J] of its `turnover` [J], the largest sum
// of its energies and the works on it, and advise other tolerances.
void bri_scenario_judge_energy(const br_scenario* s, br_table* got, double residual,
                               double turnover);

#endif
