/*
 * Derivatives of steps and rollouts: bristle/gradient.h.
 */
#include "bristle/rollout.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "things.h"

static const char ROLLOUT[] = "bristle.rollout";

// --- a step of a contact, backwards -------------------------------------------------------------------------------

typedef struct step_context {
    const contact_object* contact;
    double h;
} step_context;

enum { STEP_MORE = BR_BY_COUNT + 2 }; // law, h, length

// z0, z1, v, fn, f_bar, z1_bar -> z0_bar, v_bar, fn_bar, more, flags
static void step_loop(void* of, size_t count, double* const* args)
{
    const step_context* s = of;
    const contact_object* c = s->contact;
    void* memory = args[ARRAY_MEMORY];
    for (size_t i = 0; i < count; i++) {
        const size_t z = i * c->states;
        const double fn = args[3][i];
        const double *v = args[2] + 3 * i, *f = args[4] + 3 * i;
        const br_contact* now =
            memory ? br_contact_at(c->contact, fn, c->pose, memory) : c->contact;
        br_contact_step_adjoint a = {.f_bar = {f[0], f[1], f[2]},
                                     .z1_bar = args[5] + z,
                                     .by_law = true,
                                     .z0_bar = args[6] + z};
        br_contact_step_vjp(now, args[0] + z, args[1] + z, (br_twist){v[0], v[1], v[2]}, fn, s->h,
                            &a);
        memcpy(args[7] + 3 * i, &a.v, 3 * sizeof(double));
        args[8][i] = a.fn;
        double* more = args[9] + i * STEP_MORE;
        memcpy(more, a.law, sizeof a.law);
        more[BR_BY_COUNT] = a.h;
        more[BR_BY_COUNT + 1] = a.length;
        args[10][i] = a.flags;
    }
}

// (contact, z0, z1, v, fn, h, f_bar, z1_bar): (z0_bar, v_bar, fn_bar, (law, h, length), flags)
static PyObject* contact_step_vjp(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject *handle, *z0, *z1, *v, *fn, *size, *f_bar, *z1_bar;
    step_context s;
    if (!PyArg_ParseTuple(arguments, "OOOOOOOO", &handle, &z0, &z1, &v, &fn, &size, &f_bar,
                          &z1_bar) ||
        !(s.contact = handle_get(handle, binding_kind_names[KIND_CONTACT])) ||
        !array_step_size(size, &s.h)) {
        return NULL;
    }
    const Py_ssize_t states[2] = {(Py_ssize_t)s.contact->states, 1}, three[2] = {3, 1},
                     one[2] = {1, 1}, more[2] = {STEP_MORE, 1};
    array_call call;
    array_start(&call, 400.0 + 12.0 * (double)s.contact->parts);
    call.memory = s.contact->memory;
    array_add(&call, "z0", z0, ARRAY_IN, 1, states);
    array_add(&call, "z1", z1, ARRAY_IN, 1, states);
    array_add(&call, "v", v, ARRAY_IN, 1, three);
    array_add(&call, "fn", fn, ARRAY_IN, 0, one)->not_negative = 1;
    array_add(&call, "wrench", f_bar, ARRAY_IN, 1, three);
    array_add(&call, "z", z1_bar, ARRAY_IN, 1, states);
    array_add(&call, "z0_bar", NULL, ARRAY_OUT, 1, states);
    array_add(&call, "v_bar", NULL, ARRAY_OUT, 1, three);
    array_add(&call, "fn_bar", NULL, ARRAY_OUT, 0, one);
    array_add(&call, "more", NULL, ARRAY_OUT, 1, more);
    array_add(&call, "flags", NULL, ARRAY_OUT, 0, one);
    return array_run(&call, step_loop, &s);
}

// --- rollouts -----------------------------------------------------------------------------------------------------

// A rollout that has been run, with the memory that it owns.
typedef struct rollout_thing {
    br_rollout_def def;
    br_rollout_contact* contacts;
    double* numbers; // t, fn, load, z
    double* tape;
    size_t states; // of all contacts
    int busy;      // 1: a sweep runs
} rollout_thing;

