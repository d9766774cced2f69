/*
 * What the tests of limit surfaces share: surfaces in one line, a choice of patches, random twists.
 */
#ifndef BRISTLE_TEST_LIMIT_SHAPES_H
#define BRISTLE_TEST_LIMIT_SHAPES_H

#include "bristle/limit.h"
#include "patch_shapes.h"

// A patch with its exact surface and numbers.
typedef struct sample {
    const char* name;
    br_patch* patch;
    br_limit* surface;
    br_patch_value value;
} sample;

static inline br_limit* limit_of(const br_patch* patch)
{
    br_limit_def def = br_limit_def_default();
    def.patch = patch;
    br_reason why = {"", ""};
    br_limit* surface = NULL;
    if (br_limit_create(&def, &surface, &why) != BR_OK) {
        fail_msg("surface refused: %s: %s", why.field, why.text);
    }
    return surface;
}

static inline sample make_sample(const char* name, br_patch_def def)
{
    br_patch* patch = make(def);
    br_limit* surface = limit_of(patch);
    return (sample){name, patch, surface, br_limit_get_patch_value(surface)};
}

static inline void destroy_sample(sample s)
{
    br_limit_destroy(s.surface);
    br_patch_destroy(s.patch);
}

static const br_support_point tripod[] = {{0.0, 0.0, 0.5}, {0.03, 0.0, 0.2}, {0.01, 0.02, 0.3}};
static const br_support_point dumbbell[] = {{-1.0, 0.0, 1.0}, {2.0, 1.0, 3.0}};
static const br_support_point five[] = {
    {0, 0, 1}, {1, 0, 2}, {0, 1, 0.5}, {-1, -0.5, 1}, {0.3, 0.2, 0.1}};

enum { GRID_SIDE = 21, CHOICES = 28 };

// A disc's pressure on a grid, with a slope: no two rows or columns alike.
static inline const double* sloping_cells(void)
{
    static double cells[GRID_SIDE * GRID_SIDE];
    for (int i = 0; i < GRID_SIDE * GRID_SIDE; i++) {
        const double x = (i % GRID_SIDE - 10) / 10.5, y = (i / GRID_SIDE - 10) / 10.5;
        const double rho2 = x * x + y * y;
        cells[i] = rho2 < 1.0 ? (1.0 + 0.3 * x - 0.2 * y) * sqrt(1.0 - rho2) : 0.0;
    }
    return cells;
}

static inline br_patch_def placed(br_patch_def def, double x, double y, double angle)
{
    def.centre = (br_vec2){x, y};
    def.angle = angle;
    return def;
}

// One of the patches that the properties are tried on.
static inline sample choice(int index)
{
    static const double cells[] = {1, 0, 2, 0.5, 3, 1, 0, 0, 4, 1, 1, 2};
    const struct {
        const char* name;
        br_patch_def def;
    } all[CHOICES] = {
        {"disc", placed(disc_def(0.01), 1.0, 2.0, 0.3)},
        {"ring", placed(ring_def(3.0), 0.0, 0.0, 1.0)},
        {"power k = 2", power_def(2.0)},
        {"power k = 4", power_def(4.0)},
        {"power k = 0.7", power_def(0.7)},
        {"linear disc", placed(with_linear(disc_def(2.0), 0.5, 1.0), 0.0, 1.0, 2.0)},
        {"steep disc", with_linear(disc_def(1.0), 0.0, 1.0)},
        {"linear ring", placed(with_linear(ring_def(1.0), 1.0, 0.2), 3.0, 0.0, -1.0)},
        {"line", placed(line_def(0.02), 0.1, 0.1, 0.7)},
        {"linear line", placed(with_linear(line_def(2.0), 1.0, 0.0), 0.1, 0.1, 0.7)},
        {"square", rectangle_def(1.0, 1.0)},
        {"rectangle", placed(rectangle_def(0.15, 0.02), 0.5, -1.0, 0.4)},
        {"linear rectangle", placed(with_linear(rectangle_def(2.0, 1.0), 0.2, 1.0), 1.0, 1.0, 4.0)},
        {"triangle", polygon_def(triangle, COUNT(triangle))},
        {"ell", placed(polygon_def(ell, COUNT(ell)), 0.0, 0.0, 2.5)},
        {"linear arrow", with_linear(polygon_def(arrow, COUNT(arrow)), 1.0, 0.1)},
        {"tripod", placed(points_def(tripod, COUNT(tripod)), 0.3, 0.2, 0.1)},
        {"dumbbell", points_def(dumbbell, COUNT(dumbbell))},
        {"five points", placed(points_def(five, COUNT(five)), 1.0, 1.0, 1.0)},
        {"grid", placed(grid_def(0.4, 0.3, 4, 3, cells), 0.0, 0.0, 0.2)},
        {"column", grid_def(0.01, 0.3, 1, 12, cells)},
        {"grid21", grid_def(0.02, 0.02, GRID_SIDE, GRID_SIDE, sloping_cells())},
        {"ellipse", placed(ellipse_def(0.02, 0.008), 0.1, 0.2, 0.5)},
        {"upright ellipse", ellipse_def(0.3, 2.0)},
        {"Hertz's ellipse", with_power(ellipse_def(3.0, 1.0), 2.0)},
        {"power ellipse", with_power(ellipse_def(0.01, 0.005), 3.0)},
        {"linear ellipse", placed(with_slope(ellipse_def(1.0, 0.6), 0.2, 1.0, 0.7), 1.0, 0.0, 1.0)},
        {"triangles", placed(tent_def(), 0.5, 0.1, 2.0)},
    };
    return make_sample(all[index].name, all[index].def);
}

// A twist with the CoR at any distance: within the patch, about it, or far away.
static inline br_twist random_twist(uint64_t* seed, double r)
{
    const double distance =
        r * pow(10.0, uniform(seed, -2.0, uniform(seed, 0.0, 1.0) < 0.8 ? 1.0 : 5.0));
    const double phi = uniform(seed, -BR_PI, BR_PI), w = uniform(seed, -1.0, 1.0);
    const double size = pow(10.0, uniform(seed, -6.0, 3.0)) / (distance + r);
    return (br_twist){size * w * distance * cos(phi), size * w * distance * sin(phi), size * w};
}

static inline double power_of(br_wrench f, br_twist v)
{
    return f.fx * v.vx + f.fy * v.vy + f.tau * v.w;
}

// What dissipation is measured by.
static inline double speed_of(br_twist v, double r)
{
    return hypot(v.vx, v.vy) + r * fabs(v.w);
}

static inline br_twist twist_add(br_twist a, br_twist b, double s)
{
    return (br_twist){a.vx + s * b.vx, a.vy + s * b.vy, a.w + s * b.w};
}

static inline br_twist twist_scale(double s, br_twist a)
{
    return (br_twist){s * a.vx, s * a.vy, s * a.w};
}

// Distance between wrenches, torque over r.
static inline double wrench_distance(br_wrench a, br_wrench b, double r)
{
    return hypot(hypot(a.fx - b.fx, a.fy - b.fy), (a.tau - b.tau) / r);
}

#endif
