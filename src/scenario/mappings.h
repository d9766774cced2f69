/*
 * The mappings that a scenario may hold, each beside who reads it.
 */
#ifndef BRISTLE_SCENARIO_MAPPINGS_H
#define BRISTLE_SCENARIO_MAPPINGS_H

#include "scenario/keys.h"

// read_law.c
extern const mapping bri_keys_law, bri_keys_friction;

// read_profile.c: one of these, ended by NULL, is a PROFILE that is not a number
extern const mapping* const bri_keys_profiles[];

// read_patch.c: one of these, ended by NULL
extern const mapping* const bri_keys_patches[];

// read_contact.c
extern const mapping bri_keys_motion_contact, bri_keys_body_contact;
extern const char* const bri_contact_models[]; // in the order of contact_model
extern const char* const bri_body_models[];    // those that can hold a body still

// read_grip.c
extern const mapping bri_keys_grip;

// read_run.c, read_integrator.c, read_picture.c
extern const mapping bri_keys_output, bri_keys_output_contact, bri_keys_output_body;
extern const mapping bri_keys_integrator, bri_keys_integrator_fixed;
extern const mapping bri_keys_plot, bri_keys_plot_scene, bri_keys_plot_magnified;

// The block `output` of a scenario: its mistakes are noted; gives `every`, 0 where it is not there.
double bri_scenario_read_every(const node* root, const mapping* output);

// read_sweep.c
extern const mapping bri_keys_sweep;
// noise.c
extern const mapping bri_keys_noise;

// The keys that several kinds of scenarios share, as rows of their tables.
#define DURATION_KEY                                                                               \
    KEY("duration", NUMBER, "s", IN_POSITIVE, "the last t of the motion's file",                   \
        "how long it runs", BY_HAND)
#define DURATION_REQUIRED_KEY                                                                      \
    KEY("duration", NUMBER, "s", IN_POSITIVE, REQUIRED, "how long it runs", BY_HAND)
#define MODEL_KEYS(words_)                                                                         \
    KEY("model", WORD, "", IN_ANY, "blocks", "of contacts", BY_HAND, .words = words_),             \
        KEY("blocks", COUNT, "", IN(1, 256), "5", "pieces across, for model: blocks", BY_HAND)
#define FRICTION_KEY(otherwise)                                                                    \
    KEY("friction", MAP, "", IN_ANY, otherwise, "of contacts: {mu}, or the law's, or both",        \
        BY_HAND, MAPS(&bri_keys_friction))
#define INTEGRATOR_KEY                                                                             \
    KEY("integrator", MAP, "", IN_ANY, "", "how it is integrated in time", BY_HAND,                \
        MAPS(&bri_keys_integrator))
#define OUTPUT_KEY(mapping_)                                                                       \
    KEY("output", MAP, "", IN_ANY, "", "which rows and columns", BY_HAND, MAPS(&mapping_))
#define NOISE_KEY                                                                                  \
    KEY("noise", MAP_EACH, "", IN_ANY, "", "what sensors add to columns: one, or a list", BY_HAND, \
        MAPS(&bri_keys_noise))
#define PLOT_KEY(mapping_)                                                                         \
    KEY("plot", MAP, "", IN_ANY, "", "what --plot draws", BY_HAND, MAPS(&mapping_))

#define SWEEP_KEY                                                                                  \
    KEY("sweep", MAP, "", IN_ANY, "", "many cases of it, for bristle sweep", BY_HAND,              \
        MAPS(&bri_keys_sweep))

#endif
