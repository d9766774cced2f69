/*
 * W&K's method for a limit surface: a lattice of cells, and the corner interpolation (21).
 */
#ifndef BRISTLE_LIMIT_CELL_GRID_H
#define BRISTLE_LIMIT_CELL_GRID_H

#include "bristle/patch.h"

#include "limit/corners.h"

// A lattice of equal cells; the force of each acts at its centre. Lengths are measured from the
// lattice's centre, along the axes of the patch frame.
typedef struct cell_grid {
    size_t columns;  // cells along x
    size_t rows;     // cells along y
    br_vec2 size;    // of one cell [m]
    br_vec2 cop;     // centre of pressure [m]
    br_vec2 axis;    // direction of the patch frame's x axis in the contact frame
    double* weight;  // share of the normal force, row 0 at the lowest y (rows x columns)
    double* scratch; // used by bri_grid_nodes(), in the same block as the weights
} cell_grid;

// Size of the block for weights and scratch, in doubles.
size_t bri_cell_grid_room(size_t columns, size_t rows);

// Speed that a rule adds to the speeds of cells [m/s]: 1e-10/sigma0 in the published code, else 0.
static inline double grid_small_speed(grid_rule rule)
{
    return rule == GRID_PUBLISHED ? 1e-10 / 1e5 : 0.0;
}

// Create the lattice of a patch; `cop` is in the contact frame. Points and rings have no lattice.
// Free it with bri_cell_grid_clear().
// BR_OK, BR_ERR_DEF, BR_ERR_ARG or BR_ERR_MEMORY.
br_status bri_cell_grid_init(const br_patch* patch, double fn, size_t resolution, br_vec2 cop,
                             cell_grid* out, br_reason* why);

// The same from the cells of a patch; and set other weights in a grid built from these cells.
br_status bri_cell_grid_from(const br_patch* patch, const br_cells* cells, br_vec2 cop,
                             cell_grid* out, br_reason* why);
void bri_cell_grid_weigh(cell_grid* grid, const br_patch* patch, const br_cells* cells,
                         br_vec2 cop);
void bri_cell_grid_clear(cell_grid* grid);

// Centre of a column or row of cells [m].
static inline double grid_x(const cell_grid* grid, size_t column)
{
    return ((double)column + 0.5 - 0.5 * (double)grid->columns) * grid->size.x;
}
static inline double grid_y(const cell_grid* grid, size_t row)
{
    return ((double)row + 0.5 - 0.5 * (double)grid->rows) * grid->size.y;
}

// Rotate a vector from the contact frame to the patch frame, and back.
static inline br_vec2 grid_to_patch(const cell_grid* grid, double x, double y)
{
    const br_vec2 a = grid->axis;
    return (br_vec2){a.x * x + a.y * y, a.x * y - a.y * x};
}
static inline br_vec2 grid_from_patch(const cell_grid* grid, double x, double y)
{
    const br_vec2 a = grid->axis;
    return (br_vec2){a.x * x - a.y * y, a.x * y + a.y * x};
}

// Wrench per mu fn at the CoP for a twist at the CoP, both in the contact frame, by the corner
// interpolation (21). Direct implementation.
br_wrench bri_grid_wrench(const cell_grid* grid, grid_rule rule, br_twist v);

// h at the nodes (33) of a table with N_ls = n, from bri_grid_wrench(). Direct implementation. `h`
// is (4 n + 1) x (n + 1) x 3; r is the radius of (33); h is divided by force and torque.
void bri_grid_nodes_plain(const cell_grid* grid, grid_rule rule, double r, double force,
                          double torque, size_t n, double* h);

// The same, many times faster. Never fails; uses the grid's scratch.
void bri_grid_nodes(const cell_grid* grid, grid_rule rule, double r, double force, double torque,
                    size_t n, double* h);

#endif
