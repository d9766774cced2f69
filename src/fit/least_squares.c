/*
 * Nonlinear least squares by cminpack.
 */
#include "fit/least_squares.h"

#include <cminpack.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "fit/numbers.h"

// cminpack returns the point where it stopped, which need not be the best: this is the best.
typedef struct search {
    const least_squares* problem;
    double* best; // (n)
    double cost;  // at `best`
} search;

// flag 1: residuals are requested, 2: the Jacobian. Below 0 the solution ends.
static int on_eval(void* user, int m, int n, const double* x, double* residual, double* jacobian,
                   int stride, int flag)
{
    search* s = user;
    (void)m, (void)n, (void)stride;
    const int stop = s->problem->eval(x, residual, flag == 2 ? jacobian : NULL, s->problem->user);
    double cost = flag == 1 && !stop ? 0.0 : HUGE_VAL;
    for (size_t i = 0; cost < s->cost && i < s->problem->m; i++) {
        cost += residual[i] * residual[i];
    }
    if (cost < s->cost) {
        s->cost = cost;
        memcpy(s->best, x, s->problem->n * sizeof *x);
    }
    return stop ? -1 : 0;
}

enum { STOPPED = -1, CONVERGED_FIRST = 1, CONVERGED_LAST = 4, ROUNDING = 8 }; // lmder's answers

bool br_fit_has_solver(void)
{
    return true;
}

br_status bri_least_squares(const least_squares* p, double* x, double* cost, int* is_converged,
                            br_reason* why)
{
    BR_ASSERT(p->m >= p->n && p->n > 0 && p->m <= INT_MAX);
    const int m = (int)p->m, n = (int)p->n;
    double* work = br_allocate(p->m * (p->n + 2) + 6 * p->n, sizeof *work);
    int *pivot = br_allocate(p->n, sizeof *pivot), evaluations, jacobians;
    if (!work || !pivot) {
        br_release(pivot);
        br_release(work);
        return bri_out_of_memory(why);
    }
    double *jacobian = work + m, *diag = jacobian + (size_t)m * p->n, *qtf = diag + n;
    double *wa1 = qtf + n, *wa2 = wa1 + n, *wa3 = wa2 + n, *wa4 = wa3 + n;
    search s = {p, wa4 + m, HUGE_VAL};
    memcpy(s.best, x, p->n * sizeof *x);
    const int info = lmder(on_eval, &s, m, n, x, work, jacobian, m, p->tolerance, p->tolerance, 0.0,
                           (int)p->evaluations, diag, 1, 100.0, 0, &evaluations, &jacobians, pivot,
                           qtf, wa1, wa2, wa3, wa4);
    memcpy(x, s.best, p->n * sizeof *x);
    *cost = s.cost;
    *is_converged = info == ROUNDING || (info >= CONVERGED_FIRST && info <= CONVERGED_LAST);
    br_release(pivot);
    br_release(work);
    return info == STOPPED ? BR_ERR_STOPPED : BR_OK;
}
