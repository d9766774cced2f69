/*
 * The three planar models behind one face, so that all pass the same tests.
 */
#ifndef BRISTLE_TEST_PLANAR_MODELS_H
#define BRISTLE_TEST_PLANAR_MODELS_H

#include "planar_shapes.h"

enum { MOST_STATES = 96 };

// One of the three is set.
typedef struct any_model {
    br_distributed* cells;
    br_blocks* blocks;
    br_reduced* reduced;
    br_limit* surface; // of the reduced one; NULL: ellipsoid
    br_law law;
    size_t states;
    double angle; // of the axes that the state is in [rad]
} any_model;

static inline any_model make_cells(br_patch_def shape, br_law law)
{
    any_model m = {.law = law, .angle = shape.angle};
    br_patch* patch = make_patch(shape);
    br_distributed_def def = br_distributed_def_default();
    def.patch = patch, def.law = law, def.resolution = 5;
    assert_status(br_distributed_create(&def, &m.cells, NULL), BR_OK);
    br_patch_destroy(patch);
    m.states = 2 * br_distributed_get_count(m.cells);
    assert_true(m.states <= MOST_STATES);
    return m;
}

static inline any_model make_blocks(br_patch_def shape, br_law law, size_t across)
{
    any_model m = {.law = law, .angle = shape.angle};
    br_patch* patch = make_patch(shape);
    br_blocks_def def = br_blocks_def_default();
    def.patch = patch, def.law = law, def.blocks = across, def.resolution = 24;
    assert_status(br_blocks_create(&def, &m.blocks, NULL), BR_OK);
    br_patch_destroy(patch);
    m.states = 3 * br_blocks_get_count(m.blocks);
    assert_true(m.states <= MOST_STATES);
    return m;
}

// `patch` must outlive the model.
static inline any_model make_reduced(const br_patch* patch, br_limit_method method, br_law law)
{
    any_model m = {.law = law, .states = 3};
    br_limit_def surface = br_limit_def_default();
    surface.patch = patch, surface.method = method;
    assert_status(br_limit_create(&surface, &m.surface, NULL), BR_OK);
    br_reduced_def def = br_reduced_def_default();
    def.surface = m.surface, def.law = law;
    assert_status(br_reduced_create(&def, &m.reduced, NULL), BR_OK);
    return m;
}

static inline void destroy_model(any_model m)
{
    br_distributed_destroy(m.cells);
    br_blocks_destroy(m.blocks);
    br_reduced_destroy(m.reduced);
    br_limit_destroy(m.surface);
}

static inline br_wrench eval_model(const any_model* m, const double* z, br_twist v, double fn,
                                   double* dz)
{
    return m->cells    ? br_distributed_eval(m->cells, z, v, fn, dz)
           : m->blocks ? br_blocks_eval(m->blocks, z, v, fn, dz)
                       : br_reduced_eval(m->reduced, z, v, fn, dz);
}

static inline br_patch_value value_of(const any_model* m)
{
    return m->cells    ? br_distributed_get_patch_value(m->cells)
           : m->blocks ? br_blocks_get_patch_value(m->blocks)
                       : br_reduced_get_patch_value(m->reduced);
}

// What state i is to be divided by to be a deflection [m]: a length for spins; 0 in padding.
static inline double unit_of(const any_model* m, size_t i)
{
    if (m->cells) {
        return br_distributed_get_cell(m->cells, i % (m->states / 2)).weight > 0.0;
    }
    if (m->blocks) {
        const size_t n = m->states / 3;
        const br_blocks_block b = br_blocks_get_block(m->blocks, i % n);
        return i < 2 * n ? b.weight > 0.0 : sqrt(b.xx + b.yy);
    }
    return i < 2 ? 1.0 : value_of(m).r;
}

// Units of all states, worked out once.
static inline void fill_units(const any_model* m, double unit[MOST_STATES])
{
    for (size_t i = 0; i < m->states; i++) {
        unit[i] = unit_of(m, i);
    }
}

// Deflections up to `size` [m].
static inline void random_deflections(uint64_t* seed, const any_model* m, const double* unit,
                                      double size, double* z)
{
    for (size_t i = 0; i < m->states; i++) {
        z[i] = unit[i] * size * uniform(seed, -1.0, 1.0);
    }
}

#endif
