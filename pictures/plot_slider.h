/*
 * A slider with what pushes it as a scene.
 */
#ifndef PICTURES_PLOT_SLIDER_H
#define PICTURES_PLOT_SLIDER_H

#include "scenario.h"

// Draw it into `to` and commit it. No gnuplot, or one that fails, ends the command.
void plot_slider_draw(const scenario* s, const result* got, output* to);

// The same as a film (GIF).
void plot_slider_animate(const scenario* s, const result* got, output* to);

#endif
