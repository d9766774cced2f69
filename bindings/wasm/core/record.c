/*
 * The record of a run.
 */
#include "record.h"

#include <string.h>

#include "glue.h"

enum { EVENT_COLUMNS = 3, FIRST_CAPACITY = 256 };

br_run_def record_run_def(const double* n, int method, const double* at, size_t at_count)
{
    br_run_def def = br_run_def_default();
    def.duration = n[0];
    def.every = n[1];
    def.method = (br_integrator_kind)method;
    def.step = n[2];
    def.rtol = n[3];
    def.atol = n[4];
    def.atol_z = n[5];
    def.max_step = n[6];
    def.at = at_count > 0 ? at : NULL;
    def.at_count = at_count;
    return def;
}

record* record_create(int is_watched)
{
    record* r = br_allocate(1, sizeof *r);
    if (!r) {
        return fail(BR_ERR_MEMORY, &(br_reason){"", ""});
    }
    r->events.columns = EVENT_COLUMNS;
    r->is_watched = is_watched;
    return r;
}

static double* add_row(record_table* table)
{
    if (table->rows == table->capacity) {
        const size_t capacity = table->capacity > 0 ? 2 * table->capacity : FIRST_CAPACITY;
        double* more = br_allocate(capacity * table->columns, sizeof *more);
        if (!more) {
            return NULL;
        }
        if (table->rows > 0) {
            memcpy(more, table->numbers, table->rows * table->columns * sizeof *more);
        }
        br_release(table->numbers);
        table->numbers = more;
        table->capacity = capacity;
    }
    return table->numbers + table->columns * table->rows++;
}

static void start(const br_column* columns, size_t count, void* user)
{
    record* r = user;
    r->columns = br_allocate(count, sizeof *columns);
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

static bool stops(double t, void* user)
{
    const record* r = user;
    return r->no_memory || (r->is_watched && host_stop(t, NULL));
}

br_run_watch record_watch(record* r)
{
    return (br_run_watch){.size = sizeof(br_run_watch),
                          .start = start,
                          .row = keep_row,
                          .event = keep_event,
                          .stop = stops,
                          .user = r};
}

EXPORT(void, record_destroy, record* r)
{
    br_release(r->columns);
    br_release(r->rows.numbers);
    br_release(r->events.numbers);
    br_release(r);
}

record* record_end(record* r, br_status status, const br_reason* why)
{
    status = r->no_memory ? BR_ERR_MEMORY : status;
    if (status == BR_OK) {
        return r;
    }
    record_destroy(r);
    return fail(status, status == BR_ERR_MEMORY ? &(br_reason){"", ""} : why);
}

EXPORT(size_t, record_column_count, const record* r)
{
    return r->rows.columns;
}

// name (24 bytes), unit, words (a 0-terminated array, or 0; 4 bytes each) of each
EXPORT(const br_column*, record_columns, const record* r)
{
    return r->columns;
}

EXPORT(size_t, record_row_count, const record* r)
{
    return r->rows.rows;
}

EXPORT(const double*, record_rows, const record* r)
{
    return r->rows.numbers;
}

EXPORT(size_t, record_event_count, const record* r)
{
    return r->events.rows;
}

// time, kind, contact of each
EXPORT(const double*, record_events, const record* r)
{
    return r->events.numbers;
}

// steps, rejected, evaluations, jacobians, factorisations
EXPORT(void, record_cost, const record* r, double* out)
{
    out[0] = (double)r->cost.steps;
    out[1] = (double)r->cost.rejected;
    out[2] = (double)r->cost.evaluations;
    out[3] = (double)r->cost.jacobians;
    out[4] = (double)r->cost.factorisations;
}

EXPORT(const double*, record_report, const record* r)
{
    return r->report;
}

EXPORT(const char*, event_name, int kind)
{
    return br_event_get_name((br_event_kind)kind);
}
