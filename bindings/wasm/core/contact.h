/*
 * A planar contact, and the memory in which it is spread to the force of a call.
 */
#ifndef BRISTLE_WASM_CONTACT_H
#define BRISTLE_WASM_CONTACT_H

#include "bristle/contact.h"

typedef struct held_contact {
    br_contact* contact;
    size_t states;
    size_t parts;
    void* memory; // of br_contact_spread(); NULL for a patch that stays
} held_contact;

#endif
