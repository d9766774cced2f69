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

// Where the cells end that follow `first` in the same block, up to 64: sums over them stay in registers, and sums of sums
// round less.
static size_t run_of(const br_contact* c, const br_cells* cells, size_t first)
{
    const size_t most = cells->count - first < 64 ? cells->count : first + 64;
    size_t end = first + 1;
    while (end < most && c->part_of_cell[end] == c->part_of_cell[first]) {
        end++;
    }
    return end;
}

// Weights and centroids of all blocks, from the CoP. Sums are about the block's first cell, which is in t and per_t
// meanwhile, so that cells at one point have exactly that centroid.
static void find_centroids(const br_contact* c, const br_cells* cells, br_vec2 cop)
{
    const kernel_bundles* b = &c->parts;
    for (size_t first = 0, end; first < cells->count; first = end) {
        const size_t block = c->part_of_cell[first];
        if (!(b->weight[block] > 0.0)) {
            b->t[block] = cells->x[first];
            b->per_t[block] = cells->y[first];
        }
        const double x0 = b->t[block], y0 = b->per_t[block];
        double w = 0.0, x = 0.0, y = 0.0;
        end = run_of(c, cells, first);
        for (size_t i = first; i < end; i++) {
            w += cells->weight[i];
            x += cells->weight[i] * (cells->x[i] - x0);
            y += cells->weight[i] * (cells->y[i] - y0);
        }
        b->weight[block] += w;
        b->x[block] += x;
        b->y[block] += y;
    }
    for (size_t i = 0; i < b->count; i++) {
        const int is_used = b->weight[i] > 0.0;
        b->x[i] = is_used ? b->x[i] / b->weight[i] + (b->t[i] - cop.x) : 0.0;
        b->y[i] = is_used ? b->y[i] / b->weight[i] + (b->per_t[i] - cop.y) : 0.0;
    }
}

// Covariances of all blocks, sums of w rho rho^T about the centroid and the cells' own.
static void find_covariances(const br_contact* c, const br_cells* cells, br_vec2 cop)
{
    const kernel_bundles* b = &c->parts;
    const br_vec2 own = c->cell_spread;
    for (size_t first = 0, end; first < cells->count; first = end) {
        const size_t block = c->part_of_cell[first];
        const double x = b->x[block], y = b->y[block];
        double xx = 0.0, xy = 0.0, yy = 0.0;
        end = run_of(c, cells, first);
        for (size_t i = first; i < end; i++) {
            const double w = cells->weight[i], dx = (cells->x[i] - cop.x) - x,
                         dy = (cells->y[i] - cop.y) - y;
            xx += w * (dx * dx + own.x);
            xy += w * (dx * dy);
            yy += w * (dy * dy + own.y);
        }
        b->xx[block] += xx;
        b->xy[block] += xy;
        b->yy[block] += yy;
    }
}

// Normalise block i after all its cells were added; a block without cells is padding. Where registers have more digits than
// memory (x87), cells at one point are off their centroid by a rounding of its coordinates: that is a point, too.
static void finish(const kernel_bundles* b, size_t i)
{
    static const double rounding2 = 1e-31; // (1.4 DBL_EPSILON)^2
    const double trace = b->xx[i] + b->yy[i], t = b->weight[i] > 0.0 ? trace / b->weight[i] : 0.0;
    const int is_point = !(t > rounding2 * (b->x[i] * b->x[i] + b->y[i] * b->y[i]));
    b->t[i] = is_point ? 0.0 : t;
    b->per_t[i] = is_point ? 0.0 : 1.0 / t;
    b->xx[i] = is_point ? 1.0 : b->xx[i] / trace;
    b->xy[i] = is_point ? 0.0 : b->xy[i] / trace;
    b->yy[i] = is_point ? 1.0 : b->yy[i] / trace;
    b->turn[i] = block_turn(b->xx[i] * b->yy[i] - b->xy[i] * b->xy[i]);
}

// C' = B C B^T of block i; a point, or padding, has none
static void stretch_block(const kernel_bundles* b, size_t i, map2 by)
{
    if (!(b->t[i] > 0.0)) {
        return;
    }
    const double mass = b->weight[i] * b->t[i];
    const map2 own = {mass * b->xx[i], mass * b->xy[i], mass * b->xy[i], mass * b->yy[i]};
    const map2 to = map2_multiply(map2_multiply(by, own), map2_transpose(by));
    b->xx[i] = to.xx;
    b->xy[i] = to.xy;
    b->yy[i] = to.yy;
    finish(b, i);
}

void bri_blocks_stretch(const br_contact* c, map2 by)
{
    for (size_t i = 0; i < c->parts.count; i++) {
        stretch_block(&c->parts, i, by);
    }
}

// --- blocks of few cells, as those of many ----------------------------------------------------------------

void bri_blocks_mend(const br_contact* c)
{
    const kernel_bundles* b = &c->parts;
    for (size_t i = 0; i < b->count; i++) {
        const block_fix* f = &c->fix[i];
        if (b->weight[i] > 0.0) {
            b->weight[i] *= f->weight;
            b->x[i] += f->shift.x;
            b->y[i] += f->shift.y;
            stretch_block(b, i, f->map);
        }
    }
}

// A root L of the covariance of block i, L L^T = C (Cholesky): xx, yx, yy.
static map2 root_of(const kernel_bundles* b, size_t i)
{
    const double l = sqrt(b->t[i] * b->xx[i]), m = l > 0.0 ? b->t[i] * b->xy[i] / l : 0.0;
    return (map2){l, 0.0, m, sqrt(fmax(b->t[i] * b->yy[i] - m * m, 0.0))};
}

// S with S L_few = L_many; along directions in which `few` has no extent it is 1.
static map2 map_between(map2 few, map2 many)
{
    const double xx = few.xx > 0.0 ? many.xx / few.xx : 1.0;
    const double yy = few.yy > 0.0 ? many.yy / few.yy : 1.0;
    return (map2){xx, 0.0, few.xx > 0.0 ? (many.yx - yy * few.yx) / few.xx : 0.0, yy};
}

int bri_blocks_compare(const br_contact* few, const br_contact* many, block_fix* fix)
{
    const kernel_bundles *a = &few->parts, *b = &many->parts;
    static const double near = 0.3; // of a block's extent and weight; its neighbours are farther
    if (a->count != b->count) {
        return 0;
    }
    for (size_t i = 0; i < a->count; i++) {
        const int is_used = b->weight[i] > 0.0;
        const double weight = is_used ? b->weight[i] / a->weight[i] : 1.0;
        const br_vec2 shift = {b->x[i] - a->x[i], b->y[i] - a->y[i]};
        const int is_point = !(a->t[i] > 0.0 && b->t[i] > 0.0);
        if (is_used != (a->weight[i] > 0.0) || !(fabs(weight - 1.0) < near) ||
            !(br_vec2_norm(shift) <= near * sqrt(b->t[i])) || (is_point && a->t[i] != b->t[i])) {
            return 0;
        }
        const map2 none = {1.0, 0.0, 0.0, 1.0};
        const map2 map = is_point ? none : map_between(root_of(a, i), root_of(b, i));
        fix[i] = (block_fix){weight, shift, map};
    }
    return 1;
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
    find_centroids(c, cells, cop);
    find_covariances(c, cells, cop);
    for (size_t i = 0; i < b->count; i++) {
        finish(b, i);
    }
}
