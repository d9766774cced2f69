// The C objects of handles. Each function returns NULL with an exception for a handle of another kind.
#ifndef BRISTLE_PYTHON_THINGS_H
#define BRISTLE_PYTHON_THINGS_H

#include "binding.h"
#include "bristle/profile.h"
#include "bristle/scenario.h"
#include "python.h"

const br_law* law_get(PyObject* handle);
const br_patch* patch_get(PyObject* handle);
const br_limit* limit_get(PyObject* handle);
const br_contact* contact_get(PyObject* handle);
const br_profile* profile_get(PyObject* handle);
const br_scenario* scenario_get(PyObject* handle);

#endif
