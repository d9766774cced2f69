/*
 * A mechanism as a scene: its links, what its contact point slides on, and the forces there.
 */
#ifndef PICTURES_PLOT_MECHANISM_H
#define PICTURES_PLOT_MECHANISM_H

#include "scenario.h"

// Draw it into `to` and commit it. No gnuplot, or one that fails, ends the command.
void plot_mechanism_draw(const scenario* s, const result* got, output* to);

// The same as a film (GIF).
void plot_mechanism_animate(const scenario* s, const result* got, output* to);

#endif
