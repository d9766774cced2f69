/*
 * A rigid outline that moves in the plane, and the forces on it, for scenes.
 */
#ifndef PICTURES_PLOT_RIGID_H
#define PICTURES_PLOT_RIGID_H

#include "plot_scene.h"

// Columns 1, 2 and 3 of its table are its pose.
typedef struct rigid {
    const table* rows;
    polygon outline;    // in its frame; no points: unknown
    double size;        // largest distance from its centre of mass (CoM) [m]; 0: unknown
    double magnify;     // factor on its motion from the start [-]
    size_t x, y, theta; // columns
} rigid;

// `magnify` is the key of the file. 0: a motion that is too small to be visible is magnified.
rigid rigid_create(const table* rows, polygon shape, double size, double magnify);

// The pose at which it is drawn.
br_pose rigid_pose(const rigid* r, size_t row);

// A note for the picture, on magnification; NULL: none.
const char* rigid_note(const rigid* r);

// The distance between two rows: of its CoM, plus that of its farthest point due to rotation [m].
double rigid_distance(const rigid* r, const double* from, const double* to);

// The path of the CoM up to a row.
void rigid_add_path(const rigid* r, size_t last, drawing* to);

// The filled area at the last instant, drawn below everything else.
void rigid_add_area(const rigid* r, const scene_instant* at, drawing* to);

// Outline, a stroke along the x axis of its frame, CoM.
void rigid_add(const rigid* r, const scene_instant* at, drawing* to);

// A family of forces drawn in the same style.
typedef struct rigid_forces {
    const char* name;   // "push"
    const char* unit;   // "N"
    const char* colour; // "#rrggbb"
    double most;        // the largest in the run
    double length;      // of its arrow [m]
} rigid_forces;

// The mark of an instant's arrows, with the largest force in its legend.
mark* rigid_add_forces(const rigid_forces* forces, const scene_instant* at, drawing* to);

// An arrow of a force that acts at a point: its head is at the point if it pushes towards the CoM, else its
// tail.
void rigid_add_force(const rigid_forces* forces, br_vec2 point, br_vec2 force, br_vec2 com,
                     mark* to);

#endif
