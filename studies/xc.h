/*
 * The figures of Xie & Chakraborty: a slider, free and pushed, and the cost of a step.
 */
#ifndef STUDIES_XC_H
#define STUDIES_XC_H

#include "study.h"

void xc_fig2(study* s);
void xc_fig3(study* s);
void xc_time(study* s);

#endif
