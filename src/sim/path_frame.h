/*
 * A moving path: its frame at an instant, and the constraint of a point on it.
 *
 * With the frame's origin o and its rotation R about an axis e at the speed w, a point p has the position
 * s = R^T (p - o) in the frame, and
 *
 *   s'  = R^T (p' - o') - w e x s
 *   s'' = R^T (p'' - o'') - 2 w e x s' - w^2 e x (e x s) - w' e x s
 */
#ifndef BRISTLE_SIM_PATH_FRAME_H
#define BRISTLE_SIM_PATH_FRAME_H

#include "bristle/mechanism.h"

// A path's frame at an instant. In the plane e is z, in space it is y.
typedef struct path_frame {
    size_t d;                // dimensions, 2 or 3
    double o[3], v[3], a[3]; // origin, its velocity and acceleration
    double c, s;             // cosine and sine of its angle
    double w, dw;            // speed and acceleration of its angle
    double u, du;            // speed and acceleration of the surface along the path
} path_frame;

// A point relative to the path: position and velocity (3), the rate of its position by the motion of the path alone,
// and the part of s'' that does not depend on qdd.
typedef struct path_state {
    double s[3], sd[3], rate[3], bias[3];
} path_state;

// The frame of a path; `angle` [rad] is added to its rotation.
path_frame bri_path_frame(const br_path_motion* motion, size_t d, double angle,
                          const br_mechanism_at* at);

// R x and R^T x (3)
void bri_path_outward(const path_frame* f, const double* x, double* out);
void bri_path_inward(const path_frame* f, const double* x, double* out);

// The state of a point with position p, velocity v and bias Jd qd (d); bias may be NULL: 0.
path_state bri_path_state(const path_frame* f, const double* p, const double* v,
                          const double* bias);

// Write velocity and acceleration of the surface at s, with the tangent `along` (3), to the terms (d). Only the part
// of the acceleration along the path is exact; the rest has no effect.
void bri_path_surface(const path_frame* f, const double* s, const double* along,
                      br_mechanism_terms* out);

// A contact point in the plane: position, velocity, bias, and its Jacobian (2 x n).
typedef struct planar_point {
    double p[2], v[2], bias[2];
    const double* J;
} planar_point;

// A, b, gap and rate of a point on y = f(x) in the frame.
void bri_planar_constraint(const br_path* path, const path_frame* f, const planar_point* point,
                           size_t n, br_mechanism_terms* out);

// Normal and motion of the surface of that path at the point.
void bri_planar_surface(const br_path* path, const path_frame* f, const planar_point* point,
                        br_mechanism_terms* out);

// Append the profiles of a motion after the first `count`.
void bri_path_profiles(const br_path_motion* motion, size_t d, br_mechanism* out, size_t count);

#endif
