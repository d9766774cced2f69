/// @file batch.h
/// Batches of planar contacts: a list of any contacts, or arrays of states that share one reduced contact.
///
/// Each contact of a batch has its own state, twist and normal force. Results equal those of the
/// single calls to the last bit. No function allocates or fails. A library built with
/// BRISTLE_OPENMP divides batches of 2 ms or more (some 100,000 reduced contacts) among OpenMP
/// threads, at least 1 ms of work each. With less, waiting for a busy core costs more than it
/// saves. The results do not depend on the number of threads.
#ifndef BRISTLE_BATCH_H
#define BRISTLE_BATCH_H

#include "bristle/contact.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One contact of a list.
typedef struct br_batch_contact {
    const br_contact* contact; ///< borrowed; many may share one
    size_t state;              ///< index of its first state in z, and of its first rate in dz
} br_batch_contact;

/// br_contact_eval() of every contact, in any order. Reduced contacts that share a br_contact and are close
/// to each other in the list are computed together in vector registers. States of different contacts must not overlap.
/// @param contacts  the contacts (count)
/// @param count     number of contacts, may be 0
/// @param z         states of all contacts
/// @param v         twists at the CoPs (count) [m/s, m/s, rad/s]
/// @param fn        normal forces (count) [N], >= 0
/// @param[out] dz   rates of all states; must not overlap z
/// @param[out] f    wrenches on the bodies at the CoPs (count) [N, N, N m]
BR_API void br_batch_eval(const br_batch_contact* contacts, size_t count, const double* z,
                          const br_twist* v, const double* fn, double* dz, br_wrench* f);

/// br_contact_step() of every contact. Reduced contacts that share a br_contact and are close to each other in the list
/// are stepped together in vector registers; neighbours whose states follow each other are not copied for it.
/// @param contacts      the contacts (count)
/// @param count         number of contacts, may be 0
/// @param[in,out] z     states of all contacts
/// @param v             twists at the CoPs, constant over the step (count) [m/s, m/s, rad/s]
/// @param fn            normal forces, constant over the step (count) [N], >= 0
/// @param h             step [s], 1e-100 to 1e20
/// @param[out] f        mean wrenches on the bodies at the CoPs (count) [N, N, N m]
/// @param[out] energy   energy balance of each contact (count); may be NULL
BR_API void br_batch_step(const br_batch_contact* contacts, size_t count, double* z,
                          const br_twist* v, const double* fn, double h, br_wrench* f,
                          br_step_energy* energy);

/// Arrays of many contacts that share one br_contact. The caller owns all of them; each has length `count`.
typedef struct br_batch_arrays {
    size_t count;        ///< number of contacts, may be 0
    const double* z_x;   ///< deflection along x [m]
    const double* z_y;   ///< deflection along y [m]
    const double* z_tau; ///< deflection in spin [m^2], see br_contact_part
    const double* vx;    ///< velocity along x at the CoP [m/s]
    const double* vy;    ///< velocity along y at the CoP [m/s]
    const double* w;     ///< spin [rad/s]
    const double* fn;    ///< normal force [N], >= 0
    double* dz_x;        ///< out: rate of z_x [m/s]
    double* dz_y;        ///< out: rate of z_y [m/s]
    double* dz_tau;      ///< out: rate of z_tau [m^2/s]
    double* fx;          ///< out: force on the body along x [N]
    double* fy;          ///< out: force on the body along y [N]
    double* tau;         ///< out: torque on the body at the CoP [N m]
} br_batch_arrays;

/// br_contact_eval() of every contact of the arrays. Outputs must not overlap inputs.
/// @param contact  a contact of BR_METHOD_REDUCED or BR_METHOD_ELLIPSOID
BR_API void br_batch_arrays_eval(const br_contact* contact, const br_batch_arrays* arrays);

/// Arrays of many contacts that share one br_contact, for a step. The caller owns all of them; each has length `count`.
typedef struct br_batch_step_arrays {
    size_t count;       ///< number of contacts, may be 0
    double* z_x;        ///< in, out: deflection along x [m]
    double* z_y;        ///< in, out: deflection along y [m]
    double* z_tau;      ///< in, out: deflection in spin [m^2], see br_contact_part
    const double* vx;   ///< velocity along x at the CoP, constant over the step [m/s]
    const double* vy;   ///< velocity along y at the CoP, constant over the step [m/s]
    const double* w;    ///< spin, constant over the step [rad/s]
    const double* fn;   ///< normal force, constant over the step [N], >= 0
    double* fx;         ///< out: mean force on the body along x [N]
    double* fy;         ///< out: mean force on the body along y [N]
    double* tau;        ///< out: mean torque on the body at the CoP [N m]
    double* stored;     ///< out: energy in the bristles at the end [J]; NULL: no energies
    double* work;       ///< out: work of the body on the contact [J]; NULL where `stored` is
    double* dissipated; ///< out: energy turned into heat [J]; NULL where `stored` is
} br_batch_step_arrays;

/// br_contact_step() of every contact of the arrays. No array may overlap another.
/// @param contact  a contact of BR_METHOD_REDUCED or BR_METHOD_ELLIPSOID
/// @param arrays   states, twists, forces; results
/// @param h        step [s], 1e-100 to 1e20
BR_API void br_batch_arrays_step(const br_contact* contact, const br_batch_step_arrays* arrays,
                                 double h);

#ifdef __cplusplus
}
#endif

#endif
