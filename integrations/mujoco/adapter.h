/*
 * The inside of an adapter.
 */
#ifndef BRISTLE_MUJOCO_ADAPTER_H
#define BRISTLE_MUJOCO_ADAPTER_H

#include "bristle/mujoco.h"
#include "bristle/step.h"

#include "outline.h"

// A pair of geoms with its bristles.
typedef struct link {
    int geom[2], body[2]; // ground, and what slides on it
    brm_pair pair;
    br_law law; // pair.law, or that of the first touch
    outline made_of;
    br_patch* patch; // owned, or NULL: given
    br_contact* contact;
    void* spread;       // memory of a patch that changes with the force
    double *z, *before; // bristles, and as they were at the step's begin
    double tangent[3];  // the first, in the frame of what slides
    int touched;        // in the last step
    double last_fn;     // of the last step [N]
    int held;           // 1: pressed in the last step and should still, as hold.c tells
    size_t place;       // among those that press
    double friction;    // MuJoCo's coefficient
    brm_contact now;
} link;

struct brm_adapter {
    size_t count;
    link* links;
    int* owner; // of every contact of MuJoCo's: a link, or -1 (owner_room)
    size_t owner_room;
    size_t* pressing; // links that press (count)
    size_t n;         // how many of them
    brm_report report;

    // numbers of the model (nv)
    int nv, is_damped;
    mjtNum* friction;        // of the last solve, generalised
    mjtNum* applied;         // what the caller applied
    mjtNum *hessian, *euler; // Cholesky's factors of H, and of M + h B (nv x nv)
    mjtNum* free;            // velocity without friction
    mjtNum *next, *row;      // friction of this round; scratch
    mjtNum* body;            // scratch (6 nv)
    mjtNum* constraints;     // scratch (row_room)
    size_t row_room;

    // numbers of the contacts that press; room for so many
    size_t room, work_size;
    mjtNum *J, *Y,
        *X; // twists' Jacobian, H^-1 J^T, the same as Euler's step takes it (3 room + 1 rows of nv)
    double* inverse_mass;   // (3 room x 3 room)
    double *fn_f, *fn_free; // how normal forces follow friction (room x 3 room), (room)
    br_step_contact* contacts;
    br_twist *u, *u1;
    br_wrench* f;
    double* work;
};

// Who owns MuJoCo's contacts; 1 if one of ours is not yet frictionless, which it is then.
int brmi_own(mjData* d, brm_adapter* a);

// Normal forces, centres of pressure, frames and patches of all links, by the last solve.
void brmi_look(const mjData* d, brm_adapter* a);

// Row i of the constraints' Jacobian, dense.
const mjtNum* brmi_row(const mjModel* m, const mjData* d, int i, mjtNum* scratch);

// Factor H, with the rows that are active.
void brmi_factor(const mjModel* m, const mjData* d, brm_adapter* a);

// Keep those rows active whose pairs pressed in the last step and do not with its friction in this one; 0 if there
// are none.
int brmi_hold(const mjModel* m, mjData* d, brm_adapter* a);
void brmi_hold_nothing(brm_adapter* a);

// fn = fn_free + fn_f f of those that press.
void brmi_normals(const mjModel* m, const mjData* d, brm_adapter* a);

// Let a link's bristles go.
void brmi_let_go(link* l);

// Memory for n contacts that press, for MuJoCo's contacts and constraints; 0 if there is none.
int brmi_reserve(brm_adapter* a, size_t n);
int brmi_reserve_scene(brm_adapter* a, const mjData* d);

#endif
