/*
 * The image of a patch under a linear map, as a definition in axes of its own.
 *
 * A point is at c + R xi in the contact frame, R the rotation by `angle`, and goes to m c + A xi,
 * A = m R. Of each shape the new axes are those in which the image has the same form:
 *
 *   round   A diag(1, ratio) = R' diag(a', b') V^T: the unit disc under V^T is itself
 *   line    x' along A e_x
 *   linear  p = 1 + g X with X linear in xi has its slope along A^-T e_x: x' is there
 */
#include "patch/mapped.h"

#include <float.h>

#include "patch/patch_internal.h"

// Columns of a matrix.
typedef struct map2 {
    br_vec2 x, y; // images of (1, 0) and (0, 1)
} map2;

static br_vec2 apply(map2 a, br_vec2 p)
{
    return br_vec2_add(br_vec2_scale(p.x, a.x), br_vec2_scale(p.y, a.y));
}

// A = m R and the image of the centre.
static map2 map_of(const br_patch_def* def, const double m[2][2])
{
    const map2 given = {{m[0][0], m[1][0]}, {m[0][1], m[1][1]}};
    const double c = cos(def->angle), s = sin(def->angle);
    return (map2){apply(given, (br_vec2){c, s}), apply(given, (br_vec2){-s, c})};
}

static double angle_of(br_vec2 direction)
{
    return atan2(direction.y, direction.x);
}

// Does the map keep x and y perpendicular, except for rounding?
static int is_upright(map2 a)
{
    const double size = br_vec2_norm(a.x) * br_vec2_norm(a.y);
    return fabs(br_vec2_dot(a.x, a.y)) <= 8.0 * DBL_EPSILON * size;
}

// A = R(left) diag(large, small) R(right), large >= small > 0.
typedef struct map_factors {
    double left, right, large, small;
} map_factors;

static map_factors factor(map2 a)
{
    const double e = 0.5 * (a.x.x + a.y.y), f = 0.5 * (a.x.x - a.y.y);
    const double g = 0.5 * (a.x.y + a.y.x), h = 0.5 * (a.x.y - a.y.x);
    const double large = hypot(e, h) + hypot(f, g);
    const double sum = atan2(h, e), difference = atan2(g, f);
    return (map_factors){.left = 0.5 * (sum + difference),
                         .right = 0.5 * (sum - difference),
                         .large = large,
                         .small = fmin(br_vec2_cross(a.x, a.y) / large, large)};
}

// Thinner ellipses are refused as definitions are.
static const double min_ratio = 1e-6;

