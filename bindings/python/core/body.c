/*
 * Numbers over time, and planar bodies: bristle/profile.h, body.h, step.h.
 */
#include "bristle/body.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "record.h"
#include "things.h"

static const char PROFILE[] = "bristle.profile";

static void release(PyObject* handle)
{
    br_release(handle_end(handle));
}

// A profile and its arrays in one piece of memory.
static br_profile* own_profile(const br_profile* profile, PyObject* times, PyObject* values)
{
    const size_t n = profile->count;
    br_profile* copy = br_allocate(1, sizeof *copy + 2 * n * sizeof(double));
    if (!copy) {
        PyErr_NoMemory();
        return NULL;
    }
    double* numbers = (double*)(void*)(copy + 1);
    *copy = *profile;
    copy->t = n > 0 ? numbers : NULL;
    copy->value = n > 0 ? numbers + n : NULL;
    if (n > 0 && (!array_read(times, "times", numbers, n) ||
                  !array_read(values, "values", numbers + n, n))) {
        br_release(copy);
        return NULL;
    }
    return copy;
}

// (kind, mean, amplitude, frequency, phase, start, hold, times, values, count)
static PyObject* profile_make(PyObject* module, PyObject* arguments)
{
    (void)module;
    br_profile p = br_profile_constant(0.0);
    int kind;
    Py_ssize_t count;
    PyObject *times, *values;
    if (!PyArg_ParseTuple(arguments, "iddddddOOn", &kind, &p.mean, &p.amplitude, &p.frequency,
                          &p.phase, &p.start, &p.hold, &times, &values, &count)) {
        return NULL;
    }
    p.kind = (br_profile_kind)kind;
    p.count = (size_t)count;
    br_profile* copy = own_profile(&p, times, values);
    if (!copy) {
        return NULL;
    }
    br_reason why;
    const br_status status = br_profile_check(copy, &why);
    if (status != BR_OK) {
        br_release(copy);
        return raise_status(status, &why);
    }
    return handle_make(PROFILE, copy, release, NULL);
}

static void value(void* profile, size_t count, double* const* args)
{
    for (size_t i = 0; i < count; i++) {
        args[1][i] = br_profile_eval(profile, args[0][i], args[0][i], NULL);
    }
}

static PyObject* profile_eval(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    br_profile* profile;
    if (!has_arguments("profile_eval", count, 2) || !(profile = handle_get(args[0], PROFILE))) {
        return NULL;
    }
    array_call call;
    array_begin(&call, 50.0);
    array_in(&call, "t", args[1], 0);
    array_out(&call, "value", NULL, 0);
    return array_run(&call, value, profile);
}

// fits the converter "O&" of PyArg_ParseTuple
static int to_profile(PyObject* handle, void* to)
{
    const br_profile* profile = handle_get(handle, PROFILE);
    if (profile) {
        *(br_profile*)to = *profile;
    }
    return profile != NULL;
}

// A body as a run needs it, with memory of its own.
typedef struct body_thing {
    br_body body;
    br_body_contact* contacts;
    br_grip* grips;
    br_body_load* loads;
    br_outline* outline;
    br_body_pusher pusher;
} body_thing;

static void free_body(body_thing* thing)
{
    free(thing->contacts);
    free(thing->grips);
    free(thing->loads);
    br_outline_destroy(thing->outline);
}

// (frame, contact, normal force, weight, count, motion (3), grip (6) or None, patch or None)
static int take_contact(PyObject* item, br_body_contact* c, br_grip* grip)
{
    int frame;
    Py_ssize_t count;
    PyObject *contact, *controller, *patch;
    if (!PyArg_ParseTuple(item, "iOO&dnO&O&O&OO", &frame, &contact, to_profile, &c->normal_force,
                          &c->weight, &count, to_profile, &c->motion[0], to_profile, &c->motion[1],
                          to_profile, &c->motion[2], &controller, &patch) ||
        !(c->contact = contact_get(contact)) ||
        (patch != Py_None && !(c->patch = patch_get(patch)))) {
        return 0;
    }
    c->frame = (br_frame)frame;
    c->count = (size_t)count;
    if (controller != Py_None) {
        c->grip = grip;
        return PyArg_ParseTuple(controller, "dddddd", &grip->period, &grip->aim, &grip->slip_limit,
                                &grip->release, &grip->least, &grip->most);
    }
    return 1;
}

