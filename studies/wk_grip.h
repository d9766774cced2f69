/*
 * W&K's in-hand slip-stick experiments: an object between two fingers.
 */
#ifndef STUDIES_WK_GRIP_H
#define STUDIES_WK_GRIP_H

#include "bristle/body.h"
#include "wk.h"

enum { WK_GRIP_ROWS = 200 }; // one every 10 ms

// One run.
typedef struct wk_grip {
    int case_number;     // case 1: CoM 25 mm from the contact's centre; case 2: 2 mm
    wk_shape shape;      // of the contact
    int force;           // profile of the normal force: 1 oscillates, 2 falls for a while
    bool is_distributed; // or reduced
    bool as_published;   // cells and tables of the published code; or shapes and the exact surface
    bool keeps_u;        // u stays that of the table while r follows the force: the published code
} wk_grip;

// The state at the end of an interval of 10 ms.
typedef struct wk_grip_row {
    double t, fn;
    br_pose pose;
    br_wrench f; // of one finger, at the centre of the contact
} wk_grip_row;

// Results of a run.
typedef struct wk_grip_result {
    row_columns columns; // while it runs
    wk_grip_row rows[WK_GRIP_ROWS];
    size_t count;
    double dissipated;    // by friction, up to the end [J]
    double residual;      // of the balance of energy [J]
    double seconds;       // CPU time
    double first_slip;    // [s]; NaN: never
    double time_slipping; // [s]
} wk_grip_result;

// Run it; freed when the command ends.
wk_grip_result* wk_run_grip(wk_grip grip);

// Run a contact with its own model.
wk_grip_result* wk_run_grip_contact(const wk_grip* grip, br_body_contact contact);

// Normal force at a time [N].
br_profile wk_grip_force(const wk_grip* grip);

#endif
