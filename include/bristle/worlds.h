/// @file worlds.h
/// Thousands of worlds at once: coupled steps of many bodies, each with its own mass, friction, size and load.
///
/// A world is one planar rigid body with 1 to 4 contacts. All worlds share the contacts' *templates* (shape, method, number of
/// parts); everything else may differ from world to world. A step is br_step_coupled() with order 1, world by world, to
/// rounding (promises and figures: docs/explanation/worlds.md). Worlds are computed several at a time, one in each lane of the
/// processor's vectors, if all contacts are of BR_METHOD_ELLIPSOID with the Stribeck exponent 2. In double they are, too, if all
/// are of BR_METHOD_BLOCKS, or all of BR_METHOD_REDUCED with the exponent 2. Others are computed one by one, in double.
///
/// Memory belongs to the caller, as a structure of arrays: each number is an array [count], a vector of three is three rows
/// (3 x count), the bristles of a contact are (states x count). So NumPy, OpenCL and this library read the same memory. Row k
/// starts at element k * stride. All arrays of numbers have the type that br_worlds_def.type says: double or float.
///
///     br_worlds_contact contact = {.contact = template, .frame = BR_WORLDS_BODY, .fn = 2.0};
///     br_worlds_def def = br_worlds_def_default(&contact, 1);
///     br_worlds* worlds;
///     if (br_worlds_create(&def, &worlds, &why) != BR_OK) { ... why.field, why.text ... }
///     br_worlds_arrays a = {.count = 1024, .pose = pose, .twist = twist, .mass = mass, .load = load};
///     a.contacts[0] = (br_worlds_contact_arrays){.z = z, .mu_c = mu_c, .mu_s = mu_s};
///     br_worlds_step(worlds, &a, 1e-3, 10); // ten steps of 1 ms
#ifndef BRISTLE_WORLDS_H
#define BRISTLE_WORLDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bristle/contact.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Largest number of contacts of a world.
#define BR_WORLDS_CONTACTS 4

/// Type of the numbers in all arrays.
typedef enum br_worlds_type {
    BR_WORLDS_DOUBLE, ///< double, 8 bytes
    BR_WORLDS_FLOAT   ///< float, 4 bytes; what is promised for it: docs/explanation/worlds.md
} br_worlds_type;

/// What the frame of a contact is fixed to.
typedef enum br_worlds_frame {
    BR_WORLDS_BODY,  ///< the body, as a foot: it moves and turns with the body
    BR_WORLDS_GROUND ///< the world, as a finger that does not move: the body slides under it
} br_worlds_frame;

/// A contact that every world has. Set members that are not used to 0.
typedef struct br_worlds_contact {
    /// Template, borrowed. BR_METHOD_ELLIPSOID, BR_METHOD_BLOCKS, or BR_METHOD_REDUCED with a smooth table (BR_LIMIT_SMOOTH,
    /// which it has by default); its patch does not depend on the force, it has no field, and anisotropic friction has
    /// the axes of the body
    const br_contact* contact;
    br_worlds_frame frame; ///< frame of `position` and `angle`
    br_vec2
        position; ///< origin of the contact frame, in `frame` [m], where arrays have no positions
    double angle; ///< of the contact frame's axes, in `frame` [rad], where arrays have no angles
    double fn;    ///< normal force of one contact [N], >= 0, where arrays have no forces
    size_t count; ///< how many such contacts share the motion and the state; 0 and 1: one
} br_worlds_contact;

/// What worlds have in common. Start from br_worlds_def_default().
typedef struct br_worlds_def {
    size_t size;                       ///< set by the default function; do not touch
    br_worlds_type type;               ///< of all arrays
    const br_worlds_contact* contacts; ///< (contact_count), copied; the templates are borrowed
    size_t contact_count;              ///< 1 to BR_WORLDS_CONTACTS
    double mass;                       ///< [kg], > 0, where arrays have no masses
    double inertia; ///< about the centre of mass [kg m^2], > 0, where arrays have no inertias
    int passes; ///< largest number of passes over the bristles in a step, >= 1; as in br_step_body
    bool plain; ///< true: one world at a time even if the processor has vector instructions
} br_worlds_def;

/// Worlds: templates and workspace. One thread at a time; several of them may share templates and work on different columns
/// of the same arrays.
typedef struct br_worlds br_worlds;

