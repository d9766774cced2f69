/*
 * Private declarations of an adapter.
 */
#ifndef BRISTLE_MUJOCO_ADAPTER_H
#define BRISTLE_MUJOCO_ADAPTER_H

#include "bristle/mujoco.h"
#include "bristle/step.h"

#include "outline.h"

// A pair of geoms with its bristles.
typedef struct link {
    int geom[2], body[2]; // the ground and the geom that slides on it
    brm_pair pair;
    br_law law;               // pair.law, or that of the first touch
    br_anisotropy anisotropy; // of the first touch
    outline patch_outline;
    br_patch* patch; // owned, or NULL: given by the caller
    br_contact* contact;
    void* at_force_memory; // memory of br_contact_at_force()
    double *z, *before;    // bristles, now and at the start of the step
    double tangent[3];     // the first tangent, in the frame of geom2
    int touched;           // in the last step
    double saved;          // energy that changes of the contact lost [J]
    double last_fn;        // normal force of the last step [N]
    int held;              // 1: pressed in the last step and is kept active, see hold.c
    size_t index;          // in `pressing`
    double friction[2];    // MuJoCo's coefficients along its two tangents
    double axis[3];        // the first of these tangents, world
    double turned;         // angle of our first tangent from it, about the normal [rad]
    brm_contact now;
} link;

struct brm_adapter {
    size_t count;
    link* links;
    int* owner; // link of each of MuJoCo's contacts, or -1 (owner_capacity)
    size_t owner_capacity;
    size_t* pressing; // links with normal force (count)
    size_t n;         // number of these
    brm_report report;

    // arrays of the model (nv)
    int nv, is_damped;
    mjtNum* friction;        // generalised friction of the last solve
    mjtNum* applied;         // the caller's qfrc_applied
    mjtNum *hessian, *euler; // Cholesky factors of H, and of M + h B (nv x nv)
    mjtNum* free;            // velocity without friction
    mjtNum *next, *row;      // friction of this round; scratch
    mjtNum* body;            // scratch (6 nv)
    mjtNum* constraints;     // scratch (row_capacity)
    size_t row_capacity;

    // arrays of the links with normal force; allocated for `capacity` of them
    size_t capacity, work_size;
    // Jacobian J of the twists, Y = H^-1 J^T, X = E Y of Euler's step (3 capacity + 1 rows of nv)
    mjtNum *J, *Y, *X;
    double* inverse_mass;   // (3 capacity x 3 capacity)
    double *fn_f, *fn_free; // fn = fn_free + fn_f f (capacity x 3 capacity), (capacity)
    br_step_contact* contacts;
    br_twist *u, *u1;
    br_wrench* f;
    double* work;
};

// Find the links of MuJoCo's contacts and make these frictionless; returns 1 if one of them was not.
int brmi_find_owners(mjData* d, brm_adapter* a);

// Read normal forces, centres of pressure, frames and patches of all links from the last solve.
void brmi_read_contacts(const mjData* d, brm_adapter* a);

// Row i of the constraints' Jacobian, dense.
const mjtNum* brmi_row(const mjModel* m, const mjData* d, int i, mjtNum* scratch);

// Factor H of the active rows.
void brmi_factor(const mjModel* m, const mjData* d, brm_adapter* a);

// Keep the rows of pairs active that pressed in the last step, but do not with the last friction in this step; 0 if
// there are none.
int brmi_hold(const mjModel* m, mjData* d, brm_adapter* a);
void brmi_hold_none(brm_adapter* a);

// fn_free and fn_f of fn = fn_free + fn_f f.
void brmi_normals(const mjModel* m, const mjData* d, brm_adapter* a);

// MuJoCo's coefficients as mu and anisotropy; isotropic where they are equal or the pair has its own mu or law. The larger
// one counts as at most BR_ANISOTROPY_MAX times the other.
typedef struct coefficients {
    double mu;
    br_anisotropy anisotropy; // angle 0: MuJoCo's first tangent counts as the ground
} coefficients;
coefficients brmi_coefficients(const brm_pair* pair, const double friction[2]);

// The contact of a link at its normal force and at the angle of its frame over MuJoCo's.
const br_contact* brmi_contact_now(const link* l, const br_contact* contact, void* memory);

// Reset the bristles of a link.
void brmi_reset_bristles(link* l);

// Allocate memory for n links with normal force, and for MuJoCo's contacts and constraints; 0 on failure.
int brmi_reserve(brm_adapter* a, size_t n);
int brmi_reserve_scene(brm_adapter* a, const mjData* d);

#endif
