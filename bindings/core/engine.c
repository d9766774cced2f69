/*
 * Friction parameters for physics engines: bristle/engine.h.
 */
#include "bristle/engine.h"

#include "loop.h"

MAKER(engine_make)
{
    const double* n = from->numbers;
    br_engine_def def = br_engine_def_default((br_engine_kind)whole_of(n[0]));
    def.patch = from->objects[0];
    def.mu = n[1];
    def.fn = n[2];
    def.flat = n[3] < 0.0 ? def.flat : (int)n[3]; // below 0: the engine's default
    def.faces = whole_of(n[4]);
    return br_engine_create(&def, (br_engine**)made, why);
}

LOOP(engine_form)
{
    *args[0] = (double)br_engine_get_form(object);
}

LOOP(engine_error)
{
    const br_engine_error error = br_engine_get_error(object);
    *args[0] = error.max;
    *args[1] = error.mean;
    *args[2] = error.slide_max;
    *args[3] = error.slide_mean;
}

EACH(engine_wrench)
{
    put_wrench(args[1], i, br_engine_eval(object, twist_at(args[0], i)).wrench);
}

EACH(engine_gauge)
{
    args[1][i] = br_engine_gauge(object, wrench_at(args[0], i));
}
