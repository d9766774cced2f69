/* Patches, cells, outlines, fields and Hertzian contacts of any numbers. */
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>

// Cells share the force, and each block of them has at least one.
static void use_cells(const br_cells* cells, input* in)
{
    size_t *block = calloc(cells->count, sizeof *block), count = 0;
    double sum = 0.0;
    br_reason why;
    for (size_t i = 0; i < cells->count; i++) {
        sum += cells->weight[i];
        demand(cells->weight[i] > 0.0 || isnan(cells->weight[i]));
    }
    demand(isnan(sum) || fabs(sum - 1.0) < 1e-9);
    br_cells_eval(cells);
    if (br_cells_cut(cells, 1 + take_byte(in), block, &count, &why) == BR_OK) {
        bool* has = calloc(count + 1, sizeof *has);
        for (size_t i = 0; i < cells->count; i++) {
            demand(block[i] < count);
            has[block[i]] = true;
        }
        for (size_t i = 0; i < count; i++) {
            demand(has[i]);
        }
        free(has);
    }
    free(block);
}

static void use_outline(const br_outline* outline, input* in)
{
    size_t count;
    const br_vec2* vertices = br_outline_get_vertices(outline, &count);
    br_outline_eval(outline, (br_vec2){take_number(in), take_number(in)});
    for (size_t i = 0; i < count; i++) {
        br_outline_eval(outline, vertices[i]);
    }
    look_at(br_outline_get_area(outline) + br_outline_get_radius(outline) +
            br_outline_get_centre(outline).x);
}

static void use_patch(const br_patch* patch, input* in)
{
    br_cells* cells = NULL;
    br_outline* outline = NULL;
    br_reason why;
    const double fn = take_number(in);
    const br_patch_def* def = br_patch_get_def(patch);
    br_patch_eval(patch, fn);
    br_patch_get_full_force(patch);
    br_patch_depends_on_force(patch);
    br_by_force_eval(def->radius, fn);
    if (br_cells_create(patch, fn, take_index(in, 8), &cells, &why) == BR_OK) {
        use_cells(cells, in);
        br_cells_destroy(cells);
    }
    if (br_outline_create(patch, fn, take_byte(in) & 1, &outline, &why) == BR_OK) {
        use_outline(outline, in);
        br_outline_destroy(outline);
    }
}

static void use_field(input* in)
{
    double factors[9];
    br_field_def def = br_field_def_default();
    br_field* field = NULL;
    br_reason why;
    take_numbers(in, factors, 9);
    def.factors = factors;
    def.columns = take_index(in, 4);
    def.rows = take_index(in, 4);
    def.size_x = take_number(in);
    def.size_y = take_number(in);
    def.outside = take_number(in);
    vary(in, &def.centre.x);
    vary(in, &def.angle);
    def.interpolation = (br_interpolation)take_choice(in, 2);
    if (br_field_create(&def, &field, &why) == BR_OK) {
        br_field_eval(field, (br_vec2){take_number(in), take_number(in)});
        br_field_destroy(field);
    }
}

static void use_hertz(input* in)
{
    br_hertz_def def = br_hertz_def_default();
    br_hertz_value value;
    br_patch_def shape;
    br_reason why;
    double* const numbers[] = {&def.radius_x, &def.radius_y,     &def.ground_x,
                               &def.ground_y, &def.ground_angle, &def.modulus};
    for (size_t i = 0; i < 6; i++) {
        vary(in, numbers[i]);
    }
    if (take_byte(in) & 1) {
        def.modulus =
            br_hertz_modulus(take_number(in), take_number(in), take_number(in), take_number(in));
    }
    br_hertz_eval(&def, take_number(in), &value, &why);
    br_hertz_patch(&def, take_number(in), &shape, &why);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    input in = {data, size};
    const uint8_t which = take_byte(&in);
    if (which % 4 == 0) {
        use_field(&in);
    } else if (which % 4 == 1) {
        use_hertz(&in);
    } else {
        br_patch* patch = take_patch(&in);
        if (patch) {
            use_patch(patch, &in);
        }
        br_patch_destroy(patch);
    }
    return 0;
}
