/*
 * Shared by the files of this module: the exact surface of a patch, the surface object, and the
 * table of its methods.
 *
 * Twists and wrenches are those of limit.h: at the CoP, in the axes of the contact frame, per mu fn.
 */
#ifndef BRISTLE_LIMIT_LIMIT_INTERNAL_H
#define BRISTLE_LIMIT_LIMIT_INTERNAL_H

#include "bristle/limit.h"

#include "base/arena.h"
#include "base/owners.h"
#include "math/map2.h"

// The exact surface of a patch at one normal force, with its precomputed numbers. Does not borrow
// the patch.
typedef struct exact exact;

// BR_OK or BR_ERR_MEMORY with a reason; *out is NULL on failure.
br_status bri_exact_create(const br_patch* patch, double fn, exact** out, br_reason* why);

// NULL is allowed.
void bri_exact_destroy(exact* surface);

// A copy that bri_exact_at_force() may change; what does not depend on the force is shared.
exact* bri_exact_copy(const exact* surface, arena* to);

// Change the normal force of a surface. The patch must be the same, and must depend on the force.
void bri_exact_at_force(exact* surface, const br_patch* patch, double fn);

// br_limit_eval() and, unless NULL, br_limit_jacobian_eval(), which adds little time. Accepts any
// twist, also v = 0 and NaN.
br_limit_value bri_exact_eval(const exact* surface, br_twist v, double jacobian[3][3]);

// Twists at which D has a kink: rotation by 1 rad/s about each support point of a patch of points.
// Other shapes have none.
size_t bri_exact_kink_count(const exact* surface);
br_twist bri_exact_kink_get(const exact* surface, size_t index);

// One method of computing a surface; each method is a file. Its functions are called only with
// finite twists that are not 0.
typedef struct limit_method {
    // Fill surface->data (and change surface->value.r if the method has its own). def, value and
    // exact are set before. On failure, create frees all it allocated. NULL: nothing to do.
    br_status (*create)(br_limit* surface, br_reason* why);
    void (*destroy)(void* data); // NULL: plain br_release()
    br_limit_value (*eval)(const br_limit* surface, br_twist v);
    void (*jacobian)(const br_limit* surface, br_twist v, double jacobian[3][3]);

    // A copy of surface->data that `update` may change. NULL: there is nothing to change.
    void* (*copy)(const void* data, arena* to);

    // Update the method's data after def.fn, value and exact have changed to another force. Neither
    // fails nor allocates. NULL: nothing to do.
    void (*update)(br_limit* surface);
} limit_method;

// Change the normal force of a surface that is a private copy of the caller.
void bri_limit_follow(br_limit* surface, double fn);

// The exact surface behind any surface, from which it is borrowed.
br_limit bri_limit_as_exact(const br_limit* surface);

// A copy in `to` that bri_limit_follow() may change; it borrows the rest. NULL where `to` only counts.
br_limit* bri_limit_copy(const br_limit* surface, arena* to);

// Anisotropic friction (stretched.c): the isotropic surface of the stretched patch behind a surface, and the map into its
// axes. NULL: the surface is isotropic.
typedef struct stretched {
    br_limit* inside; // owned, or in the arena of a copy
    map2 map;         // from velocities in the contact frame to those of `inside`
    double det;       // of the map
} stretched;
const stretched* bri_limit_stretched_of(const br_limit* surface);

// Does the force change the form of the pressure, and not only its size?
int bri_limit_changes_form(const br_limit* surface);

// br_limit_gauge(), but stops when a step gains less than `gain` [-]; error: a few times `gain`.
double bri_limit_gauge_near(const br_limit* surface, br_wrench load, double gain);

struct br_limit {
    br_limit_def def;     // def.patch is shared
    br_patch_value value; // CoP, r, u, area at def.fn
    exact*
        exact; // owned; source and reference of every surface but a stretched one, which has NULL
    const limit_method* method; // functions of def.method
    void* data;                 // owned by the method; NULL for the exact one
    owners* owners;             // NULL: a copy in a caller's memory
};

// Add an owner, who calls bri_limit_leave() later. A copy in a caller's memory is borrowed.
const br_limit* bri_limit_share(const br_limit* surface);

// NULL is allowed.
void bri_limit_leave(const br_limit* surface);

#endif
