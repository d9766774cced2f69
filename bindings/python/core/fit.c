/*
 * Shared by all fits: bristle/fit.h.
 */
#include "fit.h"

#include "beside.h"

PyObject* fit_estimate(const br_fit_estimate* e)
{
    return Py_BuildValue("(ssddddNNs)", e->name, e->unit, e->value, e->error, e->low, e->high,
                         PyBool_FromLong(e->is_fixed), PyBool_FromLong(e->is_identifiable),
                         e->words);
}

static bool stops(void* user)
{
    (void)user;
    return beside_is_left();
}

br_fit_watch fit_watch(void)
{
    return (br_fit_watch){.stop = stops};
}
