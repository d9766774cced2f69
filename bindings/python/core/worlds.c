/*
 * Many worlds: bristle/worlds.h.
 *
 * The arrays are created in Python (NumPy). A handle holds their buffers: type, length and layout are checked once, when an
 * array is attached, so that no step can read or write outside of them.
 */
#include "worlds.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "things.h"

static const char WORLDS[] = "bristle.worlds";

#define BODY_SLOT(name, rows, type, written)                                                       \
    {                                                                                              \
#name, offsetof(br_worlds_arrays, name), rows, type, written                               \
    }
#define CONTACT_SLOT(name, rows, type, written)                                                    \
    {                                                                                              \
#name, offsetof(br_worlds_contact_arrays, name), rows, type, written                       \
    }

static const worlds_slot body_slots[] = {
    BODY_SLOT(pose, 3, 'r', 1),   BODY_SLOT(twist, 3, 'r', 1),
    BODY_SLOT(mass, 1, 'r', 0),   BODY_SLOT(inertia, 1, 'r', 0),
    BODY_SLOT(load, 3, 'r', 0),   BODY_SLOT(ledger, BR_WORLDS_LEDGER_ROWS, 'r', 1),
    BODY_SLOT(passes, 1, 'i', 1), BODY_SLOT(converged, 1, 'b', 1),
};

static const worlds_slot contact_slots[] = {
    CONTACT_SLOT(z, 0, 'r', 1),         CONTACT_SLOT(fn, 1, 'r', 0),
    CONTACT_SLOT(position, 2, 'r', 0),  CONTACT_SLOT(angle, 1, 'r', 0),
    CONTACT_SLOT(scale, 1, 'r', 0),     CONTACT_SLOT(mu_c, 1, 'r', 0),
    CONTACT_SLOT(mu_s, 1, 'r', 0),      CONTACT_SLOT(v_stribeck, 1, 'r', 0),
    CONTACT_SLOT(sigma0, 1, 'r', 0),    CONTACT_SLOT(sigma1, 1, 'r', 0),
    CONTACT_SLOT(sigma2, 1, 'r', 0),    CONTACT_SLOT(s_ba, 1, 'r', 0),
    CONTACT_SLOT(v_damping, 1, 'r', 0), CONTACT_SLOT(ratio, 1, 'r', 0),
    CONTACT_SLOT(ground, 3, 'r', 0),    CONTACT_SLOT(f, 3, 'r', 1),
    CONTACT_SLOT(state, 1, 'b', 1),     CONTACT_SLOT(slip_rate, 1, 'r', 1),
    CONTACT_SLOT(load, 1, 'r', 1),
};

const worlds_slot* worlds_slots(int of_contact, int* count)
{
    *count =
        (int)(of_contact ? sizeof contact_slots : sizeof body_slots) / (int)sizeof(worlds_slot);
    return of_contact ? contact_slots : body_slots;
}

static size_t item_size(const worlds_thing* thing, char type)
{
    const size_t real = thing->type == BR_WORLDS_FLOAT ? sizeof(float) : sizeof(double);
    return type == 'r' ? real : type == 'i' ? sizeof(int32_t) : 1;
}

// The pointer of a slot.
static void** pointer_at(void* structure, const worlds_slot* slot)
{
    return (void**)(void*)((char*)structure + slot->offset);
}

static void shift(const worlds_thing* thing, void* structure, int of_contact, size_t first)
{
    int count;
    const worlds_slot* slots = worlds_slots(of_contact, &count);
    for (int i = 0; i < count; i++) {
        void** at = pointer_at(structure, &slots[i]);
        *at = *at ? (char*)*at + first * item_size(thing, slots[i].type) : NULL;
    }
}

br_worlds_arrays worlds_columns(const worlds_thing* thing, const br_worlds_arrays* all,
                                size_t first, size_t count)
{
    br_worlds_arrays some = *all;
    some.stride = all->count;
    some.count = count;
    some.mask = all->mask ? all->mask + first : NULL;
    shift(thing, &some, 0, first);
    for (size_t k = 0; k < br_worlds_get_contact_count(thing->worlds[0]); k++) {
        shift(thing, &some.contacts[k], 1, first);
    }
    return some;
}

// --- buffers ----------------------------------------------------------------------------------------------

