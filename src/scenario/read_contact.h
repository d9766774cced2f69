/*
 * Parts of a contact from a tree: laws, friction, patches, profiles; and the models built from them.
 */
#ifndef BRISTLE_SCENARIO_READ_CONTACT_H
#define BRISTLE_SCENARIO_READ_CONTACT_H

#include "bristle/body.h"
#include "bristle/contact.h"
#include "bristle/grip.h"
#include "bristle/law.h"
#include "bristle/limit.h"
#include "bristle/outline.h"
#include "bristle/patch.h"
#include "bristle/profile.h"
#include "scenario/keys.h"

// --- laws and friction ----------------------------------------------------------------------------

// Read a one-dimensional law; errors are noted, parameters that may inject energy give a warning.
br_law bri_read_law(const node* map);

// What a field of mu is fixed to, in the order of the words in read_field.c.
typedef enum field_side { FIELD_GROUND, FIELD_BODY } field_side;

// A field of mu in a file.
typedef struct field_input {
    const node* from; // NULL: there is none
    br_field_def def; // its factors are in the memory of the context; NULL where there was an error
    field_side over;
} field_input;

// Read a field; errors are noted. NULL: there is none.
field_input bri_read_field(const node* map);

// Create it in a frame that has its origin there, on the surface that it is fixed to; NULL: an error, which is noted.
br_field* bri_build_field(const field_input* field, br_vec2 origin);

// The friction of a contact in a file.
typedef struct friction_input {
    const node* from;
    br_law law;
    field_input field;
    unsigned rule; // parameters for br_law_complete(); not v_damping where sigma1 is given:
                   // a measured sigma1 is constant
    br_anisotropy anisotropy;
} friction_input;

// Read the friction of a contact: the parameters of LuGre or, unless `elasto_plastic` is false, of the elasto-plastic
// law; only mu_c is required where there are no bristles, and with `mu` nothing else is. `map` may be NULL: it is
// missing, which has been reported.
friction_input bri_read_friction(const node* map, bool has_bristles);

// Warn of a coefficient of a friction or a law that is most likely in percent, once.
void bri_warn_of_coefficients(const node* map);

// --- patches --------------------------------------------------------------------------------------

// A patch and its division into cells.
typedef struct patch_input {
    br_patch* patch;          // owned by the context; NULL where there was an error
    size_t resolution;        // cells across
    br_anisotropy anisotropy; // of a patch file
} patch_input;

// Read and create a patch; errors are noted. `map` may be NULL: it is missing, which has been reported.
patch_input bri_read_patch(const node* map);

// The outline of a patch at the normal force fn [N], or its convex hull; NULL for a patch with an error (NULL).
br_outline* bri_outline_create(parse_context* in, const br_patch* shape, double fn, bool is_hull);

// --- profiles: numbers over time ------------------------------------------------------------------

// Read a profile, which may also be one of the mappings `also` (ended by NULL; NULL: none); a constant must be in the
// range. Errors are noted.
br_profile bri_read_profile(const node* value, range allowed, const mapping* const* also);

// Note an error if the profile, read from this value, is negative within the duration [s].
void bri_check_not_negative(const node* value, const br_profile* profile, double duration);

// A profile that is linear between the rows of a table.
br_profile bri_profile_of_table(size_t count, const double* t, const double* value, double hold);

// --- contacts -------------------------------------------------------------------------------------

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

// Options of a model. All of them are checked, whatever the model uses.
typedef struct model_options {
    size_t blocks;          // across; 0: chosen by the library
    surface_choice surface; // of the reduced model; published: r of the ellipsoid, too
    size_t n;               // nodes of its table
    bool guard;
} model_options;

// All is freed with the context.
typedef struct contact_input {
    contact_model model;
    const node* from;
    friction_input friction; // complete after bri_friction_in_motion() or bri_friction_on_body()
    const br_patch* patch;
    patch_input patch_from; // the same, and its division into cells
    model_options options;
    const br_contact* contact; // this or the next is set by bri_contact_make_model()
    const br_limit* coulomb;
    br_profile normal_force;       // [N]; whether it is negative in the run is still to be checked
    const node* normal_force_from; // NULL: by default, or `weight`
    const br_grip* grip; // controls the normal force, which is that of the start; NULL: none
    bool has_weight;     // the force is the word `weight`: of a body
    size_t count;        // identical contacts

    bool is_imposed; // its motion is given: it is no contact of a body

    // of a body
    br_frame frame;
    br_vec2 at;           // [m]
    br_profile motion[3]; // of the object that the body touches: x, y [m], angle [rad]
    bool bears;           // the body's weight
} contact_input;

// Refuse jumps of `position` (x, y) and `angle` of a map, which were read into `motion`.
void bri_refuse_jumps(const node* map, const br_profile* motion);

// Create its model, when its friction is complete and there are no errors.
void bri_contact_make_model(contact_input* contact);

// For a contact whose motion is given: complete its law by the rule of br_law_from_mu(), warn if it may inject energy.
void bri_friction_in_motion(contact_input* contact);

// Write the numbers that the rule gave to contacts, a line for equal ones that follow each other.
void bri_friction_write(writer* to, const contact_input* contacts, size_t count);

// --- models that cases and equal values share -----------------------------------------------------

// A value of a case (br_scenario_read_case()) has the value of the scenario that it was copied from, its `base`. A model
// that was built there from the same definition serves the case, too: patches, limit surfaces and contacts are
// immutable. The same holds for equal values of one file, such as feet of one shape: the last few models are kept.

// Remember a model that was built from a value.
void bri_model_cache_note_patch(const node* at, patch_input patch);
void bri_model_cache_note_outline(const node* at, const br_outline* outline);
void bri_model_cache_note_contact(const node* at, const br_contact_def* def,
                                  const br_contact* contact);

// A model that the scenario of this case has built there: from a patch or an outline that no override has changed, or
// from the same definition; else one that was built recently from an equal patch or the same definition; NULL: none. A
// contact may differ in its law.
const patch_input* bri_model_cache_find_patch(const node* at);
const br_outline* bri_model_cache_find_outline(const node* at);
const br_contact* bri_model_cache_find_contact(const node* at, const br_contact_def* def);

// A limit surface, one that has been created before if there is one; NULL where it cannot be, an error of `from`.
br_limit* bri_surface_create(const node* from, const br_limit_def* def);

#endif
