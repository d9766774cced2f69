/*
 * W&K's figures of the in-hand slip-stick experiments.
 */
#ifndef STUDIES_WK_SLIP_H
#define STUDIES_WK_SLIP_H

#include "study.h"

void wk_fig26(study* s);
void wk_fig27(study* s);
void wk_fig28(study* s);
void wk_fig29(study* s);
void wk_fig30(study* s);
void wk_fig31(study* s);
void wk_fig32(study* s);
void wk_fig34(study* s);
void wk_fig35(study* s);

#endif
