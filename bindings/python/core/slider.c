/*
 * Sliders and quasi-static pushing: bristle/slider.h, pushing.h.
 */
#include "bristle/slider.h"

#include <string.h>

#include "array.h"
#include "bristle/pushing.h"
#include "things.h"

static const char SLIDER[] = "bristle.slider";
static const char PUSHING[] = "bristle.pushing";
static const double SLIDER_COST = 500.0; // of a step [ns]
static const double PUSH_COST = 2e4;
static const double PUSH_STEP_COST = 1e6;

static void release(PyObject* handle)
{
    br_release(handle_end(handle));
}

// (mass, inertia, height, mu, e_t, e_o, e_r, gravity), and a patch whose ellipsoid counts, or None
static PyObject* slider_make(PyObject* module, PyObject* arguments)
{
    (void)module;
    br_slider s;
    PyObject* shape;
    if (!PyArg_ParseTuple(arguments, "ddddddddO", &s.mass, &s.inertia, &s.height, &s.mu, &s.e_t,
                          &s.e_o, &s.e_r, &s.gravity, &shape)) {
        return NULL;
    }
    br_reason why;
    br_status status = BR_OK;
    if (shape != Py_None) {
        const br_patch* patch = patch_get(shape);
        if (!patch) {
            return NULL;
        }
        status = br_slider_set_patch(&s, patch, &why);
    }
    status = status == BR_OK ? br_slider_check(&s, &why) : status;
    if (status != BR_OK) {
        return raise_status(status, &why);
    }
    br_slider* copy = br_allocate(1, sizeof *copy);
    if (!copy) {
        return PyErr_NoMemory();
    }
    *copy = s;
    return handle_make(SLIDER, copy, release, NULL);
}

static PyObject* slider_ellipsoid(PyObject* module, PyObject* handle)
{
    (void)module;
    const br_slider* s = handle_get(handle, SLIDER);
    return s ? Py_BuildValue("ddd", s->e_t, s->e_o, s->e_r) : NULL;
}

static br_slider_state state_at(const double* q, const double* v)
{
    const br_slider_state state = {{q[0], q[1], q[2]}, {v[0], v[1], v[2]}};
    return state;
}

static br_slider_load load_at(const double* f, double lift)
{
    const br_slider_load load = {{f[0], f[1], f[2]}, lift};
    return load;
}

typedef struct slider_call {
    const br_slider* slider;
    double h;
} slider_call;

static void step(void* context, size_t count, double* const* args)
{
    const slider_call* with = context;
    for (size_t i = 0; i < count; i++) {
        double *q = args[0] + 3 * i, *v = args[1] + 3 * i;
        br_slider_state state = state_at(q, v);
        const br_slider_load load = load_at(args[2] + 3 * i, args[3][i]);
        const br_slider_value value = br_slider_step(with->slider, &state, &load, with->h);
        memcpy(q, (const double[]){state.q.x, state.q.y, state.q.theta}, 3 * sizeof *q);
        memcpy(v, (const double[]){state.v.vx, state.v.vy, state.v.w}, 3 * sizeof *v);
        memcpy(args[4] + 3 * i, (const double[]){value.pt, value.po, value.pr}, 3 * sizeof *v);
        args[5][i] = value.sigma;
        memcpy(args[6] + 2 * i, (const double[]){value.ecp.x, value.ecp.y}, 2 * sizeof *v);
        args[7][i] = value.mode == BR_SLIDER_SLIDE;
    }
}

// (slider, q, v, load, lift, h): impulse (3), sigma, ecp (2), slides
static PyObject* slider_step(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    slider_call with;
    if (!has_arguments("step", count, 6) || !(with.slider = handle_get(args[0], SLIDER)) ||
        !array_step_size(args[5], &with.h)) {
        return NULL;
    }
    array_call call;
    array_begin(&call, SLIDER_COST);
    array_state(&call, "q", args[1], 3);
    array_state(&call, "v", args[2], 3);
    array_in(&call, "load", args[3], 3);
    array_in(&call, "lift", args[4], 0);
    array_out(&call, "impulse", NULL, 3);
    array_out(&call, "sigma", NULL, 0);
    array_out(&call, "ecp", NULL, 2);
    array_out(&call, "slides", NULL, 0);
    return array_run(&call, step, &with);
}

