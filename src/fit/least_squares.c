/*
 * Nonlinear least squares by cminpack.
 */
#include "fit/least_squares.h"

#include <cminpack.h>
#include <limits.h>
#include <math.h>
#include <string.h>

// cminpack keeps the trial point where it stopped, which need not be the best: we remember that.
typedef struct search {
    const least_squares* problem;
    double* best; // (n)
    double cost;  // at `best`
} search;

static void remember(search* s, const double* x, const double* residual)
{
    double cost = 0.0;
    for (size_t i = 0; i < s->problem->m; i++) {
        cost += residual[i] * residual[i];
    }
    if (cost < s->cost) {
        s->cost = cost;
        memcpy(s->best, x, s->problem->n * sizeof *x);
    }
}

// flag 1: residuals are asked for, 2: the Jacobian. Below 0 the solution ends.
static int on_eval(void* user, int m, int n, const double* x, double* residual, double* jacobian,
                   int stride, int flag)
{
    search* s = user;
    (void)m, (void)n, (void)stride;
    const int stop = s->problem->eval(x, residual, flag == 2 ? jacobian : NULL, s->problem->user);
    if (flag == 1 && !stop) {
        remember(s, x, residual);
    }
    return stop ? -1 : 0;
}

enum { STOPPED = -1, CONVERGED_FIRST = 1, CONVERGED_LAST = 4, ROUNDING = 8 }; // lmder's answers

static int solve(search* s, double* x, double* work, int* pivot, int* evaluations)
{
    const least_squares* p = s->problem;
    const int m = (int)p->m, n = (int)p->n;
    const double tolerance = p->tolerance > 0.0 ? p->tolerance : 1e-10;
    const int most = p->evaluations > 0 ? (int)p->evaluations : 100 * (n + 1);
    double *residual = work, *jacobian = residual + m, *diag = jacobian + (size_t)m * n;
    double *qtf = diag + n, *wa1 = qtf + n, *wa2 = wa1 + n, *wa3 = wa2 + n, *wa4 = wa3 + n;
    int jacobians;
    return lmder(on_eval, s, m, n, x, residual, jacobian, m, tolerance, tolerance, 0.0, most, diag,
                 1, 100.0, 0, evaluations, &jacobians, pivot, qtf, wa1, wa2, wa3, wa4);
}

int br_fit_has_solver(void)
{
    return 1;
}

br_status bri_least_squares(const least_squares* p, double* x, least_squares_end* end,
                            br_reason* why)
{
    BR_ASSERT(p->m >= p->n && p->n > 0 && p->m <= INT_MAX);
    double* work = br_allocate(p->m * (p->n + 2) + 6 * p->n, sizeof *work);
    int* pivot = br_allocate(p->n, sizeof *pivot);
    search s = {p, work ? work + p->m * (p->n + 2) + 5 * p->n : NULL, HUGE_VAL};
    br_status status = BR_ERR_MEMORY;
    if (work && pivot) {
        int evaluations = 0;
        memcpy(s.best, x, p->n * sizeof *x);
        const int info = solve(&s, x, work, pivot, &evaluations);
        memcpy(x, s.best, p->n * sizeof *x);
        *end = (least_squares_end){s.cost, (size_t)evaluations,
                                   info == ROUNDING ||
                                       (info >= CONVERGED_FIRST && info <= CONVERGED_LAST)};
        status = info == STOPPED ? BR_ERR_STOPPED : BR_OK;
    } else {
        br_reason_set(why, "", "%s", br_status_text(BR_ERR_MEMORY));
    }
    br_release(pivot);
    br_release(work);
    return status;
}
