/*
 * Pictures of sweeps: a curve over one axis, a map over two, samples as scatter and histogram, Sobol' indices as bars.
 */
#ifndef PICTURES_PLOT_SWEEP_H
#define PICTURES_PLOT_SWEEP_H

#include "plot.h"
#include "sweep_results.h"

// Draw results into `to` and commit it. `contour` is "PATH=VALUE" to be marked; NULL: nothing.
void plot_sweep_draw(const sweep_results* r, const char* contour, output* to);

#endif
