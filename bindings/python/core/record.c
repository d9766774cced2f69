/*
 * A run in time as Python asks for it.
 */
#include "record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "array.h"

enum { EVENT_COLUMNS = 3 };
static const double LOOK_EVERY = 0.05; // for the user's interrupt [s]

static double* add_row(record_table* table)
{
    if (table->rows == table->room) {
        const size_t room = table->room > 0 ? 2 * table->room : 256;
        double* more = realloc(table->numbers, room * table->columns * sizeof(double));
        if (!more) {
            return NULL;
        }
        table->numbers = more;
        table->room = room;
    }
    return table->numbers + table->columns * table->rows++;
}

double* record_row(record* r)
{
    double* row = add_row(&r->rows);
    r->no_memory = r->no_memory || !row;
    return row;
}

void record_event(const br_run_event* event, void* user)
{
    record* r = user;
    double* row = add_row(&r->events);
    r->no_memory = r->no_memory || !row;
    if (row) {
        row[0] = event->t;
        row[1] = (double)event->kind;
        row[2] = (double)event->contact;
    }
}

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int record_stop(double t, void* user)
{
    (void)t;
    record* r = user;
    if (!r->interrupted && now() > r->next_look) {
        const PyGILState_STATE state = PyGILState_Ensure();
        r->interrupted = PyErr_CheckSignals() < 0;
        PyGILState_Release(state);
        r->next_look = now() + LOOK_EVERY;
    }
    return r->interrupted || r->no_memory;
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

int record_begin(record* r, PyObject* run, size_t columns)
{
    memset(r, 0, sizeof *r);
    r->rows.columns = columns;
    r->events.columns = EVENT_COLUMNS;
    r->next_look = now() + LOOK_EVERY;
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

static PyObject* copy_tables(const record* r)
{
    PyObject* rows = array_copy(r->rows.numbers, r->rows.rows, r->rows.columns);
    PyObject* events = array_copy(r->events.numbers, r->events.rows, EVENT_COLUMNS);
    PyObject* both = rows && events ? PyTuple_Pack(2, rows, events) : NULL;
    Py_XDECREF(rows);
    Py_XDECREF(events);
    return both;
}

PyObject* record_end(record* r, br_status status, const br_reason* why)
{
    PyObject* result = NULL;
    if (r->no_memory) {
        PyErr_NoMemory();
    } else if (!r->interrupted) {
        result = status == BR_OK ? copy_tables(r) : raise_status(status, why);
    }
    free(r->rows.numbers);
    free(r->events.numbers);
    free(r->at);
    return result;
}
