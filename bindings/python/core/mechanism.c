/*
 * Constrained systems at an instant, and mechanisms from functions of Python: bristle/constrained.h,
 * mechanism.h.
 */
#include "bristle/mechanism.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "record.h"
#include "things.h"

// The arrays of a system, with the names in take_arrays().
enum { SYSTEM_ARRAYS = 11 };

typedef struct system_thing {
    br_constrained system;
    Py_buffer views[SYSTEM_ARRAYS];
    int held;
    double* work;
} system_thing;

static void free_system(system_thing* thing)
{
    while (thing->held > 0) {
        PyBuffer_Release(&thing->views[--thing->held]);
    }
    free(thing->work);
}

static int take_arrays(system_thing* thing, PyObject* arrays)
{
    static const char* const names[SYSTEM_ARRAYS] = {"M",
                                                     "Q",
                                                     "A",
                                                     "b",
                                                     "J",
                                                     "qd",
                                                     "C",
                                                     "bias",
                                                     "normal",
                                                     "surface_velocity",
                                                     "surface_acceleration"};
    br_constrained* s = &thing->system;
    const Py_ssize_t n = (Py_ssize_t)s->n, m = (Py_ssize_t)s->m, d = (Py_ssize_t)s->d;
    const Py_ssize_t normals = (Py_ssize_t)s->normals;
    const Py_ssize_t lengths[SYSTEM_ARRAYS][2] = {{n, n}, {n}, {m, n},       {m}, {d, n}, {n},
                                                  {n},    {d}, {normals, d}, {d}, {d}};
    static const int ranks[SYSTEM_ARRAYS] = {2, 1, 2, 1, 2, 1, 1, 1, 2, 1, 1};
    const double** const places[SYSTEM_ARRAYS] = {&s->M,
                                                  &s->Q,
                                                  &s->A,
                                                  &s->b,
                                                  &s->J,
                                                  &s->qd,
                                                  &s->C,
                                                  &s->bias,
                                                  &s->normal,
                                                  &s->surface_velocity,
                                                  &s->surface_acceleration};
    for (int i = 0; i < SYSTEM_ARRAYS; i++) {
        PyObject* item = PyTuple_GetItem(arrays, i);
        if (!item) {
            return 0;
        }
        if (item == Py_None) {
            continue;
        }
        if (!array_view(item, names[i], ranks[i], lengths[i], ARRAY_READ_ONLY,
                        &thing->views[thing->held])) {
            return 0;
        }
        *places[i] = thing->views[thing->held++].buf;
    }
    return 1;
}

// (n, m, d, arrays (11), normals, contact, mu, mu_s)
static int take_system(system_thing* thing, PyObject* item)
{
    memset(thing, 0, sizeof *thing);
    br_constrained* s = &thing->system;
    Py_ssize_t n, m, d, normals, contact;
    PyObject* arrays;
    if (!PyArg_ParseTuple(item, "nnnO!nndd", &n, &m, &d, &PyTuple_Type, &arrays, &normals, &contact,
                          &s->mu, &s->mu_s)) {
        return 0;
    }
    s->n = (size_t)n;
    s->m = (size_t)m;
    s->d = (size_t)d;
    s->normals = (size_t)normals;
    s->contact = contact < 0 ? s->m : (size_t)contact;
    if (s->n < 1 || s->n > BR_CONSTRAINED_MOST || s->m > BR_CONSTRAINED_ROWS) {
        raise_argument("M", "1 to %d coordinates and up to %d constraints are allowed",
                       BR_CONSTRAINED_MOST, BR_CONSTRAINED_ROWS);
        return 0;
    }
    if (!take_arrays(thing, arrays)) {
        return 0;
    }
    if (s->normals > 0 && contact < 0) {
        s->contact = br_constrained_find_contact(s, s->normal);
    }
    thing->work = malloc(br_constrained_get_work(s->n, s->m, s->d) * sizeof(double));
    if (!thing->work) {
        PyErr_NoMemory();
    }
    return thing->work != NULL;
}

