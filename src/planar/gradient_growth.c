/*
 * How a contact whose patch follows the normal force changes with it: differences of the contact at two forces nearby.
 *
 * Cells are integrated by the same rule at both, so that errors of rules do not appear in the difference. What remains is the error of a central
 * difference, s^2 of the slope's own curvature, and rounding, 1e-16/s, s the step over the force: both are below 1e-9 at s = 1e-5.
 */
#include "planar/gradient_internal.h"

#include "limit/limit_internal.h"
#include "patch/patch_internal.h"

static const double step = 1e-5; // over the force

// Arrays of the parts that depend on the force, and where they are.
enum { ARRAYS = 8 };
static void point_arrays(kernel_bundles* b, double** out[ARRAYS])
{
    double** const all[ARRAYS] = {&b->x,    &b->y,  &b->weight, &b->t,
                                  &b->turn, &b->xx, &b->xy,     &b->yy};
    memcpy(out, all, sizeof all);
}

static size_t arrays_of(const br_contact* c)
{
    return contact_is_reduced(c) ? 0 : c->size == 3 ? ARRAYS : 3;
}

// Does the patch depend on the force? A contact may also depend on its pose alone.
static int grows(const br_contact* c)
{
    return c->growth ? c->growth->mesh == NULL : bri_reduced_at_force_size(c) > 0;
}

// Blocks of memory start where any number may.
static size_t rounded(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

size_t br_contact_slopes_get_size(const br_contact* c)
{
    BR_ASSERT(c);
    const size_t arrays = arrays_of(c) * c->parts.count * sizeof(double);
    return grows(c) ? rounded(sizeof(br_contact_slopes)) + 2 * rounded(c->spread_size) + arrays : 0;
}

static const br_patch_def* patch_of(const br_contact* c)
{
    return c->growth    ? &c->growth->def
           : c->surface ? br_patch_get_def(c->surface->def.patch)
                        : br_patch_get_def(c->shape);
}

// Does a number reach its maximum between two forces?
static int stops(br_by_force number, double less, double more)
{
    return (br_by_force_eval(number, more) == number.max) !=
           (br_by_force_eval(number, less) == number.max);
}

// Slopes of the parts, into memory.
static void fill_parts(br_contact_slopes* s, double* to)
{
    kernel_bundles more = s->more->parts, less = s->less->parts;
    double **at[ARRAYS], **plus[ARRAYS], **minus[ARRAYS];
    point_arrays(&s->parts, at);
    point_arrays(&more, plus);
    point_arrays(&less, minus);
    for (size_t k = 0; k < arrays_of(s->more); k++, to += more.count) {
        *at[k] = to;
        for (size_t i = 0; i < more.count; i++) {
            to[i] = s->per * ((*plus[k])[i] - (*minus[k])[i]);
        }
    }
}

const br_contact_slopes* br_contact_slopes_at(const br_contact* c, double fn, br_pose pose,
                                              void* memory)
{
    BR_ASSERT(c && (memory || br_contact_slopes_get_size(c) == 0));
    if (br_contact_slopes_get_size(c) == 0 || !(fn > 0.0)) {
        return NULL;
    }
    br_contact_slopes* s = memory;
    char* at = (char*)memory + rounded(sizeof *s);
    const double more = fn * (1.0 + step), less = fn * (1.0 - step);
    const br_patch_def* patch = patch_of(c);
    *s = (br_contact_slopes){
        .more = bri_contact_near(c, more, fn, pose, at),
        .per = 1.0 / (more - less),
        .kink = stops(patch->radius, less, more) ||
                (patch->pressure == BR_PRESSURE_POWER && stops(patch->k, less, more))};
    at += rounded(c->spread_size);
    s->less = bri_contact_near(c, less, fn, pose, at);
    fill_parts(s, (double*)(at + rounded(c->spread_size)));
    const br_patch_value *a = &s->more->value, *b = &s->less->value;
    s->value = (br_patch_value){.cop = br_vec2_scale(s->per, br_vec2_sub(a->cop, b->cop)),
                                .r = s->per * (a->r - b->r),
                                .u = s->per * (a->u - b->u)};
    return s;
}

br_patch_value br_contact_slopes_get_patch_value(const br_contact_slopes* slopes)
{
    BR_ASSERT(slopes);
    return slopes->value;
}