/// Arrays of one contact. NULL: the number of the template (of br_worlds_contact for position, angle and fn) in all
/// worlds, or an output that is skipped. Rows have `stride` elements, see br_worlds_arrays. uint8_t arrays may be NumPy's bool.
typedef struct br_worlds_contact_arrays {
    void*
        z; ///< in, out: bristles (br_contact_get_state_count() of the template x count), each row as an entry of a
           ///< contact's state [m, m, m^2]; not NULL
    const void*
        fn; ///< normal force of one contact [N], >= 0; 0 resets the bristles (count), or (steps x count)
    size_t
        fn_steps; ///< rows of fn: 0 or 1: constant over all steps of a call; else one for each step
    const void* position; ///< origin of the contact frame (2 x count) [m, m]
    const void* angle;    ///< of the contact frame (count) [rad]
    const void*
        scale; ///< length of the patch over that of the template (count) [-], > 0; 1 by default
    const void* mu_c;       ///< (count) [-], > 0
    const void* mu_s;       ///< (count) [-], >= mu_c
    const void* v_stribeck; ///< (count) [m/s], > 0
    const void* sigma0;     ///< (count) [1/m], > 0
    const void* sigma1;     ///< (count) [s/m], >= 0
    const void* sigma2;     ///< (count) [s/m], >= 0
    const void* s_ba;       ///< breakaway fraction (count) [-], in [0, 1)
    const void*
        v_damping; ///< speed at which half of sigma1 is left (count) [m/s], >= 0; 0: constant damping
    /// Ratio of anisotropic friction (count) [-], see br_anisotropy, whose angle is the template's. BR_METHOD_ELLIPSOID
    /// only, where r and u are those of the stretched patch, as without a patch in br_contact_def; z is in the principal axes, also at 1
    const void* ratio;
    const void*
        ground; ///< twist of the ground (a belt, a finger that moves) at the CoP, in the world's axes, constant
    ///< over a call (3 x count) [m/s, m/s, rad/s]; NULL: it is at rest

    void*
        f; ///< out: mean wrench of one contact on the body over the last step, at the CoP, in the contact frame's axes
           ///< (3 x count) [N, N, N m]
    uint8_t*
        state; ///< in, out: br_slip_state at the end of the call (count); BR_STATE_STICK at first
    void*
        slip_rate; ///< out: speed of the irreversible part of the motion, at the end (count) [m/s]
    void* load;    ///< out: br_contact_load_eval() at the end (count) [-], in [0, 1]
} br_worlds_contact_arrays;

/// Rows of br_worlds_arrays.ledger: numbers of br_step_ledger [J] over all steps of a call. kinetic_before + stored_before +
/// load + ground + normal = kinetic_after + stored_after + dissipated + numerical
typedef enum br_worlds_ledger {
    BR_WORLDS_KINETIC_BEFORE, ///< of the body, before the first step
    BR_WORLDS_STORED_BEFORE,  ///< in the bristles, before the first step, at its normal force
    BR_WORLDS_LOAD,           ///< work of the load
    BR_WORLDS_GROUND_WORK,    ///< work of friction along the motion of the ground
    BR_WORLDS_NORMAL, ///< stored energy that changes of the normal force between two steps add
    BR_WORLDS_KINETIC_AFTER, ///< of the body, after the last step
    BR_WORLDS_STORED_AFTER,  ///< in the bristles, after the last step
    BR_WORLDS_DISSIPATED,    ///< turned into heat by friction, >= 0 but for rounding
    BR_WORLDS_NUMERICAL,     ///< lost by the method in the body's motion, >= 0 but for rounding
    BR_WORLDS_LEDGER_ROWS    ///< how many rows there are
} br_worlds_ledger;

