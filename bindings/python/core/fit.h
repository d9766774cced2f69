// What fits share: estimates as Python takes them, and Ctrl-C.
#ifndef BRISTLE_PYTHON_FIT_H
#define BRISTLE_PYTHON_FIT_H

#include "bristle/fit.h"
#include "python.h"

// (name, unit, value, error, low, high, fixed, told, words)
PyObject* fit_estimate(const br_fit_estimate* e);

// Other threads run during a fit; now and then it looks for Ctrl-C.
typedef struct fit_wait {
    PyThreadState* saved;
    int seldom; // looks each time that it was asked so often
    int asked, is_raised;
} fit_wait;

// Let other threads run. `wait` must outlive the fit that the watch is given to.
br_fit_watch fit_wait_begin(fit_wait* wait, int seldom);

// Have Python again. Returns 0 with an exception where Ctrl-C was pressed.
int fit_wait_end(fit_wait* wait);

#endif
