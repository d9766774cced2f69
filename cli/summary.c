/*
 * Summary of a run, as text or JSON.
 */
#include "summary.h"

#include <string.h>

#include "json.h"
#include "message.h"

// A cost counter: steps, rejected or evaluations.
static size_t cost_of(const br_table* report, const char* path)
{
    return (size_t)br_table_find_value(report, path)->number;
}

void summary_print_text(const char* kind, const result* got, const char* name, FILE* to)
{
    const br_table* report = got->report;
    size_t width;
    br_table_get_columns(report, &width);
    const double* rows = br_table_get_rows(report);
    const double end = rows[(br_table_get_row_count(report) - 1) * width]; // earlier if stopped
    fprintf(to, "%s: %s, %zu rows, %.6g s in %.3g s (%zu steps, %zu rejected)\n", name, kind,
            got->rows.rows, end, got->wall, cost_of(report, "steps"), cost_of(report, "rejected"));
    fputs(br_table_get_text(got->report), to);
}

// --- values by their paths ------------------------------------------------------------------------

// Values in order; those below one path are adjacent.
typedef struct value_list {
    const br_table_value* at;
    size_t count;
} value_list;

// How many values from the first on share the first `length` characters of its path, for the nesting of JSON.
static size_t count_same_start(value_list all, size_t length)
{
    size_t count = 1;
    while (count < all.count && strncmp(all.at[count].path, all.at[0].path, length) == 0) {
        count++;
    }
    return count;
}

static void print_one(json* out, const char* key, const br_table_value* value)
{
    if (value->word) {
        json_text(out, key, value->word);
    } else {
        json_number(out, key, value->number);
    }
}

// Print values that share the first `from` characters of their paths. After these comes a key, or in a list an
// index: "final.pose[0]".
static void print_below(json* out, value_list all, size_t from)
{
    for (size_t done = 0; done < all.count;) {
        const value_list rest = {all.at + done, all.count - done};
        const char* path = rest.at[0].path;
        const bool is_entry = path[from] == '[';
        const size_t start = from + (is_entry || path[from] == '.');
        size_t end = start + strcspn(path + start, ".[]");
        char key[64];
        snprintf(key, sizeof key, "%.*s", (int)(end - start), path + start);
        end += is_entry; // the closing bracket
        const char* name = is_entry ? NULL : key;
        if (!path[end]) {
            print_one(out, name, rest.at);
            done++;
            continue;
        }
        const value_list below = {rest.at, count_same_start(rest, end + 1)};
        json_begin(out, name, path[end] == '[' ? '[' : '{');
        print_below(out, below, end);
        json_end(out, path[end] == '[' ? ']' : '}');
        done += below.count;
    }
}

// Print all values whose path starts with `first` (is_first), or all others.
static void print_values(json* out, const br_table* report, const char* first, bool is_first)
{
    enum { COST = 3 }; // the last three values are counters, printed separately
    const br_table_value* values = br_table_get_value(report, 0);
    const size_t count = br_table_get_value_count(report),
                 below = count_same_start((value_list){values, count}, strlen(first));
    const value_list all =
        is_first ? (value_list){values, below} : (value_list){values + below, count - below - COST};
    print_below(out, all, 0);
}

static void print_events(json* out, const br_table* report)
{
    json_begin(out, "events", '[');
    for (size_t i = 0; i < br_table_get_event_count(report); i++) {
        const br_table_event* event = br_table_get_event(report, i);
        json_begin(out, NULL, '{');
        json_number(out, "t", event->t);
        if (event->contact > 0) {
            json_count(out, "contact", event->contact);
        }
        json_text(out, "kind", event->kind);
        json_end(out, '}');
    }
    json_end(out, ']');
}

static void print_warnings(json* out)
{
    json_begin(out, "warnings", '[');
    for (size_t i = 0; i < message_warning_count(); i++) {
        json_text(out, NULL, message_warning(i));
    }
    json_end(out, ']');
}

void summary_print_json(const char* kind, const result* got, FILE* to)
{
    const br_table* report = got->report;
    json out = {to, false};
    json_begin(&out, NULL, '{');
    json_text(&out, "scenario", kind);
    json_count(&out, "rows", got->rows.rows);
    print_values(&out, report, "final.", true);
    print_events(&out, report);
    print_values(&out, report, "final.", false);
    if (strcmp(kind, "body") == 0 && !br_table_find_value(report, "contacts[0].slipped")) {
        json_begin(&out, "contacts", '[');
        json_end(&out, ']');
    }
    static const char* const cost[] = {"steps", "rejected", "evaluations"};
    for (int i = 0; i < 3; i++) {
        json_count(&out, cost[i], cost_of(report, cost[i]));
    }
    json_number(&out, "wall_s", got->wall);
    print_warnings(&out);
    json_end(&out, '}');
    fputc('\n', to);
}
