/*
 * Python arrays as arguments of C functions.
 *
 *   get the buffers -> broadcast their leading dimensions -> create the outputs -> loop over pieces (array_run.c)
 *
 * Only the buffer protocol is used, not NumPy's C API, so that one build works with all its versions.
 */
#include "array.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void array_start(array_call* call, double cost)
{
    call->count = 0;
    call->cost = cost;
    call->memory = 0;
}

int array_number(PyObject* object, const char* name, double* number)
{
    *number = PyFloat_AsDouble(object);
    if (*number != -1.0 || !PyErr_Occurred()) {
        return 1;
    }
    if (PyErr_ExceptionMatches(PyExc_OverflowError)) {
        PyErr_Clear();
        raise_argument(name, "must be a number that fits a double, got a larger integer");
    } else {
        PyErr_Format(PyExc_TypeError, "%s: must be a number, got %R", name, object);
    }
    return 0;
}

int array_step_size(PyObject* object, double* h)
{
    if (!array_number(object, "h", h)) {
        return 0;
    }
    if (!(*h > 0.0) || isinf(*h)) {
        raise_argument("h", "must be > 0 and finite, got %g", *h);
        return 0;
    }
    return 1;
}

// Is this buffer format a double in this machine's byte order?
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

// Is this buffer format a real number, of any size and byte order?
static int is_real(const char* format)
{
    return format && format[0] && strchr("?bBhHiIlLqQefdg", format[strlen(format) - 1]) &&
           strlen(format) <= 2;
}

static int read_plain_number(array* a)
{
    if (!array_number(a->object, a->name, a->small)) {
        return 0;
    }
    a->data = (char*)a->small;
    a->view.ndim = 0;
    return 1;
}

// Convert any object to an array of float64. Returns NULL with an exception that names the argument.
static PyObject* convert(PyObject* object, const char* name)
{
    PyObject* made = PyObject_CallFunctionObjArgs(given.convert, object, NULL);
    if (!made && !PyErr_ExceptionMatches(PyExc_MemoryError)) {
        PyObject *type, *value, *trace;
        PyErr_Fetch(&type, &value, &trace);
        PyErr_Format(PyExc_TypeError, "%s: %S", name, value ? value : type);
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(trace);
    }
    return made;
}

// --- lists and tuples, read without NumPy, which would take longer than most calls

static int is_list(PyObject* object)
{
    return PyList_Check(object) || PyTuple_Check(object);
}

static Py_ssize_t list_length(PyObject* list)
{
    return PyList_Check(list) ? PyList_Size(list) : PyTuple_Size(list);
}

static PyObject* list_item(PyObject* list, Py_ssize_t i)
{
    return PyList_Check(list) ? PyList_GetItem(list, i) : PyTuple_GetItem(list, i);
}

// A float (numpy.float64 is one) or an int. Returns 0 for anything else, without an exception.
static int list_number(PyObject* item, double* number)
{
    if (!PyFloat_Check(item) && !PyLong_Check(item)) {
        return 0;
    }
    *number = PyFloat_AsDouble(item);
    if (*number == -1.0 && PyErr_Occurred()) { // an int that is too large
        PyErr_Clear();
        return 0;
    }
    return 1;
}

static int list_numbers(PyObject* list, Py_ssize_t count, double* numbers)
{
    int ok = list_length(list) == count;
    for (Py_ssize_t i = 0; ok && i < count; i++) {
        ok = list_number(list_item(list, i), &numbers[i]);
    }
    return ok;
}

// Read a short list of numbers, or of lists of numbers of one length. Returns 0 without an exception for any other
// list, which NumPy then converts or rejects.
static int read_list(array* a)
{
    const Py_ssize_t rows = list_length(a->object);
    PyObject* first = rows > 0 ? list_item(a->object, 0) : NULL;
    const int nested = first && is_list(first);
    const Py_ssize_t columns = nested ? list_length(first) : 1;
    if (rows <= 0 || columns <= 0 || rows > ARRAY_SMALL || columns > ARRAY_SMALL / rows) {
        return 0;
    }
    int ok = nested || list_numbers(a->object, rows, a->small);
    for (Py_ssize_t i = 0; nested && ok && i < rows; i++) {
        PyObject* row = list_item(a->object, i);
        ok = is_list(row) && list_numbers(row, columns, a->small + i * columns);
    }
    a->data = (char*)a->small;
    a->small_shape[0] = rows;
    a->small_shape[1] = columns;
    a->small_step[0] = columns * (Py_ssize_t)sizeof(double);
    a->small_step[1] = sizeof(double);
    a->view.ndim = nested ? 2 : 1;
    a->view.shape = a->small_shape;
    a->view.strides = a->small_step;
    return ok;
}

