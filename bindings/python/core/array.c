/*
 * Arrays of Python as arguments of functions of C.
 *
 *   take the buffers -> broadcast their leading dimensions -> make the outputs -> loop over pieces (array_run.c)
 *
 * Only the buffer protocol is used, not NumPy's own interface in C, so that one build serves all of its
 * versions.
 */
#include "array.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void array_begin(array_call* call, double cost)
{
    call->count = 0;
    call->cost = cost;
    call->room = 0;
}

static array* add(array_call* call, const char* name, PyObject* object, array_use use,
                  Py_ssize_t core)
{
    array* a = &call->arrays[call->count++];
    a->name = name;
    a->object = object == Py_None && use == ARRAY_OUT ? NULL : object;
    a->use = use;
    a->rank = core > 0;
    a->core[0] = core;
    a->core[1] = 1;
    a->not_negative = 0;
    a->absent = 0;
    a->silent = 0;
    a->has_view = 0;
    a->owned = NULL;
    a->size = core > 0 ? (size_t)core : 1;
    return a;
}

array* array_in(array_call* call, const char* name, PyObject* object, Py_ssize_t core)
{
    return add(call, name, object, ARRAY_IN, core);
}

array* array_out(array_call* call, const char* name, PyObject* object, Py_ssize_t core)
{
    return add(call, name, object, ARRAY_OUT, core);
}

array* array_aside(array_call* call, const char* name, PyObject* object, Py_ssize_t core)
{
    array* a = add(call, name, object, ARRAY_OUT, core);
    a->absent = !a->object;
    a->silent = 1;
    return a;
}

array* array_out_matrix(array_call* call, const char* name, PyObject* object, Py_ssize_t rows,
                        Py_ssize_t columns)
{
    array* a = add(call, name, object, ARRAY_OUT, rows);
    a->rank = 2;
    a->core[1] = columns;
    a->size = (size_t)(rows * columns);
    return a;
}

array* array_state(array_call* call, const char* name, PyObject* object, Py_ssize_t core)
{
    return add(call, name, object, ARRAY_STATE, core);
}

array* array_force(array_call* call, PyObject* object)
{
    array* a = add(call, "fn", object, ARRAY_IN, 0);
    a->not_negative = 1;
    return a;
}

int array_step_size(PyObject* object, double* h)
{
    *h = PyFloat_AsDouble(object);
    if (*h == -1.0 && PyErr_Occurred()) {
        PyErr_Format(PyExc_TypeError, "h: must be a number, got %R", object);
        return 0;
    }
    if (!(*h > 0.0) || isinf(*h)) {
        raise_argument("h", "must be > 0 and finite, got %g", *h);
        return 0;
    }
    return 1;
}

// Does a format of the buffer protocol mean a double in this machine's order?
static int is_double(const char* format)
{
    if (!format) {
        return 0;
    }
#if PY_LITTLE_ENDIAN
    const char own = '<';
#else
    const char own = '>';
#endif
    if (*format == '@' || *format == '=' || *format == own) {
        format++;
    }
    return strcmp(format, "d") == 0;
}

static int take_number(array* a)
{
    a->number = PyFloat_AsDouble(a->object);
    if (a->number == -1.0 && PyErr_Occurred()) {
        return 0;
    }
    a->data = (char*)&a->number;
    a->view.ndim = 0;
    return 1;
}

static int take_converted(array* a)
{
    a->owned = PyObject_CallFunctionObjArgs(given.convert, a->object, NULL);
    if (!a->owned) {
        PyObject *type, *value, *trace;
        PyErr_Fetch(&type, &value, &trace);
        PyErr_Format(PyExc_TypeError, "%s: %S", a->name, value ? value : type);
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(trace);
        return 0;
    }
    a->has_view = PyObject_GetBuffer(a->owned, &a->view, PyBUF_STRIDES | PyBUF_FORMAT) == 0;
    return a->has_view;
}

static int refuse_buffer(const array* a)
{
    const int reads = a->use == ARRAY_STATE;
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%s: must be a writable array of float64%s, got %R", a->name,
                 reads ? ", since it is advanced in place" : "", (PyObject*)Py_TYPE(a->object));
    return 0;
}

