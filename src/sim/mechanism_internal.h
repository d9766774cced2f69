/*
 * Internal header of a mechanism's run: state, equations of motion, events.
 *
 * State y: coordinates q (n), velocities qd (n), state of the law z (1 along a line, d, or none), slip since the
 * contact started to stick (1 for memoryless laws, or none), states of the joints' laws (n, or none), work of the applied
 * forces, of friction, of the constraints.
 */
#ifndef BRISTLE_SIM_MECHANISM_INTERNAL_H
#define BRISTLE_SIM_MECHANISM_INTERNAL_H

#include "bristle/mechanism.h"

#include "sim/rows.h"

#include <math.h>
#include <string.h>

typedef struct mechanism_run {
    const br_mechanism_def* def;
    const br_run_def* run; // with its defaults filled in
    const br_run_watch* watch;
    run_row row;
    br_mechanism_terms terms; // at the last bri_mechanism_look()
    br_constrained system;    // over those terms
    double *b, *bias;         // stabilised, used by `system` (m), (d)
    double* work;             // scratch of constrained.h
    double* trial;            // scratch of derivatives: a state and two rates (3 states)
    double* memory;           // all of the above
    size_t states, law_states, hold_states, joint_states;
    double joint_force[BR_CONSTRAINED_MOST]; // friction on the coordinates, included in terms.Q
    double joint_rate[BR_CONSTRAINED_MOST];  // of the joints' states

    double within;
    int is_row;       // evaluated for a row: no stabilisation
    int decided;      // 0: direction is not decided yet
    double direction; // of sliding along the tangent: +1, -1; 0: sticks. Memoryless laws only
    double margin;    // Painleve margin of the last instant that slid and had one

    int contradicts;             // the constraint's terms are not derivatives of each other
    br_reason contradiction;     // which term, and when
    double kinetic0, potential0; // at the start [J]
    br_mechanism_report report;
} mechanism_run;

// Solution of the equations of motion at an instant.
typedef struct mechanism_forces {
    double qdd[BR_CONSTRAINED_MOST];
    double n;
    double friction[3];
    double margin;
    double dz[3];
    double power; // of moving constraints, without friction [W]
} mechanism_forces;

// Number of doubles of all terms; they are in one block that starts with M.
static inline size_t terms_size(const br_mechanism* m)
{
    return m->n * (m->n + 1) + m->m * (m->n + 3) + m->d * (m->n + 4 + m->normals);
}

// Does the contact point slide along a line? Then the state of its law is one number along the tangent, which
// turns with the path. Dahl's law by axes needs a state per axis instead.
static inline int is_along_line(const br_mechanism_def* def)
{
    const int by_axes = def->law.kind == BR_LAW_DAHL && def->dahl != BR_DAHL_VECTOR;
    return def->mechanism.normals + 1 == def->mechanism.d && !by_axes;
}

// Index in the state of the slip since the contact stuck.
static inline size_t hold_index(const mechanism_run* r)
{
    return 2 * r->def->mechanism.n + r->law_states;
}

// Index of the states of the joints.
static inline size_t joint_index(const mechanism_run* r)
{
    return hold_index(r) + r->hold_states;
}

// Index of the works: of the applied forces, of friction, of the constraints.
static inline size_t work_index(const mechanism_run* r)
{
    return joint_index(r) + r->joint_states;
}

enum { WORKS = 3 };

// Update the terms at (t, y), with the stabilised b and bias. The functions marked (*) use these terms.
void bri_mechanism_look(mechanism_run* r, double t, const double* y);

// The direction in which the contact point can slide: a unit vector (d) (*).
void bri_mechanism_tangent(const mechanism_run* r, double* out);

// Largest slip of a point at rest by rounding [m/s].
static const double mechanism_at_rest = 1e-13;

// Velocity of the contact point over the surface, along the tangent [m/s] (*).
double bri_mechanism_slip(const mechanism_run* r);

// Set the bristles, which are 0, to steady sliding at the start (*).
void bri_mechanism_start_bristles(const mechanism_run* r, double* y);

// Forces and accelerations at (t, y).
void bri_mechanism_solve(mechanism_run* r, double t, const double* y, mechanism_forces* out);

// For a point at rest with a memoryless law: largest holding force minus the required one [N]; negative:
// it slips. Fills `hold` (*).
double bri_mechanism_hold_margin(mechanism_run* r, br_constrained_hold_value* hold);

// A memoryless contact starts to slide in a direction at t; reports the event.
void bri_mechanism_slide_from(mechanism_run* r, double t, double direction);

// Decide whether a memoryless contact at rest at t sticks or slides; changes y where it sticks.
void bri_mechanism_decide(mechanism_run* r, double t, double* y);

// The equations and events of `r`, which must outlive them.
br_ode bri_mechanism_ode(mechanism_run* r);

#endif
