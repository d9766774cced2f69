/*
 * body: a planar rigid body in time, as pictures of it know it.
 */
#ifndef BRISTLE_SCENARIO_SCENARIO_BODY_H
#define BRISTLE_SCENARIO_SCENARIO_BODY_H

#include "scenario/contact_story.h"
#include "scenario/read_body.h"

// Columns of the table before those of the contacts, and the first ones of each contact.
enum { BODY_T, BODY_X, BODY_Y, BODY_THETA, BODY_VX, BODY_VY, BODY_W, BODY_FX };
enum { BODY_CONTACT_COLUMNS = 4 }; // fx, fy, tau, fn

// What a run tells besides its rows: `data` of its table.
typedef struct body_story {
    const body_input* input;
    br_body_energy energy;
    double turnover;         // largest sum of energies and works of a row, without friction [J]
    contact_story* contacts; // (body.contact_count)
    double* row;             // scratch (width)
} body_story;

#endif
