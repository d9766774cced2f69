/*
 * Shared by the module's functions: export and error handling.
 *
 * Exported functions take and return only numbers and addresses. Arrays of doubles contain element after
 * element; `count` elements are computed in one call. A function that fails returns NULL and sets
 * last_error().
 */
#ifndef BRISTLE_WASM_GLUE_H
#define BRISTLE_WASM_GLUE_H

#include <stddef.h>

#include "loop.h"

// A function of the module: EXPORT(type, name, parameters) { ... }
#define EXPORT(type, name, ...)                                                                    \
    __attribute__((export_name(#name))) type name(__VA_ARGS__);                                    \
    type name(__VA_ARGS__)

// Set last_error(). Returns NULL.
void* fail(br_status status, const br_reason* why);

// Returns 1 for BR_OK; else sets last_error() and returns 0.
int passed(br_status status, const br_reason* why);

// Called after every step of a run, at time t [s]: nonzero ends the run.
__attribute__((import_module("bristle"), import_name("stop"))) bool host_stop(double t, void* user);

#endif
