/*
 * What the module's functions share: how they are exported, how they fail, how arrays become values.
 *
 * Everything that JavaScript calls takes and gives numbers and addresses alone. Arrays of doubles lie one
 * element behind the other; `count` elements are computed in one call. What can fail gives NULL, and
 * last_error() says why.
 */
#ifndef BRISTLE_WASM_GLUE_H
#define BRISTLE_WASM_GLUE_H

#include <stddef.h>

#include "bristle/base.h"
#include "bristle/math.h"

// A function of the module: EXPORT(type, name, parameters) { ... }
#define EXPORT(type, name, ...)                                                                    \
    __attribute__((export_name(#name))) type name(__VA_ARGS__);                                    \
    type name(__VA_ARGS__)

// Note why a call failed; gives NULL.
void* fail(br_status status, const br_reason* why);

// Asked after every step of a run, at time t [s]: nonzero ends it.
__attribute__((import_module("bristle"), import_name("stop"))) int host_stop(double t, void* user);

static inline br_twist twist_at(const double* numbers, size_t i)
{
    return (br_twist){numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
}

static inline br_wrench wrench_at(const double* numbers, size_t i)
{
    return (br_wrench){numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
}

static inline void put_three(double* numbers, size_t i, double a, double b, double c)
{
    numbers[3 * i] = a;
    numbers[3 * i + 1] = b;
    numbers[3 * i + 2] = c;
}

static inline void put_wrench(double* numbers, size_t i, br_wrench f)
{
    put_three(numbers, i, f.fx, f.fy, f.tau);
}

#endif
