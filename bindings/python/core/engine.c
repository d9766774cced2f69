/*
 * Patches as physics engines take them: bristle/engine.h.
 */
#include "bristle/engine.h"

#include "array.h"
#include "things.h"

static const char KIND[] = "bristle.engine";
static const double COST = 50.0; // of a wrench or a gauge [ns], but for faces

static void destroy(PyObject* handle)
{
    br_engine_destroy(handle_end(handle));
}

static PyObject* engine_make(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject* patch;
    int kind, flat;
    double mu, fn;
    Py_ssize_t faces;
    if (!PyArg_ParseTuple(arguments, "Oiddin", &patch, &kind, &mu, &fn, &flat, &faces)) {
        return NULL;
    }
    br_engine_def def = br_engine_def_default((br_engine_kind)kind);
    if (!(def.patch = patch_get(patch))) {
        return NULL;
    }
    def.mu = mu;
    def.fn = fn;
    def.flat = flat < 0 ? def.flat : flat; // below 0: the engine's own
    def.faces = faces < 0 ? 0 : (size_t)faces;
    br_engine* engine;
    br_reason why;
    const br_status status = br_engine_create(&def, &engine, &why);
    return status == BR_OK ? handle_make(KIND, engine, destroy, patch) : raise_status(status, &why);
}

static PyObject* engine_numbers(PyObject* module, PyObject* handle)
{
    (void)module;
    const br_engine* engine = handle_get(handle, KIND);
    PyObject* all = engine ? PyDict_New() : NULL;
    if (!all) {
        return NULL;
    }
    br_engine_number numbers[BR_ENGINE_NUMBERS];
    const size_t count = br_engine_get_numbers(engine, numbers);
    for (size_t i = 0; i < count; i++) {
        PyObject* value = PyFloat_FromDouble(numbers[i].value);
        if (!value || PyDict_SetItemString(all, numbers[i].name, value) < 0) {
            Py_XDECREF(value);
            Py_DECREF(all);
            return NULL;
        }
        Py_DECREF(value);
    }
    return all;
}

static PyObject* engine_form(PyObject* module, PyObject* handle)
{
    (void)module;
    const br_engine* engine = handle_get(handle, KIND);
    return engine ? PyLong_FromLong((long)br_engine_get_form(engine)) : NULL;
}

static PyObject* engine_error(PyObject* module, PyObject* handle)
{
    (void)module;
    const br_engine* engine = handle_get(handle, KIND);
    if (!engine) {
        return NULL;
    }
    br_engine_error error;
    Py_BEGIN_ALLOW_THREADS
    error = br_engine_get_error(engine);
    Py_END_ALLOW_THREADS
    return Py_BuildValue("dddd", error.max, error.mean, error.slide_max, error.slide_mean);
}

static void wrench(void* engine, size_t count, double* const* args)
{
    for (size_t i = 0; i < count; i++) {
        const double* v = args[0] + 3 * i;
        const br_wrench f = br_engine_eval(engine, (br_twist){v[0], v[1], v[2]}).wrench;
        args[1][3 * i] = f.fx;
        args[1][3 * i + 1] = f.fy;
        args[1][3 * i + 2] = f.tau;
    }
}

static void gauge(void* engine, size_t count, double* const* args)
{
    for (size_t i = 0; i < count; i++) {
        const double* f = args[0] + 3 * i;
        args[1][i] = br_engine_gauge(engine, (br_wrench){f[0], f[1], f[2]});
    }
}

static PyObject* of_three(PyObject* const* args, Py_ssize_t count, const char* in, int core,
                          array_loop loop)
{
    br_engine* engine;
    if (!has_arguments("an engine's function", count, 3) || !(engine = handle_get(args[0], KIND))) {
        return NULL;
    }
    array_call call;
    array_begin(&call, COST);
    array_in(&call, in, args[1], 3);
    array_out(&call, "out", args[2], core);
    return array_run(&call, loop, engine);
}

static PyObject* engine_wrench(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    return of_three(args, count, "twists", 3, wrench);
}

static PyObject* engine_gauge(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    return of_three(args, count, "wrenches", 0, gauge);
}

PyMethodDef engine_functions[] = {{"engine_make", engine_make, METH_VARARGS, NULL},
                                  {"engine_numbers", engine_numbers, METH_O, NULL},
                                  {"engine_form", engine_form, METH_O, NULL},
                                  {"engine_error", engine_error, METH_O, NULL},
                                  {"engine_wrench", FAST(engine_wrench)},
                                  {"engine_gauge", FAST(engine_gauge)},
                                  {0}};
