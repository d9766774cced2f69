/*
 * A scenario that is being read, and its kinds.
 *
 * Each kind of scenario has a file of its own, scenario_*.c, and a row in the list of kinds.c.
 */
#ifndef BRISTLE_SCENARIO_KIND_H
#define BRISTLE_SCENARIO_KIND_H

#include "bristle/profile.h"
#include "bristle/run.h"
#include "scenario/keys.h"
#include "scenario/node.h"
#include "scenario/noise.h"
#include "scenario/read_picture.h"
#include "scenario/read_sweep.h"
#include "scenario/table.h"

// One kind of scenario.
typedef struct scenario_kind {
    const char* name;      // "law + rig"
    const char* help;      // "NAME: what it is", its columns, its keys; a line each
    names blocks;          // a file of this kind has all of these keys
    const mapping* also;   // of another form of it; NULL: there is none
    const mapping* keys;   // of its file
    const mapping* output; // keys of `output`
    bool fixed_steps;      // `integrator` may be of kind fixed
    picture_kind picture;  // by default
    bool magnifies;        // a scene can show its motion larger than it is

    // Fill the rest of the scenario from its root; mistakes are noted.
    void (*read)(br_scenario* s);
    // Make what it runs with, where there are no mistakes; NULL: nothing.
    void (*make)(br_scenario* s);
    // Run it into `got`: rows, events, cost.
    br_status (*run)(const br_scenario* s, br_table* got, br_reason* why);
    // After a run that gave rows: more of the sums below "final", all other sums and the text; NULL: none.
    void (*sum_up_final)(const br_scenario* s, br_table* got);
    void (*sum_up)(const br_scenario* s, br_table* got);
} scenario_kind;

// In the order of the help, ended by NULL. The first that fits runs, looking from the last; the first one
// fits every file and says what it misses.
extern const scenario_kind* const bri_scenario_kinds[];

extern const scenario_kind bri_scenario_law_motion;
extern const scenario_kind bri_scenario_law_rig;
extern const scenario_kind bri_scenario_contact_motion;
extern const scenario_kind bri_scenario_body;
extern const scenario_kind bri_scenario_mechanism;
extern const scenario_kind bri_scenario_slider;

struct br_scenario {
    reading in;
    node* root;                // NULL: not even a tree
    const scenario_kind* kind; // NULL with the former
    void* data;                // of its kind
    const char* detail;        // what a picture says besides the kind: the law, or the model
    picture_input picture;
    const br_column* columns; // of its table (column_count)
    size_t column_count;
    const noise* noises; // what sensors add to rows (noise_count)
    size_t noise_count;
    br_run_def run;
    size_t rows;              // that it will give
    const char* text;         // what it tells besides
    const sweep_input* sweep; // NULL: it has none
    bool is_case;             // one of many: it tells nothing besides
};

// Read a scenario from a tree, which is copied; see br_scenario_read_variant().
br_status bri_scenario_read_node(const node* root, br_scenario** out);

// For the kinds: memory that lives as long as the scenario.
void* bri_scenario_allocate(br_scenario* s, size_t count, size_t bytes);

// For the kinds: the columns of a list.
#define SET_COLUMNS(s, list)                                                                       \
    ((s)->columns = (list), (s)->column_count = sizeof(list) / sizeof *(list))

// For the kinds: `duration`, `output` and `integrator`. `input` is the profile that came from the
// input file and gives the default of the first two; NULL: there is none.
void bri_scenario_read_run(br_scenario* s, const br_profile* input);

// For kinds that do without bri_scenario_read_run(): refuse a `hold` anywhere below `value` that has more
// instants in the duration than a run can take.
void bri_scenario_check_holds(const node* value, double duration);

// For the kinds: add to the text.
void bri_scenario_say(br_scenario* s, const char* text);

// For the kinds: warn where a run misses `residual` [J] of its `turnover` [J], the most that its energies and
// the works on it came to, and say what would mend it.
void bri_scenario_judge_energy(const br_scenario* s, br_table* got, double residual,
                               double turnover);

// For the kinds: where a value stands, for warnings of a run: "FILE:12: law.mu_c: ", in the table's memory.
const char* bri_scenario_place(br_table* got, const node* value);

// The mistake of a field that a run found, in words, with its place: "FILE:12: contact.patch: text". In the
// memory of `to`.
const char* bri_scenario_blame(const br_scenario* s, pool* to, const br_reason* why);

#endif
