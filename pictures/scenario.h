/*
 * A scenario as the command draws it.
 *
 * What a scenario means and how it runs is libbristle-scenario's; how its kinds look is here: a row in the list
 * of scenario.c, and what the columns of a kind without a row look like over time follows from their units.
 */
#ifndef PICTURES_SCENARIO_H
#define PICTURES_SCENARIO_H

#include "plot.h"
#include "result.h"
#include "scenario/kind.h"

typedef struct scenario {
    const br_scenario* read;
    const void* data; // of its kind
    picture_input picture;
    const plot_panel* panels; // over time
    size_t panel_count;
} scenario;

// A scenario that has been read, to be drawn.
scenario scenario_to_draw(const br_scenario* read);

// Can it be drawn moving?
bool scenario_can_move(const scenario* s);

// Draw it as `plot` says, and commit the output.
void scenario_draw(const scenario* s, const result* got, output* to);

// Draw it moving, and commit the output.
void scenario_animate(const scenario* s, const result* got, output* to);

// The place of a column by its name.
size_t scenario_column(const scenario* s, const char* name);

#endif
