/// @file fit.h
/// Shared by all fits of libbristle-fit: progress, and an estimated number with its confidence interval.
///
/// A fit turns measurements into parameters with their uncertainty: laws from motion in fit_law.h, a contact
/// from twists and wrenches in fit_contact.h, estimates in a control loop in online.h.
/// docs/howto/identification.md explains what to measure. SI units and radians.
#ifndef BRISTLE_FIT_H
#define BRISTLE_FIT_H

#include <stdbool.h>

#include "bristle/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Callbacks of a fit: progress and stop. Any member may be NULL.
typedef struct br_fit_watch {
    /// Called from time to time with the share of the work that is done [-], in [0, 1], and the root mean
    /// square of the best residuals so far, in the data's unit.
    void (*progress)(double fraction, double rms, void* user);
    /// Called from time to time: true stops the fit. Its result is then the best so far, and its status BR_ERR_STOPPED.
    bool (*stop)(void* user);
    void* user; ///< passed to both, borrowed
} br_fit_watch;

/// An estimated number and its uncertainty.
typedef struct br_fit_estimate {
    const char* name; ///< name as in files, "mu_c"; static text
    const char* unit; ///< unit, "-" for pure numbers; static text
    double value;     ///< the estimate
    double error;     ///< standard error; INFINITY: not identifiable
    double low;       ///< lower end of the interval; -INFINITY or 0 if the data do not bound it
    double high;      ///< upper end of the interval; INFINITY if the data do not bound it
    bool is_fixed;    ///< true: given by the caller, not estimated; error 0, low = high = value
    /// true: identifiable from the data; false: not, and `words` has the reason
    bool is_identifiable;
    char words[128]; ///< "", why it is not identifiable, or why its interval was widened
} br_fit_estimate;

/// Whether this build has the solver (cminpack) that br_fit_law(), br_fit_contact() and others need. If not,
/// they return BR_ERR_ABSENT.
BR_API bool br_fit_has_solver(void);

#ifdef __cplusplus
}
#endif

#endif
