/*
 * A contact's friction model as an implicit solver sees it: parts (cells, blocks, or the one triple
 * of bristles of a reduced model) that depend on their own bristles and their own motion alone.
 *
 *   V_i = B_i v,   dz_i = rate(z_i, V_i),   f = -fn sum w_i B_i^T (sigma0 z_i + sigma1 dz_i + sigma2 D_i V_i)
 *
 * v is the twist and f the wrench at the CoP; B_i = [1 0 -y; 0 1 x] for a cell at (x, y), with a third
 * row [0 0 1] where a part has a spin bristle; D_i = diag(1, 1, mean square of the part's extent).
 * Twists and wrenches here are in the axes of the contact frame.
 */
#ifndef BRISTLE_SIM_CONTACT_H
#define BRISTLE_SIM_CONTACT_H

#include "bristle/contact.h"

#include "sim/stage.h"

typedef struct contact contact;

// Some parts of a contact in a stage. Its arrays are small enough to stay where they are read fast.
typedef struct contact_tile {
    size_t from, count; // its parts
    double* at;         // their states (size x count)
    double* rate;       // (size x count)
    double* right;      // right side but for the rates (size x count)
} contact_tile;

// The linear algebra of a contact, by size of its parts and by what the processor can do.
typedef struct contact_kernels {
    int (*factor)(contact* c, double stiffness[9]);
    void (*eliminate)(const contact* c, const double* b, double* x, double sum[3]);
    void (*restore)(const contact* c, double* b, const double v[3]);
    void (*push)(const contact* c, const double v[3], double* out);
    double (*largest)(const contact* c, const double* z);
    double (*product)(const contact* c, const double* z, const double* dz); // sum w z.dz
    void (*sum)(const contact* c, const double* z, double sum[3]);          // sum w B^T T z
    void (*begin)(const contact* c, const stage* g, size_t first, const double v[3],
                  const contact_tile* t);
    void (*finish)(const contact* c, const double* z, const contact_tile* t, double* x,
                   double sum[3]);
    double (*end)(const contact* c, const stage_end* g, size_t first, const double v[3]);
} contact_kernels;

struct contact {
    const br_contact* model; // borrowed
    const br_contact* now;   // as it is at the force spread_at: the model itself, or in `spread`
    void* spread;            // memory of a patch that depends on the force, or NULL
    double spread_at;        // [N]
    int grows;               // the patch depends on the normal force
    const br_law* law;
    br_patch_value value; // CoP, r, u of the patch
    double reach; // how far its parts are from the CoP: none is faster than |v| + reach |w| [m]
    double cosine, sine; // of the angle of the patch's axes in the contact frame
    size_t parts;        // padding included
    size_t size;         // states of a part: 2, or 3
    const contact_kernels* kernels;

    // of each part, in the patch's axes (parts)
    double* x;      // place from the CoP [m]
    double* y;      // [m]
    double* weight; // share of the normal force; 0: padding
    double*
        extent; // mean square of its extent [m^2]: with spin, its viscous torque is that times w
    double*
        per_turn; // a spin bristle's state zeta stores as much as a deflection zeta sqrt(per_turn) [1/m^2]
    double turn; // torque over sigma0 of a spin bristle of 1 [m^2, or 1]

    // the same at the last linearisation; a patch that grows may have been spread since
    double* x_then;      // (parts)
    double* y_then;      // (parts)
    double* weight_then; // (parts)
    double* extent_then; // (parts)
    double turn_then;

    double* z_then; // the bristles (size x parts)

    double shift; // of the last factorisation [1/s]

    // cells: of the decay c at the last linearisation, c, dc/dz and dc/dV (5 x parts), and what solves them
    // (5 x parts)
    double* decay;
    double* solver;

    // others: entry (row, column) of the matrix of part i is at (3 row + column) parts + i
    double* dz_z;    // at the last linearisation (9 x parts)
    double* dz_v;    // the same by the twist at the CoP (9 x parts)
    double* inverse; // (shift I - dz_z)^-1 (9 x parts)
    double* reply;   // inverse dz_v: what a part does when the contact is moved (9 x parts)

