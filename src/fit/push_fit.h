/*
 * Pressure and tip friction from pushes alone, as a model of supports.h.
 *
 *   min  sum of |end - measured|^2 (Cauchy's loss) + lambda n m |w - p|^2,   w >= 0, sum w = 1, mu >= 0
 *
 * and, where the tip's offset or radius is unknown, the squares of its distances from the outline at the measured ends,
 * by Gauss and Newton's method with Levenberg's damping, each step a non-negative least-squares problem in the
 * weights and mu themselves. Each lambda starts from the previous solution. Cross-validation and the jackknife use the
 * last linearisation: the rows of a fold are left out and predicted with it.
 */
#ifndef BRISTLE_FIT_PUSH_FIT_H
#define BRISTLE_FIT_PUSH_FIT_H

#include "bristle/fit_pushes.h"
#include "bristle/outline.h"
#include "fit/push_track.h"
#include "fit/supports.h"

// A tip farther from the outline than this share of its radius does not touch it.
static const double loose = 0.05;

// Unknowns, predicted less measured ends (rows x 3), and their derivatives (rows x 3 x unknowns).
typedef struct push_point {
    double *x, *residual, *slope;
} push_point;

// Unknowns: the weights, mu, and where they are unknown the offset of the tip (2) and its radius; three residuals a push.
typedef struct push_fit {
    supports s; // first: the solver gets its address
    const br_fit_pushes_def* def;
    const br_fit_push* pushes;
    br_outline* outline;
    push_point now, next; // now.x is s.x; next: tried
    double* weight;       // of each push (rows)
    double* scratch;      // of a push
    double done, share;   // of the work
    double gap_scale;     // a larger gap at an end counts less [m]
    double gap_weight;    // of gaps relative to errors of the ends [1/m^2]
    int has_offset, has_radius, has_gaps;
    int is_run; // there is a result
} push_fit;

// Borrows all. The offset of the tip is an unknown, or that of def, or 0.
br_status bri_push_fit_create(const br_fit_pushes_def* def, const br_fit_push* pushes, size_t count,
                              int has_offset, push_fit* out, br_reason* why);
void bri_push_fit_destroy(push_fit* f);

// Fit: is_run where there is a result, s.is_stopped where the watch stopped it.
void bri_push_fit_run(push_fit* f);

// The tip of unknowns x [m].
typedef struct push_tip {
    br_vec2 offset;
    double radius;
} push_tip;
push_tip bri_push_tip(const push_fit* f, const double* x);

// A push of unknowns x.
push_track bri_push_track(const push_fit* f, const double* x);

// Distance of a tip from the outline where a push ends, if the body is at `pose` then [m]; < 0: inside. The normal
// out of the body, world frame, may be NULL.
double bri_push_gap(const push_fit* f, push_tip at, const br_fit_push* push, br_pose pose,
                    br_vec2* normal);

#endif
