/*
 * Sliders and quasi-static pushing: bristle/slider.h, pushing.h.
 */
#include "bristle/slider.h"

#include "bristle/pushing.h"
#include "glue.h"

// `n`: mass, inertia, height, mu, e_t, e_o, e_r, gravity; a patch whose ellipsoid counts, or NULL
EXPORT(br_slider*, slider_make, const double* n, const br_patch* patch)
{
    br_slider s = {.mass = n[0],
                   .inertia = n[1],
                   .height = n[2],
                   .mu = n[3],
                   .e_t = n[4],
                   .e_o = n[5],
                   .e_r = n[6],
                   .gravity = n[7]};
    br_reason why = {"", ""};
    br_status status = patch ? br_slider_set_patch(&s, patch, &why) : BR_OK;
    status = status == BR_OK ? br_slider_check(&s, &why) : status;
    br_slider* copy = status == BR_OK ? br_allocate(1, sizeof *copy) : NULL;
    if (!copy) {
        return fail(status == BR_OK ? BR_ERR_MEMORY : status, &why);
    }
    *copy = s;
    return copy;
}

EXPORT(void, slider_ellipsoid, const br_slider* slider, double* out)
{
    put_three(out, 0, slider->e_t, slider->e_o, slider->e_r);
}

static br_slider_state state_at(const double* q, const double* v)
{
    return (br_slider_state){{q[0], q[1], q[2]}, {v[0], v[1], v[2]}};
}

static br_slider_load load_at(const double* f, double lift)
{
    return (br_slider_load){{f[0], f[1], f[2]}, lift};
}

EXPORT(void, slider_step, const br_slider* slider, size_t count, double* q, double* v,
       const double* f, const double* lift, double h, double* impulse, double* sigma, br_vec2* ecp,
       double* slides)
{
    for (size_t i = 0; i < count; i++) {
        br_slider_state state = state_at(q + 3 * i, v + 3 * i);
        const br_slider_load load = load_at(f + 3 * i, lift[i]);
        const br_slider_value value = br_slider_step(slider, &state, &load, h);
        put_three(q, i, state.q.x, state.q.y, state.q.theta);
        put_three(v, i, state.v.vx, state.v.vy, state.v.w);
        put_three(impulse, i, value.pt, value.po, value.pr);
        sigma[i] = value.sigma;
        ecp[i] = value.ecp;
        slides[i] = value.mode == BR_SLIDER_SLIDE;
    }
}

EXPORT(void, slider_eval, const br_slider* slider, size_t count, const double* q, const double* v,
       const double* f, const double* lift, double* friction, double* acceleration, double* sigma,
       br_vec2* ecp, double* slides)
{
    for (size_t i = 0; i < count; i++) {
        const br_slider_state state = state_at(q + 3 * i, v + 3 * i);
        const br_slider_load load = load_at(f + 3 * i, lift[i]);
        const br_slider_rate rate = br_slider_eval(slider, &state, &load);
        put_wrench(friction, i, rate.f);
        put_three(acceleration, i, rate.acceleration.vx, rate.acceleration.vy, rate.acceleration.w);
        sigma[i] = rate.sigma;
        ecp[i] = rate.ecp;
        slides[i] = rate.mode == BR_SLIDER_SLIDE;
    }
}

// A pusher with its own outline.
typedef struct pushing_thing {
    br_pushing pushing;
    br_outline* outline;
} pushing_thing;

EXPORT(void, pushing_destroy, pushing_thing* thing)
{
    br_outline_destroy(thing->outline);
    br_release(thing);
}

EXPORT(pushing_thing*, pushing_make, const br_limit* surface, const br_patch* shape, double mu,
       double radius)
{
    br_reason why = {"", ""};
    pushing_thing* thing = br_allocate(1, sizeof *thing);
    if (!thing) {
        return fail(BR_ERR_MEMORY, &why);
    }
    thing->pushing = br_pushing_default();
    thing->pushing.surface = surface;
    thing->pushing.mu = mu;
    thing->pushing.radius = radius;
    br_status status = br_pushing_check(&thing->pushing, &why);
    if (status == BR_OK) {
        status = br_outline_create(shape, 0.0, 0, &thing->outline, &why);
    }
    if (status != BR_OK) {
        pushing_destroy(thing);
        return fail(status, &why);
    }
    thing->pushing.outline = thing->outline;
    return thing;
}

static void put_push(size_t i, const br_push* push, double* twist, double* friction, br_vec2* force,
                     br_vec2* point, double* mode)
{
    put_three(twist, i, push->twist.vx, push->twist.vy, push->twist.w);
    put_wrench(friction, i, push->friction);
    force[i] = push->force;
    point[i] = push->point;
    mode[i] = (double)push->mode;
}

EXPORT(void, pushing_eval, const pushing_thing* thing, size_t count, const br_vec2* at,
       const br_vec2* normal, const br_vec2* velocity, double* twist, double* friction,
       br_vec2* force, br_vec2* point, double* mode)
{
    for (size_t i = 0; i < count; i++) {
        const br_push push = br_pushing_eval(&thing->pushing, at[i], normal[i], velocity[i]);
        put_push(i, &push, twist, friction, force, point, mode);
    }
}

EXPORT(void, pushing_step, const pushing_thing* thing, size_t count, double* pose,
       const br_vec2* start, const br_vec2* end, double* twist, double* friction, br_vec2* force,
       br_vec2* point, double* mode)
{
    for (size_t i = 0; i < count; i++) {
        br_pose now = {pose[3 * i], pose[3 * i + 1], pose[3 * i + 2]};
        const br_push push = br_pushing_step(&thing->pushing, &now, start[i], end[i]);
        put_three(pose, i, now.x, now.y, now.theta);
        put_push(i, &push, twist, friction, force, point, mode);
    }
}

EXPORT(void, pushing_cone, const pushing_thing* thing, size_t count, const br_vec2* point,
       const br_vec2* normal, br_vec2* left, br_vec2* right)
{
    for (size_t i = 0; i < count; i++) {
        const br_motion_cone cone = br_pushing_cone_eval(&thing->pushing, point[i], normal[i]);
        left[i] = cone.left;
        right[i] = cone.right;
    }
}

EXPORT(size_t, pushing_corner_count, const pushing_thing* thing)
{
    size_t count;
    br_outline_get_vertices(thing->outline, &count);
    return count;
}

EXPORT(const br_vec2*, pushing_corners, const pushing_thing* thing)
{
    size_t count;
    return br_outline_get_vertices(thing->outline, &count);
}

// centre (2), radius of a round body
EXPORT(void, pushing_round, const pushing_thing* thing, double* out)
{
    const br_vec2 centre = br_outline_get_centre(thing->outline);
    put_three(out, 0, centre.x, centre.y, br_outline_get_radius(thing->outline));
}
