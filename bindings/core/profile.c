/*
 * Quantities over time, and controllers of a normal force: bristle/profile.h, grip.h.
 */
#include "bristle/profile.h"

#include <string.h>

#include "bristle/grip.h"
#include "loop.h"

// Mean, amplitude, frequency, phase and start are next to each other, in the order of the signature.
enum { SINE = 5 };
_Static_assert(offsetof(br_profile, start) ==
                   offsetof(br_profile, mean) + (SINE - 1) * sizeof(double),
               "the members of a sine are contiguous");

// A profile and its points, times and then values, in one block of memory.
MAKER(profile_make)
{
    const double* n = from->numbers;
    const size_t count = from->columns;
    br_profile* p = br_allocate(1, sizeof *p + 2 * count * sizeof(double));
    if (!p) {
        return BR_ERR_MEMORY;
    }
    double* points = (double*)(void*)(p + 1);
    *p = (br_profile){.kind = (br_profile_kind)whole_of(n[0]),
                      .hold = n[6],
                      .duration = n[7],
                      .count = count,
                      .t = count > 0 ? points : NULL,
                      .value = count > 0 ? points + count : NULL};
    memcpy((char*)p + offsetof(br_profile, mean), n + 1, SINE * sizeof *n);
    if (count > 0) {
        memcpy(points, from->table, 2 * count * sizeof *points);
    }
    const br_status status = br_profile_check(p, why);
    if (status != BR_OK) {
        br_release(p);
    }
    *made = p;
    return status;
}

EACH(profile_eval)
{
    args[1][i] = br_profile_eval(object, args[0][i], args[0][i], NULL);
}

// Its numbers are in the order of the signature.
_Static_assert(sizeof(br_grip) == 6 * sizeof(double),
               "a grip has as many numbers as its signature");

MAKER(grip_make)
{
    return make_copy(br_grip_check((const br_grip*)(const void*)from->numbers, why), from->numbers,
                     sizeof(br_grip), made);
}

EACH(grip_eval)
{
    args[3][i] = br_grip_eval(object, args[0][i], args[1][i], args[2][i]);
}
