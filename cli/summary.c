/*
 * Telling about a run.
 */
#include "summary.h"

#include <string.h>

#include "json.h"
#include "message.h"

void summary_print_text(const char* kind, const result* got, const char* name, FILE* to)
{
    const double end = bri_table_last(got->told)[0]; // earlier than asked if stopped
    const br_integrator_cost* cost = &got->told->cost;
    fprintf(to, "%s: %s, %zu rows, %.6g s in %.3g s (%zu steps, %zu rejected)\n", name, kind,
            got->rows.rows, end, got->wall, cost->steps, cost->rejected);
    fputs(br_table_get_text(got->told), to);
}

// --- sums by their paths --------------------------------------------------------------------------

// Sums in their order; those below one path stand together.
typedef struct sums {
    const br_table_value* at;
    size_t count;
} sums;

// How many of the sums begin with the first `length` letters of the first one's path.
static size_t count_below(sums all, size_t length)
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

// All sums, which share the first `from` letters of their paths; each goes on with a key, or in a list with
// an index: "final.pose[0]".
static void print_below(json* out, sums all, size_t from)
{
    for (size_t done = 0; done < all.count;) {
        const sums rest = {all.at + done, all.count - done};
        const char* path = rest.at[0].path;
        const bool is_entry = path[from] == '[';
        const size_t begin = from + (is_entry || path[from] == '.');
        size_t end = begin + strcspn(path + begin, ".[]");
        char key[64];
        snprintf(key, sizeof key, "%.*s", (int)(end - begin), path + begin);
        end += is_entry; // its bracket
        const char* name = is_entry ? NULL : key;
        if (!path[end]) {
            print_one(out, name, rest.at);
            done++;
            continue;
        }
        const sums below = {rest.at, count_below(rest, end + 1)};
        json_begin(out, name, path[end] == '[' ? '[' : '{');
        print_below(out, below, end);
        json_end(out, path[end] == '[' ? ']' : '}');
        done += below.count;
    }
}

// All sums whose path begins so, or those that do not.
static void print_sums(json* out, const br_table* told, const char* first, bool is_first)
{
    const size_t length = strlen(first),
                 below = count_below((sums){told->sums, told->sum_count}, length);
    enum { COST = 3 }; // at the end, which are whole numbers
    const sums all = is_first ? (sums){told->sums, below}
                              : (sums){told->sums + below, told->sum_count - below - COST};
    print_below(out, all, 0);
}

static void print_events(json* out, const br_table* told)
{
    json_begin(out, "events", '[');
    for (size_t i = 0; i < told->event_count; i++) {
        const br_table_event* event = &told->events[i];
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
    const br_table* told = got->told;
    json out = {to, false};
    json_begin(&out, NULL, '{');
    json_text(&out, "scenario", kind);
    json_count(&out, "rows", got->rows.rows);
    print_sums(&out, told, "final.", true);
    print_events(&out, told);
    print_sums(&out, told, "final.", false);
    if (told->empty_list) {
        json_begin(&out, told->empty_list, '[');
        json_end(&out, ']');
    }
    json_count(&out, "steps", told->cost.steps);
    json_count(&out, "rejected", told->cost.rejected);
    json_count(&out, "evaluations", told->cost.evaluations);
    json_number(&out, "wall_s", got->wall);
    print_warnings(&out);
    json_end(&out, '}');
    fputc('\n', to);
}
