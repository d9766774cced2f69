/*
 * Functions that are not in bindings/core: lists of names and numbers, a search that may fail.
 */
#include "bristle/engine.h"

#include "beside.h"
#include "bristle/grasp.h"
#include "things.h"

// Names of the methods for contacts, in the order of br_method.
static PyObject* contact_methods(PyObject* module, PyObject* none)
{
    (void)module;
    (void)none;
#define METHOD_FORMAT(kind, kind_name) "s"
#define METHOD_NAME(kind, kind_name)   , kind_name
    return Py_BuildValue("[" BR_METHOD_LIST(METHOD_FORMAT) "]" BR_METHOD_LIST(METHOD_NAME));
#undef METHOD_FORMAT
#undef METHOD_NAME
}

static PyObject* engine_numbers(PyObject* module, PyObject* handle)
{
    (void)module;
    const br_engine* engine = handle_get(handle, binding_kind_names[KIND_ENGINE]);
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

typedef struct grip_search {
    const br_patch* patch;
    double mu, fn;
    br_wrench load;
    br_status status;
    br_reason why;
} grip_search;

static void search_grip(void* of)
{
    grip_search* g = of;
    g->status = br_grasp_patch_get_force(g->patch, g->mu, g->load, &g->fn, &g->why);
}

static PyObject* grip_patch(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject* handle;
    grip_search g = {.patch = NULL};
    br_wrench* w = &g.load;
    if (!PyArg_ParseTuple(arguments, "Od(ddd)", &handle, &g.mu, &w->fx, &w->fy, &w->tau) ||
        !(g.patch = patch_get(handle)) || !beside_run(&g, sizeof g, search_grip, NULL, handle)) {
        return NULL;
    }
    return g.status == BR_OK ? PyFloat_FromDouble(g.fn) : raise_status(g.status, &g.why);
}

PyMethodDef other_functions[] = {{"contact_methods", contact_methods, METH_NOARGS, NULL},
                                 {"engine_numbers", engine_numbers, METH_O, NULL},
                                 {"grip_patch", grip_patch, METH_VARARGS, NULL},
                                 {0}};
