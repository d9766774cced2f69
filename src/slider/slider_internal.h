/*
 * Internal header of the solvers of a slider's step: data before friction, and the update after it.
 */
#ifndef BRISTLE_SLIDER_SLIDER_INTERNAL_H
#define BRISTLE_SLIDER_SLIDER_INTERNAL_H

#include "bristle/slider.h"

// A step before friction is known.
typedef struct slider_step {
    double h;      // [s]
    double pn;     // normal impulse m g h, (8) [N s]
    br_twist v;    // velocity at the end of a step without friction
    br_vec2 kappa; // shift of the ECP by a load off the height of the CoM [m]
} slider_step;

slider_step bri_slider_step_init(const br_slider* slider, br_twist v, const br_slider_load* load,
                                 double h);

// Apply the friction impulses in `value` to the state; fills in the ECP.
void bri_slider_step_finish(const br_slider* slider, const slider_step* step,
                            br_slider_state* state, br_slider_value* value);

#endif
