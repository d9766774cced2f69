/*
 * Where the tip of a quasi-static slider's pusher is.
 */
#ifndef CLI_SLIDER_TIP_H
#define CLI_SLIDER_TIP_H

#include "read_slider.h"

// The first row of a path after an instant; the number of rows if there is none.
size_t tip_row_after(const csv* path, double t);

// The tip's centre at an instant, world frame: linear between the rows of a path.
br_vec2 tip_at(const slider_input* in, double t);

#endif
