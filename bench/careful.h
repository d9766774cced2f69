/*
 * Hand-optimised reference: the cells of a distributed contact in one loop over arrays, compiled
 * with -O3 -march=native -ffast-math. Our kernel is compared with it.
 *
 * Built only if BRISTLE_BENCH_NATIVE is on, since it runs only on this type of processor.
 */
#ifndef BRISTLE_BENCH_CAREFUL_H
#define BRISTLE_BENCH_CAREFUL_H

#include "bristle/contact.h"

// The cells of a contact that carry force, array by array.
typedef struct careful_cells {
    size_t count;
    double* memory;
    double *x, *y, *weight; // position from the CoP [m], share of the force [-]
    double *zx, *zy;        // bristles [m]
    double *dzx, *dzy;      // their rates [m/s]
} careful_cells;

// Copy the live cells of a contact in the state z. 0: no memory.
int careful_cells_copy(const br_contact* contact, const double* z, careful_cells* out);
void careful_cells_clear(careful_cells* cells);

// As br_contact_eval(), for laws with gamma = 2; rates go to dzx, dzy.
br_wrench careful_lugre_eval(const careful_cells* cells, const br_law* law, br_twist v, double fn);
br_wrench careful_plastic_eval(const careful_cells* cells, const br_law* law, br_twist v,
                               double fn);

#endif
