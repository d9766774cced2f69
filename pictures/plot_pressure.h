/*
 * A picture of a fitted pressure: support points on the outline, with the CoP and r.
 */
#ifndef PICTURES_PLOT_PRESSURE_H
#define PICTURES_PLOT_PRESSURE_H

#include "outline.h"
#include "output.h"

typedef struct plot_pressure {
    const char* title;
    outline body;                   // the area that may carry pressure
    const br_support_point* points; // weights sum to 1 (count)
    size_t count;
    br_vec2 cop;         // [m]
    double cop_error[2]; // half of the 95 % interval along x and y [m]; 0: unknown
    double r;            // mean distance from the CoP [m]
} plot_pressure;

// Draw into `to` and commit it. The command ends if gnuplot is missing or fails.
void plot_pressure_draw(const plot_pressure* picture, output* to);

#endif
