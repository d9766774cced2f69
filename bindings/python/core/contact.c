/*
 * Planar contacts: bristle/contact.h, many at once by bristle/batch.h.
 *
 * A patch that changes with the normal force is spread to the force of each element, in memory of the thread.
 */
#include "bristle/contact.h"

#include <string.h>

#include "array.h"
#include "bristle/batch.h"
#include "things.h"

static const char KIND[] = "bristle.contact";

static void destroy(PyObject* handle)
{
    br_contact_destroy(handle_end(handle));
}

const br_contact* contact_get(PyObject* handle)
{
    return handle_get(handle, KIND);
}

// Names of the methods, in the order of br_method.
static PyObject* contact_methods(PyObject* module, PyObject* none)
{
    (void)module;
    (void)none;
#define METHOD_FORMAT(kind, kind_name) "s"
#define METHOD_NAME(kind, kind_name)   , kind_name
    return Py_BuildValue("[" BR_METHOD_LIST(METHOD_FORMAT) "]" BR_METHOD_LIST(METHOD_NAME));
#undef METHOD_FORMAT
#undef METHOD_NAME
}

static PyObject* create(const br_contact_def* def, PyObject* keeps)
{
    br_contact* contact;
    br_reason why;
    br_status status;
    Py_BEGIN_ALLOW_THREADS
    status = br_contact_create(def, &contact, &why);
    Py_END_ALLOW_THREADS
    return status == BR_OK ? handle_make(KIND, contact, destroy, keeps)
                           : raise_status(status, &why);
}

// (patch or None, law, method, resolution, surface or None, r, u, cop (2), guard, plain)
static PyObject* contact_make(PyObject* module, PyObject* arguments)
{
    (void)module;
    br_contact_def def = br_contact_def_default();
    PyObject *patch, *law, *surface;
    int method;
    Py_ssize_t resolution;
    if (!PyArg_ParseTuple(arguments, "OOinOdd(dd)pp", &patch, &law, &method, &resolution, &surface,
                          &def.r, &def.u, &def.cop.x, &def.cop.y, &def.guard, &def.plain) ||
        !law_get(law) || (patch != Py_None && !(def.patch = patch_get(patch))) ||
        (surface != Py_None && !(def.surface = limit_get(surface)))) {
        return NULL;
    }
    def.law = *law_get(law);
    def.method = (br_method)method;
    def.resolution = (size_t)resolution;
    PyObject* keeps = PyTuple_Pack(2, patch, surface);
    PyObject* handle = keeps ? create(&def, keeps) : NULL;
    Py_XDECREF(keeps);
    return handle;
}

static PyObject* contact_numbers(PyObject* module, PyObject* handle)
{
    (void)module;
    const br_contact* contact = contact_get(handle);
    if (!contact) {
        return NULL;
    }
    const br_patch_value value = br_contact_get_patch_value(contact);
    return Py_BuildValue("nnn(dd)ddd", (Py_ssize_t)br_contact_get_state_count(contact),
                         (Py_ssize_t)br_contact_get_part_count(contact),
                         (Py_ssize_t)br_contact_get_def(contact)->resolution, value.cop.x,
                         value.cop.y, value.r, value.u, br_contact_get_part(contact, 0).angle);
}

// What the loops need.
typedef struct contact_call {
    const br_contact* contact;
    size_t states;
    size_t parts;
    double h;
} contact_call;

static int begin(contact_call* with, PyObject* handle)
{
    with->contact = contact_get(handle);
    if (!with->contact) {
        return 0;
    }
    with->states = br_contact_get_state_count(with->contact);
    with->parts = br_contact_get_part_count(with->contact);
    return 1;
}

static PyObject* finish(contact_call* with, array_call* call, array_loop loop)
{
    call->room = br_contact_get_spread_size(with->contact);
    return array_run(call, loop, with);
}

// of a pass over the parts [ns], roughly
static double pass_cost(const contact_call* with)
{
    return 60.0 + 4.0 * (double)with->parts;
}

static const br_contact* at(const contact_call* with, double fn, double* const* args)
{
    return args[ARRAY_ROOM] ? br_contact_spread(with->contact, fn, args[ARRAY_ROOM])
                            : with->contact;
}

static br_twist twist_at(const double* v, size_t i)
{
    const br_twist twist = {v[3 * i], v[3 * i + 1], v[3 * i + 2]};
    return twist;
}

static void put_wrench(double* f, size_t i, br_wrench wrench)
{
    f[3 * i] = wrench.fx;
    f[3 * i + 1] = wrench.fy;
    f[3 * i + 2] = wrench.tau;
}

