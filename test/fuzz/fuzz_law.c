/* Laws, their tables and damping, modes and anisotropy of any numbers: check, eval, gradient, step. */
#include "fuzz.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

// Promises of any law that passes its check.
static void check(const br_law* law, double v, double fn)
{
    const double g = br_law_g(law, v), rounding = 1e-12 * law->mu_s;
    const double there = br_law_f_v(law, v, NULL), back = br_law_f_v(law, -v, NULL);
    const bool has_g = law->kind == BR_LAW_STRIBECK || law->kind >= BR_LAW_LUGRE;
    demand(is_same(there, -back));
    demand(!has_g || isnan(v) || (g >= law->mu_c - rounding && g <= law->mu_s + rounding));
    if (fn >= 0.0 && !br_law_has_state(law->kind)) {
        demand(br_law_holding(law, fn) >= 0.0);
    }
}

static void use(const br_law* law, input* in)
{
    double z = take_number(in), f_v;
    const double v = take_number(in), fn = take_number(in), h = take_number(in);
    br_law_eval(law, z, v, fn);
    br_law_gradient_eval(law, z, v, fn);
    br_law_sliding(law, v, v < 0.0 ? -1.0 : 1.0, fn, &f_v);
    br_law_f_v(law, v, &f_v);
    br_law_passivity_margin(law);
    check(law, v, fn);
    if (h > 0.0) {
        br_law_step(law, &z, v, fn, h);
    }
    // finite numbers of a checked law give no NaN, unless they overflow
    const bool is_small = fabs(v) < 1e3 && fabs(fn) < 1e6 && fabs(z) < 1.0 && h < 1.0 && h > 1e-9;
    if (is_small && law->sigma0 < 1e12 && isnan(z)) {
        abort();
    }
}

static void use_modes(const br_law* law, input* in)
{
    const br_mode_contact contact = br_mode_contact_from_law(
        law, take_number(in), 1, take_number(in), (br_vec2){take_number(in), take_number(in)});
    const br_modes modes = br_modes_eval(take_number(in), take_number(in), &contact, 1);
    br_law damped = *law;
    br_law_set_damping(&damped, br_law_damping_time(br_modes_get_mean(&modes)));
    br_law_set_damping(&damped, take_number(in));
}

// A table with any number of nodes. One that is accepted leaves a law that passes its check.
static void use_table(br_law law, input* in)
{
    enum { MOST = BR_CURVE_NODES + 2 };
    double v[MOST], g[MOST], f_v[MOST];
    br_curve curve;
    br_reason why;
    const size_t count = take_index(in, MOST + 1);
    const uint8_t which = take_byte(in);
    for (size_t i = 0; i < count; i++) {
        v[i] = 0.01 * (double)i;
        g[i] = 0.5;
        f_v[i] = 0.1 * (double)i;
        if (take_byte(in) > 128) {
            vary(in, &v[i]);
            vary(in, &g[i]);
            vary(in, &f_v[i]);
        }
    }
    const bool takes_one = law.kind == BR_LAW_STRIBECK || law.kind >= BR_LAW_LUGRE;
    if (br_law_set_curve(&law, &curve, count, v, which & 1 ? NULL : g, which & 2 ? f_v : NULL,
                         &why) != BR_OK) {
        demand(*why.text);
    } else if (takes_one) {
        demand(br_law_check(&law, &why) == BR_OK);
        use(&law, in);
    }
}

// Names of any number: none is read beyond a list.
static void use_names(input* in)
{
    static const int ends[] = {INT_MAX, INT_MIN, -1};
    const uint8_t which = take_byte(in);
    const int number = which < 250 ? which : ends[which % 3];
    const char* const names[] = {
        br_law_get_name((br_law_kind)number),
        br_axes_get_name((br_axes)number),
        br_shape_get_name((br_shape)number),
        br_interpolation_get_name((br_interpolation)number),
        br_engine_get_name((br_engine_kind)number),
        br_status_get_text((br_status)number),
        br_fit_law_kind_get_name((br_fit_law_kind)number),
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        demand(names[i] && *names[i]);
    }
    const char* const other[] = {
        br_event_get_name((br_event_kind)number), br_fit_law_get_parameter_name(number),
        br_fit_contact_get_parameter_name(number), br_fit_choice_get_name((br_fit_choice)number)};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        look_at(other[i] ? other[i][0] : 0.0);
    }
    const br_law_parameter* parameter = br_law_get_parameter((size_t)number);
    demand(!parameter || parameter->offset < sizeof(br_law));
    demand(br_fit_law_get_law((br_fit_law_kind)number) <= BR_LAW_ELASTO_PLASTIC);
    br_integrator_has((br_integrator_kind)number);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    input in = {data, size};
    br_law law = take_law(&in);
    br_anisotropy a = br_anisotropy_default();
    double matrix[2][2];
    br_reason why;
    if (br_law_check(&law, &why) == BR_OK) {
        use(&law, &in);
        use_modes(&law, &in);
        use_table(law, &in);
    }
    use_names(&in);
    br_law_from_mu(take_number(&in), take_number(&in), take_number(&in), take_number(&in));
    br_law_complete(&law, take_byte(&in), take_number(&in), take_number(&in));
    vary(&in, &a.ratio);
    vary(&in, &a.angle);
    a.axes = (br_axes)take_choice(&in, 2);
    if (br_anisotropy_check(&a, &why) == BR_OK) {
        br_anisotropy_get_matrix(&a, take_number(&in), matrix);
    }
    return 0;
}
