/// @file fit.h
/// What every fit of libbristle-fit shares: whom it tells, what it says of an estimated number.
///
/// Measurements in, parameters and how sure they are out: laws from motion in fit_law.h, a contact
/// from twists and wrenches in fit_contact.h, estimates in a control loop in online.h.
/// docs/identification.md says what to measure. SI units and radians.
#ifndef BRISTLE_FIT_H
#define BRISTLE_FIT_H

#include "bristle/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whom a fit tells while it works. Any member may be NULL.
typedef struct br_fit_watch {
    /// Told now and then: the share of the work that is done [-], in [0, 1], which may stand still,
    /// and the root mean square of the residuals of the best so far, in the data's unit.
    void (*progress)(double fraction, double rms, void* user);
    /// Asked now and then: nonzero ends the fit. Its result is then the best so far, and its status
    /// BR_ERR_STOPPED.
    int (*stop)(void* user);
    void* user; ///< handed to both, borrowed
} br_fit_watch;

/// One estimated number, and how sure it is.
typedef struct br_fit_estimate {
    const char* name; ///< as files call it, "mu_c"; static text
    const char* unit; ///< "-" for pure numbers; static text
    double value;     ///< the estimate
    double error;     ///< standard error; INFINITY: the data do not tell
    double low;       ///< the 95 % interval; -INFINITY or 0 where the data do not bound it
    double high;      ///< INFINITY where the data do not bound it
    int is_fixed;     ///< 1: the caller gave it, nothing was estimated; error 0, low = high = value
    int is_told;      ///< 1: the data tell it; 0: they do not, and `words` says why
    char words[128];  ///< "" or why the data do not tell it
} br_fit_estimate;

/// Does this build have the solver (cminpack) that br_fit_law(), br_fit_contact() and others need? 0:
/// they return BR_ERR_ABSENT.
BR_API int br_fit_has_solver(void);

#ifdef __cplusplus
}
#endif

#endif
