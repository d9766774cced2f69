/*
 * A one-dimensional friction law from YAML.
 */
#ifndef BRISTLE_SCENARIO_READ_LAW_H
#define BRISTLE_SCENARIO_READ_LAW_H

#include "bristle/law.h"
#include "scenario/node.h"

// Read a law; mistakes are noted, parameters that may inject energy give a warning.
br_law bri_read_law(const node* map);

// What a file says of a contact's friction.
typedef struct friction_input {
    const node* from;
    br_law law;
    bool rule_sigma0; // to be given by the rule of br_law_from_mu(), see friction.h
    bool rule_sigma1;
} friction_input;

// The friction of a contact: the parameters of LuGre or, unless `elasto_plastic` is false, of the
// elasto-plastic law; only mu_c is required where there are no bristles, and with `mu` nothing else is.
// `map` may be NULL: it is missing, and that is told.
friction_input bri_read_friction(const node* map, bool has_bristles);

// Note what the library finds wrong with it.
void bri_law_check(const node* map, const br_law* law);

// That a law may inject energy, and by which numbers; NULL if it is passive for sure.
char* bri_law_describe_active(reading* in, const br_law* law);

#endif
