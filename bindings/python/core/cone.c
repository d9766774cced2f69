/*
 * Friction cones, their polyhedra and wrench cones: bristle/cone.h, polyhedron.h, wrench_cone.h; polyhedra of
 * limit surfaces, limit_polyhedron.h; how hard to hold on, grasp.h.
 */
#include "bristle/cone.h"

#include <stdlib.h>

#include "array.h"
#include "bristle/grasp.h"
#include "bristle/limit_polyhedron.h"
#include "bristle/wrench_cone.h"
#include "things.h"

static const char CONE[] = "bristle.cone";
static const char POLYHEDRON[] = "bristle.polyhedron";
static const char WRENCH_CONE[] = "bristle.wrench_cone";
static const char LIMIT_POLYHEDRON[] = "bristle.limit_polyhedron";
static const double COST = 20.0; // of a force [ns]
static const double GRASP_COST = 3e4;

static void release(PyObject* handle)
{
    br_release(handle_end(handle));
}

static void destroy_wrench_cone(PyObject* handle)
{
    br_wrench_cone_destroy(handle_end(handle));
}

static void destroy_limit_polyhedron(PyObject* handle)
{
    br_limit_polyhedron_destroy(handle_end(handle));
}

static PyObject* cone_make(PyObject* module, PyObject* arguments)
{
    (void)module;
    double n[3], mu;
    if (!PyArg_ParseTuple(arguments, "(ddd)d", &n[0], &n[1], &n[2], &mu)) {
        return NULL;
    }
    br_cone* cone = br_allocate(1, sizeof *cone);
    if (!cone) {
        return PyErr_NoMemory();
    }
    br_reason why;
    const br_status status = br_cone_init(n, mu, cone, &why);
    if (status != BR_OK) {
        br_release(cone);
        return raise_status(status, &why);
    }
    return handle_make(CONE, cone, release, NULL);
}

static PyObject* cone_axes(PyObject* module, PyObject* handle)
{
    (void)module;
    const br_cone* cone = handle_get(handle, CONE);
    if (!cone) {
        return NULL;
    }
    return Py_BuildValue("(ddd)(ddd)(ddd)", cone->n[0], cone->n[1], cone->n[2], cone->t1[0],
                         cone->t1[1], cone->t1[2], cone->t2[0], cone->t2[1], cone->t2[2]);
}

// A function of `in` numbers that gives `out` of a thing.
static PyObject* over(const char* kind, PyObject* const* args, Py_ssize_t count, const char* name,
                      Py_ssize_t in, Py_ssize_t out, array_loop loop)
{
    void* thing;
    if (!has_arguments("a function of forces", count, 3) || !(thing = handle_get(args[0], kind))) {
        return NULL;
    }
    array_call call;
    array_begin(&call, COST);
    array_in(&call, name, args[1], in);
    array_out(&call, "out", args[2], out);
    return array_run(&call, loop, thing);
}

static void split(void* cone, size_t count, double* const* args)
{
    for (size_t i = 0; i < count; i++) {
        br_cone_split(cone, args[0] + 3 * i, args[1] + 3 * i);
    }
}

static void margin(void* cone, size_t count, double* const* args)
{
    br_cone_margin_batch(cone, count, args[0], args[1]);
}

static void contains(void* cone, size_t count, double* const* args)
{
    for (size_t i = 0; i < count; i++) {
        args[1][i] = br_cone_contains(cone, args[0] + 3 * i);
    }
}

static void project(void* cone, size_t count, double* const* args)
{
    br_cone_project_batch(cone, count, args[0], args[1]);
}

static PyObject* cone_split(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    return over(CONE, args, count, "f", 3, 3, split);
}

static PyObject* cone_margin(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    return over(CONE, args, count, "f", 3, 0, margin);
}

static PyObject* cone_contains(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    return over(CONE, args, count, "f", 3, 0, contains);
}

static PyObject* cone_project(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    return over(CONE, args, count, "f", 3, 3, project);
}

