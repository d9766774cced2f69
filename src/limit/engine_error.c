/*
 * Error of a physics engine's limit surface against the exact one.
 *
 * In (fx, fy, tau/r), over mu fn. Holding: in a direction l of load, a surface is 1/gauge(l) from
 * the origin. Sliding: wrenches of the same twist, as in error.c. The means are over directions
 * uniform on the sphere; the maxima include the axes, edges and corners of the cube, where the
 * engines' surfaces have theirs. If all force is in one point, the directions are in the plane.
 *
 * A direction costs sums over all parts of the surfaces, faces or edges: where these have more than 256 parts, there are
 * fewer directions, so that the work stays the same.
 */
#include "limit/engine_internal.h"

enum { MOST_DIRECTIONS = 4096, LEAST_DIRECTIONS = 256, WORK = 4096 * 256, CUBE = 27 };

typedef struct comparison {
    const br_engine* engine;
    double r; // [m]; 0: a point
    int directions;
    double sum[2]; // errors in holding and in sliding
    double max[2]; // the largest, the same
} comparison;

static double holding_error(const comparison* c, const double l[3])
{
    const br_wrench load = {l[0], l[1], l[2] * c->r};
    return fabs(1.0 / br_engine_gauge(c->engine, load) -
                1.0 / br_limit_gauge(c->engine->exact, load, NULL));
}

static double slide_error(const comparison* c, const double x[3])
{
    const double arm = c->r > 0.0 ? 1.0 / c->r : 0.0;
    const br_twist v = {x[0], x[1], x[2] * arm};
    const br_wrench a = br_engine_eval(c->engine, v).wrench;
    const br_wrench b = br_limit_eval(c->engine->exact, v).wrench;
    return hypot(hypot(a.fx - b.fx, a.fy - b.fy), (a.tau - b.tau) * arm);
}

// Compare one direction, which has this weight in the means.
static void compare(comparison* c, const double l[3], double weight)
{
    const double error[2] = {holding_error(c, l), slide_error(c, l)};
    for (int i = 0; i < 2; i++) {
        c->sum[i] += weight * error[i];
        c->max[i] = fmax(c->max[i], error[i]);
    }
}

// Direction k of the spiral with the golden angle; for a point the same on the circle.
static void compare_spiral(comparison* c, int k)
{
    const double z = c->r > 0.0 ? 1.0 - (2.0 * k + 1.0) / c->directions : 0.0;
    const double angle =
        c->r > 0.0 ? k * BR_PI * (3.0 - sqrt(5.0)) : 2.0 * BR_PI * k / c->directions;
    const double side = sqrt(1.0 - z * z), l[3] = {side * cos(angle), side * sin(angle), z};
    compare(c, l, 1.0 / c->directions);
}

// Number k of the 27 directions with components -1, 0 or 1.
static void compare_cube(comparison* c, int k)
{
    const double at[3] = {k % 3 - 1, k / 3 % 3 - 1, c->r > 0.0 ? k / 9 - 1 : 0};
    const double size = sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
    const double l[3] = {at[0] / size, at[1] / size, at[2] / size};
    if (size > 0.0) {
        compare(c, l, 0.0);
    }
}

static int count_directions(const br_engine* engine)
{
    const br_patch* faces = engine->points;
    const size_t parts =
        br_patch_get_def(engine->def.patch)->count + (faces ? br_patch_get_def(faces)->count : 0);
    const size_t count = WORK / (parts + 1);
    return count > MOST_DIRECTIONS    ? MOST_DIRECTIONS
           : count < LEAST_DIRECTIONS ? LEAST_DIRECTIONS
                                      : (int)count;
}

br_engine_error br_engine_get_error(const br_engine* engine)
{
    BR_ASSERT(engine);
    comparison c = {.engine = engine, .r = engine->value.r, .directions = count_directions(engine)};
    for (int k = 0; k < c.directions; k++) {
        compare_spiral(&c, k);
    }
    for (int k = 0; k < CUBE; k++) {
        compare_cube(&c, k);
    }
    return (br_engine_error){c.max[0], c.sum[0], c.max[1], c.sum[1]};
}
