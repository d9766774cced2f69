/*
 * Internals of a planar contact.
 *
 * Blocks and cells are bundles of bristles for the kernel (kernel.h); a reduced contact is one bundle
 * whose motion follows from a limit surface. Data that depend on the normal force, or on the pose over the other
 * surface, are in separate arrays, so that a contact at another force or pose (br_contact_at()) is a copy of this struct
 * with other arrays.
 */
#ifndef BRISTLE_PLANAR_CONTACT_INTERNAL_H
#define BRISTLE_PLANAR_CONTACT_INTERNAL_H

#include "bristle/contact.h"

#include "base/arena.h"
#include "limit/corners.h"
#include "math/axes.h"
#include "math/mat3.h"
#include "patch/field.h"
#include "patch/growth.h"
#include "planar/kernel.h"

// Maximum number of memory blocks that a contact owns, besides those with a name.
enum { CONTACT_BLOCKS = 4 };

struct br_contact {
    br_contact_def def; // with the resolution in use; its patch is shared, or NULL after creation
    kernel_law law;
    const kernel* kernel;
    br_patch_value value; // CoP, r, u
    br_pose pose;         // of the patch in the contact frame
    axes axes;            // of the bristles
    size_t size;          // bristles per part: 2 or 3
    kernel_bundles parts; // a reduced contact: only the count, 1

    // cells and blocks
    lattice grid;         // of the cells, empty ones included, for (21)
    growth* growth;       // cells of a patch that depends on the force, else NULL
    br_cells* cells;      // cells of a fixed patch that depends on the pose, else NULL
    size_t* part_of_cell; // index of the part or block of each of these cells
    br_vec2 cell_spread;  // blocks: covariance of a cell about its own centre, or 0 [m^2]
    br_vec2 cop;          // the CoP, patch frame [m]

    // a field of friction that is fixed to the other surface
    int on_pose;      // 1: the weights depend on the pose
    patch_box box;    // of the cells
    double uniform;   // the factor of all cells; NaN: they differ
    double* factored; // the cells' weights with the field, or NULL
    size_t* held;     // points on constant cells: the grid's cell of each, else NULL
    int holds;        // 1: these cells are held, wherever the points are

    // a reduced contact
    const br_limit* surface; // shared; NULL: the ellipsoid (22)
    double factor;           // on its law, by a field that is fixed to the patch; 1 without one
    br_vec2 pressure;        // centre of pressure; value.cop is that of friction [m]
    kernel_surface look;     // its data for the kernel

    char* known; // cells and blocks that depend on the force alone: a copy for each of def.forces
    size_t known_count; // number of copies
    size_t spread_size; // bytes of a copy at another force or pose; 0: the contact is fixed

    void* memory[CONTACT_BLOCKS]; // all other memory blocks that it owns
    int borrows;                  // 1: all but this struct belongs to another contact
};

static inline int method_is_reduced(br_method method)
{
    return method == BR_METHOD_REDUCED || method == BR_METHOD_ELLIPSOID;
}

static inline int contact_is_reduced(const br_contact* c)
{
    return method_is_reduced(c->def.method);
}

// A twist in the bristles' axes, for the kernel.
static inline vector3 contact_enter(const br_contact* c, br_twist v)
{
    const br_twist turned = axes_enter(c->axes, v);
    return (vector3){{turned.vx, turned.vy, turned.w}};
}

// The largest distance in a step [m], as if the contact were 1 m wide. Beyond it cubes of decays might overflow: from
// 1e100 m on blocks would have an error of 1e-11.
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

// Allocate memory that the contact owns, at most CONTACT_BLOCKS times during creation; NULL: no memory.
void* bri_contact_own(br_contact* c, size_t count, size_t bytes);

// --- cells and blocks -------------------------------------------------------------------------------------

// Create the parts; copy the arrays that depend on force or pose (`c` is a copy of the struct); update them.
br_status bri_parts_make(br_contact* c, br_reason* why);
void bri_parts_copy(br_contact* c, arena* to);
void bri_parts_follow(br_contact* c, double fn, br_pose pose);

// Allocate `count` parts and padding: x, y, weight; for blocks also t, per_t, turn, xx, xy, yy.
enum { CELL_ARRAYS = 3, BLOCK_ARRAYS = 9 };
br_status bri_parts_allocate(br_contact* c, size_t count, br_reason* why);

// For each method: assign the cells to parts and allocate these; fill them, `cop` is the CoP of the cells.
br_status bri_cells_lay(br_contact* c, const br_cells* cells, br_reason* why);
void bri_cells_fill(br_contact* c, const br_cells* cells, br_vec2 cop);
br_status bri_blocks_lay(br_contact* c, const br_cells* cells, br_reason* why);
void bri_blocks_measure(br_contact* c); // adds the extent of the cells to u and r
void bri_blocks_fill(br_contact* c, const br_cells* cells, br_vec2 cop);

// --- reduced contacts -------------------------------------------------------------------------------------

br_status bri_reduced_make(br_contact* c, br_reason* why);
void bri_reduced_scale_law(br_contact* c); // by the factor of its field
size_t bri_reduced_at_force_size(const br_contact* c);
void bri_reduced_follow(br_contact* c, const br_contact* of, double fn, void* memory);

#endif