// Contacts that lie one after another, as bristle/batch.h wants them.
static void list(const contact_call* with, size_t count, br_batch_contact* contacts)
{
    for (size_t i = 0; i < count; i++) {
        contacts[i].contact = with->contact;
        contacts[i].state = i * with->states;
    }
}

static void eval(void* context, size_t count, double* const* args)
{
    const contact_call* with = context;
    const double *z = args[0], *v = args[1], *fn = args[2];
    if (args[ARRAY_ROOM] || count == 1) {
        for (size_t i = 0; i < count; i++) {
            put_wrench(args[3], i,
                       br_contact_eval(at(with, fn[i], args), z + i * with->states, twist_at(v, i),
                                       fn[i], args[4] + i * with->states));
        }
    } else {
        br_batch_contact contacts[ARRAY_PIECE];
        list(with, count, contacts);
        br_batch_eval(contacts, count, z, (const br_twist*)(const void*)v, fn, args[4],
                      (br_wrench*)(void*)args[3]);
    }
}

static PyObject* contact_eval(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    contact_call with;
    if (!has_arguments("eval", count, 6) || !begin(&with, args[0])) {
        return NULL;
    }
    array_call call;
    array_begin(&call, pass_cost(&with));
    array_in(&call, "z", args[1], (Py_ssize_t)with.states);
    array_in(&call, "v", args[2], 3);
    array_force(&call, args[3]);
    array_out(&call, "out[0]", args[4], 3);
    array_out(&call, "out[1]", args[5], (Py_ssize_t)with.states);
    return finish(&with, &call, eval);
}

static void step(void* context, size_t count, double* const* args)
{
    const contact_call* with = context;
    double *z = args[0], *v = args[1], *fn = args[2];
    br_step_energy* energy = (br_step_energy*)(void*)args[4];
    if (args[ARRAY_ROOM] || count == 1) {
        for (size_t i = 0; i < count; i++) {
            put_wrench(args[3], i,
                       br_contact_step(at(with, fn[i], args), z + i * with->states, twist_at(v, i),
                                       fn[i], with->h, energy ? &energy[i] : NULL));
        }
    } else {
        br_batch_contact contacts[ARRAY_PIECE];
        list(with, count, contacts);
        br_batch_step(contacts, count, z, (const br_twist*)(const void*)v, fn, with->h,
                      (br_wrench*)(void*)args[3], energy);
    }
}

static PyObject* contact_step(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    contact_call with;
    if (!has_arguments("step", count, 7) || !array_step_size(args[4], &with.h) ||
        !begin(&with, args[0])) {
        return NULL;
    }
    array_call call;
    array_begin(&call, 3.0 * pass_cost(&with));
    array_state(&call, "z", args[1], (Py_ssize_t)with.states);
    array_in(&call, "v", args[2], 3);
    array_force(&call, args[3]);
    array_out(&call, "out", args[5], 3);
    array_aside(&call, "energy", args[6], 3);
    return finish(&with, &call, step);
}

static void steady(void* context, size_t count, double* const* args)
{
    const contact_call* with = context;
    for (size_t i = 0; i < count; i++) {
        const double fn = args[1][i];
        double* z = args[3] ? args[3] + i * with->states : NULL;
        put_wrench(args[2], i,
                   br_contact_steady_eval(at(with, fn, args), twist_at(args[0], i), fn, z));
    }
}

static PyObject* contact_steady(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    contact_call with;
    if (!has_arguments("steady", count, 5) || !begin(&with, args[0])) {
        return NULL;
    }
    array_call call;
    array_begin(&call, pass_cost(&with));
    array_in(&call, "v", args[1], 3);
    array_force(&call, args[2]);
    array_out(&call, "out", args[3], 3);
    array_aside(&call, "z", args[4], (Py_ssize_t)with.states);
    return finish(&with, &call, steady);
}

static void load(void* context, size_t count, double* const* args)
{
    const contact_call* with = context;
    for (size_t i = 0; i < count; i++) {
        const double fn = args[2][i];
        args[3][i] = br_contact_load_eval(at(with, fn, args), args[0] + i * with->states,
                                          twist_at(args[1], i), fn);
    }
}

static PyObject* contact_load(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    contact_call with;
    if (!has_arguments("load", count, 5) || !begin(&with, args[0])) {
        return NULL;
    }
    array_call call;
    array_begin(&call, 10.0 * pass_cost(&with));
    array_in(&call, "z", args[1], (Py_ssize_t)with.states);
    array_in(&call, "v", args[2], 3);
    array_force(&call, args[3]);
    array_out(&call, "out", args[4], 0);
    return finish(&with, &call, load);
}

static void stored(void* context, size_t count, double* const* args)
{
    const contact_call* with = context;
    for (size_t i = 0; i < count; i++) {
        const double fn = args[1][i];
        args[2][i] = br_contact_stored(at(with, fn, args), args[0] + i * with->states, fn);
    }
}

