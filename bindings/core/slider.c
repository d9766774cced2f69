/*
 * Sliders and quasi-static pushing: bristle/slider.h, pushing.h.
 */
#include "bristle/slider.h"

#include <string.h>

#include "objects.h"

// Its numbers are in the order of the signature.
_Static_assert(sizeof(br_slider) == 8 * sizeof(double),
               "a slider has as many numbers as its signature");

MAKER(slider_make)
{
    br_slider s;
    memcpy(&s, from->numbers, sizeof s);
    const br_status status =
        from->objects[0] ? br_slider_set_patch(&s, from->objects[0], why) : BR_OK;
    return make_copy(status == BR_OK ? br_slider_check(&s, why) : status, &s, sizeof s, made);
}

LOOP(slider_ellipsoid)
{
    memcpy(args[0], (const char*)object + offsetof(br_slider, e_t),
           3 * sizeof(double)); // and e_o, e_r
}

static br_slider_state state_at(double* const* args, size_t i)
{
    const double* q = args[0] + 3 * i;
    return (br_slider_state){{q[0], q[1], q[2]}, twist_at(args[1], i)};
}

static br_slider_load load_at(double* const* args, size_t i)
{
    return (br_slider_load){wrench_at(args[2], i), args[3][i]};
}

EACH(slider_step)
{
    br_slider_state state = state_at(args, i);
    const br_slider_load load = load_at(args, i);
    const br_slider_value value = br_slider_step(object, &state, &load, scalars[0]);
    put_three(args[0], i, state.q.x, state.q.y, state.q.theta);
    put_twist(args[1], i, state.v);
    put_three(args[4], i, value.pt, value.po, value.pr);
    args[5][i] = value.sigma;
    put_vec2(args[6], i, value.ecp);
    args[7][i] = value.mode == BR_SLIDER_SLIDE;
}

EACH(slider_eval)
{
    const br_slider_state state = state_at(args, i);
    const br_slider_load load = load_at(args, i);
    const br_slider_rate rate = br_slider_eval(object, &state, &load);
    put_wrench(args[4], i, rate.f);
    put_twist(args[5], i, rate.acceleration);
    args[6][i] = rate.sigma;
    put_vec2(args[7], i, rate.ecp);
    args[8][i] = rate.mode == BR_SLIDER_SLIDE;
}

MAKER(pushing_make)
{
    pushing_object all = {.pushing = br_pushing_default()};
    all.pushing.mu = from->numbers[0];
    all.pushing.radius = from->numbers[1];
    all.pushing.surface = from->objects[0];
    br_status status = br_pushing_check(&all.pushing, why);
    if (status == BR_OK) {
        status = br_outline_create(from->objects[1], 0.0, 0, &all.outline, why);
    }
    all.pushing.outline = all.outline;
    status = make_copy(status, &all, sizeof all, made);
    if (status != BR_OK) {
        br_outline_destroy(all.outline);
    }
    return status;
}

LOOP(pushing_outline)
{
    const pushing_object* p = object;
    size_t corners;
    const br_vec2* corner = br_outline_get_vertices(p->outline, &corners);
    for (size_t i = 0; i < corners; i++) {
        put_vec2(args[0], i, corner[i]);
    }
    put_vec2(args[1], 0, br_outline_get_centre(p->outline));
    *args[2] = br_outline_get_radius(p->outline);
}

static void write_push(double* const* args, size_t i, const br_push* push)
{
    put_twist(args[3], i, push->twist);
    put_wrench(args[4], i, push->friction);
    put_vec2(args[5], i, push->force);
    put_vec2(args[6], i, push->point);
    args[7][i] = (double)push->mode;
}

// The object starts with its br_pushing.
EACH(pushing_eval)
{
    const br_push push =
        br_pushing_eval(object, vec2_at(args[0], i), vec2_at(args[1], i), vec2_at(args[2], i));
    write_push(args, i, &push);
}

EACH(pushing_step)
{
    const double* p = args[0] + 3 * i;
    br_pose pose = {p[0], p[1], p[2]};
    const br_push push = br_pushing_step(object, &pose, vec2_at(args[1], i), vec2_at(args[2], i));
    put_three(args[0], i, pose.x, pose.y, pose.theta);
    write_push(args, i, &push);
}

// One line of each path, some at a time.
LOOP(pushing_rollout)
{
    enum { SOME = 256 };
    br_vec2 tips[SOME][2];
    br_pose poses[SOME][2];
    for (size_t start = 0; start < count; start += SOME) {
        const size_t some = count - start < SOME ? count - start : SOME;
        for (size_t i = 0; i < some; i++) {
            const double* pose = args[0] + 3 * (start + i);
            poses[i][0] = (br_pose){pose[0], pose[1], pose[2]};
            tips[i][0] = vec2_at(args[1], start + i);
            tips[i][1] = vec2_at(args[2], start + i);
        }
        br_pushing_rollout(object, some, 1, args[3] + start, tips[0], poses[0], NULL);
        for (size_t i = 0; i < some; i++) {
            put_three(args[4], start + i, poses[i][1].x, poses[i][1].y, poses[i][1].theta);
        }
    }
}

#ifndef __wasm__
EACH(pushing_gradient)
{
    br_pushing pushing = *(const br_pushing*)object;
    const double* p = args[0] + 3 * i;
    br_pose pose = {p[0], p[1], p[2]};
    br_pushing_gradient line;
    pushing.mu = args[3][i];
    br_pushing_step_gradient(&pushing, &pose, vec2_at(args[1], i), vec2_at(args[2], i), &line);
    put_three(args[4], i, pose.x, pose.y, pose.theta);
    memcpy(args[5] + i * sizeof line.by / sizeof(double), line.by, sizeof line.by);
    args[6][i] = line.changes;
    args[7][i] = line.corners;
}
#endif

EACH(pushing_cone)
{
    const br_motion_cone cone =
        br_pushing_cone_eval(object, vec2_at(args[0], i), vec2_at(args[1], i));
    put_vec2(args[2], i, cone.left);
    put_vec2(args[3], i, cone.right);
}
