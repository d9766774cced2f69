/*
 * Telling about a run.
 */
#include "summary.h"

#include "json.h"
#include "message.h"

void summary_print_text(const scenario* s, const result* got, const char* name, FILE* to)
{
    const double end =
        table_row(&got->rows, got->rows.rows - 1)[0]; // earlier than asked if stopped
    fprintf(to, "%s: %s, %zu rows, %.6g s in %.3g s (%zu steps, %zu rejected)\n", name,
            s->kind->name, got->rows.rows, end, got->wall, got->cost.steps, got->cost.rejected);
    if (s->kind->add_text) {
        s->kind->add_text(s, got, to);
    }
}

static void print_final(json* out, const scenario* s, const result* got)
{
    const table* rows = &got->rows;
    json_begin(out, "final", '{');
    const size_t last = rows->rows - 1;
    for (size_t i = 0; i < rows->width; i++) {
        const char* word = table_word(rows, last, i);
        if (word) {
            json_text(out, rows->columns[i], word);
        } else {
            json_number(out, rows->columns[i], table_row(rows, last)[i]);
        }
    }
    if (s->kind->add_final) {
        s->kind->add_final(s, got, out);
    }
    json_end(out, '}');
}

static void print_events(json* out, const result* got)
{
    json_begin(out, "events", '[');
    for (size_t i = 0; i < got->event_count; i++) {
        json_begin(out, NULL, '{');
        json_number(out, "t", got->events[i].t);
        if (got->events[i].contact > 0) {
            json_count(out, "contact", got->events[i].contact);
        }
        json_text(out, "kind", got->events[i].kind);
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

void summary_print_json(const scenario* s, const result* got, FILE* to)
{
    json out = {to, false};
    json_begin(&out, NULL, '{');
    json_text(&out, "scenario", s->kind->name);
    json_count(&out, "rows", got->rows.rows);
    print_final(&out, s, got);
    print_events(&out, got);
    if (s->kind->add_json) {
        s->kind->add_json(s, got, &out);
    }
    json_count(&out, "steps", got->cost.steps);
    json_count(&out, "rejected", got->cost.rejected);
    json_count(&out, "evaluations", got->cost.evaluations);
    json_number(&out, "wall_s", got->wall);
    print_warnings(&out);
    json_end(&out, '}');
    fputc('\n', to);
}
