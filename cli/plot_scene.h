/*
 * A body in the plane at a few instants, and moving.
 */
#ifndef CLI_PLOT_SCENE_H
#define CLI_PLOT_SCENE_H

#include "scenario_body.h"

// Draw into `to` and commit it. No gnuplot, or one that fails, ends the command.
void plot_scene_draw(const scenario* s, const result* got, output* to);

// The same as a moving picture (GIF), at the speed of life where that is slow enough.
void plot_scene_animate(const scenario* s, const result* got, output* to);

#endif
