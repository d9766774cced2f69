/*
 * Derivatives of many worlds: bristle/worlds_gradient.h. Tapes, adjoints and results are arrays of NumPy, whose lengths are
 * checked here.
 */
#include "worlds.h"

#include <string.h>

enum { BODY_ARRAYS = 10, CONTACT_ARRAYS = 9, MOST_VIEWS = BODY_ARRAYS + 4 * CONTACT_ARRAYS + 3 };

// Buffers of a call, to be released.
typedef struct views {
    Py_buffer at[MOST_VIEWS];
    int count;
} views;

static void release_views(views* v)
{
    for (int i = 0; i < v->count; i++) {
        PyBuffer_Release(&v->at[i]);
    }
}

// The numbers of an array of rows, NULL for None. Returns 0 with an exception.
static int get_numbers(const worlds_thing* thing, PyObject* object, const char* name, char type,
                       size_t count, array_access access, views* v, void* to)
{
    void* numbers = NULL;
    if (object != Py_None) {
        Py_buffer* view = &v->at[v->count];
        if (!worlds_view(thing, object, name, type, count, access, view)) {
            return 0;
        }
        v->count++;
        numbers = view->buf;
    }
    memcpy(to, &numbers, sizeof numbers);
    return 1;
}

static int refuse_floats(const worlds_thing* thing)
{
    if (thing->type == BR_WORLDS_FLOAT) {
        raise_argument("dtype", "must be float64: worlds of float32 have no derivatives");
    }
    return thing->type == BR_WORLDS_FLOAT;
}

// (handle, steps, every): numbers of a tape
static PyObject* worlds_tape(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject* handle;
    Py_ssize_t steps, every;
    worlds_thing* thing;
    if (!PyArg_ParseTuple(arguments, "Onn", &handle, &steps, &every) ||
        !(thing = worlds_of(handle)) || refuse_floats(thing)) {
        return NULL;
    }
    if (steps < 1 || every < 0) {
        return raise_argument(steps < 1 ? "steps" : "every", "must be > 0; every may be 0");
    }
    return PyLong_FromSize_t(worlds_tape_size(thing, (size_t)steps, (size_t)every));
}

// What both calls have in common.
typedef struct recorded_call {
    worlds_thing* thing;
    worlds_call call;
    views views;
    br_worlds_record record;
    double h;
    size_t steps;
    Py_ssize_t load_steps, fn_steps;
} recorded_call;

// (handle, h, steps, load or None, load_steps, normal_force or None, fn_steps, mask or None), (every, tape)
static int open_recorded(PyObject* common, PyObject* taped, recorded_call* c)
{
    PyObject *handle, *size, *load, *force, *mask, *tape;
    Py_ssize_t steps, every;
    memset(c, 0, sizeof *c);
    if (!PyArg_ParseTuple(common, "OOnOnOnO", &handle, &size, &steps, &load, &c->load_steps, &force,
                          &c->fn_steps, &mask) ||
        !PyArg_ParseTuple(taped, "nO", &every, &tape) || !(c->thing = worlds_of(handle)) ||
        refuse_floats(c->thing) || !array_step_size(size, &c->h) ||
        !worlds_open_call(c->thing, load, c->load_steps, force, c->fn_steps, mask, steps,
                          &c->call)) {
        return 0;
    }
    c->steps = (size_t)steps;
    c->record.every = (size_t)every;
    return get_numbers(c->thing, tape, "tape", 'r',
                       worlds_tape_size(c->thing, c->steps, c->record.every), ARRAY_WRITABLE,
                       &c->views, &c->record.tape);
}

