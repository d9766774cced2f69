/*
 * Limit surfaces: bristle/limit.h.
 */
#include "loop.h"

#include <string.h>

#include "bristle/limit.h"

MAKER(limit_make)
{
    br_limit_def def = br_limit_def_default();
    def.fn = from->numbers[0];
    def.method = (br_limit_method)whole_of(from->numbers[1]);
    def.n = whole_of(from->numbers[2]);
    def.resolution = whole_of(from->numbers[3]);
    def.anisotropy = (br_anisotropy){from->numbers[4], from->numbers[5], BR_AXES_BODY};
    def.patch = from->objects[0];
    const br_status status = br_limit_create(&def, (br_limit**)made, why);
    if (status != BR_OK && strcmp(why->field, "n") == 0) { // its name is `nodes` in both languages
        const br_reason of_n = *why;
        br_reason_set(why, "nodes", "%s", of_n.text);
    }
    return status;
}

LOOP(limit_value)
{
    const br_patch_value value = br_limit_get_patch_value(object);
    put_vec2(args[0], 0, value.cop);
    *args[1] = value.r;
    put_vec2(args[2], 0, br_limit_get_spin_centre(object, args[3]));
}

LOOP(limit_error)
{
    const br_limit_error error = br_limit_get_error(object);
    *args[0] = error.max;
    *args[1] = error.rms;
    *args[2] = error.max_angle;
    *args[3] = error.max_size;
}

EACH(limit_wrench)
{
    put_wrench(args[1], i, br_limit_eval(object, twist_at(args[0], i)).wrench);
}

EACH(limit_dissipation)
{
    args[1][i] = br_limit_eval(object, twist_at(args[0], i)).dissipation;
}

EACH(limit_jacobian)
{
    br_limit_jacobian_eval(object, twist_at(args[0], i), (double(*)[3])(void*)(args[1] + 9 * i));
}

EACH(limit_gauge)
{
    args[1][i] = br_limit_gauge(object, wrench_at(args[0], i), NULL);
}

EACH(limit_twist)
{
    br_twist v;
    br_limit_gauge(object, wrench_at(args[0], i), &v);
    put_twist(args[1], i, v);
}
