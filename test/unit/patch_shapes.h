/*
 * What the tests of patches and of cells share: definitions in one line, Gauss points.
 */
#ifndef BRISTLE_TEST_PATCH_SHAPES_H
#define BRISTLE_TEST_PATCH_SHAPES_H

#include "bristle/patch.h"
#include "check.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

// A closed form may lose a few roundings.
static const double closed = 1e-12; // relative

/* ---- helpers -------------------------------------------------------------------------------- */

static inline br_patch* make(br_patch_def def)
{
    br_reason why = {"", ""};
    br_patch* patch = NULL;
    if (br_patch_create(&def, &patch, &why) != BR_OK) {
        fail_msg("patch refused: %s: %s", why.field, why.text);
    }
    return patch;
}

static inline br_cells* cut(const br_patch* patch, double fn, size_t resolution)
{
    br_reason why = {"", ""};
    br_cells* cells = NULL;
    if (br_cells_create(patch, fn, resolution, &cells, &why) != BR_OK) {
        fail_msg("no cells: %s: %s", why.field, why.text);
    }
    return cells;
}

// Value of a patch that is not needed for longer.
static inline br_patch_value value_of(br_patch_def def)
{
    br_patch* patch = make(def);
    const br_patch_value value = br_patch_eval(patch, 1.0);
    br_patch_destroy(patch);
    return value;
}

static inline br_patch_def disc_def(double radius)
{
    br_patch_def def = br_patch_def_default();
    def.radius = br_by_force_constant(radius);
    return def;
}

static inline br_patch_def power_def(double k)
{
    br_patch_def def = disc_def(1.0);
    def.pressure = BR_PRESSURE_POWER;
    def.k = br_by_force_constant(k);
    return def;
}

static inline br_patch_def ring_def(double radius)
{
    br_patch_def def = disc_def(radius);
    def.shape = BR_SHAPE_RING;
    return def;
}

static inline br_patch_def ellipse_def(double a, double b)
{
    br_patch_def def = disc_def(a);
    def.shape = BR_SHAPE_ELLIPSE;
    def.ratio = b / a;
    return def;
}

static inline br_patch_def with_power(br_patch_def def, double k)
{
    def.pressure = BR_PRESSURE_POWER;
    def.k = br_by_force_constant(k);
    return def;
}

static inline br_patch_def rectangle_def(double size_x, double size_y)
{
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_RECTANGLE;
    def.size_x = size_x;
    def.size_y = size_y;
    return def;
}

static inline br_patch_def line_def(double length)
{
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_LINE;
    def.length = length;
    return def;
}

static inline br_patch_def polygon_def(const br_vec2* vertices, size_t count)
{
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_POLYGON;
    def.vertices = vertices;
    def.count = count;
    return def;
}

static inline br_patch_def points_def(const br_support_point* points, size_t count)
{
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_POINTS;
    def.points = points;
    def.count = count;
    return def;
}

static inline br_patch_def grid_def(double size_x, double size_y, size_t columns, size_t rows,
                                    const double* cells)
{
    br_patch_def def = rectangle_def(size_x, size_y);
    def.shape = BR_SHAPE_GRID;
    def.columns = columns;
    def.rows = rows;
    def.cells = cells;
    return def;
}

static inline br_patch_def with_linear(br_patch_def def, double from, double to)
{
    def.pressure = BR_PRESSURE_LINEAR;
    def.from = from;
    def.to = to;
    return def;
}

static inline br_patch_def with_slope(br_patch_def def, double from, double to, double angle)
{
    def = with_linear(def, from, to);
    def.slope_angle = angle;
    return def;
}

static inline br_patch_def triangles_def(const br_vec2* vertices, const double* pressures,
                                         size_t count, const uint32_t* triangles,
                                         size_t triangle_count)
{
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_TRIANGLES;
    def.vertices = vertices;
    def.pressures = pressures;
    def.count = count;
    def.triangles = triangles;
    def.triangle_count = triangle_count;
    return def;
}

// A tent over six triangles about a point, of both orientations, one without pressure.
static const br_vec2 tent_vertices[] = {{0.1, 0.2},   {1.0, 0.1},   {0.6, 0.9},  {-0.5, 0.8},
                                        {-0.9, -0.1}, {-0.4, -0.7}, {0.7, -0.6}, {1.5, -0.4}};
static const double tent_pressures[] = {3.0, 0.0, 0.5, 0.0, 1.0, 0.0, 0.0, 0.0};
static const uint32_t tent_triangles[] = {0, 1, 2, 0, 2, 3, 0, 4, 3, 0, 4,
                                          5, 0, 5, 6, 0, 6, 1, 1, 6, 7};

static inline br_patch_def tent_def(void)
{
    return triangles_def(tent_vertices, tent_pressures, COUNT(tent_vertices), tent_triangles,
                         COUNT(tent_triangles) / 3);
}

static const br_vec2 triangle[] = {{0.0, 0.0}, {0.03, 0.004}, {0.011, 0.025}};

// An L: the square [0, 2] x [0, 2] without its upper right quarter.
static const br_vec2 ell[] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};

// Far from the origin, not convex, no two edges alike.
static const br_vec2 arrow[] = {{5.0, 3.0}, {6.1, 3.4}, {6.9, 2.9}, {6.5, 4.6}, {5.3, 4.2}};

/* ---- an independent oracle: Gauss quadrature ------------------------------------------------- */

enum { NODES = 48 };
static double gauss_x[NODES], gauss_w[NODES]; // on 0..1

// Roots of the Legendre polynomial by Newton's method.
static inline void prepare_gauss(void)
{
    for (int i = 0; i < NODES; i++) {
        double x = cos(BR_PI * (i + 0.75) / (NODES + 0.5)), slope = 1.0;
        for (int round = 0; round < 20; round++) {
            double before = 1.0, here = x;
            for (int n = 2; n <= NODES; n++) {
                const double next = ((2 * n - 1) * x * here - (n - 1) * before) / n;
                before = here;
                here = next;
            }
            slope = NODES * (x * here - before) / (x * x - 1.0);
            x -= here / slope;
        }
        gauss_x[i] = 0.5 * (1.0 + x);
        gauss_w[i] = 1.0 / ((1.0 - x * x) * slope * slope);
    }
}

#endif
