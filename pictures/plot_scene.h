/*
 * What a scenario moves, in the plane: at a few instants in one picture, and as a film.
 *
 * Kinds of scenarios say what there is to draw; here is when, where, and in which colours.
 */
#ifndef PICTURES_PLOT_SCENE_H
#define PICTURES_PLOT_SCENE_H

#include "drawing.h"
#include "scenario.h"

// An instant that is drawn.
typedef struct scene_instant {
    size_t row;        // of the table
    double age;        // 0: the last one, 1: the first one; the older, the paler [-]
    bool is_last;      // it is emphasised
    const char* title; // for the legend: its time, or in a film its name; NULL: not there
} scene_instant;

typedef struct scene scene;

struct scene {
    const scenario* s;
    const table* rows;
    const void* data; // of its kind
    const char* name; // of what moves, in the legend of a film
    view_labels labels;
    const char* note; // below the title; NULL: none
    size_t instants;  // in a picture, where the file does not say

    // What stands still, and the way up to row `last`.
    void (*add_ground)(const scene* sc, size_t last, drawing* to);
    // What moves.
    void (*add_instant)(const scene* sc, const scene_instant* at, drawing* to);
    // How far it is from a row to another [m].
    double (*distance)(const scene* sc, const double* from, const double* to);
};

// A colour, paler with age.
const char* scene_colour(const char* colour, double age);

// Draw it as the scenario's picture, above its panels over time if both are wanted, and commit the
// output. No gnuplot, or one that fails, ends the command.
void scene_draw(const scene* sc, output* to);

// The same as a film (GIF), at the speed of life where that can be watched, and commit the output.
void scene_animate(const scene* sc, output* to);

#endif
