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
#include "math/map2.h"
#include "math/mat3.h"
#include "patch/field.h"
#include "patch/growth.h"
#include "planar/kernel.h"

// Maximum number of memory blocks that a contact owns, besides those with a name.
enum { CONTACT_BLOCKS = 4 };

// Takes a block of few cells to the same one of many: w *= weight, rho += shift, C = map C map^T.
typedef struct block_fix {
    double weight;
    br_vec2 shift;
    map2 map;
} block_fix;

struct br_contact {
    br_contact_def def; // with the resolution in use; its patch is shared, or NULL after creation
    kernel_law law;
    const kernel* kernel;
    br_patch_value value; // CoP, r, u
    br_pose pose;         // of the patch in the contact frame
    axes axes;            // of the patch
    map2
        map; // from velocities in the contact frame to those of the bristles; without anisotropy into
             // the patch's axes
    double det;       // of the map; exactly 1 without anisotropy
    int is_stretched; // the map is not a rotation: friction is anisotropic
    int turns;        // its axes are fixed to the ground: the map depends on the pose
    double turned;    // angle of the contact frame over the ground for which the map is valid [rad]
    map2
        stretch; // cells and blocks: cof(A) in the patch's axes, from positions to those of the bristles
    size_t size;          // bristles per part: 2 or 3
    kernel_bundles parts; // a reduced contact: only the count, 1

    // cells and blocks
    cell_lattice grid;    // of the cells, empty ones included, for (21)
    growth* growth;       // cells of a patch that depends on the force or of triangles, else NULL
    br_cells* cells;      // cells of a fixed patch that depends on the pose, else NULL
    size_t* part_of_cell; // index of the part or block of each of these cells
    br_vec2 cell_spread;  // blocks: covariance of a cell about its own centre, or 0 [m^2]
    br_vec2 cop;          // the CoP, patch frame [m]

    const block_fix*
        fix; // blocks of fewer cells, for fields: to those of the usual cells (count), or NULL

    // a field of friction that is fixed to the other surface
    int on_pose;      // 1: the weights depend on the pose
    patch_box box;    // of the cells
    double uniform;   // the factor of all cells; NaN: they differ
    double* factored; // the cells' weights with the field, or NULL
    size_t* held;     // points on constant cells: the grid's cell of each, else NULL
    int holds;        // 1: these cells are held, wherever the points are

    // a reduced contact
    const br_patch*
        shape; // owned; its patch, stretched where friction is anisotropic; NULL: it has none
    const br_limit* surface; // shared; NULL: the ellipsoid (22)
    double factor;           // on its law, by a field that is fixed to the patch; 1 without one
    br_vec2 pressure;        // centre of pressure; value.cop is that of friction [m]
    kernel_surface look;     // its data for the kernel

