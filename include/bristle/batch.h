/// @file batch.h
/// Many reduced contacts at once, in structure-of-arrays form.
///
/// The contacts of a batch share one model (reduced.h) and have their own states, twists and normal
/// forces. Fast where the processor has AVX2 and FMA, correct everywhere.
#ifndef BRISTLE_BATCH_H
#define BRISTLE_BATCH_H

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
/// overlap inputs. Never allocates, never fails. A library built with BRISTLE_OPENMP shares large
/// batches among the threads of OpenMP; the results do not depend on their number.
BR_API void br_reduced_batch_eval(const br_reduced* model, const br_reduced_batch* batch);

#ifdef __cplusplus
}
#endif

#endif
