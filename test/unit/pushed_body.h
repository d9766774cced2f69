/*
 * A body with an outline and a support below it, to be pushed.
 */
#ifndef BRISTLE_TEST_PUSHED_BODY_H
#define BRISTLE_TEST_PUSHED_BODY_H

#include "check.h"

#include <string.h>

#include "bristle/bristle.h"

typedef struct pushed_body {
    br_patch *shape, *support;
    br_limit* surface;
    br_outline* outline;
    br_pushing pushing;
} pushed_body;

static inline br_patch* make_patch(const br_patch_def* def)
{
    br_patch* patch;
    assert_status(br_patch_create(def, &patch, NULL), BR_OK);
    return patch;
}

static inline br_patch_def rectangle(double x, double y)
{
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_RECTANGLE;
    def.size_x = x;
    def.size_y = y;
    return def;
}

// The support is turned and off the body's origin, so that frames that are mixed up show.
static inline br_patch_def support_def(void)
{
    br_patch_def support = rectangle(0.09, 0.05);
    support.centre = (br_vec2){0.012, -0.004};
    support.angle = 0.4;
    return support;
}

enum { OWN_ELLIPSOID = -1 }; // as a method: the ellipsoid of br_pushing, not a surface

static inline void make_body_on(br_patch_def shape, br_patch_def support, int method, double radius,
                                pushed_body* b)
{
    memset(b, 0, sizeof *b);
    b->shape = make_patch(&shape);
    b->support = make_patch(&support);
    assert_status(br_outline_create(b->shape, 1.0, 0, &b->outline, NULL), BR_OK);
    b->pushing = br_pushing_default();
    if (method != OWN_ELLIPSOID) {
        br_limit_def def = br_limit_def_default();
        def.patch = b->support;
        def.method = (br_limit_method)method;
        def.n = 40;
        assert_status(br_limit_create(&def, &b->surface, NULL), BR_OK);
        b->pushing.surface = b->surface;
    } else {
        b->pushing.centre = support.centre;
        b->pushing.e_t = 1.1;
        b->pushing.e_o = 0.8;
        b->pushing.e_r = 0.03;
    }
    b->pushing.outline = b->outline;
    b->pushing.radius = radius;
}

static inline void make_body(br_patch_def shape, int method, double radius, pushed_body* b)
{
    make_body_on(shape, support_def(), method, radius, b);
}

static inline void destroy_body(pushed_body* b)
{
    br_limit_destroy(b->surface);
    br_outline_destroy(b->outline);
    br_patch_destroy(b->support);
    br_patch_destroy(b->shape);
}

#endif
