// What all files of the extension share: Python's stable interface, errors, handles.
#ifndef BRISTLE_PYTHON_H
#define BRISTLE_PYTHON_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "bristle/base.h"

// What the Python side hands over once: numpy.empty, numpy.shares_memory, a function that makes an array of
// float64 from anything, and one that makes an exception from (status, field, text).
typedef struct from_python {
    PyObject* empty;
    PyObject* share;
    PyObject* convert;
    PyObject* exception;
} from_python;

extern from_python given;

// Raise what a status stands for. Returns NULL.
PyObject* raise_status(br_status status, const br_reason* why);

// Raise an ArgumentError of an argument. Returns NULL.
PyObject* raise_argument(const char* name, const char* format, ...) BR_PRINTF(2, 3);

// Is the number of arguments right? Raises a TypeError if not.
int has_arguments(const char* function, Py_ssize_t count, Py_ssize_t wanted);

// A thing of C as Python holds it. `keeps` (may be NULL) stays alive as long as the handle.
PyObject* handle_make(const char* kind, void* thing, PyCapsule_Destructor destroy, PyObject* keeps);

// The thing of a handle; NULL with an exception if it is another's.
void* handle_get(PyObject* handle, const char* kind);

// The thing of a handle that is being destroyed; lets go of what it keeps.
void* handle_end(PyObject* handle);

// A function that takes its arguments as an array of C, for a table of functions.
#define FAST(function) (PyCFunction)(void (*)(void))(function), METH_FASTCALL, NULL

// The functions of each file, by name.
extern PyMethodDef law_functions[];
extern PyMethodDef patch_functions[];
extern PyMethodDef limit_functions[];
extern PyMethodDef engine_functions[];
extern PyMethodDef contact_functions[];
extern PyMethodDef cone_functions[];
extern PyMethodDef slider_functions[];
extern PyMethodDef body_functions[];
extern PyMethodDef mechanism_functions[];
extern PyMethodDef scenario_functions[];
extern PyMethodDef fit_law_functions[];
extern PyMethodDef fit_pressure_functions[];
extern PyMethodDef sweep_functions[];

#endif
