/* Sliders and quasi-static pushes of any numbers: check, eval, step, derivatives. */
#include "fuzz.h"

#include "bristle/papers.h"

static void slide(input* in)
{
    br_slider s = br_slider_default();
    double* const numbers[] = {&s.mass, &s.inertia, &s.height, &s.mu,
                               &s.e_t,  &s.e_o,     &s.e_r,    &s.gravity};
    br_reason why;
    for (size_t i = 0; i < 8; i++) {
        vary(in, numbers[i]);
    }
    if (br_slider_check(&s, &why) != BR_OK) {
        return;
    }
    br_slider_state state = {.q = {take_number(in), 0.0, take_number(in)}, .v = take_twist(in)};
    br_slider_load load = {.f = take_wrench(in)};
    double h = 1e-3, forces[4];
    const br_support_point points[4] = {{0.1, 0.1, 1.0},
                                        {-0.1, 0.1, 1.0},
                                        {0.0, -0.1, take_number(in)},
                                        {take_number(in), 0.0, 1.0}};
    br_slider_value value;
    vary(in, &load.lift);
    vary(in, &h);
    br_slider_eval(&s, &state, &load);
    if (h > 0.0) {
        br_slider_state other = state, third = state, fourth = state;
        br_slider_step(&s, &state, &load, h);
        br_slider_translation_step(&s, &other, &load, h);
        br_slider_supports_step(&s, points, 4, &third, &load, h, forces, &value);
        br_slider_ncp_step(&s, &fourth, &load, h, &value);
    }
}

static void push(input* in)
{
    br_patch* shape = take_patch(in);
    br_outline* outline = NULL;
    br_limit* surface = NULL;
    br_limit_def def = br_limit_def_default();
    br_pushing p = br_pushing_default();
    br_reason why;
    double* const numbers[] = {&p.e_t, &p.e_o, &p.e_r, &p.radius, &p.mu, &p.centre.x};
    for (size_t i = 0; i < 6; i++) {
        vary(in, numbers[i]);
    }
    def.patch = shape;
    def.method = BR_LIMIT_SMOOTH;
    def.n = 3;
    if (shape && br_outline_create(shape, 1.0, 0, &outline, NULL) == BR_OK) {
        p.outline = outline;
    }
    if (shape && take_byte(in) > 200 && br_limit_create(&def, &surface, NULL) == BR_OK) {
        p.surface = surface;
    }
    if (br_pushing_check(&p, &why) == BR_OK) {
        const br_vec2 a = {take_number(in), take_number(in)},
                      b = {take_number(in), take_number(in)};
        br_pose pose = {take_number(in), take_number(in), take_number(in)}, other = pose;
        br_pushing_gradient slopes;
        br_pushing_stick_eval(&p, a, b);
        br_pushing_eval(&p, a, (br_vec2){1.0, 0.0}, b);
        br_pushing_cone_eval(&p, a, (br_vec2){0.0, 1.0});
        if (outline) {
            br_pushing_step(&p, &pose, a, b);
            br_pushing_step_gradient(&p, &other, a, b, &slopes);
        }
    }
    br_limit_destroy(surface);
    br_outline_destroy(outline);
    br_patch_destroy(shape);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    input in = {data, size};
    if (take_byte(&in) & 1) {
        slide(&in);
    } else {
        push(&in);
    }
    return 0;
}
