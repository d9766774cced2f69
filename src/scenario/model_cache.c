/*
 * Models that a scenario was read into, and that its cases and equal values share.
 */
#include "scenario/read_contact.h"

typedef enum cached_kind {
    CACHED_PATCH,
    CACHED_OUTLINE,
    CACHED_SURFACE,
    CACHED_CONTACT
} cached_kind;

// A model of this kind that was built from a value, and for the last two its definition.
struct cached_model {
    cached_kind kind;
    const node* at;
    patch_input patch;
    const br_outline* outline;
    br_limit_def surface_def;
    br_limit* surface;
    br_contact_def contact_def;
    const br_contact* contact;
    cached_model* next; // of the same value
};

static void remember(cached_model model)
{
    const node* at = model.at;
    recent_models* recent = &at->in->recent;
    cached_model* fresh = bri_allocate(at->in, 1, sizeof *fresh);
    *fresh = model;
    fresh->next = at->cache;
    ((node*)at)->cache = fresh; // which only this reading uses
    recent->at[recent->count++ % MOST_RECENT] = fresh;
}

static bool is_same_anisotropy(br_anisotropy a, br_anisotropy b)
{
    return a.ratio == b.ratio && a.angle == b.angle && a.axes == b.axes;
}

static bool is_same_surface(const br_limit_def* a, const br_limit_def* b)
{
    return a->patch == b->patch && a->fn == b->fn && a->method == b->method && a->n == b->n &&
           a->resolution == b->resolution && is_same_anisotropy(a->anisotropy, b->anisotropy);
}

static bool is_same_but_law(const br_contact_def* a, const br_contact_def* b)
{
    return a->method == b->method && a->patch == b->patch && a->resolution == b->resolution &&
           a->surface == b->surface && a->r == b->r && a->u == b->u && a->cop.x == b->cop.x &&
           a->cop.y == b->cop.y && a->guard == b->guard && a->plain == b->plain &&
           a->field == b->field && a->field_moves == b->field_moves &&
           is_same_anisotropy(a->anisotropy, b->anisotropy);
}

// Does a model serve for the wanted one?
static bool is_same(const cached_model* one, const cached_model* wanted)
{
    const bool is_base = one->at == wanted->at->base && !wanted->at->is_changed;
    if (one->kind != wanted->kind) {
        return false;
    }
    switch (one->kind) {
    case CACHED_PATCH:
        return is_base || bri_node_is_equal(one->at, wanted->at);
    case CACHED_SURFACE:
        return is_same_surface(&one->surface_def, &wanted->surface_def);
    case CACHED_CONTACT:
        return is_same_but_law(&one->contact_def, &wanted->contact_def);
    default:
        return is_base;
    }
}

// The wanted model, built at the base of its value or recently, the last first; NULL: there is none.
static const cached_model* find(cached_model wanted)
{
    const node* base = wanted.at->base;
    for (const cached_model* one = base ? base->cache : NULL; one; one = one->next) {
        if (is_same(one, &wanted)) {
            return one;
        }
    }
    const recent_models* recent = &wanted.at->in->recent;
    for (size_t i = 1; i <= recent->count && i <= MOST_RECENT; i++) {
        const cached_model* one = recent->at[(recent->count - i) % MOST_RECENT];
        if (is_same(one, &wanted)) {
            return one;
        }
    }
    return NULL;
}

void bri_model_cache_note_patch(const node* at, patch_input patch)
{
    remember((cached_model){.kind = CACHED_PATCH, .at = at, .patch = patch});
}

void bri_model_cache_note_outline(const node* at, const br_outline* outline)
{
    remember((cached_model){.kind = CACHED_OUTLINE, .at = at, .outline = outline});
}

void bri_model_cache_note_contact(const node* at, const br_contact_def* def,
                                  const br_contact* contact)
{
    remember(
        (cached_model){.kind = CACHED_CONTACT, .at = at, .contact_def = *def, .contact = contact});
}

const patch_input* bri_model_cache_find_patch(const node* at)
{
    const cached_model* one = find((cached_model){.kind = CACHED_PATCH, .at = at});
    return one ? &one->patch : NULL;
}

const br_outline* bri_model_cache_find_outline(const node* at)
{
    const cached_model* one = find((cached_model){.kind = CACHED_OUTLINE, .at = at});
    return one ? one->outline : NULL;
}

const br_contact* bri_model_cache_find_contact(const node* at, const br_contact_def* def)
{
    const cached_model* one =
        find((cached_model){.kind = CACHED_CONTACT, .at = at, .contact_def = *def});
    return one ? one->contact : NULL;
}

static void destroy_surface(void* surface)
{
    br_limit_destroy(surface);
}

br_limit* bri_surface_create(const node* from, const br_limit_def* def)
{
    cached_model model = {.kind = CACHED_SURFACE, .at = from, .surface_def = *def};
    const cached_model* found = find(model);
    if (found) {
        return found->surface;
    }
    br_reason why = {"", ""};
    const br_status status = br_limit_create(def, &model.surface, &why);
    if (!bri_node_accept(from, status, &why)) {
        return NULL;
    }
    bri_pool_own(&from->in->memory, model.surface, destroy_surface);
    remember(model);
    return model.surface;
}
