/*
 * Friction laws from motion: bristle/fit_law.h.
 */
#include "bristle/fit_law.h"

#include "array.h"
#include "fit.h"
#include "things.h"

#include <string.h>

// A column of measurements: one dimension of float64.
typedef struct column {
    PyObject* owned; // NULL: not given
    Py_buffer view;
} column;

static int column_take(PyObject* object, const char* name, column* out)
{
    out->owned = NULL;
    if (object == Py_None) {
        return 1;
    }
    out->owned = PyObject_CallFunctionObjArgs(given.convert, object, NULL);
    if (!out->owned || PyObject_GetBuffer(out->owned, &out->view, PyBUF_C_CONTIGUOUS) < 0) {
        Py_CLEAR(out->owned);
        return 0;
    }
    if (out->view.ndim != 1) {
        PyBuffer_Release(&out->view);
        Py_CLEAR(out->owned);
        raise_argument(name, "must have one dimension");
        return 0;
    }
    return 1;
}

static void column_release(column* c)
{
    if (c->owned) {
        PyBuffer_Release(&c->view);
        Py_CLEAR(c->owned);
    }
}

static const double* column_numbers(const column* c)
{
    return c->owned ? c->view.buf : NULL;
}

enum { COLUMNS = 5 };
static const char* const column_names[COLUMNS] = {"t", "v", "f", "fn", "load"};

static void columns_release(column* columns)
{
    for (int i = 0; i < COLUMNS; i++) {
        column_release(&columns[i]);
    }
}

// t, v, f, fn, load, all of one length; fills the data. 0 with an exception.
static int columns_take(PyObject* objects[COLUMNS], column* columns, br_fit_law_data* data)
{
    memset(columns, 0, COLUMNS * sizeof *columns);
    for (int i = 0; i < COLUMNS; i++) {
        if (!column_take(objects[i], column_names[i], &columns[i])) {
            columns_release(columns);
            return 0;
        }
    }
    for (int i = 0; i < COLUMNS; i++) {
        if (columns[i].owned && columns[i].view.shape[0] != columns[1].view.shape[0]) {
            raise_argument(column_names[i], "must be as long as v");
            columns_release(columns);
            return 0;
        }
    }
    *data = (br_fit_law_data){(size_t)columns[1].view.shape[0], column_numbers(&columns[0]),
                              column_numbers(&columns[1]),      column_numbers(&columns[2]),
                              column_numbers(&columns[3]),      column_numbers(&columns[4])};
    return 1;
}

static PyObject* estimates_of(const br_fit_law_result* r)
{
    PyObject* all = PyTuple_New(BR_FIT_COUNT);
    for (int k = 0; all && k < BR_FIT_COUNT; k++) {
        PyObject* one = fit_estimate(&r->estimates[k]);
        if (!one || PyTuple_SetItem(all, k, one) < 0) {
            Py_CLEAR(all);
        }
    }
    return all;
}

static PyObject* correlations_of(const br_fit_law_result* r)
{
    PyObject* all = PyTuple_New((Py_ssize_t)BR_FIT_COUNT * BR_FIT_COUNT);
    for (int k = 0; all && k < BR_FIT_COUNT * BR_FIT_COUNT; k++) {
        PyObject* one = PyFloat_FromDouble(r->correlation[k / BR_FIT_COUNT][k % BR_FIT_COUNT]);
        if (!one || PyTuple_SetItem(all, k, one) < 0) {
            Py_CLEAR(all);
        }
    }
    return all;
}

// Places and the offsets there, as pairs.
static PyObject* map_of(const br_fit_offset_map* map)
{
    PyObject* all = PyTuple_New((Py_ssize_t)map->count);
    for (size_t i = 0; all && i < map->count; i++) {
        const double place =
            map->from + (map->to - map->from) * (double)i / (double)(map->count - 1);
        PyObject* one = Py_BuildValue("(dd)", place, map->offset[i]);
        if (!one || PyTuple_SetItem(all, (Py_ssize_t)i, one) < 0) {
            Py_CLEAR(all);
        }
    }
    return all;
}

