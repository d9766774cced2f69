/*
 * What a step of a body needs from the bristles of one contact, whichever method they are of.
 *
 * Twists v at the CoP in the bristles' own axes, resistances F = -f/fn there. With the decays
 * x = h kappa of all bristles frozen, F = C v + c, with C symmetric and positive definite.
 * `memo` is the contact's part of the caller's workspace.
 */
#ifndef BRISTLE_PLANAR_STEP_INTERNAL_H
#define BRISTLE_PLANAR_STEP_INTERNAL_H

#include "bristle/contact.h"
#include "bristle/step.h"

#include <string.h>

#include "math/axes.h"
#include "math/mat3.h"

// A pass over the bristles: what is asked.
typedef struct step_pass {
    const double* z; // state at the begin
    br_twist v;
    double h;
    double* memo; // a pass leaves the decays there, what closes a step reads them
} step_pass;

// What a pass gives.
typedef struct step_force {
    vector3 f;   // F(v)
    mat3 f_v;    // dF/dv
    int elastic; // 1: no bristle decays, F is linear in v
} step_force;

// F = C v + c with frozen decays.
typedef struct step_linear {
    mat3 slope;   // C
    vector3 rest; // c
} step_linear;

// What the closed step did, per fn.
typedef struct step_closed {
    vector3 f;            // F
    double heat;          // per h: energy turned into heat
    double before, after; // stored at both ends
} step_closed;

// What a contact is to the step.
typedef struct step_model {
    size_t states; // doubles
    size_t memo;   // doubles
    const br_law* law;
    axes axes;   // of the bristles in the contact frame
    double spin; // a length that turns spin into speed [m]
    int guard;   // 1: pays with what it stores for what it would give back
} step_model;

// What a contact does in a step. `limited`: with sigma1 so small that it cannot give energy back.
step_model bri_contact_step_model(const br_contact* c);
void bri_contact_pass(const br_contact* c, const step_pass* in, step_force* out);
void bri_contact_linear(const br_contact* c, const step_pass* in, int limited, step_linear* out);
void bri_contact_close(const br_contact* c, const step_pass* in, int limited, double* z1,
                       step_closed* out);

#endif
