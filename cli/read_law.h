/*
 * A one-dimensional friction law from YAML.
 */
#ifndef CLI_READ_LAW_H
#define CLI_READ_LAW_H

#include "bristle/law.h"
#include "node.h"

// Read a law; mistakes end the command, parameters that may inject energy give a warning.
br_law read_law(const node* map);

// The friction of a contact: the parameters of LuGre or, unless `elasto_plastic` is false, of the
// elasto-plastic law; only mu_c is required where there are no bristles.
br_law read_friction(const node* map, bool has_bristles);

#endif
