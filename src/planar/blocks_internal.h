/*
 * The inside of a blocks model.
 */
#ifndef BRISTLE_PLANAR_BLOCKS_INTERNAL_H
#define BRISTLE_PLANAR_BLOCKS_INTERNAL_H

#include "bristle/blocks.h"

#include "contact/growth.h"
#include "planar/axes.h"
#include "planar/by_twist.h"
#include "planar/law_numbers.h"

enum { BLOCK_LANES = 4 }; // doubles in a vector

// What the fast twin knows of four blocks, vector after vector.
enum {
    PACK_X,
    PACK_Y,
    PACK_WEIGHT,
    PACK_T,
    PACK_PER_T,
    PACK_SHAPE_XX,
    PACK_TWICE_XY, // 2 S_xy/t
    PACK_SHAPE_YY,
    PACK_TURN,
    PACKS // how many
};

// Numbers of the closed form of a block's mean slip; where they come from: blocks_eval.c.
#define BLOCK_TURN_LINE  3.0 // c0 of a straight piece [-]
#define BLOCK_TURN_ROUND 2.0 // c0 of a piece as wide as long [-]
#define BLOCK_SPIN       1.3 // 1/f of a piece that turns about its own centroid [-]
#define BLOCK_SPIN_LEAST                                                                           \
    0.45 // least 1/f: slower spins would make the bristles needlessly stiff [-]

// A speed that counts as rest where derivatives divide by it, since its square vanishes [m/s]
#define BLOCK_REST 1e-150

// A piece of a patch: what a block is made of. Covariances are sums of w rho rho^T about (x, y).
typedef struct piece {
    double weight, x, y, xx, xy, yy;
} piece;

// Pieces of a patch, those of no weight left out. Free `home` with br_release().
typedef struct pieces {
    size_t count;
    size_t* home; // the piece that each cell belongs to (cells)
} pieces;

// Cut cells into at most `across` x `across` pieces, a line into at most 2 `across`.
br_status cut_into_pieces(const br_cells* cells, size_t across, pieces* out, br_reason* why);

// Add `from` to `into`; the covariances about the common centroid follow without cancellation.
void join(piece* into, const piece* from);

struct br_blocks {
    br_law law;
    law_numbers numbers;
    br_patch_value value;         // CoP, r, u as sums over the cells
    br_pose pose;                 // of the patch in the contact frame
    axes axes;                    // the patch's
    size_t count;                 // blocks, padding included; a multiple of BLOCK_LANES
    double* x;                    // centroids from the CoP (count)
    double* y;                    // (count)
    double* weight;               // 0: padding (count)
    double* t;                    // trace of the covariance S [m^2] (count)
    double* per_t;                // 1/t, 0 where t = 0 (count)
    double* shape_xx;             // S/t [-]; the unit matrix where t = 0 (count)
    double* shape_xy;             // (count)
    double* shape_yy;             // (count)
    double* turn;                 // c0 = 3 - 4 det S/t^2 [-] (count)
    double* packed;               // the same laid out for the fast twin (PACKS x count)
    double sum_one, sum_x, sum_y; // of w, w x, w y: 1, and 0 but for rounding
    double sum_square;            // of w (|rho|^2 + t): u [m^2]

    br_wrench (*eval)(const br_blocks* model, const double* z, br_twist v, double fn, double* dz);
    void* memory; // the block of memory that holds all arrays

    // of a patch that depends on the force, else NULL
    growth* growth; // its cells
    size_t* home;   // the block that each of them belongs to
    piece* scratch; // one piece for each block (count)

    // covariance of a cell about its own centre, so that a block that one cell alone carries for a
    // while does not lose its extent, and with it the scale of its spin; 0 unless the patch grows
    // [m^2]
    double cell_spread;
};

// The plain twin, reads like docs/models.md. Twist and wrench in patch axes.
br_wrench blocks_eval_plain(const br_blocks* model, const double* z, br_twist v, double fn,
                            double* dz);

// How a block moves: v_b and the numbers at the head of blocks_eval.c.
typedef struct block_motion {
    br_vec2 v;
    double w, n, psi;
    double s, per_f; // per_f: 1/f
} block_motion;

block_motion block_motion_of(const br_blocks* model, size_t i, br_twist v);

// beta of a block, as (16)-(18) of W&K with the spin as a third component. g is that of b->n.
double block_beta(const br_law* law, const block_motion* b, br_vec2 z, double zeta, double per_t,
                  double g);

// How a block that moves slips, with derivatives with respect to its own motion (v_b, w).
typedef struct block_slip {
    double n;       // rms speed [m/s]
    by_twist s, vn; // over n [-]; their derivatives times n
    by_twist per_f; // 1/f [-]; its derivatives times n
    by_twist g;     // derivatives as they are [s/m]
} block_slip;

// Slip of block i that moves with v and w; n > 0 is its rms speed.
block_slip block_slip_of(const br_blocks* model, size_t i, br_vec2 v, double w, double n);

// The fast twin of a law with gamma = 2, or NULL where this processor has none.
typedef br_wrench (*blocks_eval_fn)(const br_blocks*, const double*, br_twist, double, double*);
blocks_eval_fn blocks_fast_path(const br_blocks* model);

#endif
