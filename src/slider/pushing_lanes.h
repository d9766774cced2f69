/*
 * The instances of many pushes in lanes that this program has, with the number of lanes at the end of their name. A
 * module of WebAssembly, which is to be small, has none.
 */
#ifndef BRISTLE_SLIDER_PUSHING_LANES_H
#define BRISTLE_SLIDER_PUSHING_LANES_H

#include "math/processor.h"
#include "slider/pushing_internal.h"

#define ROLLOUT_JOIN(name, lanes)  name##lanes
#define ROLLOUT_NAMED(name, lanes) ROLLOUT_JOIN(name, lanes)

void bri_pushing_rollout_2(const rollout* all);
void bri_pushing_rollout_4(const rollout* all);
void bri_pushing_rollout_8(const rollout* all);

#endif
