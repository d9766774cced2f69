/*
 * W&K Fig 10: the steady state of a line of cells.
 */
#ifndef CLI_REPRODUCE_WK_STEADY_H
#define CLI_REPRODUCE_WK_STEADY_H

#include "study.h"

void wk_fig10(study* s);

#endif
