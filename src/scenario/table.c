/*
 * What a run gives.
 */
#include "scenario/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_WARNINGS = 64 };

// A list with room for one more thing of `bytes`; false where there is no memory.
static bool make_room(br_table* t, void** list, size_t count, size_t* capacity, size_t bytes)
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
        own[i] = (br_column){copy(to, columns[i].name), copy(to, columns[i].unit),
                             copy_words(to, columns[i].words)};
    }
    to->columns = own;
    to->width = count;
}

void bri_table_set_noise(br_table* to, const noise* noises, size_t count)
{
    if (count > 0) {
        to->noises = bri_pool_allocate(&to->memory, count, sizeof *to->noises);
        memcpy(to->noises, noises, count * sizeof *noises);
        to->noise_count = count;
        to->noisy = bri_pool_allocate(&to->memory, to->width, sizeof *to->noisy);
    }
}

void bri_table_add_row(br_table* to, const double* row)
{
    if (to->noise_count > 0) {
        memcpy(to->noisy, row, to->width * sizeof *row);
        bri_noise_add(to->noises, to->noise_count, to->noisy);
        row = to->noisy;
    }
    to->rows = to->watch.drop_rows ? 0 : to->rows;
    void* values = to->values;
    if (!make_room(to, &values, to->rows, &to->row_capacity, to->width * sizeof *row)) {
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

void bri_table_add_event(br_table* to, double t, size_t contact, const char* kind)
{
    void* events = to->events;
    if (!make_room(to, &events, to->event_count, &to->event_capacity, sizeof *to->events)) {
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
    } else if (to->warning_count < MOST_WARNINGS &&
               make_room(to, &warnings, to->warning_count, &to->warning_capacity,
                         sizeof *to->warnings)) {
        to->warnings = warnings;
        to->warnings[to->warning_count++] = strcpy(own, text);
    }
}

static void on_event(const br_run_event* event, void* user)
{
    bri_table_add_event(user, event->t, 0, br_event_name(event->kind));
}

static void on_progress(double fraction, void* user)
{
    const br_table* t = user;
    if (t->watch.progress) {
        t->watch.progress(fraction, t->watch.user);
    }
}

static int stops(double t, void* user)
{
    const br_table* table = user;
    return table->is_broken || (table->watch.stop && table->watch.stop(t, table->watch.user));
}

br_run_watch bri_table_watch(br_table* to)
{
    return (br_run_watch){.event = on_event, .progress = on_progress, .stop = stops, .user = to};
}

static void add_sum(br_table* to, const char* path, double number, const char* word)
{
    void* sums = to->sums;
    if (!make_room(to, &sums, to->sum_count, &to->sum_capacity, sizeof *to->sums)) {
        to->memory.no_memory(to->memory.user);
        return;
    }
    to->sums = sums;
    to->sums[to->sum_count++] = (br_table_value){path, number, word};
}

void bri_table_sum(br_table* to, double number, const char* path, ...)
{
    va_list arguments;
    va_start(arguments, path);
    const char* own = bri_pool_vformat(&to->memory, path, arguments);
    va_end(arguments);
    add_sum(to, own, number, NULL);
}

void bri_table_sum_word(br_table* to, const char* word, const char* path)
{
    add_sum(to, copy(to, path), (double)NAN, word);
}

void bri_table_say(br_table* to, const char* format, ...)
{
    if (to->watch.is_brief) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    const char* more = bri_pool_vformat(&to->memory, format, arguments);
    va_end(arguments);
    to->text = bri_pool_format(&to->memory, "%s%s", to->text, more);
}

// --- what the caller asks -------------------------------------------------------------------------

const br_column* br_table_get_columns(const br_table* table, size_t* count)
{
    *count = table->width;
    return table->columns;
}

size_t br_table_find_column(const br_table* table, const char* name)
{
    size_t i = 0;
    while (i < table->width && strcmp(table->columns[i].name, name) != 0) {
        i++;
    }
    return i;
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
    return table->text;
}

void br_table_destroy(br_table* table)
{
    if (table) {
        bri_pool_clear(&table->memory);
        br_release(table);
    }
}