static int take_contacts(body_thing* thing, PyObject* list)
{
    const size_t count = (size_t)PyList_Size(list);
    thing->contacts = calloc(count + 1, sizeof *thing->contacts);
    thing->grips = calloc(count + 1, sizeof *thing->grips);
    if (!thing->contacts || !thing->grips) {
        PyErr_NoMemory();
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        if (!take_contact(PyList_GetItem(list, (Py_ssize_t)i), &thing->contacts[i],
                          &thing->grips[i])) {
            return 0;
        }
    }
    thing->body.contacts = thing->contacts;
    thing->body.contact_count = count;
    return 1;
}

// (fx, fy, tau, axes, frame, point (2))
static int take_load(PyObject* item, br_body_load* load)
{
    int axes, frame;
    if (!PyArg_ParseTuple(item, "O&O&O&ii(dd)", to_profile, &load->fx, to_profile, &load->fy,
                          to_profile, &load->tau, &axes, &frame, &load->point.x, &load->point.y)) {
        return 0;
    }
    load->axes = (br_frame)axes;
    load->frame = (br_frame)frame;
    return 1;
}

static int take_loads(body_thing* thing, PyObject* list)
{
    const size_t count = (size_t)PyList_Size(list);
    thing->loads = calloc(count + 1, sizeof *thing->loads);
    if (!thing->loads) {
        PyErr_NoMemory();
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        if (!take_load(PyList_GetItem(list, (Py_ssize_t)i), &thing->loads[i])) {
            return 0;
        }
    }
    thing->body.loads = thing->loads;
    thing->body.load_count = count;
    return 1;
}

static int take_outline(body_thing* thing, PyObject* shape)
{
    if (shape == Py_None) {
        return 1;
    }
    const br_patch* patch = patch_get(shape);
    if (!patch) {
        return 0;
    }
    br_reason why;
    const br_status status = br_outline_create(patch, 0.0, 0, &thing->outline, &why);
    if (status != BR_OK) {
        raise_status(status, &why);
        return 0;
    }
    thing->body.outline = thing->outline;
    return 1;
}

// (x, y, radius, mu, stiffness, damping); a negative stiffness and damping: those that suit
static int take_pusher(body_thing* thing, PyObject* item)
{
    if (item == Py_None) {
        return 1;
    }
    br_body_pusher* p = &thing->pusher;
    const br_body_pusher usual = br_body_pusher_default(thing->body.mass);
    if (!PyArg_ParseTuple(item, "O&O&dddd", to_profile, &p->x, to_profile, &p->y, &p->radius,
                          &p->mu, &p->stiffness, &p->damping)) {
        return 0;
    }
    p->stiffness = p->stiffness < 0.0 ? usual.stiffness : p->stiffness;
    p->damping = p->damping < 0.0 ? usual.damping : p->damping;
    thing->body.pusher = p;
    return 1;
}

// (mass, inertia, pose (3), velocity (3), start, gravity (2), its change (2), contacts, loads, outline, pusher)
static int take_body(body_thing* thing, PyObject* item)
{
    br_body* b = &thing->body;
    *b = br_body_default();
    int start;
    PyObject *contacts, *loads, *outline, *pusher;
    if (!PyArg_ParseTuple(item, "dd(ddd)(ddd)i(dd)O&O&O!O!OO", &b->mass, &b->inertia, &b->pose.x,
                          &b->pose.y, &b->pose.theta, &b->velocity.vx, &b->velocity.vy,
                          &b->velocity.w, &start, &b->gravity.x, &b->gravity.y, to_profile,
                          &b->gravity_change[0], to_profile, &b->gravity_change[1], &PyList_Type,
                          &contacts, &PyList_Type, &loads, &outline, &pusher)) {
        return 0;
    }
    b->start = (br_body_start)start;
    return take_contacts(thing, contacts) && take_loads(thing, loads) &&
           take_outline(thing, outline) && take_pusher(thing, pusher);
}

enum { BODY_COLUMNS = 17, CONTACT_COLUMNS = 10 };

