/*
 * Planar friction in blocks: making a model, and calling the twin that fits.
 */
#include "planar/blocks_internal.h"

#include <string.h>

enum { MOST_ACROSS = 256 };

br_blocks_def br_blocks_def_default(void)
{
    // 120 cells are cut evenly by 1, 2, 3, 4, 5, 6 and 8
    return (br_blocks_def){.size = sizeof(br_blocks_def),
                           .law = br_law_default(BR_LAW_ELASTO_PLASTIC),
                           .fn = 1.0,
                           .resolution = 120,
                           .blocks = 5};
}

static br_status check(const br_blocks_def* def, br_reason* why)
{
    if (def->size != sizeof *def) {
        br_reason_set(why, "", "start from br_blocks_def_default()");
        return BR_ERR_DEF;
    }
    if (!def->patch) {
        br_reason_set(why, "patch", "is missing");
        return BR_ERR_DEF;
    }
    if (def->law.kind != BR_LAW_LUGRE && def->law.kind != BR_LAW_ELASTO_PLASTIC) {
        br_reason_set(why, "law.kind", "must be lugre or elasto-plastic, got %s",
                      br_law_name(def->law.kind));
        return BR_ERR_DEF;
    }
    if (def->blocks < 1 || def->blocks > MOST_ACROSS) {
        br_reason_set(why, "blocks", "must be in 1..%d, got %zu", MOST_ACROSS, def->blocks);
        return BR_ERR_DEF;
    }
    return br_law_check(&def->law, why);
}

static int allocate_arrays(br_blocks* m, size_t count)
{
    double** const arrays[] = {&m->x,        &m->y,        &m->weight,   &m->t,    &m->per_t,
                               &m->shape_xx, &m->shape_xy, &m->shape_yy, &m->turn, &m->packed};
    const size_t arrays_count = sizeof arrays / sizeof *arrays;
    m->count = (count + BLOCK_LANES - 1) / BLOCK_LANES * BLOCK_LANES;
    double* memory = m->memory = br_allocate((arrays_count - 1 + PACKS) * m->count, sizeof *memory);
    for (size_t i = 0; memory && i < arrays_count; i++) {
        *arrays[i] = memory + i * m->count;
    }
    m->scratch = br_allocate(m->count, sizeof *m->scratch);
    return memory && m->scratch;
}

// Block i from a piece; no piece (weight 0) makes padding.
static void fill_block(br_blocks* m, size_t i, const piece* p)
{
    const double trace = p->xx + p->yy, t = p->weight > 0.0 ? trace / p->weight : 0.0;
    const int is_point = !(t > 0.0);
    m->x[i] = p->x;
    m->y[i] = p->y;
    m->weight[i] = p->weight;
    m->t[i] = is_point ? 0.0 : t;
    m->per_t[i] = is_point ? 0.0 : 1.0 / t;
    m->shape_xx[i] = is_point ? 1.0 : p->xx / trace;
    m->shape_xy[i] = is_point ? 0.0 : p->xy / trace;
    m->shape_yy[i] = is_point ? 1.0 : p->yy / trace;

    // c0 = 3 - 4 det S/t^2: 3 for a straight piece, 2 for one as wide as long
    const double det = m->shape_xx[i] * m->shape_yy[i] - m->shape_xy[i] * m->shape_xy[i];
    m->turn[i] = BLOCK_TURN_LINE - (BLOCK_TURN_LINE - BLOCK_TURN_ROUND) * 4.0 * det;

    const double square = p->x * p->x + p->y * p->y + m->t[i];
    m->sum_one += p->weight;
    m->sum_x += p->weight * p->x;
    m->sum_y += p->weight * p->y;
    m->sum_square += p->weight * square;
}

// What the fast twin reads, vector after vector.
static void pack(br_blocks* m)
{
    const double* const from[PACKS] = {m->x,        m->y,        m->weight,   m->t,   m->per_t,
                                       m->shape_xx, m->shape_xy, m->shape_yy, m->turn};
    for (size_t i = 0; i < m->count; i++) {
        double* to = m->packed + i / BLOCK_LANES * BLOCK_LANES * PACKS + i % BLOCK_LANES;
        for (size_t k = 0; k < PACKS; k++) {
            to[k * BLOCK_LANES] = (k == PACK_TWICE_XY ? 2.0 : 1.0) * from[k][i];
        }
    }
}

// Everything that depends on where the cells are and what they carry; `home` is the block of each.
static void fill(br_blocks* m, const br_cells* cells, const size_t* home)
{
    m->value = br_cells_eval(cells);
    const br_vec2 cop = m->value.cop;
    m->value.cop = br_pose_apply(m->pose, cop);
    m->value.u += 2.0 * m->cell_spread;
    m->sum_one = m->sum_x = m->sum_y = m->sum_square = 0.0;
    memset(m->scratch, 0, m->count * sizeof *m->scratch);
    for (size_t i = 0; i < cells->count; i++) {
        const double w = cells->weight[i], own = w * m->cell_spread;
        const piece cell = {w, cells->x[i] - cop.x, cells->y[i] - cop.y, own, 0.0, own};
        join(&m->scratch[home[i]], &cell);
    }
    for (size_t i = 0; i < m->count; i++) {
        fill_block(m, i, &m->scratch[i]);
    }
    pack(m);
}

