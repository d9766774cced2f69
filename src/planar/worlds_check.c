/*
 * Check of all arrays of worlds: pointers, and the ranges of numbers.
 */
#include "planar/worlds_internal.h"

#include <float.h>
#include <stdio.h>

// A range of numbers; open: `min` itself is not allowed.
typedef struct range {
    double min, max;
    int open;
    const char* text;
} range;

static const range any_finite = {-1e300, 1e300, 0, "must be finite"};
static const range positive = {0.0, 1e300, 1, "must be > 0 and finite"};
static const range not_negative = {0.0, 1e300, 0, "must be >= 0 and finite"};
static const range below_one = {0.0, 1.0, 0, "must be >= 0 and < 1"};
static const range ratios = {BR_ANISOTROPY_MIN, BR_ANISOTROPY_MAX, 0, "must be in [1e-3, 1e3]"};

static int is_in(const range* r, double value)
{
    const int above = r->open ? value > r->min : value >= r->min;
    return above && (r == &below_one ? value < r->max : value <= r->max);
}

// What is checked.
typedef struct task {
    const br_worlds* w;
    const br_worlds_arrays* a;
    char prefix[32]; // "contacts[0]." or ""
    br_reason* why;
} task;

static br_status refuse(const task* t, const char* name, const char* text)
{
    char field[80];
    snprintf(field, sizeof field, "%s%s", t->prefix, name);
    br_reason_set(t->why, field, "%s", text);
    return BR_ERR_ARG;
}

// Whether all numbers of a row are surely in the range: without branches, so that it runs in vectors. A number next to an open
// end counts as outside, and is then checked by is_in().
static int row_is_in(const range* r, const br_worlds* w, const void* numbers, size_t first,
                     size_t count)
{
    const double low = r->open ? DBL_MIN : r->min, high = r == &below_one ? 0.5 : r->max;
    size_t inside = 0;
    if (w->def.type == BR_WORLDS_FLOAT) {
        const float* x = (const float*)numbers + first;
        for (size_t i = 0; i < count; i++) {
            inside += (size_t)((double)x[i] >= low) & (size_t)((double)x[i] <= high);
        }
    } else {
        const double* x = (const double*)numbers + first;
        for (size_t i = 0; i < count; i++) {
            inside += (size_t)(x[i] >= low) & (size_t)(x[i] <= high);
        }
    }
    return inside == count;
}

// Numbers of `rows` rows; NULL is allowed.
static br_status check_rows(const task* t, const char* name, const void* numbers, size_t rows,
                            const range* allowed)
{
    const size_t stride = worlds_stride(t->a);
    for (size_t k = 0; numbers && k < rows; k++) {
        if (row_is_in(allowed, t->w, numbers, k * stride, t->a->count)) {
            continue;
        }
        for (size_t i = 0; i < t->a->count; i++) {
            const double value = worlds_get(t->w, numbers, k * stride + i);
            if ((!t->a->mask || t->a->mask[i]) && !is_in(allowed, value)) {
                char field[80];
                snprintf(field, sizeof field, "%s%s[%zu]", t->prefix, name, k * stride + i);
                br_reason_set(t->why, field, "%s, got %g", allowed->text, value);
                return BR_ERR_ARG;
            }
        }
    }
    return BR_OK;
}

// Whether mu_s >= mu_c in all worlds, where arrays give both: in vectors, too.
static int static_is_larger(const br_worlds* w, const br_worlds_contact_arrays* own, size_t count)
{
    size_t inside = 0;
    for (size_t i = 0; i < count && w->def.type == BR_WORLDS_FLOAT; i++) {
        inside += ((const float*)own->mu_s)[i] >= ((const float*)own->mu_c)[i];
    }
    for (size_t i = 0; i < count && w->def.type == BR_WORLDS_DOUBLE; i++) {
        inside += ((const double*)own->mu_s)[i] >= ((const double*)own->mu_c)[i];
    }
    return inside == count;
}

// A friction that is smaller at rest than in motion is refused, where arrays give one of the two or both.
static br_status check_static(const task* t, size_t contact)
{
    const br_worlds_contact_arrays* own = &t->a->contacts[contact];
    if (own->mu_c && own->mu_s && static_is_larger(t->w, own, t->a->count)) {
        return BR_OK;
    }
    for (size_t i = 0; (own->mu_c || own->mu_s) && i < t->a->count; i++) {
        const br_law law = bri_worlds_law(t->w, t->a, contact, i);
        if ((!t->a->mask || t->a->mask[i]) && !(law.mu_s >= law.mu_c)) {
            char field[80];
            snprintf(field, sizeof field, "%smu_s[%zu]", t->prefix, i);
            br_reason_set(t->why, field, "must be >= mu_c, got %g and %g", law.mu_s, law.mu_c);
            return BR_ERR_ARG;
        }
    }
    return BR_OK;
}