static void free_rollout(rollout_thing* thing)
{
    free(thing->contacts);
    free(thing->numbers);
    free(thing->tape);
    free(thing);
}

static void destroy_rollout(PyObject* handle)
{
    free_rollout(handle_end(handle));
}

// (contact, frame, x, y, angle, count)
static int take_contact(PyObject* item, size_t index, br_rollout_contact* c, size_t* states)
{
    PyObject* handle;
    int frame;
    Py_ssize_t copies;
    const contact_object* object;
    if (!PyArg_ParseTuple(item, "Oidddn", &handle, &frame, &c->position.x, &c->position.y,
                          &c->angle, &copies) ||
        !(object = handle_get(handle, binding_kind_names[KIND_CONTACT]))) {
        return 0;
    }
    if (object->memory > 0) {
        raise_argument("contacts",
                       "contact %zu: its patch depends on the force, or its friction on the "
                       "position: rollouts do not offer that",
                       index);
        return 0;
    }
    c->contact = object->contact;
    c->frame = frame ? BR_ROLLOUT_BODY : BR_ROLLOUT_WORLD;
    c->count = (size_t)copies;
    *states += object->states;
    return 1;
}

static int take_contacts(rollout_thing* thing, PyObject* list)
{
    const size_t count = (size_t)PyList_Size(list);
    thing->contacts = calloc(count + 1, sizeof *thing->contacts);
    if (!thing->contacts) {
        PyErr_NoMemory();
        return 0;
    }
    for (size_t k = 0; k < count; k++) {
        if (!take_contact(PyList_GetItem(list, (Py_ssize_t)k), k, &thing->contacts[k],
                          &thing->states)) {
            return 0;
        }
    }
    thing->def.contacts = thing->contacts;
    thing->def.count = count;
    return 1;
}

// Copy rows x columns numbers to *to, which moves on; returns where they are, NULL with an exception.
static const double* take_numbers(PyObject* object, const char* name, size_t rows, size_t columns,
                                  double** to)
{
    const Py_ssize_t lengths[2] = {(Py_ssize_t)rows, (Py_ssize_t)columns};
    Py_buffer view;
    if (!array_view(object, name, columns > 1 ? 2 : 1, lengths, ARRAY_READ_ONLY, &view)) {
        return NULL;
    }
    double* at = *to;
    memcpy(at, view.buf, rows * columns * sizeof *at);
    PyBuffer_Release(&view);
    *to += rows * columns;
    return at;
}

// (t or None, fn (knots x contacts), load (knots, 3), z)
static int take_arrays(rollout_thing* thing, PyObject* arrays)
{
    PyObject *t, *fn, *load, *z;
    br_rollout_def* def = &thing->def;
    const size_t forces = def->knots * def->count;
    thing->numbers = malloc((4 * def->knots + forces + thing->states + 1) * sizeof(double));
    if (!thing->numbers) {
        PyErr_NoMemory();
        return 0;
    }
    double* to = thing->numbers;
    return PyArg_ParseTuple(arrays, "OOOO", &t, &fn, &load, &z) &&
           (t == Py_None || (def->t = take_numbers(t, "times", def->knots, 1, &to))) &&
           (def->fn = take_numbers(fn, "normal_force", forces, 1, &to)) &&
           (def->load = take_numbers(load, "load", def->knots, 3, &to)) &&
           (def->z = take_numbers(z, "states", thing->states, 1, &to));
}

