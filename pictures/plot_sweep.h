/*
 * Pictures of sweeps: a curve over one axis, a map over two, samples as scatter and histogram, Sobol' indices as bars.
 */
#ifndef PICTURES_PLOT_SWEEP_H
#define PICTURES_PLOT_SWEEP_H

#include "plot.h"
#include "sweep_results.h"

// Is this a sweep that can be drawn, and a contour of it? Ends the program where not.
void plot_sweep_check(const sweep_story* story, const char* contour);

// Draw results into `to` and commit it. `contour` is "PATH=VALUE" to be marked; NULL: nothing.
void plot_sweep_draw(const sweep_results* r, const char* contour, output* to);

#endif
