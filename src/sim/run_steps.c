/*
 * The steps of an adaptive run: recorded by one run, repeated by others.
 *
 * An adaptive run is not a smooth function of its parameters, because the sizes and the number of its steps depend on
 * them. With the steps of another run it is one: each step has the recorded size, or ends where a smooth piece of the run
 * ends; events that change the system, which move with the parameters, are located as usual, and the steps after them
 * start there. A run whose events come in another order, or whose piece ends before a recorded step does, takes another
 * course, and is refused.
 */
#include "sim/run_steps.h"

#include <math.h>
#include <string.h>

br_status br_run_steps_create(br_run_steps** out, br_reason* why)
{
    BR_ASSERT(out);
    *out = br_allocate(1, sizeof **out);
    if (!*out) {
        br_reason_set(why, "", "no memory for the steps of a run");
        return BR_ERR_MEMORY;
    }
    return BR_OK;
}

void br_run_steps_destroy(br_run_steps* steps)
{
    if (steps) {
        br_release(steps->marks);
        br_release(steps);
    }
}

size_t br_run_steps_get_count(const br_run_steps* steps)
{
    BR_ASSERT(steps);
    size_t count = 0;
    for (size_t i = 0; i < steps->count; i++) {
        count += steps->marks[i].event < 0;
    }
    return count;
}

br_status bri_run_steps_start(br_run_steps* steps, bool repeats, size_t n, br_reason* why)
{
    if (repeats && n != steps->n) {
        br_reason_set(why, "steps",
                      "are those of a run of %zu states, not of %zu: its patches have other cells",
                      steps->n, n);
        return BR_ERR_CONVERGENCE;
    }
    steps->n = n;
    steps->next = 0;
    steps->count = repeats ? steps->count : 0;
    return BR_OK;
}

static br_status no_memory(br_reason* why)
{
    br_reason_set(why, "", "no memory for the steps of a run");
    return BR_ERR_MEMORY;
}

br_status bri_run_steps_add(br_run_steps* steps, run_mark mark, br_reason* why)
{
    if (steps->count == steps->capacity) {
        const size_t capacity = steps->capacity ? 2 * steps->capacity : 256;
        run_mark* larger = br_allocate(capacity, sizeof *larger);
        if (!larger) {
            return no_memory(why);
        }
        if (steps->count > 0) {
            memcpy(larger, steps->marks, steps->count * sizeof *larger);
        }
        br_release(steps->marks);
        steps->marks = larger;
        steps->capacity = capacity;
    }
    steps->marks[steps->count++] = mark;
    return BR_OK;
}

br_status bri_run_steps_another_course(double t, br_reason* why)
{
    br_reason_set(
        why, "steps",
        "are those of a run that takes another course from t = %.9g s on: its events come in "
        "another order, or at times that differ by more than a step",
        t);
    return BR_ERR_CONVERGENCE;
}

bool bri_run_steps_take(br_run_steps* steps, double left, double* h, bool* is_last)
{
    if (steps->next >= steps->count || steps->marks[steps->next].event >= 0) {
        return false;
    }
    const run_mark mark = steps->marks[steps->next++];
    *is_last = mark.is_last;
    *h = mark.is_last ? left : mark.h;
    // a last step may be longer or shorter than it was, but not by its own size
    return mark.is_last ? fabs(left - mark.h) < 0.5 * mark.h : mark.h < left;
}

bool bri_run_steps_take_event(br_run_steps* steps, int event)
{
    return steps->next < steps->count && steps->marks[steps->next++].event == event;
}