// The blocks of cells whose cut is found.
static br_status fill_cut(br_blocks* m, const br_cells* cells, pieces cut, br_reason* why)
{
    if (!allocate_arrays(m, cut.count)) {
        br_reason_set(why, "blocks", "no memory for %zu blocks", cut.count);
        return BR_ERR_MEMORY;
    }
    fill(m, cells, cut.home);
    return BR_OK;
}

static br_status build(br_blocks* m, const br_blocks_def* def, br_reason* why)
{
    br_cells* cells;
    pieces cut = {0, NULL};
    br_status status = br_cells_create(def->patch, def->fn, def->resolution, &cells, why);
    if (status == BR_OK) {
        status = cut_into_pieces(cells, def->blocks, &cut, why);
    }
    if (status == BR_OK) {
        status = fill_cut(m, cells, cut, why);
    }
    br_release(cut.home);
    br_cells_destroy(cells);
    return status;
}

// Cut where the patch is at its largest, so that no block is too light to be worth it then.
static br_status build_growing(br_blocks* m, const br_blocks_def* def, br_reason* why)
{
    const double full = br_patch_get_full_force(def->patch);
    const double at = full > 0.0 && isfinite(full) ? full : def->fn;
    br_status status = growth_create(def->patch, at, def->resolution, &m->growth, why);
    pieces cut = {0, NULL};
    if (status == BR_OK) {
        status = cut_into_pieces(m->growth->cells, def->blocks, &cut, why);
        m->home = cut.home;
    }
    if (status == BR_OK) {
        const double half = m->growth->cells->half_x;
        m->cell_spread = cut.count < m->growth->cells->count ? half * half / 3.0 : 0.0;
        growth_spread(m->growth, def->fn);
        status = fill_cut(m, m->growth->cells, cut, why);
    }
    return status;
}

static br_status build_from(br_blocks* m, const br_blocks_def* def, br_reason* why)
{
    const br_patch_def* patch = br_patch_get_def(def->patch);
    m->law = def->law;
    m->numbers = law_numbers_of(&def->law);
    m->pose = (br_pose){patch->centre.x, patch->centre.y, patch->angle};
    m->axes = axes_of(patch->angle);
    return br_patch_depends_on_force(def->patch) ? build_growing(m, def, why) : build(m, def, why);
}

br_status br_blocks_create(const br_blocks_def* def, br_blocks** out, br_reason* why)
{
    BR_ASSERT(def && out);
    *out = NULL;
    br_status status = check(def, why);
    if (status != BR_OK) {
        return status;
    }
    br_blocks* m = br_allocate(1, sizeof *m);
    if (!m) {
        br_reason_set(why, "", "no memory for a blocks model");
        return BR_ERR_MEMORY;
    }
    status = build_from(m, def, why);
    if (status != BR_OK) {
        br_blocks_destroy(m);
        return status;
    }
    const blocks_eval_fn fast = def->plain ? NULL : blocks_fast_path(m);
    m->eval = fast ? fast : blocks_eval_plain;
    *out = m;
    return BR_OK;
}

void br_blocks_destroy(br_blocks* m)
{
    if (m) {
        growth_destroy(m->growth);
        br_release(m->home);
        br_release(m->scratch);
        br_release(m->memory);
        br_release(m);
    }
}

int br_blocks_depends_on_force(const br_blocks* m)
{
    return m->growth != NULL;
}

void br_blocks_spread(br_blocks* m, double fn)
{
    BR_ASSERT(m);
    if (m->growth && growth_spread(m->growth, fn)) {
        fill(m, m->growth->cells, m->home);
    }
}

size_t br_blocks_get_count(const br_blocks* m)
{
    return m->count;
}

br_blocks_block br_blocks_get_block(const br_blocks* m, size_t index)
{
    BR_ASSERT(index < m->count);
    const double t = m->t[index];
    return (br_blocks_block){{m->x[index], m->y[index]},
                             m->weight[index],
                             t * m->shape_xx[index],
                             t * m->shape_xy[index],
                             t * m->shape_yy[index]};
}

br_patch_value br_blocks_get_patch_value(const br_blocks* m)
{
    return m->value;
}

double br_blocks_get_angle(const br_blocks* m)
{
    return atan2(m->axes.sine, m->axes.cosine);
}

const br_law* br_blocks_get_law(const br_blocks* m)
{
    return &m->law;
}

br_wrench br_blocks_eval(const br_blocks* m, const double* z, br_twist v, double fn, double* dz)
{
    BR_ASSERT(m && z && dz && z != dz);

    // into the patch's axes and back
    const br_twist turned = axes_enter(m->axes, v);
    const br_wrench f = m->eval(m, z, turned, fn, dz);
    return axes_leave(m->axes, f);
}

void br_blocks_batch_eval(const br_blocks* m, size_t contacts, const double* z, const br_twist* v,
                          const double* fn, double* dz, br_wrench* f)
{
    const size_t states = 3 * m->count;
    for (size_t i = 0; i < contacts; i++) {
        f[i] = br_blocks_eval(m, z + i * states, v[i], fn[i], dz + i * states);
    }
}
