/*
 * Life of a planar contact: checks, creation by its method, what it tells of itself, and the contact at
 * another normal force.
 */
#include "base/status.h"
#include "planar/contact_internal.h"

enum { MOST_BLOCKS = 256, LEAST_NODES = 2, MOST_NODES = 512, MOST_CELLS = 4096 };

br_contact_def br_contact_def_default(void)
{
    return (br_contact_def){.size = sizeof(br_contact_def),
                            .method = BR_METHOD_BLOCKS,
                            .law = br_law_default(BR_LAW_ELASTO_PLASTIC),
                            .guard = 1};
}

#define METHOD_NAME(method, name) [method] = (name),
static const char* const names[] = {BR_METHOD_LIST(METHOD_NAME)};
#undef METHOD_NAME

// --- checks -----------------------------------------------------------------------------------------------

static br_status check_resolution(const br_contact_def* def, br_reason* why)
{
    const size_t least = method_is_reduced(def->method) ? LEAST_NODES : 1;
    const size_t most = def->method == BR_METHOD_BLOCKS        ? MOST_BLOCKS
                        : def->method == BR_METHOD_DISTRIBUTED ? MOST_CELLS
                                                               : MOST_NODES;
    if (def->resolution != 0 && (def->resolution < least || def->resolution > most)) {
        br_reason_set(why, "resolution", "must be in %zu..%zu, or 0, got %zu", least, most,
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

// An ellipsoid that is given by its numbers alone.
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
                      br_law_name(law->kind));
        return BR_ERR_DEF;
    }
    return br_law_check(law, why);
}

br_status br_contact_check(const br_contact_def* def, br_reason* why)
{
    BR_ASSERT(def);
    if (def->size != sizeof *def) {
        br_reason_set(why, "size", "must be set by br_contact_def_default()");
        return BR_ERR_DEF;
    }
    if (def->like) {
        return check_law(&def->law, why);
    }
    if ((unsigned)def->method > BR_METHOD_ELLIPSOID) {
        br_reason_set(why, "method", "must be a br_method, got %d", (int)def->method);
        return BR_ERR_DEF;
    }
    br_status status = check_law(&def->law, why);
    status = status == BR_OK ? check_resolution(def, why) : status;
    status = status == BR_OK ? check_forces(def, why) : status;
    return status == BR_OK ? check_patch(def, why) : status;
}

// --- at another normal force ------------------------------------------------------------------------------

// What the caller's memory holds: a contact of its own, and whose it is.
typedef struct contact_spread {
    const br_contact* of; // NULL: nothing was laid here yet
    double fn;            // [N]
    br_contact contact;
} contact_spread;

// Behind it lies what the force changes: parts, or a surface.
static arena behind(contact_spread* own)
{
    arena to = {(char*)own, 0};
    arena_take(&to, sizeof *own);
    return to;
}

// What of it is to be laid there; 0: its patch is fixed.
static size_t count_spread(const br_contact* c)
{
    const size_t surface = bri_reduced_spread_size(c);
    arena count = behind(NULL);
    br_contact copy = *c;
    if (c->growth) {
        bri_parts_copy(&copy, &count);
    }
    return c->growth || surface > 0 ? count.used + surface : 0;
}

size_t br_contact_get_spread_size(const br_contact* c)
{
    BR_ASSERT(c);
    return c->spread_size;
}

static void follow(contact_spread* own, double fn)
{
    const arena to = behind(own);
    if (own->contact.growth) {
        bri_parts_follow(&own->contact, fn);
    } else {
        bri_reduced_follow(&own->contact, own->of, fn, to.memory + to.used);
    }
    own->fn = fn;
}

// Lay a contact `of` down as `as` is, the same one at force fn; laws may differ.
static void lay(contact_spread* own, const br_contact* of, const br_contact* as, double fn)
{
    arena to = behind(own);
    *own = (contact_spread){of, fn, *as};
    own->contact.def.law = of->def.law;
    own->contact.law = of->law;
    if (as->growth) {
        bri_parts_copy(&own->contact, &to);
    }
}

// The contact as it was spread for its definition's forces; NULL: not at this one.
static const br_contact* find_known(const br_contact* c, double fn)
{
    for (size_t i = 0; i < c->known_count; i++) {
        const contact_spread* one = (const contact_spread*)(c->known + i * c->spread_size);
        if (one->fn == fn) {
            return &one->contact;
        }
    }
    return NULL;
}

const br_contact* br_contact_spread(const br_contact* c, double fn, void* memory)
{
    BR_ASSERT(c && (memory || c->spread_size == 0));
    if (c->spread_size == 0) {
        return c;
    }
    contact_spread* own = memory;
    const br_contact* known = own->of == c && own->fn == fn ? NULL : find_known(c, fn);
    if (known) {
        lay(own, c, known, fn);
    } else if (own->of != c) {
        lay(own, c, c, (double)NAN);
    }
    if (fn != own->fn) {
        follow(own, fn);
    }
    return &own->contact;
}

// Spread it once for all at the forces of its definition; a surface that follows the force has its own tables.
static br_status spread_known(br_contact* c, br_reason* why)
{
    const size_t count = c->growth ? c->def.force_count : 0;
    c->known = count > 0 ? br_allocate(count, c->spread_size) : NULL;
    if (count > 0 && !c->known) {
        br_reason_set(why, "forces", "no memory for %zu of them", count);
        return BR_ERR_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        br_contact_spread(c, c->def.forces[i], c->known + i * c->spread_size);
        c->known_count++;
    }
    c->def.forces = NULL; // were for creation only
    c->def.force_count = 0;
    return BR_OK;
}

// --- life -------------------------------------------------------------------------------------------------

void* bri_contact_own(br_contact* c, size_t count, size_t bytes)
{
    void** slot = c->memory;
    while (*slot) {
        slot++;
    }
    return *slot = br_allocate(count, bytes);
}

static br_status make(br_contact* c, const br_contact_def* def, br_reason* why)
{
    c->def = *def;
    c->law = bri_kernel_law(&def->law);
    c->kernel = def->plain ? bri_kernel_with(1) : bri_kernel_best();
    c->axes = (axes){1.0, 0.0}; // a reduced contact's surface turns itself
    const br_status status =
        contact_is_reduced(c) ? bri_reduced_make(c, why) : bri_parts_make(c, why);
    c->spread_size = status == BR_OK ? count_spread(c) : 0;
    return status == BR_OK ? spread_known(c, why) : status;
}

static void make_like(br_contact* c, const br_contact_def* def)
{
    *c = *def->like;
    c->def.law = def->law;
    c->law = bri_kernel_law(&def->law);
    c->borrows = 1;
}

br_status br_contact_create(const br_contact_def* def, br_contact** out, br_reason* why)
{
    BR_ASSERT(def && out);
    *out = NULL;
    br_status status = br_contact_check(def, why);
    if (status != BR_OK) {
        return status;
    }
    br_contact* c = br_allocate(1, sizeof *c);
    if (!c) {
        br_reason_set(why, "", "no memory for a contact");
        return BR_ERR_MEMORY;
    }
    if (def->like) {
        make_like(c, def);
    } else {
        status = status_of_definition(make(c, def, why));
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
        br_limit_destroy(c->own_surface);
        br_release(c->home);
        br_release(c->known);
        br_release(c->memory[0]);
        br_release(c->memory[1]);
    }
    br_release(c);
}

// --- what it tells of itself ------------------------------------------------------------------------------

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

br_contact_part br_contact_get_part(const br_contact* c, size_t index)
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
