/*
 * A rigid outline that moves in the plane, and the forces on it, for scenes.
 */
#ifndef PICTURES_PLOT_RIGID_H
#define PICTURES_PLOT_RIGID_H

#include "plot_scene.h"

// Columns 1, 2 and 3 of its table are its pose.
typedef struct rigid {
    const table* rows;
    polygon outline; // in its frame; no points: not known
    double size;     // how far it reaches from its centre of mass (CoM) [m]; 0: not known
    double magnify;  // factor on its motion from where it started [-]
} rigid;

// `magnify` is that of the file. Where it is 0, a motion that is too small to be seen is magnified.
rigid rigid_create(const table* rows, polygon shape, double size, double magnify);

// Where it is drawn.
br_pose rigid_pose(const rigid* r, size_t row);

// What a picture must say of it; NULL: nothing.
const char* rigid_note(const rigid* r);

// How far it goes from a row to another: its CoM, and a point at its far end as it turns [m].
double rigid_distance(const rigid* r, const double* from, const double* to);

// The path of the CoM up to a row.
void rigid_add_path(const rigid* r, size_t last, drawing* to);

// The area of the last one, which lies below all else.
void rigid_add_area(const rigid* r, const scene_instant* at, drawing* to);

// Outline, a stroke along the x axis of its frame, CoM.
void rigid_add(const rigid* r, const scene_instant* at, drawing* to);

// A family of forces that are drawn alike.
typedef struct rigid_forces {
    const char* name;   // "push"
    const char* unit;   // "N"
    const char* colour; // "#rrggbb"
    double most;        // the largest in the run
    double length;      // of its arrow [m]
} rigid_forces;

// The mark of an instant's arrows, with the largest force in its legend.
mark* rigid_add_forces(const rigid_forces* forces, const scene_instant* at, drawing* to);

// An arrow of a force that acts at a point: its head is there where it pushes towards the CoM, else its
// tail.
void rigid_add_force(const rigid_forces* forces, br_vec2 point, br_vec2 force, br_vec2 com,
                     mark* to);

#endif
