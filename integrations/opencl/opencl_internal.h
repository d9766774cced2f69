/*
 * Internals of libbristle-opencl: the rows of a call in the device's memory, and the source of the kernel.
 */
#ifndef BRISTLE_OPENCL_INTERNAL_H
#define BRISTLE_OPENCL_INTERNAL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "bristle/worlds_opencl.h"

#include "planar/worlds_internal.h"

#include "device_arrays.inc"

// Written by generate.cmake, which ends it with 0.
extern const char bri_opencl_source[];

// A buffer with the numbers that the worlds share; NULL and an error if there is no memory.
cl_mem bri_opencl_worlds_double(cl_context context, const br_worlds* w, cl_int* error);
cl_mem bri_opencl_worlds_float(cl_context context, const br_worlds* w, cl_int* error);

// Numbers of an array: those of the worlds' type, or bytes or whole numbers, which the device has as that type, too.
typedef enum row_kind { ROWS_OF_REALS, ROWS_OF_BYTES, ROWS_OF_INTS } row_kind;

// An array of the caller and its rows in the device's memory.
typedef struct array_rows {
    const void* from; // NULL: it is not copied there
    void* to;         // NULL: it is not copied back
    size_t first, count;
    row_kind kind;
} array_rows;

enum { MOST_ARRAYS = 16 + 16 * BR_WORLDS_CONTACTS };

// All arrays of a call.
typedef struct call_rows {
    const br_worlds* w;
    const br_worlds_arrays* a;
    size_t bytes;  // of a number
    size_t stride; // numbers of a row on the device: the worlds, filled up to full groups
    size_t rows, array_count;
    array_rows arrays[MOST_ARRAYS];
    device_arrays device;
} call_rows;

// Give every array its rows.
call_rows bri_opencl_rows(const br_worlds* w, const br_worlds_arrays* a, size_t lanes);

// Copy into the device's memory, mapped, and back; worlds that are not in the mask are not copied back.
void bri_opencl_copy_in(const call_rows* r, void* memory);
void bri_opencl_copy_out(const call_rows* r, const void* memory);

#endif
