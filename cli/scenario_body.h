/*
 * body: a planar rigid body in time, as the command knows it.
 */
#ifndef CLI_SCENARIO_BODY_H
#define CLI_SCENARIO_BODY_H

#include "bristle/body.h"
#include "bristle/swing.h"
#include "outline.h"
#include "read_contact.h"
#include "scenario.h"

// Columns of the table before those of the contacts, and the first ones of each contact.
enum { BODY_T, BODY_X, BODY_Y, BODY_THETA, BODY_VX, BODY_VY, BODY_W, BODY_FX };
enum { BODY_CONTACT_COLUMNS = 4 }; // fx, fy, tau, fn

// A scenario with a body.
typedef struct body_input {
    br_body body;            // with its contacts and loads
    contact_input* contacts; // what the contacts were read from (body.contact_count)
    br_swing swing;          // while the contacts stick
    polygon outline;         // of the body, in its frame; no points: not known
    bool energy;             // columns of energy, too
    bool cop;                // columns of torques at the CoP, too
    bool report;             // columns of state, slip and load of each contact, too
} body_input;

// Read everything but duration, integrator and rows; mistakes end the command.
body_input read_body(const node* root);

#endif
