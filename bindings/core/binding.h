/*
 * Shared by the Python and JavaScript bindings: objects of the library, and functions over arrays of elements.
 *
 * table.inc has a line for each function: its name, the kind of its object, its cost, and its signature. A binding
 * parses the signatures once; in a call it checks and broadcasts the arguments and runs the loop.
 *
 *   signature   argument ... -> result ...
 *   argument    name[flag]:size
 *   flag        * changed in place   ? optional   + a list of objects
 *   size        1, 3, 2x3      numbers of an element: a single one, a vector, a matrix; also N, n, k (sizes of the object:
 *                              states or faces, parts or vertices, N/n) and M (states of a contact in the arguments)
 *               force          a single number >= 0
 *               bool, int      of a result: a single number of this type
 *               step, number   one for all elements: > 0 and finite, any
 *               table          rows of numbers, for a function that creates an object; table3: of 3 each, 2table: 2 rows
 *               law, patch ... an object of that kind
 *
 * An argument without a size is a number. Functions that create an object have no results.
 */
#ifndef BRISTLE_BINDING_H
#define BRISTLE_BINDING_H

#include <stdbool.h>
#include <stddef.h>

#include "bristle/contact.h"

// Kinds of objects; objects.c has their names and destructors.
typedef enum binding_kind {
    KIND_NONE,
    KIND_LAW,
    KIND_PATCH,
    KIND_LIMIT,
    KIND_CONTACT,
    KIND_CONE,
    KIND_POLYHEDRON,
    KIND_WRENCH_CONE,
    KIND_LIMIT_POLYHEDRON,
    KIND_GRASP,
    KIND_SLIDER,
    KIND_PUSHING,
    KIND_PROFILE,
    KIND_GRIP,
    KIND_ENGINE,
    KIND_HERTZ,
    KIND_FIELD,
    KIND_COUNT
} binding_kind;

// Sizes of an object, named in signatures.
typedef struct binding_sizes {
    size_t many;   // N
    size_t few;    // n
    size_t memory; // additional memory of a loop, zeroed at its start [bytes]
} binding_sizes;

typedef struct binding_kind_facts {
    void (*destroy)(void* object);
    binding_sizes (*get_sizes)(const void* object); // NULL: no sizes
} binding_kind_facts;

extern const binding_kind_facts binding_kinds[KIND_COUNT];
extern const char* const binding_kind_names[KIND_COUNT];

// Computes `count` elements. `args`: an array for each argument and result that has elements, in order, NULL for optional
// ones that are missing; then an object of the arguments. `scalars`: steps and numbers, in order. Threads may share a
// call, each with its own elements and memory.
typedef void (*binding_loop)(const void* object, const double* scalars, size_t count,
                             double* const* args, void* memory);

// The arguments from which an object is created.
typedef struct binding_parts {
    const double* numbers; // in the order of the signature
    void* const* objects;  // in the order of the signature; NULL: missing
    size_t object_count;
    const double* table; // NULL: missing
    size_t rows, columns;
} binding_parts;

// Creates an object. Returns BR_OK or an error.
typedef br_status (*binding_maker)(const binding_parts* from, void** made, br_reason* why);

// A line of the table.
typedef struct binding {
    unsigned char kind; // binding_kind: of the object
    bool makes;         // creates the object; else computes with it
    union {
        binding_loop loop;
        binding_maker make;
    };
} binding;

// All lines, and their texts; JavaScript reads the texts from a file that make.sh writes.
extern const binding bindings[];
typedef struct binding_text {
    const char* text; // name and signature; NULL after the last
    double cost;      // of an element [ns], roughly
    double part_cost; // additional cost of each part of a contact [ns]
} binding_text;
extern const binding_text binding_texts[];

// A contact and its sizes.
typedef struct contact_object {
    br_contact* contact;
    size_t states;
    size_t parts;
    size_t
        memory; // of br_contact_at(); 0 for a contact that depends neither on the force nor on its pose
    br_pose pose; // of the contact frame over the other surface
    void*
        pressed; // memory in which `contact` is stored at given pressures; NULL: the object owns `contact`
} contact_object;

// Convert a double to the nearest integer from 0 to 2^31 - 1; 0 for NaN.
size_t whole_of(double number);

#endif
