/*
 * A planar rigid body with its contacts and loads, from a tree.
 */
#ifndef BRISTLE_SCENARIO_READ_BODY_H
#define BRISTLE_SCENARIO_READ_BODY_H

#include "bristle/body.h"
#include "bristle/swing.h"
#include "scenario/read_contact.h"

// The outline of a body in its frame: corners, or a disc's radius; neither: not known.
typedef struct body_outline {
    br_vec2* points; // [m] (count)
    size_t count;
    double radius; // [m]; 0: not a disc
} body_outline;

// Of a scenario with a body.
extern const mapping bri_keys_body;

// A scenario with a body.
typedef struct body_input {
    br_body body;            // with its contacts and loads
    br_body_contact* parts;  // body.contacts, to be written while they are read
    contact_input* contacts; // what the contacts were read from (body.contact_count)
    bool* bears;             // which of them bear the body's weight (body.contact_count)
    br_swing swing;          // while the contacts stick
    body_outline outline;
    bool energy; // columns of energy, too
    bool cop;    // columns of torques at the CoP, too
    bool report; // columns of state, slip and load of each contact, too
} body_input;

// Read everything but duration, integrator and rows; mistakes are noted.
body_input bri_read_body(const node* root);

// Make the models of its contacts and what follows from them, where there are no mistakes.
void bri_make_body(const node* root, body_input* got);

#endif
