/// @file patch.h
/// Contact patches: where two bodies touch, and how the pressure is spread.
///
/// A patch is a shape with a pressure that integrates to 1; the normal force comes from elsewhere.
/// Its numbers (centre of pressure, r, u, area) are closed forms or exact integrals, not sums over a
/// grid. W&K = Waltersson & Karayiannidis; numbers in brackets are that paper's equations.
/// SI units; coordinates are those of the contact frame unless a comment says "patch frame", which
/// is the shape's own, before `centre` and `angle` place it.
#ifndef BRISTLE_PATCH_H
#define BRISTLE_PATCH_H

#include "bristle/base.h"
#include "bristle/math.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The shapes, written once: enumerator, name as the command spells it.
#define BR_SHAPE_LIST(X)                                                                           \
    X(BR_SHAPE_DISC, "disc")                                                                       \
    X(BR_SHAPE_RING, "ring")                                                                       \
    X(BR_SHAPE_RECTANGLE, "rectangle")                                                             \
    X(BR_SHAPE_LINE, "line")                                                                       \
    X(BR_SHAPE_POLYGON, "polygon")                                                                 \
    X(BR_SHAPE_POINTS, "points")                                                                   \
    X(BR_SHAPE_GRID, "grid")

/// Which shape.
typedef enum br_shape {
#define BR_SHAPE_ENUM(shape, name) shape, ///< see BR_SHAPE_LIST
    BR_SHAPE_LIST(BR_SHAPE_ENUM)
#undef BR_SHAPE_ENUM
} br_shape;

/// How the pressure varies over a shape.
typedef enum br_pressure_kind {
    BR_PRESSURE_UNIFORM, ///< the same everywhere; the only kind for points and grid
    BR_PRESSURE_POWER,   ///< (1 - (rho/a)^k)^(1/k), (44) normalised; disc only
    BR_PRESSURE_LINEAR   ///< along x of the patch frame, from its left end to its right end
} br_pressure_kind;

/// What the cells of a disc, rectangle or polygon carry where the patch is cut into them.
typedef enum br_sampling {
    BR_SAMPLING_COVERED, ///< the pressure on the part of the cell that the patch covers
    BR_SAMPLING_CENTRE   ///< the pressure at the cell's centre, nothing if that lies outside: W&K
} br_sampling;

/// A number that may depend on the normal force: min(coefficient fn^exponent, max).
typedef struct br_by_force {
    double coefficient; ///< > 0; the number itself where the exponent is 0
    double exponent;    ///< [-], >= 0; 0: does not depend on the force
    double max;         ///< > 0, may be INFINITY
} br_by_force;

/// A number that does not depend on the force.
BR_API br_by_force br_by_force_constant(double value);

/// The number at a normal force fn [N], >= 0.
BR_API double br_by_force_eval(br_by_force number, double fn);

/// A support point.
typedef struct br_support_point {
    double x;      ///< patch frame [m]
    double y;      ///< patch frame [m]
    double weight; ///< share of the normal force, > 0; normalised to sum 1
} br_support_point;

/// What a patch is made of. Start from br_patch_def_default().
typedef struct br_patch_def {
    size_t size;                    ///< set by the default function; do not touch
    br_shape shape;                 ///< which of the following count
    br_by_force radius;             ///< disc, ring [m], > 0; below 1e-100 m it is none
    double size_x;                  ///< rectangle, grid: extent along x [m], > 0
    double size_y;                  ///< rectangle, grid: extent along y [m], > 0
    double length;                  ///< line: extent along x [m], > 0
    size_t count;                   ///< number of vertices (>= 3) or points (>= 1)
    const br_vec2* vertices;        ///< polygon: simple, any orientation, convex or not (count)
    const br_support_point* points; ///< points (count)
    size_t columns;                 ///< grid: cells along x, >= 1
    size_t rows;                    ///< grid: cells along y, >= 1
    const double* cells;            ///< grid: pressure, >= 0, row 0 at max y (rows x columns)
    br_pressure_kind pressure;      ///< how the pressure varies
    br_by_force k;                  ///< power law: exponent [-], > 0
    double from;                    ///< linear: pressure at the left end, >= 0, any unit
    double to;                      ///< linear: pressure at the right end, >= 0, not both 0
    br_sampling sampling;           ///< what its cells carry; without effect on anything else
    br_vec2 centre;                 ///< placement in the contact frame [m]
    double angle;                   ///< placement in the contact frame [rad]
} br_patch_def;

/// Numbers of a patch at one normal force.
typedef struct br_patch_value {
    br_vec2 cop; ///< centre of pressure, contact frame [m]
    double r;    ///< mean distance from the CoP, the rim radius (23) [m]
    double u;    ///< mean squared distance from the CoP, (27) [m^2]
    double area; ///< [m^2]; 0 for line, ring and points
} br_patch_value;

