/*
 * The image of a patch under a linear map of the plane.
 */
#ifndef BRISTLE_PATCH_MAPPED_H
#define BRISTLE_PATCH_MAPPED_H

#include "bristle/patch.h"

// Create the patch whose points are m x for the points x of `patch`, both in the contact frame, where
// each point keeps its share of the normal force; what depends on the force still does.
//
//   disc, ellipse   -> ellipse                          line    -> line
//   ring            -> elliptic ring, its force uniform in the angle (or linear in cos and sin)
//   rectangle, grid -> the same if its sides stay perpendicular; else a polygon, or triangles
//   polygon         -> polygon                          points  -> points
//   triangles       -> triangles
//
// m must have a positive determinant. Both patches are independent.
// BR_OK, BR_ERR_DEF (the image is too large, too small or too thin), BR_ERR_MEMORY.
br_status bri_patch_create_mapped(const br_patch* patch, const double m[2][2], br_patch** out,
                                  br_reason* why);

#endif
