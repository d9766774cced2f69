// Long C computations that cannot be interrupted: a separate thread computes, and the caller waits for it or for
// Ctrl-C.
#ifndef BRISTLE_PYTHON_BESIDE_H
#define BRISTLE_PYTHON_BESIDE_H

#include "python.h"

// Run run(work), while other Python threads run, and check for Ctrl-C. `work` (`size` bytes) is copied, and copied back
// if this returns 1. Returns 0 with an exception after Ctrl-C: the computation then continues in the background;
// discard(its work) (may be NULL) frees its results. `keeps` (may be NULL) is kept alive until then.
int beside_run(void* work, size_t size, void (*run)(void*), void (*discard)(void*),
               PyObject* keeps);

// Was the computation of this thread abandoned? For computations that can be stopped.
int beside_is_left(void);

#endif
