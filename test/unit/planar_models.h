/*
 * Planar contacts of every method behind one face, so that all pass the same tests.
 */
#ifndef BRISTLE_TEST_PLANAR_MODELS_H
#define BRISTLE_TEST_PLANAR_MODELS_H

#include "planar_shapes.h"

enum { MOST_STATES = 96 };

// A contact with what it borrows.
typedef struct any_model {
    br_contact* contact;
    br_limit* surface; // of a reduced one
    br_method method;
    br_law law;
    size_t states, parts;
} any_model;

static inline any_model make_any(br_contact_def def, br_limit* surface)
{
    any_model m = {.surface = surface, .method = def.method, .law = def.law};
    def.surface = surface;
    assert_status(br_contact_create(&def, &m.contact, NULL), BR_OK);
    m.states = br_contact_get_state_count(m.contact);
    m.parts = br_contact_get_part_count(m.contact);
    assert_true(m.states <= MOST_STATES);
    return m;
}

static inline any_model make_parts(br_patch_def shape, br_method method, br_law law, size_t across)
{
    br_patch* patch = make_patch(shape);
    br_contact_def def = br_contact_def_default();
    def.patch = patch, def.method = method, def.law = law, def.resolution = across;
    const any_model m = make_any(def, NULL);
    br_patch_destroy(patch);
    return m;
}

static inline any_model make_cells(br_patch_def shape, br_law law)
{
    return make_parts(shape, BR_METHOD_DISTRIBUTED, law, 5);
}

static inline any_model make_blocks(br_patch_def shape, br_law law, size_t across)
{
    return make_parts(shape, BR_METHOD_BLOCKS, law, across);
}

// `patch` must outlive the model.
static inline any_model make_reduced(const br_patch* patch, br_limit_method method, br_law law)
{
    br_limit_def surface = br_limit_def_default();
    br_limit* made = NULL;
    surface.patch = patch, surface.method = method;
    assert_status(br_limit_create(&surface, &made, NULL), BR_OK);
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_REDUCED, def.law = law;
    return make_any(def, made);
}

static inline void destroy_model(any_model m)
{
    br_contact_destroy(m.contact);
    br_limit_destroy(m.surface);
}

static inline br_wrench eval_model(const any_model* m, const double* z, br_twist v, double fn,
                                   double* dz)
{
    return br_contact_eval(m->contact, z, v, fn, dz);
}

static inline br_patch_value value_of(const any_model* m)
{
    return br_contact_get_patch_value(m->contact);
}

// What state i is to be divided by to be a deflection [m]: a length for spins; 0 in padding.
static inline double unit_of(const any_model* m, size_t i)
{
    const br_contact_part part = br_contact_get_part(m->contact, i % m->parts);
    if (i < 2 * m->parts) {
        return part.weight > 0.0;
    }
    return m->method == BR_METHOD_REDUCED ? value_of(m).r : sqrt(part.xx + part.yy);
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
