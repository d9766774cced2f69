/*
 * Pressures from wrenches and twists, and from pushes: bristle/fit_pressure.h, bristle/fit_pushes.h.
 */
#include "bristle/fit_pressure.h"
#include "bristle/fit_pushes.h"

#include "array.h"
#include "beside.h"
#include "fit.h"
#include "things.h"

// Rows of `width` numbers.
static int rows_take(PyObject* object, Py_ssize_t width, const char* name, Py_buffer* view)
{
    return array_view(object, name, 2, (const Py_ssize_t[]){-1, width}, ARRAY_READ_ONLY, view);
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
                         br_fit_choice_get_name(p->choice), "strength", p->strength, "tried",
                         array_copy(p->tried, BR_FIT_CHOICE_COUNT, 0), "radius", p->radius, "pairs",
                         (Py_ssize_t)p->pairs, "ignored", (Py_ssize_t)p->ignored);
}

typedef struct pressure_job {
    br_fit_pressure_def def;
    const void* rows;
    size_t count;
    br_fit_pressure* found;
    br_status status;
    br_reason why;
} pressure_job;

static void pressure_run(void* of)
{
    pressure_job* j = of;
    j->def.watch = fit_watch();
    j->status = br_fit_pressure_create(&j->def, j->rows, j->count, &j->found, &j->why);
}

static void pressure_discard(void* of)
{
    br_fit_pressure_destroy(((pressure_job*)of)->found);
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
    pressure_job job = {.def = def, .rows = view.buf, .count = (size_t)view.shape[0]};
    const int goes_on = beside_run(&job, sizeof job, pressure_run, pressure_discard, arguments);
    PyBuffer_Release(&view);
    if (!goes_on) {
        return NULL;
    }
    PyObject* result = job.found ? pressure_dict(job.found) : raise_status(job.status, &job.why);
    br_fit_pressure_destroy(job.found);
    return result;
}

static PyObject* pushes_dict(const br_fit_pushes* p)
{
    return Py_BuildValue(
        "{s:N,s:N,s:N,s:N,s:N,s:N,s:d,s:d,s:d,s:d,s:N,s:d,s:n,s:N,s:N,s:N,s:N,s:d,s:d,s:d,s:d,s:d,s:n}",
        "points", array_copy(&p->points->x, p->count, 3), "errors",
        array_copy(p->errors, p->count, 0), "mu_tip", fit_estimate(&p->mu_tip), "cop_x",
        fit_estimate(&p->cop[0]), "cop_y", fit_estimate(&p->cop[1]), "r", fit_estimate(&p->r),
        "position_error", p->position_error, "angle_error", p->angle_error,
        "validation_position_error", p->validation_position_error, "validation_angle_error",
        p->validation_angle_error, "keeps_patch", PyBool_FromLong(p->keeps_patch), "strength",
        p->strength, "pushes", (Py_ssize_t)p->pushes, "tip_dx", fit_estimate(&p->tip_offset[0]),
        "tip_dy", fit_estimate(&p->tip_offset[1]), "tip_radius", fit_estimate(&p->tip_radius),
        "uses_offset", PyBool_FromLong(p->uses_offset), "plain_position_error",
        p->plain_position_error, "plain_angle_error", p->plain_angle_error, "offset_position_error",
        p->offset_position_error, "offset_angle_error", p->offset_angle_error, "end_gap",
        p->end_gap, "apart", (Py_ssize_t)p->apart);
}

typedef struct pushes_job {
    br_fit_pushes_def def;
    const void* rows;
    size_t count;
    br_fit_pushes* found;
    br_status status;
    br_reason why;
} pushes_job;

static void pushes_run(void* of)
{
    pushes_job* j = of;
    j->def.watch = fit_watch();
    j->status = br_fit_pushes_create(&j->def, j->rows, j->count, &j->found, &j->why);
}

static void pushes_discard(void* of)
{
    br_fit_pushes_destroy(((pushes_job*)of)->found);
}

// (pushes (n x 10), outline, patch or None, tip_radius, mu_tip, keeps_mu, resolution, tip_offset x, y, keeps_offset,
// fits_radius)
static PyObject* pushes_fit(PyObject* module, PyObject* arguments)
{
    (void)module;
    br_fit_pushes_def def = br_fit_pushes_def_default();
    PyObject *rows, *outline, *patch;
    Py_ssize_t resolution;
    int keeps_mu, keeps_offset, fits_radius;
    if (!PyArg_ParseTuple(arguments, "OOOddpnddpp", &rows, &outline, &patch, &def.tip_radius,
                          &def.mu_tip, &keeps_mu, &resolution, &def.tip_offset.x, &def.tip_offset.y,
                          &keeps_offset, &fits_radius) ||
        !(def.outline = patch_get(outline)) || !patch_or_none(patch, &def.patch)) {
        return NULL;
    }
    Py_buffer view;
    if (!rows_take(rows, 10, "pushes", &view)) {
        return NULL;
    }
    def.resolution = (size_t)resolution;
    def.keeps_mu = keeps_mu, def.keeps_offset = keeps_offset, def.fits_radius = fits_radius;
    pushes_job job = {.def = def, .rows = view.buf, .count = (size_t)view.shape[0]};
    const int goes_on = beside_run(&job, sizeof job, pushes_run, pushes_discard, arguments);
    PyBuffer_Release(&view);
    if (!goes_on) {
        return NULL;
    }
    PyObject* result = job.found ? pushes_dict(job.found) : raise_status(job.status, &job.why);
    br_fit_pushes_destroy(job.found);
    return result;
}

PyMethodDef fit_pressure_functions[] = {{"pressure_fit", pressure_fit, METH_VARARGS, NULL},
                                        {"pushes_fit", pushes_fit, METH_VARARGS, NULL},
                                        {0}};
