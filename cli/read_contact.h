/*
 * A contact from YAML: its patch, its friction model, its normal force.
 */
#ifndef CLI_READ_CONTACT_H
#define CLI_READ_CONTACT_H

#include "bristle/contact.h"
#include "bristle/limit.h"
#include "bristle/profile.h"
#include "node.h"
#include "read_law.h"
#include "read_patch.h"

// A br_method, or memoryless; in the order of the names in read_contact.c.
typedef enum contact_model {
    MODEL_BLOCKS = BR_METHOD_BLOCKS,
    MODEL_DISTRIBUTED = BR_METHOD_DISTRIBUTED,
    MODEL_REDUCED = BR_METHOD_REDUCED,
    MODEL_ELLIPSOID = BR_METHOD_ELLIPSOID,
    MODEL_COULOMB
} contact_model;

// All is freed when the command ends.
typedef struct contact_input {
    contact_model model;
    const node* from;
    friction_input friction; // complete after friction_in_motion() or friction_on_body()
    const br_patch* patch;
    patch_input patch_from;    // the same, and how to cut it
    const br_contact* contact; // this or the next is set by contact_make_model()
    const br_limit* coulomb;
    br_profile normal_force;       // [N]; whether it is negative in the run is still to be checked
    const node* normal_force_from; // NULL: by default, or `weight`
    bool has_weight;               // the force is the word `weight`: of a body
    size_t count;                  // identical contacts
} contact_input;

// The model as it is called in files.
const char* contact_model_name(contact_model model);

// Read a contact with these keys; mistakes end the command. `model`, `blocks` and `friction` that it
// has not are those at the top of the file, where friction must stand then; the model is blocks if there
// is none.
contact_input read_contact(const node* map, names keys);

// Make its model, when its friction is complete.
void contact_make_model(contact_input* contact);

#endif
