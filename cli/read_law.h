/*
 * A one-dimensional friction law from YAML.
 */
#ifndef CLI_READ_LAW_H
#define CLI_READ_LAW_H

#include "bristle/law.h"
#include "node.h"

// Read a law; mistakes end the command, parameters that may inject energy give a warning.
br_law read_law(const node* map);

#endif
