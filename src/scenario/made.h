/*
 * Models that a scenario was read into, and that its cases (br_scenario_read_case()) share.
 *
 * A value of a case knows the value of the scenario that it was copied from, its `base`. What was made there of
 * the same definition serves the case, too: patches, limit surfaces and contacts are immutable.
 */
#ifndef BRISTLE_SCENARIO_MADE_H
#define BRISTLE_SCENARIO_MADE_H

#include "bristle/contact.h"
#include "bristle/outline.h"
#include "scenario/node.h"
#include "scenario/read_patch.h"

// Remember what was made at a value.
void bri_made_note_patch(const node* at, patch_input patch);
void bri_made_note_outline(const node* at, const br_outline* outline);
void bri_made_note_surface(const node* at, const br_limit_def* def, br_limit* surface);
void bri_made_note_contact(const node* at, const br_contact_def* def, const br_contact* contact);

// What the scenario that this is a case of has made there: of a patch or an outline that no override has touched, or of
// the same definition; NULL: nothing. A contact may differ in its law.
const patch_input* bri_made_find_patch(const node* at);
const br_outline* bri_made_find_outline(const node* at);
br_limit* bri_made_find_surface(const node* at, const br_limit_def* def);
const br_contact* bri_made_find_contact(const node* at, const br_contact_def* def);

#endif
