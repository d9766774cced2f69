/*
 * What a run gave, and telling about it.
 */
#include "summary.h"

#include "json.h"
#include "memory.h"
#include "message.h"

void result_add_event(result* to, br_rig_event event)
{
    if (to->event_count == to->event_capacity) {
        to->event_capacity = to->event_capacity ? 2 * to->event_capacity : 64;
        to->events = memory_grow(to->events, to->event_capacity, sizeof *to->events);
    }
    to->events[to->event_count++] = event;
}

void summary_print_text(const scenario* s, const result* got, const char* name, FILE* to)
{
    fprintf(to, "%s: %s, %zu rows, %.6g s in %.3g s (%zu steps, %zu rejected)\n", name, s->name,
            got->rows.rows, s->run.duration, got->wall, got->cost.steps, got->cost.rejected);
}

static void print_final(json* out, const table* rows)
{
    json_begin(out, "final", '{');
    for (size_t i = 0; i < rows->width; i++) {
        json_number(out, rows->columns[i], table_row(rows, rows->rows - 1)[i]);
    }
    json_end(out, '}');
}

static void print_events(json* out, const result* got)
{
    json_begin(out, "events", '[');
    for (size_t i = 0; i < got->event_count; i++) {
        json_begin(out, NULL, '{');
        json_number(out, "t", got->events[i].t);
        json_text(out, "kind", got->events[i].slips ? "slip" : "stick");
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
    json_text(&out, "scenario", s->name);
    json_count(&out, "rows", got->rows.rows);
    print_final(&out, &got->rows);
    print_events(&out, got);
    json_count(&out, "steps", got->cost.steps);
    json_count(&out, "rejected", got->cost.rejected);
    json_count(&out, "evaluations", got->cost.evaluations);
    json_number(&out, "wall_s", got->wall);
    print_warnings(&out);
    json_end(&out, '}');
    fputc('\n', to);
}