static int is_good(const system_thing* thing)
{
    br_reason why;
    const br_status status = br_constrained_check(&thing->system, thing->work, &why);
    if (status != BR_OK) {
        raise_status(status, &why);
    }
    return status == BR_OK;
}

static PyObject* constrained_check(PyObject* module, PyObject* item)
{
    (void)module;
    system_thing thing;
    const int good = take_system(&thing, item) && is_good(&thing);
    free_system(&thing);
    if (!good) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject* vector(const double* numbers, size_t count)
{
    return array_copy(numbers, count, 0);
}

static PyObject* value_of(const br_constrained* s, const br_constrained_value* v)
{
    return Py_BuildValue("ndNNNNNNNNNNNiNN", (Py_ssize_t)v->rank, v->inconsistency,
                         vector(v->q_id, s->n), vector(v->lambda, s->m), vector(v->qdd_ideal, s->n),
                         vector(v->q_nid, s->n), vector(v->qdd_with_c, s->n), vector(v->q_p, s->n),
                         vector(v->q_t, s->n), vector(v->f_n, s->d), vector(v->f_t, s->d),
                         vector(v->f_c, s->d), vector(v->q_c, s->n), v->stick, vector(v->f_s, s->d),
                         vector(v->q_s, s->n));
}

static PyObject* constrained_eval(PyObject* module, PyObject* item)
{
    (void)module;
    system_thing thing;
    PyObject* result = NULL;
    if (take_system(&thing, item) && is_good(&thing)) {
        br_constrained_value value;
        br_constrained_eval(&thing.system, thing.work, &value);
        result = value_of(&thing.system, &value);
    }
    free_system(&thing);
    return result;
}

// (system, law or None, z or None, paper): qdd, n_frictionless, n, friction, margin
static PyObject* slide_with(const system_thing* thing, const br_law* law, const double* z,
                            int paper)
{
    const br_constrained* s = &thing->system;
    br_resistance resistance = br_constrained_coulomb(s);
    if (law) {
        double v[3];
        br_constrained_slip(s, v);
        resistance = br_point_law_eval(law, NULL, s->d, z, v);
    }
    br_constrained_slide_value out;
    br_constrained_slide(s, &resistance, paper ? BR_NORMAL_PAPER : BR_NORMAL_GEOMETRIC, thing->work,
                         &out);
    return Py_BuildValue("NddNd", vector(out.qdd, s->n), out.n_frictionless, out.n,
                         vector(out.friction, s->d), out.margin);
}

static PyObject* constrained_slide(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject *item, *handle, *state;
    int paper;
    if (!PyArg_ParseTuple(arguments, "OOOp", &item, &handle, &state, &paper)) {
        return NULL;
    }
    const br_law* law = handle == Py_None ? NULL : law_get(handle);
    if (!law && PyErr_Occurred()) {
        return NULL;
    }
    system_thing thing;
    double z[3] = {0.0, 0.0, 0.0};
    PyObject* result = NULL;
    if (take_system(&thing, item) && is_good(&thing) &&
        (state == Py_None || array_read(state, "z", z, thing.system.d))) {
        result = slide_with(&thing, law, z, paper);
    }
    free_system(&thing);
    return result;
}

static PyObject* constrained_hold(PyObject* module, PyObject* item)
{
    (void)module;
    system_thing thing;
    PyObject* result = NULL;
    if (take_system(&thing, item) && is_good(&thing)) {
        const br_constrained* s = &thing.system;
        br_constrained_hold_value out;
        br_constrained_hold(s, thing.work, &out);
        result = Py_BuildValue("NNddNNN", vector(out.qdd, s->n), vector(out.force, s->d), out.n,
                               out.tangential, vector(out.friction, s->d),
                               PyBool_FromLong(out.possible), PyBool_FromLong(out.sticks));
    }
    free_system(&thing);
    return result;
}

// A mechanism with three Python functions, and the record of its run.
typedef struct callbacks {
    record record;
    size_t n, m, d, normals;
    PyObject* dynamics;
    PyObject* constraint;
    PyObject* contact;
    Py_ssize_t parts[3]; // that each of them returned at the start
    br_dahl_axes axes;
} callbacks;

static void fill_nan(double* numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        numbers[i] = NAN;
    }
}