// (cone, faces, outer, phase, f_min, f_max)
static PyObject* polyhedron_make(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject* handle;
    Py_ssize_t faces;
    int outer;
    const br_cone* cone;
    br_polyhedron_def def = br_polyhedron_def_default();
    if (!PyArg_ParseTuple(arguments, "Onpddd", &handle, &faces, &outer, &def.phase, &def.f_min,
                          &def.f_max) ||
        !(cone = handle_get(handle, CONE))) {
        return NULL;
    }
    def.cone = *cone;
    def.faces = faces < 0 ? 0 : (size_t)faces;
    def.side = outer ? BR_POLYHEDRON_OUTER : BR_POLYHEDRON_INNER;
    br_polyhedron* polyhedron = br_allocate(1, sizeof *polyhedron);
    if (!polyhedron) {
        return PyErr_NoMemory();
    }
    br_reason why;
    const br_status status = br_polyhedron_init(&def, polyhedron, &why);
    if (status != BR_OK) {
        br_release(polyhedron);
        return raise_status(status, &why);
    }
    return handle_make(POLYHEDRON, polyhedron, release, NULL);
}

static void write_h(void* polyhedron, size_t count, double* const* args)
{
    (void)count;
    br_polyhedron_get_h(polyhedron, args[0]);
}

static void write_v(void* polyhedron, size_t count, double* const* args)
{
    (void)count;
    br_polyhedron_get_v(polyhedron, args[0]);
}

static PyObject* rows_of_four(size_t rows, array_loop loop, void* thing)
{
    array_call call;
    array_begin(&call, 0.0);
    array_out_matrix(&call, "rows", NULL, (Py_ssize_t)rows, 4);
    return array_run(&call, loop, thing);
}

// h (n x 4), v (m x 4), errors of area and angle
static PyObject* polyhedron_rows(PyObject* module, PyObject* handle)
{
    (void)module;
    br_polyhedron* polyhedron = handle_get(handle, POLYHEDRON);
    if (!polyhedron) {
        return NULL;
    }
    const br_polyhedron_error error = br_polyhedron_get_error(polyhedron);
    PyObject* h = rows_of_four(br_polyhedron_get_h_count(polyhedron), write_h, polyhedron);
    PyObject* v = rows_of_four(br_polyhedron_get_v_count(polyhedron), write_v, polyhedron);
    PyObject* all = h && v ? Py_BuildValue("OOdd", h, v, error.area, error.angle) : NULL;
    Py_XDECREF(h);
    Py_XDECREF(v);
    return all;
}

static void polyhedron_margins(void* polyhedron, size_t count, double* const* args)
{
    for (size_t i = 0; i < count; i++) {
        args[1][i] = br_polyhedron_margin(polyhedron, args[0] + 3 * i);
    }
}

static void polyhedron_checks(void* polyhedron, size_t count, double* const* args)
{
    for (size_t i = 0; i < count; i++) {
        args[1][i] = br_polyhedron_contains(polyhedron, args[0] + 3 * i);
    }
}

static PyObject* polyhedron_margin(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    return over(POLYHEDRON, args, count, "f", 3, 0, polyhedron_margins);
}

static PyObject* polyhedron_contains(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    return over(POLYHEDRON, args, count, "f", 3, 0, polyhedron_checks);
}

static int take_supports(PyObject* list, br_support* supports, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject* handle;
        double* place = supports[i].place;
        const br_polyhedron* forces;
        PyObject* item = PyList_GetItem(list, i);
        if (!item || !PyArg_ParseTuple(item, "(ddd)O", &place[0], &place[1], &place[2], &handle) ||
            !(forces = handle_get(handle, POLYHEDRON))) {
            return 0;
        }
        supports[i].forces = *forces;
    }
    return 1;
}

static PyObject* create_wrench_cone(const br_support* supports, size_t count)
{
    br_wrench_cone* cone;
    br_reason why;
    br_status status;
    Py_BEGIN_ALLOW_THREADS
    status = br_wrench_cone_create(supports, count, &cone, &why);
    Py_END_ALLOW_THREADS
    return status == BR_OK ? handle_make(WRENCH_CONE, cone, destroy_wrench_cone, NULL)
                           : raise_status(status, &why);
}

