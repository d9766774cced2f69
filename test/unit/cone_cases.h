/*
 * Random cones, forces and polyhedra, the same on every machine.
 */
#ifndef BRISTLE_TEST_CONE_CASES_H
#define BRISTLE_TEST_CONE_CASES_H

#include "bristle/polyhedron.h"
#include "check.h"

static inline void random_vector(uint64_t* seed, double size, double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = uniform(seed, -size, size);
    }
}

static inline br_cone make_cone(double x, double y, double z, double mu)
{
    br_cone cone;
    assert_status(br_cone_init((double[]){x, y, z}, mu, &cone, NULL), BR_OK);
    return cone;
}

static inline br_cone random_cone(uint64_t* seed)
{
    double n[3];
    random_vector(seed, 1.0, n);
    return make_cone(n[0], n[1], n[2], exp(uniform(seed, -2.5, 1.0)));
}

static inline br_polyhedron make_polyhedron(br_cone cone, size_t faces, br_polyhedron_side side)
{
    br_polyhedron_def def = br_polyhedron_def_default();
    def.cone = cone;
    def.faces = faces;
    def.side = side;
    br_polyhedron out;
    assert_status(br_polyhedron_init(&def, &out, NULL), BR_OK);
    return out;
}

static inline double dot_of(const double* a, const double* b, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static inline double size_of(const double* a)
{
    return sqrt(dot_of(a, a, 3));
}

static inline double distance_of(const double* a, const double* b)
{
    const double difference[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return size_of(difference);
}

#endif
