/*
 * What the experiments of Waltersson & Karayiannidis share: parameters, surfaces, velocity profile.
 *
 * The paper leaves many conventions out; these are those of the published code.
 */
#ifndef CLI_REPRODUCE_WK_H
#define CLI_REPRODUCE_WK_H

#include "bristle/limit.h"
#include "bristle/motion.h"
#include "study.h"

// The contact surfaces of Fig 8; the last is Fig 31's.
typedef enum wk_shape {
    WK_SQUARE,
    WK_CIRCLE,
    WK_LINE,
    WK_LINE_GRADIENT,
    WK_NON_CONVEX_1,
    WK_NON_CONVEX_2,
    WK_LINE_GRADIENT_X
} wk_shape;

enum {
    WK_CELLS = 21,   // across, Table III
    WK_NODES = 20,   // N_ls, Table III
    WK_SAMPLES = 500 // of the velocity profile, one each 10 ms
};

// Its name in the reference numbers: "Circle".
const char* wk_shape_name(wk_shape shape);

// Table I, p = 0 or 1, elasto-plastic or LuGre.
br_law wk_law(int p, bool is_elasto_plastic);

// The cells as published, N x N over 0.02 m x 0.02 m. `size` is another edge, for the drift tests.
const br_patch* wk_grid(wk_shape shape, size_t n, double size);

// The same surface without a grid: a disc, a rectangle, a line; the non-convex ones are their cells.
const br_patch* wk_exact_patch(wk_shape shape);

// Models that are freed when the command ends. Tables of the published code, unguarded; or ours: the
// smooth table of the exact surface, guarded.
br_distributed* wk_distributed(const br_patch* patch, br_law law, size_t cells);
br_reduced* wk_reduced(const br_patch* patch, br_law law, br_limit_method method, size_t nodes);

// The reduced model with the ellipsoid, of the published r or of the patch's own.
br_reduced* wk_ellipsoid(const br_patch* patch, br_law law, bool as_published);

// The velocity profile of Fig 5 at the CoP, f_N = 1 N, with its values held over `hold` [s] or as it
// is (0).
br_motion wk_motion(double hold);

// Wrenches of a motion (WK_SAMPLES), sampled as the published code does: row i is the end of the
// interval [0.01 i, 0.01 (i + 1)] and belongs to the velocity at its start if that is held.
br_motion_row* wk_run_motion(br_motion motion);

#endif
