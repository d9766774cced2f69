/*
 * Models that a scenario was read into, and that its cases share.
 */
#include "scenario/made.h"

typedef enum made_kind { MADE_PATCH, MADE_OUTLINE, MADE_SURFACE, MADE_CONTACT } made_kind;

struct made_model {
    made_kind kind;
    const node* at;
    patch_input patch;
    const br_outline* outline;
    br_limit_def surface_def;
    br_limit* surface;
    br_contact_def contact_def;
    const br_contact* contact;
    made_model* next;
};

static made_model* note(const node* at, made_kind kind)
{
    made_model* fresh = bri_allocate(at->in, 1, sizeof *fresh);
    fresh->kind = kind;
    fresh->at = at;
    fresh->next = at->in->made;
    at->in->made = fresh;
    return fresh;
}

void bri_made_note_patch(const node* at, patch_input patch)
{
    note(at, MADE_PATCH)->patch = patch;
}

void bri_made_note_outline(const node* at, const br_outline* outline)
{
    note(at, MADE_OUTLINE)->outline = outline;
}

void bri_made_note_surface(const node* at, const br_limit_def* def, br_limit* surface)
{
    made_model* fresh = note(at, MADE_SURFACE);
    fresh->surface_def = *def;
    fresh->surface = surface;
}

void bri_made_note_contact(const node* at, const br_contact_def* def, const br_contact* contact)
{
    made_model* fresh = note(at, MADE_CONTACT);
    fresh->contact_def = *def;
    fresh->contact = contact;
}

// The first of this kind that was made at the base of this value, after `after` (NULL: of all).
static const made_model* find(const node* at, made_kind kind, const made_model* after)
{
    const made_model* one = after ? after->next : at->base ? at->base->in->made : NULL;
    while (one && (one->kind != kind || one->at != at->base)) {
        one = one->next;
    }
    return one;
}

const patch_input* bri_made_find_patch(const node* at)
{
    const made_model* one = at->is_changed ? NULL : find(at, MADE_PATCH, NULL);
    return one ? &one->patch : NULL;
}

const br_outline* bri_made_find_outline(const node* at)
{
    const made_model* one = at->is_changed ? NULL : find(at, MADE_OUTLINE, NULL);
    return one ? one->outline : NULL;
}

static bool is_same_surface(const br_limit_def* a, const br_limit_def* b)
{
    return a->patch == b->patch && a->fn == b->fn && a->method == b->method && a->n == b->n &&
           a->resolution == b->resolution;
}

br_limit* bri_made_find_surface(const node* at, const br_limit_def* def)
{
    const made_model* one = find(at, MADE_SURFACE, NULL);
    while (one && !is_same_surface(&one->surface_def, def)) {
        one = find(at, MADE_SURFACE, one);
    }
    return one ? one->surface : NULL;
}

static bool is_same_but_law(const br_contact_def* a, const br_contact_def* b)
{
    return a->method == b->method && a->patch == b->patch && a->resolution == b->resolution &&
           a->surface == b->surface && a->r == b->r && a->u == b->u && a->cop.x == b->cop.x &&
           a->cop.y == b->cop.y && a->guard == b->guard && a->plain == b->plain;
}

const br_contact* bri_made_find_contact(const node* at, const br_contact_def* def)
{
    const made_model* one = find(at, MADE_CONTACT, NULL);
    while (one && !is_same_but_law(&one->contact_def, def)) {
        one = find(at, MADE_CONTACT, one);
    }
    return one ? one->contact : NULL;
}
