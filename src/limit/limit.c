/*
 * Limit surface object: checks of the definition, creation, dispatch to the method.
 */
#include "base/definition.h"
#include "base/status.h"
#include "limit/limit_internal.h"
#include "limit/methods.h"
#include "patch/patch_internal.h"

static const size_t default_n = 20, min_n = 2, max_n = 512;
static const size_t default_resolution = 21, max_resolution = 4096;

br_limit_def br_limit_def_default(void)
{
    br_limit_def def = {0};
    def.size = sizeof def;
    def.fn = 1.0;
    def.method = BR_LIMIT_EXACT;
    def.n = default_n;
    def.resolution = default_resolution;
    def.anisotropy = br_anisotropy_default();
    return def;
}

static br_limit_value eval_exact(const br_limit* surface, br_twist v)
{
    return bri_exact_eval(surface->exact, v, NULL);
}

static void jacobian_exact(const br_limit* surface, br_twist v, double jacobian[3][3])
{
    bri_exact_eval(surface->exact, v, jacobian);
}

// The functions of a method; NULL if the number is not a br_limit_method.
static const limit_method* find_method(br_limit_method method)
{
    static const limit_method exact_method = {.eval = eval_exact, .jacobian = jacobian_exact};
    switch (method) {
    case BR_LIMIT_EXACT:
        return &exact_method;
    case BR_LIMIT_SMOOTH:
        return &bri_limit_smooth;
    case BR_LIMIT_BILINEAR:
        return &bri_limit_bilinear;
    case BR_LIMIT_GRID:
        return &bri_limit_grid;
    case BR_LIMIT_PUBLISHED:
        return &bri_limit_published;
    case BR_LIMIT_ELLIPSOID:
        return &bri_limit_ellipsoid;
    case BR_LIMIT_FITTED:
        return &bri_limit_fitted;
    case BR_LIMIT_CURVE:
        return &bri_limit_curve;
    }
    return NULL;
}

br_limit bri_limit_as_exact(const br_limit* surface)
{
    br_limit as_exact = *surface;
    as_exact.def.method = BR_LIMIT_EXACT;
    as_exact.method = find_method(BR_LIMIT_EXACT);
    as_exact.value =
        br_patch_eval(surface->def.patch, surface->def.fn); // a method may have changed it
    as_exact.data = NULL;
    as_exact.owners = NULL;
    return as_exact;
}

static br_status check_anisotropy(const br_anisotropy* a, br_reason* why)
{
    const br_status status = br_anisotropy_check(a, why);
    if (status == BR_OK && a->ratio != 1.0 && a->axes == BR_AXES_GROUND) {
        br_reason_set(
            why, "anisotropy.axes",
            "must be body: a limit surface is that of one angle over the ground; give the "
            "angle of the axes there");
        return BR_ERR_DEF;
    }
    return status;
}

// Check a definition.
static br_status check(const br_limit_def* def, br_reason* why)
{
    if (!def->patch) {
        br_reason_set(why, "patch", "must be set");
        return BR_ERR_DEF;
    }
    if (!(def->fn >= 0.0) || isinf(def->fn)) {
        br_reason_set(why, "fn", "must be >= 0 and finite, got %g", def->fn);
        return BR_ERR_DEF;
    }
    if (def->n < min_n || def->n > max_n) {
        br_reason_set(why, "n", "must be %zu..%zu, got %zu", min_n, max_n, def->n);
        return BR_ERR_DEF;
    }
    if (def->resolution < 1 || def->resolution > max_resolution) {
        br_reason_set(why, "resolution", "must be 1..%zu, got %zu", max_resolution,
                      def->resolution);
        return BR_ERR_DEF;
    }
    if (!find_method(def->method)) {
        br_reason_set(why, "method", "must be a br_limit_method, got %d", (int)def->method);
        return BR_ERR_DEF;
    }
    return check_anisotropy(&def->anisotropy, why);
}

static br_status fill(br_limit* surface, const br_limit_def* def, br_reason* why)
{
    surface->def = *def;
    surface->def.patch = bri_patch_share(def->patch);
    if (def->anisotropy.ratio != 1.0) {
        surface->method = &bri_limit_stretched;
        return surface->method->create(surface, why);
    }
    surface->value = br_patch_eval(def->patch, def->fn);
    surface->method = find_method(def->method);
    const br_status status = bri_exact_create(def->patch, def->fn, &surface->exact, why);
    if (status != BR_OK || !surface->method->create) {
        return status;
    }
    return surface->method->create(surface, why);
}

// A surface and the count of its owners, which copies of the surface do not have.
typedef struct created_limit {
    br_limit surface;
    owners owners;
} created_limit;

br_status br_limit_create(const br_limit_def* given, br_limit** out, br_reason* why)
{
    BR_ASSERT(given && out);
    *out = NULL;
    br_limit_def def = br_limit_def_default();
    br_status status = DEFINITION_READ(br_limit_def, given, &def, why);
    status = status == BR_OK ? check(&def, why) : status;
    if (status != BR_OK) {
        return status;
    }
    created_limit* created = br_allocate(1, sizeof *created);
    if (!created) {
        br_reason_set(why, "", "no memory for a limit surface");
        return BR_ERR_MEMORY;
    }
    br_limit* surface = &created->surface;
    surface->owners = &created->owners;
    status = status_of_definition(fill(surface, &def, why));
    if (status != BR_OK) {
        br_limit_destroy(surface);
        return status;
    }
    *out = surface;
    return BR_OK;
}

