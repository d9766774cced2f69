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
#include "patch/growth.h"
#include "planar/kernel.h"

// Numbers of the closed form of a block's mean slip; where they come from: docs/models.md.
#define BLOCK_SPIN 1.3 // 1/f of a piece that turns about its own centroid [-]
#define BLOCK_SPIN_LEAST                                                                           \
    0.45 // least 1/f: slower spins would make the bristles needlessly stiff [-]

// What the kernel reads of the parts; those that a method does not have are NULL.
typedef struct part_arrays {
    double *x, *y, *weight;                  // (n)
    double *t, *per_t, *xx, *xy, *yy, *turn; // blocks (n)
    double *column_x, *row_y;                // cells on a lattice
} part_arrays;

// A piece of a patch: what a block is made of. Covariances are sums of w rho rho^T about (x, y).
typedef struct piece {
    double weight, x, y, xx, xy, yy;
} piece;

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
    part_arrays arrays;
    lattice grid;       // of the cells, empty ones included, for (21)
    growth* growth;     // cells of a patch that depends on the force, else NULL
    size_t* home;       // of each of these cells: its place among the parts, or its block
    piece* pieces;      // scratch of growing blocks (n)
    double cell_spread; // covariance of a cell of growing blocks about its own centre [m^2]

    // a reduced contact
    const br_limit* surface; // NULL: the ellipsoid (22)
    br_limit* own_surface;   // NULL: borrowed, or none
    kernel_surface look;     // what the kernel reads of it

    char*
        known; // cells and blocks that follow the force: the contact spread for each of def.forces
    size_t known_count, known_size; // how many, bytes of one

    void* memory[3]; // all other blocks that are owned
    int borrows;     // all but the struct belongs to another contact
};

// Does the patch change with the normal force?
int bri_contact_grows(const br_contact* c);

static inline int contact_is_reduced(const br_contact* c)
{
    return c->def.method == BR_METHOD_REDUCED || c->def.method == BR_METHOD_ELLIPSOID;
}

// A resistance F = -f/fn in the patch's axes as a wrench on the body in those of the contact frame.
static inline br_wrench contact_wrench(const br_contact* c, const double f[3], double fn)
{
    return axes_leave(c->axes, (br_wrench){-fn * f[0], -fn * f[1], -fn * f[2]});
}

// Let the kernel see the arrays.
static inline void contact_show(br_contact* c)
{
    const part_arrays* a = &c->arrays;
    kernel_bundles* b = &c->parts;
    b->x = a->x, b->y = a->y, b->weight = a->weight;
    b->t = a->t, b->per_t = a->per_t, b->turn = a->turn;
    b->xx = a->xx, b->xy = a->xy, b->yy = a->yy;
    b->column_x = a->column_x, b->row_y = a->row_y;
}

// Elastic force and torque of the bristles of cells or blocks, per fn sigma0, at the CoP, patch axes.
br_wrench bri_contact_elastic(const br_contact* c, const double* z);

// Memory that belongs to a contact that is being made; NULL if there is none.
void* bri_contact_own(br_contact* c, size_t count, size_t bytes);

// --- methods: make the parts, copy what a force changes, change it ---------------------------------------

br_status bri_cells_make(br_contact* c, br_reason* why);
void bri_cells_copy(br_contact* c, arena* to);
void bri_cells_follow(br_contact* c, double fn);

br_status bri_blocks_make(br_contact* c, br_reason* why);
void bri_blocks_copy(br_contact* c, arena* to);
void bri_blocks_follow(br_contact* c, double fn);

br_status bri_reduced_make(br_contact* c, br_reason* why);
size_t bri_reduced_spread_size(const br_contact* c);
void bri_reduced_follow(br_contact* c, const br_contact* of, double fn, void* memory);

#endif
