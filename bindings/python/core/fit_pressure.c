/*
 * Pressures from wrenches and twists, and from pushes: bristle/fit_pressure.h, bristle/fit_pushes.h.
 */
#include "bristle/fit_pressure.h"
#include "bristle/fit_pushes.h"

#include "array.h"
#include "fit.h"
#include "things.h"

// Fits ask at each place of a path, or at each push: some ms.
enum { SELDOM = 1 };

// Rows of `width` numbers, as the Python side has made them: contiguous, float64.
static int rows_take(PyObject* object, Py_ssize_t width, const char* name, Py_buffer* view)
{
    if (PyObject_GetBuffer(object, view, PyBUF_C_CONTIGUOUS) < 0) {
        return 0;
    }
    if (view->ndim != 2 || view->shape[1] != width) {
        PyBuffer_Release(view);
        raise_argument(name, "must be rows of %d numbers", (int)width);
        return 0;
    }
    return 1;
}

// A handle or None.
static int patch_or_none(PyObject* object, const br_patch** out)
{
    *out = object == Py_None ? NULL : patch_get(object);
    return *out || object == Py_None;
}

static PyObject* pressure_dict(const br_fit_pressure* p)
{
    return Py_BuildValue("{s:N,s:N,s:N,s:N,s:N,s:N,s:d,s:d,s:s,s:d,s:N,s:d,s:n,s:n}", "points",
                         array_copy(&p->points->x, p->count, 3), "errors",
                         array_copy(p->errors, p->count, 0), "mu_fn", fit_estimate(&p->mu_fn),
                         "cop_x", fit_estimate(&p->cop[0]), "cop_y", fit_estimate(&p->cop[1]), "r",
                         fit_estimate(&p->r), "angle_error", p->angle_error,
                         "validation_angle_error", p->validation_angle_error, "choice",
                         br_fit_choice_name(p->choice), "strength", p->strength, "tried",
                         array_copy(p->tried, BR_FIT_CHOICE_COUNT, 0), "radius", p->radius, "pairs",
                         (Py_ssize_t)p->pairs, "ignored", (Py_ssize_t)p->ignored);
}

// (pairs (n x 6), outline, supports or None, tolerance, resolution, choices)
static PyObject* pressure_fit(PyObject* module, PyObject* arguments)
{
    (void)module;
    br_fit_pressure_def def = br_fit_pressure_def_default();
    PyObject *rows, *outline, *supports;
    Py_ssize_t resolution;
    if (!PyArg_ParseTuple(arguments, "OOOdnI", &rows, &outline, &supports, &def.tolerance,
                          &resolution, &def.choices) ||
        !(def.outline = patch_get(outline)) || !patch_or_none(supports, &def.supports)) {
        return NULL;
    }
    Py_buffer view;
    if (!rows_take(rows, 6, "pairs", &view)) {
        return NULL;
    }
    def.resolution = (size_t)resolution;
    br_fit_pressure* found;
    br_reason why;
    fit_wait wait;
    def.watch = fit_wait_begin(&wait, SELDOM);
    const br_status status =
        br_fit_pressure_create(&def, view.buf, (size_t)view.shape[0], &found, &why);
    PyObject* result = NULL;
    if (fit_wait_end(&wait)) {
        result = found ? pressure_dict(found) : raise_status(status, &why);
    }
    PyBuffer_Release(&view);
    br_fit_pressure_destroy(found);
    return result;
}

static PyObject* pushes_dict(const br_fit_pushes* p)
{
    return Py_BuildValue(
        "{s:N,s:N,s:N,s:N,s:N,s:N,s:d,s:d,s:d,s:d,s:N,s:d,s:n}", "points",
        array_copy(&p->points->x, p->count, 3), "errors", array_copy(p->errors, p->count, 0),
        "mu_tip", fit_estimate(&p->mu_tip), "cop_x", fit_estimate(&p->cop[0]), "cop_y",
        fit_estimate(&p->cop[1]), "r", fit_estimate(&p->r), "position_error", p->position_error,
        "angle_error", p->angle_error, "validation_position_error", p->validation_position_error,
        "validation_angle_error", p->validation_angle_error, "keeps_patch",
        PyBool_FromLong(p->keeps_patch), "strength", p->strength, "pushes", (Py_ssize_t)p->pushes);
}

// (pushes (n x 10), outline, patch or None, tip_radius, mu_tip, keeps_mu, resolution)
static PyObject* pushes_fit(PyObject* module, PyObject* arguments)
{
    (void)module;
    br_fit_pushes_def def = br_fit_pushes_def_default();
    PyObject *rows, *outline, *patch;
    Py_ssize_t resolution;
    if (!PyArg_ParseTuple(arguments, "OOOddpn", &rows, &outline, &patch, &def.tip_radius,
                          &def.mu_tip, &def.keeps_mu, &resolution) ||
        !(def.outline = patch_get(outline)) || !patch_or_none(patch, &def.patch)) {
        return NULL;
    }
    Py_buffer view;
    if (!rows_take(rows, 10, "pushes", &view)) {
        return NULL;
    }
    def.resolution = (size_t)resolution;
    br_fit_pushes* found;
    br_reason why;
    fit_wait wait;
    def.watch = fit_wait_begin(&wait, SELDOM);
    const br_status status =
        br_fit_pushes_create(&def, view.buf, (size_t)view.shape[0], &found, &why);
    PyObject* result = NULL;
    if (fit_wait_end(&wait)) {
        result = found ? pushes_dict(found) : raise_status(status, &why);
    }
    PyBuffer_Release(&view);
    br_fit_pushes_destroy(found);
    return result;
}

PyMethodDef fit_pressure_functions[] = {{"pressure_fit", pressure_fit, METH_VARARGS, NULL},
                                        {"pushes_fit", pushes_fit, METH_VARARGS, NULL},
                                        {0}};