/// All arrays of the worlds, the caller's. Set members that are not used to 0 or NULL. Arrays that are written must not
/// overlap any other.
typedef struct br_worlds_arrays {
    size_t count; ///< number of worlds, may be 0
    size_t
        stride; ///< elements from a row to the next, >= count; 0: count. With it, arrays may be columns of larger ones
    void*
        pose; ///< in, out: of the body in the world: centre of mass, angle (3 x count) [m, m, rad]; not NULL
    void*
        twist; ///< in, out: of the centre of mass, in the world's axes (3 x count) [m/s, m/s, rad/s]; not NULL
    const void* mass; ///< (count) [kg], > 0; NULL: that of the definition
    const void*
        inertia; ///< about the centre of mass (count) [kg m^2], > 0; NULL: that of the definition
    const void*
        load; ///< wrench on the body besides friction, at the centre of mass, in the world's axes [N, N, N m]
    ///< (3 x count), or (steps x 3 x count); NULL: none
    size_t
        load_steps; ///< wrenches in `load`: 0 or 1: constant over all steps of a call; else one for each step
    const uint8_t*
        mask; ///< worlds to step, not 0 (count); all arrays of the others are left as they are; NULL: all
    void*
        ledger; ///< out: (BR_WORLDS_LEDGER_ROWS x count) [J], rows as in br_worlds_ledger; NULL: skipped
    int32_t*
        passes; ///< out: passes over the bristles in all steps of the call (count); NULL: skipped
    uint8_t*
        converged; ///< out: 1: Newton's iteration converged in every step (count); NULL: skipped
    br_worlds_contact_arrays contacts[BR_WORLDS_CONTACTS]; ///< of each contact of the definition
} br_worlds_arrays;

/// Double arrays, a body of 1 kg and 1 kg m^2, 40 passes.
/// @param contacts  (count), borrowed until br_worlds_create() returns
/// @param count     1 to BR_WORLDS_CONTACTS
BR_API br_worlds_def br_worlds_def_default(const br_worlds_contact* contacts, size_t count);

/// Create worlds.
/// @param[out] out  the worlds, or NULL on failure; free them with br_worlds_destroy()
/// @param[out] why  may be NULL; names the field when the result is not BR_OK, e.g. "contacts[0].contact"
/// @return BR_OK, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_worlds_create(const br_worlds_def* def, br_worlds** out, br_reason* why);

/// Free worlds; NULL is allowed.
BR_API void br_worlds_destroy(br_worlds* worlds);

/// Number of contacts of each world.
BR_API size_t br_worlds_get_contact_count(const br_worlds* worlds);

/// Rows of br_worlds_contact_arrays.z of a contact: doubles or floats of its state in one world.
/// @param contact  0 to br_worlds_get_contact_count() - 1
BR_API size_t br_worlds_get_state_count(const br_worlds* worlds, size_t contact);

/// How many worlds are computed at a time on this processor: 1 to 8 in double, 1 to 16 in float; 1 if br_worlds_def.plain.
BR_API int br_worlds_get_lanes(const br_worlds* worlds);

/// Check all arrays: pointers and the ranges of numbers, of the worlds in the mask. The steps themselves never fail: a
/// negative mass gives a wrong result in its world without a message. Call this where numbers come from outside.
/// @param steps  of the calls that follow
/// @param[out] why  may be NULL; names the array and the first world, e.g. "contacts[0].mu_c[17]"
/// @return BR_OK or BR_ERR_ARG
BR_API br_status br_worlds_check(const br_worlds* worlds, const br_worlds_arrays* arrays, double h,
                                 size_t steps, br_reason* why);

/// Advance poses, twists and bristles of all worlds, or of those in the mask, by several steps of implicit Euler. Never
/// allocates, never fails; NaN in a world gives NaN in that world alone. Loads, normal forces and arms are those of
/// the middle of each step, with the body moved there at its current velocity; pose += h (v0 + v1)/2.
/// @param h      step [s], 1e-100 to 1e20
/// @param steps  how many; a call with 10 steps does the same as 10 calls, to rounding, and is faster
BR_API void br_worlds_step(br_worlds* worlds, const br_worlds_arrays* arrays, double h,
                           size_t steps);

/// Start worlds again. Bristles of the worlds in the mask (all if it is NULL) become those of
/// steady sliding at their twist and pose, 0 in contacts at rest or without force. `state`, unless
/// NULL, becomes BR_STATE_SLIP or BR_STATE_STICK accordingly. Set pose, twist and parameters first.
/// Never allocates, never fails.
/// @param mask  (count), in place of arrays->mask
BR_API void br_worlds_reset(br_worlds* worlds, const br_worlds_arrays* arrays, const uint8_t* mask);

#ifdef __cplusplus
}
#endif

#endif
