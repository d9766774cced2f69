/* Laws, modes and anisotropy of any numbers: check, eval, gradient, step. */
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>

static void use(const br_law* law, input* in)
{
    double z = take_number(in), f_v;
    const double v = take_number(in), fn = take_number(in), h = take_number(in);
    br_law_eval(law, z, v, fn);
    br_law_gradient_eval(law, z, v, fn);
    br_law_g(law, v);
    br_law_sliding(law, v, v < 0.0 ? -1.0 : 1.0, fn, &f_v);
    br_law_passivity_margin(law);
    if (h > 0.0) {
        br_law_step(law, &z, v, fn, h);
    }
    // finite numbers of a checked law give no NaN, unless they overflow
    const bool is_small = fabs(v) < 1e3 && fabs(fn) < 1e6 && fabs(z) < 1.0 && h < 1.0 && h > 1e-9;
    if (is_small && law->sigma0 < 1e12 && isnan(z)) {
        abort();
    }
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
        const br_mode_contact contact =
            br_mode_contact_from_law(&law, take_number(&in), 1, take_number(&in),
                                     (br_vec2){take_number(&in), take_number(&in)});
        br_modes_eval(take_number(&in), take_number(&in), &contact, 1);
    }
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
