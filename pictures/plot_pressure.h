/*
 * A picture of a pressure that was fitted: support points on the outline, with the CoP and r.
 */
#ifndef PICTURES_PLOT_PRESSURE_H
#define PICTURES_PLOT_PRESSURE_H

#include "outline.h"
#include "output.h"

typedef struct plot_pressure {
    const char* title;
    outline body;                   // where it can bear
    const br_support_point* points; // weights sum to 1 (count)
    size_t count;
    br_vec2 cop;         // [m]
    double cop_error[2]; // half of the 95 % interval along x and y [m]; 0: not told
    double r;            // mean distance from the CoP [m]
} plot_pressure;

// Draw into `to` and commit it. No gnuplot, or one that fails, ends the command.
void plot_pressure_draw(const plot_pressure* picture, output* to);

#endif
