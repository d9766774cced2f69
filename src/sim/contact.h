/*
 * A contact's friction model for an implicit solver: parts (cells, blocks, or the three bristles of a
 * reduced model), each of which depends only on its own bristles and its own motion.
 *
 *   V_i = B_i v,   dz_i = rate(z_i, V_i),   f = -fn sum w_i B_i^T (sigma0 z_i + s_i dz_i + sigma2 D_i V_i)
 *
 * v is the twist and f the wrench at the CoP; B_i = [1 0 -y; 0 1 x] for a cell at (x, y), with a third
 * row [0 0 1] where a part has a spin bristle; D_i = diag(1, 1, mean square of the part's extent).
 * Twists and wrenches here are in the axes of the contact frame.
 */
#ifndef BRISTLE_SIM_CONTACT_H
#define BRISTLE_SIM_CONTACT_H

#include "bristle/contact.h"

#include "math/map2.h"
#include "sim/stage.h"

typedef struct contact contact;

// A tile: some parts of a contact in a stage. Its arrays are small enough for the cache.
typedef struct contact_tile {
    size_t from, count; // its parts
    double* at;         // their states (size x count)
    double* rate;       // (size x count)
    double* right;      // right side without the rates (size x count)
} contact_tile;

// The linear algebra of a contact, selected by the size of its parts and by the processor.
typedef struct contact_kernels {
    int (*factor)(contact* c, double stiffness[9]);
    void (*eliminate)(const contact* c, const double* b, double* x, double sum[3]);
    void (*restore)(const contact* c, double* b, const double v[3]);
    void (*push)(const contact* c, const double v[3], double* out);
    double (*largest)(const contact* c, const double* z);
    double (*product)(const contact* c, const double* z, const double* dz); // sum w z.dz
    void (*sum)(const contact* c, const double* z, double sum[3]);          // sum w B^T T z
    void (*start)(const contact* c, const stage* g, size_t first, const double v[3],
                  const contact_tile* t);
    void (*finish)(const contact* c, const double* z, const contact_tile* t, double* x,
                   double sum[3]);
    double (*end)(const contact* c, const stage_end* g, size_t first, const double v[3]);
} contact_kernels;

struct contact {
    const br_contact* model; // borrowed
    const br_contact* now;   // model at at_fn, at_pose: `model` itself, or in `at_memory`
    void* at_memory;         // memory of br_contact_at(), or NULL
    double at_fn;            // normal force [N]
    br_pose at_pose;         // pose over the other surface
    int grows;               // the contact depends on the normal force or on its pose
    int on_pose;             // it depends on its pose
    int on_field;            // it has a field of mu
    int jumps;               // a point has another factor where the field's cells meet
    const br_law* law;
    br_patch_value value; // CoP, r, u of the patch
    double reach; // largest distance of a part from the CoP; its speed is <= |M v| + reach |w| [m]
    double softest; // smallest |M v|/|v|: 1, or less where friction is anisotropic
    map2 map;       // from velocities in the contact frame to those of the bristles
    size_t parts;   // padding included
    size_t size;    // states of a part: 2, or 3
    const contact_kernels* kernels;

    // of each part, in the bristles' axes (parts)
    double* x;        // position from the CoP [m]
    double* y;        // [m]
    double* weight;   // share of the normal force; 0: padding
    double* extent;   // mean square of its extent [m^2]: viscous torque of its own spin over w
    double* per_turn; // (energy of zeta)/(energy of an equal deflection) of a spin bristle [1/m^2]
    double turn;      // torque over sigma0 of a spin bristle of 1 [m^2, or 1]

    // the map and the parts at the last linearisation; a patch that depends on force or pose may have changed since
    map2 map_then;
    double* x_then;      // (parts)
    double* y_then;      // (parts)
    double* weight_then; // (parts)
    double* extent_then; // (parts)
    double turn_then;

    double* z_then; // the bristles (size x parts)

    double shift; // of the last factorisation [1/s]

    // cells: the decay c at the last linearisation, with dc/dz and dc/dV (5 x parts); and the solution
    // p, q, r of contact_algebra.c (5 x parts)
    double* decay;
    double* solver;

    // blocks and reduced: entry (row, column) of the matrix of part i is at (3 row + column) parts + i
    double* dz_z;    // at the last linearisation (9 x parts)
    double* dz_v;    // the same by the twist at the CoP (9 x parts)
    double* inverse; // (shift I - dz_z)^-1 (9 x parts)
    double* reply;   // inverse dz_v: response of a part to a change of the twist (9 x parts)

    // damping that fades with speed: s and sigma1 dz de/dv of each part, de/dv by the twist at the CoP, at the last
    // linearisation; NULL where it is constant
    int fades;
    double* damping; // (parts)
    double* fading;  // entries ordered as those of dz_z (3 x size x parts)
    double* rates;   // scratch (size x parts)

