/*
 * Scenarios over time: which columns are in which panel.
 */
#ifndef PICTURES_PANELS_H
#define PICTURES_PANELS_H

#include "scenario.h"

void panels_of_law_motion(scenario* s);
void panels_of_law_rig(scenario* s);
void panels_of_contact(scenario* s);
void panels_of_body(scenario* s);
void panels_of_slider(scenario* s);
void panels_of_mechanism(scenario* s);

// Of any scenario: a panel for each unit.
void panels_by_units(scenario* s);

// When each contact of a body slipped and was open, and the limit of its force.
const plot_decoration* panels_decorate_body(const scenario* s, const result* got);

// When the only object of a scenario slipped, from its events; NULL: it has none.
const plot_decoration* panels_decorate_object(const scenario* s, const result* got);

#endif