// Call a function at an instant; it must return a tuple of `count`. NULL after any error.
static PyObject* call_function(callbacks* c, PyObject* function, const br_mechanism_at* at,
                               Py_ssize_t count)
{
    if (c->record.interrupted) {
        return NULL;
    }
    PyObject* q = vector(at->q, c->n);
    PyObject* qd = vector(at->qd, c->n);
    PyObject* answer = q && qd ? PyObject_CallFunction(function, "dOO", at->t, q, qd) : NULL;
    Py_XDECREF(q);
    Py_XDECREF(qd);
    if (answer && (!PyTuple_Check(answer) || PyTuple_Size(answer) != count)) {
        PyErr_Format(PyExc_TypeError, "%R must return a tuple of %zd, as at the start", function,
                     count);
        Py_DECREF(answer);
        answer = NULL;
    }
    c->record.interrupted = !answer;
    return answer;
}

static void take_part(callbacks* c, PyObject* answer, Py_ssize_t index, const char* name,
                      double* numbers, size_t count)
{
    if (!answer || c->record.interrupted ||
        !array_read(PyTuple_GetItem(answer, index), name, numbers, count)) {
        c->record.interrupted = 1;
        fill_nan(numbers, count);
    }
}

static void dynamics(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    callbacks* c = user;
    PyObject* answer = call_function(c, c->dynamics, at, c->parts[0]);
    take_part(c, answer, 0, "M", out->M, c->n * c->n);
    take_part(c, answer, 1, "Q", out->Q, c->n);
    take_part(c, answer, 2, "potential", &out->potential, 1);
    take_part(c, answer, 3, "power", &out->power, 1);
    Py_XDECREF(answer);
}

static void constraint(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    callbacks* c = user;
    PyObject* answer = call_function(c, c->constraint, at, c->parts[1]);
    take_part(c, answer, 0, "A", out->A, c->m * c->n);
    take_part(c, answer, 1, "b", out->b, c->m);
    take_part(c, answer, 2, "gap", out->gap, c->m);
    if (c->parts[1] > 3) {
        take_part(c, answer, 3, "rate", out->rate, c->m);
    }
    Py_XDECREF(answer);
}

static void contact(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    callbacks* c = user;
    PyObject* answer = call_function(c, c->contact, at, c->parts[2]);
    take_part(c, answer, 0, "point", out->point, c->d);
    take_part(c, answer, 1, "J", out->J, c->d * c->n);
    take_part(c, answer, 2, "bias", out->bias, c->d);
    take_part(c, answer, 3, "normal", out->normal, c->normals * c->d);
    if (c->parts[2] > 4) {
        take_part(c, answer, 4, "surface_velocity", out->surface_velocity, c->d);
        take_part(c, answer, 5, "surface_acceleration", out->surface_acceleration, c->d);
    }
    Py_XDECREF(answer);
}

static PyObject* report_of(PyObject* tables, const br_mechanism_report* r)
{
    if (!tables) {
        return NULL;
    }
    const br_integrator_cost* cost = &r->cost;
    return Py_BuildValue("N(nnnnn)(ddddddddd)", tables, (Py_ssize_t)cost->steps,
                         (Py_ssize_t)cost->rejected, (Py_ssize_t)cost->evaluations,
                         (Py_ssize_t)cost->jacobians, (Py_ssize_t)cost->factorisations, r->drift,
                         r->residual, r->turnover, r->margin, r->kinetic, r->potential,
                         r->work_applied, r->work_friction, r->work_constraints);
}

