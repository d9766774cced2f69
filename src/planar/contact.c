/*
 * Planar contacts: checks of the definition, the contact at another normal force and pose, creation, getters.
 */
#include "base/definition.h"
#include "base/status.h"
#include "limit/limit_internal.h"
#include "patch/patch_internal.h"
#include "planar/contact_internal.h"
#include "planar/contact_some.h"

enum { MAX_BLOCKS = 256, MIN_NODES = 2, MAX_NODES = 512, MAX_CELLS = 4096 };

br_contact_def br_contact_def_default(void)
{
    return (br_contact_def){.size = sizeof(br_contact_def),
                            .method = BR_METHOD_BLOCKS,
                            .law = br_law_default(BR_LAW_ELASTO_PLASTIC),
                            .guard = 1,
                            .anisotropy = br_anisotropy_default()};
}

#define METHOD_NAME(method, name) [method] = (name),
static const char* const names[] = {BR_METHOD_LIST(METHOD_NAME)};
#undef METHOD_NAME

// --- checks -----------------------------------------------------------------------------------------------

static br_status check_resolution(const br_contact_def* def, br_reason* why)
{
    const size_t min = method_is_reduced(def->method) ? MIN_NODES : 1;
    const size_t max = def->method == BR_METHOD_BLOCKS        ? MAX_BLOCKS
                       : def->method == BR_METHOD_DISTRIBUTED ? MAX_CELLS
                                                              : MAX_NODES;
    if (def->resolution != 0 && (def->resolution < min || def->resolution > max)) {
        br_reason_set(why, "resolution", "must be in %zu..%zu, or 0, got %zu", min, max,
                      def->resolution);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

static br_status check_not_negative(const char* field, double value, br_reason* why)
{
    if (isfinite(value) && value >= 0.0) {
        return BR_OK;
    }
    br_reason_set(why, field, "must be finite and >= 0, got %g", value);
    return BR_ERR_DEF;
}

// An ellipsoid without a patch, given by r, u and cop alone.
static br_status check_numbers(const br_contact_def* def, br_reason* why)
{
    br_status status = check_not_negative("r", def->r, why);
    status = status == BR_OK ? check_not_negative("u", def->u, why) : status;
    if (status == BR_OK && !(isfinite(def->cop.x) && isfinite(def->cop.y))) {
        br_reason_set(why, "cop", "must be finite, got (%g, %g)", def->cop.x, def->cop.y);
        status = BR_ERR_DEF;
    }
    return status;
}

static br_status check_patch(const br_contact_def* def, br_reason* why)
{
    if (def->surface && def->method != BR_METHOD_REDUCED) {
        br_reason_set(why, "surface", "is for the method reduced, not %s", names[def->method]);
        return BR_ERR_DEF;
    }
    if (def->patch || def->surface) {
        return BR_OK;
    }
    if (def->method == BR_METHOD_ELLIPSOID) {
        return check_numbers(def, why);
    }
    br_reason_set(why, "patch", "is missing");
    return BR_ERR_DEF;
}

static br_status check_forces(const br_contact_def* def, br_reason* why)
{
    br_status status = BR_OK;
    for (size_t i = 0; i < def->force_count && status == BR_OK; i++) {
        status = check_not_negative("forces", def->forces[i], why);
    }
    return status;
}

static br_status check_law(const br_law* law, br_reason* why)
{
    if (law->kind != BR_LAW_LUGRE && law->kind != BR_LAW_ELASTO_PLASTIC) {
        br_reason_set(why, "law.kind", "must be lugre or elasto-plastic, got %s",
                      br_law_get_name(law->kind));
        return BR_ERR_DEF;
    }
    if (law->curve && law->curve->has_f_v) {
        br_reason_set(
            why, "law.curve",
            "must be a table of g alone: viscous friction of planar contacts is sigma2 v");
        return BR_ERR_DEF;
    }
    return br_law_check(law, why);
}

static br_status check_field(const br_contact_def* def, br_reason* why)
{
    if (!def->field || !method_is_reduced(def->method)) {
        return BR_OK;
    }
    const char* reason = NULL;
    if (def->field_moves) {
        reason =
            "that is fixed to the other surface needs the method blocks or distributed: three bristles follow one "
            "limit surface, which changes while the patch moves over the field";
    } else if (def->surface || !def->patch) {
        reason = "needs the patch, without a surface of its own: the limit surface is that of both";
    } else if (br_patch_depends_on_force(def->patch)) {
        reason = "under a patch that depends on the force needs the method blocks or distributed";
    }
    if (reason) {
        br_reason_set(why, "field", "%s", reason);
    }
    return reason ? BR_ERR_DEF : BR_OK;
}

static br_status check_anisotropy(const br_contact_def* def, br_reason* why)
{
    const br_anisotropy* a = &def->anisotropy;
    const br_status status = br_anisotropy_check(a, why);
    const int turns = a->ratio != 1.0 && a->axes == BR_AXES_GROUND;
    const int is_round = !def->patch || patch_is_axisymmetric(br_patch_get_def(def->patch));
    const int keeps_form =
        !method_is_reduced(def->method) || (is_round && !def->surface && !def->field);
    if (status != BR_OK || !turns || keeps_form) {
        return status;
    }
    br_reason_set(
        why, "anisotropy.axes",
        "ground is for the methods blocks and distributed, and for discs and rings without "
        "linear pressure and without a field: the limit surface of the method %s changes as "
        "another patch turns",
        names[def->method]);
    return BR_ERR_DEF;
}

static br_status check(const br_contact_def* def, br_reason* why)
{
    if (def->share_geometry_of) {
        return check_law(&def->law, why);
    }
    if ((unsigned)def->method > BR_METHOD_ELLIPSOID) {
        br_reason_set(why, "method", "must be a br_method, got %d", (int)def->method);
        return BR_ERR_DEF;
    }
    br_status status = check_law(&def->law, why);
    status = status == BR_OK ? check_resolution(def, why) : status;
    status = status == BR_OK ? check_forces(def, why) : status;
    status = status == BR_OK ? check_field(def, why) : status;
    status = status == BR_OK ? check_anisotropy(def, why) : status;
    return status == BR_OK ? check_patch(def, why) : status;
}

br_status br_contact_check(const br_contact_def* given, br_reason* why)
{
    BR_ASSERT(given);
    br_contact_def def = br_contact_def_default();
    const br_status status = DEFINITION_READ(br_contact_def, given, &def, why);
    return status == BR_OK ? check(&def, why) : status;
}

// --- at another normal force and pose ---------------------------------------------------------------------

// The caller's memory starts with this: a copy of a contact at the force fn and at a pose.
typedef struct contact_at {
    const br_contact* of; // the original; NULL: there is no copy yet
    double fn;            // [N]
    br_pose
        pose; // of the contact frame over the other surface; 0 if the contact does not depend on it
    br_contact contact; // the copy
} contact_at;

// The memory after the struct, for what depends on force and pose: parts, or a surface.
static arena behind(contact_at* own)
{
    arena to = {(char*)own, 0};
    arena_take(&to, sizeof *own);
    return to;
}

// Do the parts depend on force or pose?
static int parts_change(const br_contact* c)
{
    return !contact_is_reduced(c) && (c->growth || c->on_pose || c->turns);
}

// Bytes of a copy at another force or pose; 0: the contact is fixed.
static size_t count_bytes(const br_contact* c)
{
    const size_t surface = bri_reduced_at_force_size(c);
    arena count = behind(NULL);
    br_contact copy = *c;
    if (parts_change(c)) {
        bri_parts_copy(&copy, &count);
    }
    return parts_change(c) || c->turns || surface > 0 ? count.used + surface : 0;
}

static int has_triangles(const br_contact* c)
{
    return c->growth && c->growth->mesh;
}

size_t br_contact_get_at_force_size(const br_contact* c)
{
    BR_ASSERT(c);
    return c->spread_size;
}

static void follow(contact_at* own, double fn, br_pose pose)
{
    const arena to = behind(own);
    if (parts_change(&own->contact)) {
        bri_parts_follow(&own->contact, own->of, fn, pose);
    } else {
        bri_contact_turn(&own->contact, pose.theta);
        bri_reduced_follow(&own->contact, own->of, fn, to.memory + to.used);
    }
    own->fn = fn;
    own->pose = pose;
}

// Fill `own` with a copy of `as`, which is the contact `of` at force fn. The law is that of `of`.
static void fill_copy(contact_at* own, const br_contact* of, const br_contact* as, double fn)
{
    arena to = behind(own);
    *own = (contact_at){of, fn, {0.0, 0.0, 0.0}, *as};
    own->contact.def.law = of->def.law;
    own->contact.law = of->law;
    own->contact.only_at = 0.0;
    if (parts_change(as)) {
        bri_parts_copy(&own->contact, &to);
    }
}

// The copy that was precomputed for this force of the definition; NULL: there is none.
static const br_contact* find_known(const br_contact* c, double fn)
{
    for (size_t i = 0; i < c->known_count; i++) {
        const contact_at* one = (const contact_at*)(c->known + i * c->spread_size);
        if (one->fn == fn) {
            return &one->contact;
        }
    }
    return NULL;
}

static int is_same(br_pose a, br_pose b)
{
    return a.x == b.x && a.y == b.y && a.theta == b.theta;
}

bool br_contact_depends_on_pose(const br_contact* c)
{
    BR_ASSERT(c);
    return c->on_pose || c->turns;
}

const br_contact* br_contact_at_force(const br_contact* c, double fn, void* memory)
{
    return br_contact_at(c, fn, (br_pose){0.0, 0.0, 0.0}, memory);
}

const br_contact* br_contact_at(const br_contact* c, double fn, br_pose given, void* memory)
{
    BR_ASSERT(c && (memory || c->spread_size == 0));
    if (c->spread_size == 0) {
        return c;
    }
    contact_at* own = memory;
    const br_pose pose = c->on_pose || c->turns ? given : (br_pose){0.0, 0.0, 0.0};
    const br_contact* known = own->of == c && own->fn == fn ? NULL : find_known(c, fn);
    if (known) {
        fill_copy(own, c, known, fn);
    } else if (own->of != c) {
        fill_copy(own, c, c, (double)NAN);
    }
    if (fn != own->fn || !is_same(pose, own->pose)) {
        follow(own, fn, pose);
    }
    return &own->contact;
}

const br_contact* bri_contact_near(const br_contact* c, double fn, double rules_at, br_pose pose,
                                   void* memory)
{
    memset(memory, 0, c->spread_size);
    fill_copy(memory, c, c, (double)NAN);
    contact_at* own = memory;
    if (own->contact.growth) {
        own->contact.growth->rules_at = rules_at;
    }
    follow(own, fn, c->on_pose || c->turns ? pose : (br_pose){0.0, 0.0, 0.0});
    return &own->contact;
}

size_t br_contact_get_at_pressure_size(const br_contact* c)
{
    BR_ASSERT(c);
    return c->pressure_size;
}

const br_contact* br_contact_at_pressure(const br_contact* c, const br_vec2* vertices,
                                         const double* pressures, void* memory)
{
    BR_ASSERT(c && pressures && (memory || c->pressure_size == 0));
    if (c->pressure_size == 0) {
        return c;
    }
    contact_at* own = memory;
    if (own->of != c) {
        fill_copy(own, c, c, (double)NAN);
    }
    bri_parts_press(&own->contact, vertices ? vertices : c->growth->def.vertices, pressures);
    return &own->contact;
}

// Precompute the contact at the forces of its definition. Not for a surface: it has its own tables over the force.
static br_status precompute_known(br_contact* c, br_reason* why)
{
    const size_t count = c->growth && !c->on_pose && !has_triangles(c) ? c->def.force_count : 0;
    c->known = count > 0 ? br_allocate(count, c->spread_size) : NULL;
    if (count > 0 && !c->known) {
        br_reason_set(why, "forces", "no memory for %zu of them", count);
        return BR_ERR_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        br_contact_at_force(c, c->def.forces[i], c->known + i * c->spread_size);
        c->known_count++;
    }
    c->def.forces = NULL; // only needed at creation
    c->def.force_count = 0;
    return BR_OK;
}

// --- creation ---------------------------------------------------------------------------------------------

void* bri_contact_own(br_contact* c, size_t count, size_t bytes)
{
    size_t slot = 0;
    while (slot < CONTACT_BLOCKS && c->memory[slot]) {
        slot++;
    }
    BR_ASSERT(slot < CONTACT_BLOCKS);
    return slot < CONTACT_BLOCKS ? c->memory[slot] = br_allocate(count, bytes) : NULL;
}

static br_status make(br_contact* c, const br_contact_def* def, br_reason* why)
{
    c->def = *def;
    c->law = bri_kernel_law(&def->law);
    c->kernel = bri_kernel_for(&c->law, def->plain);
    c->factor = 1.0;
    c->axes = (axes){1.0, 0.0}; // the surface of a reduced contact includes the patch's angle
    c->def.field = bri_field_share(def->field);
    bri_contact_set_map(c, 0.0); // cells and blocks: again with the patch's axes
    const br_status status =
        contact_is_reduced(c) ? bri_reduced_make(c, why) : bri_parts_make(c, why);
    c->spread_size = status == BR_OK && !has_triangles(c) ? count_bytes(c) : 0;
    c->pressure_size = status == BR_OK && has_triangles(c) ? count_bytes(c) : 0;
    if (c->spread_size > 0 && (c->growth || bri_reduced_at_force_size(c) > 0)) {
        c->only_at = c->surface ? c->surface->def.fn : 1.0;
    }
    return status == BR_OK ? precompute_known(c, why) : status;
}

static void make_sharing(br_contact* c, const br_contact_def* def)
{
    *c = *def->share_geometry_of;
    c->def.law = def->law;
    c->law = bri_kernel_law(&def->law);
    c->kernel = bri_kernel_for(&c->law, c->def.plain);
    c->borrows = 1;
    if (contact_is_reduced(c)) {
        bri_reduced_scale_law(c);
    }
}

br_status br_contact_create(const br_contact_def* given, br_contact** out, br_reason* why)
{
    BR_ASSERT(given && out);
    *out = NULL;
    br_contact_def def = br_contact_def_default();
    br_status status = DEFINITION_READ(br_contact_def, given, &def, why);
    status = status == BR_OK ? check(&def, why) : status;
    if (status != BR_OK) {
        return status;
    }
    br_contact* c = br_allocate(1, sizeof *c);
    if (!c) {
        br_reason_set(why, "", "no memory for a contact");
        return BR_ERR_MEMORY;
    }
    if (def.share_geometry_of) {
        make_sharing(c, &def);
    } else {
        status = status_of_definition(make(c, &def, why));
    }
    if (status != BR_OK) {
        br_contact_destroy(c);
        return status;
    }
    *out = c;
    return BR_OK;
}

void br_contact_destroy(br_contact* c)
{
    if (c && !c->borrows) {
        bri_growth_destroy(c->growth);
        br_cells_destroy(c->cells);
        br_field_destroy((br_field*)c->def.field);
        bri_limit_leave(c->surface);
        br_patch_destroy((br_patch*)c->shape);
        br_patch_destroy((br_patch*)c->def.patch);
        br_release(c->part_of_cell);
        br_release(c->known);
        for (size_t i = 0; i < CONTACT_BLOCKS; i++) {
            br_release(c->memory[i]);
        }
    }
    br_release(c);
}

// --- getters ----------------------------------------------------------------------------------------------

const br_contact_def* br_contact_get_def(const br_contact* c)
{
    BR_ASSERT(c);
    return &c->def;
}

br_patch_value br_contact_get_patch_value(const br_contact* c)
{
    BR_ASSERT(c);
    return c->value;
}

// Less than this sum of weights is that of BR_CELLS_IDLE.
static const double no_friction = 1e-100;

br_contact_centres br_contact_get_centres(const br_contact* c)
{
    BR_ASSERT(c);
    const kernel_bundles* b = &c->parts;
    br_contact_centres out = {c->value.cop, c->value.cop, 1.0};
    if (c->def.field && contact_is_reduced(c)) {
        const int has_friction = c->factor > 0.0;
        return (br_contact_centres){c->pressure, has_friction ? c->value.cop : c->pressure,
                                    c->factor};
    }
    if (c->def.field) {
        const int has_friction = !(b->one < no_friction);
        const br_vec2 mean = {b->mean_x / b->one, b->mean_y / b->one};
        out.factor = has_friction ? b->one : 0.0;
        out.friction = br_vec2_add(c->value.cop,
                                   contact_position(c, has_friction ? mean : (br_vec2){0.0, 0.0}));
    }
    return out;
}

size_t br_contact_get_part_count(const br_contact* c)
{
    BR_ASSERT(c);
    return c->parts.count;
}

size_t br_contact_get_state_count(const br_contact* c)
{
    BR_ASSERT(c);
    return c->size * c->parts.count;
}

br_contact_part bri_contact_get_bristle_part(const br_contact* c, size_t index)
{
    BR_ASSERT(c && index < c->parts.count);
    const kernel_bundles* b = &c->parts;
    if (contact_is_reduced(c)) {
        return (br_contact_part){.weight = 1.0, .xx = 0.5 * c->value.u, .yy = 0.5 * c->value.u};
    }
    const double t = b->t ? b->t[index] : 0.0;
    br_contact_part part = {.position = {b->x[index], b->y[index]},
                            .weight = b->weight[index],
                            .angle = atan2(c->axes.sine, c->axes.cosine)};
    if (t > 0.0) {
        part.xx = t * b->xx[index];
        part.xy = t * b->xy[index];
        part.yy = t * b->yy[index];
    }
    return part;
}

// B^-1 of the stretch, a symmetric matrix.
static map2 unstretch_of(const br_contact* c)
{
    const map2 a = map2_cofactors(c->stretch);
    return (map2){a.xx / c->det, a.xy / c->det, a.yx / c->det, a.yy / c->det};
}

br_contact_part br_contact_get_part(const br_contact* c, size_t index)
{
    br_contact_part part = bri_contact_get_bristle_part(c, index);
    if (c->is_stretched && !contact_is_reduced(c)) {
        const map2 back = unstretch_of(c), spread = {part.xx, part.xy, part.xy, part.yy};
        const map2 own = map2_multiply(map2_multiply(back, spread), back);
        part.position = map2_apply(back, part.position);
        part.xx = own.xx;
        part.xy = own.xy;
        part.yy = own.yy;
    }
    return part;
}

void br_contact_get_map(const br_contact* c, double map[2][2])
{
    BR_ASSERT(c && map);
    map[0][0] = c->map.xx, map[0][1] = c->map.xy;
    map[1][0] = c->map.yx, map[1][1] = c->map.yy;
}
