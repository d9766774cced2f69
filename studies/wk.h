/*
 * Shared by the experiments of Waltersson & Karayiannidis: parameters, surfaces, velocity profile.
 *
 * The paper omits many conventions; these are those of the published code.
 */
#ifndef STUDIES_WK_H
#define STUDIES_WK_H

#include "bristle/contact.h"
#include "bristle/limit.h"
#include "bristle/motion.h"
#include "rows.h"
#include "study.h"

// The contact surfaces of Fig 8, that of Fig 31, and those of Fig 33, which grow with the force.
typedef enum wk_shape {
    WK_SQUARE,
    WK_CIRCLE,
    WK_LINE,
    WK_LINE_GRADIENT,
    WK_NON_CONVEX_1,
    WK_NON_CONVEX_2,
    WK_LINE_GRADIENT_X,
    WK_GROWING_K2,
    WK_GROWING_K2FN
} wk_shape;

enum {
    WK_CELLS = 21, // across, Table III
    WK_NODES = 20  // N_ls, Table III
};

// Its name in the reference numbers: "Circle".
const char* wk_shape_name(wk_shape shape);

// Table I, p = 0 or 1, elasto-plastic or LuGre.
br_law wk_law(int p, bool is_elasto_plastic);

// The cells as published, N x N over 0.02 m x 0.02 m. `size` is another edge, for the drift tests.
// Growing surfaces have 21 x 21 cells, with the pressure at their centres.
const br_patch* wk_grid(wk_shape shape, size_t n, double size);

// The same surface without a grid: a disc, a rectangle, a line; the non-convex ones are their cells.
const br_patch* wk_exact_patch(wk_shape shape);

// A disc of uniform pressure.
const br_patch* wk_disc(double radius);

// Radius of the disc that has the r of the published mask, 317 of 21 x 21 cells, over its edge: 3 r/2 [-].
#define WK_MASK_RADIUS (1.5 * 0.0063571604886164014 / 0.02)

// Models that are freed when the command ends. Tables of the published code without guard; or ours:
// another method, with guard.
const br_contact* wk_distributed(const br_patch* patch, br_law law, size_t cells);
const br_contact* wk_reduced(const br_patch* patch, br_law law, br_limit_method method,
                             size_t nodes);

// The reduced model with the ellipsoid, with the published r or with that of the patch.
const br_contact* wk_ellipsoid(const br_patch* patch, br_law law, bool as_published);

// The velocity profile of Fig 5, f_N = 1 N, of a point `from` the CoP to which the profile belongs
// (published: the CoP itself), with values constant over `hold` [s] or continuous (0).
br_motion wk_motion(br_vec2 from, double hold);

// Its twist at a time.
br_twist wk_twist_at(const br_motion* motion, double t);

// Sampling times of a motion, t = first + i every, and the tolerance of its integration.
typedef struct wk_samples {
    double first, every; // [s]
    size_t count;
    double rtol; // [-]; the absolute tolerance of bristles is 1e-5 m times it
} wk_samples;

// Twist and wrench of a motion at an instant.
typedef struct wk_motion_row {
    br_twist v;
    br_wrench f;
} wk_motion_row;

// The rows of all instants (samples.count).
wk_motion_row* wk_run_motion(br_motion motion, wk_samples samples);

#endif
