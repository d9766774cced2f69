/*
 * The results of a run.
 */
#include "scenario/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_WARNINGS = 64 };

// Extend a list by one item of `bytes`; false where there is no memory.
static bool reserve(br_table* t, void** list, size_t count, size_t* capacity, size_t bytes)
{
    if (count < *capacity) {
        return true;
    }
    const size_t wanted = *capacity ? 2 * *capacity : 64;
    void* larger = t->is_broken ? NULL : bri_pool_try_grow(&t->memory, *list, wanted, bytes);
    if (!larger) {
        t->is_broken = true;
        return false;
    }
    *list = larger;
    *capacity = wanted;
    return true;
}

static const char* copy(br_table* to, const char* text)
{
    return bri_pool_text(&to->memory, text, strlen(text));
}

static const char* const* copy_words(br_table* to, const char* const* words)
{
    size_t count = 0;
    while (words && words[count]) {
        count++;
    }
    if (count == 0) {
        return NULL;
    }
    const char** out = bri_pool_allocate(&to->memory, count + 1, sizeof *out);
    for (size_t i = 0; i < count; i++) {
        out[i] = copy(to, words[i]);
    }
    return out;
}

void bri_table_set_columns(br_table* to, const br_column* columns, size_t count)
{
    br_column* own = bri_pool_allocate(&to->memory, count, sizeof *own);
    for (size_t i = 0; i < count; i++) {
        own[i] = columns[i];
        own[i].unit = copy(to, columns[i].unit);
        own[i].words = copy_words(to, columns[i].words);
    }
    to->columns = own;
    to->width = count;
    to->indices = bri_pool_allocate(&to->memory, count, sizeof *to->indices);
    to->row = bri_pool_allocate(&to->memory, count, sizeof *to->row);
}

// Most columns are in the order of the run: the search for each starts behind the one before.
void bri_table_start(const br_column* columns, size_t count, void* table)
{
    br_table* to = table;
    size_t next = 0;
    for (size_t i = 0; i < to->width; i++) {
        const char* name = to->columns[i].name;
        size_t index = next + br_column_find(columns + next, count - next, name);
        index = index < count ? index : br_column_find(columns, count, name);
        BR_ASSERT(index < count);
        to->indices[i] = index;
        next = index + 1;
    }
}

void bri_table_add_row(const double* from, void* table)
{
    br_table* to = table;
    double* row = to->row;
    for (size_t i = 0; i < to->width; i++) {
        row[i] = from[to->indices[i]];
    }
    bri_noise_add(to->noises, to->noise_count, row);
    to->rows = to->watch.drop_rows ? 0 : to->rows;
    void* values = to->values;
    if (!reserve(to, &values, to->rows, &to->row_capacity, to->width * sizeof *row)) {
        return;
    }
    to->values = values;
    memcpy(to->values + to->rows++ * to->width, row, to->width * sizeof *row);
    to->rows_given++;
    if (to->watch.row) {
        to->watch.row(row, to->watch.user);
    }
}

const double* bri_table_last(const br_table* from)
{
    return from->rows > 0 ? from->values + (from->rows - 1) * from->width : NULL;
}

double bri_table_last_of(const br_table* from, const char* name)
{
    return bri_table_last(from)[br_table_find_column(from, name)];
}

void bri_table_add_event(br_table* to, double t, size_t contact, const char* kind)
{
    void* events = to->events;
    if (!reserve(to, &events, to->event_count, &to->event_capacity, sizeof *to->events)) {
        return;
    }
    to->events = events;
    to->events[to->event_count++] = (br_table_event){t, contact, kind};
    if (to->watch.event) {
        to->watch.event(&to->events[to->event_count - 1], to->watch.user);
    }
}

void bri_table_warn(br_table* to, const char* format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    void* warnings = to->warnings;
    char* own = bri_pool_try(&to->memory, strlen(text) + 1, 1);
    if (!own) {
        to->is_broken = true;
    } else if (to->warning_count < MAX_WARNINGS &&
               reserve(to, &warnings, to->warning_count, &to->warning_capacity,
                       sizeof *to->warnings)) {
        to->warnings = warnings;
        to->warnings[to->warning_count++] = strcpy(own, text);
    }
}

static void on_event(const br_run_event* event, void* user)
{
    bri_table_add_event(user, event->t, 0, br_event_get_name(event->kind));
}

static void on_progress(double fraction, void* user)
{
    const br_table* t = user;
    if (t->watch.progress) {
        t->watch.progress(fraction, t->watch.user);
    }
}

static bool stops(double t, void* user)
{
    const br_table* table = user;
    return table->is_broken || (table->watch.stop && table->watch.stop(t, table->watch.user));
}

br_run_watch bri_table_watch(br_table* to)
{
    return (br_run_watch){.size = sizeof(br_run_watch),
                          .start = bri_table_start,
                          .row = bri_table_add_row,
                          .event = on_event,
                          .progress = on_progress,
                          .stop = stops,
                          .user = to};
}

void bri_table_sum(br_table* to, double number, const char* path, ...)
{
    va_list arguments;
    va_start(arguments, path);
    const char* own = bri_pool_vformat(&to->memory, path, arguments);
    va_end(arguments);
    void* sums = to->sums;
    if (!reserve(to, &sums, to->sum_count, &to->sum_capacity, sizeof *to->sums)) {
        bri_pool_fail(&to->memory);
        return;
    }
    to->sums = sums;
    to->sums[to->sum_count++] = (br_table_value){own, number, NULL};
}

void bri_table_print(br_table* to, const char* format, ...)
{
    if (to->watch.is_brief) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    bri_vwrite(&to->text, format, arguments);
    va_end(arguments);
}

// --- public functions -----------------------------------------------------------------------------

const br_column* br_table_get_columns(const br_table* table, size_t* count)
{
    *count = table->width;
    return table->columns;
}

size_t br_table_find_column(const br_table* table, const char* name)
{
    return br_column_find(table->columns, table->width, name);
}

size_t br_table_get_row_count(const br_table* table)
{
    return table->rows;
}

const double* br_table_get_rows(const br_table* table)
{
    return table->rows > 0 ? table->values : NULL;
}

size_t br_table_get_event_count(const br_table* table)
{
    return table->event_count;
}

const br_table_event* br_table_get_event(const br_table* table, size_t index)
{
    BR_ASSERT(index < table->event_count);
    return &table->events[index];
}

size_t br_table_get_value_count(const br_table* table)
{
    return table->sum_count;
}

const br_table_value* br_table_get_value(const br_table* table, size_t index)
{
    BR_ASSERT(index < table->sum_count);
    return &table->sums[index];
}

const br_table_value* br_table_find_value(const br_table* table, const char* path)
{
    for (size_t i = 0; i < table->sum_count; i++) {
        if (strcmp(table->sums[i].path, path) == 0) {
            return &table->sums[i];
        }
    }
    return NULL;
}

size_t br_table_get_warning_count(const br_table* table)
{
    return table->warning_count;
}

const char* br_table_get_warning(const br_table* table, size_t index)
{
    BR_ASSERT(index < table->warning_count);
    return table->warnings[index];
}

const char* br_table_get_text(const br_table* table)
{
    return bri_written(&table->text);
}

void br_table_destroy(br_table* table)
{
    if (table) {
        bri_pool_clear(&table->memory);
        br_release(table);
    }
}
