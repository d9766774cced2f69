/*
 * The extension bristle._core: thin functions over handles and arrays. Names, units, defaults and
 * documentation are in the Python files.
 */
#include "python.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "array.h"
#include "bristle/bristle.h"

from_python given;

PyObject* raise_status(br_status status, const br_reason* why)
{
    PyObject* error = PyObject_CallFunction(given.exception, "iss", (int)status,
                                            why ? why->field : "", why ? why->text : "");
    if (error) {
        PyErr_SetObject((PyObject*)Py_TYPE(error), error);
        Py_DECREF(error);
    }
    return NULL;
}

PyObject* raise_argument(const char* name, const char* format, ...)
{
    char text[192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    br_reason why;
    br_reason_set(&why, name, "%s", text);
    return raise_status(BR_ERR_ARG, &why);
}

PyObject* handle_make(const char* kind, void* thing, PyCapsule_Destructor destroy, PyObject* keeps)
{
    PyObject* handle = PyCapsule_New(thing, kind, destroy);
    if (handle && keeps) {
        Py_INCREF(keeps);
        PyCapsule_SetContext(handle, keeps);
    }
    return handle;
}

void* handle_get(PyObject* handle, const char* kind)
{
    return PyCapsule_GetPointer(handle, kind);
}

void* handle_end(PyObject* handle)
{
    PyObject* keeps = PyCapsule_GetContext(handle);
    void* thing = PyCapsule_GetPointer(handle, PyCapsule_GetName(handle));
    Py_XDECREF(keeps);
    return thing;
}

static PyObject* install(PyObject* module, PyObject* arguments)
{
    (void)module;
    from_python with;
    if (!PyArg_ParseTuple(arguments, "OOOOO", &with.empty, &with.share, &with.convert,
                          &with.exception, &with.describe)) {
        return NULL;
    }
    Py_INCREF(with.empty);
    Py_INCREF(with.share);
    Py_INCREF(with.convert);
    Py_INCREF(with.exception);
    Py_INCREF(with.describe);
    given = with;
    Py_RETURN_NONE;
}

static PyObject* statuses(PyObject* module, PyObject* none)
{
    (void)module;
    (void)none;
    PyObject* all = PyDict_New();
#define STATUS(name, value, text)                                                                  \
    if (all) {                                                                                     \
        PyObject* words = PyUnicode_FromString(text);                                              \
        PyDict_SetItemString(all, #name, words);                                                   \
        Py_XDECREF(words);                                                                         \
    }
    BR_STATUS_LIST(STATUS)
#undef STATUS
    return all;
}

static PyObject* set_workers(PyObject* module, PyObject* count)
{
    (void)module;
    const int before = array_get_workers();
    const long wanted = PyLong_AsLong(count);
    if (wanted == -1 && PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError)) {
            return NULL;
        }
        PyErr_Clear();
        return raise_argument("count", "must be 1 to %d, got another integer", INT_MAX);
    }
    if (wanted < 1 || wanted > INT_MAX) {
        return raise_argument("count", "must be > 0, got %ld", wanted);
    }
    array_set_workers((int)wanted);
    return PyLong_FromLong(before);
}

static PyMethodDef own_functions[] = {
    {"install", install, METH_VARARGS,
     "Set numpy.empty, numpy.shares_memory, and functions that convert, create exceptions, describe."},
    {"set_workers", set_workers, METH_O,
     "Set the number of threads of a long call; returns the previous one."},
    {"statuses", statuses, METH_NOARGS, "The statuses of the library: name and text."},
    {0}};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "bristle._core",
                                        .m_doc = "The C library, thinly wrapped.", .m_size = -1};

PyMODINIT_FUNC PyInit__core(void)
{
    PyMethodDef* const tables[] = {
        own_functions,      other_functions,    body_functions,           mechanism_functions,
        scenario_functions, fit_law_functions,  fit_pressure_functions,   sweep_functions,
        worlds_functions,   gradient_functions, worlds_gradient_functions};
    PyObject* module = PyModule_Create(&definition);
    for (size_t i = 0; module && i < sizeof tables / sizeof *tables; i++) {
        if (PyModule_AddFunctions(module, tables[i]) < 0) {
            Py_DECREF(module);
            return NULL;
        }
    }
    if (module && (call_add_functions(module) < 0 ||
                   PyModule_AddStringConstant(module, "version", br_get_version()) < 0)) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
