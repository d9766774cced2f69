/*
 * Integrals of a function whose singularities in the complex plane are known: Gauss rules on
 * intervals that shrink towards them.
 */
#ifndef BRISTLE_MATH_GRADED_H
#define BRISTLE_MATH_GRADED_H

#include <stddef.h>

// A pair of singularities at + i away and at - i away.
typedef struct graded_point {
    double at;
    double away; // >= 0, may be infinite
} graded_point;

enum { GRADED_MAX_POINTS = 12 };

// Called for each node x of the rule, with its weight.
typedef void (*graded_function)(double x, double weight, void* data);

// Call f at the nodes of a rule on from..to. The sum of f(x) weight is the integral to rounding error
// where f has no other singularities as near as those points. A singularity within 1e-9 of
// the interval counts as one at that distance: what remains is below rounding error where f itself
// is finite there.
void bri_graded_nodes(const graded_point* points, size_t count, double from, double to,
                      graded_function f, void* data);

#endif
