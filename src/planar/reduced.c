/*
 * Reduced planar friction: making a model, and calling the twin that fits.
 */
#include "planar/reduced_internal.h"

#include "limit/methods.h"
#include "limit/table.h"

#include <string.h>

br_reduced_def br_reduced_def_default(void)
{
    const double radius = 0.01; // [m]
    return (br_reduced_def){.size = sizeof(br_reduced_def),
                            .law = br_law_default(BR_LAW_ELASTO_PLASTIC),
                            .r = 2.0 * radius / 3.0,
                            .u = 0.5 * radius * radius,
                            .guard = 1};
}

static br_status check_length(const char* field, double value, br_reason* why)
{
    if (isfinite(value) && value >= 0.0) {
        return BR_OK;
    }
    br_reason_set(why, field, "must be finite and >= 0, got %g", value);
    return BR_ERR_DEF;
}

static br_status check(const br_reduced_def* def, br_reason* why)
{
    if (def->size != sizeof *def) {
        br_reason_set(why, "", "start from br_reduced_def_default()");
        return BR_ERR_DEF;
    }
    if (def->law.kind != BR_LAW_LUGRE && def->law.kind != BR_LAW_ELASTO_PLASTIC) {
        br_reason_set(why, "law.kind", "must be lugre or elasto-plastic, got %s",
                      br_law_name(def->law.kind));
        return BR_ERR_DEF;
    }
    br_status status = br_law_check(&def->law, why);
    if (status == BR_OK && !def->surface) {
        status = check_length("r", def->r, why);
        status = status == BR_OK ? check_length("u", def->u, why) : status;
        if (status == BR_OK && !(isfinite(def->cop.x) && isfinite(def->cop.y))) {
            br_reason_set(why, "cop", "must be finite, got (%g, %g)", def->cop.x, def->cop.y);
            status = BR_ERR_DEF;
        }
    }
    return status;
}

static void take_value(br_reduced* m, br_patch_value value)
{
    m->value = value;
    m->inverse_r = value.r == 0.0 ? 0.0 : 1.0 / value.r; // NaN stays NaN
}

static void fill(br_reduced* m, const br_reduced_def* def)
{
    m->law = def->law;
    m->surface = def->surface;
    m->guard = def->guard;
    m->fn = def->surface ? def->surface->def.fn : (double)NAN;
    take_value(m, def->surface ? br_limit_get_patch_value(def->surface)
                               : (br_patch_value){.cop = def->cop, .r = def->r, .u = def->u});
}

// The table of a surface that is one, else NULL.
static const limit_table* table_of(const br_limit* surface)
{
    const int is_table =
        surface && (surface->method == &limit_bilinear || surface->method == &limit_grid ||
                    surface->method == &limit_published);
    return is_table ? surface->data : NULL;
}

// Copy the table's nodes, padded to vectors of four.
static void copy_nodes(br_reduced* m, const limit_table* table)
{
    for (size_t i = 0; i < table_length(table->n) / 3; i++) {
        memcpy(m->nodes + 4 * i, table->h + 3 * i, 3 * sizeof(double));
    }
}

static int own_nodes(br_reduced* m, const limit_table* table)
{
    m->n = table->n;
    m->nodes = br_allocate(table_length(table->n) / 3, 4 * sizeof(double));
    if (m->nodes) {
        copy_nodes(m, table);
    }
    return m->nodes != NULL;
}

// Choose the twins. 0: no memory.
static int choose(br_reduced* m, int plain)
{
    m->eval = reduced_eval_plain;
    if (plain) {
        return 1;
    }
    const limit_table* table = table_of(m->surface);
    const int is_round = !m->surface || m->surface->method == &limit_ellipsoid;
    m->lookup = table ? LOOKUP_TABLE : is_round ? LOOKUP_ROUND : LOOKUP_ANY;
    if (table && !own_nodes(m, table)) {
        return 0;
    }
    return 1;
}

br_status br_reduced_create(const br_reduced_def* def, br_reduced** out, br_reason* why)
{
    BR_ASSERT(def && out);
    *out = NULL;
    const br_status status = check(def, why);
    if (status != BR_OK) {
        return status;
    }
    br_reduced* m = br_allocate(1, sizeof *m);
    if (m) {
        fill(m, def);
    }
    if (!m || !choose(m, def->plain)) {
        br_reduced_destroy(m);
        br_reason_set(why, "", "no memory for a reduced model");
        return BR_ERR_MEMORY;
    }
    *out = m;
    return BR_OK;
}

void br_reduced_destroy(br_reduced* m)
{
    if (m) {
        br_release(m->nodes);
        br_release(m);
    }
}

int br_reduced_depends_on_force(const br_reduced* m)
{
    return m->surface && br_limit_depends_on_force(m->surface);
}

double br_reduced_get_turn(const br_reduced* m)
{
    return m->surface && m->surface->method == &limit_published ? 1.0 : m->value.u;
}

void br_reduced_spread(br_reduced* m, double fn, double z[3])
{
    BR_ASSERT(m);
    if (fn == m->fn || !br_reduced_depends_on_force(m)) {
        return;
    }
    const double before = br_reduced_get_turn(m);
    m->fn = fn;
    limit_follow((br_limit*)m->surface, fn); // borrowed for this, as reduced.h says
    take_value(m, br_limit_get_patch_value(m->surface));
    if (m->nodes && limit_changes_form(m->surface)) {
        copy_nodes(m, table_of(m->surface));
    }
    if (z) {
        z[2] *= before == 0.0 ? 0.0 : br_reduced_get_turn(m) / before; // a point had no torque
    }
}

const br_law* br_reduced_get_law(const br_reduced* m)
{
    return &m->law;
}

br_patch_value br_reduced_get_patch_value(const br_reduced* m)
{
    BR_ASSERT(m);
    return m->value;
}

br_wrench br_reduced_eval(const br_reduced* m, const double z[3], br_twist v, double fn,
                          double dz[3])
{
    BR_ASSERT(m && z && dz && z != dz);
    return m->eval(m, z, v, fn, dz);
}
