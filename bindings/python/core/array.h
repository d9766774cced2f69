// Python arrays as arguments of C functions: broadcasting, conversion, results.
//
// A function is a loop over elements, each with its own core numbers: a twist (3), a state (n), a normal
// force (a single number). All dimensions before the core broadcast as in NumPy. Contiguous arrays of
// float64 are used directly; others are copied through small buffers, piece by piece.
#ifndef BRISTLE_PYTHON_ARRAY_H
#define BRISTLE_PYTHON_ARRAY_H

#include "python.h"

enum {
    ARRAY_DIMENSIONS = 32,    // max. number of dimensions, as in NumPy
    ARRAY_PIECE = 1024,       // max. number of elements of a piece
    ARRAY_MOST = 12,          // max. number of arrays of a call
    ARRAY_SMALL = 128,        // max. length of a list that is read without NumPy
    ARRAY_MEMORY = ARRAY_MOST // index of the loop's additional memory
};

typedef enum array_use {
    ARRAY_IN,   // read; anything that NumPy can convert to float64
    ARRAY_OUT,  // written; created if none is given
    ARRAY_STATE // read and written in place: an array of float64 of the full shape
} array_use;

// An argument.
typedef struct array {
    const char* name;
    PyObject* object; // the caller's argument; NULL or None: create it (ARRAY_OUT)
    array_use use;
    int rank;           // dimensions of the core: 0, 1 or 2
    Py_ssize_t core[2]; // their lengths
    int not_negative;   // 1: a negative number is an error
    int absent;         // 1: optional and missing, the loop gets NULL
    int silent;         // 1: written to the caller's array, but not returned

    Py_buffer view;
    int has_view;
    PyObject* owned; // converted or created array
    char* data;
    int leading;                              // dimensions before the core
    Py_ssize_t step[ARRAY_DIMENSIONS];        // bytes, along the call's leading dimensions
    Py_ssize_t core_step[2];                  // bytes
    size_t size;                              // numbers of the core
    int direct;                               // 1: C can use it directly
    Py_ssize_t small_shape[2], small_step[2]; // of a list
    double small[ARRAY_SMALL];                // a plain number, or the numbers of a list
} array;

// Computes `count` elements; args[i] are the numbers of array i, element after element, args[ARRAY_MEMORY] is the
// thread's additional memory. Several threads may run a loop at the same time, each with its own elements.
typedef void (*array_loop)(void* context, size_t count, double* const* args);

// A call over arrays.
typedef struct array_call {
    array arrays[ARRAY_MOST];
    int count;
    double cost;   // of an element [ns], approximate; calls longer than 10 us release Python's lock
    size_t memory; // additional memory per thread, zeroed [bytes]; 0: none, the loop gets NULL
    int leading;   // dimensions
    Py_ssize_t shape[ARRAY_DIMENSIONS];
    size_t elements;
} array_call;

// Start a call; then add its arguments in the order in which the loop gets them.
void array_start(array_call* call, double cost);

// An argument whose core has `rank` dimensions of these lengths. Returns it, so that more members can be set.
static inline array* array_add(array_call* call, const char* name, PyObject* object, array_use use,
                               int rank, const Py_ssize_t core[2])
{
    array* a = &call->arrays[call->count++];
    a->name = name;
    a->object = object == Py_None && use == ARRAY_OUT ? NULL : object;
    a->use = use;
    a->rank = rank;
    a->core[0] = core[0];
    a->core[1] = core[1];
    a->size = (size_t)(core[0] * core[1]);
    a->not_negative = 0;
    a->absent = 0;
    a->silent = 0;
    a->has_view = 0;
    a->owned = NULL;
    return a;
}

// Read the arguments, run the loop over all elements, return the outputs: one, a tuple, or None. NULL with an
// exception. Releases everything.
PyObject* array_run(array_call* call, array_loop loop, void* context);

// The last part of array_run(): array_run.c.
int array_loop_over(array_call* call, array_loop loop, void* context);

// Number of threads that share a call over many elements, including the caller's.
void array_set_workers(int count);
int array_get_workers(void);

// A new array (rows x columns; columns = 0: one dimension) with a copy of numbers.
PyObject* array_copy(const double* numbers, size_t rows, size_t columns);

// Read exactly `count` numbers from anything that NumPy can convert. Returns 0 with an exception.
int array_read(PyObject* object, const char* name, double* numbers, size_t count);

// A buffer that C reads or writes directly: float64 in C order, with `rank` (1 or 2) dimensions of these lengths;
// below 0: any length. Returns 0 with an exception that describes the expected and the actual array.
typedef enum array_access { ARRAY_READ_ONLY, ARRAY_WRITABLE } array_access;
int array_view(PyObject* object, const char* name, int rank, const Py_ssize_t* lengths,
               array_access access, Py_buffer* view);

// A number. Returns 0 with an exception that names the argument if it is none, or an int that does not fit.
int array_number(PyObject* object, const char* name, double* number);

// A step size: finite and > 0. Returns 0 with an exception if it is not.
int array_step_size(PyObject* object, double* h);

#endif
