/*
 * Cells of a patch that changes: a disc, ellipse or ring that depends on the normal force, or triangles whose
 * pressures come from elsewhere.
 *
 * The cells of a disc keep their positions and their weights change with the force, as in W&K;
 * those of a ring keep their weights and move with its radius. Those of triangles move and change with them.
 */
#ifndef BRISTLE_PATCH_GROWTH_H
#define BRISTLE_PATCH_GROWTH_H

#include "bristle/patch.h"

#include "base/arena.h"
#include "patch/power_law.h"

typedef struct growth {
    br_patch_def def;       // of a round patch, which has no arrays, or of `mesh`
    double fn;              // the force for which the cells are valid [N]
    double rules_at;        // the force whose rules of integration are used [N]; 0: its own
    br_cells* cells;        // owned; at fn
    size_t* twin;           // owned; disc: a cell with the same weight by symmetry (count), or NULL
    power_law_table* table; // owned; disc with power law, covered cells, or NULL
    double* unit;           // owned; ring: x, then y of the cells at radius 1 (2 count), or NULL
    uint32_t* parts;        // owned; triangles: how each is divided, see mesh.h, or NULL
    const br_patch* mesh;   // shared; triangles: the patch itself, or NULL
} growth;

// Create the cells of a patch that depends on the force, or of triangles; the patch may be destroyed after that.
// BR_OK, BR_ERR_DEF (a disc that has no largest radius), BR_ERR_ARG or BR_ERR_MEMORY.
br_status bri_growth_create(const br_patch* patch, double fn, size_t resolution, growth** out,
                            br_reason* why);

// NULL is allowed.
void bri_growth_destroy(growth* grown);

// A copy for another force: it owns what bri_growth_at_force() changes; the rest is shared.
growth* bri_growth_copy(const growth* grown, arena* to);

// Update the cells of triangles to other vertices and pressures (as many as the patch has); without any pressure
// they stay as they are.
void bri_growth_at_pressure(growth* grown, const br_vec2* vertices, const double* pressures);

// Update the cells to the force fn >= 0; NaN makes their weights NaN. 1 if anything changed.
int bri_growth_at_force(growth* grown, double fn);

#endif
