/*
 * Linear maps of the plane: how velocities enter a contact's bristles, and forces leave them.
 *
 * A map M takes velocities u = M v. The power f.v = f'.u is the same on both sides, so forces leave by f = M^T f'.
 * Velocities of a rigid motion are v + w J rho, J the quarter turn, so positions map by J^-1 M J, the cofactors of M:
 * M (v + w J rho) = M v + w J cof(M) rho, and the torque rho x f = cof(M) rho x f' is the same. A rotation is its own cof(M).
 */
#ifndef BRISTLE_MATH_MAP2_H
#define BRISTLE_MATH_MAP2_H

#include "math/axes.h"

// Rows (xx, xy), (yx, yy).
typedef struct map2 {
    double xx, xy, yx, yy;
} map2;

// From the contact frame's axes into those at an angle: a rotation.
static inline map2 map2_of_axes(axes a)
{
    return (map2){a.cosine, a.sine, -a.sine, a.cosine};
}

// M b
static inline br_vec2 map2_apply(map2 m, br_vec2 b)
{
    return (br_vec2){m.xx * b.x + m.xy * b.y, m.yx * b.x + m.yy * b.y};
}

static inline map2 map2_transpose(map2 m)
{
    return (map2){m.xx, m.yx, m.xy, m.yy};
}

// M^T b
static inline br_vec2 map2_apply_transposed(map2 m, br_vec2 b)
{
    return (br_vec2){m.xx * b.x + m.yx * b.y, m.xy * b.x + m.yy * b.y};
}

// a b
static inline map2 map2_multiply(map2 a, map2 b)
{
    return (map2){a.xx * b.xx + a.xy * b.yx, a.xx * b.xy + a.xy * b.yy, a.yx * b.xx + a.yy * b.yx,
                  a.yx * b.xy + a.yy * b.yy};
}

// det(M) M^-T = J^-1 M J: how positions map
static inline map2 map2_cofactors(map2 m)
{
    return (map2){m.yy, -m.yx, -m.xy, m.xx};
}

// A twist at the CoP, from the contact frame to the bristles: (M v, w).
static inline br_twist map2_enter(map2 m, br_twist v)
{
    return (br_twist){m.xx * v.vx + m.xy * v.vy, m.yx * v.vx + m.yy * v.vy, v.w};
}

// A wrench at the CoP, from the bristles to the contact frame: (M^T f, tau).
static inline br_wrench map2_leave(map2 m, br_wrench f)
{
    return (br_wrench){m.xx * f.fx + m.yx * f.fy, m.xy * f.fx + m.yy * f.fy, f.tau};
}

#endif
