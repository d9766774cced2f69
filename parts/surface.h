/*
 * Limit surfaces of the command: methods by name, errors end the command.
 */
#ifndef PARTS_SURFACE_H
#define PARTS_SURFACE_H

#include "bristle/limit.h"

// The method with this name ("exact", "table", ...); NULL: exact.
br_limit_method surface_method(const char* name);

// Create a surface that is freed when the command ends.
br_limit* surface_create(const br_patch* patch, double fn, br_limit_method method, size_t n,
                         size_t resolution);

// The same with anisotropic friction.
br_limit* surface_create_with(const br_patch* patch, const br_anisotropy* anisotropy, double fn,
                              br_limit_method method, size_t n, size_t resolution);

#endif
