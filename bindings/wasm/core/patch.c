/*
 * Contact patches: bristle/patch.h.
 */
#include "bristle/patch.h"

#include "glue.h"

// The numbers of a polygon (n x 2), of points (n x 3) or of a grid (rows x columns).
static void set_numbers(br_patch_def* def, const double* numbers, size_t rows, size_t columns)
{
    if (def->shape == BR_SHAPE_POLYGON) {
        def->count = rows;
        def->vertices = (const br_vec2*)(const void*)numbers;
    } else if (def->shape == BR_SHAPE_POINTS) {
        def->count = rows;
        def->points = (const br_support_point*)(const void*)numbers;
    } else if (def->shape == BR_SHAPE_GRID) {
        def->rows = rows;
        def->columns = columns;
        def->cells = numbers;
    }
}

// `n`: radius (coefficient, exponent, max), size (x, y), length, k (3), from, to, centre (x, y), angle
EXPORT(br_patch*, patch_make, int shape, const double* n, int pressure, int sampling,
       const double* numbers, size_t rows, size_t columns)
{
    br_patch_def def = br_patch_def_default();
    def.shape = (br_shape)shape;
    def.radius = (br_by_force){n[0], n[1], n[2]};
    def.size_x = n[3];
    def.size_y = n[4];
    def.length = n[5];
    def.pressure = (br_pressure_kind)pressure;
    def.k = (br_by_force){n[6], n[7], n[8]};
    def.from = n[9];
    def.to = n[10];
    def.sampling = (br_sampling)sampling;
    def.centre = (br_vec2){n[11], n[12]};
    def.angle = n[13];
    set_numbers(&def, numbers, rows, columns);

    br_patch* patch;
    br_reason why = {"", ""};
    const br_status status = br_patch_create(&def, &patch, &why);
    return status == BR_OK ? patch : fail(status, &why);
}

EXPORT(void, patch_destroy, br_patch* patch)
{
    br_patch_destroy(patch);
}

EXPORT(int, patch_depends_on_force, const br_patch* patch)
{
    return br_patch_depends_on_force(patch);
}

EXPORT(void, patch_eval, const br_patch* patch, size_t count, const double* fn, double* cop,
       double* r, double* u, double* area)
{
    for (size_t i = 0; i < count; i++) {
        const br_patch_value value = br_patch_eval(patch, fn[i]);
        cop[2 * i] = value.cop.x;
        cop[2 * i + 1] = value.cop.y;
        r[i] = value.r;
        u[i] = value.u;
        area[i] = value.area;
    }
}
