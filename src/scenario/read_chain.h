/*
 * A chain of links from YAML.
 */
#ifndef BRISTLE_SCENARIO_READ_CHAIN_H
#define BRISTLE_SCENARIO_READ_CHAIN_H

#include "scenario/read_mechanism.h"

// Parts of a chain: paths, friction in a joint, a start.
extern const mapping bri_keys_polynomial, bri_keys_path_table, bri_keys_joint, bri_keys_chain_start;

// Fill in what moves, its start and the friction of its joints; mistakes are noted.
void bri_read_chain(const node* map, mechanism_input* in);

#endif