    char* known; // cells and blocks that depend on the force alone: a copy for each of def.forces
    size_t known_count; // number of copies
    size_t spread_size; // bytes of a copy at another force or pose; 0: the contact is fixed
    double only_at; // normal force for which it is valid, if it depends on it and is none of these
                    // copies [N]; else 0
    size_t pressure_size; // bytes of a copy of triangles under another pressure; 0: there are none

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

// A twist as the bristles have it, for the kernel: in the patch's axes, stretched where friction is anisotropic.
static inline vector3 contact_enter(const br_contact* c, br_twist v)
{
    const br_twist entered = map2_enter(c->map, v);
    return (vector3){{entered.vx, entered.vy, entered.w}};
}

// A velocity or a deflection of the bristles in the contact frame: M^-1 u
static inline br_vec2 contact_leave(const br_contact* c, br_vec2 u)
{
    return br_vec2_scale(1.0 / c->det, map2_apply_transposed(map2_cofactors(c->map), u));
}

// A position of the bristles from the CoP, in the contact frame: cof(M)^-1 rho'
static inline br_vec2 contact_position(const br_contact* c, br_vec2 rho)
{
    return br_vec2_scale(1.0 / c->det, map2_apply_transposed(c->map, rho));
}

// Is it valid at this force? A contact that depends on the force is created at 1 N, or at that of its surface;
// br_contact_at_force() gives the others, which may be stepped at forces nearby.
static inline int contact_is_at(const br_contact* c, double fn)
{
    return c->only_at == 0.0 || fn == c->only_at || !(fn > 0.0);
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

// A resistance F = -f/fn of the bristles as a wrench on the body in the contact frame.
static inline br_wrench contact_wrench(const br_contact* c, const double f[3], double fn)
{
    return map2_leave(c->map, (br_wrench){-fn * f[0], -fn * f[1], -fn * f[2]});
}

// A wrench in the contact frame as one of the bristles: M^-T f, the inverse of leaving
static inline br_wrench contact_wrench_enter(const br_contact* c, br_wrench f)
{
    const br_vec2 force = map2_apply(map2_cofactors(c->map), (br_vec2){f.fx, f.fy});
    return (br_wrench){force.x / c->det, force.y / c->det, f.tau};
}

// br_contact_at() that computes all of it, into any memory of that size: cells are integrated by the rules of the force rules_at, so that
// contacts at two forces nearby differ as smoothly as the patch does.
const br_contact* bri_contact_near(const br_contact* c, double fn, double rules_at, br_pose pose,
                                   void* memory);

// `count` bundles from `first` on; the caller sets their moments.
kernel_bundles bri_bundles_from(const kernel_bundles* all, size_t first, size_t count);

// Elastic force and torque of the bristles of cells or blocks, per fn sigma0, at the CoP, as the bristles have it.
br_wrench bri_contact_elastic(const br_contact* c, const double* z);

// Allocate memory that the contact owns, at most CONTACT_BLOCKS times during creation; NULL: no memory.
void* bri_contact_own(br_contact* c, size_t count, size_t bytes);

// --- cells and blocks -------------------------------------------------------------------------------------

// Create the parts; copy the arrays that depend on force or pose (`c` is a copy of the struct); update them.
br_status bri_parts_make(br_contact* c, br_reason* why);
void bri_parts_copy(br_contact* c, arena* to);
void bri_parts_follow(br_contact* c, const br_contact* of, double fn, br_pose pose);

// Update them for other vertices and pressures of triangles.
void bri_parts_press(br_contact* c, const br_vec2* vertices, const double* pressures);

// Allocate `count` parts and padding: x, y, weight; for blocks also t, per_t, turn, xx, xy, yy.
enum { CELL_ARRAYS = 3, BLOCK_ARRAYS = 9 };
br_status bri_parts_allocate(br_contact* c, size_t count, br_reason* why);

// For each method: assign the cells to parts and allocate these; fill them, `cop` is the CoP of the cells.
br_status bri_cells_lay(br_contact* c, const br_cells* cells, br_reason* why);
void bri_cells_fill(br_contact* c, const br_cells* cells, br_vec2 cop);
br_status bri_blocks_lay(br_contact* c, const br_cells* cells, br_reason* why);
void bri_blocks_measure(br_contact* c); // adds the extent of the cells to u and r
void bri_blocks_fill(br_contact* c, const br_cells* cells, br_vec2 cop);

// --- anisotropic friction (contact_stretch.c) ----------------------------------------------------------------

// Set the map, for a contact frame that has turned over the ground by an angle [rad]. Needs method, axes and pose.
void bri_contact_set_map(br_contact* c, double turned);

// Are stretched cells on an upright lattice?
int bri_contact_keeps_lattice(const br_contact* c);

// r and u of the stretched cells. Stretch the parts, which have just been filled.
void bri_parts_measure(br_contact* c, const br_cells* cells);
void bri_parts_stretch(br_contact* c);
void bri_blocks_stretch(const br_contact* c, map2 by);

// What takes the blocks of `few` to those of `many`, both without a field and unstretched, into `fix` (count of few). 0: they
// are not the same blocks.
int bri_blocks_compare(const br_contact* few, const br_contact* many, block_fix* fix);

// Apply c->fix to all blocks.
void bri_blocks_mend(const br_contact* c);

// Set the map if the axes are fixed to the ground and the frame has turned; 1 if it has. Then stretch the parts, which are
// copies of those of the original `of`, accordingly.
int bri_contact_turn(br_contact* c, double turned);
void bri_parts_turn(br_contact* c, const br_contact* of);

// --- reduced contacts -------------------------------------------------------------------------------------

br_status bri_reduced_make(br_contact* c, br_reason* why);
void bri_reduced_scale_law(br_contact* c); // by the factor of its field
size_t bri_reduced_at_force_size(const br_contact* c);
void bri_reduced_follow(br_contact* c, const br_contact* of, double fn, void* memory);

#endif
