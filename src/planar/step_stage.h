/*
 * One implicit stage of contacts that share a body's twist, or have twists of their own: Newton for
 * accuracy, then a closing solve that keeps the energy.
 */
#ifndef BRISTLE_PLANAR_STEP_STAGE_H
#define BRISTLE_PLANAR_STEP_STAGE_H

#include "bristle/step.h"

#include <string.h>

#include "math/mat3.h"
#include "planar/contact_internal.h"
#include "planar/step_algebra.h"

// What a contact does in a step, whichever method it is of. Twists at the CoP in the bristles' own axes,
// resistances F = -f/fn there. With the decays x = h kappa frozen that a pass leaves in the memo, the
// contact's part of the caller's workspace, F = C v + c with C symmetric and positive definite.
// `limited`: with sigma1 so small that it cannot give energy back.
void bri_contact_pass(const br_contact* c, const kernel_step* in, kernel_force* out);
void bri_contact_linear(const br_contact* c, const kernel_step* in, int limited,
                        kernel_linear* out);
void bri_contact_close(const br_contact* c, const kernel_step* in, int limited, double* z1,
                       kernel_closed* out);

// How many contacts share the state.
static inline double step_count(const br_step_contact* c)
{
    return c->count > 0 ? (double)c->count : 1.0;
}

// A contact within a stage.
typedef struct step_link {
    br_step_contact* contact;
    const br_contact* model;
    axes axes; // of the bristles in those of the body's twist
    size_t states, memos;
    double* first; // wrench of the first of two stages (3)
    double* z;     // where the stage begins and ends: the contact's own state or a copy (states)
    double* z1;    // (states)
    double* memo;  // (memos)
} step_link;

// Normal forces that follow friction: fn = free + by_f f.
typedef struct stage_normals {
    const double* by_f; // (n x 3n)
    const double* free; // (n)
} stage_normals;

static inline vector3 vector_of(br_twist v)
{
    return (vector3){{v.vx, v.vy, v.w}};
}

static inline br_twist twist_of(vector3 v)
{
    return (br_twist){v.at[0], v.at[1], v.at[2]};
}

// A stage: what is asked. The twists V = V0 + G (push + p) depend on r unknowns p; A = G G^T. Contacts
// share one twist, that of a body, or each has its own.
typedef struct stage {
    moves moves;                  // G
    const double* v0;             // twists at the begin (3 twists)
    const double* push;           // h G^T load (r); NULL: none
    double h;                     // [s]
    int passes;                   // most
    int on_copies;                // 1: works on the copies of the states in the workspace
    const stage_normals* normals; // NULL: held
    br_step_contact* contacts;
    size_t count;
    double* work;    // of the contacts
    double* algebra; // STAGE_WORK doubles
    double* v1;      // out: twists at the end (3 twists)
} stage;

// What a stage did.
typedef struct stage_result {
    double heat;          // of friction, over the stage [J]
    double before, after; // stored [J]
    double friction;      // energy that the bodies gave to the contacts [J]
    int passes, converged;
    int recoils; // 1: its bristles began so far out that they had to be kept from giving energy back
    int follows; // 1: normal forces are what friction makes of them, or were held
} stage_result;

// Doubles of workspace of a stage besides those of the contacts; `normals`: how many follow.
#define STAGE_WORK(twists, rank, normals)                                                          \
    (21 * (twists) + 5 * (rank) + 3 * (rank) * (rank) + (normals) + (normals) * (normals))

// Doubles of workspace of contacts: for each five numbers, two copies of the state, the memo.
size_t bri_step_work_of(const br_step_contact* contacts, size_t count);

// Put what does not change during a step into the workspace. Returns where the contacts' part ends.
double* bri_step_prepare(br_step_contact* contacts, size_t count, double* work);

// Contact `index` in a workspace; `at` walks from one to the next and begins at stage.work.
step_link bri_step_link_at(const stage* s, size_t index, double** at);

// Begin a step of two stages, on_copies: copy the states.
void bri_step_copy_states(const stage* s);

// From the first stage's end to the second's begin: z0 + reach (z - z0) in the copies.
void bri_step_reach_states(const stage* s, double reach);

// End a step of two stages: the copies become the states, the wrenches the mean of both stages'.
void bri_step_keep_states(const stage* s, double share);

// All contacts' wrenches at the twist's point, in its axes, if they share one.
vector3 bri_step_wrench(const br_step_contact* contacts, size_t count);

// Advance z and contact.f of every contact.
stage_result bri_stage_run(const stage* s);

// Resistance of all contacts at one twist, in the body's axes.
typedef struct step_slopes {
    vector3 f;
    mat3 tangent, secant;
} step_slopes;

// Resistance at the one twist v0 as the end of the stage; nothing advances.
step_slopes bri_stage_slopes(const stage* s);

#endif
