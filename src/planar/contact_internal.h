/*
 * The inside of a planar contact.
 *
 * Blocks and cells are bundles of bristles for the kernel (kernel.h); a reduced contact is one bundle
 * that moves as a limit surface says. What a normal force can change lies in arrays of its own, so that
 * a contact at another force (br_contact_spread()) is a copy of this struct with other arrays.
 */
#ifndef BRISTLE_PLANAR_CONTACT_INTERNAL_H
#define BRISTLE_PLANAR_CONTACT_INTERNAL_H

#include "bristle/contact.h"

#include "base/arena.h"
#include "limit/corners.h"
#include "math/axes.h"
#include "math/mat3.h"
#include "patch/growth.h"
#include "planar/kernel.h"

// Numbers of the closed form of a block's mean slip; where they come from: docs/models.md.
#define BLOCK_SPIN 1.3 // 1/f of a piece that turns about its own centroid [-]
#define BLOCK_SPIN_LEAST                                                                           \
    0.45 // least 1/f: slower spins would make the bristles needlessly stiff [-]

struct br_contact {
    br_contact_def def; // with the resolution that was taken
    kernel_law law;
    const kernel* kernel;
    br_patch_value value; // CoP, r, u
    br_pose pose;         // of the patch in the contact frame
    axes axes;            // of the bristles
    size_t size;          // bristles of a part: 2, or 3
    kernel_bundles parts; // a reduced contact: only the count, 1

    // cells and blocks
    lattice grid;        // of the cells, empty ones included, for (21)
    growth* growth;      // cells of a patch that depends on the force, else NULL
    size_t* home;        // of each of these cells: its place among the parts, or its block
    br_vec2 cell_spread; // blocks: covariance of a cell about its own centre, if it counts [m^2]

    // a reduced contact
    const br_limit* surface; // NULL: the ellipsoid (22)
    br_limit* own_surface;   // NULL: borrowed, or none
    kernel_surface look;     // what the kernel reads of it

    char*
        known; // cells and blocks that follow the force: the contact spread for each of def.forces
    size_t known_count; // how many
    size_t spread_size; // bytes of the contact at another force; 0: its patch is fixed

    void* memory[2]; // all other blocks that are owned
    int borrows;     // all but the struct belongs to another contact
};

static inline int method_is_reduced(br_method method)
{
    return method == BR_METHOD_REDUCED || method == BR_METHOD_ELLIPSOID;
}

static inline int contact_is_reduced(const br_contact* c)
{
    return method_is_reduced(c->def.method);
}

// A twist in the bristles' axes, as the kernel takes it.
static inline vector3 contact_enter(const br_contact* c, br_twist v)
{
    const br_twist turned = axes_enter(c->axes, v);
    return (vector3){{turned.vx, turned.vy, turned.w}};
}

// The way that a contact goes in a step [m], as if it were 1 m wide, beyond which cubes of decays might overflow: from
// 1e100 m on blocks would err by 1e-11.
static const double contact_far = 1e80;

static inline double contact_speed(br_twist v)
{
    return fabs(v.vx) + fabs(v.vy) + fabs(v.w);
}

static inline int contact_goes_far(br_twist v, double h)
{
    return h * contact_speed(v) > contact_far && contact_speed(v) < HUGE_VAL;
}

// A resistance F = -f/fn in the patch's axes as a wrench on the body in those of the contact frame.
static inline br_wrench contact_wrench(const br_contact* c, const double f[3], double fn)
{
    return axes_leave(c->axes, (br_wrench){-fn * f[0], -fn * f[1], -fn * f[2]});
}

// Elastic force and torque of the bristles of cells or blocks, per fn sigma0, at the CoP, patch axes.
br_wrench bri_contact_elastic(const br_contact* c, const double* z);

// Memory that belongs to a contact that is being made; NULL if there is none.
void* bri_contact_own(br_contact* c, size_t count, size_t bytes);

// --- cells and blocks -------------------------------------------------------------------------------------

// Make the parts; copy what a force changes, `c` being a copy of the struct; change it.
br_status bri_parts_make(br_contact* c, br_reason* why);
void bri_parts_copy(br_contact* c, arena* to);
void bri_parts_follow(br_contact* c, double fn);

// Room for so many parts, padding besides: x, y, weight; of blocks also t, per_t, turn, xx, xy, yy.
enum { CELL_ARRAYS = 3, BLOCK_ARRAYS = 9 };
br_status bri_parts_allocate(br_contact* c, size_t count, br_reason* why);

// What the methods do: find the home of each cell and allocate the parts; fill them in, `cop` is the cells'.
br_status bri_cells_lay(br_contact* c, const br_cells* cells, br_reason* why);
void bri_cells_fill(br_contact* c, const br_cells* cells, br_vec2 cop);
br_status bri_blocks_lay(br_contact* c, const br_cells* cells, br_reason* why);
void bri_blocks_fill(br_contact* c, const br_cells* cells, br_vec2 cop);

// --- reduced contacts -------------------------------------------------------------------------------------

br_status bri_reduced_make(br_contact* c, br_reason* why);
size_t bri_reduced_spread_size(const br_contact* c);
void bri_reduced_follow(br_contact* c, const br_contact* of, double fn, void* memory);

#endif
