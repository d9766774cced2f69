/*
 * The blocks method: a bundle of three bristles in each of a few pieces of the patch.
 */
#include "planar/contact_internal.h"

#include "math/scalar.h"

#include "law/law_formulas.inc"
#include "patch/cell_spread.h"

br_status bri_blocks_lay(br_contact* c, const br_cells* cells, br_reason* why)
{
    size_t count = 0;
    const br_status status = br_cells_cut(cells, c->def.resolution, c->part_of_cell, &count, why);
    if (status != BR_OK) {
        return status;
    }
    if ((!c->growth || c->growth->mesh) && !c->on_pose) {
        c->cell_spread = cell_spread_of(c->def.patch, cells);
    } else if (count < cells->count) {
        // a block that has only one loaded cell for a while keeps its extent, and the scale of its spin
        c->cell_spread = cell_covariance(cells);
    }
    return bri_parts_allocate(c, count, why);
}

// Add a cell of weight w to block i. The covariances, sums of w rho rho^T about the common centroid, are updated
// without cancellation.
static void join(const kernel_bundles* b, size_t i, double w, br_vec2 at, br_vec2 spread)
{
    const double sum = b->weight[i] + w, share = w / sum;
    const double dx = at.x - b->x[i], dy = at.y - b->y[i];
    const double lever = b->weight[i] * share; // tiny weights must not underflow
    b->xx[i] += w * spread.x + lever * dx * dx;
    b->xy[i] += lever * dx * dy;
    b->yy[i] += w * spread.y + lever * dy * dy;
    b->x[i] += share * dx;
    b->y[i] += share * dy;
    b->weight[i] = sum;
}

// Normalise block i after all its cells were added; a block without cells is padding.
static void finish(const kernel_bundles* b, size_t i)
{
    const double trace = b->xx[i] + b->yy[i], t = b->weight[i] > 0.0 ? trace / b->weight[i] : 0.0;
    const int is_point = !(t > 0.0);
    b->t[i] = is_point ? 0.0 : t;
    b->per_t[i] = is_point ? 0.0 : 1.0 / t;
    b->xx[i] = is_point ? 1.0 : b->xx[i] / trace;
    b->xy[i] = is_point ? 0.0 : b->xy[i] / trace;
    b->yy[i] = is_point ? 1.0 : b->yy[i] / trace;
    b->turn[i] = block_turn(b->xx[i] * b->yy[i] - b->xy[i] * b->xy[i]);
}

// C' = B C B^T of every block
void bri_blocks_stretch(const br_contact* c, map2 by)
{
    const kernel_bundles* b = &c->parts;
    for (size_t i = 0; i < b->count; i++) {
        if (!(b->t[i] > 0.0)) {
            continue; // a point, or padding
        }
        const double mass = b->weight[i] * b->t[i];
        const map2 own = {mass * b->xx[i], mass * b->xy[i], mass * b->xy[i], mass * b->yy[i]};
        const map2 to = map2_multiply(map2_multiply(by, own), map2_transpose(by));
        b->xx[i] = to.xx;
        b->xy[i] = to.xy;
        b->yy[i] = to.yy;
        finish(b, i);
    }
}

void bri_blocks_measure(br_contact* c)
{
    c->value.u += c->cell_spread.x + c->cell_spread.y;
    if (!c->growth && !c->on_pose && c->cell_spread.x > 0.0) {
        c->value.r = br_patch_eval(c->def.patch, 1.0).r; // a grid: with the extent of its cells
    }
}

void bri_blocks_fill(br_contact* c, const br_cells* cells, br_vec2 cop)
{
    const kernel_bundles* b = &c->parts;
    memset(b->x, 0, BLOCK_ARRAYS * b->count * sizeof *b->x); // all arrays: they follow x in memory
    for (size_t i = 0; i < cells->count; i++) {
        const br_vec2 at = {cells->x[i] - cop.x, cells->y[i] - cop.y};
        join(b, c->part_of_cell[i], cells->weight[i], at, c->cell_spread);
    }
    for (size_t i = 0; i < b->count; i++) {
        finish(b, i);
    }
}