// Calls Python functions, so Python's lock is kept.
static PyObject* run_mechanism(callbacks* c, br_mechanism_def* def, const double* start)
{
    def->mechanism.n = c->n;
    def->mechanism.m = c->m;
    def->mechanism.d = c->d;
    def->mechanism.normals = c->normals;
    def->mechanism.dynamics = dynamics;
    def->mechanism.constraint = constraint;
    def->mechanism.contact = contact;
    def->mechanism.user = c;
    def->q = start;
    def->qd = start + c->n;
    const br_run_watch watch = record_watch(&c->record);
    br_mechanism_report report = {0};
    br_reason why;
    const br_status status = br_mechanism_run(def, &c->record.run, &watch, &report, &why);
    return report_of(record_end(&c->record, status, &why), &report);
}

// (form, None or sigma and alpha of each axis (2 d))
static int take_dahl(callbacks* c, PyObject* axes, br_mechanism_def* def)
{
    double numbers[6];
    if (axes == Py_None) {
        return 1;
    }
    if (!array_read(axes, "sigma_axes, alpha_axes", numbers, 2 * c->d)) {
        return 0;
    }
    memcpy(c->axes.sigma, numbers, c->d * sizeof *numbers);
    memcpy(c->axes.alpha, numbers + c->d, c->d * sizeof *numbers);
    def->dahl_axes = &c->axes;
    return 1;
}

// ((n, m, d, normals), (dynamics, constraint, contact), how many parts each returns (2), start (2 n), law, (form of Dahl's
// law, its axes), paper, project, stabilisation, run)
static PyObject* mechanism_run(PyObject* module, PyObject* arguments)
{
    (void)module;
    callbacks c;
    br_mechanism_def def = br_mechanism_def_default();
    Py_ssize_t n, m, d, normals;
    PyObject *dynamic, *constrain, *touch, *start, *law, *axes, *run;
    int paper, project, form;
    double numbers[2 * BR_CONSTRAINED_MOST];
    c.parts[0] = 4;
    if (!PyArg_ParseTuple(arguments, "(nnnn)(OOO)(nn)OO(iO)ppdO", &n, &m, &d, &normals, &dynamic,
                          &constrain, &touch, &c.parts[1], &c.parts[2], &start, &law, &form, &axes,
                          &paper, &project, &def.stabilisation, &run) ||
        !law_get(law)) {
        return NULL;
    }
    if (n < 1 || n > BR_CONSTRAINED_MOST || m < 0 || d < 2 || d > 3 || normals < 0 || normals > 2) {
        return raise_argument("start",
                              "the numbers of coordinates, constraints or dimensions are "
                              "out of range: n %zd, m %zd, d %zd, normals %zd",
                              n, m, d, normals);
    }
    def.law = *law_get(law);
    def.project = project;
    def.normal = paper ? BR_NORMAL_PAPER : BR_NORMAL_GEOMETRIC;
    def.dahl = (br_dahl_form)form;
    c.n = (size_t)n, c.m = (size_t)m, c.d = (size_t)d, c.normals = (size_t)normals;
    c.dynamics = dynamic, c.constraint = constrain, c.contact = touch;
    if (!take_dahl(&c, axes, &def)) {
        return NULL;
    }
    if (!array_read(start, "start", numbers, 2 * (size_t)n) || !record_start(&c.record, run)) {
        return NULL;
    }
    return run_mechanism(&c, &def, numbers);
}

PyMethodDef mechanism_functions[] = {{"constrained_check", constrained_check, METH_O, NULL},
                                     {"constrained_eval", constrained_eval, METH_O, NULL},
                                     {"constrained_slide", constrained_slide, METH_VARARGS, NULL},
                                     {"constrained_hold", constrained_hold, METH_O, NULL},
                                     {"mechanism_run", mechanism_run, METH_VARARGS, NULL},
                                     {0}};
