/*
 * A body with its contacts and loads as a scene.
 */
#ifndef PICTURES_PLOT_BODY_H
#define PICTURES_PLOT_BODY_H

#include "plot_scene.h"

scene plot_body_scene(const scenario* s, const result* got);

#endif
