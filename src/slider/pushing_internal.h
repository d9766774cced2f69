/*
 * Internal header for pushing at an instant, pushing along a path, and many paths at once.
 */
#ifndef BRISTLE_SLIDER_PUSHING_INTERNAL_H
#define BRISTLE_SLIDER_PUSHING_INTERNAL_H

#include "bristle/pushing.h"

enum { PUSHING_MAX_ROUNDS = 100 }; // of bri_pushing_separate_once()

// Friction below a body, divided by mu N. The twist is at the centre of friction.
br_limit_value bri_pushing_friction(const br_pushing* pushing, br_twist v);

// Hessian of the friction's dissipation D, divided by mu N, at a twist that is not 0.
void bri_pushing_hessian(const br_pushing* pushing, br_twist v, double hessian[3][3]);

// Index of an edge: the contact is on the disc that encloses the outline.
#define PUSHING_ENCLOSING ((size_t)-1)

// Where a tip touches, body frame.
typedef struct tip_touch {
    double gap; // [m], < 0: overlap
    br_vec2 point, inward;
    size_t edge; // of the outline, or PUSHING_ENCLOSING
} tip_touch;

tip_touch bri_pushing_touch(const br_pushing* pushing, br_pose pose, br_vec2 tip);

// Move the body frame by a share of a twist at the centre of friction.
br_pose bri_pushing_moved(const br_pushing* pushing, br_pose pose, br_twist v, double share);

// Overlap of tip and body that is left alone [m].
double bri_pushing_allowed_overlap(const br_pushing* pushing);

// Remove the overlap: push the body off the tip, repeatedly at the deepest contact, in PUSHING_MAX_ROUNDS at most.
void bri_pushing_separate(const br_pushing* pushing, br_pose* pose, br_vec2 tip);

// One round of it: false if there is no overlap. Fills the contact and the push, whose mode is BR_PUSH_BREAK where the
// body moves along the normal.
bool bri_pushing_separate_once(const br_pushing* pushing, br_pose* pose, br_vec2 tip, int round,
                               tip_touch* at, br_push* push);

// Number of sub-steps of a straight line.
int bri_pushing_sub_steps(const br_pushing* pushing, br_vec2 displacement);

// What a sub-step did, for its derivative (pushing_gradient.c).
typedef struct sub_step_trace {
    enum { SUB_STEP_APART, SUB_STEP_PUSHED, SUB_STEP_BOTH, SUB_STEP_SEPARATED } kind;
    tip_touch start, mid, end; // contacts at its start, middle and end
    br_push first, push;       // pushes at its start and middle
    br_pose middle;            // pose in its middle
} sub_step_trace;

// A sub-step of the tip by delta. If it is the last one of its line, returns the push in full contact. `trace` may
// be NULL.
br_push bri_pushing_sub_step(const br_pushing* pushing, br_pose* pose, br_vec2 from, br_vec2 delta,
                             bool is_last, sub_step_trace* trace);

// Number of steps of br_pushing_stick_step().
int bri_pushing_stick_steps(const br_pushing* pushing, br_vec2 point, br_vec2 velocity, double h);

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
