// Shared by worlds.c (arrays), worlds_run.c (steps in threads) and worlds_friction.c (bristles from mu).
#ifndef BRISTLE_PYTHON_WORLDS_H
#define BRISTLE_PYTHON_WORLDS_H

#include "python.h" // first: it requests clock_gettime()

#include "bristle/worlds.h"

enum {
    WORLDS_THREADS = 64, // max. number of threads
    WORLDS_SLOTS = 32    // max. number of arrays of a contact, and of the body
};

// An array of br_worlds_arrays or of br_worlds_contact_arrays, by name.
typedef struct worlds_slot {
    const char* name;
    size_t offset; // of its pointer
    int rows;      // 0: the states of the contact
    char type;     // r: double or float, as the worlds; b: bool or uint8; i: int32
    char written;  // 1: a step or a reset writes it
} worlds_slot;

typedef struct worlds_thing {
    br_worlds* worlds[WORLDS_THREADS]; // one for each thread
    int threads;
    br_worlds_type type;
    double cost;             // of a step of one world [ns], approximate
    br_worlds_arrays arrays; // of all worlds; its pointers are those of the buffers
    Py_buffer views[BR_WORLDS_CONTACTS + 1][WORLDS_SLOTS]; // of each contact, then of the body
    int busy;                                              // 1: a step or a reset runs
} worlds_thing;

// All slots of a contact or of the body, and their number.
const worlds_slot* worlds_slots(int of_contact, int* count);

// The arrays of worlds first ... first + count - 1.
br_worlds_arrays worlds_columns(const worlds_thing* thing, const br_worlds_arrays* all,
                                size_t first, size_t count);

// Advance all worlds in threads, without Python's lock. Returns 0 with an exception after Ctrl-C.
int worlds_run_steps(worlds_thing* thing, const br_worlds_arrays* arrays, double h, size_t steps);

// What follows from mu in a contact.
typedef struct worlds_rule {
    unsigned rule; // sum of br_law_rule
    double r, u;   // of the patch [m], [m^2]
} worlds_rule;

// Set sigma0, sigma1 and v_damping of the worlds in the mask (NULL: all), as br_body_complete_friction() does.
void worlds_complete_friction(const worlds_thing* thing, const worlds_rule* rules,
                              const br_worlds_contact* contacts, const unsigned char* mask);

#endif
