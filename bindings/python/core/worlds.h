// Shared by worlds.c (arrays), worlds_run.c (steps in threads), worlds_friction.c (bristles from mu) and worlds_gradient.c.
#ifndef BRISTLE_PYTHON_WORLDS_H
#define BRISTLE_PYTHON_WORLDS_H

#include "python.h" // first: it requests clock_gettime()

#include "bristle/worlds_gradient.h"

#include "array.h"

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

// Advance all worlds in threads, without Python's lock, and record that unless record is NULL; or with an adjoint sweep back over
// recorded steps. Returns 0 with an exception after Ctrl-C.
int worlds_run_steps(worlds_thing* thing, const br_worlds_arrays* arrays, double h, size_t steps,
                     const br_worlds_record* record, const br_worlds_adjoint* adjoint);

// Doubles of a tape of all worlds: one for each block of worlds.
size_t worlds_tape_size(const worlds_thing* thing, size_t steps, size_t every);

// The worlds of a handle, which no other thread steps; NULL with an exception.
worlds_thing* worlds_of(PyObject* handle);

// A buffer of exactly `count` numbers. Returns 0 with an exception.
int worlds_view(const worlds_thing* thing, PyObject* object, const char* name, char type,
                size_t count, array_access access, Py_buffer* view);

// The arrays of a call, which replace those of the worlds.
typedef struct worlds_call {
    br_worlds_arrays arrays;
    Py_buffer load, fn, mask;
} worlds_call;

// Arguments of a call, each an array or None. Returns 0 with an exception; close it in any case.
int worlds_open_call(const worlds_thing* thing, PyObject* load, Py_ssize_t load_steps,
                     PyObject* force, Py_ssize_t fn_steps, PyObject* mask, Py_ssize_t steps,
                     worlds_call* call);
int worlds_check_call(const worlds_thing* thing, const worlds_call* call, double h, size_t steps,
                      int check);
void worlds_close_call(worlds_call* call);

// What follows from mu in a contact.
typedef struct worlds_rule {
    unsigned rule; // sum of br_law_rule
    double r, u;   // of the patch [m], [m^2]
} worlds_rule;

// Set sigma0, sigma1 and v_damping of the worlds in the mask (NULL: all), as br_body_complete_friction() does.
void worlds_complete_friction(const worlds_thing* thing, const worlds_rule* rules,
                              const br_worlds_contact* contacts, const unsigned char* mask);

#endif
