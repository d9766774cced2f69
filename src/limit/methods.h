/*
 * The approximations of a limit surface, one per br_limit_method.
 */
#ifndef BRISTLE_LIMIT_METHODS_H
#define BRISTLE_LIMIT_METHODS_H

#include "limit/limit_internal.h"

extern const limit_method bri_limit_smooth;
extern const limit_method bri_limit_bilinear;
extern const limit_method bri_limit_grid;
extern const limit_method bri_limit_published;
extern const limit_method bri_limit_ellipsoid;
extern const limit_method bri_limit_fitted;
extern const limit_method bri_limit_curve;
extern const limit_method bri_limit_stretched; // of any of them: anisotropic friction

#endif
