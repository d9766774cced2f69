/*
 * Scenarios: bristle/scenario.h. JavaScript objects arrive as trees; JavaScript reads a run's table in memory.
 */
#include "bristle/scenario.h"

#include "glue.h"

// --- trees

EXPORT(size_t, tree_size, void)
{
    return sizeof(br_tree);
}

// Fill value `index` of an array of them.
EXPORT(void, tree_set, br_tree* array, size_t index, int kind, const char* key, double number,
       const char* text, const br_tree* children, size_t count, size_t line, size_t column)
{
    array[index] = (br_tree){.kind = (br_tree_kind)kind,
                             .key = key,
                             .number = number,
                             .text = text,
                             .children = children,
                             .count = count,
                             .line = line,
                             .column = column};
}

// --- reading

// A scenario with errors is also returned, but cannot run; NULL: out of memory.
static br_scenario* given(br_status status, br_scenario* scenario)
{
    return scenario ? scenario : fail(status, &(br_reason){"", ""});
}

EXPORT(br_scenario*, scenario_read_tree, const br_tree* tree, const char* name,
       const char* const* overrides)
{
    br_scenario* scenario;
    return given(br_scenario_read_tree(tree, name, overrides, &scenario), scenario);
}

EXPORT(void, scenario_destroy, br_scenario* scenario)
{
    br_scenario_destroy(scenario);
}

EXPORT(size_t, scenario_error_count, const br_scenario* scenario)
{
    return br_scenario_get_error_count(scenario);
}

// file, line, column, key, text, allowed, nearest: 4 bytes each
EXPORT(const br_scenario_error*, scenario_error, const br_scenario* scenario, size_t index)
{
    return br_scenario_get_error(scenario, index);
}

EXPORT(size_t, scenario_warning_count, const br_scenario* scenario)
{
    return br_scenario_get_warning_count(scenario);
}

EXPORT(const char*, scenario_warning, const br_scenario* scenario, size_t index)
{
    return br_scenario_get_warning(scenario, index);
}

EXPORT(size_t, scenario_file_count, const br_scenario* scenario)
{
    return br_scenario_get_file_count(scenario);
}

EXPORT(const char*, scenario_file, const br_scenario* scenario, size_t index)
{
    return br_scenario_get_file(scenario, index);
}

EXPORT(const char*, scenario_kind, const br_scenario* scenario)
{
    return br_scenario_get_kind(scenario);
}

EXPORT(double, scenario_duration, const br_scenario* scenario)
{
    return br_scenario_get_duration(scenario);
}

EXPORT(size_t, scenario_row_count, const br_scenario* scenario)
{
    return br_scenario_get_row_count(scenario);
}

EXPORT(const char*, scenario_text, const br_scenario* scenario)
{
    return br_scenario_get_text(scenario);
}

// --- running

EXPORT(br_table*, scenario_run, const br_scenario* scenario, int is_watched)
{
    const br_scenario_watch watch = {.size = sizeof(br_scenario_watch),
                                     .stop = is_watched ? host_stop : NULL};
    br_table* table;
    br_reason why = {"", ""};
    const br_status status = br_scenario_run(scenario, &watch, &table, &why);
    if (status == BR_OK) {
        return table;
    }
    br_table_destroy(table);
    return fail(status, &why);
}

EXPORT(void, table_destroy, br_table* table)
{
    br_table_destroy(table);
}

EXPORT(size_t, table_column_count, const br_table* table)
{
    size_t count;
    br_table_get_columns(table, &count);
    return count;
}

// as record_columns()
EXPORT(const br_column*, table_columns, const br_table* table)
{
    size_t count;
    return br_table_get_columns(table, &count);
}

EXPORT(size_t, table_row_count, const br_table* table)
{
    return br_table_get_row_count(table);
}

EXPORT(const double*, table_rows, const br_table* table)
{
    return br_table_get_rows(table);
}

EXPORT(size_t, table_event_count, const br_table* table)
{
    return br_table_get_event_count(table);
}

// t (8 bytes), contact, kind (4 each)
EXPORT(const br_table_event*, table_event, const br_table* table, size_t index)
{
    return br_table_get_event(table, index);
}

EXPORT(size_t, table_value_count, const br_table* table)
{
    return br_table_get_value_count(table);
}

// path (4 bytes, and 4 unused), number (8), word (4)
EXPORT(const br_table_value*, table_value, const br_table* table, size_t index)
{
    return br_table_get_value(table, index);
}

EXPORT(size_t, table_warning_count, const br_table* table)
{
    return br_table_get_warning_count(table);
}

EXPORT(const char*, table_warning, const br_table* table, size_t index)
{
    return br_table_get_warning(table, index);
}

EXPORT(const char*, table_text, const br_table* table)
{
    return br_table_get_text(table);
}
