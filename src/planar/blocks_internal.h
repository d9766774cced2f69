/*
 * The inside of a blocks model.
 */
#ifndef BRISTLE_PLANAR_BLOCKS_INTERNAL_H
#define BRISTLE_PLANAR_BLOCKS_INTERNAL_H

#include "bristle/blocks.h"

#include "planar/axes.h"
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

// A piece of a patch: what a block is made of. Covariances are sums of w rho rho^T about (x, y).
typedef struct piece {
    double weight, x, y, xx, xy, yy;
} piece;

// Pieces of a patch, those of no weight left out. Free `piece` with br_release().
typedef struct pieces {
    size_t count;
    piece* piece;
} pieces;

// Cut cells into at most `across` x `across` pieces, a line into at most 2 `across`.
br_status cut_into_pieces(const br_cells* cells, size_t across, pieces* out, br_reason* why);

struct br_blocks {
    br_law law;
    law_numbers numbers;
    br_patch_value value;         // CoP, r, u as sums over the cells
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
    double* packed;               // the same for the fast twin, which lays it out (PACKS x count)
    double sum_one, sum_x, sum_y; // of w, w x, w y: 1, and 0 but for rounding
    double sum_square;            // of w (|rho|^2 + t): u [m^2]

    br_wrench (*eval)(const br_blocks* model, const double* z, br_twist v, double fn, double* dz);
    void* memory; // the block of memory that holds all arrays
};

// The plain twin, reads like docs/models.md. Twist and wrench in patch axes.
br_wrench blocks_eval_plain(const br_blocks* model, const double* z, br_twist v, double fn,
                            double* dz);

// The fast twin of a law with gamma = 2, or NULL where this processor has none. Fills `packed`.
typedef br_wrench (*blocks_eval_fn)(const br_blocks*, const double*, br_twist, double, double*);
blocks_eval_fn blocks_fast_path(br_blocks* model);

#endif
