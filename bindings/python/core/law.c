/*
 * Friction laws at a point: bristle/law.h.
 */
#include "bristle/law.h"

#include "array.h"
#include "things.h"

#include <string.h>

static const char KIND[] = "bristle.law";
static const double COST = 30.0; // of a law at an instant [ns]

static void destroy(PyObject* handle)
{
    br_release(handle_end(handle));
}

static int is_named(const char* name, br_law_kind* kind)
{
#define LAW_NAME(law_kind, law_name)                                                               \
    if (strcmp(name, law_name) == 0) {                                                             \
        *kind = law_kind;                                                                          \
        return 1;                                                                                  \
    }
    BR_LAW_LIST(LAW_NAME)
#undef LAW_NAME
#define LAW_LISTED(law_kind, law_name) " " law_name ","
    raise_argument("kind", "must be one of" BR_LAW_LIST(LAW_LISTED) " got '%s'", name);
#undef LAW_LISTED
    return 0;
}

static PyObject* parameters(const br_law* law)
{
    return Py_BuildValue("(ddddddddd)", law->mu_c, law->mu_s, law->v_stribeck, law->gamma,
                         law->sigma0, law->sigma1, law->sigma2, law->s_ba, law->alpha);
}

static PyObject* law_default(PyObject* module, PyObject* name)
{
    (void)module;
    const char* text = PyUnicode_AsUTF8AndSize(name, NULL);
    br_law_kind kind;
    if (!text || !is_named(text, &kind)) {
        return NULL;
    }
    const br_law law = br_law_default(kind);
    return parameters(&law);
}

static PyObject* law_from_mu(PyObject* module, PyObject* arguments)
{
    (void)module;
    double mu, r, mass, fn;
    if (!PyArg_ParseTuple(arguments, "dddd", &mu, &r, &mass, &fn)) {
        return NULL;
    }
    const br_law law = br_law_from_mu(mu, r, mass, fn);
    return parameters(&law);
}

static PyObject* law_make(PyObject* module, PyObject* arguments)
{
    (void)module;
    const char* name;
    br_law law;
    if (!PyArg_ParseTuple(arguments, "s(ddddddddd)", &name, &law.mu_c, &law.mu_s, &law.v_stribeck,
                          &law.gamma, &law.sigma0, &law.sigma1, &law.sigma2, &law.s_ba,
                          &law.alpha) ||
        !is_named(name, &law.kind)) {
        return NULL;
    }
    br_reason why;
    const br_status status = br_law_check(&law, &why);
    if (status != BR_OK) {
        return raise_status(status, &why);
    }
    br_law* copy = br_allocate(1, sizeof law);
    if (!copy) {
        return PyErr_NoMemory();
    }
    *copy = law;
    return handle_make(KIND, copy, destroy, NULL);
}

const br_law* law_get(PyObject* handle)
{
    return handle_get(handle, KIND);
}

static PyObject* law_passivity_margin(PyObject* module, PyObject* handle)
{
    (void)module;
    const br_law* law = law_get(handle);
    return law ? PyFloat_FromDouble(br_law_passivity_margin(law)) : NULL;
}

static PyObject* law_has_state(PyObject* module, PyObject* handle)
{
    (void)module;
    const br_law* law = law_get(handle);
    return law ? PyBool_FromLong(br_law_has_state(law->kind)) : NULL;
}

static void coefficient(void* law, size_t count, double* const* args)
{
    for (size_t i = 0; i < count; i++) {
        args[1][i] = br_law_g(law, args[0][i]);
    }
}

static PyObject* law_g(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    br_law* law;
    if (!has_arguments("g", count, 3) || !(law = handle_get(args[0], KIND))) {
        return NULL;
    }
    array_call call;
    array_begin(&call, COST);
    array_in(&call, "v", args[1], 0);
    array_out(&call, "out", args[2], 0);
    return array_run(&call, coefficient, law);
}

static void eval(void* law, size_t count, double* const* args)
{
    for (size_t i = 0; i < count; i++) {
        const br_law_value value = br_law_eval(law, args[0][i], args[1][i], args[2][i]);
        args[3][i] = value.f;
        args[4][i] = value.dz;
    }
}

static PyObject* law_eval(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    br_law* law;
    if (!has_arguments("eval", count, 6) || !(law = handle_get(args[0], KIND))) {
        return NULL;
    }
    array_call call;
    array_begin(&call, COST);
    array_in(&call, "z", args[1], 0);
    array_in(&call, "v", args[2], 0);
    array_force(&call, args[3]);
    array_out(&call, "out[0]", args[4], 0);
    array_out(&call, "out[1]", args[5], 0);
    return array_run(&call, eval, law);
}

static void gradient(void* law, size_t count, double* const* args)
{
    for (size_t i = 0; i < count; i++) {
        const br_law_gradient g = br_law_gradient_eval(law, args[0][i], args[1][i], args[2][i]);
        const double numbers[6] = {g.f_z, g.f_v, g.f_fn, g.dz_z, g.dz_v, g.dz_fn};
        memcpy(args[3] + 6 * i, numbers, sizeof numbers);
    }
}

static PyObject* law_gradient(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    br_law* law;
    if (!has_arguments("gradient", count, 5) || !(law = handle_get(args[0], KIND))) {
        return NULL;
    }
    array_call call;
    array_begin(&call, COST);
    array_in(&call, "z", args[1], 0);
    array_in(&call, "v", args[2], 0);
    array_force(&call, args[3]);
    array_out_matrix(&call, "out", args[4], 2, 3);
    return array_run(&call, gradient, law);
}

typedef struct law_step_context {
    const br_law* law;
    double h;
} law_step_context;

static void step(void* context, size_t count, double* const* args)
{
    const law_step_context* with = context;
    for (size_t i = 0; i < count; i++) {
        args[3][i] = br_law_step(with->law, &args[0][i], args[1][i], args[2][i], with->h);
    }
}

static PyObject* law_step(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    law_step_context with;
    if (!has_arguments("step", count, 6) || !(with.law = handle_get(args[0], KIND)) ||
        !array_step_size(args[4], &with.h)) {
        return NULL;
    }
    array_call call;
    array_begin(&call, COST);
    array_state(&call, "z", args[1], 0);
    array_in(&call, "v", args[2], 0);
    array_force(&call, args[3]);
    array_out(&call, "out", args[5], 0);
    return array_run(&call, step, &with);
}

PyMethodDef law_functions[] = {{"law_default", law_default, METH_O, NULL},
                               {"law_from_mu", law_from_mu, METH_VARARGS, NULL},
                               {"law_make", law_make, METH_VARARGS, NULL},
                               {"law_passivity_margin", law_passivity_margin, METH_O, NULL},
                               {"law_has_state", law_has_state, METH_O, NULL},
                               {"law_g", FAST(law_g)},
                               {"law_eval", FAST(law_eval)},
                               {"law_gradient", FAST(law_gradient)},
                               {"law_step", FAST(law_step)},
                               {0}};