static int is_of_type(const worlds_thing* thing, const Py_buffer* view, char type)
{
    const char* format = view->format ? view->format : "B";
    if (*format == '@' || *format == '=' || *format == (PY_LITTLE_ENDIAN ? '<' : '>')) {
        format++;
    }
    const char* const real = thing->type == BR_WORLDS_FLOAT ? "f" : "d";
    const char* const allowed = type == 'r' ? real : type == 'i' ? "il" : "?B";
    return strlen(format) == 1 && strchr(allowed, *format) &&
           (size_t)view->itemsize == item_size(thing, type);
}

// A buffer of exactly `count` numbers. Returns 0 with an exception.
int worlds_view(const worlds_thing* thing, PyObject* object, const char* name, char type,
                size_t count, array_access access, Py_buffer* view)
{
    const int has_view = PyObject_GetBuffer(object, view, PyBUF_STRIDES | PyBUF_FORMAT) == 0;
    if (has_view && is_of_type(thing, view, type) && PyBuffer_IsContiguous(view, 'C') &&
        (size_t)view->len == count * item_size(thing, type) &&
        (uintptr_t)view->buf % item_size(thing, type) == 0 &&
        (access == ARRAY_READ_ONLY || !view->readonly)) {
        return 1;
    }
    PyErr_Clear();
    if (has_view) {
        PyBuffer_Release(view);
    }
    PyObject* found = PyObject_CallFunctionObjArgs(given.describe, object, NULL);
    const char* words = found ? PyUnicode_AsUTF8AndSize(found, NULL) : NULL;
    if (words) {
        const char* real = thing->type == BR_WORLDS_FLOAT ? "float32" : "float64";
        raise_argument(name, "must be a %scontiguous array of %s of %zu numbers, got %s",
                       access == ARRAY_WRITABLE ? "writable " : "",
                       type == 'r'   ? real
                       : type == 'i' ? "int32"
                                     : "bool",
                       count, words);
    }
    Py_XDECREF(found);
    return 0;
}

static void release(Py_buffer* view)
{
    if (view->obj) {
        PyBuffer_Release(view);
    }
    memset(view, 0, sizeof *view);
}

static void free_worlds(worlds_thing* thing)
{
    for (int k = 0; k <= BR_WORLDS_CONTACTS; k++) {
        for (int i = 0; i < WORLDS_SLOTS; i++) {
            release(&thing->views[k][i]);
        }
    }
    for (int i = 0; i < thing->threads; i++) {
        br_worlds_destroy(thing->worlds[i]);
    }
    free(thing);
}

// --- creation ---------------------------------------------------------------------------------------------

static void destroy_worlds(PyObject* handle)
{
    PyObject* definition = PyCapsule_GetContext(handle);
    Py_XINCREF(definition);
    free_worlds(handle_end(handle));
    Py_XDECREF(definition);
}

// (contact, frame, x, y, angle, fn, count)
static int read_contacts(PyObject* list, br_worlds_contact* contacts, size_t* count)
{
    const Py_ssize_t length = PyList_Size(list);
    if (length < 1 || length > BR_WORLDS_CONTACTS) {
        raise_argument("contacts", "must be 1 to %d, got %zd", BR_WORLDS_CONTACTS, length);
        return 0;
    }
    *count = (size_t)length;
    for (Py_ssize_t i = 0; i < length; i++) {
        PyObject* contact;
        int frame;
        Py_ssize_t copies;
        br_worlds_contact* c = &contacts[i];
        memset(c, 0, sizeof *c);
        if (!PyArg_ParseTuple(PyList_GetItem(list, i), "Oiddddn", &contact, &frame, &c->position.x,
                              &c->position.y, &c->angle, &c->fn, &copies) ||
            !(c->contact = contact_get(contact))) {
            return 0;
        }
        c->frame = (br_worlds_frame)frame;
        c->count = (size_t)copies;
    }
    return 1;
}

static int create_all(worlds_thing* thing, const br_worlds_def* def, int threads)
{
    br_reason why;
    for (; thing->threads < threads; thing->threads++) {
        const br_status status = br_worlds_create(def, &thing->worlds[thing->threads], &why);
        if (status != BR_OK) {
            raise_status(status, &why);
            return 0;
        }
    }
    thing->cost = 60.0;
    for (size_t k = 0; k < def->contact_count; k++) {
        thing->cost += 15.0 * (double)br_worlds_get_state_count(thing->worlds[0], k);
    }
    return 1;
}

