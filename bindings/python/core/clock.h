// A clock that never jumps.
#ifndef BRISTLE_PYTHON_CLOCK_H
#define BRISTLE_PYTHON_CLOCK_H

#include "python.h" // first: it requests clock_gettime()

#include <pthread.h> // which has it in mingw-w64
#include <time.h>

// [s]
static inline double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
