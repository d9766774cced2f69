/// @file math.h
/// Small values of planar mechanics: vectors, twists, wrenches, poses.
///
/// SI units and radians. x and y span the plane, z points up out of it; angles, spins and torques
/// are positive from x towards y.
#ifndef BRISTLE_MATH_H
#define BRISTLE_MATH_H

#include <math.h>

/// The circle constant.
#define BR_PI 3.14159265358979323846

/// A vector or point in the plane [m].
typedef struct br_vec2 {
    double x; ///< [m]
    double y; ///< [m]
} br_vec2;

/// Velocity of a body relative to its support, taken at a stated point.
typedef struct br_twist {
    double vx; ///< [m/s]
    double vy; ///< [m/s]
    double w;  ///< spin [rad/s]
} br_twist;

/// Force and torque on a body, taken at a stated point.
typedef struct br_wrench {
    double fx;  ///< [N]
    double fy;  ///< [N]
    double tau; ///< [N m]
} br_wrench;

/// Position and orientation of a frame in another.
typedef struct br_pose {
    double x;     ///< [m]
    double y;     ///< [m]
    double theta; ///< [rad]
} br_pose;

/// a + b
static inline br_vec2 br_vec2_add(br_vec2 a, br_vec2 b)
{
    br_vec2 sum = {a.x + b.x, a.y + b.y};
    return sum;
}

/// a - b
static inline br_vec2 br_vec2_sub(br_vec2 a, br_vec2 b)
{
    br_vec2 difference = {a.x - b.x, a.y - b.y};
    return difference;
}

/// s a
static inline br_vec2 br_vec2_scale(double s, br_vec2 a)
{
    br_vec2 scaled = {s * a.x, s * a.y};
    return scaled;
}

/// a . b
static inline double br_vec2_dot(br_vec2 a, br_vec2 b)
{
    return a.x * b.x + a.y * b.y;
}

/// a x b = a_x b_y - a_y b_x
static inline double br_vec2_cross(br_vec2 a, br_vec2 b)
{
    return a.x * b.y - a.y * b.x;
}

/// |a|, without overflow
static inline double br_vec2_norm(br_vec2 a)
{
    const double square = a.x * a.x + a.y * a.y;
    return square > 1e-290 && square < 1e290 ? sqrt(square) : hypot(a.x, a.y);
}

/// a turned by `angle` [rad] from x towards y
static inline br_vec2 br_vec2_rotate(br_vec2 a, double angle)
{
    const double c = cos(angle), s = sin(angle);
    br_vec2 turned = {c * a.x - s * a.y, s * a.x + c * a.y};
    return turned;
}

/// Pose after a time h [s] at constant twist v, given in the axes of the parent frame.
static inline br_pose br_pose_advance(br_pose pose, br_twist v, double h)
{
    br_pose after = {pose.x + h * v.vx, pose.y + h * v.vy, pose.theta + h * v.w};
    return after;
}

/// Coordinates of a point in the parent frame, from its coordinates in the frame `pose`.
static inline br_vec2 br_pose_apply(br_pose pose, br_vec2 point)
{
    br_vec2 origin = {pose.x, pose.y};
    return br_vec2_add(origin, br_vec2_rotate(point, pose.theta));
}

#endif
