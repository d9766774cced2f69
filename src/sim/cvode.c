/*
 * SUNDIALS CVODE as a second method: variable-order BDF with Newton's method. The Jacobian is dense,
 * structured (solved by the system), or from CVODE's difference quotients.
 *
 * CVODE allocates its own memory, so the guarantee of no allocation in steps does not hold here.
 */
#include "sim/integrator_internal.h"

#include <cvode/cvode.h>
#include <float.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

// CVODE controls the error of each step; over the many steps of stick and slip the errors add up to a
// hundred times that. With this share of the tolerance a run stays within a few times the requested one,
// as the Rosenbrock method does.
static const double tolerance_share = 0.02;
static const double min_rtol = 1e-14;

typedef struct cvode {
    SUNContext context;
    void* memory;
    N_Vector y;
    N_Vector atol;
    SUNMatrix matrix; // of a structured system: without entries
    SUNLinearSolver solver;
    double* jacobian; // row-major scratch (n x n), of a dense system
    double* dfdt;     // scratch (n)
    double gamma;     // of a structured system: that of the factored I - gamma J [s]
    int has_stepped;
} cvode;

static int call_rate(realtype t, N_Vector y, N_Vector dy, void* user)
{
    br_integrator* s = user;
    s->ode.rate(t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy), s->ode.user);
    s->cost.evaluations++;
    for (size_t i = 0; i < s->ode.n; i++) {
        if (!isfinite(N_VGetArrayPointer(dy)[i])) {
            return 1; // recoverable: CVODE tries a shorter step
        }
    }
    return 0;
}

static int call_jacobian(realtype t, N_Vector y, N_Vector dy, SUNMatrix out, void* user, N_Vector a,
                         N_Vector b, N_Vector c)
{
    (void)dy, (void)a, (void)b, (void)c;
    br_integrator* s = user;
    cvode* m = s->data;
    const size_t n = s->ode.n;
    s->ode.jacobian(t, N_VGetArrayPointer(y), m->jacobian, m->dfdt, s->ode.user);
    s->cost.jacobians++;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            SUNDenseMatrix_Column(out, (sunindextype)j)[i] = m->jacobian[i * n + j];
        }
    }
    return 0;
}

// --- systems with structure: (I - gamma J) x = b is (I/gamma - J) x = b/gamma ------------------------

static int linear_system(realtype t, N_Vector y, N_Vector dy, SUNMatrix out, booleantype keeps,
                         booleantype* current, realtype gamma, void* user, N_Vector a, N_Vector b,
                         N_Vector c)
{
    (void)dy, (void)out, (void)a, (void)b, (void)c;
    br_integrator* s = user;
    cvode* m = s->data;
    *current = !keeps;
    if (!keeps) {
        s->ode.linearise(t, N_VGetArrayPointer(y), m->dfdt, s->ode.user);
        s->cost.jacobians++;
    }
    m->gamma = gamma;
    return s->ode.factor(1.0 / gamma, s->ode.user) ? 0 : 1; // 1: recoverable
}

static int structured_setup(SUNLinearSolver solver, SUNMatrix matrix)
{
    (void)solver, (void)matrix; // linear_system() has factored
    return 0;
}

static int structured_solve(SUNLinearSolver solver, SUNMatrix matrix, N_Vector x, N_Vector b,
                            realtype tolerance)
{
    (void)matrix, (void)tolerance;
    const br_integrator* s = solver->content;
    const cvode* m = s->data;
    N_VScale(1.0 / m->gamma, b, x);
    s->ode.solve(N_VGetArrayPointer(x), s->ode.user);
    return 0;
}

static int structured_free(SUNLinearSolver solver)
{
    SUNLinSolFreeEmpty(solver); // its content is ours
    return 0;
}

static SUNLinearSolver_Type structured_type(SUNLinearSolver solver)
{
    (void)solver;
    return SUNLINEARSOLVER_DIRECT;
}

static SUNMatrix_ID structured_matrix(SUNMatrix matrix)
{
    (void)matrix;
    return SUNMATRIX_CUSTOM;
}

static int allocate_structured(br_integrator* s)
{
    cvode* m = s->data;
    m->matrix = SUNMatNewEmpty(m->context);
    m->solver = SUNLinSolNewEmpty(m->context);
    m->dfdt = m->jacobian = br_allocate(s->ode.n, sizeof *m->jacobian);
    if (!m->matrix || !m->solver || !m->dfdt) {
        return 0;
    }
    m->matrix->ops->getid = structured_matrix;
    m->solver->content = s;
    m->solver->ops->gettype = structured_type;
    m->solver->ops->free = structured_free;
    m->solver->ops->setup = structured_setup;
    m->solver->ops->solve = structured_solve;
    return 1;
}

// --- all systems ------------------------------------------------------------------------------------

static void keep_quiet(int code, const char* module, const char* function, char* text, void* user)
{
    (void)code, (void)module, (void)function, (void)text, (void)user; // the library never prints
}

static int allocate_dense(br_integrator* s)
{
    cvode* m = s->data;
    const size_t n = s->ode.n;
    m->matrix = SUNDenseMatrix((sunindextype)n, (sunindextype)n, m->context);
    m->jacobian = br_allocate(n * n + n, sizeof *m->jacobian);
    if (!m->matrix || !m->jacobian) {
        return 0;
    }
    m->dfdt = m->jacobian + n * n;
    m->solver = SUNLinSol_Dense(m->y, m->matrix, m->context);
    return m->solver != NULL;
}

