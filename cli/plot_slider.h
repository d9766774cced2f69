/*
 * A picture of a slider: snapshots of its outline along its way, and its velocities over time.
 */
#ifndef CLI_PLOT_SLIDER_H
#define CLI_PLOT_SLIDER_H

#include "bristle/outline.h"
#include "plot.h"

typedef struct plot_slider {
    const char* title;
    const br_outline* outline; // NULL: not known
    const table* rows;         // of the scenario
    const plot_panel* panels;  // over time
    size_t panel_count;
    size_t tip_count; // places of a pusher's tip; 0: there is none
    const double* tip_x;
    const double* tip_y;
    double tip_radius;
} plot_slider;

// Draw into `to` and commit it. No gnuplot, or one that fails, ends the command.
void plot_slider_draw(const plot_slider* picture, output* to);

#endif
