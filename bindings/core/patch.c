/*
 * Contact patches: bristle/patch.h.
 */
#include "loop.h"

// The numbers of a polygon (n x 2), of points (n x 3) or of a grid (rows x columns); other shapes have none.
static br_status set_numbers(br_patch_def* def, const binding_parts* from, br_reason* why)
{
    const int is_polygon = def->shape == BR_SHAPE_POLYGON,
              is_points = def->shape == BR_SHAPE_POINTS;
    const char* expected = is_polygon ? "of shape (n, 2)" : is_points ? "of shape (n, 3)" : "None";
    const size_t columns = is_polygon ? 2 : is_points ? 3 : from->columns;
    if (columns != from->columns || !(is_polygon || is_points || def->shape == BR_SHAPE_GRID)) {
        br_reason_set(why, "numbers", "must be %s, got an array of float64 of shape (%zu, %zu)",
                      expected, from->rows, from->columns);
        return BR_ERR_ARG;
    }
    def->count = def->rows = from->rows;
    def->columns = columns;
    def->vertices = (const void*)from->table; // each shape reads its own
    def->points = (const void*)from->table;
    def->cells = from->table;
    return BR_OK;
}

MAKER(patch_make)
{
    const double* n = from->numbers;
    br_patch_def def = br_patch_def_default();
    def.shape = (br_shape)whole_of(n[0]);
    def.radius = (br_by_force){n[1], n[2], n[3]};
    def.size_x = n[4];
    def.size_y = n[5];
    def.length = n[6];
    def.pressure = (br_pressure_kind)whole_of(n[7]);
    def.k = (br_by_force){n[8], n[9], n[10]};
    def.from = n[11];
    def.to = n[12];
    def.sampling = (br_sampling)whole_of(n[13]);
    def.centre = (br_vec2){n[14], n[15]};
    def.angle = n[16];
    const br_status status = from->table ? set_numbers(&def, from, why) : BR_OK;
    return status == BR_OK ? br_patch_create(&def, (br_patch**)made, why) : status;
}

LOOP(patch_depends_on_force)
{
    *args[0] = br_patch_depends_on_force(object);
}

EACH(patch_eval)
{
    const br_patch_value value = br_patch_eval(object, args[0][i]);
    put_vec2(args[1], i, value.cop);
    args[2][i] = value.r;
    args[3][i] = value.u;
    args[4][i] = value.area;
}
