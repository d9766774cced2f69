/*
 * Choose the panels of a picture that show something.
 */
#ifndef PICTURES_PLOT_CHOOSE_H
#define PICTURES_PLOT_CHOOSE_H

#include "plot.h"

enum { PLOT_FEW = 6 }; // panels, unless all are requested

// Up to PLOT_FEW panels of `all` whose curves are not constant, those of the lowest ranks, in order; if none
// varies, of all panels. The notes list what is left out. `is_all`: no limit. Also sets the noise of each panel.
plot plot_choose(const plot* all, const table* data, bool is_all);

#endif