static int take_writable(array* a)
{
    const int flags = PyBUF_STRIDES | PyBUF_FORMAT | PyBUF_WRITABLE;
    a->has_view = PyObject_GetBuffer(a->object, &a->view, flags) == 0;
    return (a->has_view && is_double(a->view.format)) || refuse_buffer(a);
}

static int take_readable(array* a)
{
    if (PyFloat_Check(a->object) || PyLong_Check(a->object)) {
        return take_number(a);
    }
    a->has_view = PyObject_GetBuffer(a->object, &a->view, PyBUF_STRIDES | PyBUF_FORMAT) == 0;
    if (a->has_view && is_double(a->view.format)) {
        return 1;
    }
    if (a->has_view) {
        PyBuffer_Release(&a->view);
        a->has_view = 0;
    }
    PyErr_Clear();
    return take_converted(a);
}

enum { SHAPE_TEXT = 64 };

// A shape as Python prints it, some leading dimensions and some more; cut off where it is long.
static void write_shape(char* text, int leading, const Py_ssize_t* shape, int rank,
                        const Py_ssize_t* core)
{
    size_t at = (size_t)snprintf(text, SHAPE_TEXT, "(");
    for (int i = 0; i < leading + rank && at < SHAPE_TEXT; i++) {
        at += (size_t)snprintf(text + at, SHAPE_TEXT - at, i == 0 ? "%zd" : ", %zd",
                               i < leading ? shape[i] : core[i - leading]);
    }
    if (at < SHAPE_TEXT) {
        snprintf(text + at, SHAPE_TEXT - at, leading + rank == 1 ? ",)" : ")");
    }
}

static int refuse_shape(const array* a)
{
    char found[SHAPE_TEXT];
    write_shape(found, a->view.ndim, a->view.shape, 0, NULL);
    if (a->rank == 1) {
        raise_argument(a->name, "its last dimension must be %zd, got shape %s", a->core[0], found);
    } else {
        raise_argument(a->name, "its last dimensions must be %zd x %zd, got shape %s", a->core[0],
                       a->core[1], found);
    }
    return 0;
}

// Do the last dimensions fit, and do numbers lie on their natural places?
static int fits(array* a)
{
    a->leading = a->view.ndim - a->rank;
    int ok = a->leading >= 0 && a->view.ndim <= ARRAY_DIMENSIONS;
    for (int i = 0; ok && i < a->rank; i++) {
        ok = a->view.shape[a->leading + i] == a->core[i];
        a->core_step[i] = a->view.strides[a->leading + i];
    }
    return ok || refuse_shape(a);
}

static int take(array* a)
{
    if (a->use == ARRAY_OUT && !a->object) {
        return 1;
    }
    if (!(a->use == ARRAY_IN ? take_readable(a) : take_writable(a))) {
        return 0;
    }
    if (a->has_view) {
        a->data = a->view.buf;
    }
    return fits(a);
}

// Widen the call's leading shape by an input's.
static int widen(array_call* call, const array* a)
{
    const int more = a->leading - call->leading;
    if (more > 0) {
        memmove(call->shape + more, call->shape, (size_t)call->leading * sizeof call->shape[0]);
        for (int i = 0; i < more; i++) {
            call->shape[i] = 1;
        }
        call->leading = a->leading;
    }
    for (int i = 0; i < a->leading; i++) {
        Py_ssize_t* length = &call->shape[call->leading - a->leading + i];
        if (*length == 1) {
            *length = a->view.shape[i];
        } else if (a->view.shape[i] != 1 && a->view.shape[i] != *length) {
            raise_argument(a->name,
                           "its shape does not broadcast with those of the others: %zd "
                           "against %zd",
                           a->view.shape[i], *length);
            return 0;
        }
    }
    return 1;
}

// A written array has the shape of the call, no less.
static int has_full_shape(const array_call* call, const array* a)
{
    int ok = a->leading == call->leading;
    for (int i = 0; ok && i < call->leading; i++) {
        ok = a->view.shape[i] == call->shape[i];
    }
    if (!ok) {
        char full[SHAPE_TEXT], found[SHAPE_TEXT];
        write_shape(full, call->leading, call->shape, a->rank, a->core);
        write_shape(found, a->view.ndim, a->view.shape, 0, NULL);
        raise_argument(a->name,
                       "it must have the full shape of the call %s, since it is written to; got %s",
                       full, found);
    }
    return ok;
}

