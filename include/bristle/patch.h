/// @file patch.h
/// Contact patches: the area where two bodies touch, and the pressure distribution over it.
///
/// A patch is a shape with a pressure that integrates to 1; the normal force is given separately.
/// Its numbers (centre of pressure, r, u, area) are closed forms or exact integrals, not sums over a
/// grid. W&K = Waltersson & Karayiannidis; numbers in brackets are that paper's equations.
/// SI units; coordinates are those of the contact frame unless a comment says "patch frame", which
/// is the shape's own, before the placement by `centre` and `angle`.
#ifndef BRISTLE_PATCH_H
#define BRISTLE_PATCH_H

#include "bristle/base.h"
#include "bristle/math.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The list of shapes: enumerator, name in commands and scenario files.
#define BR_SHAPE_LIST(X)                                                                           \
    X(BR_SHAPE_DISC, "disc")                                                                       \
    X(BR_SHAPE_RING, "ring")                                                                       \
    X(BR_SHAPE_RECTANGLE, "rectangle")                                                             \
    X(BR_SHAPE_LINE, "line")                                                                       \
    X(BR_SHAPE_POLYGON, "polygon")                                                                 \
    X(BR_SHAPE_POINTS, "points")                                                                   \
    X(BR_SHAPE_GRID, "grid")                                                                       \
    X(BR_SHAPE_ELLIPSE, "ellipse")                                                                 \
    X(BR_SHAPE_TRIANGLES, "triangles")

/// Which shape.
typedef enum br_shape {
#define BR_SHAPE_ENUM(shape, name) shape, ///< see BR_SHAPE_LIST
    BR_SHAPE_LIST(BR_SHAPE_ENUM)
#undef BR_SHAPE_ENUM
} br_shape;

/// How the pressure varies over a shape.
typedef enum br_pressure_kind {
    BR_PRESSURE_UNIFORM, ///< the same everywhere; points, grid and triangles have their own
    BR_PRESSURE_POWER, ///< (1 - (rho/a)^k)^(1/k), (44) normalised; disc and ellipse, rho/a along a
                       ///< ray from the centre to the rim. k = 2 is the pressure of Hertz
    BR_PRESSURE_LINEAR ///< along x of the patch frame, from its left end to its right end
} br_pressure_kind;

/// How the pressure of a disc, rectangle or polygon is distributed to its cells.
typedef enum br_sampling {
    BR_SAMPLING_COVERED, ///< integral of the pressure over the part of the cell that the patch covers
    BR_SAMPLING_CENTRE   ///< pressure at the cell's centre, 0 if that is outside the patch: W&K
} br_sampling;

/// A number that may depend on the normal force: min(coefficient fn^exponent, max).
typedef struct br_by_force {
    double coefficient; ///< factor, > 0; the number itself if the exponent is 0
    double exponent;    ///< [-], >= 0; 0: does not depend on the force
    double max;         ///< upper limit, > 0, may be INFINITY
} br_by_force;

/// Create a number that does not depend on the force.
BR_API br_by_force br_by_force_constant(double value);

/// The number at a normal force fn [N], >= 0.
BR_API double br_by_force_eval(br_by_force number, double fn);

/// A support point.
typedef struct br_support_point {
    double x;      ///< patch frame [m]
    double y;      ///< patch frame [m]
    double weight; ///< share of the normal force, > 0; normalised to sum 1
} br_support_point;

/// Definition of a patch. Start from br_patch_def_default().
typedef struct br_patch_def {
    size_t size;                    ///< set by the default function; do not touch
    br_shape shape;                 ///< shape; it decides which of the following are used
    br_by_force radius;             ///< disc, ring [m], > 0; below 1e-100 m it counts as 0.
                                    ///< ellipse: the semi-axis along x
    double size_x;                  ///< rectangle, grid: extent along x [m], > 0
    double size_y;                  ///< rectangle, grid: extent along y [m], > 0
    double length;                  ///< line: extent along x [m], > 0
    size_t count;                   ///< number of vertices (>= 3) or points (>= 1)
    const br_vec2* vertices;        ///< polygon: simple, any orientation, convex or not; triangles:
                                    ///< their corners (count)
    const br_support_point* points; ///< points (count)
    size_t columns;                 ///< grid: cells along x, >= 1
    size_t rows;                    ///< grid: cells along y, >= 1
    const double* cells;            ///< grid: pressure, >= 0, row 0 at max y (rows x columns)
    br_pressure_kind pressure;      ///< how the pressure varies
    br_by_force k;                  ///< power law: exponent [-], > 0
    double from;                    ///< linear: pressure at the left end, >= 0, any unit
    double to;                      ///< linear: pressure at the right end, >= 0, not both 0
    br_sampling sampling;           ///< pressure of its cells; no other effect
    br_vec2 centre;                 ///< placement in the contact frame [m]
    double angle;                   ///< placement in the contact frame [rad]
    double ratio;                   ///< ellipse: semi-axis along y over radius [-], 1e-6 to 1e6
    double slope_angle;             ///< ellipse: direction of a linear pressure from x of the patch
                                    ///< frame [rad]; its ends are those in this direction
    const double* pressures;        ///< triangles: pressure at each vertex, >= 0, any unit; linear
                                    ///< in between (count)
    size_t triangle_count;          ///< triangles: their number, >= 1
    const uint32_t* triangles;      ///< triangles: three vertices each, any orientation; where they
                                    ///< overlap, pressures add up (triangle_count x 3)
} br_patch_def;

