/// @file batch.h
/// Many planar contacts at once: any mixture of them, or many that share one reduced contact, number by
/// number.
///
/// The contacts of a batch have their own states, twists and normal forces. Results are those of the
/// single calls to the last bit. Nothing allocates, nothing fails. A library built with BRISTLE_OPENMP
/// shares large batches among the threads of OpenMP; the results do not depend on their number.
#ifndef BRISTLE_BATCH_H
#define BRISTLE_BATCH_H

#include "bristle/contact.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One contact of a mixture.
typedef struct br_batch_contact {
    const br_contact* contact; ///< borrowed; many may share one
    size_t state;              ///< where its state begins in z, and its rates in dz
} br_batch_contact;

/// br_contact_eval() of every contact, in any order; reduced contacts that share a br_contact and are not
/// far from each other in the list go through vectors together. States of different contacts may not
/// overlap.
/// @param contacts  the contacts (count)
/// @param count     how many, may be 0
/// @param z         all states
/// @param v         twists at the CoPs (count) [m/s, m/s, rad/s]
/// @param fn        normal forces (count) [N], >= 0
/// @param[out] dz   all rates; may not overlap z
/// @param[out] f    wrenches on the bodies at the CoPs (count) [N, N, N m]
BR_API void br_batch_eval(const br_batch_contact* contacts, size_t count, const double* z,
                          const br_twist* v, const double* fn, double* dz, br_wrench* f);

/// br_contact_step() of every contact.
/// @param[in,out] z     all states
/// @param v             twists at the CoPs, held (count) [m/s, m/s, rad/s]
/// @param fn            normal forces, held (count) [N], >= 0
/// @param h             step [s], > 0, any size
/// @param[out] f        mean wrenches on the bodies at the CoPs (count) [N, N, N m]
/// @param[out] energy   ledgers of the contacts (count); may be NULL
BR_API void br_batch_step(const br_batch_contact* contacts, size_t count, double* z,
                          const br_twist* v, const double* fn, double h, br_wrench* f,
                          br_step_energy* energy);

/// Where the numbers of many contacts that share one lie, array by array; all are the caller's, each of
/// length `count`.
typedef struct br_batch_arrays {
    size_t count;        ///< number of contacts, may be 0
    const double* z_x;   ///< state [m]
    const double* z_y;   ///< [m]
    const double* z_tau; ///< [m^2], see br_contact_part
    const double* vx;    ///< twist at the CoP [m/s]
    const double* vy;    ///< [m/s]
    const double* w;     ///< [rad/s]
    const double* fn;    ///< normal force [N], >= 0
    double* dz_x;        ///< out: rate of z_x [m/s]
    double* dz_y;        ///< out: [m/s]
    double* dz_tau;      ///< out: [m^2/s]
    double* fx;          ///< out: wrench on the body at the CoP [N]
    double* fy;          ///< out: [N]
    double* tau;         ///< out: [N m]
} br_batch_arrays;

/// br_contact_eval() of every contact of a batch by arrays. Outputs may not overlap inputs.
/// @param contact  of BR_METHOD_REDUCED or BR_METHOD_ELLIPSOID
BR_API void br_batch_arrays_eval(const br_contact* contact, const br_batch_arrays* arrays);

#ifdef __cplusplus
}
#endif

#endif
