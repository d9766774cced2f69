/*
 * W&K's figures of surfaces at rest: cells, limit curves, a limit surface.
 */
#ifndef STUDIES_WK_SURFACES_H
#define STUDIES_WK_SURFACES_H

#include "study.h"

void wk_fig8(study* s);
void wk_fig14(study* s);
void wk_fig15(study* s);
void wk_fig33(study* s);

#endif