static PyObject* shape_of(const array_call* call, const array* a)
{
    PyObject* shape = PyTuple_New(call->leading + a->rank);
    for (int i = 0; shape && i < call->leading + a->rank; i++) {
        const Py_ssize_t length = i < call->leading ? call->shape[i] : a->core[i - call->leading];
        PyObject* number = PyLong_FromSsize_t(length);
        if (!number || PyTuple_SetItem(shape, i, number) < 0) {
            Py_DECREF(shape);
            return NULL;
        }
    }
    return shape;
}

static int make_output(const array_call* call, array* a)
{
    PyObject* shape = shape_of(call, a);
    if (!shape) {
        return 0;
    }
    a->owned = PyObject_CallFunctionObjArgs(given.empty, shape, NULL);
    Py_DECREF(shape);
    if (!a->owned) {
        return 0;
    }
    const int flags = PyBUF_STRIDES | PyBUF_WRITABLE;
    a->has_view = PyObject_GetBuffer(a->owned, &a->view, flags) == 0;
    if (!a->has_view) {
        return 0;
    }
    a->data = a->view.buf;
    return fits(a);
}

// A single number as result of a call on single elements needs no array.
static int is_plain(const array_call* call, const array* a)
{
    return a->use == ARRAY_OUT && !a->object && a->rank == 0 && call->leading == 0;
}

static void make_plain(array* a)
{
    a->data = (char*)&a->number;
    a->view.ndim = 0;
    a->leading = 0;
}

// Steps along the call's dimensions, 0 where the array is repeated; is it as C wants it?
static void lay(const array_call* call, array* a)
{
    const int before = call->leading - a->leading;
    int direct = (uintptr_t)a->data % sizeof(double) == 0;
    Py_ssize_t expected = sizeof(double);
    for (int i = a->rank - 1; i >= 0; i--) {
        direct = direct && (a->core_step[i] == expected || a->core[i] == 1);
        expected *= a->core[i];
    }
    for (int i = call->leading - 1; i >= 0; i--) {
        const int own = i >= before && a->view.shape[i - before] != 1;
        a->step[i] = own ? a->view.strides[i - before] : 0;
        direct = direct && (a->step[i] == expected || call->shape[i] == 1);
        expected *= call->shape[i];
    }
    a->direct = direct;
}

// The bytes from the first to the last number of an array, whichever way its dimensions run.
static void extent(const array* a, const char** first, const char** end)
{
    *first = *end = a->view.buf;
    for (int i = 0; i < a->view.ndim; i++) {
        const Py_ssize_t way = (a->view.shape[i] - 1) * a->view.strides[i];
        *(way < 0 ? first : end) += way;
    }
    *end += sizeof(double);
}

// Do two arrays share a number? Those whose bytes mix but for that are apart, e.g. columns of one table.
// -1 with an exception.
static int overlap(const array* a, const array* b)
{
    if (!a->has_view || !b->has_view || a->view.len == 0 || b->view.len == 0) {
        return 0;
    }
    const char *p, *p_end, *q, *q_end;
    extent(a, &p, &p_end);
    extent(b, &q, &q_end);
    if (p >= q_end || q >= p_end) {
        return 0;
    }
    PyObject* const own = b->owned ? b->owned : b->object;
    PyObject* answer = PyObject_CallFunctionObjArgs(given.share, a->object, own, NULL);
    const int shared = answer ? PyObject_IsTrue(answer) : -1;
    Py_XDECREF(answer);
    return shared;
}

// What is written may not lie over anything else.
static int is_apart(const array_call* call, int written)
{
    const array* a = &call->arrays[written];
    for (int i = 0; i < call->count; i++) {
        const array* b = &call->arrays[i];
        const int shared = i != written && !b->absent ? overlap(a, b) : 0;
        if (shared > 0) {
            raise_argument(a->name, "it may not overlap %s", b->name);
        }
        if (shared != 0) {
            return 0;
        }
    }
    return 1;
}

