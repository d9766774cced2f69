/* Sliders and quasi-static pushes of any numbers: check, eval, step, derivatives. */
#include "fuzz.h"

#include "bristle/papers.h"

#include <math.h>
#include <stdlib.h>

enum { PUSHES = 3, LINES = 2 };

static void slide(input* in)
{
    br_slider s = br_slider_default();
    br_patch* patch = take_byte(in) > 200 ? take_patch(in) : NULL;
    double* const numbers[] = {&s.mass, &s.inertia, &s.height, &s.mu,
                               &s.e_t,  &s.e_o,     &s.e_r,    &s.gravity};
    br_reason why;
    for (size_t i = 0; i < 8; i++) {
        vary(in, numbers[i]);
    }
    if (patch) {
        br_slider_set_patch(&s, patch, &why);
    }
    br_patch_destroy(patch);
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

// Points of a tip's path near the body; at times one is anywhere, since a long line costs many sub-steps.
static void take_tips(input* in, br_vec2 tips[LINES + 1])
{
    for (size_t i = 0; i <= LINES; i++) {
        tips[i].x = 0.01 * (double)i - 0.02 + 1e-4 * (double)take_byte(in);
        tips[i].y = 1e-4 * ((double)take_byte(in) - 100.0);
    }
    if (take_byte(in) > 240) {
        tips[take_index(in, LINES + 1)].x = take_number(in);
    }
}

// A path of pushes by derivatives: forwards and backwards are transposes of each other.
static void go_path(const br_pushing* p, br_pose pose, input* in)
{
    br_pushing_gradient lines[LINES];
    br_vec2 tips[LINES + 1], tips_bar[LINES + 1];
    br_pose bar[LINES + 1], dot[LINES + 1];
    br_pushing_adjoint back, change = {.mu = take_number(in), .radius = take_number(in)};
    double a = 0.0, b = 0.0, size = 0.0;
    take_tips(in, tips);
    for (size_t i = 0; i < LINES; i++) {
        br_pushing_step_gradient(p, &pose, tips[i], tips[i + 1], &lines[i]);
    }
    take_numbers(in, change.pose, 3);
    take_numbers(in, change.centre, 2);
    take_numbers(in, change.factors, 3);
    for (size_t i = 0; i <= LINES; i++) {
        bar[i] = (br_pose){take_number(in), take_number(in), take_number(in)};
    }
    br_pushing_path_vjp(LINES, lines, bar, tips_bar, &back);
    br_pushing_path_jvp(LINES, lines, &change, tips, dot);
    for (size_t i = 0; i <= LINES; i++) {
        a += bar[i].x * dot[i].x + bar[i].y * dot[i].y + bar[i].theta * dot[i].theta;
        size += fabs(bar[i].x * dot[i].x) + fabs(bar[i].y * dot[i].y) +
                fabs(bar[i].theta * dot[i].theta);
        b += tips_bar[i].x * tips[i].x + tips_bar[i].y * tips[i].y;
        size += fabs(tips_bar[i].x * tips[i].x) + fabs(tips_bar[i].y * tips[i].y);
    }
    // an adjoint consists of doubles only
    const double *ours = (const double*)&change, *theirs = (const double*)&back;
    for (size_t i = 0; i < sizeof change / sizeof *ours; i++) {
        b += ours[i] * theirs[i];
        size += fabs(ours[i] * theirs[i]);
    }
    // entries of very different size cancel: 1e-6 of the sum of all terms, if the derivatives are not extreme
    bool is_moderate = true;
    for (size_t i = 0; i < LINES; i++) {
        is_moderate = is_moderate && is_ordinary(lines[i].by[0], 3 * BR_PUSHING_BY_COUNT);
    }
    if (is_moderate && isfinite(size)) {
        demand(fabs(a - b) <= 1e-6 * size);
    }
}

// Many pushes: the first pose of each stays, and one push alone ends where it does among others.
static void roll(const br_pushing* p, br_pose pose, input* in)
{
    br_vec2 tips[PUSHES][LINES + 1];
    br_pose poses[PUSHES][LINES + 1], alone[LINES + 1];
    br_push pushes[PUSHES * LINES];
    double mu[PUSHES];
    for (size_t i = 0; i < PUSHES; i++) {
        mu[i] = fabs(take_number(in));
        poses[i][0] = pose;
        take_tips(in, tips[i]);
    }
    const bool has_mu = take_byte(in) & 1;
    const size_t which = take_index(in, PUSHES);
    br_pushing_rollout(p, PUSHES, LINES, has_mu ? mu : NULL, tips[0], poses[0], pushes);
    alone[0] = pose;
    br_pushing_rollout(p, 1, LINES, has_mu ? mu + which : NULL, tips[which], alone, NULL);
    demand(is_same(poses[which][0].x, pose.x) && is_same(poses[which][0].theta, pose.theta));
    demand(isnan(alone[LINES].x) == isnan(poses[which][LINES].x));
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
        br_pushing_get_centre(&p);
        br_pushing_stick_eval(&p, a, b);
        br_pushing_eval(&p, a, (br_vec2){1.0, 0.0}, b);
        br_pushing_cone_eval(&p, a, (br_vec2){0.0, 1.0});
        if (outline) {
            br_pushing_step(&p, &pose, a, b);
            br_pushing_step_gradient(&p, &other, a, b, &slopes);
            const br_pose near = {1e-3, 0.0, 0.1};
            if (take_byte(in) & 1) {
                roll(&p, near, in);
            } else {
                go_path(&p, near, in);
            }
        }
        const double h = take_number(in);
        if (h >= 0.0) {
            br_pushing_stick_step(&p, &pose, a, b, h);
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