static void rate(void* slider, size_t count, double* const* args)
{
    for (size_t i = 0; i < count; i++) {
        const br_slider_state state = state_at(args[0] + 3 * i, args[1] + 3 * i);
        const br_slider_load load = load_at(args[2] + 3 * i, args[3][i]);
        const br_slider_rate r = br_slider_eval(slider, &state, &load);
        memcpy(args[4] + 3 * i, (const double[]){r.f.fx, r.f.fy, r.f.tau}, 3 * sizeof(double));
        memcpy(args[5] + 3 * i,
               (const double[]){r.acceleration.vx, r.acceleration.vy, r.acceleration.w},
               3 * sizeof(double));
        args[6][i] = r.sigma;
        memcpy(args[7] + 2 * i, (const double[]){r.ecp.x, r.ecp.y}, 2 * sizeof(double));
        args[8][i] = r.mode == BR_SLIDER_SLIDE;
    }
}

// (slider, q, v, load, lift): friction (3), acceleration (3), sigma, ecp (2), slides
static PyObject* slider_eval(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    br_slider* slider;
    if (!has_arguments("eval", count, 5) || !(slider = handle_get(args[0], SLIDER))) {
        return NULL;
    }
    array_call call;
    array_begin(&call, SLIDER_COST);
    array_in(&call, "q", args[1], 3);
    array_in(&call, "v", args[2], 3);
    array_in(&call, "load", args[3], 3);
    array_in(&call, "lift", args[4], 0);
    array_out(&call, "friction", NULL, 3);
    array_out(&call, "acceleration", NULL, 3);
    array_out(&call, "sigma", NULL, 0);
    array_out(&call, "ecp", NULL, 2);
    array_out(&call, "slides", NULL, 0);
    return array_run(&call, rate, slider);
}

// A pusher with its own outline.
typedef struct pushing_thing {
    br_pushing pushing;
    br_outline* outline;
} pushing_thing;

static void destroy_pushing(PyObject* handle)
{
    pushing_thing* thing = handle_end(handle);
    br_outline_destroy(thing->outline);
    br_release(thing);
}

static PyObject* own_pushing(const br_pushing* pushing, const br_patch* shape, PyObject* surface)
{
    br_reason why;
    br_outline* outline;
    br_status status = br_outline_create(shape, 0.0, 0, &outline, &why);
    if (status != BR_OK) {
        return raise_status(status, &why);
    }
    pushing_thing* thing = br_allocate(1, sizeof *thing);
    if (!thing) {
        br_outline_destroy(outline);
        return PyErr_NoMemory();
    }
    thing->pushing = *pushing;
    thing->pushing.outline = outline;
    thing->outline = outline;
    return handle_make(PUSHING, thing, destroy_pushing, surface);
}

// (surface, outline's patch, mu, radius)
static PyObject* pushing_make(PyObject* module, PyObject* arguments)
{
    (void)module;
    br_pushing pushing = br_pushing_default();
    PyObject *surface, *shape;
    const br_patch* patch;
    if (!PyArg_ParseTuple(arguments, "OOdd", &surface, &shape, &pushing.mu, &pushing.radius) ||
        !(pushing.surface = limit_get(surface)) || !(patch = patch_get(shape))) {
        return NULL;
    }
    br_reason why;
    const br_status status = br_pushing_check(&pushing, &why);
    return status == BR_OK ? own_pushing(&pushing, patch, surface) : raise_status(status, &why);
}

static const br_pushing* pushing_get(PyObject* handle)
{
    const pushing_thing* thing = handle_get(handle, PUSHING);
    return thing ? &thing->pushing : NULL;
}

static br_vec2 vec2_at(const double* numbers)
{
    const br_vec2 v = {numbers[0], numbers[1]};
    return v;
}

// twist (3), friction (3), force (2), point (2), mode
static void put_push(double* const* args, size_t i, const br_push* push)
{
    const br_twist v = push->twist;
    const br_wrench f = push->friction;
    memcpy(args[0] + 3 * i, (const double[]){v.vx, v.vy, v.w}, 3 * sizeof(double));
    memcpy(args[1] + 3 * i, (const double[]){f.fx, f.fy, f.tau}, 3 * sizeof(double));
    memcpy(args[2] + 2 * i, &push->force, sizeof push->force);
    memcpy(args[3] + 2 * i, &push->point, sizeof push->point);
    args[4][i] = (double)push->mode;
}

static void add_push(array_call* call)
{
    array_out(call, "twist", NULL, 3);
    array_out(call, "friction", NULL, 3);
    array_out(call, "force", NULL, 2);
    array_out(call, "point", NULL, 2);
    array_out(call, "mode", NULL, 0);
}

