/*
 * Cells of a disc or ring that depends on the normal force.
 *
 * The cells of a disc keep their positions and their weights change with the force, as in W&K;
 * those of a ring keep their weights and move with its radius.
 */
#ifndef BRISTLE_PATCH_GROWTH_H
#define BRISTLE_PATCH_GROWTH_H

#include "bristle/patch.h"

#include "base/arena.h"
#include "patch/power_law.h"

typedef struct growth {
    br_patch_def def;       // of a disc or ring, which have no arrays
    double fn;              // the force for which the cells are valid [N]
    br_cells* cells;        // owned; at fn
    size_t* twin;           // owned; disc: a cell with the same weight by symmetry (count), or NULL
    power_law_table* table; // owned; disc with power law, covered cells, or NULL
    double* unit;           // owned; ring: x, then y of the cells at radius 1 (2 count), or NULL
} growth;

// Create the cells of a patch that depends on the force; the patch is not needed after that.
// BR_OK, BR_ERR_DEF (a disc that has no largest radius), BR_ERR_ARG or BR_ERR_MEMORY.
br_status bri_growth_create(const br_patch* patch, double fn, size_t resolution, growth** out,
                            br_reason* why);

// NULL is allowed.
void bri_growth_destroy(growth* grown);

// A copy for another force: it owns what bri_growth_at_force() changes; the rest is shared.
growth* bri_growth_copy(const growth* grown, arena* to);

// Update the cells to the force fn >= 0; NaN makes their weights NaN. 1 if anything changed.
int bri_growth_at_force(growth* grown, double fn);

#endif
