/*
 * Twists and wrenches at the CoP and at a point (x, y) of the patch, in the patch's axes.
 */
#ifndef BRISTLE_MATH_LEVER_H
#define BRISTLE_MATH_LEVER_H

#include "bristle/math.h"

// The twist at (x, y) of a body with the twist v at the CoP.
static inline br_twist lever_twist(br_twist v, double x, double y)
{
    return (br_twist){v.vx - v.w * y, v.vy + v.w * x, v.w};
}

// The wrench at the CoP of a wrench l at (x, y).
static inline br_wrench lever_wrench(br_wrench l, double x, double y)
{
    return (br_wrench){l.fx, l.fy, l.tau + x * l.fy - y * l.fx};
}

static inline void lever_add(br_wrench* sum, double s, br_wrench l)
{
    sum->fx += s * l.fx;
    sum->fy += s * l.fy;
    sum->tau += s * l.tau;
}

#endif
