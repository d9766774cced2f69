/*
 * Pictures of scenarios.
 *
 * libbristle-scenario reads and runs scenarios; this module draws them. Each kind has a row in the list of
 * scenario.c; for a kind without a row, panels over time follow from the units of its columns.
 */
#ifndef PICTURES_SCENARIO_H
#define PICTURES_SCENARIO_H

#include "plot.h"
#include "result.h"

typedef struct scenario {
    const br_scenario* read;
    br_scenario_model model;
    br_picture picture;
    const br_column* columns; // of its table (column_count)
    size_t column_count;
    const plot_panel* panels; // over time
    const int* panel_ranks;   // (panel_count) see plot; NULL: in order
    size_t panel_count;
} scenario;

// A scenario that has been read, to be drawn.
scenario scenario_to_draw(const br_scenario* read);

// Can it be animated?
bool scenario_can_move(const scenario* s);

// Its panels over time, those that `plot.panels` requests, shaded where something slips.
plot scenario_panels(const scenario* s, const result* got);

// Draw it as its key `plot` requests, and commit the output.
void scenario_draw(const scenario* s, const result* got, output* to);

// Draw an animation, and commit the output.
void scenario_animate(const scenario* s, const result* got, output* to);

// The index of a column by its name; scenario_column_of(): of contact or joint `number`, from 1.
size_t scenario_column(const scenario* s, const char* name);
size_t scenario_column_of(const scenario* s, const char* name, size_t number);

#endif