typedef struct body_record {
    record record;
    size_t contacts;
} body_record;

static void put_contact(double* to, const br_body_row* row, size_t i)
{
    const double numbers[CONTACT_COLUMNS] = {
        row->f[i].fx,          row->f[i].fy,      row->f[i].tau,   row->fn[i],   row->tau_cop[i],
        (double)row->state[i], row->slip_rate[i], row->slipped[i], row->load[i], row->most_load[i]};
    memcpy(to, numbers, sizeof numbers);
}

static void body_row(const br_body_row* row, void* user)
{
    body_record* r = user;
    double* to = record_row(&r->record);
    if (!to) {
        return;
    }
    const br_body_energy* e = &row->energy;
    const double numbers[BODY_COLUMNS] = {
        row->t,           row->pose.x,     row->pose.y,   row->pose.theta, row->velocity.vx,
        row->velocity.vy, row->velocity.w, row->push.x,   row->push.y,     e->kinetic,
        e->stored,        e->dissipated,   e->work_loads, e->work_gravity, e->work_normal,
        e->work_contacts, e->residual};
    memcpy(to, numbers, sizeof numbers);
    for (size_t i = 0; i < r->contacts; i++) {
        put_contact(to + BODY_COLUMNS + CONTACT_COLUMNS * i, row, i);
    }
}

static PyObject* with_cost(PyObject* tables, const br_integrator_cost* cost)
{
    if (!tables) {
        return NULL;
    }
    PyObject* all = Py_BuildValue("O(nnnnn)", tables, (Py_ssize_t)cost->steps,
                                  (Py_ssize_t)cost->rejected, (Py_ssize_t)cost->evaluations,
                                  (Py_ssize_t)cost->jacobians, (Py_ssize_t)cost->factorisations);
    Py_DECREF(tables);
    return all;
}

static PyObject* run_body(const body_thing* thing, PyObject* run)
{
    body_record r = {.contacts = thing->body.contact_count};
    if (!record_begin(&r.record, run, BODY_COLUMNS + CONTACT_COLUMNS * r.contacts)) {
        return NULL;
    }
    const br_run_watch watch = {
        .row = {.body = body_row}, .event = record_event, .stop = record_stop, .user = &r};
    br_integrator_cost cost = {0};
    br_reason why;
    br_status status;
    Py_BEGIN_ALLOW_THREADS
    status = br_body_run(&thing->body, &r.record.run, &watch, &cost, &why);
    Py_END_ALLOW_THREADS
    return with_cost(record_end(&r.record, status, &why), &cost);
}

// (body, run): ((rows, events), cost)
static PyObject* body_run(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject *body, *run;
    if (!PyArg_ParseTuple(arguments, "OO", &body, &run)) {
        return NULL;
    }
    body_thing thing;
    memset(&thing, 0, sizeof thing);
    PyObject* result = take_body(&thing, body) ? run_body(&thing, run) : NULL;
    free_body(&thing);
    return result;
}

// What a contact holds during a step: its state, and the memory of a patch that changes with the force.
typedef struct step_hold {
    Py_buffer z;
    void* memory;
} step_hold;

static void let_go(step_hold* hold)
{
    PyBuffer_Release(&hold->z);
    free(hold->memory);
}

static int spread(br_step_contact* c, step_hold* hold)
{
    const size_t bytes = br_contact_get_spread_size(c->contact);
    hold->memory = bytes > 0 ? calloc(1, bytes) : NULL;
    if (bytes > 0 && !hold->memory) {
        PyBuffer_Release(&hold->z);
        PyErr_NoMemory();
        return 0;
    }
    c->contact = br_contact_spread(c->contact, c->fn, hold->memory);
    return 1;
}

static int check_count(Py_ssize_t count)
{
    if (count >= 1) {
        return 1;
    }
    br_reason why;
    br_reason_set(&why, "contacts.count", "must be >= 1, got %zd", count);
    raise_status(BR_ERR_DEF, &why);
    return 0;
}

