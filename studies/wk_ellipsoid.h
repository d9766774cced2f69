/*
 * The reduced model with the ellipsoid as the published Python code computes it, for Fig 22.
 */
#ifndef STUDIES_WK_ELLIPSOID_H
#define STUDIES_WK_ELLIPSOID_H

#include "wk.h"

// Wrenches at the end of each interval of the profile of Fig 5 (count), p = 1, elasto-plastic.
br_wrench* wk_python_ellipsoid(wk_shape shape, double hold, size_t count);

#endif
