/*
 * W&K Fig 10: the steady state of a line of cells.
 */
#ifndef STUDIES_WK_STEADY_H
#define STUDIES_WK_STEADY_H

#include "study.h"

void wk_fig10(study* s);

#endif
