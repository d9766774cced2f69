/*
 * Cell grids, parameters, stored runs and tolerances of W&K, for the models compared with golden/wk.
 */
#ifndef BRISTLE_TEST_WK_H
#define BRISTLE_TEST_WK_H

#include "table.h"

#include "bristle/law.h"
#include "bristle/patch.h"

enum { N = 21 };

static const char* folder;
static table golden;

// Required: 1e-5 N, and 1e-5 of the largest torque (here of 1 N at r <= 8 mm).
static const double force_tolerance = 1e-5;         // [N]
static const double torque_tolerance = 1e-5 * 6e-3; // [N m]

// A stored grid of cells, over a square of this edge [m].
static inline br_patch* read_surface_of(const char* name, double edge)
{
    char file[64];
    static double cells[N * N];
    snprintf(file, sizeof file, "surface_%s.csv", name);
    table_read(&golden, folder, file);
    memset(cells, 0, sizeof cells);
    for (size_t i = 0; i < golden.rows; i++) {
        const int column = (int)table_get(&golden, i, "ix"), row = (int)table_get(&golden, i, "iy");
        cells[row * N + column] = table_get(&golden, i, "fn_cell");
    }
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_GRID;
    def.size_x = def.size_y = edge;
    def.columns = def.rows = N;
    def.cells = cells;
    br_patch* patch = NULL;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    return patch;
}

static inline br_patch* read_surface(const char* name)
{
    return read_surface_of(name, 0.02);
}

// Table I of W&K
static inline br_law table_one(int p, int elasto_plastic)
{
    br_law law = br_law_default(elasto_plastic ? BR_LAW_ELASTO_PLASTIC : BR_LAW_LUGRE);
    law.mu_s = p ? 1.2 : 1.0;
    law.sigma2 = p ? 0.2 : 0.0;
    return law;
}

// The stored run of a surface, into `golden`.
static inline void read_run(const char* name, int p, int elasto_plastic)
{
    char file[64];
    snprintf(file, sizeof file, "vel_cont_%s_p%d_%s.csv", name, p, elasto_plastic ? "ep" : "lugre");
    table_read(&golden, folder, file);
}

#endif