// a list of (place (3), polyhedron)
static PyObject* wrench_cone_make(PyObject* module, PyObject* list)
{
    (void)module;
    const Py_ssize_t count = PyList_Size(list);
    if (count < 0) {
        return NULL;
    }
    br_support* supports = calloc((size_t)count + 1, sizeof *supports);
    if (!supports) {
        return PyErr_NoMemory();
    }
    PyObject* handle =
        take_supports(list, supports, count) ? create_wrench_cone(supports, (size_t)count) : NULL;
    free(supports);
    return handle;
}

static PyObject* wrench_cone_rows(PyObject* module, PyObject* handle)
{
    (void)module;
    const br_wrench_cone* cone = handle_get(handle, WRENCH_CONE);
    if (!cone) {
        return NULL;
    }
    PyObject* h = array_copy(br_wrench_cone_get_h(cone), br_wrench_cone_get_h_count(cone), 6);
    PyObject* v = array_copy(br_wrench_cone_get_v(cone), br_wrench_cone_get_v_count(cone), 6);
    PyObject* both = h && v ? PyTuple_Pack(2, h, v) : NULL;
    Py_XDECREF(h);
    Py_XDECREF(v);
    return both;
}

static PyObject* wrench_cone_rectangle(PyObject* module, PyObject* arguments)
{
    (void)module;
    double x, y, mu, h[16][6];
    if (!PyArg_ParseTuple(arguments, "ddd", &x, &y, &mu)) {
        return NULL;
    }
    br_wrench_cone_rectangle(x, y, mu, h);
    return array_copy(h[0], 16, 6);
}

static void wrench_margins(void* cone, size_t count, double* const* args)
{
    for (size_t i = 0; i < count; i++) {
        args[1][i] = br_wrench_cone_margin(cone, args[0] + 6 * i);
    }
}

static void wrench_checks(void* cone, size_t count, double* const* args)
{
    for (size_t i = 0; i < count; i++) {
        args[1][i] = br_wrench_cone_contains(cone, args[0] + 6 * i);
    }
}

static PyObject* wrench_cone_margin(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    return over(WRENCH_CONE, args, count, "w", 6, 0, wrench_margins);
}

static PyObject* wrench_cone_contains(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    return over(WRENCH_CONE, args, count, "w", 6, 0, wrench_checks);
}

static PyObject* limit_polyhedron_make(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject* handle;
    Py_ssize_t points;
    const br_limit* surface;
    if (!PyArg_ParseTuple(arguments, "On", &handle, &points) || !(surface = limit_get(handle))) {
        return NULL;
    }
    br_limit_polyhedron* polyhedra;
    br_reason why;
    br_status status;
    Py_BEGIN_ALLOW_THREADS
    status = br_limit_polyhedron_create(surface, points < 0 ? 0 : (size_t)points, &polyhedra, &why);
    Py_END_ALLOW_THREADS
    return status == BR_OK
               ? handle_make(LIMIT_POLYHEDRON, polyhedra, destroy_limit_polyhedron, NULL)
               : raise_status(status, &why);
}

// (polyhedra, outer): h (n x 4), v (m x 3), error
static PyObject* limit_polyhedron_rows(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject* handle;
    int outer;
    const br_limit_polyhedron* p;
    if (!PyArg_ParseTuple(arguments, "Op", &handle, &outer) ||
        !(p = handle_get(handle, LIMIT_POLYHEDRON))) {
        return NULL;
    }
    const br_polyhedron_side side = outer ? BR_POLYHEDRON_OUTER : BR_POLYHEDRON_INNER;
    PyObject* h =
        array_copy(br_limit_polyhedron_get_h(p, side), br_limit_polyhedron_get_h_count(p, side), 4);
    PyObject* v =
        array_copy(br_limit_polyhedron_get_v(p, side), br_limit_polyhedron_get_v_count(p, side), 3);
    PyObject* all =
        h && v ? Py_BuildValue("OOd", h, v, br_limit_polyhedron_get_error(p, side)) : NULL;
    Py_XDECREF(h);
    Py_XDECREF(v);
    return all;
}

typedef struct grip {
    const br_limit* surface;
    double mu;
} grip;

static void one_patch(void* context, size_t count, double* const* args)
{
    const grip* with = context;
    for (size_t i = 0; i < count; i++) {
        const double* w = args[0] + 3 * i;
        args[1][i] = br_grasp_one_patch(with->surface, with->mu, (br_wrench){w[0], w[1], w[2]});
    }
}

