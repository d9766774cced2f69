/*
 * A picture of a physics engine's limit surface and of the exact one.
 */
#ifndef PICTURES_PLOT_ENGINE_H
#define PICTURES_PLOT_ENGINE_H

#include "bristle/engine.h"
#include "output.h"

typedef struct plot_engine {
    const char* name; // of the patch
    const br_engine* engine;
    const char* form; // of the engine's surface, in words
} plot_engine;

// Draw both, cut along each two of fx, fy and tau. Draws into `to` and commits it. The command ends if gnuplot is
// missing or fails.
void plot_engine_draw(const plot_engine* picture, output* to);

#endif