/// Numbers of a patch at one normal force.
typedef struct br_patch_value {
    br_vec2 cop; ///< centre of pressure, contact frame [m]
    double r;    ///< mean distance from the CoP, the rim radius (23) [m]
    double u;    ///< mean squared distance from the CoP, (27) [m^2]
    double area; ///< [m^2]; 0 for line, ring and points
} br_patch_value;

/// A patch. Immutable after creation; many threads may share one.
typedef struct br_patch br_patch;

/// Default definition: a uniform disc of 10 mm radius at the origin.
BR_API br_patch_def br_patch_def_default(void);

/// Name of a shape in commands and scenario files, e.g. "disc"; static, never NULL.
BR_API const char* br_shape_get_name(br_shape shape);

/// Create a patch. Copies the definition and its arrays.
/// @param[out] out  the patch, or NULL on failure; free it with br_patch_destroy()
/// @param[out] why  may be NULL; filled when the result is not BR_OK. `field` is the name in scenario
///                  files: "radius", "vertices[3]", "points[0]", "cells", "triangles[2]",
///                  "pressure.k", ...
/// @return BR_OK, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_patch_create(const br_patch_def* def, br_patch** out, br_reason* why);

/// Free a patch; NULL is allowed. Objects that were created with it stay valid.
BR_API void br_patch_destroy(br_patch* patch);

/// The definition of the patch; the patch owns it and its arrays.
BR_API const br_patch_def* br_patch_get_def(const br_patch* patch);

/// Whether any size or exponent depends on the normal force.
BR_API bool br_patch_depends_on_force(const br_patch* patch);

/// Smallest normal force at which the radius reaches its maximum [N]; infinite if it never does, 0 for a
/// patch whose radius does not depend on the force.
BR_API double br_patch_get_full_force(const br_patch* patch);

/// CoP, r, u and area at a normal force. Never fails, never allocates; NaN in gives NaN out.
/// @param fn  normal force [N], >= 0; no effect on a patch that does not depend on it.
///            A patch whose radius vanishes at fn = 0 is a point there (r = u = area = 0).
BR_API br_patch_value br_patch_eval(const br_patch* patch, double fn);

/// A patch divided into cells, for contacts that consist of cells.
///
/// Cells at the patch's edge carry the pressure on their covered part, so sums over cells converge
/// with the square of the cell size (BR_SAMPLING_COVERED). The cells of a disc that depends on the
/// force cover its largest extent if that is finite. Their positions do not depend on the force,
/// and cells that carry nothing at a force have the weight BR_CELLS_IDLE.
typedef struct br_cells {
    size_t count;         ///< cells, >= 1
    const double* x;      ///< cell centres, patch frame [m] (count)
    const double* y;      ///< cell centres, patch frame [m] (count)
    const double* weight; ///< share of the normal force, > 0, sums to 1 (count)
    double half_x;        ///< half size of every cell along x [m]; 0: none (points, ring)
    double half_y;        ///< half size of every cell along y [m]; 0: none (points, ring, line)
    size_t columns;       ///< columns of the lattice of cells; 0: no lattice (points, ring)
    size_t rows;          ///< rows of that lattice; 1 for a line
    br_vec2 corner; ///< centre of column 0, row 0, at min x, max y [m]; there may be no cell at it
    const uint32_t* column; ///< of each cell, 0..columns-1 from the left (count); NULL: no lattice
    const uint32_t* row;    ///< of each cell, 0..rows-1 from the top (count); sorted by row
} br_cells;

/// Weight of a cell that carries nothing at the present force: too small to matter, but not 0 as padding.
/// Its bristles are kept.
#define BR_CELLS_IDLE 1e-200

/// Divide a patch into cells.
/// @param fn          normal force [N], >= 0, for a patch that depends on it
/// @param resolution  cells across the larger extent (a ring: along its diameter, so pi times as
///                    many points around), 1..4096; ignored for points and grid, which have their own.
///                    Triangles are divided into smaller ones of that size, at least one cell each
/// @param[out] out    the cells, or NULL on failure; free them with br_cells_destroy()
/// @param[out] why    may be NULL
/// @return BR_OK, BR_ERR_ARG or BR_ERR_MEMORY
BR_API br_status br_cells_create(const br_patch* patch, double fn, size_t resolution,
                                 br_cells** out, br_reason* why);

/// Free cells; NULL is allowed.
BR_API void br_cells_destroy(br_cells* cells);

/// Divide cells into blocks, as BR_METHOD_BLOCKS does.
/// @param across             blocks across, 1..256; a line uses twice as many
/// @param[out] part_of_cell  block of each cell, 0..count-1 (cells->count)
/// @param[out] count         number of blocks, each with at least one cell
/// @param[out] why           may be NULL
/// @return BR_OK or BR_ERR_MEMORY
BR_API br_status br_cells_cut(const br_cells* cells, size_t across, size_t* part_of_cell,
                              size_t* count, br_reason* why);

/// CoP, r and u of cells as sums over them, in their frame; area is 0.
BR_API br_patch_value br_cells_eval(const br_cells* cells);

#ifdef __cplusplus
}
#endif

#endif
