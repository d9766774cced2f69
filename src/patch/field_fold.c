/*
 * A field of friction folded into a patch: its pressure is p f, over cells, for limit surfaces of mu p.
 */
#include "patch/field.h"

#include <string.h>

// Cells across; grids and points have their own.
enum { ACROSS = 60 };

// A smaller sum of weights is that of BR_CELLS_IDLE.
static const double no_friction = 1e-100;

// Cells without an area as points; returns how many have friction.
static size_t list_points(const br_cells* cells, const double* weight, br_support_point* to)
{
    size_t count = 0;
    for (size_t i = 0; i < cells->count; i++) {
        if (weight[i] > no_friction) {
            to[count++] = (br_support_point){cells->x[i], cells->y[i], weight[i]};
        }
    }
    return count;
}

static void fill_grid(const br_cells* cells, const double* weight, double* to)
{
    for (size_t i = 0; i < cells->count; i++) {
        to[cells->row[i] * cells->columns + cells->column[i]] =
            weight[i] > no_friction ? weight[i] : 0.0;
    }
}

// The definition of the folded patch; `memory` has its arrays.
static br_patch_def folded_def(const br_patch_def* of, const br_cells* cells, const double* weight,
                               void* memory)
{
    br_patch_def def = br_patch_def_default();
    def.centre = of->centre;
    def.angle = of->angle;
    if (!(cells->half_x > 0.0 && cells->half_y > 0.0)) {
        def.shape = BR_SHAPE_POINTS;
        def.points = memory;
        def.count = list_points(cells, weight, memory);
        return def;
    }
    const br_vec2 middle = {cells->corner.x + ((double)cells->columns - 1.0) * cells->half_x,
                            cells->corner.y - ((double)cells->rows - 1.0) * cells->half_y};
    def.shape = BR_SHAPE_GRID;
    def.columns = cells->columns;
    def.rows = cells->rows;
    def.size_x = 2.0 * cells->half_x * (double)cells->columns;
    def.size_y = 2.0 * cells->half_y * (double)cells->rows;
    def.centre = br_pose_apply((br_pose){of->centre.x, of->centre.y, of->angle}, middle);
    def.cells = memory;
    fill_grid(cells, weight, memory);
    return def;
}

static double sum_of(const double* weight, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += weight[i];
    }
    return sum;
}

static br_status fold(const br_field* field, const br_patch* patch, const br_cells* cells,
                      double* weight, br_patch** out, double* factor, br_reason* why)
{
    const br_patch_def* of = br_patch_get_def(patch);
    const double uniform = bri_field_weigh(field, (br_pose){of->centre.x, of->centre.y, of->angle},
                                           cells, bri_field_box(cells), weight);
    if (!isnan(uniform)) {
        *factor = uniform;
        *out = (br_patch*)bri_patch_share(patch);
        return BR_OK;
    }
    *factor = sum_of(weight, cells->count);
    if (*factor < no_friction) {
        *factor = 0.0;
        *out = (br_patch*)bri_patch_share(patch);
        return BR_OK;
    }
    void* memory =
        br_allocate(cells->count + cells->columns * cells->rows, sizeof(br_support_point));
    if (!memory) {
        br_reason_set(why, "field", "no memory for %zu cells", cells->count);
        return BR_ERR_MEMORY;
    }
    const br_patch_def def = folded_def(of, cells, weight, memory);
    const br_status status = br_patch_create(&def, out, why);
    br_release(memory);
    return status;
}

br_status bri_field_fold(const br_field* field, const br_patch* patch, br_patch** out,
                         double* factor, br_reason* why)
{
    br_cells* cells;
    *out = NULL;
    br_status status = br_cells_create(patch, 1.0, ACROSS, &cells, why);
    if (status != BR_OK) {
        return status;
    }
    double* weight = br_allocate(cells->count, sizeof *weight);
    if (weight) {
        status = fold(field, patch, cells, weight, out, factor, why);
    } else {
        br_reason_set(why, "field", "no memory for %zu cells", cells->count);
        status = BR_ERR_MEMORY;
    }
    br_release(weight);
    br_cells_destroy(cells);
    return status;
}
