/*
 * One quasi-static push, and its derivatives by the weights of a footprint, by the tip's friction, and, where these are
 * unknown, by the offset of the tip's frame from the body's and by the tip's radius.
 *
 * Sub-steps as in slider/pushing_step.c (midpoint rule, the gap enters), on the footprint's smooth D and at the
 * frame's origin. A sub-step solves equations, so its derivatives follow from them by implicit differentiation:
 *
 *   stick:  b.grad D(v) = 0,  v = (d + w (c_y, -c_x), w),  b = (c_y, -c_x, 1)          c: contact, d: the tip's displacement
 *   slide:  D grad D(u) = L,  L = (phi, c x phi),  v = u (d.n)/(n.u_c)                  phi: edge of the tip's cone
 *
 * for each parameter, with the derivatives of pose, contact and gap. Lengths are over footprint.unit.
 */
#ifndef BRISTLE_FIT_PUSH_TRACK_H
#define BRISTLE_FIT_PUSH_TRACK_H

#include "bristle/fit_pushes.h"
#include "bristle/outline.h"
#include "fit/footprint.h"

// Longest path of a tip that sub-steps resolve, over the outline's radius.
enum { PUSH_MOST_SIZES = 66 };

typedef struct push_track {
    const footprint* feet;
    const br_outline* outline;
    double radius;         // of the tip, over unit
    const double* weights; // (feet->count)
    double mu;             // of the tip
    double offset[2];      // added to the tip's positions, world frame, over unit
    int has_offset;        // 1: derivatives by the offset, too
    int has_radius;        // 1: derivatives by the radius, too
    double* work;          // scratch memory, bri_push_get_work()
    int steps_per_size;    // sub-steps over the outline's radius; 0: 30
} push_track;

// Parameters P of a track: the weights, mu, the offset's x and y, the radius.
size_t bri_push_parameters(const push_track* t);

// Doubles that P parameters need.
size_t bri_push_get_work(size_t parameters);

// Where a push ends (x, y over unit, theta), and where `slope` is not NULL the derivatives by each parameter (3 x P).
// Returns the share of the sub-steps in which the tip pushes.
double bri_push_end(const push_track* t, const br_fit_push* push, double end[3], double* slope);

#endif
