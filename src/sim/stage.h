/*
 * A stage of a linearly implicit method (rosenbrock.c), for a system that computes stages itself:
 *
 *   (shift I - J) u = f(t, at) + sum_j c_j u_j + by_time dfdt,      at = y + sum_j a_j u_j
 *
 * over the stages u_j before it. The system may complete u later, in the next stage or at the end of the
 * step. So the states are read and written once per stage instead of several times.
 */
#ifndef BRISTLE_SIM_STAGE_H
#define BRISTLE_SIM_STAGE_H

#include <stddef.h>

typedef struct stage {
    size_t n;           // states
    size_t stride;      // from one stage to the next
    int before;         // stages before this one
    const double* a;    // (before)
    const double* c;    // (before)
    const double* y;    // at the start of the step (n)
    double* at;         // (n); NULL: not requested
    double* u;          // the stages before, followed by this one (before + 1 x stride)
    double t;           // [s]
    const double* rate; // f(t, y), of the first stage (n); NULL: it has stages before
    const double* dfdt; // (n)
    size_t changing;    // number of its leading entries that may be nonzero
    double by_time;     // [s]
} stage;

// The end of a step: y1 = at + u with the last stage u, which is also the error estimate.
typedef struct stage_end {
    const double* u;    // (n)
    const double* at;   // (n)
    const double* y;    // at the start (n)
    double* y1;         // (n)
    const double* atol; // (n)
    double rtol;
} stage_end;

// Stages that a system computes itself, after its `factor`; `user` is that of its br_ode.
typedef struct stage_passes {
    void (*take)(const stage* stage, void* user);
    // root mean square of the error over the tolerances, the larger one of both groups of states
    double (*end)(const stage_end* end, void* user);
} stage_passes;

#endif