static PyObject* close_recorded(recorded_call* c, int ok)
{
    release_views(&c->views);
    worlds_close_call(&c->call);
    if (!ok) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static int run_recorded(recorded_call* c, const br_worlds_adjoint* adjoint)
{
    c->thing->busy = 1;
    const int ok = worlds_run_steps(c->thing, &c->call.arrays, c->h, c->steps, &c->record, adjoint);
    c->thing->busy = 0;
    return ok;
}

// (common, taped, pose or None, twist or None, check): advance the worlds
static PyObject* worlds_record(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject *common, *taped, *pose, *twist;
    int check;
    recorded_call c;
    if (!PyArg_ParseTuple(arguments, "OOOOp", &common, &taped, &pose, &twist, &check)) {
        return NULL;
    }
    int ok = open_recorded(common, taped, &c);
    const size_t all = ok ? 3 * c.steps * c.thing->arrays.count : 0;
    ok =
        ok && worlds_check_call(c.thing, &c.call, c.h, c.steps, check) &&
        get_numbers(c.thing, pose, "pose", 'r', all, ARRAY_WRITABLE, &c.views, &c.record.pose) &&
        get_numbers(c.thing, twist, "twist", 'r', all, ARRAY_WRITABLE, &c.views, &c.record.twist) &&
        run_recorded(&c, NULL);
    return close_recorded(&c, ok);
}

// pose_bar, twist_bar, pose, twist, mass, inertia, load, h, pivot, flags
static int get_body(recorded_call* c, PyObject* arrays, br_worlds_adjoint* d)
{
    PyObject* a[BODY_ARRAYS];
    const size_t n = c->thing->arrays.count;
    const size_t rows[BODY_ARRAYS] = {
        3 * d->pose_steps, 3 * d->twist_steps, 3, 3, 1, 1, 3 * (size_t)c->load_steps, 1, 1, 1};
    const char* const names[BODY_ARRAYS] = {"pose",    "twist", "pose", "twist", "mass",
                                            "inertia", "load",  "h",    "pivot", "flags"};
    void* const to[BODY_ARRAYS] = {&d->pose_bar, &d->twist_bar, &d->pose, &d->twist, &d->mass,
                                   &d->inertia,  &d->load,      &d->h,    &d->pivot, &d->flags};
    int ok = PyArg_ParseTuple(arrays, "OOOOOOOOOO", &a[0], &a[1], &a[2], &a[3], &a[4], &a[5], &a[6],
                              &a[7], &a[8], &a[9]);
    for (int i = 0; ok && i < BODY_ARRAYS; i++) {
        ok = get_numbers(c->thing, a[i], names[i], i == BODY_ARRAYS - 1 ? 'b' : 'r', rows[i] * n,
                         i < 2 ? ARRAY_READ_ONLY : ARRAY_WRITABLE, &c->views, to[i]);
    }
    return ok;
}

// z_bar, f_bar, z, fn, position, angle, scale, ground, law
static int get_contact(recorded_call* c, size_t k, PyObject* arrays, br_worlds_contact_adjoint* d)
{
    PyObject* a[CONTACT_ARRAYS];
    double* law = NULL;
    const size_t n = c->thing->arrays.count;
    const size_t states = br_worlds_get_state_count(c->thing->worlds[0], k);
    const size_t rows[CONTACT_ARRAYS] = {states, 3, states, (size_t)c->fn_steps, 2,
                                         1,      1, 3,      BR_BY_COUNT};
    const char* const names[CONTACT_ARRAYS] = {
        "z", "friction", "z", "normal_force", "position", "angle", "scale", "ground", "law"};
    void* const to[CONTACT_ARRAYS] = {&d->z_bar, &d->f_bar, &d->z,      &d->fn, &d->position,
                                      &d->angle, &d->scale, &d->ground, &law};
    int ok = PyArg_ParseTuple(arrays, "OOOOOOOOO", &a[0], &a[1], &a[2], &a[3], &a[4], &a[5], &a[6],
                              &a[7], &a[8]);
    for (int i = 0; ok && i < CONTACT_ARRAYS; i++) {
        ok = get_numbers(c->thing, a[i], names[i], 'r', rows[i] * n,
                         i < 2 ? ARRAY_READ_ONLY : ARRAY_WRITABLE, &c->views, to[i]);
    }
    for (size_t by = 0; ok && law && by < BR_BY_COUNT; by++) {
        d->law[by] = law + by * n;
    }
    return ok;
}

// (common, taped, pose_steps, twist_steps, body, contacts)
static PyObject* worlds_vjp(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject *common, *taped, *body, *contacts;
    Py_ssize_t pose_steps, twist_steps;
    recorded_call c;
    if (!PyArg_ParseTuple(arguments, "OOnnOO!", &common, &taped, &pose_steps, &twist_steps, &body,
                          &PyList_Type, &contacts)) {
        return NULL;
    }
    int ok = open_recorded(common, taped, &c);
    const Py_ssize_t steps = ok ? (Py_ssize_t)c.steps : 0;
    if (ok &&
        ((pose_steps != 1 && pose_steps != steps) || (twist_steps != 1 && twist_steps != steps))) {
        raise_argument("steps", "must be as many as poses and twists have");
        ok = 0;
    }
    br_worlds_adjoint d = {.pose_steps = (size_t)pose_steps, .twist_steps = (size_t)twist_steps};
    const size_t count = ok ? br_worlds_get_contact_count(c.thing->worlds[0]) : 0;
    ok = ok && get_body(&c, body, &d);
    if (ok && (size_t)PyList_Size(contacts) != count) {
        raise_argument("contacts", "must be those of the worlds");
        ok = 0;
    }
    for (size_t k = 0; ok && k < count; k++) {
        ok = get_contact(&c, k, PyList_GetItem(contacts, (Py_ssize_t)k), &d.contacts[k]);
    }
    ok = ok && run_recorded(&c, &d);
    return close_recorded(&c, ok);
}

PyMethodDef worlds_gradient_functions[] = {{"worlds_tape", worlds_tape, METH_VARARGS, NULL},
                                           {"worlds_record", worlds_record, METH_VARARGS, NULL},
                                           {"worlds_vjp", worlds_vjp, METH_VARARGS, NULL},
                                           {0}};