static br_status check_parameters(const task* t, size_t contact)
{
    const br_worlds_contact_arrays* own = &t->a->contacts[contact];
    const struct {
        const char* name;
        const void* numbers;
        size_t rows;
        const range* allowed;
    } all[] = {{"fn", own->fn, own->fn_steps > 1 ? own->fn_steps : 1, &not_negative},
               {"position", own->position, 2, &any_finite},
               {"angle", own->angle, 1, &any_finite},
               {"scale", own->scale, 1, &positive},
               {"mu_c", own->mu_c, 1, &positive},
               {"mu_s", own->mu_s, 1, &positive},
               {"v_stribeck", own->v_stribeck, 1, &positive},
               {"sigma0", own->sigma0, 1, &positive},
               {"sigma1", own->sigma1, 1, &not_negative},
               {"sigma2", own->sigma2, 1, &not_negative},
               {"s_ba", own->s_ba, 1, &below_one},
               {"v_damping", own->v_damping, 1, &not_negative},
               {"ratio", own->ratio, 1, &ratios},
               {"ground", own->ground, 3, &any_finite}};
    br_status status = BR_OK;
    for (size_t k = 0; k < sizeof all / sizeof *all && status == BR_OK; k++) {
        status = check_rows(t, all[k].name, all[k].numbers, all[k].rows, all[k].allowed);
    }
    return status == BR_OK ? check_static(t, contact) : status;
}

static br_status check_contact(task* t, size_t contact, size_t steps)
{
    const br_worlds_contact_arrays* own = &t->a->contacts[contact];
    snprintf(t->prefix, sizeof t->prefix, "contacts[%zu].", contact);
    if (!own->z) {
        return refuse(t, "z", "must be set");
    }
    if (own->fn_steps > 1 && (own->fn_steps != steps || !own->fn)) {
        return refuse(t, "fn_steps", "must be 0, 1 or the number of steps, with fn set");
    }
    if (own->ratio && t->w->contacts[contact].contact->def.method != BR_METHOD_ELLIPSOID) {
        return refuse(t, "ratio",
                      "must be NULL: only worlds of the method ellipsoid have ratios of their own");
    }
    const br_status status =
        check_rows(t, "z", own->z, br_worlds_get_state_count(t->w, contact), &any_finite);
    return status == BR_OK ? check_parameters(t, contact) : status;
}

static br_status check_body(const task* t)
{
    const br_worlds_arrays* a = t->a;
    br_status status = check_rows(t, "pose", a->pose, 3, &any_finite);
    status = status == BR_OK ? check_rows(t, "twist", a->twist, 3, &any_finite) : status;
    status = status == BR_OK ? check_rows(t, "mass", a->mass, 1, &positive) : status;
    status = status == BR_OK ? check_rows(t, "inertia", a->inertia, 1, &positive) : status;
    const size_t loads = a->load_steps > 1 ? a->load_steps : 1;
    return status == BR_OK ? check_rows(t, "load", a->load, 3 * loads, &any_finite) : status;
}

br_status br_worlds_check(const br_worlds* w, const br_worlds_arrays* a, double h, size_t steps,
                          br_reason* why)
{
    BR_ASSERT(w && a);
    task t = {w, a, "", why};
    if (!(h > 0.0) || !isfinite(h)) {
        br_reason_set(why, "h", "must be > 0 and finite, got %g", h);
        return BR_ERR_ARG;
    }
    if (a->stride > 0 && a->stride < a->count) {
        return refuse(&t, "stride", "must be 0 or at least count");
    }
    if (!a->pose || !a->twist) {
        return refuse(&t, a->pose ? "twist" : "pose", "must be set");
    }
    if (a->load_steps > 1 && (a->load_steps != steps || !a->load)) {
        return refuse(&t, "load_steps", "must be 0, 1 or the number of steps, with load set");
    }
    br_status status = check_body(&t);
    for (size_t k = 0; k < w->def.contact_count && status == BR_OK; k++) {
        status = check_contact(&t, k, steps);
    }
    return status;
}