    double* tile;     // arrays of a contact_tile (3 x size x most_tile)
    size_t most_tile; // parts of a tile, except the last one
    double* memory;   // the block that holds all of these arrays
};

// Create the solver's view of a contact; allocates all memory that the run needs for it.
br_status bri_contact_create(contact* c, const br_contact* model, br_reason* why);
void bri_contact_release(contact* c);

// The kernels for this number and size of parts on this processor.
const contact_kernels* bri_contact_kernels_for(size_t size, size_t parts);

// Update a contact that depends on the normal force, or on its pose over the other surface. Does nothing for other
// contacts, or if both are those of the last call.
void bri_contact_fill_at(contact* c, double fn, br_pose pose);

// The same for contacts that do not depend on their pose.
static inline void bri_contact_fill_at_force(contact* c, double fn)
{
    bri_contact_fill_at(c, fn, (br_pose){0.0, 0.0, 0.0});
}

// Hold the field's cells of the points as they are at `pose`; needs c->jumps.
void bri_contact_hold_field(contact* c, br_pose pose);

// Number of states.
static inline size_t contact_states(const contact* c)
{
    return c->size * c->parts;
}

// Absolute tolerances of the states; that of a spin bristle is atol_z r/turn.
void bri_contact_tolerances(const contact* c, double atol_z, double* atol);

// The state of steady sliding.
void bri_contact_steady_state(const contact* c, br_twist v, double* z);

// Response of a contact with relaxed bristles to a displacement of the body, per normal force, in the
// contact frame's axes.
typedef struct contact_hold {
    double potential;     // work of the displacement: stored, and of slip [m]
    double f[3];          // wrench at the CoP that balances the bristles [-, -, m]
    double tangent[3][3]; // d f/d(displacement) [1/m, 1/m, 1]
} contact_hold;

// Bristles after the displacement `moved`. Each part is limited to the deflection mu_s/sigma0, beyond
// which it slips.
contact_hold bri_contact_hold(const contact* c, br_twist moved, double* z);

// Blocks and reduced contacts have their own limit surface, which bri_contact_hold() approximates. Where
// `moved` is far beyond the limit of the bristles, set them according to that surface. Cells need no change.
void bri_contact_slide(const contact* c, br_twist moved, double* z);

// A twist as the bristles have it: in their axes, stretched where friction is anisotropic.
br_twist bri_contact_enter(const contact* c, br_twist v);

// Rates and wrench at the CoP.
br_wrench bri_contact_rate(const contact* c, const double* z, br_twist v, double fn, double* dz);

// Energy stored in the bristles per normal force, sigma0/2 sum w (|z|^2 + per_turn zeta^2) [m].
double bri_contact_energy_per_force(const contact* c, const double* z);

// Rate of that energy from the rates dz of the bristles [m/s].
double bri_contact_energy_rate_per_force(const contact* c, const double* z, const double* dz);

// Force of the deflected bristles alone, per normal force: -sigma0 sum w B^T z [-, -, m].
br_wrench bri_contact_bristle_wrench(const contact* c, const double* z);

// Largest deflection of a part, sqrt(|z|^2 + per_turn zeta^2) [m].
double bri_contact_deflection(const contact* c, const double* z);

// Linearise at (z, v); stores the result in the contact.
void bri_contact_linearise(contact* c, const double* z, br_twist v);

// The same for an open contact, where the rates of the bristles are always 0.
void bri_contact_rest(contact* c);

// d(rates)/dv . dv of the last linearisation.
void bri_contact_push(const contact* c, br_twist dv, double* out);

// d(wrench)/dv . dv at (z, v) at constant bristles, per normal force.
br_wrench bri_contact_wrench_push(const contact* c, const double* z, br_twist v, br_twist dv);

// Factor shift I - dz_z. With the bristles eliminated, d(wrench)/d(twist) is -fn stiffness. Returns 0 if a
// part is singular.
int bri_contact_factor(contact* c, double shift, double stiffness[3][3]);

// x = (shift I - dz_z)^-1 b; x may be b. The wrench changes by -fn times the returned one.
br_wrench bri_contact_eliminate(const contact* c, const double* b, double* x);

// Add the effect of the change dv of the twist on the bristles to the solution.
void bri_contact_restore(const contact* c, br_twist dv, double* b);

// A stage other than the first: restore the stage before it with its du, sum all stages, evaluate with the
// twist v, and eliminate. f is the wrench per normal force, `back` that of bri_contact_eliminate(). The
// contact's states start at `first`.
void bri_contact_take_stage(const contact* c, const stage* g, size_t first, br_twist du, br_twist v,
                            br_wrench* f, br_wrench* back);

// End a step: restore the last stage with its du and add it. Returns the sum of its squared ratios to the
// tolerances.
double bri_contact_end_step(const contact* c, const stage_end* g, size_t first, br_twist du);

#endif
