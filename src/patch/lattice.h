/*
 * A lattice of equal cells over a shape's box, and the force that each cell carries.
 */
#ifndef BRISTLE_PATCH_LATTICE_H
#define BRISTLE_PATCH_LATTICE_H

#include <stddef.h>

#include "bristle/math.h"
#include "patch/power_law.h"

// Cells in rows from the top (max y) down, in a row from left to right.
typedef struct lattice {
    br_vec2 centre; // of the whole lattice, patch frame [m]
    br_vec2 half;   // half sizes of one cell [m]
    size_t columns; // cells along x
    size_t rows;    // cells along y
} lattice;

// Centre of a cell along x and y, from the lattice's centre.
static inline double lattice_x(const lattice* grid, size_t column)
{
    return (2.0 * (double)column + 1.0 - (double)grid->columns) * grid->half.x;
}
static inline double lattice_y(const lattice* grid, size_t row)
{
    return ((double)grid->rows - 1.0 - 2.0 * (double)row) * grid->half.y;
}

// Index of a lattice line, counted from the outermost one on the same side.
static inline size_t lattice_depth(size_t line, size_t lines)
{
    return line < lines - 1 - line ? line : lines - 1 - line;
}

// Pressure of a disc of radius 1: p = (1 + g . (x, y))/pi, or the power law (44).
typedef struct disc_pressure {
    int by_centre; // pressure at a cell's centre (W&K), else the integral over its covered part
    int is_power;  // which of the two
    br_vec2 g;     // relative slope, |g| <= 1
    double k;      // power law: exponent
    double norm;   // power law: C_k
    double away;   // power law: cells this far from rim and centre are summed by points [cells]
    double few;    // power law: cells this far are summed by few points [cells]

    // power law: table for its share of the force; NULL: computed
    const power_law_table* table;
} disc_pressure;

// Force on a cell by a disc of radius 1: int p dA over the part of the cell within the disc, or by
// the pressure at its centre. The former sum to 1 over all cells.
double bri_disc_cell_mass(disc_pressure p, br_vec2 centre, br_vec2 half);

// The same, integrated by the rule of a cell nearby. Rules differ by their errors, which would spoil a difference.
double bri_disc_cell_mass_like(disc_pressure p, br_vec2 centre, br_vec2 half, br_vec2 like_centre,
                               br_vec2 like_half);

// The same for each cell of a lattice. `mass` is (rows x columns).
void bri_disc_masses(const lattice* grid, disc_pressure p, double* mass);

// The same for a polygon whose box is the lattice, p = 1 + g X, X = -1 at its left end and 1 at
// its right end. All are negative for a clockwise polygon; `mass` starts as zeros.
void bri_polygon_masses(const lattice* grid, const br_vec2* vertices, size_t count, double g,
                        double* mass);

// The pressure at the cells' centres instead, 0 for those outside the polygon; never negative.
void bri_polygon_samples(const lattice* grid, const br_vec2* vertices, size_t count, double g,
                         double* mass);

#endif
