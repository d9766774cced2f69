/*
 * Outputs of each case.
 */
#include "sweep/sweep_output.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/table.h"
#include "sweep/formula.h"

// --- reading --------------------------------------------------------------------------------------

static const char event_forms[] =
    "events.KIND.first, .last or .count, of one contact events.KIND[0].first";

// Name of an event: br_event_get_name(), with _ for blanks. NULL: unknown.
static const char* read_event_name(parse_context* in, const char* text, size_t length)
{
    const char* known[BR_EVENT_COUNT + 1] = {NULL};
    for (br_event_kind kind = 0; kind < BR_EVENT_COUNT; kind++) {
        known[kind] = br_event_get_name(kind);
    }
    char* name = bri_pool_text(&in->memory, text, length);
    for (char* at = name; *at; at++) {
        *at = *at == '_' ? ' ' : *at;
    }
    const int known_index = br_text_find(name, known);
    if (known_index < 0) {
        const char* nearest = br_text_find_nearest(name, known);
        bri_fail_file(in, "want", 0, "events.%s: there is no such event%s%s%s", name,
                      nearest ? "; did you mean " : ": ",
                      nearest ? nearest : bri_text_join(&in->memory, known), nearest ? "?" : "");
    }
    return known_index < 0 ? NULL : known[known_index];
}

// Read "slip.first" or "slip[0].first", the text after "events."
static bool read_event(parse_context* in, const char* text, sweep_output* w)
{
    static const char* const ends[] = {"first", "last", "count", NULL};
    const char* dot = strrchr(text, '.');
    const int end = dot ? br_text_find(dot + 1, ends) : -1;
    if (end < 0) {
        return false;
    }
    const size_t length = strcspn(text, ".[");
    w->kind = OUTPUT_FIRST + (sweep_output_kind)end;
    w->subject = read_event_name(in, text, length);
    if (text[length] == '[') {
        char* after;
        w->contact = (size_t)strtoul(text + length + 1, &after, 10) + 1;
        return isdigit((unsigned char)text[length + 1]) && after[0] == ']' && after + 1 == dot;
    }
    return text + length == dot;
}

static sweep_output read_path(parse_context* in, const char* text)
{
    sweep_output w = {.name = text, .kind = OUTPUT_VALUE, .subject = text};
    if (strncmp(text, "min.", 4) == 0 || strncmp(text, "max.", 4) == 0) {
        w.kind = text[1] == 'i' ? OUTPUT_MIN : OUTPUT_MAX;
        w.subject = text + 4;
    } else if (strncmp(text, "events.", 7) == 0 && !read_event(in, text + 7, &w)) {
        bri_fail_file(in, "want", 0, "%s: must be %s", text, event_forms);
    }
    return w;
}

// Position of the "=" of "name = formula"; NULL: none. Comparisons do not count.
static const char* find_equals(const char* text)
{
    const char* at = strchr(text, '=');
    const bool is_comparison = at && (at == text || strchr("<>", at[-1]));
    return is_comparison ? NULL : at;
}

sweep_output bri_sweep_output_read(parse_context* in, const char* text, names keys)
{
    static const char* const others[] = {"status",  "scenario", "sweep", "version",
                                         "columns", "units",    NULL};
    text += strspn(text, " ");
    const char* equals = keys ? find_equals(text) : NULL;
    size_t length = equals ? (size_t)(equals - text) : strlen(text);
    while (length > 0 && text[length - 1] == ' ') {
        length--;
    }
    const char* name = bri_pool_text(&in->memory, text, length);
    if (equals && br_text_find(name, others) >= 0) {
        bri_fail_file(in, "want", 0, "%s: files of results have that name for something else",
                      name);
    }
    if (!*name || strpbrk(name, ", \t\"/<>")) {
        bri_fail_file(in, "want", 0, "%s: must be a path of the summary, or name = formula", text);
        return (sweep_output){.name = name, .subject = name};
    }
    if (!equals) {
        return read_path(in, name);
    }
    return (sweep_output){.name = name,
                          .kind = OUTPUT_FORMULA,
                          .formula = bri_formula_read(in, "want", equals + 1, keys)};
}

// "contacts[0].load": the maximum, which is computed during the run.
static bool is_load(const sweep_output* w)
{
    const char* dot = strrchr(w->subject, '.');
    return w->kind == OUTPUT_VALUE && dot && strcmp(dot, ".load") == 0;
}

unsigned bri_sweep_output_needs(const sweep_output* w)
{
    if (w->kind != OUTPUT_FORMULA) {
        return w->kind == OUTPUT_MIN || w->kind == OUTPUT_MAX ? NEEDS_ROWS
               : is_load(w)                                   ? NEEDS_LOADS
                                                              : 0;
    }
    size_t count;
    const sweep_output* named = bri_formula_outputs(w->formula, &count);
    unsigned needs = 0;
    for (size_t i = 0; i < count; i++) {
        needs |= bri_sweep_output_needs(&named[i]);
    }
    return needs;
}

// --- evaluating -----------------------------------------------------------------------------------

static bool can_topple(const br_table* table)
{
    const size_t column = br_table_find_column(table, "mode");
    const names words = column < table->width ? table->columns[column].words : NULL;
    return words && br_text_find("topple", words) >= 0;
}

