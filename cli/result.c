/*
 * What a run gave.
 */
#include "result.h"

#include "memory.h"
#include "temporary.h"

enum { FIRST_EVENTS = 64 };

void result_add_event(result* to, result_event event)
{
    if (to->event_count == to->event_capacity) {
        to->event_capacity = to->event_capacity ? 2 * to->event_capacity : FIRST_EVENTS;
        to->events = memory_grow(to->events, to->event_capacity, sizeof *to->events);
    }
    to->events[to->event_count++] = event;
}

static void on_event(const br_run_event* event, void* user)
{
    result_add_event(user, (result_event){event->t, 0, br_event_name(event->kind)});
}

static void on_progress(double fraction, void* user)
{
    result* r = user;
    r->fraction = fraction;
    progress_show(&r->bar, fraction);
}

static int stops(double t, void* user)
{
    (void)t;
    const result* r = user;
    return progress_clock() > r->deadline || temporary_signal() != 0;
}

br_run_watch result_watch(result* to)
{
    return (br_run_watch){.event = on_event, .progress = on_progress, .stop = stops, .user = to};
}