// (mass, inertia, h, steps, knots, order, passes, every, pose (3), v (3)), contacts, arrays
static int take_rollout(rollout_thing* thing, PyObject* numbers, PyObject* list, PyObject* arrays)
{
    br_rollout_def* d = &thing->def;
    Py_ssize_t steps, knots, every;
    br_reason why;
    *d = br_rollout_def_default();
    if (!PyArg_ParseTuple(numbers, "dddnniin(ddd)(ddd)", &d->mass, &d->inertia, &d->h, &steps,
                          &knots, &d->order, &d->passes, &every, &d->pose.x, &d->pose.y,
                          &d->pose.theta, &d->v.vx, &d->v.vy, &d->v.w)) {
        return 0;
    }
    d->steps = (size_t)steps;
    d->knots = (size_t)knots;
    d->every = (size_t)every;
    if (!take_contacts(thing, list) || !take_arrays(thing, arrays)) {
        return 0;
    }
    const br_status status = br_rollout_check(d, &why);
    if (status != BR_OK) {
        raise_status(status, &why);
        return 0;
    }
    const size_t tape = br_rollout_get_tape(d);
    thing->tape = tape < PTRDIFF_MAX / sizeof(double) ? malloc(tape * sizeof(double)) : NULL;
    if (!thing->tape) {
        PyErr_NoMemory();
        return 0;
    }
    return 1;
}

// A buffer of rows x columns numbers, or none. Returns 0 with an exception.
static int get_view(PyObject* object, const char* name, size_t rows, size_t columns,
                    array_access access, Py_buffer* view)
{
    const Py_ssize_t lengths[2] = {(Py_ssize_t)rows, (Py_ssize_t)columns};
    return object == Py_None ||
           array_view(object, name, columns > 1 ? 2 : 1, lengths, access, view);
}

enum { VIEWS = 11 };

// Buffers of a call; those that were not requested are empty.
typedef struct views {
    Py_buffer at[VIEWS];
} views;

static void release_views(views* v)
{
    for (int i = 0; i < VIEWS; i++) {
        if (v->at[i].obj) {
            PyBuffer_Release(&v->at[i]);
        }
    }
}

// Run it into pose, v, f, z. Returns 0 with an exception.
static int run_rollout(rollout_thing* thing, PyObject* outputs, br_rollout_output* out)
{
    PyObject *pose, *v, *f, *z;
    views got = {0};
    const br_rollout_def* d = &thing->def;
    const size_t rows = d->steps + 1;
    const int ok = PyArg_ParseTuple(outputs, "OOOO", &pose, &v, &f, &z) &&
                   get_view(pose, "pose", rows, 3, ARRAY_WRITABLE, &got.at[0]) &&
                   get_view(v, "velocity", rows, 3, ARRAY_WRITABLE, &got.at[1]) &&
                   get_view(f, "friction", d->steps * d->count, 3, ARRAY_WRITABLE, &got.at[2]) &&
                   get_view(z, "states", thing->states, 1, ARRAY_WRITABLE, &got.at[3]);
    if (ok) {
        *out = (br_rollout_output){
            .pose = got.at[0].buf, .v = got.at[1].buf, .f = got.at[2].buf, .z = got.at[3].buf};
        Py_BEGIN_ALLOW_THREADS
        br_rollout_run(d, thing->tape, out);
        Py_END_ALLOW_THREADS
    }
    release_views(&got);
    return ok;
}

// (numbers, contacts, arrays, outputs): (handle, passes, open steps); outputs: pose, v, f, z
static PyObject* rollout_run(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject *numbers, *list, *arrays, *outputs;
    if (!PyArg_ParseTuple(arguments, "OO!OO", &numbers, &PyList_Type, &list, &arrays, &outputs)) {
        return NULL;
    }
    rollout_thing* thing = calloc(1, sizeof *thing);
    if (!thing) {
        return PyErr_NoMemory();
    }
    br_rollout_output out;
    PyObject* handle =
        take_rollout(thing, numbers, list, arrays) && run_rollout(thing, outputs, &out)
            ? handle_make(ROLLOUT, thing, destroy_rollout, list)
            : NULL;
    if (!handle) {
        free_rollout(thing);
        return NULL;
    }
    return Py_BuildValue("Nnn", handle, (Py_ssize_t)out.passes, (Py_ssize_t)out.open);
}

