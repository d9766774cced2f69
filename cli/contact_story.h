/*
 * How the contacts of a run fared: stick, slip, open, and how near they came to slipping.
 */
#ifndef CLI_CONTACT_STORY_H
#define CLI_CONTACT_STORY_H

#include "bristle/step.h"
#include "json.h"
#include "plot.h"
#include "result.h"

enum { CONTACT_STATES = 3 };

// Columns of a contact on request.
enum { STORY_STATE, STORY_SLIP, STORY_LOAD, STORY_COLUMNS };

// Their names, and the words for the states in the order of br_contact_state.
extern const char* const contact_columns[];
extern const char* const contact_state_words[];

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
void contact_story_switch(contact_story* to, double t, br_contact_state state, bool left);

// A member of the list `contacts`, and a line, of a run that ended at `end` [s].
void contact_story_json(const contact_story* from, double end, json* out);
void contact_story_text(const contact_story* from, size_t number, double end, FILE* to);

// When contact `number`, from 1, slipped and was open.
plot_decoration contact_story_bands(const contact_story* from, size_t number, const result* got,
                                    double end);

#endif
