// Shared by all fits: estimates as Python tuples, and Ctrl-C.
#ifndef BRISTLE_PYTHON_FIT_H
#define BRISTLE_PYTHON_FIT_H

#include "bristle/fit.h"
#include "python.h"

// (name, unit, value, error, low, high, fixed, identifiable, words)
PyObject* fit_estimate(const br_fit_estimate* e);

// Stops a fit that runs in beside_run() and was abandoned.
br_fit_watch fit_watch(void);

#endif
