/*
 * The way out of a computation that is deep in calls when memory ends. Whoever takes it leaves frames behind
 * that clean up nothing: what they hold must be in a pool.
 */
#ifndef BRISTLE_SCENARIO_ESCAPE_H
#define BRISTLE_SCENARIO_ESCAPE_H

#include <stdbool.h>

#ifdef __wasm__ // which has no setjmp: there the host that runs the module unwinds, by an exception of its own
typedef struct escape {
    char place; // its address names it to the host
} escape;
#else
#include <setjmp.h>

typedef struct escape {
    jmp_buf place;
} escape;
#endif

// Call `what` with `user`. Did it come to its end? Otherwise somebody in it left by the way out.
bool bri_escape_run(escape* out, void (*what)(void* user), void* user);

// Leave: does not return. `out` is an escape inside whose run it is called; it fits a pool's no_memory.
void bri_escape_leave(void* out);

#endif
