/*
 * One implicit stage of contacts that share a body's twist, or have twists of their own: Newton for
 * accuracy, then a closing solve that keeps the energy.
 */
#ifndef BRISTLE_PLANAR_STEP_STAGE_H
#define BRISTLE_PLANAR_STEP_STAGE_H

#include "bristle/gradient.h"

#include <string.h>

#include "math/mat3.h"
#include "math/moves.h"
#include "planar/contact_internal.h"

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
    moves moves;        // G
    const double* v0;   // twists at the start (3 twists)
    const double* push; // h G^T load (r); NULL: none
    double h;           // [s]
    int passes;         // most
    int part; // of a step of two stages: 1 ends on copies of the states, 2 starts there, too
    const double *fn_f, *fn_free; // N (n x 3n) and fn_free (n) of br_step_group; NULL: held
    br_step_contact* contacts;
    size_t count;
    double* work;    // of the contacts
    double* algebra; // STAGE_WORK doubles
    double* v1;      // out: twists at the end (3 twists)
    double* newton;  // out: twists at which the decays were found (3 twists); NULL: skipped
} stage;

// What a stage did.
typedef struct stage_result {
    double heat;          // of friction, over the stage [J]
    double before, after; // stored [J]
    double
        friction;  // energy that the contacts took: resistance along the twists over the ground [J]
    double ground; // energy that friction gave to the bodies along the ground's motion [J]
    int passes, converged;
    int recoils; // 1: its bristles started so far out that they had to be kept from giving energy back
    int follows; // 1: normal forces follow friction, or were constant
    int broke;   // 1: a reduced contact stores less than it owes
    int limited; // 1: with damping that was limited
    int paid;    // 1: the guard of a reduced contact took what was owed from its bristles
    int stuck;   // 1: the decays were found as if all stuck, but the damping fades
} stage_result;

// How it was closed, for a record.
static inline br_step_closing stage_closing(const stage_result* did)
{
    return did->stuck     ? BR_CLOSED_STUCK
           : did->paid    ? BR_CLOSED_PAID
           : did->limited ? BR_CLOSED_LIMITED
                          : BR_CLOSED_BY_LAW;
}

// Doubles of workspace of a stage besides those of the contacts; `normals`: how many follow.
#define STAGE_WORK(twists, rank, normals)                                                          \
    (21 * (twists) + 5 * (rank) + 3 * (rank) * (rank) + (normals) + (normals) * (normals))

// Advance z and contact.f of every contact.
stage_result bri_stage_run(const stage* s);

// How contacts resist: by their law, which leaves the decays x = h kappa in decay_cache, or with these
// decays frozen, F = C v + c with C symmetric and positive definite. Limited: with sigma1 so small that
// it cannot give energy back. Elastic: FROZEN without decays, decay_cache being 0.
typedef enum resisting { BY_LAW, FROZEN, FROZEN_AND_LIMITED, ELASTIC } resisting;

// What the bristles of a stage do at a point: some decay; none does, but those of a limit surface do not follow the body;
// or none does, and all follow it.
typedef enum sticking { SOME_DECAY, NONE_DECAYS, ALL_FOLLOW } sticking;

// Resistances f of all twists (3 twists), or c of them, and their slopes with the twists v (9 twists).
sticking bri_stage_resist(const stage* s, const double* v, resisting how, double* f, double* f_v);

// A contact within a stage.
typedef struct contact_cursor {
    br_step_contact* contact;
    const br_contact* model;
    size_t index;  // of the contact among all
    size_t twist;  // of its twist among all
    mat3 jacobian; // J: from its twist to that at the CoP, in the bristles' axes
    double weight; // normal force, of all contacts that share the state
    size_t states, decay_count;
    double* first;       // wrench of the first of two stages (3)
    double* z;           // where the stage starts: the contact's own state or a copy (states)
    double* end;         // where it ends: the same (states)
    double* z1;          // the end until it is sure (states)
    double* decay_cache; // (decay_count)
} contact_cursor;

// Go to the first contact of a stage from `no_link`, to the next one from another; 0: there is none.
int bri_link_next(const stage* s, contact_cursor* link);
static const contact_cursor no_link = {0};

static inline int link_presses(const contact_cursor* link)
{
    return !(link->weight <= 0.0); // NaN does, so that it shows
}

// F = -f/fn of a contact with the twist at the CoP in the bristles' own axes, whichever method it is of.
void bri_link_resist(const contact_cursor* link, const kernel_step* in, resisting how,
                     kernel_force* out);

// Is it sure that no bristle of a contact decays with the twist in->v? decay_cache is 0 before; then it is that of a pass.
int bri_link_sticks(const contact_cursor* link, const kernel_step* in);

// Its state at the end, z1, with the decays of decay_cache, its force and energies, all per fn.
void bri_link_close(const contact_cursor* link, const kernel_step* in, int limited,
                    kernel_closed* out);

// Doubles of workspace of contacts: for each seven numbers, two copies of the state, decay_cache.
size_t bri_step_work_of(const br_step_contact* contacts, size_t count);

// Put what does not change during a step into the workspace. Returns where the contacts' part ends.
double* bri_step_prepare(br_step_contact* contacts, size_t count, double* work);

// Empty decay_count: no decay, also in parts of no weight, which no pass fills.
void bri_step_clear_memos(const stage* s);

// From the first of two stages' end to the second's start: z0 + reach (z - z0) in the copies.
void bri_step_reach_states(const stage* s, double reach);

// End a step of two stages: the copies become the states, the wrenches the mean of both stages'.
void bri_step_keep_states(const stage* s, double share);

// All contacts' wrenches at the twist's point, in its axes, if they share one.
br_wrench bri_step_wrench(const br_step_contact* contacts, size_t count);

#endif
