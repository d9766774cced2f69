/*
 * Internal header for pushing at an instant, pushing along a path, and many paths at once.
 */
#ifndef BRISTLE_SLIDER_PUSHING_INTERNAL_H
#define BRISTLE_SLIDER_PUSHING_INTERNAL_H

#include "bristle/pushing.h"

// Friction below a body, divided by mu N. The twist is at the centre of friction.
br_limit_value bri_pushing_friction(const br_pushing* pushing, br_twist v);

// Overlap of tip and body that is left alone [m].
double bri_pushing_allowed_overlap(const br_pushing* pushing);

// Remove the overlap: push the body off the tip, repeatedly at the deepest contact.
void bri_pushing_separate(const br_pushing* pushing, br_pose* pose, br_vec2 tip);

// Number of sub-steps of a straight line.
int bri_pushing_sub_steps(const br_pushing* pushing, br_vec2 displacement);

// A sub-step of the tip by delta. If it is the last one of its line, returns the push in full contact.
br_push bri_pushing_sub_step(const br_pushing* pushing, br_pose* pose, br_vec2 from, br_vec2 delta,
                             bool is_last);

// A push in the units of a sub-step, in those of its line of `steps` sub-steps.
br_push bri_pushing_per_line(br_push push, int steps);

// Arguments of br_pushing_rollout().
typedef struct rollout {
    const br_pushing* pushing;
    size_t count, steps;
    const double* mu;    // NULL: that of the pusher
    const br_vec2* tips; // count x (steps + 1)
    br_pose* poses;      // count x (steps + 1)
    br_push* pushes;     // count x steps, or NULL
} rollout;

// One push after the other, by br_pushing_step(): the plain twin of the functions below.
void bri_pushing_rollout_plain(const rollout* all);

// Several pushes at a time, one in each lane; for the ellipsoid and smooth tables of patches with an extent. NULL
// where the processor or the program has no such instance: 2, 4 or 8 lanes.
typedef void (*rollout_in_lanes)(const rollout* all);
rollout_in_lanes bri_pushing_rollout_with(int lanes);

#endif
