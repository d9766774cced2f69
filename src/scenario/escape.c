/*
 * The way out where memory ends: setjmp and longjmp, or an exception of the host where there are none.
 */
#include "scenario/escape.h"

#ifdef __wasm__

// Call `what` with `user`; 1: it came to its end, 0: `leave` was called with this `out` in it.
__attribute__((import_module("bristle"), import_name("attempt"))) int
host_attempt(escape* out, void (*what)(void* user), void* user);
__attribute__((import_module("bristle"), import_name("leave"))) void host_leave(escape* out);

bool bri_escape_run(escape* out, void (*what)(void* user), void* user)
{
    return host_attempt(out, what, user);
}

void bri_escape_leave(void* out)
{
    host_leave(out);
}

#else

bool bri_escape_run(escape* out, void (*what)(void* user), void* user)
{
    if (setjmp(out->place)) {
        return false;
    }
    what(user);
    return true;
}

void bri_escape_leave(void* out)
{
    longjmp(((escape*)out)->place, 1);
}

#endif
