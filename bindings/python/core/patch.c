/*
 * Contact patches: bristle/patch.h.
 */
#include "bristle/patch.h"

#include "array.h"
#include "things.h"

#include <string.h>

static const char KIND[] = "bristle.patch";

static void destroy(PyObject* handle)
{
    br_patch_destroy(handle_end(handle));
}

const br_patch* patch_get(PyObject* handle)
{
    return handle_get(handle, KIND);
}

static int is_named(const char* name, br_shape* shape)
{
#define SHAPE_NAME(kind, kind_name)                                                                \
    if (strcmp(name, kind_name) == 0) {                                                            \
        *shape = kind;                                                                             \
        return 1;                                                                                  \
    }
    BR_SHAPE_LIST(SHAPE_NAME)
#undef SHAPE_NAME
    raise_argument("shape", "no such shape: %s", name);
    return 0;
}

// The numbers of a polygon (n x 2), of points (n x 3) or of a grid (rows x columns).
static void set_numbers(br_patch_def* def, const Py_buffer* view)
{
    const Py_ssize_t* shape = view->shape;
    if (def->shape == BR_SHAPE_POLYGON) {
        def->count = (size_t)shape[0];
        def->vertices = view->buf;
    } else if (def->shape == BR_SHAPE_POINTS) {
        def->count = (size_t)shape[0];
        def->points = view->buf;
    } else if (def->shape == BR_SHAPE_GRID) {
        def->rows = (size_t)shape[0];
        def->columns = (size_t)shape[1];
        def->cells = view->buf;
    }
}

static PyObject* create(const br_patch_def* def)
{
    br_patch* patch;
    br_reason why;
    const br_status status = br_patch_create(def, &patch, &why);
    return status == BR_OK ? handle_make(KIND, patch, destroy, NULL) : raise_status(status, &why);
}

// (shape, radius (3), size_x, size_y, length, numbers, pressure, k (3), from, to, sampling, placement (3));
// the Python side has made sure that `numbers` is a contiguous array of float64 with two dimensions
static PyObject* patch_make(PyObject* module, PyObject* arguments)
{
    (void)module;
    br_patch_def def = br_patch_def_default();
    const char* shape;
    PyObject* numbers;
    int pressure, sampling;
    if (!PyArg_ParseTuple(arguments, "s(ddd)dddOi(ddd)ddi(ddd)", &shape, &def.radius.coefficient,
                          &def.radius.exponent, &def.radius.max, &def.size_x, &def.size_y,
                          &def.length, &numbers, &pressure, &def.k.coefficient, &def.k.exponent,
                          &def.k.max, &def.from, &def.to, &sampling, &def.centre.x, &def.centre.y,
                          &def.angle) ||
        !is_named(shape, &def.shape)) {
        return NULL;
    }
    def.pressure = (br_pressure_kind)pressure;
    def.sampling = (br_sampling)sampling;
    if (numbers == Py_None) {
        return create(&def);
    }
    Py_buffer view;
    if (PyObject_GetBuffer(numbers, &view, PyBUF_C_CONTIGUOUS) < 0) {
        return NULL;
    }
    set_numbers(&def, &view);
    PyObject* handle = create(&def);
    PyBuffer_Release(&view);
    return handle;
}

static void eval(void* patch, size_t count, double* const* args)
{
    for (size_t i = 0; i < count; i++) {
        const br_patch_value value = br_patch_eval(patch, args[0][i]);
        args[1][2 * i] = value.cop.x;
        args[1][2 * i + 1] = value.cop.y;
        args[2][i] = value.r;
        args[3][i] = value.u;
        args[4][i] = value.area;
    }
}

static PyObject* patch_eval(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    br_patch* patch;
    if (!has_arguments("patch_eval", count, 2) || !(patch = handle_get(args[0], KIND))) {
        return NULL;
    }
    array_call call;
    array_begin(&call, 1000.0);
    array_force(&call, args[1]);
    array_out(&call, "cop", NULL, 2);
    array_out(&call, "r", NULL, 0);
    array_out(&call, "u", NULL, 0);
    array_out(&call, "area", NULL, 0);
    return array_run(&call, eval, patch);
}

static PyObject* patch_depends_on_force(PyObject* module, PyObject* handle)
{
    (void)module;
    const br_patch* patch = patch_get(handle);
    return patch ? PyBool_FromLong(br_patch_depends_on_force(patch)) : NULL;
}

PyMethodDef patch_functions[] = {{"patch_make", patch_make, METH_VARARGS, NULL},
                                 {"patch_eval", FAST(patch_eval)},
                                 {"patch_depends_on_force", patch_depends_on_force, METH_O, NULL},
                                 {0}};
