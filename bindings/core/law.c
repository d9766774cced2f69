/*
 * Friction laws at a point: bristle/law.h.
 */
#include "loop.h"

static double* parameter_of(br_law* law, size_t i)
{
    const br_law_parameter* parameter = br_law_get_parameter(i);
    return parameter ? (double*)(void*)((char*)law + parameter->offset) : NULL;
}

static void write_parameters(double* to, br_law law)
{
    const double* number;
    for (size_t i = 0; (number = parameter_of(&law, i)); i++) {
        to[i] = *number;
    }
}

MAKER(law_make)
{
    br_law law = {.kind = (br_law_kind)whole_of(from->numbers[0])};
    double* number;
    for (size_t i = 0; (number = parameter_of(&law, i)); i++) {
        *number = from->numbers[i + 1];
    }
    return make_copy(br_law_check(&law, why), &law, sizeof law, made);
}

LOOP(law_default)
{
    write_parameters(args[0], br_law_default((br_law_kind)whole_of(scalars[0])));
}

LOOP(law_complete)
{
    br_law law = *(const br_law*)object;
    const unsigned rule = (unsigned)whole_of(scalars[0]);
    const double r = scalars[1], mass = scalars[2], fn = scalars[3];
    br_law_complete(&law, rule, r, BR_LAW_DAMPING_TIME);

    // sigma0, which the frequency of a body depends on, is complete
    if (mass != 0.0) {
        br_law_complete(&law, rule, r, br_law_damping_time(sqrt(law.sigma0 * fn / mass)));
    }
    write_parameters(args[0], law);
}

LOOP(law_has_state)
{
    *args[0] = br_law_has_state(((const br_law*)object)->kind);
}

LOOP(law_passivity_margin)
{
    *args[0] = br_law_passivity_margin(object);
}

EACH(law_g)
{
    args[1][i] = br_law_g(object, args[0][i]);
}

EACH(law_eval)
{
    const br_law_value value = br_law_eval(object, args[0][i], args[1][i], args[2][i]);
    args[3][i] = value.f;
    args[4][i] = value.dz;
}

EACH(law_gradient)
{
    const br_law_gradient d = br_law_gradient_eval(object, args[0][i], args[1][i], args[2][i]);
    put_three(args[3], 2 * i, d.f_z, d.f_v, d.f_fn);
    put_three(args[3], 2 * i + 1, d.dz_z, d.dz_v, d.dz_fn);
}

EACH(law_step)
{
    args[3][i] = br_law_step(object, &args[0][i], args[1][i], args[2][i], scalars[0]);
}