// pose_bar, v_bar, f_bar, z_bar: each an array or None
static int get_given(const rollout_thing* thing, PyObject* bars, views* got, br_rollout_adjoint* io)
{
    PyObject *pose, *v, *f, *z;
    const br_rollout_def* d = &thing->def;
    Py_buffer* at = got->at;
    if (!PyArg_ParseTuple(bars, "OOOO", &pose, &v, &f, &z) ||
        !get_view(pose, "pose", d->steps + 1, 3, ARRAY_READ_ONLY, &at[0]) ||
        !get_view(v, "velocity", d->steps + 1, 3, ARRAY_READ_ONLY, &at[1]) ||
        !get_view(f, "friction", d->steps * d->count, 3, ARRAY_READ_ONLY, &at[2]) ||
        !get_view(z, "states", thing->states, 1, ARRAY_READ_ONLY, &at[3])) {
        return 0;
    }
    io->pose_bar = at[0].buf;
    io->v_bar = at[1].buf;
    io->f_bar = at[2].buf;
    io->z_bar = at[3].buf;
    return 1;
}

// fn, load, position, angle, length, law, z
static int get_wanted(const rollout_thing* thing, PyObject* outputs, views* got,
                      br_rollout_adjoint* io)
{
    PyObject* a[7];
    const br_rollout_def* d = &thing->def;
    Py_buffer* at = got->at + 4;
    if (!PyArg_ParseTuple(outputs, "OOOOOOO", &a[0], &a[1], &a[2], &a[3], &a[4], &a[5], &a[6]) ||
        !get_view(a[0], "fn", d->knots * d->count, 1, ARRAY_WRITABLE, &at[0]) ||
        !get_view(a[1], "load", d->knots, 3, ARRAY_WRITABLE, &at[1]) ||
        !get_view(a[2], "position", d->count, 2, ARRAY_WRITABLE, &at[2]) ||
        !get_view(a[3], "angle", d->count, 1, ARRAY_WRITABLE, &at[3]) ||
        !get_view(a[4], "length", d->count, 1, ARRAY_WRITABLE, &at[4]) ||
        !get_view(a[5], "law", d->count, BR_BY_COUNT, ARRAY_WRITABLE, &at[5]) ||
        !get_view(a[6], "z", thing->states, 1, ARRAY_WRITABLE, &at[6])) {
        return 0;
    }
    io->fn = at[0].buf;
    io->load = at[1].buf;
    io->position = at[2].buf;
    io->angle = at[3].buf;
    io->length = at[4].buf;
    io->law = at[5].buf;
    io->z = at[6].buf;
    return 1;
}

static PyObject* sweep(rollout_thing* thing, br_rollout_adjoint* io)
{
    thing->busy = 1;
    Py_BEGIN_ALLOW_THREADS
    br_rollout_vjp(&thing->def, thing->tape, io);
    Py_END_ALLOW_THREADS
    thing->busy = 0;
    return Py_BuildValue("(ddd)(ddd)ddddnI", io->pose.x, io->pose.y, io->pose.theta, io->v.vx,
                         io->v.vy, io->v.w, io->mass, io->inertia, io->h, io->pivot,
                         (Py_ssize_t)io->inexact, io->flags);
}

// (handle, by_law, bars, outputs): (pose, v, mass, inertia, h, pivot, inexact, flags)
static PyObject* rollout_vjp(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject *handle, *bars, *outputs;
    int by_law;
    rollout_thing* thing;
    if (!PyArg_ParseTuple(arguments, "OpOO", &handle, &by_law, &bars, &outputs) ||
        !(thing = handle_get(handle, ROLLOUT))) {
        return NULL;
    }
    if (thing->busy) {
        PyErr_SetString(PyExc_RuntimeError,
                        "a sweep of this rollout runs in another thread: wait for it");
        return NULL;
    }
    views got = {0};
    br_rollout_adjoint io = {.by_law = by_law};
    PyObject* result = get_given(thing, bars, &got, &io) && get_wanted(thing, outputs, &got, &io)
                           ? sweep(thing, &io)
                           : NULL;
    release_views(&got);
    return result;
}

PyMethodDef gradient_functions[] = {{"contact_step_vjp", contact_step_vjp, METH_VARARGS, NULL},
                                    {"rollout_run", rollout_run, METH_VARARGS, NULL},
                                    {"rollout_vjp", rollout_vjp, METH_VARARGS, NULL},
                                    {0}};
