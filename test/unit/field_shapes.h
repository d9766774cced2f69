/*
 * Fields that their tests share, and contacts on them.
 */
#ifndef BRISTLE_TEST_FIELD_SHAPES_H
#define BRISTLE_TEST_FIELD_SHAPES_H

#include "bristle/contact.h"

#include <string.h>

#include "check.h"
#include "growth_shapes.h"

static inline br_field* make_field(br_field_def def)
{
    br_reason why = {"", ""};
    br_field* field = NULL;
    if (br_field_create(&def, &field, &why) != BR_OK) {
        fail_msg("field refused: %s: %s", why.field, why.text);
    }
    return field;
}

// Two floors: `left` for x < 0 and `right` for x > 0, turned by an angle.
static inline br_field* make_floors(double left, double right, double angle)
{
    const double factors[2] = {left, right};
    br_field_def def = br_field_def_default();
    def.columns = 2;
    def.rows = 1;
    def.factors = factors;
    def.size_x = def.size_y = 1.0;
    def.angle = angle;
    return make_field(def);
}

// A grid of 3 x 4 different factors, 0 among them, smaller than the patches below and placed aside.
static inline br_field_def motley_def(br_interpolation interpolation)
{
    static const double factors[12] = {1.0, 0.2, 0.7, 0.0, 0.4, 1.5, 0.0, 0.3, 0.9, 0.1, 0.6, 1.2};
    br_field_def def = br_field_def_default();
    def.columns = 4;
    def.rows = 3;
    def.factors = factors;
    def.size_x = 0.12;
    def.size_y = 0.06;
    def.centre = (br_vec2){0.01, -0.02};
    def.angle = 0.3;
    def.interpolation = interpolation;
    return def;
}

static inline br_contact* make_on_field(const br_patch* patch, br_method method, size_t resolution,
                                        const br_field* field, int moves)
{
    br_contact_def def = br_contact_def_default();
    def.method = method;
    def.patch = patch;
    def.resolution = resolution;
    def.field = field;
    def.field_moves = moves != 0;
    return make_contact(def);
}

#endif
