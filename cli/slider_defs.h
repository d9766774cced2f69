/*
 * What was read of a slider, as the library runs it.
 */
#ifndef CLI_SLIDER_DEFS_H
#define CLI_SLIDER_DEFS_H

#include "bristle/sliding.h"
#include "read_slider.h"

// Of the dynamic models.
br_sliding slider_sliding(const slider_input* in);

// Of the quasi-static model.
br_pushed slider_pushed(const slider_input* in);

// Its steps and rows.
br_run_def slider_run(const slider_input* in);

#endif
