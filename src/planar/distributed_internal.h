/*
 * The inside of a distributed model: cells in spans of a lattice's rows, ready for vectors of four.
 */
#ifndef BRISTLE_PLANAR_DISTRIBUTED_INTERNAL_H
#define BRISTLE_PLANAR_DISTRIBUTED_INTERNAL_H

#include "bristle/distributed.h"

#include "contact/growth.h"
#include "limit/corners.h"
#include "planar/axes.h"
#include "planar/law_numbers.h"

#include <stdint.h>

enum { LANES = 4 }; // doubles in a vector

// Sums over the cells: w, w x, w y, w |rho|^2; the last is u, the first 1.
typedef struct moments {
    double one, x, y, square;
} moments;

struct step_pass;  // of an implicit step, step_internal.h
struct step_force; //

struct br_distributed {
    br_law law;
    law_numbers numbers;
    br_patch_value value; // CoP, r, u as sums over the cells
    br_pose pose;         // of the patch in the contact frame
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
    void (*gradient)(const br_distributed* model, const double* z, br_twist v,
                     const br_distributed_gradient* out);
    void (*pass)(const br_distributed* model, const struct step_pass* in, struct step_force* out);
    void* memory; // the block that holds all arrays

    // of a patch that depends on the force, else NULL
    growth* growth; // its cells
    size_t* slot;   // of each of them: its place among the model's
};

// The plain twin, reads like the paper. Twist and wrench in patch axes.
br_wrench distributed_eval_plain(const br_distributed* model, const double* z, br_twist v,
                                 double fn, double* dz);

// beta(z, v) of a cell, (16)-(18): how plastic its bristle is. g is that of |v|.
double distributed_beta(const br_law* law, br_vec2 z, br_vec2 v, double g);

// The plain derivatives. Twist in patch axes.
void distributed_gradient_plain(const br_distributed* model, const double* z, br_twist v,
                                const br_distributed_gradient* out);

// Squares of such speeds overflow; the plain twins do without squares.
static inline int distributed_is_too_fast(const br_distributed* m, br_twist v)
{
    return fabs(v.vx) + fabs(v.vy) + fabs(v.w) * sqrt(m->value.u) > 1e100;
}

// The fast twin of a law on a lattice with gamma = 2, or NULL where this processor has none.
typedef br_wrench (*distributed_eval_fn)(const br_distributed*, const double*, br_twist, double,
                                         double*);
distributed_eval_fn distributed_fast_path(const br_distributed* model);

// The fast twin of the derivatives: gamma = 2 and such speeds that their squares do not overflow, or
// NULL where this processor has none.
typedef void (*distributed_gradient_fn)(const br_distributed*, const double*, br_twist,
                                        const br_distributed_gradient*);
distributed_gradient_fn distributed_fast_gradient(const br_distributed* model);
// A pass of an implicit step: the plain twin, and the fast one of gamma = 2 for the whole law, or the
// plain one where this processor has none.
typedef void (*distributed_pass_fn)(const br_distributed*, const struct step_pass*,
                                    struct step_force*);
void distributed_pass_plain(const br_distributed* model, const struct step_pass* in,
                            struct step_force* out);
distributed_pass_fn distributed_fast_pass(const br_distributed* model);

#endif
