/*
 * What was read of a slider, as the library runs it.
 */
#ifndef BRISTLE_SCENARIO_SLIDER_DEFS_H
#define BRISTLE_SCENARIO_SLIDER_DEFS_H

#include "bristle/sliding.h"
#include "scenario/read_slider.h"

// Of the dynamic models.
br_sliding bri_slider_sliding(const slider_input* in);

// Of the quasi-static model.
br_pushed bri_slider_pushed(const slider_input* in);

// Its steps and rows.
br_run_def bri_slider_run(const slider_input* in);

#endif