static int allocate_parts(br_integrator* s)
{
    cvode* m = s->data;
    if (SUNContext_Create(NULL, &m->context)) {
        return 0;
    }
    m->memory = CVodeCreate(CV_BDF, m->context);
    m->y = N_VNew_Serial((sunindextype)s->ode.n, m->context);
    m->atol = N_VNew_Serial((sunindextype)s->ode.n, m->context);
    if (!m->memory || !m->y || !m->atol) {
        return 0;
    }
    return s->ode.linearise ? allocate_structured(s) : allocate_dense(s);
}

// Set the source of the Jacobian; by default CVODE's difference quotients.
static int set_jacobian(const br_integrator* s)
{
    const cvode* m = s->data;
    return s->ode.linearise  ? CVodeSetLinSysFn(m->memory, linear_system)
           : s->ode.jacobian ? CVodeSetJacFn(m->memory, call_jacobian)
                             : CV_SUCCESS;
}

static int set_up(br_integrator* s)
{
    cvode* m = s->data;
    for (size_t i = 0; i < s->ode.n; i++) {
        N_VGetArrayPointer(m->atol)[i] = tolerance_share * s->def.atol[i];
    }
    const double rtol = fmax(tolerance_share * s->def.rtol, min_rtol);
    N_VConst(0.0, m->y);
    return !CVodeInit(m->memory, call_rate, 0.0, m->y) &&
           !CVodeSetErrHandlerFn(m->memory, keep_quiet, NULL) &&
           !CVodeSVtolerances(m->memory, rtol, m->atol) && !CVodeSetUserData(m->memory, s) &&
           !CVodeSetLinearSolver(m->memory, m->solver, m->matrix) && !set_jacobian(s) &&
           !CVodeSetMaxNumSteps(m->memory, -1) &&
           (!isfinite(s->def.max_step) || !CVodeSetMaxStep(m->memory, s->def.max_step));
}

static br_status cvode_create(br_integrator* s, br_reason* why)
{
    s->data = br_allocate(1, sizeof(cvode));
    if (!s->data || !allocate_parts(s) || !set_up(s)) {
        br_reason_set(why, "", "CVODE could not be set up for %zu states", s->ode.n);
        return BR_ERR_MEMORY;
    }
    return BR_OK;
}

static void cvode_destroy(br_integrator* s)
{
    cvode* m = s->data;
    CVodeFree(&m->memory);
    if (m->solver) {
        SUNLinSolFree(m->solver);
    }
    if (m->matrix) {
        SUNMatDestroy(m->matrix);
    }
    N_VDestroy(m->atol);
    N_VDestroy(m->y);
    br_release(m->jacobian);
    SUNContext_Free(&m->context);
    br_release(m);
}

static void cvode_start(br_integrator* s)
{
    cvode* m = s->data;
    memcpy(N_VGetArrayPointer(m->y), s->reach_y, s->ode.n * sizeof *s->reach_y);
    CVodeReInit(m->memory, s->reach, m->y);
    CVodeSetInitStep(m->memory, s->def.first_step);
    m->has_stepped = 0;
}

static br_status cvode_step(br_integrator* s, double t_end, br_reason* why)
{
    cvode* m = s->data;
    if (s->attempts++ >= s->def.max_steps) {
        return bri_integrator_stuck(s, "the allowed number of steps was used up", why);
    }
    const double own =
        s->ode.longest_step ? s->ode.longest_step(s->reach, s->reach_y, s->ode.user) : HUGE_VAL;
    const double limit = fmin(own, s->def.max_step);
    CVodeSetMaxStep(m->memory, isfinite(limit) ? limit : 0.0); // 0: no limit
    CVodeSetMinStep(m->memory, fmin(16.0 * DBL_EPSILON * fabs(s->reach), limit));
    CVodeSetStopTime(m->memory, t_end);

    const int flag = CVode(m->memory, t_end, m->y, &s->reach, CV_ONE_STEP);
    if (flag < 0) {
        char what[96];
        snprintf(what, sizeof what, "CVODE gave up (its code %d)", flag);
        return bri_integrator_stuck(s, what, why);
    }
    memcpy(s->reach_y, N_VGetArrayPointer(m->y), s->ode.n * sizeof *s->reach_y);
    m->has_stepped = 1;
    s->cost.steps++;
    long failures = 0, set_ups = 0;
    CVodeGetNumErrTestFails(m->memory, &failures);
    CVodeGetNumLinSolvSetups(m->memory, &set_ups);
    s->cost.rejected = (size_t)failures;
    s->cost.factorisations = (size_t)set_ups;
    return BR_OK;
}

static void cvode_at(const br_integrator* s, double t, double* y)
{
    const cvode* m = s->data;
    if (t == s->reach || !m->has_stepped) {
        memcpy(y, s->reach_y, s->ode.n * sizeof *y);
        return;
    }
    N_Vector out = m->y; // free between steps: the state itself is in reach_y
    CVodeGetDky(m->memory, t, 0, out);
    memcpy(y, N_VGetArrayPointer(out), s->ode.n * sizeof *y);
}

const integrator_method bri_cvode_method = {cvode_create, cvode_destroy, cvode_start, cvode_step,
                                            cvode_at};
