/*
 * W&K's corner interpolation (21) for any wrench function.
 *
 * The published code differs from the paper (GRID_PUBLISHED): it finds the cell by truncation
 * towards zero, so that a CoR up to one cell outside the left and lower border is extrapolated from
 * inside; and it does not interpolate slow spins.
 */
#include "limit/corners.h"

// Index of the cell that contains a coordinate, in cells from the border; -1: none.
static int cell_index(grid_rule rule, double at, size_t count)
{
    if (rule == GRID_PUBLISHED) {
        return at > -1.0 && at < (double)count ? (int)at : -1; // truncates towards zero
    }
    if (!(at >= 0.0 && at <= (double)count)) {
        return -1;
    }
    return at < (double)count ? (int)at : (int)count - 1;
}

// A rotation about a corner of the lattice.
static br_twist about_corner(const cell_lattice* cells, double w, int column, int row)
{
    const double x = cells->centre.x + (column - 0.5 * (double)cells->columns) * cells->size.x;
    const double y = cells->centre.y + (row - 0.5 * (double)cells->rows) * cells->size.y;
    return (br_twist){w * y, -w * x, w};
}

static void add_scaled(br_wrench* sum, double s, br_wrench f)
{
    sum->fx += s * f.fx;
    sum->fy += s * f.fy;
    sum->tau += s * f.tau;
}

br_wrench bri_interpolate_corners(const cell_lattice* cells, grid_rule rule, br_twist v,
                                  twist_wrench_fn wrench, const void* user)
{
    const double min_spin = rule == GRID_PUBLISHED ? CORNERS_PUBLISHED_SPIN : 0.0;
    if (!(fabs(v.w) > min_spin) || cells->columns == 0) {
        return wrench(user, v);
    }
    const double x = (-v.vy / v.w - cells->centre.x) / cells->size.x + 0.5 * (double)cells->columns;
    const double y = (v.vx / v.w - cells->centre.y) / cells->size.y + 0.5 * (double)cells->rows;
    const int j = cell_index(rule, x, cells->columns), i = cell_index(rule, y, cells->rows);
    if (i < 0 || j < 0) {
        return wrench(user, v);
    }
    // f = (1-dx)(1-dy) f_1 + (1-dx) dy f_2 + dx (1-dy) f_3 + dx dy f_4                      (21)
    const double dx = x - j, dy = y - i;
    br_wrench f = {0.0, 0.0, 0.0};
    add_scaled(&f, (1.0 - dx) * (1.0 - dy), wrench(user, about_corner(cells, v.w, j, i)));
    add_scaled(&f, (1.0 - dx) * dy, wrench(user, about_corner(cells, v.w, j, i + 1)));
    add_scaled(&f, dx * (1.0 - dy), wrench(user, about_corner(cells, v.w, j + 1, i)));
    add_scaled(&f, dx * dy, wrench(user, about_corner(cells, v.w, j + 1, i + 1)));
    return f;
}
