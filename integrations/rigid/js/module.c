/*
 * libbristle-rigid as a module of WebAssembly: bristle-rigid.wasm, which rigid.js loads.
 *
 * Bodies, points, rows and changes are arrays in the module's memory that JavaScript writes and reads in place. Their
 * layout is that of bristle/rigid.h; rigid_layout() has it for JavaScript.
 */
#include "bristle/rigid.h"

#include <stdlib.h>

// A function of the module: EXPORT(type, name, parameters) { ... }
#define EXPORT(type, name, ...)                                                                    \
    __attribute__((export_name(#name))) type name(__VA_ARGS__);                                    \
    type name(__VA_ARGS__)

// The error of the last call that failed; JavaScript reads it in memory.
static struct {
    int status;
    br_reason why;
} last;

EXPORT(const void*, last_error, void)
{
    return &last;
}

EXPORT(const char*, version, void)
{
    return br_get_version();
}

EXPORT(const char*, status_text, int status)
{
    return br_status_get_text((br_status)status);
}

EXPORT(void*, memory_allocate, size_t bytes)
{
    return calloc(bytes, 1);
}

EXPORT(void, memory_release, void* memory)
{
    free(memory);
}

// Offsets in bytes, in the order of LAYOUT in rigid.js.
EXPORT(const int32_t*, rigid_layout, void)
{
#define AT(type, member) (int32_t) offsetof(type, member)
    static const int32_t layout[] = {
        AT(brg_body, inv_mass), AT(brg_body, inv_inertia), AT(brg_body, x),
        AT(brg_body, R),        AT(brg_body, v),           AT(brg_body, w),
        AT(brg_body, asleep),   sizeof(brg_body),          AT(brg_point, x),
        AT(brg_point, n),       AT(brg_point, impulse),    AT(brg_point, gap),
        AT(brg_point, mu),      AT(brg_point, disc),       AT(brg_point, pair),
        AT(brg_point, a),       AT(brg_point, b),          AT(brg_point, bounces),
        sizeof(brg_point),      AT(brg_row, ja),           AT(brg_row, jb),
        AT(brg_row, impulse),   AT(brg_row, lower),        AT(brg_row, upper),
        AT(brg_row, target),    AT(brg_row, softness),     AT(brg_row, a),
        AT(brg_row, b),         sizeof(brg_row),           AT(brg_joint, x),
        AT(brg_joint, axes),    AT(brg_joint, a),          AT(brg_joint, b),
        AT(brg_joint, locked),  sizeof(brg_joint),         AT(brg_change, dv),
        AT(brg_change, dw),     sizeof(brg_change),
    };
    return layout;
}

// numbers: touch, radius, softness, correction, slop, static_ratio, v_stribeck, rounds, keep, largest; NaN: the default
EXPORT(brg_world*, rigid_create, const double* numbers)
{
    brg_def def = brg_def_default();
    double* const real[] = {&def.touch, &def.radius,       &def.softness,  &def.correction,
                            &def.slop,  &def.static_ratio, &def.v_stribeck};
    int32_t* const whole[] = {&def.rounds, &def.keep, &def.largest};
    for (int i = 0; i < 7; i++) {
        *real[i] = numbers[i] == numbers[i] ? numbers[i] : *real[i];
    }
    for (int i = 0; i < 3; i++) {
        *whole[i] = numbers[7 + i] == numbers[7 + i] ? (int32_t)numbers[7 + i] : *whole[i];
    }
    brg_world* world = NULL;
    last.why = (br_reason){"", ""};
    last.status = (int)brg_create(&def, &world, &last.why);
    return world;
}

EXPORT(void, rigid_destroy, brg_world* world)
{
    brg_destroy(world);
}

EXPORT(void, rigid_reset, brg_world* world)
{
    brg_reset(world);
}

// Returns the status.
EXPORT(int, rigid_before, brg_world* world, double h, size_t count, double* impulse)
{
    last.why = (br_reason){"", ""};
    return last.status = (int)brg_before(world, h, count, impulse);
}

// Returns the status.
EXPORT(int, rigid_after, brg_world* world, double h, const brg_body* bodies, size_t count,
       const brg_point* points, size_t point_count, const brg_row* rows, size_t row_count,
       brg_change* change)
{
    last.why = (br_reason){"", ""};
    return last.status = (int)brg_after(world, h, bodies, count, points, point_count, rows,
                                        row_count, change);
}

EXPORT(size_t, rigid_joint_rows, const brg_joint* joint, const brg_body* bodies, brg_row* rows)
{
    return brg_joint_get_rows(joint, bodies, rows);
}

// The contact of a pair, by the two halves of its key; NULL: it does not touch. Valid until the next call.
EXPORT(const brg_contact*, rigid_contact, const brg_world* world, uint32_t low, uint32_t high)
{
    static brg_contact contact;
    return brg_get_contact(world, (uint64_t)high << 32 | low, &contact) ? &contact : NULL;
}

// Valid until the next call.
EXPORT(const brg_report*, rigid_report, const brg_world* world)
{
    static brg_report report;
    report = brg_get_report(world);
    return &report;
}
