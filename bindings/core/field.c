/*
 * Fields of mu: bristle/field.h.
 */
#include "loop.h"

#include "bristle/field.h"

MAKER(field_make)
{
    const double* n = from->numbers;
    br_field_def def = br_field_def_default();
    def.size_x = n[0];
    def.size_y = n[1];
    def.centre = (br_vec2){n[2], n[3]};
    def.angle = n[4];
    def.interpolation = (br_interpolation)whole_of(n[5]);
    def.outside = n[6];
    def.rows = from->rows;
    def.columns = from->columns;
    def.factors = from->table;
    return br_field_create(&def, (br_field**)made, why);
}

EACH(field_eval)
{
    args[1][i] = br_field_eval(object, (br_vec2){args[0][2 * i], args[0][2 * i + 1]});
}