static PyObject* contact_stored(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    contact_call with;
    if (!has_arguments("stored", count, 4) || !begin(&with, args[0])) {
        return NULL;
    }
    array_call call;
    array_begin(&call, pass_cost(&with));
    array_in(&call, "z", args[1], (Py_ssize_t)with.states);
    array_force(&call, args[2]);
    array_out(&call, "out", args[3], 0);
    return finish(&with, &call, stored);
}

static void slip(void* context, size_t count, double* const* args)
{
    const contact_call* with = context;
    for (size_t i = 0; i < count; i++) {
        const double fn = args[2][i];
        const br_contact_slip value = br_contact_slip_eval(
            at(with, fn, args), args[0] + i * with->states, twist_at(args[1], i), fn,
            args[3][i] == BR_SLIP ? BR_SLIP : BR_STICK, NULL);
        args[4][i] = value.slip_rate;
        args[5][i] = (double)value.state;
        args[6][i] = value.margin;
    }
}

// `before` and the state as numbers: 0 sticks, 1 slips, 2 is open
static PyObject* contact_slip(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    contact_call with;
    if (!has_arguments("slip", count, 5) || !begin(&with, args[0])) {
        return NULL;
    }
    array_call call;
    array_begin(&call, pass_cost(&with));
    array_in(&call, "z", args[1], (Py_ssize_t)with.states);
    array_in(&call, "v", args[2], 3);
    array_force(&call, args[3]);
    array_in(&call, "before", args[4], 0);
    array_out(&call, "slip_rate", NULL, 0);
    array_out(&call, "state", NULL, 0);
    array_out(&call, "margin", NULL, 0);
    return finish(&with, &call, slip);
}

static void gradient(void* context, size_t count, double* const* args)
{
    const contact_call* with = context;
    const size_t k = with->states / with->parts, n = with->parts;
    for (size_t i = 0; i < count; i++) {
        const double fn = args[2][i];
        br_contact_gradient out = {.f_z = args[3] + i * 3 * with->states,
                                   .dz_z = args[6] + i * k * k * n,
                                   .dz_v = args[7] + i * k * 3 * n};
        br_contact_gradient_eval(at(with, fn, args), args[0] + i * with->states,
                                 twist_at(args[1], i), fn, &out);
        memcpy(args[4] + 9 * i, out.f_v, sizeof out.f_v);
        memcpy(args[5] + 3 * i, out.f_fn, sizeof out.f_fn);
    }
}

// f_z (3 x states), f_v (3 x 3), f_fn (3), dz_z (k k x parts), dz_v (3 k x parts)
static PyObject* contact_gradient(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    contact_call with;
    if (!has_arguments("gradient", count, 4) || !begin(&with, args[0])) {
        return NULL;
    }
    const Py_ssize_t n = (Py_ssize_t)with.parts, k = (Py_ssize_t)with.states / n;
    array_call call;
    array_begin(&call, 10.0 * pass_cost(&with));
    array_in(&call, "z", args[1], k * n);
    array_in(&call, "v", args[2], 3);
    array_force(&call, args[3]);
    array_out_matrix(&call, "f_z", NULL, 3, k * n);
    array_out_matrix(&call, "f_v", NULL, 3, 3);
    array_out(&call, "f_fn", NULL, 3);
    array_out_matrix(&call, "dz_z", NULL, k * k, n);
    array_out_matrix(&call, "dz_v", NULL, 3 * k, n);
    return finish(&with, &call, gradient);
}

static void sensitivity(void* context, size_t count, double* const* args)
{
    const contact_call* with = context;
    for (size_t i = 0; i < count; i++) {
        const double fn = args[2][i];
        br_contact_sensitivity out = {.dz = args[4] + i * BR_BY_COUNT * with->states};
        br_contact_sensitivity_eval(at(with, fn, args), args[0] + i * with->states,
                                    twist_at(args[1], i), fn, &out);
        memcpy(args[3] + i * BR_BY_COUNT * 3, out.f, sizeof out.f);
    }
}

// f (parameters x 3), dz (parameters x states)
static PyObject* contact_sensitivity(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    contact_call with;
    if (!has_arguments("sensitivity", count, 4) || !begin(&with, args[0])) {
        return NULL;
    }
    array_call call;
    array_begin(&call, 20.0 * pass_cost(&with));
    array_in(&call, "z", args[1], (Py_ssize_t)with.states);
    array_in(&call, "v", args[2], 3);
    array_force(&call, args[3]);
    array_out_matrix(&call, "f", NULL, BR_BY_COUNT, 3);
    array_out_matrix(&call, "dz", NULL, BR_BY_COUNT, (Py_ssize_t)with.states);
    return finish(&with, &call, sensitivity);
}

