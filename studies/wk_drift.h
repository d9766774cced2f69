/*
 * W&K's figures of drift under oscillating loads.
 */
#ifndef STUDIES_WK_DRIFT_H
#define STUDIES_WK_DRIFT_H

#include "study.h"

void wk_fig6(study* s);
void wk_fig23(study* s);
void wk_fig24(study* s);
void wk_fig25(study* s);

#endif
