/*
 * Reduced planar friction: making a model.
 */
#include "planar/reduced_internal.h"

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
    }
    return status;
}

static void fill(br_reduced* m, const br_reduced_def* def)
{
    m->law = def->law;
    m->surface = def->surface;
    m->guard = def->guard;
    m->value = def->surface ? br_limit_get_patch_value(def->surface)
                            : (br_patch_value){.r = def->r, .u = def->u};
    m->inverse_r = m->value.r > 0.0 ? 1.0 / m->value.r : 0.0;
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
    if (!m) {
        br_reason_set(why, "", "no memory for a reduced model");
        return BR_ERR_MEMORY;
    }
    fill(m, def);
    *out = m;
    return BR_OK;
}

void br_reduced_destroy(br_reduced* m)
{
    br_release(m);
}

br_patch_value br_reduced_get_patch_value(const br_reduced* m)
{
    BR_ASSERT(m);
    return m->value;
}
