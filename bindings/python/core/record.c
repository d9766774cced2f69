/*
 * A run requested by Python, and its record.
 */
#include "record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "clock.h"

enum { EVENT_COLUMNS = 3 };
static const double CHECK_INTERVAL = 0.05; // interval between checks for Ctrl-C [s]

static double* add_row(record_table* table)
{
    if (table->rows == table->capacity) {
        const size_t capacity = table->capacity > 0 ? 2 * table->capacity : 256;
        double* more = realloc(table->numbers, capacity * table->columns * sizeof(double));
        if (!more) {
            return NULL;
        }
        table->numbers = more;
        table->capacity = capacity;
    }
    return table->numbers + table->columns * table->rows++;
}

static void start(const br_column* columns, size_t count, void* user)
{
    record* r = user;
    r->columns = malloc((count + 1) * sizeof *columns);
    r->rows.columns = count;
    r->no_memory = r->no_memory || !r->columns;
    if (r->columns) {
        memcpy(r->columns, columns, count * sizeof *columns);
    }
}

static void keep(record_table* table, const double* numbers, record* r)
{
    double* row = add_row(table);
    r->no_memory = r->no_memory || !row;
    if (row) {
        memcpy(row, numbers, table->columns * sizeof *row);
    }
}

static void keep_row(const double* row, void* user)
{
    record* r = user;
    keep(&r->rows, row, r);
}

static void keep_event(const br_run_event* event, void* user)
{
    record* r = user;
    keep(&r->events,
         (const double[EVENT_COLUMNS]){event->t, (double)event->kind, (double)event->contact}, r);
}

bool record_stop(double t, void* user)
{
    (void)t;
    record* r = user;
    if (!r->interrupted && clock_now() > r->next_look) {
        const PyGILState_STATE state = PyGILState_Ensure();
        r->interrupted = PyErr_CheckSignals() < 0;
        PyGILState_Release(state);
        r->next_look = clock_now() + CHECK_INTERVAL;
    }
    return r->interrupted || r->no_memory;
}

br_run_watch record_watch(record* r)
{
    return (br_run_watch){.size = sizeof(br_run_watch),
                          .start = start,
                          .row = keep_row,
                          .event = keep_event,
                          .stop = record_stop,
                          .user = r};
}

static int take_times(record* r, PyObject* times)
{
    const Py_ssize_t count = PyObject_Length(times);
    if (count < 0) {
        return 0;
    }
    r->at = malloc(((size_t)count + 1) * sizeof(double));
    if (!r->at) {
        PyErr_NoMemory();
        return 0;
    }
    r->run.at = r->at;
    r->run.at_count = (size_t)count;
    return array_read(times, "at", r->at, (size_t)count);
}

int record_start(record* r, PyObject* run)
{
    memset(r, 0, sizeof *r);
    r->events.columns = EVENT_COLUMNS;
    r->next_look = clock_now() + CHECK_INTERVAL;
    r->run = br_run_def_default();
    br_run_def* def = &r->run;
    PyObject* times;
    int method;
    if (!PyArg_ParseTuple(run, "ddOiddddd", &def->duration, &def->every, &times, &method,
                          &def->step, &def->rtol, &def->atol, &def->atol_z, &def->max_step)) {
        return 0;
    }
    def->method = (br_integrator_kind)method;
    if (times != Py_None && !take_times(r, times)) {
        free(r->at);
        return 0;
    }
    return 1;
}

static PyObject* words_of(const br_column* column)
{
    size_t count = 0;
    while (column->words && column->words[count]) {
        count++;
    }
    PyObject* words = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; words && i < count; i++) {
        PyObject* word = PyUnicode_FromString(column->words[i]);
        if (!word || PyList_SetItem(words, (Py_ssize_t)i, word) < 0) {
            Py_CLEAR(words);
        }
    }
    return words;
}

PyObject* record_columns(const br_column* columns, size_t count)
{
    PyObject* list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++) {
        PyObject* item =
            Py_BuildValue("ssN", columns[i].name, columns[i].unit, words_of(&columns[i]));
        if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

static PyObject* copy_tables(const record* r)
{
    return Py_BuildValue("NNN", record_columns(r->columns, r->rows.columns),
                         array_copy(r->rows.numbers, r->rows.rows, r->rows.columns),
                         array_copy(r->events.numbers, r->events.rows, EVENT_COLUMNS));
}

PyObject* record_end(record* r, br_status status, const br_reason* why)
{
    PyObject* result = NULL;
    if (r->no_memory) {
        PyErr_NoMemory();
    } else if (!r->interrupted) {
        result = status == BR_OK ? copy_tables(r) : raise_status(status, why);
    }
    free(r->columns);
    free(r->rows.numbers);
    free(r->events.numbers);
    free(r->at);
    return result;
}
