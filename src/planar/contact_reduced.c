/*
 * The reduced methods: three bristles for the whole patch, whose motion follows from a limit surface.
 */
#include "planar/contact_reduced.h"

#include "limit/methods.h"
#include "limit/smooth.h"
#include "limit/table.h"
#include "patch/mapped.h"
#include "patch/patch_internal.h"

enum { NODES = 20 }; // N_ls of a table

// 1/x, 0 for 0; NaN stays NaN.
static double inverse_or_zero(double x)
{
    return x == 0.0 ? 0.0 : 1.0 / x;
}

// Is the third state an angle? Not with a published table: it keeps z_tau while the patch changes.
static int is_angle(const br_contact* c)
{
    return bri_reduced_at_force_size(c) > 0 &&
           !(c->surface && c->surface->method == &bri_limit_published);
}

// r and u as the bristles have them; the CoP is in the contact frame.
static void set_patch_value(br_contact* c, br_patch_value value)
{
    c->value = value;
    if (c->is_stretched && (c->shape || c->surface)) {
        c->value.cop = contact_position(c, value.cop);
    }
    c->look.r = value.r;
    c->look.per_r = inverse_or_zero(value.r);
    c->look.turn = is_angle(c) ? value.u : 1.0;
    c->look.per_turn = inverse_or_zero(c->look.turn);
    c->look.u = value.u;
}

// The table of a tabulated surface, else NULL. All methods of src/limit whose data are a limit_table.
static const limit_table* table_of(const br_limit* surface)
{
    const int is_table = surface->method == &bri_limit_bilinear ||
                         surface->method == &bri_limit_grid ||
                         surface->method == &bri_limit_published;
    return is_table ? surface->data : NULL;
}

// Copy the table's nodes, padded to four numbers each. 0: no memory.
static int own_nodes(br_contact* c, const limit_table* table)
{
    const size_t count = table_length(table->n) / 3;
    double* nodes = bri_contact_own(c, count, 4 * sizeof *nodes);
    for (size_t i = 0; nodes && i < count; i++) {
        memcpy(nodes + 4 * i, table->h + 3 * i, 3 * sizeof *nodes);
    }
    c->look.lookup = KERNEL_TABLE;
    c->look.n = table->n;
    c->look.nodes = nodes;
    return nodes != NULL;
}

// Choose how the kernel finds h: by itself if the surface is an ellipsoid or a fixed table. 0: no memory.
static int choose_lookup(br_contact* c)
{
    const br_limit* surface = c->surface;
    const limit_table* nodes = surface ? table_of(surface) : NULL;
    c->look.lookup = KERNEL_GIVEN;
    if (!surface || surface->method == &bri_limit_ellipsoid) {
        c->look.lookup = KERNEL_ROUND;
    } else if (br_limit_depends_on_force(surface)) {
        return 1;
    } else if (nodes) {
        return own_nodes(c, nodes);
    } else if (surface->method == &bri_limit_smooth) {
        const smooth* table = surface->data;
        c->look.lookup = KERNEL_SMOOTH;
        // surfaces of this method have their table in data
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference)
        c->look.n = table->n;
        c->look.nodes = table->node;
        c->look.cosine = table->axis.x;
        c->look.sine = table->axis.y;
        c->look.length = table->length;
    }
    return 1;
}

// Create the surface of a patch: a smooth table, or a curve if the patch depends on the force (and is the same in all directions).
static br_status make_surface(br_contact* c, br_reason* why)
{
    const br_patch* patch = c->shape;
    const br_patch_def* shape = br_patch_get_def(patch);
    if (shape->ratio != 1.0 && shape->pressure == BR_PRESSURE_POWER && shape->k.exponent > 0.0) {
        br_reason_set(why, "patch",
                      "must not be an ellipse whose exponent k depends on the force: its surface "
                      "would be computed at each force; use the method blocks");
        return BR_ERR_DEF;
    }
    br_limit_def def = br_limit_def_default();
    def.patch = patch;
    def.fn = bri_patch_table_force(patch);
    def.n = c->def.resolution = c->def.resolution ? c->def.resolution : NODES;
    def.method = br_patch_depends_on_force(patch) && patch_is_axisymmetric(shape) ? BR_LIMIT_CURVE
                                                                                  : BR_LIMIT_SMOOTH;
    br_limit* surface;
    const br_status status = br_limit_create(&def, &surface, why);
    c->surface = surface;
    return status;
}

