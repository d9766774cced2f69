/*
 * Friction laws from motion: bristle/fit_law.h.
 */
#include "bristle/fit_law.h"

#include "array.h"
#include "beside.h"
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
    const Py_ssize_t any = -1;
    if (!out->owned || !array_view(out->owned, name, 1, &any, ARRAY_READ_ONLY, &out->view)) {
        Py_CLEAR(out->owned);
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
            raise_argument(column_names[i], "must be as long as v, %zd, got %zd",
                           columns[1].view.shape[0], columns[i].view.shape[0]);
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

// Positions and the offsets there, as pairs.
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

static PyObject* shifts_of(const br_fit_law_result* r)
{
    PyObject* all = PyTuple_New(BR_FIT_COUNT);
    for (int k = 0; all && k < BR_FIT_COUNT; k++) {
        PyObject* one = PyFloat_FromDouble(r->noise_shift[k]);
        if (!one || PyTuple_SetItem(all, k, one) < 0) {
            Py_CLEAR(all);
        }
    }
    return all;
}

static PyObject* result_of(const br_fit_law_result* r)
{
    PyObject *estimates = estimates_of(r), *correlations = correlations_of(r);
    PyObject *map = map_of(&r->map), *friction = map_of(&r->friction_map), *shifts = shifts_of(r);
    if (!estimates || !correlations || !map || !friction || !shifts) {
        Py_XDECREF(estimates);
        Py_XDECREF(correlations);
        Py_XDECREF(map);
        Py_XDECREF(friction);
        Py_XDECREF(shifts);
        return NULL;
    }
    return Py_BuildValue(
        "{s:d,s:N,s:I,s:N,s:N,s:N,s:N,s:n,s:d,s:d,s:d,s:d,s:d,s:i,s:d,s:n,s:d,s:i,s:n,s:i,s:s,s:d}",
        "speed_noise", r->speed_noise, "noise_shift", shifts, "noise_felt", r->noise_felt,
        "estimates", estimates, "correlations", correlations, "map", map, "friction_map", friction,
        "rows", (Py_ssize_t)r->count, "rms", r->rms, "rms_held_out", r->rms_held_out, "noise",
        r->noise, "bic", r->bic, "lag_correlation", r->lag_correlation, "white", r->is_white,
        "widening", r->widening, "outliers", (Py_ssize_t)r->outliers, "passivity_margin",
        r->passivity_margin, "converged", r->is_converged, "evaluations",
        (Py_ssize_t)r->evaluations, "next_parameter", r->next.parameter, "next_words",
        r->next.words, "next_shrinkage", r->next.shrinkage);
}

// Errors of the compared laws on held-out rows, by number.
static PyObject* compared_of(const br_fit_law_choice* c)
{
    PyObject* all = PyDict_New();
    for (int k = 0; all && k < BR_FIT_LAW_COUNT; k++) {
        PyObject *key = PyLong_FromLong(k), *rms = PyFloat_FromDouble(c->fits[k].rms_held_out);
        if (!key || !rms || (c->fitted >> k & 1 && PyDict_SetItem(all, key, rms) < 0)) {
            Py_CLEAR(all);
        }
        Py_XDECREF(key);
        Py_XDECREF(rms);
    }
    return all;
}

typedef struct law_job {
    br_fit_law_def def;
    int law; // below 0: choose the best
    double hold_out;
    double* forces;
    br_fit_law_choice all;
    br_status status;
    br_reason why;
} law_job;

static void law_run(void* of)
{
    law_job* j = of;
    const br_fit_watch watch = fit_watch();
    j->status = j->law < 0
                    ? br_fit_law_choose(&j->def, 0, NULL, j->hold_out, &watch, &j->all, &j->why)
                    : br_fit_law(&j->def, &watch, &j->all.fits[j->law % BR_FIT_LAW_COUNT], &j->why);
    if (j->status == BR_OK) {
        j->status = br_fit_law_eval(&j->all.fits[j->all.law], &j->def.data, j->forces, &j->why);
    }
}

// The arrays that a fit reads and writes, kept alive if it is abandoned.
static PyObject* columns_keep(const column* columns, PyObject* out)
{
    PyObject* own[COLUMNS];
    for (int i = 0; i < COLUMNS; i++) {
        own[i] = columns[i].owned ? columns[i].owned : Py_None;
    }
    return PyTuple_Pack(COLUMNS + 1, own[0], own[1], own[2], own[3], own[4], out);
}

// law_fit(law, t, v, f, fn, load, free, offered, fixed, values, train, level, by_position, robust, passive, profile,
// starts, flip_force, speed_noise, hold_out, out), law -1: chosen
// -> (law, errors of those compared, result, doubt or None); forces of the fit are written into `out`
static PyObject* law_fit(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject *objects[COLUMNS], *values, *out;
    br_fit_law_def def = br_fit_law_def_default();
    int law, by_position, robust, passive, profile, flip_force;
    double hold_out;
    Py_ssize_t train, starts;
    if (!PyArg_ParseTuple(arguments, "iOOOOOIIIOndiiiiniddO", &law, &objects[0], &objects[1],
                          &objects[2], &objects[3], &objects[4], &def.free, &def.offered,
                          &def.fixed, &values, &train, &def.level, &by_position, &robust, &passive,
                          &profile, &starts, &flip_force, &def.speed_noise, &hold_out, &out)) {
        return NULL;
    }
    def.by_position = by_position, def.robust = robust, def.passive = passive;
    def.profile = profile, def.flip_force = flip_force;
    for (Py_ssize_t k = 0; k < BR_FIT_COUNT; k++) {
        PyObject* value = PyTuple_GetItem(values, k);
        def.values[k] = value ? PyFloat_AsDouble(value) : 0.0;
        if (PyErr_Occurred()) {
            return NULL;
        }
    }
    def.law = law < 0 ? BR_FIT_LAW_LUGRE : (br_fit_law_kind)law;
    def.train = (size_t)train;
    def.starts = (size_t)starts;
    column columns[COLUMNS];
    Py_buffer forces;
    if (!columns_take(objects, columns, &def.data)) {
        return NULL;
    }
    const Py_ssize_t rows = (Py_ssize_t)def.data.count;
    if (!array_view(out, "out", 1, &rows, ARRAY_WRITABLE, &forces)) {
        columns_release(columns);
        return NULL;
    }
    law_job job = {.def = def, .law = law, .hold_out = hold_out, .forces = forces.buf};
    job.all.law = def.law;
    PyObject* keeps = columns_keep(columns, out);
    const int goes_on = keeps && beside_run(&job, sizeof job, law_run, NULL, keeps);
    const char* doubt = goes_on && job.status == BR_OK ? br_fit_law_data_doubt(&def.data) : NULL;
    Py_XDECREF(keeps);
    PyBuffer_Release(&forces);
    columns_release(columns);
    if (!goes_on) {
        return NULL;
    }
    if (job.status != BR_OK) {
        return raise_status(job.status, &job.why);
    }
    return Py_BuildValue("(iNNz)", (int)job.all.law, compared_of(&job.all),
                         result_of(&job.all.fits[job.all.law]), doubt);
}

// law_speed(t, x, v) -> (rows, noise of x, noise of v); v is written
static PyObject* law_speed(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject *t, *x, *out;
    column times, places;
    Py_buffer v;
    if (!PyArg_ParseTuple(arguments, "OOO", &t, &x, &out) || !column_take(t, "t", &times)) {
        return NULL;
    }
    if (!column_take(x, "x", &places)) {
        column_release(&times);
        return NULL;
    }
    PyObject* result = NULL;
    const Py_ssize_t rows = times.view.shape[0];
    if (rows != places.view.shape[0]) {
        raise_argument("x", "must be as long as t, %zd, got %zd", rows, places.view.shape[0]);
    } else if (array_view(out, "v", 1, &rows, ARRAY_WRITABLE, &v)) {
        br_fit_speed made;
        br_reason why = {"", ""};
        const br_status status =
            br_fit_law_speed((size_t)rows, times.view.buf, places.view.buf, v.buf, &made, &why);
        PyBuffer_Release(&v);
        result = status == BR_OK ? Py_BuildValue("(ndd)", (Py_ssize_t)made.rows,
                                                 made.position_noise, made.noise)
                                 : raise_status(status, &why);
    }
    column_release(&times);
    column_release(&places);
    return result;
}

static PyObject* fit_law_names(PyObject* module, PyObject* unused)
{
    (void)module, (void)unused;
    PyObject* laws = PyList_New(0);
    for (int k = 0; laws && k < BR_FIT_LAW_COUNT; k++) {
        PyObject* one = Py_BuildValue("(ss)", br_fit_law_kind_get_name((br_fit_law_kind)k),
                                      br_law_get_name(br_fit_law_get_law((br_fit_law_kind)k)));
        if (!one || PyList_Append(laws, one) < 0) {
            Py_CLEAR(laws);
        }
        Py_XDECREF(one);
    }
    PyObject* names = PyList_New(0);
    for (int k = 0; names && k < BR_FIT_COUNT; k++) {
        PyObject* one = PyUnicode_FromString(br_fit_law_get_parameter_name(k));
        if (!one || PyList_Append(names, one) < 0) {
            Py_CLEAR(names);
        }
        Py_XDECREF(one);
    }
    return laws && names ? Py_BuildValue("(NN)", laws, names) : NULL;
}

PyMethodDef fit_law_functions[] = {{"law_fit", law_fit, METH_VARARGS, NULL},
                                   {"law_speed", law_speed, METH_VARARGS, NULL},
                                   {"fit_law_names", fit_law_names, METH_NOARGS, NULL},
                                   {0}};
