/*
 * `normal_force: weight`: a body's weight on the contacts that it stands on.
 */
#ifndef BRISTLE_SCENARIO_READ_WEIGHT_H
#define BRISTLE_SCENARIO_READ_WEIGHT_H

#include "bristle/body.h"
#include "scenario/node.h"

// Does a contact of this frame, whose normal force may be the word `weight`, bear it? That is the
// default on a table; mistakes are noted.
bool bri_read_is_weight(const node* contact, br_frame frame, bool has_word);

// Divide the body's weight among its contacts; `bears` says which of them bear it (contact_count).
// A mistake where gravity leaves nothing that presses the body on its plane.
void bri_share_weight(const node* root, const br_body* body, br_body_contact* contacts,
                      const bool* bears);

// The same for gravity that changes, once the duration [s] is known.
void bri_check_weight(const node* root, const br_body* body, double duration);

// Tell of a body that stands with its weight on contacts whose centre of pressure is not under it.
void bri_warn_unbalanced(const node* root, const br_body* body);

#endif
