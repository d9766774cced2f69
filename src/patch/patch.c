/*
 * Patch object: defaults, creation with copies of the caller's arrays, destruction.
 */
#include "bristle/patch.h"

#include <string.h>

#include "base/definition.h"
#include "patch/mesh.h"
#include "patch/patch_internal.h"

static const double default_radius = 0.01; // [m]

br_by_force br_by_force_constant(double value)
{
    return (br_by_force){value, 0.0, HUGE_VAL};
}

double br_by_force_eval(br_by_force number, double fn)
{
    // exponent 0 is an exact, documented case: the force, even NaN, is without effect
    const double power = number.exponent == 0.0 ? 1.0 : pow(fn, number.exponent);
    const double value = number.coefficient * power;
    return value > number.max ? number.max : value; // not fmin, which would hide a NaN
}

br_patch_def br_patch_def_default(void)
{
    br_patch_def def = {0};
    def.size = sizeof def;
    def.shape = BR_SHAPE_DISC;
    def.radius = br_by_force_constant(default_radius);
    def.pressure = BR_PRESSURE_UNIFORM;
    def.k = br_by_force_constant(2.0);
    def.sampling = BR_SAMPLING_COVERED;
    def.ratio = 1.0;
    return def;
}

const char* br_shape_get_name(br_shape shape)
{
    switch (shape) {
#define SHAPE_CASE(value, name)                                                                    \
    case value:                                                                                    \
        return name;
        BR_SHAPE_LIST(SHAPE_CASE)
#undef SHAPE_CASE
    }
    return "unknown shape";
}

// A copy of an array, or NULL if there is no memory.
static void* copy_array(const void* array, size_t count, size_t bytes)
{
    void* copy = br_allocate(count, bytes);
    return copy ? memcpy(copy, array, count * bytes) : NULL;
}

// 0: no memory.
static int own_mesh(br_patch_def* def, const br_patch_def* given)
{
    uint32_t* triangles =
        copy_array(given->triangles, given->triangle_count, 3 * sizeof *given->triangles);
    def->triangles = triangles;
    def->vertices = copy_array(given->vertices, given->count, sizeof *given->vertices);
    def->pressures = copy_array(given->pressures, given->count, sizeof *given->pressures);
    if (!triangles || !def->vertices || !def->pressures) {
        return 0;
    }
    bri_mesh_orient(def, triangles);
    return 1;
}

// Replace the array that the shape uses by a copy, and set the others to NULL. 0: no memory.
static int own_arrays(br_patch_def* def)
{
    const br_patch_def given = *def;
    def->vertices = NULL;
    def->points = NULL;
    def->cells = NULL;
    def->pressures = NULL;
    def->triangles = NULL;
    switch (def->shape) {
    case BR_SHAPE_POLYGON:
        def->count = bri_polygon_open_count(given.vertices, given.count);
        def->vertices = copy_array(given.vertices, def->count, sizeof *given.vertices);
        return def->vertices != NULL;
    case BR_SHAPE_POINTS:
        def->points = copy_array(given.points, given.count, sizeof *given.points);
        return def->points != NULL;
    case BR_SHAPE_GRID:
        def->cells = copy_array(given.cells, given.columns * given.rows, sizeof *given.cells);
        return def->cells != NULL;
    case BR_SHAPE_TRIANGLES:
        return own_mesh(def, &given);
    default:
        return 1;
    }
}

// Are the numbers of a patch finite doubles? Extreme sizes overflow or underflow in their products.
static br_status check_value(br_shape shape, br_patch_value value, br_reason* why)
{
    const double sum = value.cop.x + value.cop.y + value.r + value.u + value.area;
    // r = 0 of a line: it underflows; of a disc: its pressure is that of a point
    if (value.r < PATCH_LEAST_LENGTH && (value.r > 0.0 || shape == BR_SHAPE_LINE)) {
        br_reason_set(why, "",
                      "is too small to compute with: r = %g m must be at least %g m, or 0 for a "
                      "point (shape: points)",
                      value.r, PATCH_LEAST_LENGTH);
        return BR_ERR_DEF;
    }
    if (isfinite(sum)) {
        return BR_OK;
    }
    br_reason_set(why, "",
                  "sizes or pressures are too large or too small to compute with: "
                  "r = %g m, area = %g m^2 must be finite",
                  value.r, value.area);
    return BR_ERR_DEF;
}

static br_status fill_patch(br_patch* patch, const br_patch_def* def, br_reason* why)
{
    patch->def = *def;
    if (!own_arrays(&patch->def)) {
        br_reason_set(why, "", "no memory for the arrays of a %s", br_shape_get_name(def->shape));
        return BR_ERR_MEMORY;
    }
    patch->unit = bri_patch_unit_value(&patch->def);
    return check_value(def->shape, patch->unit, why);
}

br_status bri_patch_create_checked(const br_patch_def* def, br_patch** out, br_reason* why)
{
    *out = NULL;
    br_patch* patch = br_allocate(1, sizeof *patch);
    if (!patch) {
        br_reason_set(why, "", "no memory for a patch");
        return BR_ERR_MEMORY;
    }
    const br_status status = fill_patch(patch, def, why);
    if (status != BR_OK) {
        br_patch_destroy(patch);
        return status;
    }
    *out = patch;
    return BR_OK;
}

br_status br_patch_create(const br_patch_def* given, br_patch** out, br_reason* why)
{
    BR_ASSERT(given && out);
    *out = NULL;
    br_patch_def def = br_patch_def_default();
    br_status status = DEFINITION_READ(br_patch_def, given, &def, why);
    status = status == BR_OK ? bri_patch_check(&def, why) : status;
    if (status == BR_OK && def.shape != BR_SHAPE_ELLIPSE) {
        def.ratio = 1.0; // only ellipses use these
        def.slope_angle = 0.0;
    }
    return status == BR_OK ? bri_patch_create_checked(&def, out, why) : status;
}

const br_patch* bri_patch_share(const br_patch* patch)
{
    if (patch) {
        owners_join(&((br_patch*)patch)->owners);
    }
    return patch;
}

void br_patch_destroy(br_patch* patch)
{
    if (!patch || !owners_leave(&patch->owners)) {
        return;
    }
    br_release((void*)patch->def.vertices);
    br_release((void*)patch->def.points);
    br_release((void*)patch->def.cells);
    br_release((void*)patch->def.pressures);
    br_release((void*)patch->def.triangles);
    br_release(patch);
}

const br_patch_def* br_patch_get_def(const br_patch* patch)
{
    BR_ASSERT(patch);
    return &patch->def;
}

bool br_patch_depends_on_force(const br_patch* patch)
{
    BR_ASSERT(patch);
    const br_patch_def* def = &patch->def;
    const int by_radius = patch_is_round(def) && def->radius.exponent > 0.0;
    const int by_k = def->pressure == BR_PRESSURE_POWER && def->k.exponent > 0.0;
    return by_radius || by_k;
}

double br_patch_get_full_force(const br_patch* patch)
{
    BR_ASSERT(patch);
    const br_by_force radius = patch->def.radius;
    if (!patch_is_round(&patch->def) || !(radius.exponent > 0.0)) {
        return 0.0;
    }
    return pow(radius.max / radius.coefficient, 1.0 / radius.exponent);
}

double bri_patch_table_force(const br_patch* patch)
{
    const double full = br_patch_get_full_force(patch);
    return full > 0.0 && isfinite(full) ? full : 1.0;
}
