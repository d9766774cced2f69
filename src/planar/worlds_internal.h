/*
 * Internals of worlds: what they share, the numbers of one world, and steps of one world at a time.
 */
#ifndef BRISTLE_PLANAR_WORLDS_INTERNAL_H
#define BRISTLE_PLANAR_WORLDS_INTERNAL_H

#include "bristle/step.h"
#include "bristle/worlds.h"

#include "limit/limit_internal.h"
#include "limit/smooth.h"
#include "planar/contact_internal.h"

// Step the worlds from `first` on, as many as there are lanes, of which `live` are within the arrays; a mask is obeyed.
typedef void worlds_in_lanes(const br_worlds* w, const br_worlds_arrays* a, size_t first,
                             size_t live, double h, size_t steps);

// A contact of one world: the template with this world's law, size and anisotropy.
typedef struct world_contact {
    br_contact contact;
    br_limit surface; // of a reduced contact of another size
    smooth table;
    double* parts; // of blocks of another size: x, y, t, per_t (4 n)
    double* z;     // state (3 n)
} world_contact;

struct br_worlds {
    br_worlds_def def; // its contacts are those below
    br_worlds_contact contacts[BR_WORLDS_CONTACTS];
    world_contact models[BR_WORLDS_CONTACTS]; // of the world that is computed
    double* numbers;                          // memory of the models, workspace of a step
    double* work;                             // of br_step_coupled(), within numbers
    int lanes;                                // worlds that are computed at a time
    worlds_in_lanes* in_lanes;                // NULL: one by one
};

// Contacts that lanes support; others are stepped one by one.
static inline int worlds_is_for_lanes(const br_contact* c)
{
    return c->def.method == BR_METHOD_ELLIPSOID && c->law.gamma == 2.0;
}

// Elements from a row to the next.
static inline size_t worlds_stride(const br_worlds_arrays* a)
{
    return a->stride > 0 ? a->stride : a->count;
}

static inline double worlds_get(const br_worlds* w, const void* from, size_t index)
{
    return w->def.type == BR_WORLDS_FLOAT ? (double)((const float*)from)[index]
                                          : ((const double*)from)[index];
}

static inline void worlds_put(const br_worlds* w, void* to, size_t index, double value)
{
    if (w->def.type == BR_WORLDS_FLOAT) {
        ((float*)to)[index] = (float)value;
    } else {
        ((double*)to)[index] = value;
    }
}

// The number of world i, or the one that all share.
static inline double worlds_number(const br_worlds* w, const void* from, size_t i, double shared)
{
    return from ? worlds_get(w, from, i) : shared;
}

// The index in fn, and of the first number of the load, of world i in step k.
static inline size_t worlds_fn_index(const br_worlds_arrays* a, size_t contact, size_t i, size_t k)
{
    return (a->contacts[contact].fn_steps > 1 ? k * worlds_stride(a) : 0) + i;
}

static inline size_t worlds_load_index(const br_worlds_arrays* a, size_t i, size_t k)
{
    return (a->load_steps > 1 ? 3 * k * worlds_stride(a) : 0) + i;
}

// The law of world i.
br_law bri_worlds_law(const br_worlds* w, const br_worlds_arrays* a, size_t contact, size_t i);

// Set the contacts of world i: w->models.
void bri_worlds_set_models(br_worlds* w, const br_worlds_arrays* a, size_t i);

// Where a contact is in a world whose body is at `pose`: arm of the CoP from the centre of mass in the world's axes [m], and
// the angle of the contact frame [rad].
typedef struct world_position {
    br_vec2 arm;
    double angle;
} world_position;
world_position bri_worlds_position(const br_worlds* w, const br_worlds_arrays* a, size_t contact,
                                   size_t i, br_pose pose);

// Steps of world i by br_step_coupled(): the plain twin, and what lanes do not support.
void bri_worlds_step_one(br_worlds* w, const br_worlds_arrays* a, size_t i, double h, size_t steps);

// Slip state, slip rate and load of the contacts of world i, where requested.
void bri_worlds_report_slip(br_worlds* w, const br_worlds_arrays* a, size_t i, size_t last_step);

#endif
