/*
 * What the files of this room share: the exact surface of a patch, the surface object, and the
 * table of methods behind it.
 *
 * Twists and wrenches are those of limit.h: at the CoP, in the axes of the contact frame, per mu fn.
 */
#ifndef BRISTLE_LIMIT_LIMIT_INTERNAL_H
#define BRISTLE_LIMIT_LIMIT_INTERNAL_H

#include "bristle/limit.h"

#include "base/arena.h"

// The exact surface of a patch at one normal force, with what can be computed beforehand.
// Does not borrow the patch.
typedef struct exact exact;

// BR_OK or BR_ERR_MEMORY with a reason; *out is NULL on failure.
br_status bri_exact_create(const br_patch* patch, double fn, exact** out, br_reason* why);

// NULL is allowed.
void bri_exact_destroy(exact* surface);

// A copy that bri_exact_spread() may change; what does not depend on the force is shared.
exact* bri_exact_copy(const exact* surface, arena* to);

// Make it that of another force, of the same patch, which depends on it.
void bri_exact_spread(exact* surface, const br_patch* patch, double fn);

// As br_limit_eval() and, unless NULL, br_limit_jacobian_eval(), which is cheap beside it: any twist, v = 0
// and NaN included.
br_limit_value bri_exact_eval(const exact* surface, br_twist v, double jacobian[3][3]);

// Twists at which D has a kink: rotation by 1 rad/s about each support point of a patch of points.
// 0 for other shapes.
size_t bri_exact_kink_count(const exact* surface);
br_twist bri_exact_kink_get(const exact* surface, size_t index);

// One way of computing a surface; a method is a file. Its functions meet only finite twists that
// are not 0.
typedef struct limit_method {
    // Fill surface->data (and change surface->value.r if the method has its own). def, value and
    // exact are there already. A failed create leaves nothing behind. NULL: nothing to do.
    br_status (*create)(br_limit* surface, br_reason* why);
    void (*destroy)(void* data); // NULL: plain br_release()
    br_limit_value (*eval)(const br_limit* surface, br_twist v);
    void (*jacobian)(const br_limit* surface, br_twist v, double jacobian[3][3]);

    // A copy of surface->data that `spread` may change. NULL: there is nothing to change.
    void* (*copy)(const void* data, arena* to);

    // Follow a patch whose force has changed: def.fn, value and exact have. Neither fails nor
    // allocates. NULL: nothing to do.
    void (*spread)(br_limit* surface);
} limit_method;

// Make a surface that is the caller's own that of another force.
void bri_limit_follow(br_limit* surface, double fn);

// The exact surface behind any surface, which it borrows.
br_limit bri_limit_as_exact(const br_limit* surface);

// Does the pressure of a patch change its form with the force, or its size at most?
int bri_limit_changes_form(const br_limit* surface);

// The gauge, br_limit_gauge(), up to the gain of a step that is not worth it [-]: right to some times that.
double bri_limit_gauge_near(const br_limit* surface, br_wrench load, double gain);

struct br_limit {
    br_limit_def def;           // def.patch is borrowed
    br_patch_value value;       // CoP, r, u, area at def.fn
    exact* exact;               // owned; every surface has it, to be made from and compared with
    const limit_method* method; // functions of def.method
    void* data;                 // owned by the method; NULL for the exact one
};

#endif
