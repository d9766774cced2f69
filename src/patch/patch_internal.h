/*
 * Shared by the files of this module: the patch itself, its checks, its box, its linear pressure.
 */
#ifndef BRISTLE_PATCH_PATCH_INTERNAL_H
#define BRISTLE_PATCH_PATCH_INTERNAL_H

#include "bristle/patch.h"

#include "base/owners.h"
#include "patch/oval.h"

struct br_patch {
    br_patch_def def; // arrays are owned; those the shape does not use are NULL

    // CoP (patch frame), r, u, area. For a round patch those of radius 1, so that a radius that
    // depends on the force only scales them
    br_patch_value unit;

    owners owners;
};

// Add an owner of the patch, who must call br_patch_destroy() later; NULL for NULL.
const br_patch* bri_patch_share(const br_patch* patch);

// A shorter length counts as 0 [m]: its square, which is the highest power that a patch needs,
// would underflow.
#define PATCH_LEAST_LENGTH 1e-100
// Largest radius that does not depend on the force [m]: beyond it squares overflow.
#define PATCH_MOST_LENGTH 1e100

// Create a patch from a checked definition. BR_OK, BR_ERR_DEF (numbers too large) or BR_ERR_MEMORY.
br_status bri_patch_create_checked(const br_patch_def* def, br_patch** out, br_reason* why);

// Radius of a disc or ring, or semi-axis along x of an ellipse, at a normal force [m].
static inline double patch_radius(const br_patch_def* def, double fn)
{
    const double radius = br_by_force_eval(def->radius, fn);
    return radius < PATCH_LEAST_LENGTH ? 0.0 : radius;
}

// An upright rectangle, patch frame [m].
typedef struct patch_box {
    br_vec2 centre;
    br_vec2 half; // half extents
} patch_box;

enum { POLYGON_MAX_VERTICES = 10000 };

// Check a definition. BR_OK or BR_ERR_DEF with a reason.
br_status bri_patch_check(const br_patch_def* def, br_reason* why);

// Vertices of a polygon definition without the last one where it repeats the first.
size_t bri_polygon_open_count(const br_vec2* vertices, size_t count);

// Check that the polygon is simple and encloses an area. Count and numbers must be checked before.
br_status bri_polygon_check(const br_vec2* vertices, size_t count, br_reason* why);

// The box around the corners of a polygon or of a rectangle.
patch_box bri_patch_box_of(const br_vec2* corners, size_t count);

// The corners of a rectangle about the origin, counter-clockwise.
void bri_rectangle_corners(double size_x, double size_y, br_vec2 corners[4]);

// Half sizes of a grid's cells.
br_vec2 bri_grid_half(const br_patch_def* def);

// Centre of the grid cell with this index, row 0 on top.
br_vec2 bri_grid_centre(const br_patch_def* def, size_t index);

// Relative slope g in [-1, 1] of the pressure: p = mean (1 + g X), X = -1 at the left end and 1 at
// the right end. 0 unless the pressure is linear.
double bri_pressure_gradient(const br_patch_def* def);

// Do all points of a patch coincide, except for rounding?
int bri_points_coincide(const br_patch_def* def);

// CoP, r, u and area of a checked patch, see br_patch.unit.
br_patch_value bri_patch_unit_value(const br_patch_def* def);

// Does a patch have a radius to scale with? A disc is an ellipse of ratio 1. A ring may be an elliptic one,
// but only inside: see bri_patch_create_mapped().
static inline int patch_is_round(const br_patch_def* def)
{
    return def->shape == BR_SHAPE_DISC || def->shape == BR_SHAPE_RING ||
           def->shape == BR_SHAPE_ELLIPSE;
}

// Is it the same in all directions?
static inline int patch_is_axisymmetric(const br_patch_def* def)
{
    return patch_is_round(def) && def->ratio == 1.0 && def->pressure != BR_PRESSURE_LINEAR;
}

// Slope g of a linear pressure on the unit disc or circle that a round patch is the image of:
// p ~ 1 + g . xi, |g| <= 1.
br_vec2 bri_round_slope(const br_patch_def* def);

// A patch of radius 1 as an oval, see oval.h; a power law as that of k = 2.
oval bri_round_oval(const br_patch_def* def);

// A force at which the patch has an extent: where it is largest, as in W&K's tables [N].
double bri_patch_table_force(const br_patch* patch);

#endif