static PyObject* result_of(const br_fit_law_result* r)
{
    PyObject *estimates = estimates_of(r), *correlations = correlations_of(r);
    PyObject* map = map_of(&r->map);
    if (!estimates || !correlations || !map) {
        Py_XDECREF(estimates);
        Py_XDECREF(correlations);
        Py_XDECREF(map);
        return NULL;
    }
    return Py_BuildValue(
        "{s:N,s:N,s:N,s:n,s:d,s:d,s:d,s:d,s:d,s:i,s:d,s:n,s:d,s:i,s:n,s:i,s:s,s:d}", "estimates",
        estimates, "correlations", correlations, "map", map, "rows", (Py_ssize_t)r->count, "rms",
        r->rms, "rms_held_out", r->rms_held_out, "noise", r->noise, "bic", r->bic,
        "lag_correlation", r->lag_correlation, "white", r->is_white, "widening", r->widening,
        "outliers", (Py_ssize_t)r->outliers, "passivity_margin", r->passivity_margin, "converged",
        r->is_converged, "evaluations", (Py_ssize_t)r->evaluations, "next_parameter",
        r->next.parameter, "next_words", r->next.words, "next_shrinkage", r->next.shrinkage);
}

// law_fit(law, t, v, f, fn, load, free, fixed, values, train, level, by_position, robust, passive, profile,
// starts)
// -> (result, forces of the fit written into `out`)
static PyObject* law_fit(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject *objects[COLUMNS], *values, *out;
    br_fit_law_def def = br_fit_law_def_default();
    int law;
    Py_ssize_t train, starts;
    if (!PyArg_ParseTuple(arguments, "iOOOOOIIOndiiiinO", &law, &objects[0], &objects[1],
                          &objects[2], &objects[3], &objects[4], &def.free, &def.fixed, &values,
                          &train, &def.level, &def.by_position, &def.robust, &def.passive,
                          &def.profile, &starts, &out)) {
        return NULL;
    }
    for (Py_ssize_t k = 0; k < BR_FIT_COUNT; k++) {
        PyObject* value = PyTuple_GetItem(values, k);
        def.values[k] = value ? PyFloat_AsDouble(value) : 0.0;
        if (PyErr_Occurred()) {
            return NULL;
        }
    }
    def.law = (br_fit_law_kind)law;
    def.train = (size_t)train;
    def.starts = (size_t)starts;
    column columns[COLUMNS];
    Py_buffer forces;
    if (!columns_take(objects, columns, &def.data)) {
        return NULL;
    }
    if (PyObject_GetBuffer(out, &forces, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE) < 0) {
        columns_release(columns);
        return NULL;
    }
    br_fit_law_result fit;
    br_reason why = {"", ""};
    enum { SELDOM = 64 }; // it asks at every evaluation
    fit_wait wait;
    const br_fit_watch watch = fit_wait_begin(&wait, SELDOM);
    br_status status = br_fit_law(&def, &watch, &fit, &why);
    if (status == BR_OK) {
        status = br_fit_law_eval(&fit, &def.data, forces.buf, &why);
    }
    const int goes_on = fit_wait_end(&wait);
    PyBuffer_Release(&forces);
    columns_release(columns);
    if (!goes_on) {
        return NULL;
    }
    return status == BR_OK ? result_of(&fit) : raise_status(status, &why);
}

static PyObject* fit_law_names(PyObject* module, PyObject* unused)
{
    (void)module, (void)unused;
    PyObject* laws = PyList_New(0);
    for (int k = 0; laws && k < BR_FIT_LAW_COUNT; k++) {
        PyObject* one = Py_BuildValue("(ss)", br_fit_law_name((br_fit_law_kind)k),
                                      br_law_name(br_fit_law_get_law((br_fit_law_kind)k)));
        if (!one || PyList_Append(laws, one) < 0) {
            Py_CLEAR(laws);
        }
        Py_XDECREF(one);
    }
    PyObject* names = PyList_New(0);
    for (int k = 0; names && k < BR_FIT_COUNT; k++) {
        PyObject* one = PyUnicode_FromString(br_fit_law_get_name(k));
        if (!one || PyList_Append(names, one) < 0) {
            Py_CLEAR(names);
        }
        Py_XDECREF(one);
    }
    return laws && names ? Py_BuildValue("(NN)", laws, names) : NULL;
}

PyMethodDef fit_law_functions[] = {{"law_fit", law_fit, METH_VARARGS, NULL},
                                   {"fit_law_names", fit_law_names, METH_NOARGS, NULL},
                                   {0}};
