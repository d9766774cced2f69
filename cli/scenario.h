/*
 * A scenario from YAML: what runs, for how long, with which rows.
 *
 * Each kind of scenario has a file of its own, scenario_*.c, and a row in the list of scenario.c.
 */
#ifndef CLI_SCENARIO_H
#define CLI_SCENARIO_H

#include "bristle/profile.h"
#include "bristle/run.h"
#include "json.h"
#include "node.h"
#include "plot.h"
#include "read_picture.h"
#include "result.h"

typedef struct scenario scenario;

// One kind of scenario.
typedef struct scenario_kind {
    const char* name;     // "law + rig"
    const char* help;     // "NAME: what it is", its columns, its keys; a line each
    names blocks;         // a file of this kind has all of these keys
    names output;         // keys of `output` besides `every`; NULL: none
    bool fixed_steps;     // `integrator` may be of kind fixed
    picture_kind picture; // by default
    bool magnifies;       // a scene can show its motion larger than it is

    // Fill the rest of the scenario from its root; mistakes end the command.
    void (*read)(scenario* s);
    // Run it into `got`: rows, events, cost. result_watch() tells of it.
    br_status (*run)(const scenario* s, result* got, br_reason* why);
    // Draw it and commit the output; NULL: the panels, over time
    void (*draw)(const scenario* s, const result* got, output* to);
    // Draw it moving and commit the output; NULL: it cannot
    void (*animate)(const scenario* s, const result* got, output* to);
    // More members of `final` in the JSON summary, and of the summary; NULL: none
    void (*add_final)(const scenario* s, const result* got, json* out);
    void (*add_json)(const scenario* s, const result* got, json* out);
    // More lines of the summary for people; NULL: none
    void (*add_text)(const scenario* s, const result* got, FILE* to);
    // What `check` tells besides that all is well; NULL: nothing
    void (*add_check)(const scenario* s, FILE* to);
} scenario_kind;

extern const scenario_kind scenario_law_motion;
extern const scenario_kind scenario_law_rig;
extern const scenario_kind scenario_contact_motion;
extern const scenario_kind scenario_body;
extern const scenario_kind scenario_mechanism;
extern const scenario_kind scenario_slider;

struct scenario {
    const node* root;
    const scenario_kind* kind;
    void* data;         // of its kind
    const char* detail; // what a picture says besides the kind: the law, or the model
    picture_input picture;
    names columns;      // of its table
    const names* words; // of its columns, see table.h; NULL: all hold numbers
    const plot_panel* panels;
    size_t panel_count;
    br_run_def run;
    size_t rows; // that it will give
};

// Read a scenario; mistakes end the command.
scenario scenario_read(const node* root);

// The help of kind `index`, from 0; NULL: there is none.
const char* scenario_help(int index);

// For the kinds: `duration`, `output` and `integrator`. `input` is the profile that came from the
// input file and gives the default of the first two; NULL: there is none.
void scenario_read_run(scenario* s, const br_profile* input);

// For kinds that do without scenario_read_run(): refuse a `hold` anywhere below `value` that has more
// instants in the duration than a run can take.
void scenario_check_holds(const node* value, double duration);

// For the kinds: a key of `output` that is true or false (false).
bool scenario_output_flag(const node* root, const char* key);

// For the kinds: draw the panels over time and commit the output. Decorations (panel_count) or NULL.
void scenario_draw_panels(const scenario* s, const result* got, const plot_decoration* decorations,
                          output* to);

// For the kinds: warn where a run misses `residual` [J] of its `turnover` [J], the most that its energies and
// the works on it came to, and say what would mend it.
void scenario_judge_energy(const scenario* s, double residual, double turnover);

// The library would not run it: say why and end the command.
_Noreturn void scenario_fail(const scenario* s, br_status status, const br_reason* why);

#endif
