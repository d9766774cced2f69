// Shared by all files of the extension: Python's limited API, errors, handles.
#ifndef BRISTLE_PYTHON_H
#define BRISTLE_PYTHON_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "bristle/base.h"

// Functions that the Python side passes once: numpy.empty, numpy.shares_memory, one that converts anything to an
// array of float64, one that creates an exception from (status, field, text), and one that describes an argument
// for messages.
typedef struct from_python {
    PyObject* empty;
    PyObject* share;
    PyObject* convert;
    PyObject* exception;
    PyObject* describe;
} from_python;

extern from_python given;

// Raise the exception of a status. Returns NULL.
PyObject* raise_status(br_status status, const br_reason* why);

// Raise an ArgumentError for an argument. Returns NULL.
PyObject* raise_argument(const char* name, const char* format, ...) BR_PRINTF(2, 3);

// A Python handle of a C object. `keeps` (may be NULL) is kept alive as long as the handle.
PyObject* handle_make(const char* kind, void* thing, PyCapsule_Destructor destroy, PyObject* keeps);

// The C object of a handle; NULL with an exception if it is of another kind.
void* handle_get(PyObject* handle, const char* kind);

// The C object of a handle that is being destroyed; releases `keeps`.
void* handle_end(PyObject* handle);

// Add the functions of bindings/core/table.inc: call.c. Returns -1 with an exception if that fails.
int call_add_functions(PyObject* module);

// The functions of each file, by name.
extern PyMethodDef other_functions[];
extern PyMethodDef body_functions[];
extern PyMethodDef mechanism_functions[];
extern PyMethodDef scenario_functions[];
extern PyMethodDef fit_law_functions[];
extern PyMethodDef fit_pressure_functions[];
extern PyMethodDef sweep_functions[];
extern PyMethodDef worlds_functions[];
extern PyMethodDef gradient_functions[];
extern PyMethodDef worlds_gradient_functions[];

#endif