// (is_float, contacts, count, threads, passes): a handle without arrays
static PyObject* worlds_make(PyObject* module, PyObject* arguments)
{
    (void)module;
    int is_float, threads, passes;
    PyObject* list;
    Py_ssize_t count;
    br_worlds_contact contacts[BR_WORLDS_CONTACTS];
    size_t contact_count;
    if (!PyArg_ParseTuple(arguments, "pO!nii", &is_float, &PyList_Type, &list, &count, &threads,
                          &passes) ||
        !read_contacts(list, contacts, &contact_count)) {
        return NULL;
    }
    if (count < 1 || threads < 1 || threads > WORLDS_THREADS) {
        return raise_argument(count < 1 ? "count" : "threads", "must be 1 to %d, got %zd",
                              count < 1 ? INT32_MAX : WORLDS_THREADS,
                              count < 1 ? count : (Py_ssize_t)threads);
    }
    br_worlds_def def = br_worlds_def_default(contacts, contact_count);
    def.type = is_float ? BR_WORLDS_FLOAT : BR_WORLDS_DOUBLE;
    def.passes = passes;
    worlds_thing* thing = calloc(1, sizeof *thing);
    if (!thing) {
        return PyErr_NoMemory();
    }
    thing->type = def.type;
    thing->arrays.count = (size_t)count;
    PyObject* handle =
        create_all(thing, &def, threads) ? handle_make(WORLDS, thing, destroy_worlds, list) : NULL;
    if (!handle) {
        free_worlds(thing);
    }
    return handle;
}

// (handle): (states of each contact, lanes)
static PyObject* worlds_sizes(PyObject* module, PyObject* handle)
{
    (void)module;
    const worlds_thing* thing = handle_get(handle, WORLDS);
    if (!thing) {
        return NULL;
    }
    const size_t count = br_worlds_get_contact_count(thing->worlds[0]);
    PyObject* states = PyList_New((Py_ssize_t)count);
    for (size_t k = 0; states && k < count; k++) {
        PyList_SetItem(states, (Py_ssize_t)k,
                       PyLong_FromSize_t(br_worlds_get_state_count(thing->worlds[0], k)));
    }
    return states ? Py_BuildValue("Ni", states, br_worlds_get_lanes(thing->worlds[0])) : NULL;
}

// --- arrays -----------------------------------------------------------------------------------------------

// The slot of that name; its index, or -1 with an exception.
static int find_slot(int of_contact, const char* name)
{
    int count;
    const worlds_slot* slots = worlds_slots(of_contact, &count);
    for (int i = 0; i < count; i++) {
        if (strcmp(slots[i].name, name) == 0) {
            return i;
        }
    }
    raise_argument(name, "is no array of worlds");
    return -1;
}

static int is_idle(const worlds_thing* thing)
{
    if (thing->busy) {
        PyErr_SetString(PyExc_RuntimeError,
                        "these worlds are being stepped in another thread: wait for it, or give "
                        "each thread worlds of its own");
    }
    return !thing->busy;
}

// (handle, contact or -1, name, array or None): use this array from now on; None: the number of the template
static PyObject* worlds_attach(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject *handle, *numbers;
    const char* name;
    int contact;
    worlds_thing* thing;
    if (!PyArg_ParseTuple(arguments, "OisO", &handle, &contact, &name, &numbers) ||
        !(thing = handle_get(handle, WORLDS)) || !is_idle(thing)) {
        return NULL;
    }
    const int of_contact = contact >= 0;
    if (contact >= (int)br_worlds_get_contact_count(thing->worlds[0])) {
        return raise_argument("contact", "there is no contact %d", contact);
    }
    const int index = find_slot(of_contact, name);
    if (index < 0) {
        return NULL;
    }
    int slots;
    const worlds_slot* slot = worlds_slots(of_contact, &slots) + index;
    const size_t rows = slot->rows > 0
                            ? (size_t)slot->rows
                            : br_worlds_get_state_count(thing->worlds[0], (size_t)contact);
    Py_buffer view = {0};
    if (numbers != Py_None && !worlds_view(thing, numbers, name, slot->type,
                                           rows * thing->arrays.count, ARRAY_WRITABLE, &view)) {
        return NULL;
    }
    Py_buffer* own = &thing->views[of_contact ? contact : BR_WORLDS_CONTACTS][index];
    release(own);
    *own = view;
    void* structure = of_contact ? (void*)&thing->arrays.contacts[contact] : (void*)&thing->arrays;
    *pointer_at(structure, slot) = view.buf;
    Py_RETURN_NONE;
}

// --- steps ------------------------------------------------------------------------------------------------

void worlds_close_call(worlds_call* call)
{
    release(&call->load);
    release(&call->fn);
    release(&call->mask);
}