// With weights p f = F (p f/F) the contact is that of the pressure p f/F with F times the law: mu, stiffness and damping.
void bri_reduced_scale_law(br_contact* c)
{
    const double factor =
        fmax(c->factor, BR_CELLS_IDLE); // 0 would make z_max = mu/sigma0 undefined
    br_law* law = &c->def.law;
    if (c->factor == 1.0) {
        return;
    }
    law->mu_s *= factor;
    law->mu_c *= factor;
    law->sigma0 *= factor;
    law->sigma1 *= factor;
    law->sigma2 *= factor;
    c->law = bri_kernel_law(law);
}

// Replace the patch by one with the field's friction for pressure.
static br_status fold_field(br_contact* c, br_reason* why)
{
    br_patch* folded;
    const br_patch* patch = c->def.patch;
    const br_status status = bri_field_fold(c->def.field, patch, &folded, &c->factor, why);
    c->pressure = br_patch_eval(patch, 1.0).cop;
    br_patch_destroy((br_patch*)patch); // this contact's share
    c->def.patch = folded;
    bri_reduced_scale_law(c);
    return status;
}

// The patch as the bristles have it.
static br_status make_shape(br_contact* c, br_reason* why)
{
    const br_patch* patch = c->def.patch;
    br_patch* shape = NULL;
    br_status status = BR_OK;
    if (patch && c->is_stretched) {
        const map2 m = map2_cofactors(c->map);
        status = bri_patch_create_mapped(patch, (const double[2][2]){{m.xx, m.xy}, {m.yx, m.yy}},
                                         &shape, why);
        c->shape = shape;
    } else {
        c->shape = bri_patch_share(patch);
    }
    return status;
}

// Share a given surface; that of anisotropic friction from behind its map, which is the contact's, too.
static br_status share_surface(br_contact* c, br_reason* why)
{
    const stretched* s = bri_limit_stretched_of(c->def.surface);
    const br_anisotropy own = c->def.anisotropy, *given = &c->def.surface->def.anisotropy;
    if (own.ratio != 1.0 &&
        (own.ratio != given->ratio || own.angle != given->angle || own.axes != given->axes)) {
        br_reason_set(why, "anisotropy", "must be that of the surface, or not be given");
        return BR_ERR_DEF;
    }
    c->def.anisotropy = *given;
    bri_contact_set_map(c, 0.0);
    c->surface = bri_limit_share(s ? s->inside : c->def.surface);
    return BR_OK;
}

br_status bri_reduced_make(br_contact* c, br_reason* why)
{
    const br_contact_def* def = &c->def;
    c->size = 3;
    c->parts.count = 1;
    c->def.patch = bri_patch_share(def->patch);
    br_status status = def->field ? fold_field(c, why) : BR_OK;
    if (status == BR_OK) {
        status = def->surface ? share_surface(c, why) : make_shape(c, why);
    }
    if (def->method == BR_METHOD_ELLIPSOID && status == BR_OK) {
        set_patch_value(c, c->shape ? br_patch_eval(c->shape, bri_patch_table_force(c->shape))
                                    : (br_patch_value){.cop = def->cop, .r = def->r, .u = def->u});
        choose_lookup(c);
    }
    if (def->method == BR_METHOD_ELLIPSOID) {
        return status;
    }
    if (status == BR_OK && !def->surface) {
        status = make_surface(c, why);
    }
    if (status == BR_OK) {
        set_patch_value(c, br_limit_get_patch_value(c->surface));
    }
    if (status == BR_OK && !choose_lookup(c)) {
        br_reason_set(why, "", "no memory for a table");
        status = BR_ERR_MEMORY;
    }
    return status;
}

size_t bri_reduced_at_force_size(const br_contact* c)
{
    if (c->def.method == BR_METHOD_REDUCED) {
        return br_limit_get_at_force_size(c->surface);
    }
    const br_patch* patch = c->shape;
    const int follows = c->def.method == BR_METHOD_ELLIPSOID && patch;
    return follows && br_patch_depends_on_force(patch) ? 1 : 0;
}

void bri_reduced_follow(br_contact* c, const br_contact* of, double fn, void* memory)
{
    const br_vec2 cop = c->value.cop;
    if (bri_reduced_at_force_size(of) == 0) {
        return; // it only turns
    }
    if (of->surface) {
        c->surface = br_limit_at_force(of->surface, fn, memory);
        set_patch_value(c, br_limit_get_patch_value(c->surface));
    } else {
        set_patch_value(c, br_patch_eval(of->shape, fn));
    }
    c->value.cop = c->turns ? cop : c->value.cop; // of a disc or ring, whose map has turned
}
