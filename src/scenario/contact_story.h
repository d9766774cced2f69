/*
 * How the contacts of a run fared: stick, slip, open, and how near they came to slipping.
 */
#ifndef BRISTLE_SCENARIO_CONTACT_STORY_H
#define BRISTLE_SCENARIO_CONTACT_STORY_H

#include "bristle/step.h"
#include "scenario/table.h"

enum { CONTACT_STATES = 3 };

// Columns of a contact on request.
enum { STORY_STATE, STORY_SLIP, STORY_LOAD, STORY_COLUMNS };

// The words for the states in the order of br_contact_state.
extern const char* const bri_contact_state_words[];

// How a contact fared.
typedef struct contact_story {
    br_contact_state first;       // at the start
    br_contact_state state;       // now
    double since;                 // when that began [s]
    double spent[CONTACT_STATES]; // time in each state, up to `since` [s]
    double slipped;               // [m]
    double most_load;             // largest share of what friction can hold [-]
    double left;                  // when its patch left the body [s], < 0: it did not
} contact_story;

// Go on in another state from t [s] on; `left`: open, since its patch left the body.
void bri_contact_story_switch(contact_story* to, double t, br_contact_state state, bool left);

// The sums below contacts[index], and lines of the text, of a run that ended at `end` [s].
void bri_contact_story_sum_up(const contact_story* from, size_t index, double end, br_table* to);

#endif
