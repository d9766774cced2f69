/*
 * Pictures of a friction cone with its polyhedron, and of a limit surface with its polyhedron.
 */
#ifndef PICTURES_PLOT_CONE_H
#define PICTURES_PLOT_CONE_H

#include "bristle/limit_polyhedron.h"
#include "output.h"

// Draw the cone up to f_max, else up to n.f = 1 N or 2 f_min, and its section there. Draws into `to` and
// commits it. The command ends if gnuplot is missing or fails.
void plot_cone_draw(const br_polyhedron* polyhedron, output* to);

// A patch's limit surface.
typedef struct plot_wrench {
    const char* name;
    const br_limit* surface;
    const br_limit_polyhedron* polyhedra;
    br_polyhedron_side side;
    double scale; // mu fn [N]
} plot_wrench;

// Draw the surface as a grid of lines, the polyhedron by its edges.
void plot_wrench_draw(const plot_wrench* picture, output* to);

#endif