/// Immutable after creation; one patch may serve many threads.
typedef struct br_patch br_patch;

/// A uniform disc of 10 mm radius at the origin.
BR_API br_patch_def br_patch_def_default(void);

/// The name the command uses for a shape, e.g. "disc"; never NULL.
BR_API const char* br_shape_name(br_shape shape);

/// Create a patch. Copies the definition and its arrays.
/// @param[out] out  the patch, or NULL on failure; free it with br_patch_destroy()
/// @param[out] why  may be NULL; filled when the result is not BR_OK. `field` is the field's name
///                  as the command spells it: "radius", "vertices[3]", "points[0]", "cells",
///                  "pressure.k", ...
/// @return BR_OK, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_patch_create(const br_patch_def* def, br_patch** out, br_reason* why);

/// Free a patch; NULL is allowed.
BR_API void br_patch_destroy(br_patch* patch);

/// The definition the patch was made from; its arrays belong to the patch.
BR_API const br_patch_def* br_patch_get_def(const br_patch* patch);

/// Does any size or exponent depend on the normal force?
BR_API int br_patch_depends_on_force(const br_patch* patch);

/// The least normal force at which the radius has reached its largest [N]; infinite if it never
/// does, 0 for a patch whose radius does not depend on the force.
BR_API double br_patch_get_full_force(const br_patch* patch);

/// CoP, r, u and area at a normal force. Never fails, never allocates; NaN in gives NaN out.
/// @param fn  normal force [N], >= 0; without effect on a patch that does not depend on it.
///            A patch whose radius vanishes at fn = 0 is a point there (r = u = area = 0).
BR_API br_patch_value br_patch_eval(const br_patch* patch, double fn);

/// A patch cut into cells, for the contacts that are made of them.
///
/// Cells cut by the patch's edge carry the pressure on their covered part, so sums over cells
/// converge with the square of the cell size (BR_SAMPLING_COVERED). The cells of a disc that depends
/// on the force are laid over its largest extent if that is finite: their places do not depend on
/// the force, and those that carry nothing at a force have the weight BR_CELLS_IDLE.
typedef struct br_cells {
    size_t count;         ///< cells, >= 1
    const double* x;      ///< cell centres, patch frame [m] (count)
    const double* y;      ///< cell centres, patch frame [m] (count)
    const double* weight; ///< share of the normal force, > 0, sums to 1 (count)
    double half_x;        ///< half size of every cell along x [m]; 0: none (points, ring)
    double half_y;        ///< half size of every cell along y [m]; 0: none (points, ring, line)
    size_t columns;       ///< of the lattice that the cells lie on; 0: none (points, ring)
    size_t rows;          ///< of that lattice; 1 for a line
    br_vec2 corner; ///< centre of column 0, row 0: at min x, max y [m]; a cell may be there or not
    const uint32_t* column; ///< of each cell, 0..columns-1 from the left (count); NULL: no lattice
    const uint32_t* row;    ///< of each cell, 0..rows-1 from the top (count); cells go row by row
} br_cells;

/// Weight of a cell that carries nothing at the moment: too small to be felt, but not the 0 of
/// padding. Its bristles live on.
#define BR_CELLS_IDLE 1e-200

/// Cut a patch into cells.
/// @param fn          normal force [N], >= 0, for a patch that depends on it
/// @param resolution  cells across the larger extent (a ring: along its diameter, so pi times as
///                    many points around), 1..4096; points and grid have their own and ignore it
/// @param[out] out    the cells, or NULL on failure; free them with br_cells_destroy()
/// @param[out] why    may be NULL
/// @return BR_OK, BR_ERR_ARG or BR_ERR_MEMORY
BR_API br_status br_cells_create(const br_patch* patch, double fn, size_t resolution,
                                 br_cells** out, br_reason* why);

/// Free cells; NULL is allowed.
BR_API void br_cells_destroy(br_cells* cells);

/// Cut cells into pieces, as the contacts do that are made of blocks (BR_METHOD_BLOCKS).
/// @param across      pieces across, 1..256; a line takes twice as many
/// @param[out] home   the piece of each cell, 0..count-1 (cells->count)
/// @param[out] count  pieces, each with at least one cell
/// @param[out] why    may be NULL
/// @return BR_OK or BR_ERR_MEMORY
BR_API br_status br_cells_cut(const br_cells* cells, size_t across, size_t* home, size_t* count,
                              br_reason* why);

/// CoP, r and u of a set of cells as plain sums, in the frame of the cells (area: 0).
BR_API br_patch_value br_cells_eval(const br_cells* cells);

#ifdef __cplusplus
}
#endif

#endif
