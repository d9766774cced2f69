/*
 * The mappings of scenario files, with the files that read them.
 */
#ifndef BRISTLE_SCENARIO_MAPPINGS_H
#define BRISTLE_SCENARIO_MAPPINGS_H

#include "scenario/kind.h"

// read_law.c
extern const mapping bri_keys_law, bri_keys_friction, bri_keys_anisotropy;

// read_field.c
extern const mapping bri_keys_field;

// read_profile.c: a polynomial in time, for the motion of paths only; one of these, ended by NULL, is a PROFILE that is
// not a number
extern const mapping bri_keys_time_polynomial;
extern const mapping* const bri_keys_profiles[];

// read_patch.c: one of these, ended by NULL
extern const mapping* const bri_keys_patches[];

// read_contact.c
extern const mapping bri_keys_motion_contact, bri_keys_body_contact;
extern const char* const bri_contact_models[]; // in the order of contact_model
extern const char* const bri_body_models[];    // those that can hold a body at rest
extern const char* const bri_frame_meanings[];
#define FRAME_WORDS WORDS("world", "body"), .meanings = bri_frame_meanings

// read_run.c
extern const mapping bri_keys_output, bri_keys_output_contact, bri_keys_output_body;
extern const mapping bri_keys_integrator, bri_keys_integrator_fixed;
extern const mapping bri_keys_plot, bri_keys_plot_scene, bri_keys_plot_magnified;

// read_sweep.c
extern const mapping bri_keys_sweep;
// noise.c
extern const mapping bri_keys_noise;

// The keys that several kinds of scenarios share, as rows of their tables.
#define DURATION_KEY                                                                               \
    KEY("duration", NUMBER, "s", IN_POSITIVE, "the last t of the motion's file",                   \
        "how long it runs", OF_SCENARIO(run.duration))
#define DURATION_REQUIRED_KEY                                                                      \
    KEY("duration", NUMBER, "s", IN_POSITIVE, REQUIRED, "how long it runs",                        \
        OF_SCENARIO(run.duration))
#define MODEL_KEYS(words_)                                                                         \
    PLAIN_KEY("model", WORD, "blocks", "of contacts",                                              \
              BY_HAND("the file's is that of contacts without one"), .words = words_),             \
        KEY("blocks", COUNT, "", IN(1, 256), "5", "pieces across, for model: blocks",              \
            BY_HAND("the file's is that of contacts without one"))
#define FRICTION_KEY(default_value)                                                                \
    PLAIN_KEY("friction", MAP, default_value, "of contacts: {mu}, or the law's, or both",          \
              BY_HAND("the file's is that of contacts without one; what it needs depends on "      \
                      "the model"),                                                                \
              MAPS(&bri_keys_friction))
#define INTEGRATOR_KEY_OF(...)                                                                     \
    PLAIN_KEY("integrator", MAP, "", "how it is integrated in time", OF_SCENARIO(run),             \
              MAPS(__VA_ARGS__))
#define INTEGRATOR_KEY INTEGRATOR_KEY_OF(&bri_keys_integrator)
#define OUTPUT_KEY(mapping_)                                                                       \
    PLAIN_KEY("output", MAP, "", "which rows and columns", OF_SCENARIO(output), MAPS(&mapping_))
#define VERSION_KEY                                                                                \
    KEY("version", COUNT, "", IN(1, 1), "1", "of the words of this file", OF_SCENARIO(version))
#define NOISE_KEY                                                                                  \
    PLAIN_KEY("noise", MAP_EACH, "", "what sensors add to columns: one, or a list",                \
              OF_SCENARIO(noise), MAPS(&bri_keys_noise))
#define PLOT_KEY(mapping_)                                                                         \
    PLAIN_KEY("plot", MAP, "", "what --plot draws", OF_SCENARIO(picture), MAPS(&mapping_))
#define SWEEP_KEY                                                                                  \
    PLAIN_KEY("sweep", MAP, "", "many cases of it, for bristle sweep", OF_SCENARIO(sweep), IS_NEW, \
              MAPS(&bri_keys_sweep))

// The last keys of every kind.
#define RUN_KEYS(output_, plot_)                                                                   \
    OUTPUT_KEY(output_), PLOT_KEY(plot_), SWEEP_KEY, NOISE_KEY, VERSION_KEY

#endif