static int prepare_output(array_call* call, int i)
{
    array* a = &call->arrays[i];
    if (is_plain(call, a)) {
        make_plain(a);
        return 1;
    }
    return a->use == ARRAY_OUT && !a->object ? make_output(call, a)
                                             : has_full_shape(call, a) && is_apart(call, i);
}

static int take_all(array_call* call)
{
    call->leading = 0;
    for (int i = 0; i < call->count; i++) {
        array* a = &call->arrays[i];
        if (!a->absent && (!take(a) || (a->use != ARRAY_OUT && !widen(call, a)))) {
            return 0;
        }
    }
    call->elements = 1;
    for (int i = 0; i < call->leading; i++) {
        call->elements *= (size_t)call->shape[i];
    }
    for (int i = 0; i < call->count; i++) {
        array* a = &call->arrays[i];
        if (a->absent) {
            continue;
        }
        if (a->use != ARRAY_IN && !prepare_output(call, i)) {
            return 0;
        }
        lay(call, a);
    }
    return 1;
}

static PyObject* result_of(const array_call* call, const array* a)
{
    if (is_plain(call, a)) {
        return PyFloat_FromDouble(a->number);
    }
    PyObject* object = a->object ? a->object : a->owned;
    Py_INCREF(object);
    return object;
}

static PyObject* results(const array_call* call)
{
    const array* outputs[ARRAY_MOST];
    Py_ssize_t count = 0;
    for (int i = 0; i < call->count; i++) {
        const array* a = &call->arrays[i];
        if (a->use == ARRAY_OUT && !a->absent && !a->silent) {
            outputs[count++] = a;
        }
    }
    if (count == 0) {
        Py_RETURN_NONE;
    }
    if (count == 1) {
        return result_of(call, outputs[0]);
    }
    PyObject* all = PyTuple_New(count);
    for (Py_ssize_t i = 0; all && i < count; i++) {
        PyObject* one = result_of(call, outputs[i]);
        if (!one || PyTuple_SetItem(all, i, one) < 0) {
            Py_DECREF(all);
            return NULL;
        }
    }
    return all;
}

static void let_go(array_call* call)
{
    for (int i = 0; i < call->count; i++) {
        array* a = &call->arrays[i];
        if (a->has_view) {
            PyBuffer_Release(&a->view);
        }
        Py_XDECREF(a->owned);
    }
}

typedef struct numbers {
    const double* from;
    size_t count;
} numbers;

static void copy_numbers(void* context, size_t count, double* const* args)
{
    (void)count;
    const numbers* with = context;
    if (with->count > 0) {
        memcpy(args[0], with->from, with->count * sizeof(double));
    }
}

PyObject* array_copy(const double* from, size_t rows, size_t columns)
{
    numbers with = {from, columns > 0 ? rows * columns : rows};
    array_call call;
    array_begin(&call, 0.0);
    array* a = array_out(&call, "copy", NULL, (Py_ssize_t)rows);
    a->rank = columns > 0 ? 2 : 1;
    a->core[1] = columns > 0 ? (Py_ssize_t)columns : 1;
    a->size = with.count;
    return array_run(&call, copy_numbers, &with);
}

int array_read(PyObject* object, const char* name, double* to, size_t count)
{
    PyObject* converted = PyObject_CallFunctionObjArgs(given.convert, object, NULL);
    Py_buffer view;
    if (!converted || PyObject_GetBuffer(converted, &view, PyBUF_FULL_RO) < 0) {
        Py_XDECREF(converted);
        return 0;
    }
    const int fits_in = (size_t)view.len == count * sizeof(double);
    if (fits_in && count > 0) {
        PyBuffer_ToContiguous(to, &view, view.len, 'C');
    }
    const Py_ssize_t found = view.len / (Py_ssize_t)sizeof(double);
    PyBuffer_Release(&view);
    Py_DECREF(converted);
    if (!fits_in) {
        raise_argument(name, "must be %zu numbers, got %zd", count, found);
    }
    return fits_in;
}

PyObject* array_run(array_call* call, array_loop loop, void* context)
{
    PyObject* result = NULL;
    if (take_all(call) && array_loop_over(call, loop, context)) {
        result = results(call);
    }
    let_go(call);
    return result;
}
