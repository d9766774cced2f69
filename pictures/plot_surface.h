/*
 * A picture of a limit surface in three dimensions, with the ellipsoid to compare, and of its patch.
 */
#ifndef PICTURES_PLOT_SURFACE_H
#define PICTURES_PLOT_SURFACE_H

#include "bristle/anisotropy.h"

#include "outline.h"
#include "output.h"
#include "table.h"

typedef struct plot_surface {
    const char* title;
    br_anisotropy anisotropy; // of both, in body axes
    const table* surface;     // theta,phi,vx,vy,w,fx,fy,tau, by theta, then by phi; w >= 0
    const table* ellipsoid;   // the same of the ellipsoid
    outline patch;            // in the contact frame
    br_vec2 cop;              // its centre of pressure [m]
    br_vec2 p_s;              // centre of rotation under a pure torque [m]
} plot_surface;

// Draw into `to` and commit it. The command ends if gnuplot is missing or fails.
void plot_surface_draw(const plot_surface* picture, output* to);

#endif
