/*
 * Moving parts of a scenario, in the plane: at a few instants in one picture, and as an animation.
 *
 * Each kind of scenario defines what is drawn; this file chooses the instants, axes and colours.
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
    const char* title; // for the legend: its time, or in an animation its name; NULL: none
} scene_instant;

typedef struct scene scene;

struct scene {
    const scenario* s;
    const result* got;
    const table* rows; // of it
    const void* data;  // of its kind
    const char* name;  // of the moving part, in the legend of an animation
    view_labels labels;
    const char* note; // below the title; NULL: none
    size_t instants;  // in a picture, if the file does not set it

    // Draws the parts at rest, and the path up to row `last`.
    void (*add_ground)(const scene* sc, size_t last, drawing* to);
    // Draws the moving parts.
    void (*add_instant)(const scene* sc, const scene_instant* at, drawing* to);
    // The distance between two rows [m].
    double (*distance)(const scene* sc, const double* from, const double* to);
};

// A colour, paler with age.
const char* scene_colour(const char* colour, double age);

// Draw it as the scenario's picture, above its panels over time if both are requested, and commit the
// output. The command ends if gnuplot is missing or fails.
void scene_draw(const scene* sc, output* to);

// The same as an animation (GIF), in real time unless that is too short or too long, and commit the output.
void scene_animate(const scene* sc, output* to);

#endif
