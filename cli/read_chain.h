/*
 * A chain of links from YAML.
 */
#ifndef CLI_READ_CHAIN_H
#define CLI_READ_CHAIN_H

#include "read_mechanism.h"

// Keys of a chain besides those of every mechanism.
#define CHAIN_KEYS "masses", "lengths", "path", "torque", "joints"

// Fill in what moves, its start and the friction of its joints; mistakes end the command.
void read_chain(const node* map, mechanism_input* in);

#endif
