/*
 * W&K's figures of models that follow the velocity profile of Fig 5.
 */
#ifndef STUDIES_WK_PROFILE_H
#define STUDIES_WK_PROFILE_H

#include "study.h"

void wk_fig5(study* s);
void wk_fig13(study* s);
void wk_fig17(study* s);
void wk_fig19(study* s);
void wk_fig20(study* s);
void wk_fig21(study* s);

#endif
