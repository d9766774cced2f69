/*
 * A body with its contacts and loads as a scene.
 */
#ifndef PICTURES_PLOT_BODY_H
#define PICTURES_PLOT_BODY_H

#include "scenario.h"

// Draw it into `to` and commit it. No gnuplot, or one that fails, ends the command.
void plot_body_draw(const scenario* s, const result* got, output* to);

// The same as a film (GIF).
void plot_body_animate(const scenario* s, const result* got, output* to);

#endif
