/*
 * A planar rigid body with its contacts and loads, from a tree.
 */
#ifndef BRISTLE_SCENARIO_READ_BODY_H
#define BRISTLE_SCENARIO_READ_BODY_H

#include "bristle/modes.h"
#include "scenario/read_contact.h"

// The outline of a body in its frame: corners, or a disc's radius; neither: not known.
typedef struct body_outline {
    br_vec2* points; // [m] (count)
    size_t count;
    double radius; // [m]; 0: not a disc
} body_outline;

// The keys of a scenario with a body.
extern const mapping bri_keys_body;

// A scenario with a body.
typedef struct body_input {
    br_body body;            // with its contacts and loads
    br_body_contact* parts;  // body.contacts, to be written while they are read
    contact_input* contacts; // as they are read (body.contact_count)
    br_modes modes;          // while the contacts stick
    body_outline outline;

    // as they are read
    double size[2];         // [m]
    number_rows corners;    // x, y [m]
    br_profile gravity[2];  // [m/s^2]
    contact_input* contact; // alone; NULL: `list`
    struct_list list;       // of contact_input
    struct_list loads;      // of br_body_load
    br_body_pusher* pusher; // NULL: none
} body_input;

// Read everything but duration, integrator and rows; errors are noted.
body_input bri_read_body(const node* root);

// Create the models of its contacts and complete the body, where there are no errors.
void bri_make_body(const node* root, body_input* got);

// The same as bri_friction_in_motion() for each contact of a body, whose frames, normal forces and counts are known
// (body.contact_count). Returns the vibration modes of the body at its start, at the largest normal forces.
br_modes bri_friction_on_body(parse_context* in, const br_body* body, contact_input* contacts);

// A line with the vibration modes of the body while its contacts stick; "" if they do not hold it.
const char* bri_friction_modes_text(parse_context* in, const br_modes* modes);

// --- `normal_force: weight`: the weight of a body on the contacts under it ------------------------

// Does a contact of this frame, whose normal force may be the word `weight`, bear weight? That is the default on a
// table; errors are noted.
bool bri_read_is_weight(const node* contact, br_frame frame, bool has_word);

// Divide the body's weight among the contacts that bear it by br_body_share_weight(). An error where gravity does not
// press the body on its plane, or where the centre of mass is outside of the support.
void bri_share_weight(const node* root, body_input* input);

// The same check for gravity that changes, once the duration [s] is known.
void bri_check_weight(const node* root, const br_body* body, double duration);

// Warn of a body that stands on contacts whose centre of pressure is not below its centre of mass.
void bri_warn_unbalanced(const node* root, const br_body* body);

// --- plausibility ---------------------------------------------------------------------------------

// Warn of quantities that are implausible compared with the others, most of them numbers in another unit. The runs last
// `duration` [s] with a row `every` [s] (0: at other times). Values that were given with a unit are not questioned.
void bri_warn_implausible(const node* root, const body_input* input, double duration, double every);

#endif
