/*
 * Rows of a run: their columns.
 */
#include "sim/rows.h"

#include <stdio.h>
#include <string.h>

size_t br_column_find(const br_column* columns, size_t count, const char* name)
{
    BR_ASSERT(columns || count == 0);
    size_t i = 0;
    while (i < count && strcmp(columns[i].name, name) != 0) {
        i++;
    }
    return i;
}

size_t br_column_find_numbered(const br_column* columns, size_t count, const char* name,
                               size_t number)
{
    char numbered[BR_COLUMN_NAME];
    snprintf(numbered, sizeof numbered, "%s%zu", name, number);
    const size_t index = br_column_find(columns, count, numbered);
    return index == count && number == 1 ? br_column_find(columns, count, name) : index;
}

static void write_group(const column_group* group, size_t things, int is_numbered, br_column* to)
{
    for (size_t i = 0; i < group->count * things; i++, to++) {
        *to = group->columns[i % group->count];
        const size_t length = strlen(to->name);
        if (is_numbered) {
            snprintf(to->name + length, sizeof to->name - length, "%zu", i / group->count + 1);
        }
    }
}

size_t bri_columns_list(const column_group* groups, size_t group_count, size_t each, unsigned sets,
                        br_column* out)
{
    size_t count = 0;
    for (const column_group* group = groups; group < groups + group_count; group++) {
        const size_t things = !(sets & group->set) ? 0 : group->things > 0 ? group->things : each;
        if (out) {
            write_group(group, things, group->is_numbered || (group->things == 0 && each > 1),
                        out + count);
        }
        count += group->count * things;
    }
    return count;
}

br_status bri_row_create(run_row* row, const column_group* groups, size_t group_count, size_t each,
                         const br_run_def* def, const br_run_watch* watch, br_reason* why)
{
    *row = (run_row){.watch = watch, .sets = def->columns};
    row->count = bri_columns_list(groups, group_count, each, row->sets, NULL);
    row->values = br_allocate(row->count, sizeof *row->values);
    row->columns = br_allocate(row->count, sizeof *row->columns);
    if (!row->values || !row->columns) {
        br_reason_set(why, "", "no memory for rows of %zu columns", row->count);
        return BR_ERR_MEMORY;
    }
    bri_columns_list(groups, group_count, each, row->sets, row->columns);
    if (watch->start) {
        watch->start(row->columns, row->count, watch->user);
    }
    return BR_OK;
}

void bri_row_release(run_row* row)
{
    br_release(row->values);
    br_release(row->columns);
}
