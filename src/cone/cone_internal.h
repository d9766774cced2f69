/*
 * The other three descriptions of a cone in S: br_cone_margin() up to rounding, for checks of it.
 */
#ifndef BRISTLE_CONE_CONE_INTERNAL_H
#define BRISTLE_CONE_CONE_INTERNAL_H

#include "bristle/cone.h"

// From the parts f_n, f_t1, f_t2, element by element (7) [N].
double bri_cone_margin_elements(const br_cone* cone, const double parts[3]);

// With the tangents of the cone (8) [N].
double bri_cone_margin_vector(const br_cone* cone, const double f[3]);

// With any orthonormal basis of the null space of n^T (9) [N]. The columns of T are the basis, row by row (3 x 2).
double bri_cone_margin_null_space(const br_cone* cone, const double* T, const double f[3]);

#endif
