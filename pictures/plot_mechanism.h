/*
 * A mechanism as a scene: its links, the path of its contact point, and the forces there.
 */
#ifndef PICTURES_PLOT_MECHANISM_H
#define PICTURES_PLOT_MECHANISM_H

#include "plot_scene.h"

scene plot_mechanism_scene(const scenario* s, const result* got);

#endif
