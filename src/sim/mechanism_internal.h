/*
 * A mechanism under way: its equations of motion, and what the files of it share.
 *
 * State y: coordinates q (n), velocities qd (n), state of the law z (d, or none), states of the joints' laws
 * (n, or none), work of the applied forces, work of friction.
 */
#ifndef BRISTLE_SIM_MECHANISM_INTERNAL_H
#define BRISTLE_SIM_MECHANISM_INTERNAL_H

#include "bristle/mechanism.h"

#include <math.h>
#include <string.h>

typedef struct mechanism_run {
    const br_mechanism_def* def;
    const br_run_def* run; // with its defaults filled in
    const br_run_watch* watch;
    br_mechanism_terms terms; // of the last instant looked at
    br_constrained system;    // over those terms
    double *b, *bias;         // stabilised; what `system` has (m), (d)
    double* work;             // scratch of constrained.h
    double* trial;            // scratch of derivatives: a state and two rates (3 states)
    double* memory;           // all of the above
    size_t states, law_states, joint_states;
    double joint_force[BR_CONSTRAINED_MOST]; // friction on the coordinates, in terms.Q already
    double joint_rate[BR_CONSTRAINED_MOST];  // of the joints' states

    double within;
    int is_row;       // looked at for a row, not to move on
    int decided;      // 0: direction is not decided yet
    double direction; // of sliding along the tangent: +1, -1; 0: sticks. Memoryless laws alone
    double held[3];   // where the point sticks [m]
    double margin;    // Painleve margin of the last instant that slid and had one

    double kinetic0, potential0; // at the start [J]
    br_mechanism_report report;
} mechanism_run;

// What the equations of motion give at an instant.
typedef struct mechanism_forces {
    double qdd[BR_CONSTRAINED_MOST];
    double n;
    double friction[3];
    double margin;
    double dz[3];
} mechanism_forces;

// Doubles of all the terms together; they lie in one block that begins with M.
static inline size_t terms_size(const br_mechanism* m)
{
    return m->n * (m->n + 1) + m->m * (m->n + 2) + m->d * (m->n + 2 + m->normals);
}

// Where the works stand in the state, that of the applied forces first.
static inline size_t work_index(const mechanism_run* r)
{
    return 2 * r->def->mechanism.n + r->law_states + r->joint_states;
}

// Where the states of the joints stand in it.
static inline size_t joint_index(const mechanism_run* r)
{
    return 2 * r->def->mechanism.n + r->law_states;
}

// The terms at (t, y), with the stabilised b and bias.
void bri_mechanism_look(mechanism_run* r, double t, const double* y);

// The direction in which the contact point can slide: a unit vector (d).
void bri_mechanism_tangent(const mechanism_run* r, double* out);

// The contact point's velocity along the tangent [m/s]; look first.
double bri_mechanism_slip(const mechanism_run* r);

// Put the bristles, which are 0, where steady sliding at the start has them; look first.
void bri_mechanism_begin_bristles(const mechanism_run* r, double* y);

// Forces and accelerations at (t, y).
void bri_mechanism_solve(mechanism_run* r, double t, const double* y, mechanism_forces* out);

// For a point at rest with a memoryless law: what holds it less what it needs [N]; negative: it
// slips. `hold` tells the rest; look first.
double bri_mechanism_hold_margin(mechanism_run* r, br_constrained_hold_value* hold);

// Decide a memoryless contact whose point is at rest at t; changes y where it sticks.
void bri_mechanism_decide(mechanism_run* r, double t, double* y);

// The equations and events of `r`, which is borrowed.
br_ode bri_mechanism_ode(mechanism_run* r);

#endif
