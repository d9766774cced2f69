/*
 * Patches for the tests of the planar models, and random twists.
 */
#ifndef BRISTLE_TEST_PLANAR_SHAPES_H
#define BRISTLE_TEST_PLANAR_SHAPES_H

#include "check.h"
#include "poisoned.h"

#include "bristle/bristle.h"

static const br_vec2 corner_shape[] = {{0.0, 0.0},     {0.02, 0.0},   {0.02, 0.005},
                                       {0.006, 0.005}, {0.006, 0.02}, {0.0, 0.02}};
static const br_support_point tripod[] = {
    {0.01, 0.0, 1.0}, {-0.004, 0.007, 2.0}, {-0.003, -0.009, 1.5}};

enum { DISC, HERTZ, CORNER, LINE, POINTS, RING, PATCHES };

// A handful of patches: round, with non-uniform pressure, non-convex and turned, a line, points, a ring.
static inline br_patch_def patch_def(int which)
{
    br_patch_def def = br_patch_def_default();
    switch (which) {
    case HERTZ:
        def.pressure = BR_PRESSURE_POWER;
        def.k = br_by_force_constant(2.0);
        break;
    case CORNER:
        def.shape = BR_SHAPE_POLYGON;
        def.count = sizeof corner_shape / sizeof *corner_shape;
        def.vertices = corner_shape;
        def.pressure = BR_PRESSURE_LINEAR;
        def.from = 1.0, def.to = 3.0;
        def.angle = 0.7;
        def.centre = (br_vec2){0.1, -0.2};
        break;
    case LINE:
        def.shape = BR_SHAPE_LINE;
        def.length = 0.02;
        break;
    case POINTS:
        def.shape = BR_SHAPE_POINTS;
        def.count = 3;
        def.points = tripod;
        break;
    case RING:
        def.shape = BR_SHAPE_RING;
        break;
    default:
        break;
    }
    return def;
}

static inline br_patch* make_patch(br_patch_def def)
{
    br_patch* patch = NULL;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    return patch;
}

// Slides and spins at some `speed` [m/s].
static inline br_twist random_twist(uint64_t* seed, double speed)
{
    return (br_twist){speed * uniform(seed, -1.0, 1.0), speed * uniform(seed, -1.0, 1.0),
                      speed / 0.007 * uniform(seed, -1.0, 1.0)};
}

#endif
