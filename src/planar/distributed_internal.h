/*
 * The inside of a distributed model: cells in spans of a lattice's rows, ready for vectors of four.
 */
#ifndef BRISTLE_PLANAR_DISTRIBUTED_INTERNAL_H
#define BRISTLE_PLANAR_DISTRIBUTED_INTERNAL_H

#include "bristle/distributed.h"

#include "limit/corners.h"
#include "planar/axes.h"

#include <stdint.h>

enum { LANES = 4 }; // doubles in a vector

// Sums over the cells: w, w x, w y, w |rho|^2; the last is u, the first 1.
typedef struct moments {
    double one, x, y, square;
} moments;

struct br_distributed {
    br_law law;
    br_patch_value value; // CoP, r, u as sums over the cells
    axes axes;            // the patch's
    size_t count;         // cells, padding included; a multiple of LANES
    double* x;            // from the CoP (count)
    double* y;            // (count)
    double* weight;       // 0: padding (count)
    moments sums;
    lattice grid; // of the patch, its empty cells included, for (21)

    // where the cells lie on a lattice: vectors of four cells share a row and follow each other in x
    size_t columns, rows; // 0: no lattice
    double* column_x;     // padded by LANES (columns + LANES)
    double* row_y;        // padded to a multiple of LANES
    uint32_t* column;     // first column of each vector (count/LANES)
    uint32_t* row;        // row of each vector (count/LANES)

    br_wrench (*eval)(const br_distributed* model, const double* z, br_twist v, double fn,
                      double* dz);
    void* memory; // the block that holds all arrays
};

// The plain twin, reads like the paper. Twist and wrench in patch axes.
br_wrench distributed_eval_plain(const br_distributed* model, const double* z, br_twist v,
                                 double fn, double* dz);

// The fast twin of a law on a lattice with gamma = 2, or NULL where this processor has none.
typedef br_wrench (*distributed_eval_fn)(const br_distributed*, const double*, br_twist, double,
                                         double*);
distributed_eval_fn distributed_fast_path(const br_distributed* model);

#endif
