/*
 * W&K's figures of the error over the number of cells or nodes.
 */
#ifndef STUDIES_WK_RMSE_H
#define STUDIES_WK_RMSE_H

#include "study.h"

void wk_fig9(study* s);
void wk_fig36(study* s);
void wk_fig37(study* s);

#endif