// (contact, z, arm (2), angle, fn, count)
static int take_step_contact(PyObject* item, br_step_contact* c, step_hold* hold)
{
    PyObject *contact, *state;
    Py_ssize_t count;
    *c = (br_step_contact){0};
    if (!PyArg_ParseTuple(item, "OO(dd)ddn", &contact, &state, &c->arm.x, &c->arm.y, &c->angle,
                          &c->fn, &count) ||
        !(c->contact = contact_get(contact)) || !check_count(count) ||
        PyObject_GetBuffer(state, &hold->z, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE) < 0) {
        return 0;
    }
    c->z = hold->z.buf;
    c->count = (size_t)count;
    return spread(c, hold);
}

static PyObject* step_result(const br_step_result* r, br_twist v, const br_step_contact* contacts,
                             size_t count)
{
    PyObject* forces = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; forces && i < count; i++) {
        const br_wrench f = contacts[i].f;
        PyList_SetItem(forces, (Py_ssize_t)i, Py_BuildValue("(ddd)", f.fx, f.fy, f.tau));
    }
    if (!forces || PyErr_Occurred()) {
        Py_XDECREF(forces);
        return NULL;
    }
    const br_step_ledger e = r->energy;
    return Py_BuildValue("(ddd)(ddd)N(ddddddd)iii", v.vx, v.vy, v.w, r->mean.vx, r->mean.vy,
                         r->mean.w, forces, e.kinetic_before, e.stored_before, e.load,
                         e.kinetic_after, e.stored_after, e.dissipated, e.numerical, r->order,
                         r->passes, r->converged);
}

static PyObject* step_with(br_step_body* body, br_twist v, br_wrench load, double h,
                           br_step_contact* contacts, size_t count)
{
    br_reason why;
    const br_status status = br_step_check(body, v, load, h, contacts, count, &why);
    if (status != BR_OK) {
        return raise_status(status, &why);
    }
    double* work = malloc((br_step_get_work(contacts, count) + 1) * sizeof *work);
    if (!work) {
        return PyErr_NoMemory();
    }
    const br_step_result r = br_step_coupled(body, &v, load, h, contacts, count, work);
    free(work);
    return step_result(&r, v, contacts, count);
}

enum { STEP_CONTACTS = 64 }; // of a body in a step

// (mass, inertia, order, v (3), load (3), h, contacts)
static PyObject* body_step(PyObject* module, PyObject* arguments)
{
    (void)module;
    int order;
    double mass, inertia, h;
    br_twist v;
    br_wrench load;
    PyObject* list;
    if (!PyArg_ParseTuple(arguments, "ddi(ddd)(ddd)dO!", &mass, &inertia, &order, &v.vx, &v.vy,
                          &v.w, &load.fx, &load.fy, &load.tau, &h, &PyList_Type, &list)) {
        return NULL;
    }
    br_step_body body = br_step_body_default(mass, inertia);
    body.order = order;
    const Py_ssize_t count = PyList_Size(list);
    if (count > STEP_CONTACTS) {
        return raise_argument("contacts", "a step takes at most %d, got %zd", STEP_CONTACTS, count);
    }
    br_step_contact contacts[STEP_CONTACTS];
    step_hold holds[STEP_CONTACTS];
    Py_ssize_t taken = 0;
    while (taken < count &&
           take_step_contact(PyList_GetItem(list, taken), &contacts[taken], &holds[taken])) {
        taken++;
    }
    PyObject* result =
        taken == count ? step_with(&body, v, load, h, contacts, (size_t)count) : NULL;
    while (taken > 0) {
        let_go(&holds[--taken]);
    }
    return result;
}

static PyObject* event_names(PyObject* module, PyObject* none)
{
    (void)module;
    (void)none;
    PyObject* names = PyList_New(BR_EVENT_COUNT);
    for (int i = 0; names && i < BR_EVENT_COUNT; i++) {
        PyList_SetItem(names, i, PyUnicode_FromString(br_event_name((br_event_kind)i)));
    }
    return names;
}

PyMethodDef body_functions[] = {{"profile_make", profile_make, METH_VARARGS, NULL},
                                {"profile_eval", FAST(profile_eval)},
                                {"body_run", body_run, METH_VARARGS, NULL},
                                {"body_step", body_step, METH_VARARGS, NULL},
                                {"event_names", event_names, METH_NOARGS, NULL},
                                {0}};
