/*
 * What the tests of patches that change with the normal force share: the patches, and contacts of them.
 */
#ifndef BRISTLE_TEST_GROWTH_SHAPES_H
#define BRISTLE_TEST_GROWTH_SHAPES_H

#include "bristle/contact.h"

#include <string.h>

#include "check.h"
#include "patch_shapes.h"
#include "poisoned.h"

// Radius 4 mm fn^(1/3), at most 10 mm: full at 15.6 N.
static inline br_patch_def growing_def(void)
{
    br_patch_def def = br_patch_def_default();
    def.radius = (br_by_force){0.004, 1.0 / 3.0, 0.01};
    return def;
}

static inline br_patch_def growing_power(double k_exponent)
{
    br_patch_def def = growing_def();
    def.pressure = BR_PRESSURE_POWER;
    def.k = (br_by_force){2.0, k_exponent, HUGE_VAL};
    return def;
}

static inline br_patch_def sampled(br_patch_def def)
{
    def.sampling = BR_SAMPLING_CENTRE;
    return def;
}

static inline br_patch_def growing_ring(void)
{
    br_patch_def def = with_linear(growing_def(), 1.0, 3.0);
    def.shape = BR_SHAPE_RING;
    return def;
}

static inline br_patch_def growing_ellipse(br_patch_def def)
{
    def.shape = BR_SHAPE_ELLIPSE;
    def.ratio = 0.6;
    def.slope_angle = def.pressure == BR_PRESSURE_LINEAR ? 0.5 : 0.0;
    return def;
}

// Placed aside, so that a CoP that moves shows in both coordinates.
static inline br_patch_def aside(br_patch_def def)
{
    def.centre = (br_vec2){0.02, -0.01};
    def.angle = 0.4;
    return def;
}

enum { KINDS = 8 };
static inline br_patch_def kind_of_growth(int kind)
{
    const br_patch_def defs[KINDS] = {growing_def(),
                                      growing_power(0.0),
                                      growing_power(1.0),
                                      sampled(growing_power(1.0)),
                                      aside(with_linear(growing_def(), 1.0, 0.2)),
                                      aside(growing_ring()),
                                      aside(growing_ellipse(with_linear(growing_def(), 1.0, 0.2))),
                                      growing_ellipse(growing_power(0.0))};
    return defs[kind];
}

static inline br_contact* make_contact(br_contact_def def)
{
    br_contact* contact = NULL;
    assert_status(br_contact_create(&def, &contact, NULL), BR_OK);
    return contact;
}

static inline br_contact* make_distributed(const br_patch* patch, size_t resolution, int plain)
{
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_DISTRIBUTED;
    def.patch = patch;
    def.resolution = resolution;
    def.plain = plain;
    return make_contact(def);
}

static inline br_contact* make_blocks(const br_patch* patch, int plain)
{
    br_contact_def def = br_contact_def_default();
    def.patch = patch;
    def.plain = plain;
    return make_contact(def);
}

// NULL: the ellipsoid of a disc of 10 mm radius.
static inline br_contact* make_reduced(const br_limit* surface, int plain)
{
    br_contact_def def = br_contact_def_default();
    def.method = surface ? BR_METHOD_REDUCED : BR_METHOD_ELLIPSOID;
    def.surface = surface;
    def.r = 0.02 / 3.0;
    def.u = 0.5 * 0.01 * 0.01;
    def.plain = plain;
    return make_contact(def);
}

// Where a contact can follow the force; free it with test_free().
static inline void* spread_memory(const br_contact* contact)
{
    const size_t size = br_contact_get_at_force_size(contact);
    assert_true(size > 0);
    return test_calloc(1, size);
}

static inline br_limit* make_limit(const br_patch* patch, br_limit_method method, double fn)
{
    br_limit_def def = br_limit_def_default();
    def.patch = patch;
    def.method = method;
    def.fn = fn;
    def.n = 8;
    br_limit* surface = NULL;
    assert_status(br_limit_create(&def, &surface, NULL), BR_OK);
    return surface;
}

static inline void fill_random(double* z, size_t count, double size)
{
    uint64_t seed = 7;
    for (size_t i = 0; i < count; i++) {
        z[i] = uniform(&seed, -size, size);
    }
}

static inline void assert_same_wrench(br_wrench a, br_wrench b, double force, double torque)
{
    assert_near(a.fx, b.fx, force);
    assert_near(a.fy, b.fy, force);
    assert_near(a.tau, b.tau, torque);
}

// Memory for the states of any of the contacts above.
enum { MOST = 4000 };

#endif
