/// @file integrator.h
/// Adaptive integration of small stiff systems dy/dt = f(t, y), with dense output and events.
///
/// The default method is RODAS, a linearly implicit (Rosenbrock) method of order 4(3), stiffly
/// accurate (Hairer & Wanner, Solving ODEs II, IV.7). SUNDIALS CVODE is available if built in.
#ifndef BRISTLE_INTEGRATOR_H
#define BRISTLE_INTEGRATOR_H

#include "bristle/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The system to integrate. Callbacks must not fail: if they return NaN, the step is repeated with a smaller size.
/// Start from br_ode_default(), or from {.size = sizeof(br_ode)}.
typedef struct br_ode {
    size_t size; ///< sizeof(br_ode)
    size_t n;    ///< number of states, >= 1

    /// Number of states at the start of y whose error is measured separately, <= n. The error of a
    /// step is the larger of the two root mean squares over the tolerances, so that many bristles
    /// do not hide the error of a body. 0: all together. (Not for CVODE, which has its own norm.)
    size_t apart;

    /// dy = f(t, y)
    void (*rate)(double t, const double* y, double* dy, void* user);

    /// jacobian[i n + j] = df_i/dy_j (n x n), and dfdt = df/dt (n); NULL for a structured system, and
    /// if CVODE shall use difference quotients
    void (*jacobian)(double t, const double* y, double* jacobian, double* dfdt, void* user);

    /// Structured systems solve their own linear systems, without a dense Jacobian J. This linearises
    /// at (t, y), stores what it needs, and computes dfdt = df/dt (n). Set all three of these, or none.
    void (*linearise)(double t, const double* y, double* dfdt, void* user);
    /// Prepare to solve with shift I - J [1/s]; returns 0 on failure.
    int (*factor)(double shift, void* user);
    /// Solve (shift I - J) x = b; x replaces b (n).
    void (*solve)(double* b, void* user);

    /// The system's own step of size h from (t, y), for BR_INTEGRATOR_FIXED: replaces y, returns the number of
    /// evaluations; NULL: it has none.
    size_t (*advance)(double t, double h, double* y, void* user);

    /// Longest step [s] that may be tried from (t, y); NULL: no limit.
    double (*longest_step)(double t, const double* y, void* user);

    size_t events; ///< number of event functions, may be 0

    /// g (events): a change of sign from a nonzero value is an event; NULL if there are none
    void (*event)(double t, const double* y, double* g, void* user);

    void* user; ///< passed to every callback, borrowed, may be NULL
} br_ode;

/// Default system: no states and no callbacks; `n` and `rate` must be set.
BR_API br_ode br_ode_default(void);

/// Integration method.
typedef enum br_integrator_kind {
    BR_INTEGRATOR_ROSENBROCK, ///< RODAS, order 4, built in
    BR_INTEGRATOR_CVODE, ///< SUNDIALS CVODE (BDF, Newton), with a fraction of the tolerances so that a run is
                         ///< as accurate as with RODAS; BR_ERR_ABSENT if not built in
    BR_INTEGRATOR_FIXED ///< the system's own steps, all of size `first_step`, the last one ends at t_end
} br_integrator_kind;

/// How to integrate. Start from br_integrator_def_default().
typedef struct br_integrator_def {
    size_t size;             ///< set by the default function; do not touch
    br_integrator_kind kind; ///< which method
    double rtol;             ///< relative tolerance [-], in [1e-14, 1)
    const double* atol;      ///< absolute tolerance of each state, > 0 (n); copied
    double first_step;       ///< [s], > 0, or 0: chosen (not for BR_INTEGRATOR_FIXED)
    double max_step;         ///< [s], > 0, may be INFINITY
    size_t max_steps;        ///< maximum number of attempts since the last start, >= 1
} br_integrator_def;

/// Cost of an integration: numbers of operations.
typedef struct br_integrator_cost {
    size_t steps;          ///< accepted steps
    size_t rejected;       ///< steps repeated with a smaller size
    size_t evaluations;    ///< evaluations of the rate
    size_t jacobians;      ///< evaluations of the Jacobian
    size_t factorisations; ///< factorisations of the linear system
} br_integrator_cost;

/// An integrator with its current time and state. Not shared between threads.
typedef struct br_integrator br_integrator;

/// Default definition: Rosenbrock, rtol 1e-6, no limits; `atol` must be set.
BR_API br_integrator_def br_integrator_def_default(void);

/// Whether this build has a method: all but BR_INTEGRATOR_CVODE, which needs SUNDIALS.
BR_API bool br_integrator_has(br_integrator_kind kind);

/// Create an integrator. It allocates all its memory here (except CVODE's own).
/// @param ode       copied; its `user` is borrowed
/// @param[out] out  the integrator, or NULL; free it with br_integrator_destroy()
/// @param[out] why  may be NULL
/// @return BR_OK, BR_ERR_DEF, BR_ERR_MEMORY or BR_ERR_ABSENT
BR_API br_status br_integrator_create(const br_ode* ode, const br_integrator_def* def,
                                      br_integrator** out, br_reason* why);

/// Free an integrator; NULL is allowed.
BR_API void br_integrator_destroy(br_integrator* integrator);

/// Start at (t, y), or start again after a jump; y is copied (n). Does not reset the cost.
BR_API void br_integrator_start(br_integrator* integrator, double t, const double* y);

/// Take one step, at most to t_end, and end it at the first event in it. Several functions may
/// change sign at one event: see br_integrator_has_switched(). An event shortly after another one
/// may be reported late: by up to 1e-12 of the step after the first event in it, after each further
/// one twice as much. This limits the events in a step to some 40.
/// @param t_end       [s], after the current time
/// @param[out] event  index of the first event function that changed sign at the end of this step, or
///                    -1; may be NULL if there are no events. To continue after an event, call this
///                    again: it evaluates the event functions, which the event may have changed, there
///                    again. If the event changes the system, call br_integrator_start() first.
/// @param[out] why    may be NULL; reports the time and the cause
/// @return BR_OK, BR_ERR_ARG (t_end is not after the current time) or BR_ERR_CONVERGENCE
BR_API br_status br_integrator_step(br_integrator* integrator, double t_end, int* event,
                                    br_reason* why);

/// Whether event function `i` changed sign at the end of the last step.
/// @param i           index of the event function, < events
BR_API bool br_integrator_has_switched(const br_integrator* integrator, size_t i);

/// Current time [s].
BR_API double br_integrator_get_t(const br_integrator* integrator);

/// Current state (n); owned by the integrator, valid until the next call that changes it.
BR_API const double* br_integrator_get_y(const br_integrator* integrator);

/// State at a time within the last step (n), by the interpolant of the method.
BR_API void br_integrator_at(const br_integrator* integrator, double t, double* y);

/// Cost since it was created.
BR_API br_integrator_cost br_integrator_get_cost(const br_integrator* integrator);

#ifdef __cplusplus
}
#endif

#endif
