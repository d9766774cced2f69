/// @file integrator.h
/// Adaptive integration of small stiff systems dy/dt = f(t, y), with dense output and events.
///
/// The default method is RODAS, a linearly implicit (Rosenbrock) method of order 4(3), stiffly
/// accurate (Hairer & Wanner, Solving ODEs II, IV.7). SUNDIALS CVODE is there where built in.
#ifndef BRISTLE_INTEGRATOR_H
#define BRISTLE_INTEGRATOR_H

#include "bristle/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The system to integrate. Callbacks must not fail: return NaN where there is no value, and the
/// step is tried again, shorter.
typedef struct br_ode {
    size_t n; ///< number of states, >= 1

    /// The first so many states are judged apart from the rest, <= n: the error of a step is the larger
    /// of the two root mean squares over the tolerances, so that many bristles do not hide what a body
    /// does. 0: all together. (Not for CVODE, which has a norm of its own.)
    size_t apart;

    /// dy = f(t, y)
    void (*rate)(double t, const double* y, double* dy, void* user);

    /// jacobian[i n + j] = df_i/dy_j (n x n), and dfdt = df/dt (n); NULL for a structured system, and
    /// where CVODE shall take difference quotients
    void (*jacobian)(double t, const double* y, double* jacobian, double* dfdt, void* user);

    /// A system with structure solves for itself, instead of giving a dense Jacobian J: it linearises
    /// at (t, y), keeps what it needs, and gives dfdt = df/dt (n). All three of these, or none.
    void (*linearise)(double t, const double* y, double* dfdt, void* user);
    /// Make ready to solve with shift I - J [1/s]; 0 if it cannot.
    int (*factor)(double shift, void* user);
    /// Solve (shift I - J) x = b; x replaces b (n).
    void (*solve)(double* b, void* user);

    /// The system's own step of size h from (t, y), for BR_FIXED: replaces y, returns how many
    /// evaluations that took; NULL: it has none.
    size_t (*advance)(double t, double h, double* y, void* user);

    /// Longest step [s] that may be tried from (t, y); NULL: no limit.
    double (*longest_step)(double t, const double* y, void* user);

    size_t events; ///< number of event functions, may be 0

    /// g (events): a change of sign from a nonzero value is an event; NULL if there are none
    void (*event)(double t, const double* y, double* g, void* user);

    void* user; ///< handed to every callback, borrowed, may be NULL
} br_ode;

/// Which method.
typedef enum br_integrator_kind {
    BR_ROSENBROCK, ///< RODAS, order 4, ours
    BR_CVODE, ///< SUNDIALS CVODE (BDF, Newton), with a part of the tolerances so that a run keeps
              ///< them as ours does; BR_ERR_ABSENT where not built in
    BR_FIXED  ///< the system's own steps, all of the size `first_step`, the last cut at t_end
} br_integrator_kind;

/// How to integrate. Start from br_integrator_def_default().
typedef struct br_integrator_def {
    size_t size;             ///< set by the default function; do not touch
    br_integrator_kind kind; ///< which method
    double rtol;             ///< relative tolerance [-], in [1e-14, 1)
    const double* atol;      ///< absolute tolerance of each state, > 0 (n); copied
    double first_step;       ///< [s], > 0, or 0: chosen (not for BR_FIXED)
    double max_step;         ///< [s], > 0, may be INFINITY
    size_t max_steps;        ///< attempts before giving up, counted from the last start, >= 1
} br_integrator_def;

/// What an integration cost.
typedef struct br_integrator_cost {
    size_t steps;          ///< accepted
    size_t rejected;       ///< tried again, shorter
    size_t evaluations;    ///< of the rate
    size_t jacobians;      ///< of the Jacobian
    size_t factorisations; ///< of the linear system
} br_integrator_cost;

/// An integration under way. Not shared between threads.
typedef struct br_integrator br_integrator;

/// Rosenbrock, rtol 1e-6, no limits; `atol` is to be set.
BR_API br_integrator_def br_integrator_def_default(void);

/// Create an integrator; all memory it ever needs is allocated here (CVODE's own apart).
/// @param ode       copied; its `user` is borrowed
/// @param[out] out  the integrator, or NULL; free it with br_integrator_destroy()
/// @param[out] why  may be NULL
/// @return BR_OK, BR_ERR_DEF, BR_ERR_MEMORY or BR_ERR_ABSENT
BR_API br_status br_integrator_create(const br_ode* ode, const br_integrator_def* def,
                                      br_integrator** out, br_reason* why);

/// Free an integrator; NULL is allowed.
BR_API void br_integrator_destroy(br_integrator* integrator);

/// Begin, or begin anew after a jump, at (t, y); y is copied (n). Keeps the cost counted so far.
BR_API void br_integrator_start(br_integrator* integrator, double t, const double* y);

/// Take one step, not beyond t_end, and cut it at the first event in it.
/// @param t_end       [s], after the current time
/// @param[out] event  index of the event function that changed sign at the end of this step, or -1;
///                    may be NULL if there are no events. To go on across an event, just call again;
///                    if the event changes the system, call br_integrator_start() first.
/// @param[out] why    may be NULL; says at what time and why
/// @return BR_OK, BR_ERR_ARG (t_end is not after the current time) or BR_ERR_CONVERGENCE
BR_API br_status br_integrator_step(br_integrator* integrator, double t_end, int* event,
                                    br_reason* why);

/// Current time [s].
BR_API double br_integrator_t(const br_integrator* integrator);

/// Current state (n); belongs to the integrator, valid until the next call that changes it.
BR_API const double* br_integrator_y(const br_integrator* integrator);

/// State at a time within the last step (n), by the method's own interpolant.
BR_API void br_integrator_at(const br_integrator* integrator, double t, double* y);

/// What it cost since it was created.
BR_API br_integrator_cost br_integrator_get_cost(const br_integrator* integrator);

#ifdef __cplusplus
}
#endif

#endif
