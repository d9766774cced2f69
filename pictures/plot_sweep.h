/*
 * Pictures of sweeps: a curve over one axis, a map over two, samples as scatter and histogram, Sobol' indices as bars.
 */
#ifndef PICTURES_PLOT_SWEEP_H
#define PICTURES_PLOT_SWEEP_H

#include "plot.h"
#include "sweep_results.h"

// End the command if this sweep cannot be drawn, or `contour` is invalid.
void plot_sweep_check(const sweep_metadata* metadata, const char* contour);

// Draw results into `to` and commit it. `contour`: "PATH=VALUE" to mark; NULL: none.
void plot_sweep_draw(const sweep_results* r, const char* contour, output* to);

#endif
