/*
 * How the contacts of a run fared.
 */
#include "scenario/contact_story.h"

#include <math.h>

const char* const bri_contact_state_words[] = {"stick", "slip", "open", NULL};

void bri_contact_story_switch(contact_story* to, double t, br_contact_state state, bool left)
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

static void say(const contact_story* from, size_t number, double end, br_table* to)
{
    const double open = time_in(from, BR_OPEN, end);
    bri_table_say(to, "  contact %zu: slipped %.4g m, stuck for %.4g s of %.4g s", number,
                  from->slipped, time_in(from, BR_STICK, end), end);
    if (open > 0) {
        bri_table_say(to, ", open for %.4g s", open);
    }
    bri_table_say(to, ", load up to %.3g\n", from->most_load);
    if (from->left >= 0) {
        bri_table_say(to, "  contact %zu: left the body at t = %.6g s and is open from there on\n",
                      number, from->left);
    }
}

void bri_contact_story_sum_up(const contact_story* from, size_t index, double end, br_table* to)
{
    bri_table_sum(to, from->slipped, "contacts[%zu].slipped", index);
    bri_table_sum(to, time_in(from, BR_STICK, end), "contacts[%zu].stuck", index);
    bri_table_sum(to, time_in(from, BR_OPEN, end), "contacts[%zu].open", index);
    bri_table_sum(to, from->most_load, "contacts[%zu].load", index);
    if (from->left >= 0) {
        bri_table_sum(to, from->left, "contacts[%zu].left", index);
    }
    say(from, index + 1, end, to);
}
