/*
 * Rotation between the axes of the contact frame and those of a patch at an angle.
 */
#ifndef BRISTLE_MATH_AXES_H
#define BRISTLE_MATH_AXES_H

#include "bristle/math.h"

// Cosine and sine of the patch's angle in the contact frame.
typedef struct axes {
    double cosine, sine;
} axes;

static inline axes axes_of(double angle)
{
    return (axes){cos(angle), sin(angle)};
}

// A twist at the CoP, from the contact frame's axes to the patch's.
static inline br_twist axes_enter(axes a, br_twist v)
{
    return (br_twist){a.cosine * v.vx + a.sine * v.vy, a.cosine * v.vy - a.sine * v.vx, v.w};
}

// A vector, from the patch's axes to the contact frame's.
static inline br_vec2 axes_turn(axes a, br_vec2 b)
{
    return (br_vec2){a.cosine * b.x - a.sine * b.y, a.sine * b.x + a.cosine * b.y};
}

// A wrench at the CoP, from the patch's axes to the contact frame's.
static inline br_wrench axes_leave(axes a, br_wrench f)
{
    const br_vec2 force = axes_turn(a, (br_vec2){f.fx, f.fy});
    return (br_wrench){force.x, force.y, f.tau};
}

// The contact frame's axes in those of the patch.
static inline axes axes_back(axes a)
{
    return (axes){a.cosine, -a.sine};
}

// The axes of a seen in those of b.
static inline axes axes_between(axes a, axes b)
{
    return (axes){a.cosine * b.cosine + a.sine * b.sine, a.sine * b.cosine - a.cosine * b.sine};
}

#endif
