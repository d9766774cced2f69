/*
 * The blocks method: a bundle of three bristles in each of a few pieces of the patch.
 */
#include "planar/contact_internal.h"

#include "patch/cell_spread.h"

// c0 of the closed form of a block's mean slip: where they come from, kernel_motion.inc.
#define TURN_LINE  3.0 // of a straight piece [-]
#define TURN_ROUND 2.0 // of a piece as wide as long [-]

br_status bri_blocks_lay(br_contact* c, const br_cells* cells, br_reason* why)
{
    size_t count = 0;
    const br_status status = br_cells_cut(cells, c->def.resolution, c->home, &count, why);
    if (status != BR_OK) {
        return status;
    }
    if (!c->growth) {
        c->cell_spread = cell_spread_of(c->def.patch, cells);
    } else if (count < cells->count) {
        // a block that one cell alone carries for a while keeps its extent, and the scale of its spin
        c->cell_spread = cell_covariance(cells);
    }
    return bri_parts_allocate(c, count, why);
}

// Add a cell of weight w to block i. The covariances, sums of w rho rho^T about the common centroid, follow
// without cancellation.
static void join(const kernel_bundles* b, size_t i, double w, br_vec2 at, br_vec2 spread)
{
    const double sum = b->weight[i] + w, share = w / sum;
    const double dx = at.x - b->x[i], dy = at.y - b->y[i];
    const double lever = b->weight[i] * share; // idle cells must not underflow
    b->xx[i] += w * spread.x + lever * dx * dx;
    b->xy[i] += lever * dx * dy;
    b->yy[i] += w * spread.y + lever * dy * dy;
    b->x[i] += share * dx;
    b->y[i] += share * dy;
    b->weight[i] = sum;
}

// Block i when all its cells are in it; one without cells is padding.
static void finish(const kernel_bundles* b, size_t i)
{
    const double trace = b->xx[i] + b->yy[i], t = b->weight[i] > 0.0 ? trace / b->weight[i] : 0.0;
    const int is_point = !(t > 0.0);
    b->t[i] = is_point ? 0.0 : t;
    b->per_t[i] = is_point ? 0.0 : 1.0 / t;
    b->xx[i] = is_point ? 1.0 : b->xx[i] / trace;
    b->xy[i] = is_point ? 0.0 : b->xy[i] / trace;
    b->yy[i] = is_point ? 1.0 : b->yy[i] / trace;

    // c0 = 3 - 4 det S/t^2: 3 for a straight piece, 2 for one as wide as long
    const double det = b->xx[i] * b->yy[i] - b->xy[i] * b->xy[i];
    b->turn[i] = TURN_LINE - (TURN_LINE - TURN_ROUND) * 4.0 * det;
}

void bri_blocks_fill(br_contact* c, const br_cells* cells, br_vec2 cop)
{
    const kernel_bundles* b = &c->parts;
    c->value.u += c->cell_spread.x + c->cell_spread.y;
    if (!c->growth && c->cell_spread.x > 0.0) {
        c->value.r = br_patch_eval(c->def.patch, 1.0).r; // of a grid, what is in the cells included
    }
    memset(b->x, 0, BLOCK_ARRAYS * b->count * sizeof *b->x); // all arrays: they lie behind x
    for (size_t i = 0; i < cells->count; i++) {
        const br_vec2 at = {cells->x[i] - cop.x, cells->y[i] - cop.y};
        join(b, c->home[i], cells->weight[i], at, c->cell_spread);
    }
    for (size_t i = 0; i < b->count; i++) {
        finish(b, i);
    }
}
