/*
 * How far a physics engine's limit surface is from the exact one.
 *
 * In (fx, fy, tau/r), over mu fn. What is held: along a direction l of load the surfaces are 1/gauge(l) away from
 * the origin. What a body that slides meets: the wrenches that belong to its twist, as in error.c. Directions are
 * spread evenly over the sphere by a spiral; its mean is theirs. Axes, edges and corners of the cube, where engines'
 * surfaces have theirs, count for the largest. All force in one point: there are directions in the plane alone.
 */
#include "limit/engine_internal.h"

enum { DIRECTIONS = 4096, CUBE = 27 };

typedef struct comparison {
    const br_engine* engine;
    double r;       // [m]; 0: a point
    double sum[2];  // of what is held, and of what slides
    double most[2]; // the same
} comparison;

static double held_error(const comparison* c, const double l[3])
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

// A direction, which counts for the means by its weight.
static void compare(comparison* c, const double l[3], double weight)
{
    const double error[2] = {held_error(c, l), slide_error(c, l)};
    for (int i = 0; i < 2; i++) {
        c->sum[i] += weight * error[i];
        c->most[i] = fmax(c->most[i], error[i]);
    }
}

// Direction k of the spiral with the golden angle; for a point the same on the circle.
static void compare_spiral(comparison* c, int k)
{
    const double z = c->r > 0.0 ? 1.0 - (2.0 * k + 1.0) / DIRECTIONS : 0.0;
    const double angle = c->r > 0.0 ? k * BR_PI * (3.0 - sqrt(5.0)) : 2.0 * BR_PI * k / DIRECTIONS;
    const double side = sqrt(1.0 - z * z), l[3] = {side * cos(angle), side * sin(angle), z};
    compare(c, l, 1.0 / DIRECTIONS);
}

// Number k of the 27 that have -1, 0 or 1 in each place.
static void compare_cube(comparison* c, int k)
{
    const double at[3] = {k % 3 - 1, k / 3 % 3 - 1, c->r > 0.0 ? k / 9 - 1 : 0};
    const double size = sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
    const double l[3] = {at[0] / size, at[1] / size, at[2] / size};
    if (size > 0.0) {
        compare(c, l, 0.0);
    }
}

br_engine_error br_engine_get_error(const br_engine* engine)
{
    BR_ASSERT(engine);
    comparison c = {.engine = engine, .r = engine->value.r};
    for (int k = 0; k < DIRECTIONS; k++) {
        compare_spiral(&c, k);
    }
    for (int k = 0; k < CUBE; k++) {
        compare_cube(&c, k);
    }
    return (br_engine_error){c.most[0], c.sum[0], c.most[1], c.sum[1]};
}
