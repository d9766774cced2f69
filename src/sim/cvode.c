/*
 * SUNDIALS CVODE as a second method: variable-order BDF, Newton, dense Jacobian.
 *
 * CVODE allocates for itself, so the promise of no allocation in steps does not hold here.
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

typedef struct cvode {
    SUNContext context;
    void* memory;
    N_Vector y;
    N_Vector atol;
    SUNMatrix matrix;
    SUNLinearSolver solver;
    double* jacobian; // row-major scratch (n x n)
    double* dfdt;     // scratch (n)
    int begun;
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

static void keep_quiet(int code, const char* module, const char* function, char* text, void* user)
{
    (void)code, (void)module, (void)function, (void)text, (void)user; // the library never prints
}

static int allocate_parts(cvode* m, size_t n)
{
    if (SUNContext_Create(NULL, &m->context)) {
        return 0;
    }
    const sunindextype length = (sunindextype)n;
    m->memory = CVodeCreate(CV_BDF, m->context);
    m->y = N_VNew_Serial(length, m->context);
    m->atol = N_VNew_Serial(length, m->context);
    m->matrix = SUNDenseMatrix(length, length, m->context);
    m->jacobian = br_allocate(n * n + n, sizeof *m->jacobian);
    if (!m->memory || !m->y || !m->atol || !m->matrix || !m->jacobian) {
        return 0;
    }
    m->dfdt = m->jacobian + n * n;
    m->solver = SUNLinSol_Dense(m->y, m->matrix, m->context);
    return m->solver != NULL;
}

static int set_up(br_integrator* s)
{
    cvode* m = s->data;
    memcpy(N_VGetArrayPointer(m->atol), s->def.atol, s->ode.n * sizeof *s->def.atol);
    N_VConst(0.0, m->y);
    return !CVodeInit(m->memory, call_rate, 0.0, m->y) &&
           !CVodeSetErrHandlerFn(m->memory, keep_quiet, NULL) &&
           !CVodeSVtolerances(m->memory, s->def.rtol, m->atol) && !CVodeSetUserData(m->memory, s) &&
           !CVodeSetLinearSolver(m->memory, m->solver, m->matrix) &&
           !CVodeSetJacFn(m->memory, call_jacobian) && !CVodeSetMaxNumSteps(m->memory, -1) &&
           (!isfinite(s->def.max_step) || !CVodeSetMaxStep(m->memory, s->def.max_step));
}

static br_status cvode_create(br_integrator* s, br_reason* why)
{
    if (!s->ode.jacobian) {
        br_reason_set(why, "kind", "CVODE takes dense systems only; use rosenbrock");
        return BR_ERR_ABSENT;
    }
    s->data = br_allocate(1, sizeof(cvode));
    if (!s->data || !allocate_parts(s->data, s->ode.n) || !set_up(s)) {
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
    m->begun = 0;
}

static br_status cvode_step(br_integrator* s, double t_end, br_reason* why)
{
    cvode* m = s->data;
    if (s->attempts++ >= s->def.max_steps) {
        return integrator_stuck(s, "the allowed number of steps was used up", why);
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
        return integrator_stuck(s, what, why);
    }
    memcpy(s->reach_y, N_VGetArrayPointer(m->y), s->ode.n * sizeof *s->reach_y);
    m->begun = 1;
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
    if (t == s->reach || !m->begun) {
        memcpy(y, s->reach_y, s->ode.n * sizeof *y);
        return;
    }
    N_Vector out = m->y; // free between steps: the state itself is in reach_y
    CVodeGetDky(m->memory, t, 0, out);
    memcpy(y, N_VGetArrayPointer(out), s->ode.n * sizeof *y);
}

const integrator_method cvode_method = {cvode_create, cvode_destroy, cvode_start, cvode_step,
                                        cvode_at};
