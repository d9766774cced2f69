/*
 * The result of a run.
 */
#include "result.h"

#include "memory.h"
#include "temporary.h"

table result_table(const br_column* columns, size_t count)
{
    const char** header = memory_allocate(count + 1, sizeof *header);
    names* words = memory_allocate(count, sizeof *words);
    for (size_t i = 0; i < count; i++) {
        header[i] = columns[i].name;
        words[i] = columns[i].words;
    }
    table fresh = table_create(header);
    fresh.words = words;
    return fresh;
}

static void on_row(const double* row, void* user)
{
    result* r = user;
    table_append(&r->rows, row);
}

static void on_progress(double fraction, void* user)
{
    result* r = user;
    r->fraction = fraction;
    progress_show(&r->bar, fraction);
}

static bool stops(double t, void* user)
{
    (void)t;
    const result* r = user;
    return progress_clock() > r->deadline || temporary_signal() != 0;
}

br_scenario_watch result_watch(result* to)
{
    return (br_scenario_watch){.size = sizeof(br_scenario_watch),
                               .row = on_row,
                               .progress = on_progress,
                               .stop = stops,
                               .user = to,
                               .drop_rows = true};
}
