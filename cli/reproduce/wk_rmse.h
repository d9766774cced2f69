/*
 * W&K's figures of the error over the number of cells or nodes.
 */
#ifndef CLI_REPRODUCE_WK_RMSE_H
#define CLI_REPRODUCE_WK_RMSE_H

#include "study.h"

void wk_fig9(study* s);
void wk_fig36(study* s);
void wk_fig37(study* s);

#endif
