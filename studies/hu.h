/*
 * The figures of Huang et al.: the end of a two-link arm slides repeatedly along a parabola.
 */
#ifndef STUDIES_HU_H
#define STUDIES_HU_H

#include "study.h"

void hu_fig3(study* s);
void hu_fig5(study* s);
void hu_fig6(study* s);
void hu_fig7(study* s);

#endif
