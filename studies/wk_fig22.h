/*
 * W&K Fig 22: errors of the reduced model with the limit surface and with the ellipsoid.
 */
#ifndef STUDIES_WK_FIG22_H
#define STUDIES_WK_FIG22_H

#include "study.h"

void wk_fig22(study* s);

#endif
