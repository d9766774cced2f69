/*
 * Friction from `mu` alone: what the file leaves to the rule of br_law_from_mu(), and how a body swings
 * on the bristles that come out.
 */
#ifndef BRISTLE_SCENARIO_FRICTION_H
#define BRISTLE_SCENARIO_FRICTION_H

#include "bristle/body.h"
#include "bristle/swing.h"
#include "scenario/read_contact.h"

// For a contact whose motion is given: complete its law, warn if it may inject energy.
void bri_friction_in_motion(contact_input* contact);

// For the contacts of a body, whose frames, normal forces and counts are known (body.contact_count):
// the same for each. Gives how the body swings at its start, at the largest normal forces.
br_swing bri_friction_on_body(reading* in, const br_body* body, contact_input* contacts);

// A line of the numbers that the rule gave to contact `number` (0: the only one); "" if it gave none.
const char* bri_friction_text(const contact_input* contact, size_t number);

// A line of how the body swings while its contacts stick; "" if they do not hold it.
const char* bri_friction_swing_text(reading* in, const br_swing* swing);

#endif