static void push(void* context, size_t count, double* const* args)
{
    for (size_t i = 0; i < count; i++) {
        const br_push value = br_pushing_eval(context, vec2_at(args[0] + 2 * i),
                                              vec2_at(args[1] + 2 * i), vec2_at(args[2] + 2 * i));
        put_push(args + 3, i, &value);
    }
}

// (pushing, point, normal, velocity)
static PyObject* pushing_eval(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    const br_pushing* pushing;
    if (!has_arguments("push", count, 4) || !(pushing = pushing_get(args[0]))) {
        return NULL;
    }
    array_call call;
    array_begin(&call, PUSH_COST);
    array_in(&call, "point", args[1], 2);
    array_in(&call, "normal", args[2], 2);
    array_in(&call, "velocity", args[3], 2);
    add_push(&call);
    return array_run(&call, push, (void*)(uintptr_t)pushing);
}

static void push_step(void* context, size_t count, double* const* args)
{
    for (size_t i = 0; i < count; i++) {
        double* p = args[0] + 3 * i;
        br_pose pose = {p[0], p[1], p[2]};
        const br_push value =
            br_pushing_step(context, &pose, vec2_at(args[1] + 2 * i), vec2_at(args[2] + 2 * i));
        memcpy(p, (const double[]){pose.x, pose.y, pose.theta}, 3 * sizeof *p);
        put_push(args + 3, i, &value);
    }
}

// (pushing, pose, from, to)
static PyObject* pushing_step(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    const br_pushing* pushing;
    if (!has_arguments("step", count, 4) || !(pushing = pushing_get(args[0]))) {
        return NULL;
    }
    array_call call;
    array_begin(&call, PUSH_STEP_COST);
    array_state(&call, "pose", args[1], 3);
    array_in(&call, "start", args[2], 2);
    array_in(&call, "end", args[3], 2);
    add_push(&call);
    return array_run(&call, push_step, (void*)(uintptr_t)pushing);
}

static void motion_cone(void* context, size_t count, double* const* args)
{
    for (size_t i = 0; i < count; i++) {
        const br_motion_cone cone =
            br_pushing_cone_eval(context, vec2_at(args[0] + 2 * i), vec2_at(args[1] + 2 * i));
        memcpy(args[2] + 2 * i, &cone.left, sizeof cone.left);
        memcpy(args[3] + 2 * i, &cone.right, sizeof cone.right);
    }
}

// (pushing, point, normal): left (2), right (2)
static PyObject* pushing_cone(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    const br_pushing* pushing;
    if (!has_arguments("cone", count, 3) || !(pushing = pushing_get(args[0]))) {
        return NULL;
    }
    array_call call;
    array_begin(&call, PUSH_COST);
    array_in(&call, "point", args[1], 2);
    array_in(&call, "normal", args[2], 2);
    array_out(&call, "left", NULL, 2);
    array_out(&call, "right", NULL, 2);
    return array_run(&call, motion_cone, (void*)(uintptr_t)pushing);
}

static PyObject* pushing_outline(PyObject* module, PyObject* handle)
{
    (void)module;
    const pushing_thing* thing = handle_get(handle, PUSHING);
    if (!thing) {
        return NULL;
    }
    size_t count;
    const br_vec2* corners = br_outline_get_vertices(thing->outline, &count);
    const br_vec2 centre = br_outline_get_centre(thing->outline);
    PyObject* list = array_copy(count > 0 ? &corners[0].x : NULL, count, 2);
    PyObject* all = list ? Py_BuildValue("O(dd)d", list, centre.x, centre.y,
                                         br_outline_get_radius(thing->outline))
                         : NULL;
    Py_XDECREF(list);
    return all;
}

PyMethodDef slider_functions[] = {{"slider_make", slider_make, METH_VARARGS, NULL},
                                  {"slider_ellipsoid", slider_ellipsoid, METH_O, NULL},
                                  {"slider_step", FAST(slider_step)},
                                  {"slider_eval", FAST(slider_eval)},
                                  {"pushing_make", pushing_make, METH_VARARGS, NULL},
                                  {"pushing_eval", FAST(pushing_eval)},
                                  {"pushing_step", FAST(pushing_step)},
                                  {"pushing_cone", FAST(pushing_cone)},
                                  {"pushing_outline", pushing_outline, METH_O, NULL},
                                  {0}};
