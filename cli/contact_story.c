/*
 * How the contacts of a run fared.
 */
#include "contact_story.h"

#include <math.h>

#include "memory.h"

const char* const contact_columns[] = {"state", "slip", "load", NULL};
const char* const contact_state_words[] = {"stick", "slip", "open", NULL};

void contact_story_switch(contact_story* to, double t, br_contact_state state, bool left)
{
    to->spent[to->state] += t - to->since;
    to->state = state;
    to->since = t;
    to->left = left ? t : to->left;
}

// Time in a state until `end` [s]; a run that was stopped may have an event after it.
static double time_in(const contact_story* from, br_contact_state state, double end)
{
    return from->spent[state] + (from->state == state ? fmax(0, end - from->since) : 0);
}

void contact_story_json(const contact_story* from, double end, json* out)
{
    json_begin(out, NULL, '{');
    json_number(out, "slipped", from->slipped);
    json_number(out, "stuck", time_in(from, BR_STICK, end));
    json_number(out, "open", time_in(from, BR_OPEN, end));
    json_number(out, "load", from->most_load);
    if (from->left >= 0) {
        json_number(out, "left", from->left);
    }
    json_end(out, '}');
}

void contact_story_text(const contact_story* from, size_t number, double end, FILE* to)
{
    const double open = time_in(from, BR_OPEN, end);
    fprintf(to, "  contact %zu: slipped %.4g m, stuck for %.4g s of %.4g s", number, from->slipped,
            time_in(from, BR_STICK, end), end);
    if (open > 0) {
        fprintf(to, ", open for %.4g s", open);
    }
    fprintf(to, ", load up to %.3g\n", from->most_load);
    if (from->left >= 0) {
        fprintf(to, "  contact %zu: left the body at t = %.6g s and is open from there on\n",
                number, from->left);
    }
}

static void add_band(plot_decoration* to, double begin, double end, br_contact_state state)
{
    static const plot_shade shades[CONTACT_STATES] = {PLOT_CLEAR, PLOT_WARM, PLOT_GREY};
    if (shades[state] != PLOT_CLEAR && end > begin) {
        to->bands[to->band_count++] =
            (plot_band){begin, end, shades[state], contact_state_words[state]};
    }
}

plot_decoration contact_story_bands(const contact_story* from, size_t number, const result* got,
                                    double end)
{
    plot_decoration bands = {.bands = memory_allocate(got->event_count + 1, sizeof(plot_band))};
    br_contact_state state = from->first;
    double since = 0;
    for (size_t i = 0; i < got->event_count; i++) {
        const result_event* event = &got->events[i];
        const int next = text_find(event->kind, contact_state_words);
        if (event->contact == number && next >= 0) {
            add_band(&bands, since, fmin(event->t, end), state);
            state = (br_contact_state)next;
            since = event->t;
        }
    }
    add_band(&bands, since, end, state);
    return bands;
}
