/*
 * What fits share: bristle/fit.h.
 */
#include "fit.h"

PyObject* fit_estimate(const br_fit_estimate* e)
{
    return Py_BuildValue("(ssddddNNs)", e->name, e->unit, e->value, e->error, e->low, e->high,
                         PyBool_FromLong(e->is_fixed), PyBool_FromLong(e->is_told), e->words);
}

static int stops(void* user)
{
    fit_wait* w = user;
    if (++w->asked % w->seldom == 0 && !w->is_raised) {
        PyEval_RestoreThread(w->saved);
        w->is_raised = PyErr_CheckSignals() < 0;
        w->saved = PyEval_SaveThread();
    }
    return w->is_raised;
}

br_fit_watch fit_wait_begin(fit_wait* wait, int seldom)
{
    *wait = (fit_wait){.saved = PyEval_SaveThread(), .seldom = seldom};
    return (br_fit_watch){.stop = stops, .user = wait};
}

int fit_wait_end(fit_wait* wait)
{
    PyEval_RestoreThread(wait->saved);
    return !wait->is_raised;
}