void br_limit_destroy(br_limit* surface)
{
    if (!surface || !owners_leave(surface->owners)) {
        return;
    }
    if (surface->data) {
        (surface->method->destroy ? surface->method->destroy : br_release)(surface->data);
    }
    bri_exact_destroy(surface->exact);
    br_patch_destroy((br_patch*)surface->def.patch);
    br_release(surface);
}

const br_limit* bri_limit_share(const br_limit* surface)
{
    if (surface->owners) {
        owners_join(surface->owners);
    }
    return surface;
}

void bri_limit_leave(const br_limit* surface)
{
    if (surface && surface->owners) {
        br_limit_destroy((br_limit*)surface);
    }
}

bool br_limit_depends_on_force(const br_limit* surface)
{
    BR_ASSERT(surface);
    return br_patch_depends_on_force(surface->def.patch);
}

int bri_limit_changes_form(const br_limit* surface)
{
    const br_patch_def* def = br_patch_get_def(surface->def.patch);
    return def->pressure == BR_PRESSURE_POWER && def->k.exponent > 0.0;
}

void bri_limit_follow(br_limit* surface, double fn)
{
    if (fn == surface->def.fn || !br_limit_depends_on_force(surface)) {
        return;
    }
    surface->def.fn = fn;
    if (surface->exact) {
        surface->value = br_patch_eval(surface->def.patch, fn);
        bri_exact_at_force(surface->exact, surface->def.patch, fn);
    }
    if (surface->method->update) {
        surface->method->update(surface);
    }
}

// Layout of the caller's memory: a private copy of a surface, and which surface it was copied from.
typedef struct limit_copy {
    const br_limit* of; // NULL: the memory is still empty
    br_limit surface;
} limit_copy;

// What the copy `own` (NULL: only count) of a surface does not share with it.
static void copy_data(const br_limit* surface, br_limit* own, arena* to)
{
    exact* own_exact = surface->exact ? bri_exact_copy(surface->exact, to) : NULL;
    void* data = surface->method->copy ? surface->method->copy(surface->data, to) : surface->data;
    if (own) {
        *own = *surface;
        own->exact = own_exact;
        own->data = data;
        own->owners = NULL;
    }
}

br_limit* bri_limit_copy(const br_limit* surface, arena* to)
{
    br_limit* own = arena_take(to, sizeof *own);
    copy_data(surface, own, to);
    return own;
}

static void copy_surface(const br_limit* surface, arena* to)
{
    limit_copy* own = arena_take(to, sizeof *own);
    copy_data(surface, own ? &own->surface : NULL, to);
    if (own) {
        own->of = surface;
    }
}

size_t br_limit_get_at_force_size(const br_limit* surface)
{
    BR_ASSERT(surface);
    arena count = {NULL, 0};
    if (br_limit_depends_on_force(surface)) {
        copy_surface(surface, &count);
    }
    return count.used;
}

const br_limit* br_limit_at_force(const br_limit* surface, double fn, void* memory)
{
    BR_ASSERT(surface);
    if (!br_limit_depends_on_force(surface)) {
        return surface;
    }
    BR_ASSERT(memory);
    limit_copy* own = memory;
    if (own->of != surface) {
        copy_surface(surface, &(arena){memory, 0});
    }
    bri_limit_follow(&own->surface, fn);
    return &own->surface;
}

br_patch_value br_limit_get_patch_value(const br_limit* surface)
{
    BR_ASSERT(surface);
    return surface->value;
}

// A twist that is not finite gives NaN here, so the methods need not check for it.
static int is_finite(br_twist v)
{
    return isfinite(v.vx) && isfinite(v.vy) && isfinite(v.w);
}

// v = 0 is an exact, documented case.
static int is_zero(br_twist v)
{
    return v.vx == 0.0 && v.vy == 0.0 && v.w == 0.0;
}

br_limit_value br_limit_eval(const br_limit* surface, br_twist v)
{
    BR_ASSERT(surface);
    if (!is_finite(v)) {
        return (br_limit_value){(double)NAN, {(double)NAN, (double)NAN, (double)NAN}, 0};
    }
    if (is_zero(v)) {
        return (br_limit_value){0.0, {0.0, 0.0, 0.0}, 1};
    }
    return surface->method->eval(surface, v);
}

void br_limit_jacobian_eval(const br_limit* surface, br_twist v, double jacobian[3][3])
{
    BR_ASSERT(surface);
    if (is_finite(v) && !is_zero(v)) {
        surface->method->jacobian(surface, v, jacobian);
        return;
    }
    for (int i = 0; i < 9; i++) {
        jacobian[i / 3][i % 3] = is_finite(v) ? 0.0 : (double)NAN;
    }
}
