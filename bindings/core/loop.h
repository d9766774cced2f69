/*
 * Macros that define the loops of table.inc: for one element, or for all.
 */
#ifndef BRISTLE_BINDING_LOOP_H
#define BRISTLE_BINDING_LOOP_H

#include "binding.h"

#define UNUSED __attribute__((unused))
#define CALL(name, kind, cost, part_cost, text)                                                    \
    void call_##name(const void* object, const double* scalars, size_t count, double* const* args, \
                     void* memory);
#define MAKE(name, kind, text)                                                                     \
    br_status make_##name(const binding_parts* from, void** made, br_reason* why);
#include "table.inc"
#undef CALL
#undef MAKE

// LOOP(name) { all `count` elements }
#define LOOP(name)                                                                                 \
    void call_##name(const void* object UNUSED, const double* scalars UNUSED, size_t count UNUSED, \
                     double* const* args UNUSED, void* memory UNUSED)

// EACH(name) { element i }
#define EACH(name)                                                                                 \
    static void each_##name(const void* object, const double* scalars, size_t i,                   \
                            double* const* args, void* memory);                                    \
    LOOP(name)                                                                                     \
    {                                                                                              \
        for (size_t i = 0; i < count; i++) {                                                       \
            each_##name(object, scalars, i, args, memory);                                         \
        }                                                                                          \
    }                                                                                              \
    static inline void each_##name(const void* object UNUSED, const double* scalars UNUSED,        \
                                   size_t i UNUSED, double* const* args UNUSED,                    \
                                   void* memory UNUSED)

// MAKER(name) { store the new object in *made }
#define MAKER(name)                                                                                \
    br_status make_##name(const binding_parts* from, void** made UNUSED, br_reason* why UNUSED)

static inline br_vec2 vec2_at(const double* numbers, size_t i)
{
    return (br_vec2){numbers[2 * i], numbers[2 * i + 1]};
}

static inline br_twist twist_at(const double* numbers, size_t i)
{
    return (br_twist){numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
}

static inline br_wrench wrench_at(const double* numbers, size_t i)
{
    return (br_wrench){numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
}

static inline void put_vec2(double* numbers, size_t i, br_vec2 v)
{
    numbers[2 * i] = v.x;
    numbers[2 * i + 1] = v.y;
}

static inline void put_three(double* numbers, size_t i, double a, double b, double c)
{
    numbers[3 * i] = a;
    numbers[3 * i + 1] = b;
    numbers[3 * i + 2] = c;
}

static inline void put_twist(double* numbers, size_t i, br_twist v)
{
    put_three(numbers, i, v.vx, v.vy, v.w);
}

static inline void put_wrench(double* numbers, size_t i, br_wrench f)
{
    put_three(numbers, i, f.fx, f.fy, f.tau);
}

// If status is BR_OK, create a copy of `bytes` of `object` in *made. Returns status or BR_ERR_MEMORY.
br_status make_copy(br_status status, const void* object, size_t bytes, void** made);

#endif