static int get_converted(array* a)
{
    a->owned = convert(a->object, a->name);
    if (!a->owned) {
        return 0;
    }
    a->has_view = PyObject_GetBuffer(a->owned, &a->view, PyBUF_STRIDES | PyBUF_FORMAT) == 0;
    return a->has_view;
}

static int refuse_buffer(const array* a)
{
    const int reads = a->use == ARRAY_STATE;
    PyErr_Clear();
    PyObject* found = PyObject_CallFunctionObjArgs(given.describe, a->object, NULL);
    if (found) {
        PyErr_Format(PyExc_TypeError, "%s: must be a writable array of float64%s, got %S", a->name,
                     reads ? ", since it is advanced in place" : "", found);
        Py_DECREF(found);
    }
    return 0;
}

static int get_writable(array* a)
{
    const int flags = PyBUF_STRIDES | PyBUF_FORMAT | PyBUF_WRITABLE;
    a->has_view = PyObject_GetBuffer(a->object, &a->view, flags) == 0;
    return (a->has_view && is_double(a->view.format)) || refuse_buffer(a);
}

static int get_readable(array* a)
{
    if (PyFloat_Check(a->object) || PyLong_Check(a->object)) {
        return read_plain_number(a);
    }
    if (is_list(a->object)) {
        return read_list(a) || get_converted(a);
    }
    a->has_view = PyObject_GetBuffer(a->object, &a->view, PyBUF_STRIDES | PyBUF_FORMAT) == 0;
    if (a->has_view && is_double(a->view.format)) {
        return 1;
    }
    int is_number = 0; // a NumPy scalar
    if (a->has_view) {
        is_number = a->view.ndim == 0 && is_real(a->view.format);
        PyBuffer_Release(&a->view);
        a->has_view = 0;
    }
    PyErr_Clear();
    return is_number ? read_plain_number(a) : get_converted(a);
}

enum { SHAPE_TEXT = 64 };

// A shape as Python prints it: leading dimensions and those of the core; truncated if it is long.
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

// Do the last dimensions fit, and are the numbers aligned?
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

static int get_buffer(array* a)
{
    if (a->use == ARRAY_OUT && !a->object) {
        return 1;
    }
    if (!(a->use == ARRAY_IN ? get_readable(a) : get_writable(a))) {
        return 0;
    }
    if (a->has_view) {
        a->data = a->view.buf;
    }
    return fits(a);
}

// Broadcast the call's leading shape with that of an input.
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
            char found[SHAPE_TEXT], others[SHAPE_TEXT];
            write_shape(found, a->view.ndim, a->view.shape, 0, NULL);
            write_shape(others, call->leading, call->shape, 0, NULL);
            raise_argument(a->name,
                           "shape %s does not broadcast with %s, the leading dimensions of the "
                           "others: %zd against %zd",
                           found, others, a->view.shape[i], *length);
            return 0;
        }
    }
    return 1;
}

// A written array must have the full shape of the call.
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

static int create_output(const array_call* call, array* a)
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

// A single number as the result of a call on single elements needs no array.
static int is_plain(const array_call* call, const array* a)
{
    return a->use == ARRAY_OUT && !a->object && a->rank == 0 && call->leading == 0;
}

static void create_plain(array* a)
{
    a->data = (char*)a->small;
    a->view.ndim = 0;
    a->leading = 0;
}

// Set the strides along the call's dimensions, 0 where the array is repeated, and whether C can use it directly.
static void set_strides(const array_call* call, array* a)
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

