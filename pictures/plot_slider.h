/*
 * A slider and its pusher as a scene.
 */
#ifndef PICTURES_PLOT_SLIDER_H
#define PICTURES_PLOT_SLIDER_H

#include "plot_scene.h"

scene plot_slider_scene(const scenario* s, const result* got);

#endif
