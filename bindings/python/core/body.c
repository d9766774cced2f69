/*
 * Planar bodies: bristle/body.h.
 */
#include "bristle/body.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "record.h"
#include "things.h"

static const char BODY[] = "bristle.body";

// a converter for "O&" of PyArg_ParseTuple
static int to_profile(PyObject* handle, void* to)
{
    const br_profile* profile = profile_get(handle);
    if (profile) {
        *(br_profile*)to = *profile;
    }
    return profile != NULL;
}

// A body for runs and steps, with the memory that it owns.
typedef struct body_thing {
    br_body body;
    br_body_stepper* stepper;
    br_body_contact* contacts;
    br_grip* grips;
    br_body_load* loads;
    br_outline* outline;
    br_body_pusher pusher;
} body_thing;

static void free_body(body_thing* thing)
{
    br_body_stepper_destroy(thing->stepper);
    free(thing->contacts);
    free(thing->grips);
    free(thing->loads);
    br_outline_destroy(thing->outline);
    free(thing);
}

// (frame, contact, normal force, weight, count, at (2), motion (3), grip (6) or None, patch or None)
static int take_contact(PyObject* item, br_body_contact* c, br_grip* grip)
{
    int frame;
    Py_ssize_t count;
    PyObject *contact, *controller, *patch;
    if (!PyArg_ParseTuple(item, "iOO&dn(dd)O&O&O&OO", &frame, &contact, to_profile,
                          &c->normal_force, &c->weight, &count, &c->at.x, &c->at.y, to_profile,
                          &c->motion[0], to_profile, &c->motion[1], to_profile, &c->motion[2],
                          &controller, &patch) ||
        !(c->contact = contact_get(contact)) ||
        (patch != Py_None && !(c->patch = patch_get(patch)))) {
        return 0;
    }
    c->frame = (br_frame)frame;
    c->count = count < 0 ? 0 : (size_t)count;
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

static br_status share_among(const body_thing* thing, int* bears, double* weight, br_reason* why)
{
    const size_t count = thing->body.contact_count;
    for (size_t i = 0; i < count; i++) {
        bears[i] = isnan(thing->contacts[i].weight);
    }
    const br_status status = br_body_share_weight(&thing->body, bears, weight, why);
    for (size_t i = 0; status == BR_OK && i < count; i++) {
        thing->contacts[i].weight = bears[i] ? weight[i] : thing->contacts[i].weight;
    }
    return status;
}

// Divide the weight among the contacts whose weight is NaN.
static int share_weight(const body_thing* thing)
{
    br_reason why = {"", ""};
    int* bears = calloc(thing->body.contact_count + 1, sizeof *bears);
    double* weight = calloc(thing->body.contact_count + 1, sizeof *weight);
    const br_status status =
        bears && weight ? share_among(thing, bears, weight, &why) : BR_ERR_MEMORY;
    free(bears);
    free(weight);
    if (status != BR_OK) {
        raise_status(status, &why);
    }
    return status == BR_OK;
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

// (x, y, radius, mu, stiffness, damping); negative stiffness and damping: chosen automatically
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
    return take_contacts(thing, contacts) && share_weight(thing) && take_loads(thing, loads) &&
           take_outline(thing, outline) && take_pusher(thing, pusher);
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

// --- state of a body: t, pose (3), velocity (3), states (a list of arrays), course (contacts x 5)

// state, left, overhangs, grip_force, grip_instant of br_body_contact_state
enum { COURSE = 5 };

typedef struct body_place {
    br_body_state state; // with its own arrays
    Py_buffer pose, velocity, course;
    Py_buffer* z; // (contact_count)
    size_t taken; // of them
    int views;    // number of buffers held of pose, velocity and course
} body_place;

static void place_release(body_place* place)
{
    Py_buffer* const views[] = {&place->pose, &place->velocity, &place->course};
    while (place->views > 0) {
        PyBuffer_Release(views[--place->views]);
    }
    while (place->taken > 0) {
        PyBuffer_Release(&place->z[--place->taken]);
    }
    free(place->z);
    free(place->state.z);
    free(place->state.contacts);
}

static int take_states(const br_body* body, PyObject* list, body_place* place)
{
    const size_t count = body->contact_count;
    if (!PyList_Check(list)) {
        raise_argument("states", "must be a list of %zu arrays, got no list", count);
        return 0;
    }
    if (PyList_Size(list) != (Py_ssize_t)count) {
        raise_argument("states", "must be a list of %zu arrays, got %zd", count, PyList_Size(list));
        return 0;
    }
    for (; place->taken < count; place->taken++) {
        const size_t i = place->taken;
        const Py_ssize_t states = (Py_ssize_t)br_contact_get_state_count(body->contacts[i].contact);
        char name[48];
        snprintf(name, sizeof name, "states[%zu]", i);
        PyObject* item = PyList_GetItem(list, (Py_ssize_t)i);
        if (!array_view(item, name, 1, &states, ARRAY_WRITABLE, &place->z[i])) {
            return 0;
        }
    }
    return 1;
}

static int take_views(const br_body* body, PyObject* pose, PyObject* velocity, PyObject* course,
                      body_place* place)
{
    const Py_ssize_t three = 3, rows[2] = {(Py_ssize_t)body->contact_count, COURSE};
    place->views = array_view(pose, "pose", 1, &three, ARRAY_WRITABLE, &place->pose);
    place->views += place->views == 1 &&
                    array_view(velocity, "velocity", 1, &three, ARRAY_WRITABLE, &place->velocity);
    place->views +=
        place->views == 2 && array_view(course, "course", 2, rows, ARRAY_WRITABLE, &place->course);
    return place->views == 3;
}

// Copy the numbers of all arrays into a state.
static void read_place(const br_body* body, const body_place* place, br_body_state* to)
{
    const double *pose = place->pose.buf, *v = place->velocity.buf, *row = place->course.buf;
    double* z = to->z;
    to->t = place->state.t;
    to->pose = (br_pose){pose[0], pose[1], pose[2]};
    to->velocity = (br_twist){v[0], v[1], v[2]};
    for (size_t i = 0; i < body->contact_count; i++, row += COURSE) {
        memcpy(z, place->z[i].buf, (size_t)place->z[i].len);
        z += place->z[i].len / (Py_ssize_t)sizeof *z;
        const int is_known = row[0] >= 0.0 && row[0] <= (double)BR_STATE_OPEN;
        to->contacts[i] =
            (br_body_contact_state){.state = is_known ? (br_slip_state)row[0] : BR_STATE_STICK,
                                    .left = row[1] != 0.0,
                                    .overhangs = row[2] != 0.0,
                                    .grip_force = row[3],
                                    .grip_instant = row[4]};
    }
}

// Copy a state back into the arrays.
static void write_place(const br_body* body, const br_body_state* from, const body_place* place)
{
    const double* z = from->z;
    double* row = place->course.buf;
    memcpy(place->pose.buf, &from->pose, 3 * sizeof(double));
    memcpy(place->velocity.buf, &from->velocity, 3 * sizeof(double));
    for (size_t i = 0; i < body->contact_count; i++, row += COURSE) {
        const br_body_contact_state* c = &from->contacts[i];
        memcpy(place->z[i].buf, z, (size_t)place->z[i].len);
        z += place->z[i].len / (Py_ssize_t)sizeof *z;
        const double numbers[COURSE] = {(double)c->state, (double)c->left, (double)c->overhangs,
                                        c->grip_force, c->grip_instant};
        memcpy(row, numbers, sizeof numbers);
    }
}

// Get (t, pose, velocity, states, course). The caller releases it, also after a failure.
static int take_place(const br_body* body, PyObject* item, body_place* place)
{
    PyObject *pose, *velocity, *states, *course;
    memset(place, 0, sizeof *place);
    const size_t count = body->contact_count;
    place->z = calloc(count + 1, sizeof *place->z);
    place->state.z = calloc(br_body_get_state_count(body) + 1, sizeof(double));
    place->state.contacts = calloc(count + 1, sizeof *place->state.contacts);
    if (!place->z || !place->state.z || !place->state.contacts) {
        PyErr_NoMemory();
        return 0;
    }
    return PyArg_ParseTuple(item, "dOOOO", &place->state.t, &pose, &velocity, &states, &course) &&
           take_views(body, pose, velocity, course, place) && take_states(body, states, place);
}

// --- creation

// The definition is kept alive until the body is destroyed.
static void destroy_body(PyObject* handle)
{
    PyObject* definition = PyCapsule_GetContext(handle);
    Py_XINCREF(definition);
    free_body(handle_end(handle));
    Py_XDECREF(definition);
}

// Create a stepper of the body, at its start or at the state `place`; NULL with an exception.
static PyObject* make_with(body_thing* thing, PyObject* definition, PyObject* item)
{
    body_place place;
    br_reason why;
    br_status status = BR_OK;
    if (item == Py_None) {
        status = br_body_stepper_create(&thing->body, &thing->stepper, &why);
    } else {
        if (!take_place(&thing->body, item, &place)) {
            place_release(&place);
            return NULL;
        }
        read_place(&thing->body, &place, &place.state);
        thing->body.from = &place.state;
        status = br_body_stepper_create(&thing->body, &thing->stepper, &why);
        thing->body.from = NULL;
        place_release(&place);
    }
    if (status != BR_OK) {
        return raise_status(status, &why);
    }
    return handle_make(BODY, thing, destroy_body, definition);
}

// (definition, place or None): a body; it keeps the definition and its C objects alive
static PyObject* body_make(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject *definition, *place;
    if (!PyArg_ParseTuple(arguments, "OO", &definition, &place)) {
        return NULL;
    }
    body_thing* thing = calloc(1, sizeof *thing);
    if (!thing) {
        return PyErr_NoMemory();
    }
    PyObject* handle = take_body(thing, definition) ? make_with(thing, definition, place) : NULL;
    if (!handle) {
        free_body(thing);
    }
    return handle;
}

// (law, rule, patch or None, (r, u, cop), (ratio, angle, axes))
static int take_friction(PyObject* item, br_body_friction* to)
{
    PyObject *law, *patch;
    const br_law* parameters;
    int axes;
    if (!PyArg_ParseTuple(item, "OIO(dd(dd))(ddi)", &law, &to->rule, &patch, &to->value.r,
                          &to->value.u, &to->value.cop.x, &to->value.cop.y, &to->anisotropy.ratio,
                          &to->anisotropy.angle, &axes) ||
        !(parameters = law_get(law)) || (patch != Py_None && !(to->patch = patch_get(patch)))) {
        return 0;
    }
    to->law = *parameters;
    to->anisotropy.axes = (br_axes)axes;
    return 1;
}

static PyObject* complete_friction(const br_body* body, PyObject* list, br_body_friction* all)
{
    br_reason why;
    for (size_t i = 0; i < body->contact_count; i++) {
        if (!take_friction(PyList_GetItem(list, (Py_ssize_t)i), &all[i])) {
            return NULL;
        }
    }
    const br_status status = br_body_complete_friction(body, all, NULL, &why);
    if (status != BR_OK) {
        return raise_status(status, &why);
    }
    PyObject* laws = PyList_New((Py_ssize_t)body->contact_count);
    for (size_t i = 0; laws && i < body->contact_count; i++) {
        const br_law* law = &all[i].law;
        PyObject* numbers = Py_BuildValue("(ddd)", law->sigma0, law->sigma1, law->v_damping);
        PyList_SetItem(laws, (Py_ssize_t)i, numbers);
    }
    return laws;
}

// (body, list of frictions): a list of (sigma0, sigma1, v_damping)
static PyObject* body_complete_friction(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject *handle, *list;
    body_thing* thing;
    if (!PyArg_ParseTuple(arguments, "OO!", &handle, &PyList_Type, &list) ||
        !(thing = handle_get(handle, BODY))) {
        return NULL;
    }
    const size_t count = thing->body.contact_count;
    if (PyList_Size(list) != (Py_ssize_t)count) {
        return raise_argument("contacts", "must be %zu, got %zd", count, PyList_Size(list));
    }
    br_body_friction* all = calloc(count + 1, sizeof *all);
    PyObject* laws = all ? complete_friction(&thing->body, list, all) : PyErr_NoMemory();
    free(all);
    return laws;
}

// (body, place): fills `place` with the state of the body
static PyObject* body_place_of(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject *handle, *item;
    body_thing* thing;
    if (!PyArg_ParseTuple(arguments, "OO", &handle, &item) || !(thing = handle_get(handle, BODY))) {
        return NULL;
    }
    body_place place;
    const int good = take_place(&thing->body, item, &place);
    if (good) {
        write_place(&thing->body, br_body_stepper_get_state(thing->stepper), &place);
    }
    place_release(&place);
    if (!good) {
        return NULL;
    }
    Py_RETURN_NONE;
}

// --- a run

static PyObject* run_body(const br_body* body, PyObject* run)
{
    record r;
    if (!record_start(&r, run)) {
        return NULL;
    }
    const br_run_watch watch = record_watch(&r);
    br_integrator_cost cost = {0};
    br_reason why;
    br_status status;
    Py_BEGIN_ALLOW_THREADS
    status = br_body_run(body, &r.run, &watch, &cost, &why);
    Py_END_ALLOW_THREADS
    return with_cost(record_end(&r, status, &why), &cost);
}

// (body, place, run): ((columns, rows, events), cost); `place` does not change
static PyObject* body_run(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject *handle, *item, *run;
    body_thing* thing;
    if (!PyArg_ParseTuple(arguments, "OOO", &handle, &item, &run) ||
        !(thing = handle_get(handle, BODY))) {
        return NULL;
    }
    body_place place;
    PyObject* result = NULL;
    if (take_place(&thing->body, item, &place)) {
        br_body body = thing->body;
        read_place(&body, &place, &place.state);
        body.from = &place.state;
        result = run_body(&body, run);
    }
    place_release(&place);
    return result;
}

// --- a step

// `user`: a list, to which events are added; an exception is kept until the end of the step.
static void add_event(const br_run_event* event, void* user)
{
    PyObject* item = Py_BuildValue("din", event->t, (int)event->kind, (Py_ssize_t)event->contact);
    if (item) {
        PyList_Append(user, item);
        Py_DECREF(item);
    }
}

// t, friction of each contact, (dissipated, work, numerical, work_contacts), push (2), converged, events
static PyObject* step_result(double t, const br_body_step_result* r, size_t count, PyObject* events)
{
    PyObject* forces = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; forces && i < count; i++) {
        const br_wrench f = r->f[i];
        PyList_SetItem(forces, (Py_ssize_t)i, Py_BuildValue("(ddd)", f.fx, f.fy, f.tau));
    }
    if (!forces || PyErr_Occurred()) {
        Py_XDECREF(forces);
        return NULL;
    }
    return Py_BuildValue("dN(dddd)(dd)iO", t, forces, r->dissipated,
                         r->work_loads + r->work_gravity, r->numerical, r->work_contacts, r->push.x,
                         r->push.y, r->converged, events);
}

static PyObject* step_with(body_thing* thing, body_place* place, br_body_step_def* def)
{
    PyObject* events = PyList_New(0);
    if (!events) {
        return NULL;
    }
    br_reason why;
    br_body_step_result out;
    br_body_state* state = br_body_stepper_get_state(thing->stepper);
    def->event = add_event;
    def->user = events;
    read_place(&thing->body, place, state);
    const br_status status = br_body_step(thing->stepper, def, &out, &why);
    PyObject* result = NULL;
    if (status == BR_OK) {
        write_place(&thing->body, state, place);
        result = step_result(state->t, &out, thing->body.contact_count, events);
    } else {
        raise_status(status, &why);
    }
    Py_DECREF(events);
    return result;
}

// (body, place, h, load (3), order or 0): the step's result; pose, velocity, states and course advance in place
static PyObject* body_step(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject *handle, *item;
    body_thing* thing;
    br_body_step_def def = br_body_step_def_default(0.0);
    if (!PyArg_ParseTuple(arguments, "OOd(ddd)i", &handle, &item, &def.h, &def.load.fx,
                          &def.load.fy, &def.load.tau, &def.order) ||
        !(thing = handle_get(handle, BODY))) {
        return NULL;
    }
    body_place place;
    PyObject* result =
        take_place(&thing->body, item, &place) ? step_with(thing, &place, &def) : NULL;
    place_release(&place);
    return result;
}

static PyObject* event_names(PyObject* module, PyObject* none)
{
    (void)module;
    (void)none;
    PyObject* names = PyList_New(BR_EVENT_COUNT);
    for (int i = 0; names && i < BR_EVENT_COUNT; i++) {
        PyList_SetItem(names, i, PyUnicode_FromString(br_event_get_name((br_event_kind)i)));
    }
    return names;
}

PyMethodDef body_functions[] = {
    {"body_make", body_make, METH_VARARGS, NULL},
    {"body_place_of", body_place_of, METH_VARARGS, NULL},
    {"body_complete_friction", body_complete_friction, METH_VARARGS, NULL},
    {"body_run", body_run, METH_VARARGS, NULL},
    {"body_step", body_step, METH_VARARGS, NULL},
    {"event_names", event_names, METH_NOARGS, NULL},
    {0}};