static br_status map_round(br_patch_def* def, map2 a, br_reason* why)
{
    const br_vec2 g = bri_round_slope(def);
    const map_factors f = factor((map2){a.x, br_vec2_scale(def->ratio, a.y)});
    def->radius.coefficient *= f.large;
    def->radius.max *= f.large;
    def->angle = f.left;
    def->ratio = f.small / f.large;
    def->shape = def->shape == BR_SHAPE_RING ? BR_SHAPE_RING : BR_SHAPE_ELLIPSE;

    // the slope on the unit disc turns with it, and is along (cos, ratio sin) of the new angle
    const br_vec2 to = br_vec2_rotate(g, f.right);
    const double sign = bri_pressure_gradient(def) < 0.0 ? -1.0 : 1.0;
    const int is_sloped = br_vec2_norm(g) > 0.0;
    def->slope_angle = is_sloped ? atan2(sign * to.y, sign * def->ratio * to.x) : 0.0;
    if (!(def->ratio >= min_ratio)) {
        br_reason_set(why, "", "is too thin after a stretch: ratio of semi-axes %g, at least %g",
                      def->ratio, min_ratio);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

// New axes of a polygon, and the positions of its corners in them.
static void map_corners(br_patch_def* def, map2 a, const br_vec2* corners, br_vec2* to)
{
    const br_vec2 slope = {a.y.y,
                           -a.y.x}; // A^-T e_x times the determinant: across the image of e_y
    const double turn = angle_of(def->pressure == BR_PRESSURE_LINEAR ? slope : a.x);
    for (size_t i = 0; i < def->count; i++) {
        to[i] = br_vec2_rotate(apply(a, corners[i]), -turn);
    }
    def->shape = BR_SHAPE_POLYGON;
    def->vertices = to;
    def->angle = turn;
}

static br_status no_memory(br_reason* why)
{
    br_reason_set(why, "", "no memory for the image of a patch");
    return BR_ERR_MEMORY;
}

static br_status create_corners(br_patch_def* def, map2 a, const br_vec2* corners, br_patch** out,
                                br_reason* why)
{
    br_vec2* to = br_allocate(def->count, sizeof *to);
    if (!to) {
        return no_memory(why);
    }
    map_corners(def, a, corners, to);
    const br_status status = bri_patch_create_checked(def, out, why);
    br_release(to);
    return status;
}

static br_status create_parallelogram(br_patch_def* def, map2 a, br_patch** out, br_reason* why)
{
    br_vec2 corners[4];
    bri_rectangle_corners(def->size_x, def->size_y, corners);
    def->count = 4;
    return create_corners(def, a, corners, out, why);
}

static br_status create_points(br_patch_def* def, map2 a, br_patch** out, br_reason* why)
{
    br_support_point* to = br_allocate(def->count, sizeof *to);
    if (!to) {
        return no_memory(why);
    }
    const double turn = angle_of(a.x);
    for (size_t i = 0; i < def->count; i++) {
        const br_support_point from = def->points[i];
        const br_vec2 at = br_vec2_rotate(apply(a, (br_vec2){from.x, from.y}), -turn);
        to[i] = (br_support_point){at.x, at.y, from.weight};
    }
    def->points = to;
    def->angle = turn;
    const br_status status = bri_patch_create_checked(def, out, why);
    br_release(to);
    return status;
}

// Triangles keep their pressures: weights move along, and only ratios of pressures matter.
static br_status create_mesh(br_patch_def* def, map2 a, const br_vec2* vertices, br_patch** out,
                             br_reason* why)
{
    br_vec2* to = br_allocate(def->count, sizeof *to);
    if (!to) {
        return no_memory(why);
    }
    const double turn = angle_of(a.x);
    for (size_t i = 0; i < def->count; i++) {
        to[i] = br_vec2_rotate(apply(a, vertices[i]), -turn);
    }
    def->vertices = to;
    def->angle = turn;
    const br_status status = bri_patch_create_checked(def, out, why);
    br_release(to);
    return status;
}

// Corners, pressures and two triangles of each cell of a grid that carries pressure.
static void fill_cells(br_patch_def* def, br_vec2* corners, double* pressures, uint32_t* triangles)
{
    static const uint32_t halves[6] = {0, 1, 2, 0, 2, 3};
    const br_vec2 half = bri_grid_half(def);
    size_t n = 0;
    for (size_t i = 0; i < def->rows * def->columns; i++) {
        if (!(def->cells[i] > 0.0)) {
            continue;
        }
        br_vec2 cell[4];
        bri_rectangle_corners(2.0 * half.x, 2.0 * half.y, cell);
        for (size_t k = 0; k < 4; k++) {
            corners[4 * n + k] = br_vec2_add(bri_grid_centre(def, i), cell[k]);
            pressures[4 * n + k] = def->cells[i];
        }
        for (size_t k = 0; k < 6; k++) {
            triangles[6 * n + k] = (uint32_t)(4 * n) + halves[k];
        }
        n++;
    }
    def->shape = BR_SHAPE_TRIANGLES;
    def->count = 4 * n;
    def->triangle_count = 2 * n;
    def->pressures = pressures;
    def->triangles = triangles;
}

// A grid whose cells become parallelograms.
static br_status create_slanted(br_patch_def* def, map2 a, br_patch** out, br_reason* why)
{
    const size_t cells = def->rows * def->columns;
    br_vec2* corners = br_allocate(4 * cells, sizeof *corners);
    double* pressures = br_allocate(4 * cells, sizeof *pressures);
    uint32_t* triangles = br_allocate(6 * cells, sizeof *triangles);
    br_status status = BR_ERR_MEMORY;
    if (corners && pressures && triangles) {
        fill_cells(def, corners, pressures, triangles);
        status = create_mesh(def, a, corners, out, why);
    } else {
        no_memory(why);
    }
    br_release(corners);
    br_release(pressures);
    br_release(triangles);
    return status;
}

// Scale a line, or a rectangle or grid whose sides stay perpendicular.
static void map_upright(br_patch_def* def, map2 a)
{
    const double along = br_vec2_norm(a.x), across = br_vec2_norm(a.y);
    def->length *= along;
    def->size_x *= along;
    def->size_y *= across;
    def->angle = angle_of(a.x);
}

br_status bri_patch_create_mapped(const br_patch* patch, const double m[2][2], br_patch** out,
                                  br_reason* why)
{
    BR_ASSERT(patch && out && m[0][0] * m[1][1] - m[0][1] * m[1][0] > 0.0);
    *out = NULL;
    br_patch_def def = patch->def;
    const map2 a = map_of(&def, m);
    def.centre = (br_vec2){m[0][0] * def.centre.x + m[0][1] * def.centre.y,
                           m[1][0] * def.centre.x + m[1][1] * def.centre.y};
    switch (def.shape) {
    case BR_SHAPE_DISC:
    case BR_SHAPE_RING:
    case BR_SHAPE_ELLIPSE: {
        const br_status status = map_round(&def, a, why);
        return status == BR_OK ? bri_patch_create_checked(&def, out, why) : status;
    }
    case BR_SHAPE_POLYGON:
        return create_corners(&def, a, def.vertices, out, why);
    case BR_SHAPE_POINTS:
        return create_points(&def, a, out, why);
    case BR_SHAPE_RECTANGLE:
        if (!is_upright(a)) {
            return create_parallelogram(&def, a, out, why);
        }
        break;
    case BR_SHAPE_GRID:
        if (!is_upright(a)) {
            return create_slanted(&def, a, out, why);
        }
        break;
    case BR_SHAPE_TRIANGLES:
        return create_mesh(&def, a, def.vertices, out, why);
    case BR_SHAPE_LINE:
        break;
    }
    map_upright(&def, a);
    return bri_patch_create_checked(&def, out, why);
}
