/*
 * A constrained mechanism from YAML.
 */
#ifndef BRISTLE_SCENARIO_READ_MECHANISM_H
#define BRISTLE_SCENARIO_READ_MECHANISM_H

#include "bristle/mechanism.h"
#include "scenario/keys.h"

// A mechanism and what it borrows.
typedef struct mechanism_input {
    const char* kind; // "two-link", ...
    br_mechanism_def def;
    union {
        br_two_link arm;
        br_slope_block block;
        br_bead bead;
        br_chain chain;
    } parts;
    double q[BR_CHAIN_MOST], qd[BR_CHAIN_MOST]; // its start
} mechanism_input;

// Of a scenario with a mechanism, and of a parabola that its point is on.
extern const mapping bri_keys_mechanism, bri_keys_parabola;

// Read `mechanism` and `normal` of a scenario; mistakes are noted.
mechanism_input* bri_read_mechanism(const node* root);

#endif
