/*
 * Friction from `mu` alone: what the file leaves to the rule of br_law_from_mu(), and how a body swings
 * on the bristles that come out.
 */
#ifndef CLI_FRICTION_H
#define CLI_FRICTION_H

#include <stdio.h>

#include "bristle/body.h"
#include "bristle/swing.h"
#include "read_contact.h"

// For a contact whose motion is given: complete its law, warn if it may inject energy.
void friction_in_motion(contact_input* contact);

// For the contacts of a body, whose frames, normal forces and counts are known (body.contact_count):
// the same for each. Gives how the body swings at its start, at the largest normal forces.
br_swing friction_on_body(const br_body* body, contact_input* contacts);

// Tell the numbers that the rule gave to contact `number` (0: the only one), if it gave any.
void friction_print(const contact_input* contact, size_t number, FILE* to);

// Tell how the body swings while its contacts stick, if they hold it.
void friction_print_swing(const br_swing* swing, FILE* to);

#endif