static PyObject* grip_surface(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    grip with;
    if (!has_arguments("grip_surface", count, 4) || !(with.surface = limit_get(args[0]))) {
        return NULL;
    }
    with.mu = PyFloat_AsDouble(args[1]);
    if (PyErr_Occurred()) {
        return NULL;
    }
    array_call call;
    array_begin(&call, GRASP_COST);
    array_in(&call, "load", args[2], 3);
    array_out(&call, "out", args[3], 0);
    return array_run(&call, one_patch, &with);
}

static PyObject* grip_patch(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject* handle;
    double mu, fn;
    br_wrench w;
    const br_patch* patch;
    if (!PyArg_ParseTuple(arguments, "Od(ddd)", &handle, &mu, &w.fx, &w.fy, &w.tau) ||
        !(patch = patch_get(handle))) {
        return NULL;
    }
    br_reason why;
    br_status status;
    Py_BEGIN_ALLOW_THREADS
    status = br_grasp_patch_get_force(patch, mu, w, &fn, &why);
    Py_END_ALLOW_THREADS
    return status == BR_OK ? PyFloat_FromDouble(fn) : raise_status(status, &why);
}

static void two_fingers(void* context, size_t count, double* const* args)
{
    for (size_t i = 0; i < count; i++) {
        const br_grasp_value value = br_grasp_eval(context, args[0] + 6 * i);
        double *fn = args[1] + 2 * i, *f = args[2] + 6 * i;
        for (int k = 0; k < 2; k++) {
            fn[k] = value.fn[k];
            f[3 * k] = value.wrench[k].fx;
            f[3 * k + 1] = value.wrench[k].fy;
            f[3 * k + 2] = value.wrench[k].tau;
        }
    }
}

// (surface 0, surface 1, mu 0, mu 1, half_gap, load)
static PyObject* grasp_eval(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject *first, *second, *load;
    br_grasp grasp;
    if (!PyArg_ParseTuple(arguments, "OOdddO", &first, &second, &grasp.mu[0], &grasp.mu[1],
                          &grasp.half_gap, &load) ||
        !(grasp.surface[0] = limit_get(first)) || !(grasp.surface[1] = limit_get(second))) {
        return NULL;
    }
    array_call call;
    array_begin(&call, 10.0 * GRASP_COST);
    array_in(&call, "load", load, 6);
    array_out(&call, "fn", NULL, 2);
    array_out_matrix(&call, "wrench", NULL, 2, 3);
    return array_run(&call, two_fingers, &grasp);
}

PyMethodDef cone_functions[] = {
    {"cone_make", cone_make, METH_VARARGS, NULL},
    {"cone_axes", cone_axes, METH_O, NULL},
    {"cone_split", FAST(cone_split)},
    {"cone_margin", FAST(cone_margin)},
    {"cone_contains", FAST(cone_contains)},
    {"cone_project", FAST(cone_project)},
    {"polyhedron_make", polyhedron_make, METH_VARARGS, NULL},
    {"polyhedron_rows", polyhedron_rows, METH_O, NULL},
    {"polyhedron_margin", FAST(polyhedron_margin)},
    {"polyhedron_contains", FAST(polyhedron_contains)},
    {"wrench_cone_make", wrench_cone_make, METH_O, NULL},
    {"wrench_cone_rows", wrench_cone_rows, METH_O, NULL},
    {"wrench_cone_rectangle", wrench_cone_rectangle, METH_VARARGS, NULL},
    {"wrench_cone_margin", FAST(wrench_cone_margin)},
    {"wrench_cone_contains", FAST(wrench_cone_contains)},
    {"limit_polyhedron_make", limit_polyhedron_make, METH_VARARGS, NULL},
    {"limit_polyhedron_rows", limit_polyhedron_rows, METH_VARARGS, NULL},
    {"grip_surface", FAST(grip_surface)},
    {"grip_patch", grip_patch, METH_VARARGS, NULL},
    {"grasp_eval", grasp_eval, METH_VARARGS, NULL},
    {0}};
