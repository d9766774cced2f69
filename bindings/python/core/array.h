// Arrays of Python as arguments of functions of C: broadcasting, conversion, results.
//
// A function is a loop over elements, each with its own core numbers: a twist (3), a state (n), a normal
// force (a single number). All dimensions before the core broadcast as NumPy's do. Arrays of float64 that
// lie as C wants them are used where they are; others go through small contiguous buffers, piece by piece.
#ifndef BRISTLE_PYTHON_ARRAY_H
#define BRISTLE_PYTHON_ARRAY_H

#include "python.h"

enum {
    ARRAY_DIMENSIONS = 32,  // most dimensions, as many as NumPy has
    ARRAY_PIECE = 1024,     // most elements of a piece
    ARRAY_MOST = 12,        // most arrays of a call
    ARRAY_ROOM = ARRAY_MOST // where the loop gets the room that it asked for
};

typedef enum array_use {
    ARRAY_IN,   // read; anything that NumPy makes an array of float64 of
    ARRAY_OUT,  // written; made where none is given
    ARRAY_STATE // read and written in place: an array of float64 of the full shape
} array_use;

// An argument.
typedef struct array {
    const char* name;
    PyObject* object; // what the caller gave; NULL or None: make it (ARRAY_OUT)
    array_use use;
    int rank;           // dimensions of the core: 0, 1 or 2
    Py_ssize_t core[2]; // their lengths
    int not_negative;   // 1: a negative number is refused
    int absent;         // 1: not asked for, the loop gets NULL
    int silent;         // 1: written where the caller says, but no part of the result

    Py_buffer view;
    int has_view;
    PyObject* owned; // converted, or made
    double number;   // of a plain Python number
    char* data;
    int leading;                       // dimensions before the core
    Py_ssize_t step[ARRAY_DIMENSIONS]; // bytes, along the call's leading dimensions
    Py_ssize_t core_step[2];           // bytes
    size_t size;                       // numbers of the core
    int direct;                        // 1: lies as C wants it
} array;

// Computes `count` elements; args[i] are the numbers of array i, element after element, args[ARRAY_ROOM] is memory
// of the thread that computes. Several threads may be in a loop at once, each with elements of its own.
typedef void (*array_loop)(void* context, size_t count, double* const* args);

// A call over arrays.
typedef struct array_call {
    array arrays[ARRAY_MOST];
    int count;
    double cost; // of an element [ns], about: calls longer than 10 us let other threads run
    size_t
        room; // bytes that a thread needs besides, all 0 at its start; 0: none, the loop gets NULL
    int leading; // dimensions
    Py_ssize_t shape[ARRAY_DIMENSIONS];
    size_t elements;
} array_call;

// Begin a call; then name its arguments in the order in which the loop gets them. A core of 0 is a single
// number. Each gives the array back, so that more can be said of it.
void array_begin(array_call* call, double cost);
array* array_in(array_call* call, const char* name, PyObject* object, Py_ssize_t core);
array* array_out(array_call* call, const char* name, PyObject* object, Py_ssize_t core);
// An output that is only made where the caller gives room for it, and no part of the result.
array* array_aside(array_call* call, const char* name, PyObject* object, Py_ssize_t core);
array* array_out_matrix(array_call* call, const char* name, PyObject* object, Py_ssize_t rows,
                        Py_ssize_t columns);
array* array_state(array_call* call, const char* name, PyObject* object, Py_ssize_t core);
array* array_force(array_call* call, PyObject* object); // the normal force fn: a number >= 0

// Take the arguments, run the loop over all elements, give the outputs: one, or a tuple of them; None
// without any. NULL with an exception. Everything is released.
PyObject* array_run(array_call* call, array_loop loop, void* context);

// The last part of array_run(): array_run.c.
int array_loop_over(array_call* call, array_loop loop, void* context);

// Threads that share a call over many elements, the caller's included.
void array_set_workers(int count);
int array_get_workers(void);

// An array of its own (rows x columns; rows alone for columns = 0) with a copy of numbers.
PyObject* array_copy(const double* numbers, size_t rows, size_t columns);

// Numbers from anything that gives an array of float64 of exactly that many. Returns 0 with an exception.
int array_read(PyObject* object, const char* name, double* numbers, size_t count);

// A step size: finite and > 0. Returns 0 with an exception if it is not.
int array_step_size(PyObject* object, double* h);

#endif
