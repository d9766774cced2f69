/// @file batch.h
/// Many contacts at once: reduced ones that share a model in structure-of-arrays form, and any mixture
/// of models.
///
/// The contacts of a batch have their own states, twists and normal forces. Results are those of the
/// single calls to the last bit. Nothing allocates, nothing fails. Fast where the processor has AVX2
/// and FMA, correct everywhere. A library built with BRISTLE_OPENMP shares large batches among the
/// threads of OpenMP; the results do not depend on their number.
#ifndef BRISTLE_BATCH_H
#define BRISTLE_BATCH_H

#include "bristle/blocks.h"
#include "bristle/distributed.h"
#include "bristle/reduced.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where the numbers of many contacts lie; all arrays are the caller's, each of length `count`.
typedef struct br_reduced_batch {
    size_t count;        ///< number of contacts, may be 0
    const double* z_x;   ///< state [m]
    const double* z_y;   ///< [m]
    const double* z_tau; ///< [m^2]
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
} br_reduced_batch;

/// br_reduced_eval() of every contact, with the same results to the last bit. Outputs may not
/// overlap inputs. Never allocates, never fails.
BR_API void br_reduced_batch_eval(const br_reduced* model, const br_reduced_batch* batch);

/// br_distributed_eval() of many contacts that share a model, as br_blocks_batch_eval().
/// @param contacts  how many, may be 0
/// @param z         states, contact after contact (contacts x 2 n) [m]
/// @param v         twists at the CoP (contacts) [m/s, m/s, rad/s]
/// @param fn        normal forces (contacts) [N], >= 0
/// @param[out] dz   rates of z (contacts x 2 n) [m/s]; may not be z itself
/// @param[out] f    wrenches on the bodies at the CoP (contacts) [N, N, N m]
BR_API void br_distributed_batch_eval(const br_distributed* model, size_t contacts, const double* z,
                                      const br_twist* v, const double* fn, double* dz,
                                      br_wrench* f);

/// One contact of a mixture. One of the models is set, the others are NULL; all are borrowed, and many
/// contacts may share one. A model that depends on the force (br_reduced_depends_on_force() ...) is
/// taken as it is spread.
typedef struct br_batch_contact {
    const br_distributed* distributed; ///< bristles in every cell
    const br_blocks* blocks;           ///< three bristles in each of a few blocks
    const br_reduced* reduced;         ///< three bristles and a limit surface
    size_t state;                      ///< where its state begins in z, and its rates in dz
} br_batch_contact;

/// Number of states of a contact: what it takes in z from `state` on.
BR_API size_t br_batch_get_states(const br_batch_contact* contact);

/// Rates and wrench of every contact by its own model, in any order; reduced contacts that share a
/// model and are not far from each other in the list go through vectors together. States of different
/// contacts may not overlap.
/// @param contact  the contacts (count)
/// @param count    how many, may be 0
/// @param z        all states
/// @param v        twists at the CoPs (count) [m/s, m/s, rad/s]
/// @param fn       normal forces (count) [N], >= 0
/// @param[out] dz  all rates; may not overlap z
/// @param[out] f   wrenches on the bodies at the CoPs (count) [N, N, N m]
BR_API void br_batch_eval(const br_batch_contact* contact, size_t count, const double* z,
                          const br_twist* v, const double* fn, double* dz, br_wrench* f);

/// Advance every contact by its model's step with the twist held: br_distributed_step(),
/// br_blocks_step() or br_reduced_step().
/// @param contact       the contacts (count)
/// @param count         how many, may be 0
/// @param[in,out] z     all states
/// @param v             twists at the CoPs, held (count) [m/s, m/s, rad/s]
/// @param fn            normal forces, held (count) [N], >= 0
/// @param h             step [s], > 0, any size
/// @param[out] f        mean wrenches on the bodies at the CoPs (count) [N, N, N m]
/// @param[out] energy   ledgers of the contacts (count); may be NULL
BR_API void br_batch_step(const br_batch_contact* contact, size_t count, double* z,
                          const br_twist* v, const double* fn, double h, br_wrench* f,
                          br_step_energy* energy);

#ifdef __cplusplus
}
#endif

#endif
