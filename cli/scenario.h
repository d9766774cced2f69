/*
 * A scenario from YAML: what runs, for how long, with which rows.
 */
#ifndef CLI_SCENARIO_H
#define CLI_SCENARIO_H

#include "bristle/motion.h"
#include "bristle/rig.h"
#include "node.h"

// What runs.
typedef enum scenario_kind {
    SCENARIO_IMPOSED, // law + motion
    SCENARIO_RIG,     // law + rig
    SCENARIO_CONTACT  // contact + motion
} scenario_kind;

typedef struct scenario {
    const node* root;
    scenario_kind kind;
    const char* name;   // "law + motion", "law + rig", "contact + motion"
    br_imposed imposed; // the one of these three that `kind` says
    br_rig rig;
    br_motion motion;
    br_run_def run; // without its callbacks
    size_t rows;    // that it will give
} scenario;

// Read a scenario; mistakes end the command.
scenario scenario_read(const node* root);

// The library would not run it: say why and end the command.
_Noreturn void scenario_fail(const scenario* s, br_status status, const br_reason* why);

#endif