    double* tile;     // arrays of a contact_tile (3 x size x most_tile)
    size_t most_tile; // parts of a tile, but for the last one
    double* memory;   // the block that holds all of these arrays
};

// Take a contact up; all memory that the run ever needs for it is allocated here.
br_status bri_contact_create(contact* c, const br_contact* model, br_reason* why);
void bri_contact_release(contact* c);

// The kernels for so many parts of this size on this processor.
const contact_kernels* bri_contact_kernels_for(size_t size, size_t parts);

// Make a patch that depends on the normal force that of `fn`; otherwise, or at the force of the last
// call, nothing happens.
void bri_contact_spread(contact* c, double fn);

// Number of states.
static inline size_t contact_states(const contact* c)
{
    return c->size * c->parts;
}

// Absolute tolerances of the states: a spin bristle's is that of z times r, over its turn.
void bri_contact_tolerances(const contact* c, double atol_z, double* atol);

// The state of steady sliding.
void bri_contact_steady_state(const contact* c, br_twist v, double* z);

// Bristles after a small displacement of the body from where they were relaxed, each part's as long as
// mu_s/sigma0 at most. Gives their secant stiffness per normal force, in the contact frame's axes: the
// wrench is -fn stiffness moved.
void bri_contact_hold(const contact* c, br_twist moved, double* z, double stiffness[3][3]);

// Rates and wrench at the CoP.
br_wrench bri_contact_rate(const contact* c, const double* z, br_twist v, double fn, double* dz);

// Energy that the bristles hold per normal force, sigma0/2 sum w (|z|^2 + per_turn zeta^2) [m].
double bri_contact_stored(const contact* c, const double* z);

// Its rate by the rates of the bristles [m/s].
double bri_contact_stored_rate(const contact* c, const double* z, const double* dz);

// Force of the deflected bristles alone, per normal force: -sigma0 sum w B^T z [-, -, m].
br_wrench bri_contact_bristle_wrench(const contact* c, const double* z);

// Largest deflection of a part, sqrt(|z|^2 + per_turn zeta^2) [m].
double bri_contact_deflection(const contact* c, const double* z);

// Linearise at (z, v): keeps what the solution needs.
void bri_contact_linearise(contact* c, const double* z, br_twist v);

// The same for bristles whose rates are 0 whatever they and the twist are.
void bri_contact_rest(contact* c);

// d(rates)/dv . dv of the last linearisation.
void bri_contact_push(const contact* c, br_twist dv, double* out);

// d(wrench)/dv . dv at (z, v), bristles held, per normal force.
br_wrench bri_contact_wrench_push(const contact* c, const double* z, br_twist v, br_twist dv);

// Make ready to solve with shift I - dz_z. With the bristles eliminated the wrench changes with the
// twist by -fn stiffness. 0 if a part cannot be solved.
int bri_contact_factor(contact* c, double shift, double stiffness[3][3]);

// x = (shift I - dz_z)^-1 b; x may be b. The wrench changes with it by -fn times what is returned.
br_wrench bri_contact_eliminate(const contact* c, const double* b, double* x);

// Add to the solution what the change dv of the twist does to the bristles.
void bri_contact_restore(const contact* c, br_twist dv, double* b);

// A stage but the first: restore the one before it with its du, sum up, evaluate with the twist v, and
// eliminate. f is the wrench per normal force, `back` what bri_contact_eliminate() returns. The contact's
// states are those from `first` on.
void bri_contact_take_stage(const contact* c, const stage* g, size_t first, br_twist du, br_twist v,
                            br_wrench* f, br_wrench* back);

// End a step: restore the last stage with its du and add it. Gives the sum of its squares over the
// tolerances.
double bri_contact_end_step(const contact* c, const stage_end* g, size_t first, br_twist du);

#endif
