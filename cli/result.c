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

int result_on_progress(double fraction, void* user)
{
    result* r = user;
    r->fraction = fraction;
    progress_show(&r->bar, fraction);
    return progress_clock() > r->deadline || temporary_signal() != 0;
}
