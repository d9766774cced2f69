/*
 * Limit surfaces: bristle/limit.h, and their polyhedra, bristle/limit_polyhedron.h.
 */
#include "bristle/limit.h"

#include <string.h>

#include "array.h"
#include "things.h"

static const char KIND[] = "bristle.limit";
static const double COST = 200.0; // of a wrench [ns]
static const double GAUGE_COST = 5000.0;

static void destroy(PyObject* handle)
{
    br_limit_destroy(handle_end(handle));
}

const br_limit* limit_get(PyObject* handle)
{
    return handle_get(handle, KIND);
}

static PyObject* limit_make(PyObject* module, PyObject* arguments)
{
    (void)module;
    br_limit_def def = br_limit_def_default();
    PyObject* patch;
    int method;
    Py_ssize_t n, resolution;
    if (!PyArg_ParseTuple(arguments, "Odinn", &patch, &def.fn, &method, &n, &resolution) ||
        !(def.patch = patch_get(patch))) {
        return NULL;
    }
    def.method = (br_limit_method)method;
    def.n = (size_t)n;
    def.resolution = (size_t)resolution;
    br_limit* surface;
    br_reason why;
    br_status status;
    Py_BEGIN_ALLOW_THREADS
    status = br_limit_create(&def, &surface, &why);
    Py_END_ALLOW_THREADS
    if (status != BR_OK && strcmp(why.field, "n") == 0) { // which is `nodes` in Python
        const br_reason of_n = why;
        br_reason_set(&why, "nodes", "%s", of_n.text);
    }
    return status == BR_OK ? handle_make(KIND, surface, destroy, patch)
                           : raise_status(status, &why);
}

static br_twist twist_at(const double* numbers)
{
    const br_twist v = {numbers[0], numbers[1], numbers[2]};
    return v;
}

static br_wrench wrench_at(const double* numbers)
{
    const br_wrench f = {numbers[0], numbers[1], numbers[2]};
    return f;
}

static void wrench(void* surface, size_t count, double* const* args)
{
    for (size_t i = 0; i < count; i++) {
        const br_wrench f = br_limit_eval(surface, twist_at(args[0] + 3 * i)).wrench;
        args[1][3 * i] = f.fx;
        args[1][3 * i + 1] = f.fy;
        args[1][3 * i + 2] = f.tau;
    }
}

static void dissipation(void* surface, size_t count, double* const* args)
{
    for (size_t i = 0; i < count; i++) {
        args[1][i] = br_limit_eval(surface, twist_at(args[0] + 3 * i)).dissipation;
    }
}

static void jacobian(void* surface, size_t count, double* const* args)
{
    for (size_t i = 0; i < count; i++) {
        double(*rows)[3] = (double(*)[3])(void*)(args[1] + 9 * i);
        br_limit_jacobian_eval(surface, twist_at(args[0] + 3 * i), rows);
    }
}

static void gauge(void* surface, size_t count, double* const* args)
{
    for (size_t i = 0; i < count; i++) {
        args[1][i] = br_limit_gauge(surface, wrench_at(args[0] + 3 * i), NULL);
    }
}

static void slide(void* surface, size_t count, double* const* args)
{
    for (size_t i = 0; i < count; i++) {
        br_twist v;
        br_limit_gauge(surface, wrench_at(args[0] + 3 * i), &v);
        args[1][3 * i] = v.vx;
        args[1][3 * i + 1] = v.vy;
        args[1][3 * i + 2] = v.w;
    }
}

// A function of three numbers: twists or wrenches in; a number, three or nine out.
static PyObject* of_three(PyObject* const* args, Py_ssize_t count, const char* in, int core,
                          double cost, array_loop loop)
{
    br_limit* surface;
    if (!has_arguments("a limit surface's function", count, 3) ||
        !(surface = handle_get(args[0], KIND))) {
        return NULL;
    }
    array_call call;
    array_begin(&call, cost);
    array_in(&call, in, args[1], 3);
    if (core == 9) {
        array_out_matrix(&call, "out", args[2], 3, 3);
    } else {
        array_out(&call, "out", args[2], core);
    }
    return array_run(&call, loop, surface);
}

static PyObject* limit_wrench(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    return of_three(args, count, "twists", 3, COST, wrench);
}

static PyObject* limit_dissipation(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    return of_three(args, count, "twists", 0, COST, dissipation);
}

static PyObject* limit_jacobian(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    return of_three(args, count, "twists", 9, COST, jacobian);
}

static PyObject* limit_gauge(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    return of_three(args, count, "wrenches", 0, GAUGE_COST, gauge);
}

static PyObject* limit_twist(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    return of_three(args, count, "wrenches", 3, GAUGE_COST, slide);
}

static PyObject* limit_value(PyObject* module, PyObject* handle)
{
    (void)module;
    const br_limit* surface = limit_get(handle);
    if (!surface) {
        return NULL;
    }
    const br_patch_value value = br_limit_get_patch_value(surface);
    double torque;
    const br_vec2 spin = br_limit_get_spin_centre(surface, &torque);
    return Py_BuildValue("(dd)dd(dd)d", value.cop.x, value.cop.y, value.r, value.u, spin.x, spin.y,
                         torque);
}

static PyObject* limit_error(PyObject* module, PyObject* handle)
{
    (void)module;
    const br_limit* surface = limit_get(handle);
    if (!surface) {
        return NULL;
    }
    br_limit_error error;
    Py_BEGIN_ALLOW_THREADS
    error = br_limit_get_error(surface);
    Py_END_ALLOW_THREADS
    return Py_BuildValue("dddd", error.max, error.rms, error.max_angle, error.max_size);
}

PyMethodDef limit_functions[] = {{"limit_make", limit_make, METH_VARARGS, NULL},
                                 {"limit_value", limit_value, METH_O, NULL},
                                 {"limit_error", limit_error, METH_O, NULL},
                                 {"limit_wrench", FAST(limit_wrench)},
                                 {"limit_dissipation", FAST(limit_dissipation)},
                                 {"limit_jacobian", FAST(limit_jacobian)},
                                 {"limit_gauge", FAST(limit_gauge)},
                                 {"limit_twist", FAST(limit_twist)},
                                 {0}};
