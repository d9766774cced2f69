/*
 * The blocks method: a bundle of three bristles in each of a few pieces of the patch.
 */
#include "planar/contact_internal.h"

// c0 of the closed form of a block's mean slip: where they come from, kernel_motion.inc.
#define TURN_LINE  3.0 // of a straight piece [-]
#define TURN_ROUND 2.0 // of a piece as wide as long [-]

// Cells that blocks are made of: 120 are cut evenly by 1, 2, 3, 4, 5, 6 and 8; fewer where they are
// weighed anew as the force changes.
enum { CELLS_ACROSS = 120, GROWING_CELLS_ACROSS = 40, BLOCKS_ACROSS = 5 };

// Arrays of the blocks, one behind the other.
static void point_arrays(part_arrays* a, double* block, size_t n)
{
    double** const arrays[] = {&a->x,  &a->y,  &a->weight, &a->t,   &a->per_t,
                               &a->xx, &a->xy, &a->yy,     &a->turn};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = block + i * n;
    }
}
enum { ARRAYS = 9 };

// Add a cell to a piece; the covariances about the common centroid follow without cancellation.
static void join(piece* into, const piece* from)
{
    const double sum = into->weight + from->weight;
    const double dx = from->x - into->x, dy = from->y - into->y;
    const double lever = into->weight * (from->weight / sum); // idle cells must not underflow
    into->xx += from->xx + lever * dx * dx;
    into->xy += from->xy + lever * dx * dy;
    into->yy += from->yy + lever * dy * dy;
    into->x += from->weight / sum * dx;
    into->y += from->weight / sum * dy;
    into->weight = sum;
}

// Block i from a piece; no piece (weight 0) makes padding.
static void fill_block(br_contact* c, size_t i, const piece* p)
{
    const part_arrays* a = &c->arrays;
    const double trace = p->xx + p->yy, t = p->weight > 0.0 ? trace / p->weight : 0.0;
    const int is_point = !(t > 0.0);
    a->x[i] = p->x;
    a->y[i] = p->y;
    a->weight[i] = p->weight;
    a->t[i] = is_point ? 0.0 : t;
    a->per_t[i] = is_point ? 0.0 : 1.0 / t;
    a->xx[i] = is_point ? 1.0 : p->xx / trace;
    a->xy[i] = is_point ? 0.0 : p->xy / trace;
    a->yy[i] = is_point ? 1.0 : p->yy / trace;

    // c0 = 3 - 4 det S/t^2: 3 for a straight piece, 2 for one as wide as long
    const double det = a->xx[i] * a->yy[i] - a->xy[i] * a->xy[i];
    a->turn[i] = TURN_LINE - (TURN_LINE - TURN_ROUND) * 4.0 * det;

    kernel_bundles* b = &c->parts;
    b->one += p->weight;
    b->mean_x += p->weight * p->x;
    b->mean_y += p->weight * p->y;
    b->square += p->weight * (p->x * p->x + p->y * p->y + a->t[i]);
}

// Everything that depends on where the cells are and what they carry; `home` is the block of each.
static void fill(br_contact* c, const br_cells* cells)
{
    c->value = br_cells_eval(cells);
    const br_vec2 cop = c->value.cop;
    c->value.cop = br_pose_apply(c->pose, cop);
    c->value.u += 2.0 * c->cell_spread;
    kernel_bundles* b = &c->parts;
    b->one = b->mean_x = b->mean_y = b->square = 0.0;
    memset(c->pieces, 0, b->count * sizeof *c->pieces);
    for (size_t i = 0; i < cells->count; i++) {
        const double w = cells->weight[i], own = w * c->cell_spread;
        const piece cell = {w, cells->x[i] - cop.x, cells->y[i] - cop.y, own, 0.0, own};
        join(&c->pieces[c->home[i]], &cell);
    }
    for (size_t i = 0; i < b->count; i++) {
        fill_block(c, i, &c->pieces[i]);
    }
}

// The blocks of cells whose cut is found.
static br_status fill_cut(br_contact* c, const br_cells* cells, size_t count, br_reason* why)
{
    const size_t n = c->parts.count = (count + KERNEL_PAD - 1) / KERNEL_PAD * KERNEL_PAD;
    double* block = bri_contact_own(c, ARRAYS * n, sizeof *block);
    c->pieces = bri_contact_own(c, n, sizeof *c->pieces);
    if (!block || !c->pieces) {
        br_reason_set(why, "resolution", "no memory for %zu blocks", count);
        return BR_ERR_MEMORY;
    }
    point_arrays(&c->arrays, block, n);
    contact_show(c);
    fill(c, cells);
    return BR_OK;
}

static br_status cut(br_contact* c, const br_cells* cells, size_t* count, br_reason* why)
{
    c->home = br_allocate(cells->count, sizeof *c->home);
    if (!c->home) {
        br_reason_set(why, "", "no memory for %zu cells", cells->count);
        return BR_ERR_MEMORY;
    }
    return br_cells_cut(cells, c->def.resolution, c->home, count, why);
}

static br_status make_fixed(br_contact* c, br_reason* why)
{
    br_cells* cells;
    size_t count = 0;
    br_status status = br_cells_create(c->def.patch, 1.0, CELLS_ACROSS, &cells, why);
    status = status == BR_OK ? cut(c, cells, &count, why) : status;
    status = status == BR_OK ? fill_cut(c, cells, count, why) : status;
    br_cells_destroy(cells);
    br_release(c->home); // which cell is whose is not asked again
    c->home = NULL;
    return status;
}

// Cut where the patch is at its largest, so that no block is too light to be worth it then.
static br_status make_growing(br_contact* c, br_reason* why)
{
    const double full = br_patch_get_full_force(c->def.patch);
    const double at = full > 0.0 && isfinite(full) ? full : 1.0;
    size_t count = 0;
    br_status status = bri_growth_create(c->def.patch, at, GROWING_CELLS_ACROSS, &c->growth, why);
    status = status == BR_OK ? cut(c, c->growth->cells, &count, why) : status;
    if (status != BR_OK) {
        return status;
    }
    // a block that one cell alone carries for a while keeps its extent, and the scale of its spin
    const br_cells* cells = c->growth->cells;
    c->cell_spread = count < cells->count ? cells->half_x * cells->half_x / 3.0 : 0.0;
    bri_growth_spread(c->growth, 1.0);
    return fill_cut(c, cells, count, why);
}

br_status bri_blocks_make(br_contact* c, br_reason* why)
{
    c->size = 3;
    c->def.resolution = c->def.resolution ? c->def.resolution : BLOCKS_ACROSS;
    return br_patch_depends_on_force(c->def.patch) ? make_growing(c, why) : make_fixed(c, why);
}

void bri_blocks_copy(br_contact* c, arena* to)
{
    const size_t n = c->parts.count;
    double* block = arena_copy(to, c->arrays.x, ARRAYS * n * sizeof *block);
    c->pieces = arena_copy(to, c->pieces, n * sizeof *c->pieces);
    c->growth = bri_growth_copy(c->growth, to);
    point_arrays(&c->arrays, block, n);
    contact_show(c);
}

void bri_blocks_follow(br_contact* c, double fn)
{
    if (bri_growth_spread(c->growth, fn)) {
        fill(c, c->growth->cells);
    }
}