static int shares_memory(const Py_buffer* a, const Py_buffer* b)
{
    const char *p = a->buf, *q = b->buf;
    return a->obj && b->obj && p < q + b->len && q < p + a->len;
}

// An argument must not be memory that the step writes.
static int is_apart(const worlds_thing* thing, const Py_buffer* view, const char* name)
{
    for (int k = 0; k <= BR_WORLDS_CONTACTS; k++) {
        int count;
        const worlds_slot* slots = worlds_slots(k < BR_WORLDS_CONTACTS, &count);
        for (int i = 0; i < count; i++) {
            if (slots[i].written && shares_memory(view, &thing->views[k][i])) {
                raise_argument(name, "it may not overlap %s of the worlds, which changes",
                               slots[i].name);
                return 0;
            }
        }
    }
    return 1;
}

static int get_mask(const worlds_thing* thing, PyObject* object, worlds_call* call)
{
    if (object == Py_None) {
        return 1;
    }
    if (!worlds_view(thing, object, "mask", 'b', thing->arrays.count, ARRAY_READ_ONLY,
                     &call->mask) ||
        !is_apart(thing, &call->mask, "mask")) {
        return 0;
    }
    call->arrays.mask = call->mask.buf;
    return 1;
}

// (3 x count), with load_steps > 1 (load_steps x 3 x count)
static int get_load(const worlds_thing* thing, PyObject* object, size_t load_steps,
                    worlds_call* call)
{
    if (object == Py_None) {
        return 1;
    }
    if (!worlds_view(thing, object, "load", 'r', 3 * load_steps * thing->arrays.count,
                     ARRAY_READ_ONLY, &call->load) ||
        !is_apart(thing, &call->load, "load")) {
        return 0;
    }
    call->arrays.load = call->load.buf;
    call->arrays.load_steps = load_steps;
    return 1;
}

// (contacts x count), with fn_steps > 1 (contacts x fn_steps x count)
static int get_forces(const worlds_thing* thing, PyObject* object, size_t fn_steps,
                      worlds_call* call)
{
    const size_t contacts = br_worlds_get_contact_count(thing->worlds[0]);
    const size_t each = fn_steps * thing->arrays.count;
    if (object == Py_None) {
        return 1;
    }
    if (!worlds_view(thing, object, "normal_force", 'r', contacts * each, ARRAY_READ_ONLY,
                     &call->fn) ||
        !is_apart(thing, &call->fn, "normal_force")) {
        return 0;
    }
    for (size_t k = 0; k < contacts; k++) {
        call->arrays.contacts[k].fn = (char*)call->fn.buf + k * each * item_size(thing, 'r');
        call->arrays.contacts[k].fn_steps = fn_steps;
    }
    return 1;
}

int worlds_open_call(const worlds_thing* thing, PyObject* load, Py_ssize_t load_steps,
                     PyObject* force, Py_ssize_t fn_steps, PyObject* mask, Py_ssize_t steps,
                     worlds_call* call)
{
    memset(call, 0, sizeof *call);
    call->arrays = thing->arrays;
    if (steps < 1 || (load_steps != 1 && load_steps != steps) ||
        (fn_steps != 1 && fn_steps != steps)) {
        raise_argument("steps", "must be > 0, and as many as loads and forces have");
        return 0;
    }
    return get_load(thing, load, (size_t)load_steps, call) &&
           get_forces(thing, force, (size_t)fn_steps, call) && get_mask(thing, mask, call);
}

int worlds_check_call(const worlds_thing* thing, const worlds_call* call, double h, size_t steps,
                      int check)
{
    br_reason why;
    if (!thing->arrays.pose || !thing->arrays.twist) {
        raise_argument("pose", "no array is attached");
        return 0;
    }
    for (size_t k = 0; k < br_worlds_get_contact_count(thing->worlds[0]); k++) {
        if (!thing->arrays.contacts[k].z) {
            raise_argument("z", "no array is attached");
            return 0;
        }
    }
    const br_status status =
        check ? br_worlds_check(thing->worlds[0], &call->arrays, h, steps, &why) : BR_OK;
    if (status != BR_OK) {
        raise_status(status, &why);
    }
    return status == BR_OK;
}

static int run_call(worlds_thing* thing, const worlds_call* call, double h, size_t steps, int check)
{
    if (!worlds_check_call(thing, call, h, steps, check)) {
        return 0;
    }
    thing->busy = 1;
    const int ok = worlds_run_steps(thing, &call->arrays, h, steps, NULL, NULL);
    thing->busy = 0;
    return ok;
}

