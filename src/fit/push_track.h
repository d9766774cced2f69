/*
 * One quasi-static push, and its derivatives by the weights of a footprint and by the tip's friction.
 *
 * Sub-steps as in slider/pushing_step.c (midpoint rule, the gap enters), on the footprint's smooth D and at the
 * frame's origin. What a sub-step does is the solution of equations, so its derivatives follow from them by
 * implicit differentiation:
 *
 *   stick:  b.grad D(v) = 0,  v = (d + w (c_y, -c_x), w),  b = (c_y, -c_x, 1)          c: contact, d: the tip's way
 *   slide:  D grad D(u) = L,  L = (phi, c x phi),  v = u (d.n)/(n.u_c)                  phi: edge of the tip's cone
 *
 * for each parameter with what the pose, the contact and the gap do by it. Lengths are over footprint.unit.
 */
#ifndef BRISTLE_FIT_PUSH_TRACK_H
#define BRISTLE_FIT_PUSH_TRACK_H

#include "bristle/fit_pushes.h"
#include "bristle/outline.h"
#include "fit/footprint.h"

typedef struct push_track {
    const footprint* feet;
    const br_outline* outline;
    double radius;         // of the tip, over unit
    const double* weights; // (feet->count)
    double mu;             // of the tip
    double* room;          // 4 x 3 x (feet->count + 1) + (feet->count + 1)
    int steps_per_size;    // sub-steps over the outline's radius; 0: 30
} push_track;

size_t bri_push_room(size_t candidates);

// Where a push ends (x, y over unit, theta), and where `slope` is not NULL the derivatives by each weight, then mu
// (3 x (feet->count + 1)). Returns the share of the sub-steps in which the tip pushes.
double bri_push_end(const push_track* t, const br_fit_push* push, double end[3], double* slope);

#endif
