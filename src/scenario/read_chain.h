/*
 * A chain of links from YAML.
 */
#ifndef BRISTLE_SCENARIO_READ_CHAIN_H
#define BRISTLE_SCENARIO_READ_CHAIN_H

#include "scenario/read_mechanism.h"

// Keys of a chain besides those of every mechanism.
#define CHAIN_KEYS "masses", "lengths", "path", "torque", "joints"

// Fill in what moves, its start and the friction of its joints; mistakes are noted.
void bri_read_chain(const node* map, mechanism_input* in);

#endif
