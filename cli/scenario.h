/*
 * A scenario from YAML: what runs, for how long, with which rows.
 */
#ifndef CLI_SCENARIO_H
#define CLI_SCENARIO_H

#include "bristle/rig.h"
#include "node.h"

typedef struct scenario {
    const node* root;
    const char* name;   // "law + motion", "law + rig"
    bool is_rig;        // else an imposed motion
    br_imposed imposed; // if not is_rig
    br_rig rig;         // if is_rig
    br_run_def run;     // without its callbacks
    size_t rows;        // that it will give
} scenario;

// Read a scenario; mistakes end the command.
scenario scenario_read(const node* root);

// The library would not run it: say why and end the command.
_Noreturn void scenario_fail(const scenario* s, br_status status, const br_reason* why);

#endif