// The memory range of an array; its strides may be negative.
static void extent(const array* a, const char** first, const char** end)
{
    *first = *end = a->view.buf;
    for (int i = 0; i < a->view.ndim; i++) {
        const Py_ssize_t reach = (a->view.shape[i] - 1) * a->view.strides[i];
        *(reach < 0 ? first : end) += reach;
    }
    *end += sizeof(double);
}

// Do two arrays share a number? Interleaved arrays do not, e.g. columns of one table. -1 with an exception.
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

// A written array must not overlap any other.
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
        create_plain(a);
        return 1;
    }
    return a->use == ARRAY_OUT && !a->object ? create_output(call, a)
                                             : has_full_shape(call, a) && is_apart(call, i);
}

static int get_all_buffers(array_call* call)
{
    call->leading = 0;
    for (int i = 0; i < call->count; i++) {
        array* a = &call->arrays[i];
        if (!a->absent && (!get_buffer(a) || (a->use != ARRAY_OUT && !widen(call, a)))) {
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
        set_strides(call, a);
    }
    return 1;
}

static PyObject* result_of(const array_call* call, const array* a)
{
    if (is_plain(call, a)) {
        return PyFloat_FromDouble(a->small[0]);
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

static void release_all(array_call* call)
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
    array_start(&call, 0.0);
    const Py_ssize_t core[2] = {(Py_ssize_t)rows, columns > 0 ? (Py_ssize_t)columns : 1};
    array_add(&call, "copy", NULL, ARRAY_OUT, columns > 0 ? 2 : 1, core);
    return array_run(&call, copy_numbers, &with);
}

int array_read(PyObject* object, const char* name, double* to, size_t count)
{
    PyObject* converted = convert(object, name);
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

// The required shape of a buffer, as Python prints it: "n" means any length.
static void write_lengths(char* text, int rank, const Py_ssize_t* lengths)
{
    size_t at = (size_t)snprintf(text, SHAPE_TEXT, "(");
    for (int i = 0; i < rank && at < SHAPE_TEXT; i++) {
        const char* separator = i == 0 ? "" : ", ";
        at += (size_t)(lengths[i] < 0
                           ? snprintf(text + at, SHAPE_TEXT - at, "%sn", separator)
                           : snprintf(text + at, SHAPE_TEXT - at, "%s%zd", separator, lengths[i]));
    }
    if (at < SHAPE_TEXT) {
        snprintf(text + at, SHAPE_TEXT - at, rank == 1 ? ",)" : ")");
    }
}

static int has_lengths(const Py_buffer* view, int rank, const Py_ssize_t* lengths)
{
    int ok = view->ndim == rank;
    for (int i = 0; ok && i < rank; i++) {
        ok = lengths[i] < 0 || view->shape[i] == lengths[i];
    }
    return ok;
}

int array_view(PyObject* object, const char* name, int rank, const Py_ssize_t* lengths,
               array_access access, Py_buffer* view)
{
    const int has_view = PyObject_GetBuffer(object, view, PyBUF_STRIDES | PyBUF_FORMAT) == 0;
    if (has_view && is_double(view->format) && has_lengths(view, rank, lengths) &&
        PyBuffer_IsContiguous(view, 'C') && (uintptr_t)view->buf % sizeof(double) == 0 &&
        (access == ARRAY_READ_ONLY || !view->readonly)) {
        return 1;
    }
    PyErr_Clear();
    if (has_view) {
        PyBuffer_Release(view);
    }
    PyObject* found = PyObject_CallFunctionObjArgs(given.describe, object, NULL);
    const char* words = found ? PyUnicode_AsUTF8AndSize(found, NULL) : NULL;
    if (words) {
        char expected[SHAPE_TEXT];
        write_lengths(expected, rank, lengths);
        raise_argument(name, "must be a %scontiguous array of float64 of shape %s, got %s",
                       access == ARRAY_WRITABLE ? "writable " : "", expected, words);
    }
    Py_XDECREF(found);
    return 0;
}

PyObject* array_run(array_call* call, array_loop loop, void* context)
{
    PyObject* result = NULL;
    if (get_all_buffers(call) && array_loop_over(call, loop, context)) {
        result = results(call);
    }
    release_all(call);
    return result;
}