enum { PART_NUMBERS = 6, PART_VALUES = 11 };

static void parts(void* context, size_t count, double* const* args)
{
    (void)count;
    const contact_call* with = context;
    for (size_t i = 0; i < with->parts; i++) {
        const br_contact_part part = br_contact_get_part(with->contact, i);
        const double numbers[PART_NUMBERS] = {part.position.x, part.position.y, part.weight,
                                              part.xx,         part.xy,         part.yy};
        memcpy(args[0] + PART_NUMBERS * i, numbers, sizeof numbers);
    }
}

// (parts x 6): place from the CoP (2), weight, covariance xx, xy, yy
static PyObject* contact_parts(PyObject* module, PyObject* handle)
{
    (void)module;
    contact_call with;
    if (!begin(&with, handle)) {
        return NULL;
    }
    array_call call;
    array_begin(&call, 0.0);
    array_out_matrix(&call, "parts", NULL, (Py_ssize_t)with.parts, PART_NUMBERS);
    return finish(&with, &call, parts);
}

static void part_values(void* context, size_t count, double* const* args)
{
    const contact_call* with = context;
    for (size_t i = 0; i < count * with->parts; i++) {
        const size_t k = i / with->parts;
        const br_contact_part_value p =
            br_contact_part_eval(at(with, args[2][k], args), args[0] + k * with->states,
                                 twist_at(args[1], k), args[2][k], i % with->parts);
        const double numbers[PART_VALUES] = {p.position.x, p.position.y, p.v.x,  p.v.y,
                                             p.z.x,        p.z.y,        p.dz.x, p.dz.y,
                                             p.f.fx,       p.f.fy,       p.f.tau};
        memcpy(args[3] + PART_VALUES * i, numbers, sizeof numbers);
    }
}

// (parts x 11): place (2), velocity (2), deflection (2), its rate (2), wrench (3)
static PyObject* contact_part_values(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    contact_call with;
    if (!has_arguments("part_values", count, 4) || !begin(&with, args[0])) {
        return NULL;
    }
    array_call call;
    array_begin(&call, 50.0 * (double)with.parts);
    array_in(&call, "z", args[1], (Py_ssize_t)with.states);
    array_in(&call, "v", args[2], 3);
    array_force(&call, args[3]);
    array_out_matrix(&call, "parts", NULL, (Py_ssize_t)with.parts, PART_VALUES);
    return finish(&with, &call, part_values);
}

typedef struct carry_call {
    const br_contact* from;
    const br_contact* to;
} carry_call;

static void carry(void* context, size_t count, double* const* args)
{
    const carry_call* with = context;
    for (size_t i = 0; i < count; i++) {
        br_contact_carry(with->from, args[0] + i * br_contact_get_state_count(with->from), with->to,
                         args[1] + i * br_contact_get_state_count(with->to));
    }
}

static PyObject* contact_carry(PyObject* module, PyObject* const* args, Py_ssize_t count)
{
    (void)module;
    carry_call with;
    if (!has_arguments("carry", count, 4) || !(with.from = contact_get(args[0])) ||
        !(with.to = contact_get(args[2]))) {
        return NULL;
    }
    const size_t a = br_contact_get_state_count(with.from), b = br_contact_get_state_count(with.to);
    const size_t m = br_contact_get_part_count(with.from), n = br_contact_get_part_count(with.to);
    if (a / m != b / n) {
        return raise_argument("to", "its parts must have as many bristles: %zu, got %zu", a / m,
                              b / n);
    }
    array_call call;
    array_begin(&call, 5.0 * (double)(m * n));
    array_in(&call, "z", args[1], (Py_ssize_t)a);
    array_out(&call, "out", args[3], (Py_ssize_t)b);
    return array_run(&call, carry, &with);
}

PyMethodDef contact_functions[] = {{"contact_methods", contact_methods, METH_NOARGS, NULL},
                                   {"contact_make", contact_make, METH_VARARGS, NULL},
                                   {"contact_numbers", contact_numbers, METH_O, NULL},
                                   {"contact_parts", contact_parts, METH_O, NULL},
                                   {"contact_eval", FAST(contact_eval)},
                                   {"contact_step", FAST(contact_step)},
                                   {"contact_steady", FAST(contact_steady)},
                                   {"contact_load", FAST(contact_load)},
                                   {"contact_stored", FAST(contact_stored)},
                                   {"contact_slip", FAST(contact_slip)},
                                   {"contact_gradient", FAST(contact_gradient)},
                                   {"contact_sensitivity", FAST(contact_sensitivity)},
                                   {"contact_part_values", FAST(contact_part_values)},
                                   {"contact_carry", FAST(contact_carry)},
                                   {0}};