// Paths that exist only if the event happened: a slider toppled, or a contact left the body.
static bool may_come(const br_table* table, const char* path)
{
    static const char* const topple[] = {"topple.t",          "topple.edge[0][0]",
                                         "topple.edge[0][1]", "topple.edge[1][0]",
                                         "topple.edge[1][1]", NULL};
    static const char left[] = ".left";
    const size_t length = strlen(path);
    char always[64];
    if (!bri_text_ends_with(path, left)) {
        return br_text_find(path, topple) >= 0 && can_topple(table);
    }
    snprintf(always, sizeof always, "%.*s.slipped", (int)(length - strlen(left)), path);
    return br_table_find_value(table, always);
}

static double find_value(const sweep_output* w, const br_table* table, const char** missing)
{
    const br_table_value* value = br_table_find_value(table, w->subject);
    if (value && !value->word) {
        return value->number;
    }
    if (value || !may_come(table, w->subject)) {
        *missing = w->name;
    }
    return (double)NAN;
}

static double find_extreme(const sweep_output* w, const br_table* table, const char** missing)
{
    const size_t column = br_table_find_column(table, w->subject), width = table->width;
    if (column == width || table->columns[column].words || table->rows == 0) {
        *missing = w->name;
        return (double)NAN;
    }
    double extreme = table->values[column];
    for (size_t r = 1; r < table->rows; r++) {
        const double x = table->values[r * width + column];
        const bool is_beyond = w->kind == OUTPUT_MIN ? x < extreme : x > extreme;
        extreme = is_beyond ? x : extreme;
    }
    return extreme;
}

// Does the summary number its contacts, and is this one missing?
static bool lacks_contact(const br_table* table, size_t number)
{
    char path[64];
    snprintf(path, sizeof path, "contacts[%zu].slipped", number - 1);
    return br_table_find_value(table, "contacts[0].slipped") && !br_table_find_value(table, path);
}

static double find_event(const sweep_output* w, const br_table* table, const char** missing)
{
    if (w->contact > 0 && lacks_contact(table, w->contact)) {
        *missing = w->name;
    }
    double count = 0, first = (double)NAN, last = (double)NAN;
    for (size_t i = 0; i < table->event_count; i++) {
        const br_table_event* event = &table->events[i];
        if (strcmp(event->kind, w->subject) == 0 &&
            (w->contact == 0 || event->contact == 0 || event->contact == w->contact)) {
            first = count == 0 ? event->t : first;
            last = event->t;
            count += 1;
        }
    }
    return w->kind == OUTPUT_COUNT ? count : w->kind == OUTPUT_FIRST ? first : last;
}

double bri_sweep_output_eval(const sweep_output* w, const br_table* table, const double* inputs,
                             const char** missing)
{
    switch (w->kind) {
    case OUTPUT_VALUE:
        return find_value(w, table, missing);
    case OUTPUT_MIN:
    case OUTPUT_MAX:
        return find_extreme(w, table, missing);
    case OUTPUT_FORMULA:
        return bri_formula_eval(w->formula, table, inputs, missing);
    default:
        return find_event(w, table, missing);
    }
}

// --- units ----------------------------------------------------------------------------------------

static const char* column_unit(const br_scenario* scenario, const char* name)
{
    size_t count;
    const br_column* columns = br_scenario_get_columns(scenario, &count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(columns[i].name, name) == 0) {
            return columns[i].unit;
        }
    }
    return "";
}

// Units of paths that are not columns, by the part after the last dot.
static const char* value_unit(const char* path)
{
    static const char* const units[][2] = {{"slipped", "m"},       {"stuck", "s"},
                                           {"load", "-"},          {"open", "s"},
                                           {"left", "s"},          {"t", "s"},
                                           {"edge[0][0]", "m"},    {"edge[0][1]", "m"},
                                           {"edge[1][0]", "m"},    {"edge[1][1]", "m"},
                                           {"pose[0]", "m"},       {"pose[1]", "m"},
                                           {"pose[2]", "rad"},     {"velocity[0]", "m/s"},
                                           {"velocity[1]", "m/s"}, {"velocity[2]", "rad/s"},
                                           {"steps", "-"},         {"rejected", "-"},
                                           {"evaluations", "-"}};
    const char* dot = strrchr(path, '.');
    const char* end = dot ? dot + 1 : path;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(units[i][0], end) == 0) {
            return units[i][1];
        }
    }
    return strncmp(path, "energy.", 7) == 0 ? "J" : "";
}

const char* bri_sweep_output_unit(const sweep_output* w, const br_scenario* scenario)
{
    switch (w->kind) {
    case OUTPUT_VALUE: {
        const char* unit =
            strncmp(w->subject, "final.", 6) == 0 ? column_unit(scenario, w->subject + 6) : "";
        return *unit ? unit : value_unit(w->subject);
    }
    case OUTPUT_MIN:
    case OUTPUT_MAX:
        return column_unit(scenario, w->subject);
    case OUTPUT_FIRST:
    case OUTPUT_LAST:
        return "s";
    case OUTPUT_COUNT:
        return "-";
    case OUTPUT_FORMULA:
        break;
    }
    return "";
}
