/*
 * Scenario text: read, checked, asked for all that it has, run for some steps, planned as a sweep, upgraded, read again
 * with overrides. An override is a comment of the text, "#friction.mu=0.4".
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "bristle/scenario.h"
#include "bristle/sweep.h"

enum { STEPS = 20, OVERRIDES = 2, MOST_TEXT = 8193 };

// Texts of the last comments.
typedef struct comments {
    size_t count;
    char text[OVERRIDES][MOST_TEXT];
} comments;

static void find_comments(const char* text, comments* out)
{
    out->count = 0;
    for (const char* at = strchr(text, '#'); at && out->count < OVERRIDES;
         at = strchr(at + 1, '#')) {
        const size_t length = strcspn(at + 1, "#\n");
        memcpy(out->text[out->count], at + 1, length);
        out->text[out->count++][length] = '\0';
    }
}

// --- what a scenario and a table have -------------------------------------------------------------------------

static void use_text(const char* text)
{
    demand(text);
    look_at((double)strlen(text));
}

static void use_table(const br_table* table, const char* word)
{
    size_t columns;
    const br_column* column = br_table_get_columns(table, &columns);
    const double* rows = br_table_get_rows(table);
    for (size_t i = 0; i < br_table_get_row_count(table) * columns; i++) {
        look_at(rows[i]);
    }
    for (size_t i = 0; i < columns; i++) {
        demand(br_table_find_column(table, column[i].name) == i);
    }
    for (size_t i = 0; i < br_table_get_event_count(table); i++) {
        use_text(br_table_get_event(table, i)->kind);
    }
    for (size_t i = 0; i < br_table_get_value_count(table); i++) {
        const br_table_value* value = br_table_get_value(table, i);
        demand(br_table_find_value(table, value->path) == value);
    }
    for (size_t i = 0; i < br_table_get_warning_count(table); i++) {
        use_text(br_table_get_warning(table, i));
    }
    use_text(br_table_get_text(table));
    demand(br_table_find_column(table, word) <= columns);
    demand(br_column_find_numbered(column, columns, word, 1) <= columns);
    br_table_find_value(table, word);
}

static void use_scenario(const br_scenario* s, const char* word)
{
    char* place = NULL;
    size_t columns;
    const size_t errors = br_scenario_get_error_count(s);
    demand((br_scenario_check(s) == BR_OK) == (errors == 0));
    for (size_t i = 0; i < errors; i++) {
        const br_scenario_error* e = br_scenario_get_error(s, i);
        use_text(e->file), use_text(e->key), use_text(e->text);
        use_text(e->allowed), use_text(e->nearest);
        demand(*e->text);
    }
    for (size_t i = 0; i < br_scenario_get_warning_count(s); i++) {
        use_text(br_scenario_get_warning(s, i));
    }
    for (size_t i = 0; i < br_scenario_get_file_count(s); i++) {
        use_text(br_scenario_get_file(s, i));
    }
    use_text(br_scenario_get_kind(s));
    use_text(br_scenario_get_text(s));
    look_at(br_scenario_get_duration(s) + (double)br_scenario_get_row_count(s));
    br_scenario_get_columns(s, &columns);
    demand(errors == 0 || columns == 0);
    const br_picture* picture = br_scenario_get_picture(s);
    demand(!picture || errors == 0);
    if (picture) {
        use_text(picture->title);
    }
    if (br_scenario_create_place(s, word, &place) == BR_OK) {
        use_text(place);
    }
    br_release(place);
}

// --- runs -----------------------------------------------------------------------------------------------------

// A run of some steps; NULL: it has no table.
static br_table* run(const br_scenario* s, bool drops_rows)
{
    size_t left = STEPS;
    br_scenario_watch watch = br_scenario_watch_default();
    watch.stop = stop_soon;
    watch.user = &left;
    watch.drop_rows = drops_rows;
    br_table* table = NULL;
    br_reason why;
    const br_status status = br_scenario_run(s, &watch, &table, &why);
    demand(status == BR_OK || *why.text);
    return table;
}

static void plan(const br_scenario* s)
{
    br_sweep* sweep = NULL;
    br_reason why;
    if (br_scenario_get_model(s).sweeps) {
        br_sweep_create(s, NULL, &sweep, &why);
        br_sweep_destroy(sweep);
    }
}

// Last rows of two runs are equal to the last bit.
static void compare(const br_table* a, const br_table* b)
{
    size_t columns, others;
    demand(!a == !b);
    if (a) {
        br_table_get_columns(a, &columns);
        br_table_get_columns(b, &others);
        demand(columns == others && br_table_get_row_count(a) == br_table_get_row_count(b));
        for (size_t i = 0; i < columns * br_table_get_row_count(a); i++) {
            demand(is_same(br_table_get_rows(a)[i], br_table_get_rows(b)[i]));
        }
    }
}

// --- overrides ------------------------------------------------------------------------------------------------

// The case of an override that is a number, and the variant of the same text.
static void use_case(const br_scenario* from, const br_scenario* variant, char* text)
{
    br_scenario* s = NULL;
    br_override override = {.key = text};
    char* value = strchr(text, '=');
    if (!value) {
        return;
    }
    *value++ = '\0';
    override.text = br_text_read_number(value, &override.number) ? NULL : value;
    const br_status status = br_scenario_read_case(from, &override, 1, &s);
    if (s) {
        use_scenario(s, text);
    }
    if (!override.text) {
        demand(status == br_scenario_check(variant));
    }
    if (status == BR_OK && !override.text) {
        br_table *a = run(s, true), *b = run(variant, true);
        compare(a, b);
        br_table_destroy(a);
        br_table_destroy(b);
    }
    br_scenario_destroy(s);
}

static void use_overrides(const br_scenario* s, comments* c)
{
    const char* overrides[OVERRIDES + 1] = {NULL};
    br_scenario* variant = NULL;
    for (size_t i = 0; i < c->count; i++) {
        overrides[i] = c->text[i];
    }
    br_scenario_read_variant(s, overrides, &variant);
    if (variant) {
        use_scenario(variant, c->text[0]);
    }
    if (variant && c->count == 1) {
        use_case(s, variant, c->text[0]);
    }
    br_scenario_destroy(variant);
}

// --- the text as other things ---------------------------------------------------------------------------------

static void use_help(const char* word)
{
    static bool has_schema;
    char* out = NULL;
    if (br_scenario_create_help(word, &out) == BR_OK) {
        use_text(out);
    }
    br_release(out);
    if (!has_schema && br_scenario_create_schema(&out) == BR_OK) {
        has_schema = true;
        use_text(out);
        br_release(out);
    }
}

static void read_model(const uint8_t* data, size_t size)
{
    br_scenario* s = NULL;
    const char* path = file_with(data, size);
    br_scenario_read_model(path, (br_model_kind)(size % 3), NULL, &s);
    if (s) {
        use_scenario(s, "shape");
        const br_scenario_model model = br_scenario_get_model(s);
        look_at(model.patch ? br_patch_eval(model.patch, 1.0).r : 0.0);
    }
    br_scenario_destroy(s);
    s = NULL;
    br_scenario_read_file(path, NULL, &s);
    br_scenario_destroy(s);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static comments found;
    const char* text = text_of(data, size);
    br_scenario* s = NULL;
    char* upgraded = NULL;
    if (!text) {
        return 0;
    }
    find_comments(text, &found);
    const char* word = found.count > 0 ? found.text[0] : "friction.mu";
    const br_status status = br_scenario_read_text(text, "input", NULL, &s);
    if (s) {
        use_scenario(s, word);
    }
    if (status == BR_OK) {
        br_table* table = run(s, false);
        if (table) {
            use_table(table, word);
        }
        br_table_destroy(table);
        plan(s);
    }
    if (s && br_scenario_upgrade(s, text, &upgraded) == BR_OK) {
        br_release(upgraded);
    }
    if (found.count > 0) {
        use_help(word);
    }
    if (status == BR_OK && found.count > 0) {
        use_overrides(s, &found);
    }
    if (status != BR_OK) {
        read_model(data, size);
    }
    br_scenario_destroy(s);
    return 0;
}
