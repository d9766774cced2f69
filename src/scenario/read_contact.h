/*
 * A contact from YAML: its patch, its friction model, its normal force.
 */
#ifndef BRISTLE_SCENARIO_READ_CONTACT_H
#define BRISTLE_SCENARIO_READ_CONTACT_H

#include "bristle/contact.h"
#include "bristle/grip.h"
#include "bristle/limit.h"
#include "bristle/profile.h"
#include "scenario/keys.h"
#include "scenario/read_law.h"
#include "scenario/read_patch.h"

// A br_method, or memoryless; in the order of the names in read_contact.c.
typedef enum contact_model {
    MODEL_BLOCKS = BR_METHOD_BLOCKS,
    MODEL_DISTRIBUTED = BR_METHOD_DISTRIBUTED,
    MODEL_REDUCED = BR_METHOD_REDUCED,
    MODEL_ELLIPSOID = BR_METHOD_ELLIPSOID,
    MODEL_COULOMB
} contact_model;

// The limit surfaces of the reduced model, in the order of their names in read_contact.c.
typedef enum surface_choice { SURFACE_EXACT, SURFACE_GRID, SURFACE_PUBLISHED } surface_choice;

// How a model is to be made. All of it is checked, whatever the model uses.
typedef struct model_options {
    size_t blocks;          // across; 0: as many as suit
    surface_choice surface; // of the reduced model, and whose r the ellipsoid has
    size_t n;               // nodes of its table
    bool guard;
} model_options;

// All is freed with the reading.
typedef struct contact_input {
    contact_model model;
    const node* from;
    friction_input friction; // complete after bri_friction_in_motion() or bri_friction_on_body()
    const br_patch* patch;
    patch_input patch_from; // the same, and how to cut it
    model_options options;
    const br_contact* contact; // this or the next is set by bri_contact_make_model()
    const br_limit* coulomb;
    br_profile normal_force;       // [N]; whether it is negative in the run is still to be checked
    const node* normal_force_from; // NULL: by default, or `weight`
    const br_grip* grip; // controls the normal force, which is that of the start; NULL: none
    bool has_weight;     // the force is the word `weight`: of a body
    size_t count;        // identical contacts
} contact_input;

// The model as it is called in files.
const char* bri_contact_model_name(contact_model model);

// Read a contact with these keys; mistakes are noted. `model`, `blocks` and `friction` that it
// has not are those at the top of the file, where friction must stand then; the model is blocks if there
// is none.
contact_input bri_read_contact(const node* map, const mapping* keys);

// Make its model, when its friction is complete and there are no mistakes.
void bri_contact_make_model(contact_input* contact);

#endif