worlds_thing* worlds_of(PyObject* handle)
{
    worlds_thing* thing = handle_get(handle, WORLDS);
    return thing && is_idle(thing) ? thing : NULL;
}

// (handle, h, steps, load or None, load_steps, normal_force or None, fn_steps, mask or None, check)
static PyObject* worlds_step(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject *handle, *size, *load, *force, *mask;
    Py_ssize_t steps, load_steps, fn_steps;
    int check;
    double h;
    worlds_thing* thing;
    if (!PyArg_ParseTuple(arguments, "OOnOnOnOp", &handle, &size, &steps, &load, &load_steps,
                          &force, &fn_steps, &mask, &check) ||
        !(thing = handle_get(handle, WORLDS)) || !array_step_size(size, &h) || !is_idle(thing)) {
        return NULL;
    }
    worlds_call call;
    const int ok = worlds_open_call(thing, load, load_steps, force, fn_steps, mask, steps, &call) &&
                   run_call(thing, &call, h, (size_t)steps, check);
    worlds_close_call(&call);
    if (!ok) {
        return NULL;
    }
    Py_RETURN_NONE;
}

// (handle, mask or None): bristles as in steady sliding
static PyObject* worlds_reset(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject *handle, *mask;
    worlds_thing* thing;
    if (!PyArg_ParseTuple(arguments, "OO", &handle, &mask) ||
        !(thing = handle_get(handle, WORLDS)) || !is_idle(thing)) {
        return NULL;
    }
    br_reason why;
    worlds_call call = {.arrays = thing->arrays};
    int ok = get_mask(thing, mask, &call);
    if (ok) { // any step size: what is checked are the arrays
        const br_status status = br_worlds_check(thing->worlds[0], &call.arrays, 1.0, 1, &why);
        ok = status == BR_OK;
        if (ok) {
            br_worlds_reset(thing->worlds[0], &thing->arrays, call.arrays.mask);
        } else {
            raise_status(status, &why);
        }
    }
    worlds_close_call(&call);
    if (!ok) {
        return NULL;
    }
    Py_RETURN_NONE;
}

// --- friction from mu -------------------------------------------------------------------------------------

// (rule, r, u) of each contact
static int read_rules(PyObject* list, size_t count, worlds_rule* rules)
{
    for (size_t k = 0; k < count; k++) {
        PyObject* item = PyList_GetItem(list, (Py_ssize_t)k);
        if (!item || !PyArg_ParseTuple(item, "Idd", &rules[k].rule, &rules[k].r, &rules[k].u)) {
            return 0;
        }
    }
    return 1;
}

// (handle, contacts as in worlds_make, rules, mask or None): sigma0, sigma1, v_damping of worlds from mu
static PyObject* worlds_complete(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject *handle, *list, *rule_list, *mask;
    worlds_thing* thing;
    br_worlds_contact contacts[BR_WORLDS_CONTACTS];
    worlds_rule rules[BR_WORLDS_CONTACTS];
    size_t count;
    if (!PyArg_ParseTuple(arguments, "OO!O!O", &handle, &PyList_Type, &list, &PyList_Type,
                          &rule_list, &mask) ||
        !(thing = handle_get(handle, WORLDS)) || !is_idle(thing) ||
        !read_contacts(list, contacts, &count)) {
        return NULL;
    }
    if (count != br_worlds_get_contact_count(thing->worlds[0])) {
        return raise_argument("contacts", "must be those of the worlds");
    }
    worlds_call call = {.arrays = thing->arrays};
    const int ok = read_rules(rule_list, count, rules) && get_mask(thing, mask, &call);
    if (ok) {
        worlds_complete_friction(thing, rules, contacts, call.arrays.mask);
    }
    worlds_close_call(&call);
    if (!ok) {
        return NULL;
    }
    Py_RETURN_NONE;
}

PyMethodDef worlds_functions[] = {{"worlds_make", worlds_make, METH_VARARGS, NULL},
                                  {"worlds_sizes", worlds_sizes, METH_O, NULL},
                                  {"worlds_attach", worlds_attach, METH_VARARGS, NULL},
                                  {"worlds_step", worlds_step, METH_VARARGS, NULL},
                                  {"worlds_reset", worlds_reset, METH_VARARGS, NULL},
                                  {"worlds_complete", worlds_complete, METH_VARARGS, NULL},
                                  {0}};
