/*
 * The functions of bindings/core/table.inc as functions of the module.
 *
 *   at import   each signature is parsed once; `self` of the function is the parsed signature
 *   at a call   the arguments become arrays (array.h) in the order of the signature, and the loop runs over them
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "beside.h"
#include "bristle/limit.h"
#include "loop.h"
#include "things.h"

enum {
    NAME = 24, // bytes of a name
    WORD = 64, // of an argument in a signature
    MOST = 24  // arguments and results
};

typedef enum use { USE_ARRAY, USE_STEP, USE_NUMBER, USE_OBJECT, USE_OBJECTS, USE_TABLE } use;

// Sizes named in dimensions, and 1.
enum { SIZE_ONE, SIZE_MANY, SIZE_FEW, SIZE_EACH, SIZE_OTHER, SIZES };

// factor times two sizes
typedef struct dimension {
    Py_ssize_t factor;
    int by[2];
} dimension;

typedef struct parameter {
    char name[NAME];
    use use;
    int is_optional;
    binding_kind kind; // of an object
    array_use array_use;
    int is_force;
    int is_aside; // an optional result, only written to an array of the caller
    int rank;
    int is_sized; // depends on the object: core[] is computed for each
    dimension dimensions[2];
    Py_ssize_t core[2];
    PyObject* type; // bool or int, of a result; NULL: float
} parameter;

typedef struct signature {
    const binding* row;
    const binding_text* line;
    char name[2 * NAME];
    PyMethodDef method;
    Py_ssize_t min_count, max_count; // number of Python arguments
    int count;
    int has_types;      // of results
    int is_measurement; // takes a millisecond or more, without arguments
    parameter parameters[MOST];
} signature;

// --- reading signatures

static int symbol_of(char c)
{
    const char* symbols = "1NnkM";
    return (int)(strchr(symbols, c) - symbols);
}

// "3", "N", "3xN", "kkxn"
static void read_dimensions(const char* text, parameter* p)
{
    for (p->rank = 0; *text; p->rank++, text += *text == 'x') {
        dimension* d = &p->dimensions[p->rank];
        char* end;
        const long factor = strtol(text, &end, 10);
        *d = (dimension){end > text ? factor : 1, {SIZE_ONE, SIZE_ONE}};
        text = end;
        for (int i = 0; *text && *text != 'x'; i++, text++) {
            d->by[i] = symbol_of(*text);
            p->is_sized = 1;
        }
        p->core[p->rank] = d->factor;
    }
    p->rank = p->rank > 1 || p->core[0] > 1 || p->is_sized ? p->rank : 0;
}

static void read_size(const char* size, char flag, int is_out, parameter* p)
{
    static const struct {
        const char* word;
        use use;
    } words[] = {{"step", USE_STEP}, {"number", USE_NUMBER}};
    p->array_use = is_out ? ARRAY_OUT : flag == '*' ? ARRAY_STATE : ARRAY_IN;
    p->is_aside = is_out && flag == '?';
    p->is_force = strcmp(size, "force") == 0;
    p->core[0] = p->core[1] = 1;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(size, words[i].word) == 0) {
            p->use = words[i].use;
            return;
        }
    }
    if (strcmp(size, "bool") == 0 || strcmp(size, "int") == 0) {
        p->type = (PyObject*)(*size == 'b' ? &PyBool_Type : &PyLong_Type);
    } else if (p->is_force) {
        return;
    } else if (strstr(size, "table")) {
        p->use = USE_TABLE; // -1: any length
        p->core[0] = *size == 't' ? -1 : strtol(size, NULL, 10);
        p->core[1] = strcmp(strstr(size, "table"), "table") == 0
                         ? -1
                         : strtol(strchr(size, 'e') + 1, NULL, 10);
    } else if (strspn(size, "0123456789NnkMx") == strlen(size)) {
        read_dimensions(size, p);
    } else {
        p->use = flag == '+' ? USE_OBJECTS : USE_OBJECT;
        while (p->kind < KIND_COUNT && strcmp(size, binding_kind_names[p->kind]) != 0) {
            p->kind++;
        }
    }
}

// name[flag]:size
static void read_parameter(const char* word, int is_out, parameter* p)
{
    size_t at = strcspn(word, "*?+:");
    snprintf(p->name, sizeof p->name, "%.*s", (int)at, word);
    const char flag = word[at] && word[at] != ':' ? word[at++] : '\0';
    p->is_optional = flag == '?';
    read_size(word[at] == ':' ? word + at + 1 : "number", flag, is_out, p);
}

static int is_result(const parameter* p)
{
    return p->use == USE_ARRAY && p->array_use == ARRAY_OUT && !p->is_aside;
}

// The argument for a result is called `out` in Python; for several results it is a tuple.
static void name_results(signature* s)
{
    int results = 0, i = 0;
    for (int k = 0; k < s->count; k++) {
        results += is_result(&s->parameters[k]);
        s->has_types |= s->parameters[k].type != NULL;
    }
    for (int k = 0; k < s->count; k++) {
        parameter* p = &s->parameters[k];
        if (is_result(p)) {
            snprintf(p->name, sizeof p->name, results == 1 ? "out" : "out[%d]", i++);
        }
    }
}

static signature* read_signature(const binding* row, const binding_text* line)
{
    signature* s = calloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    s->row = row;
    s->line = line;
    int used, is_out = 0;
    const char* text = line->text;
    char word[WORD];
    sscanf(text, "%47s%n", s->name, &used);
    const int has_object = !row->makes && row->kind != KIND_NONE;
    s->min_count = has_object;
    for (text += used; sscanf(text, "%63s%n", word, &used) == 1; text += used) {
        if (strcmp(word, "->") == 0) {
            is_out = 1;
        } else {
            read_parameter(word, is_out, &s->parameters[s->count++]);
            s->min_count += !is_out;
        }
    }
    s->max_count = s->count + has_object;
    s->is_measurement = !row->makes && s->min_count == 1 && line->cost >= 1e6;
    name_results(s);
    return s;
}

// --- calls

typedef struct call_context {
    binding_loop loop;
    const void* object;
    const void* other; // an object of the arguments
    int arrays;
    double scalars[MOST];
} call_context;

static void run_loop(void* context, size_t count, double* const* args)
{
    const call_context* with = context;
    with->loop(with->object, with->scalars, count, args, args[ARRAY_MEMORY]);
}

// The same with an object of the arguments after the arrays.
static void run_with_other(void* context, size_t count, double* const* args)
{
    const call_context* with = context;
    double* all[ARRAY_MOST + 1];
    memcpy(all, args, (size_t)with->arrays * sizeof *all);
    all[with->arrays] = (double*)(uintptr_t)with->other;
    with->loop(with->object, with->scalars, count, all, args[ARRAY_MEMORY]);
}

static Py_ssize_t length_of(const dimension* d, const Py_ssize_t* sizes)
{
    return d->factor * sizes[d->by[0]] * sizes[d->by[1]];
}

static void add_array(array_call* call, const parameter* p, PyObject* object,
                      const Py_ssize_t* sizes)
{
    Py_ssize_t core[2] = {p->core[0], p->core[1]};
    for (int i = 0; p->is_sized && i < p->rank; i++) {
        core[i] = length_of(&p->dimensions[i], sizes);
    }
    array* a = array_add(call, p->name, object, p->array_use, p->rank, core);
    a->not_negative = p->is_force;
    a->silent = p->is_aside;
    a->absent = p->is_aside && !a->object;
}

static int read_number(const parameter* p, PyObject* object, double* number)
{
    if (p->use == USE_STEP) {
        return array_step_size(object, number);
    }
    return array_number(object, p->name, number);
}

// Sizes of the object, and cost and memory of a loop over it.
static void set_sizes(const signature* s, const void* object, Py_ssize_t* sizes, array_call* call)
{
    const binding* row = s->row;
    array_start(call, s->line->cost);
    sizes[SIZE_ONE] = 1;
    if (binding_kinds[row->kind].get_sizes) {
        const binding_sizes of = binding_kinds[row->kind].get_sizes(object);
        sizes[SIZE_MANY] = (Py_ssize_t)of.many;
        sizes[SIZE_FEW] = (Py_ssize_t)of.few;
        sizes[SIZE_EACH] = of.few > 0 ? (Py_ssize_t)(of.many / of.few) : 0;
        call->cost += s->line->part_cost * (double)of.few;
        call->memory = of.memory;
    }
}

// The contact to which states are carried over.
static int get_other(const parameter* p, PyObject* handle, Py_ssize_t* sizes, call_context* with,
                     array_call* call)
{
    with->other = handle_get(handle, binding_kind_names[p->kind]);
    if (!with->other) {
        return 0;
    }
    const binding_sizes of = binding_kinds[p->kind].get_sizes(with->other);
    const Py_ssize_t each = (Py_ssize_t)(of.many / of.few);
    if (each != sizes[SIZE_EACH]) {
        raise_argument(p->name, "its parts must have as many bristles: %zd, got %zd",
                       sizes[SIZE_EACH], each);
        return 0;
    }
    sizes[SIZE_OTHER] = (Py_ssize_t)of.many;
    call->cost *= (double)of.few;
    return 1;
}

static int read_arguments(const signature* s, PyObject* const* args, Py_ssize_t count,
                          Py_ssize_t* sizes, call_context* with, array_call* call)
{
    int scalars = 0, ok = 1;
    for (int i = 0; ok && i < s->count; i++) {
        const parameter* p = &s->parameters[i];
        PyObject* object = i < count ? args[i] : NULL;
        if (p->use == USE_ARRAY) {
            add_array(call, p, object, sizes);
        } else if (p->use == USE_OBJECT) {
            ok = get_other(p, object, sizes, with, call);
        } else {
            ok = read_number(p, object, &with->scalars[scalars++]);
        }
    }
    with->arrays = call->count;
    return ok;
}

// Convert a result to bool or int, or an array of them.
static PyObject* converted(PyObject* result, PyObject* type)
{
    PyObject* other = PyFloat_Check(result) ? PyObject_CallFunctionObjArgs(type, result, NULL)
                                            : PyObject_CallMethod(result, "astype", "O", type);
    Py_DECREF(result);
    return other;
}

static PyObject* convert_results(const signature* s, PyObject* results)
{
    Py_ssize_t k = 0;
    for (int i = 0; results && i < s->count; i++) {
        const parameter* p = &s->parameters[i];
        if (p->type && !PyTuple_Check(results)) {
            return converted(results, p->type);
        }
        if (p->type) {
            PyObject* one = PyTuple_GetItem(results, k);
            Py_INCREF(one);
            one = converted(one, p->type);
            if (!one || PyTuple_SetItem(results, k, one) < 0) {
                Py_DECREF(results);
                return NULL;
            }
        }
        k += is_result(p);
    }
    return results;
}

static PyObject* refuse_count(const signature* s, Py_ssize_t count)
{
    PyErr_Format(PyExc_TypeError, "%s takes %zd arguments, got %zd", s->name, s->min_count, count);
    return NULL;
}

// Results that take long to compute and depend only on the object.
typedef struct measurement {
    binding_loop loop;
    const void* object;
    double results[MOST];
} measurement;

static void measure(void* of)
{
    measurement* m = of;
    double* args[MOST];
    for (int i = 0; i < MOST; i++) {
        args[i] = &m->results[i];
    }
    m->loop(m->object, NULL, 1, args, NULL);
}

static PyObject* call_measurement(const signature* s, PyObject* handle, const void* object)
{
    measurement m = {.loop = s->row->loop, .object = object};
    if (!beside_run(&m, sizeof m, measure, NULL, handle)) {
        return NULL;
    }
    PyObject* results = PyTuple_New(s->count);
    for (int i = 0; results && i < s->count; i++) {
        PyTuple_SetItem(results, i, PyFloat_FromDouble(m.results[i]));
    }
    return results;
}

static PyObject* call_row(PyObject* self, PyObject* const* args, Py_ssize_t count)
{
    const signature* s = PyCapsule_GetPointer(self, NULL);
    const binding_kind kind = (binding_kind)s->row->kind;
    const int has_object = kind != KIND_NONE;
    call_context with;
    if (count < s->min_count || count > s->max_count) {
        return refuse_count(s, count);
    }
    with.loop = s->row->loop;
    with.object = has_object ? handle_get(args[0], binding_kind_names[kind]) : NULL;
    with.other = NULL;
    if (has_object && !with.object) {
        return NULL;
    }
    if (s->is_measurement) {
        return call_measurement(s, args[0], with.object);
    }
    Py_ssize_t sizes[SIZES];
    array_call call;
    set_sizes(s, with.object, sizes, &call);
    if (!read_arguments(s, args + has_object, count - has_object, sizes, &with, &call)) {
        return NULL;
    }
    PyObject* results = array_run(&call, with.other ? run_with_other : run_loop, &with);
    return s->has_types ? convert_results(s, results) : results;
}

// --- objects

static void destroy_object(PyObject* handle)
{
    const char* name = PyCapsule_GetName(handle);
    int kind = KIND_NONE + 1;
    while (binding_kind_names[kind] != name) {
        kind++;
    }
    binding_kinds[kind].destroy(handle_end(handle));
}

// The arguments for creating an object.
typedef struct parts {
    const binding* row;
    double numbers[MOST];
    void* few[MOST];
    void** many; // a list of objects; NULL: they are few
    size_t object_count;
    const double* table;
    size_t rows, columns;
    void* made;
    br_status status;
    br_reason why;
} parts;

static void make_object(void* of)
{
    parts* p = of;
    const binding_parts from = {
        p->numbers, p->many ? p->many : p->few, p->object_count, p->table, p->rows, p->columns};
    p->status = p->row->make(&from, &p->made, &p->why);
}

static void discard_object(void* of)
{
    parts* p = of;
    if (p->status == BR_OK) {
        binding_kinds[p->row->kind].destroy(p->made);
    }
    free(p->many);
}

// Corners, points or cells above which creation may take more than some milliseconds.
enum { LARGE = 256 };

static int patch_is_large(const br_patch* patch)
{
    const br_patch_def* def = br_patch_get_def(patch);
    return def->count > LARGE || def->rows > LARGE || def->rows * def->columns > LARGE;
}

// Should it be created in a separate thread, which takes some 20 us to start?
static int takes_long(const parts* p)
{
    switch (p->row->kind) {
    case KIND_PATCH:
        return p->rows > LARGE || p->rows * p->columns > LARGE;
    case KIND_LIMIT: // tables and fits
        return patch_is_large(p->few[0]) ||
               (p->numbers[1] != BR_LIMIT_EXACT && p->numbers[1] != BR_LIMIT_ELLIPSOID);
    case KIND_CONTACT:
        return p->row->make == make_contact_make &&
               (p->numbers[0] != BR_METHOD_ELLIPSOID || (p->few[1] && patch_is_large(p->few[1])));
    case KIND_WRENCH_CONE:
    case KIND_LIMIT_POLYHEDRON:
    case KIND_ENGINE:
        return 1;
    default:
        return 0;
    }
}

static int add_object(const parameter* p, PyObject* handle, parts* from)
{
    void* object = NULL;
    if (!(p->is_optional && handle == Py_None) &&
        !(object = handle_get(handle, binding_kind_names[p->kind]))) {
        return 0;
    }
    (from->many ? from->many : from->few)[from->object_count++] = object;
    return 1;
}

static int add_objects(const parameter* p, PyObject* list, parts* from)
{
    const Py_ssize_t count = PyList_Size(list);
    if (count < 0 || !(from->many = calloc((size_t)count + 1, sizeof *from->many))) {
        return 0;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        if (!add_object(p, PyList_GetItem(list, i), from)) {
            return 0;
        }
    }
    return 1;
}

static int add_table(const parameter* p, PyObject* table, parts* from)
{
    Py_buffer view;
    if (p->is_optional && table == Py_None) {
        return 1;
    }
    if (!array_view(table, p->name, 2, p->core, ARRAY_READ_ONLY, &view)) {
        return 0;
    }
    from->table = view.buf;
    from->rows = (size_t)view.shape[0];
    from->columns = (size_t)view.shape[1];
    PyBuffer_Release(&view); // the caller keeps the array alive
    return 1;
}

static int read_parts(const signature* s, PyObject* const* args, parts* from)
{
    int numbers = 0, ok = 1;
    for (int i = 0; ok && i < s->count; i++) {
        const parameter* p = &s->parameters[i];
        ok = p->use == USE_NUMBER    ? read_number(p, args[i], &from->numbers[numbers++])
             : p->use == USE_OBJECT  ? add_object(p, args[i], from)
             : p->use == USE_OBJECTS ? add_objects(p, args[i], from)
                                     : add_table(p, args[i], from);
    }
    return ok;
}

// Keep the arguments alive that the object borrows from.
static PyObject* keep_arguments(PyObject* const* args, Py_ssize_t count)
{
    PyObject* all = PyTuple_New(count);
    for (Py_ssize_t i = 0; all && i < count; i++) {
        Py_INCREF(args[i]);
        PyTuple_SetItem(all, i, args[i]);
    }
    return all;
}

static PyObject* make_with(parts* from, PyObject* args)
{
    if (!takes_long(from)) {
        make_object(from);
    } else if (!beside_run(from, sizeof *from, make_object, discard_object, args)) {
        return NULL; // discard_object() also frees its list of objects
    }
    free(from->many);
    return from->status == BR_OK ? handle_make(binding_kind_names[from->row->kind], from->made,
                                               destroy_object, from->object_count > 0 ? args : NULL)
                                 : raise_status(from->status, &from->why);
}

static PyObject* make_row(PyObject* self, PyObject* const* args, Py_ssize_t count)
{
    const signature* s = PyCapsule_GetPointer(self, NULL);
    if (count != s->max_count) {
        return refuse_count(s, count);
    }
    parts from = {.row = s->row};
    if (!read_parts(s, args, &from)) {
        free(from.many);
        return NULL;
    }
    PyObject* keeps = keep_arguments(args, count);
    PyObject* handle = keeps ? make_with(&from, keeps) : NULL;
    Py_XDECREF(keeps);
    return handle;
}

int call_add_functions(PyObject* module)
{
    for (size_t i = 0; binding_texts[i].text; i++) {
        signature* s = read_signature(&bindings[i], &binding_texts[i]);
        PyObject* self = s ? PyCapsule_New(s, NULL, NULL) : PyErr_NoMemory();
        if (!self) {
            return -1;
        }
        s->method = (PyMethodDef){
            s->name, (PyCFunction)(void (*)(void))(s->row->makes ? make_row : call_row),
            METH_FASTCALL, s->line->text};
        PyObject* function = PyCFunction_NewEx(&s->method, self, NULL);
        Py_DECREF(self);
        if (!function || PyModule_AddObject(module, s->name, function) < 0) {
            Py_XDECREF(function);
            return -1;
        }
    }
    return 0;
}

static void* object_of(PyObject* handle, binding_kind kind)
{
    return handle_get(handle, binding_kind_names[kind]);
}

const br_law* law_get(PyObject* handle)
{
    return object_of(handle, KIND_LAW);
}

const br_patch* patch_get(PyObject* handle)
{
    return object_of(handle, KIND_PATCH);
}

const br_limit* limit_get(PyObject* handle)
{
    return object_of(handle, KIND_LIMIT);
}

const br_contact* contact_get(PyObject* handle)
{
    const contact_object* object = object_of(handle, KIND_CONTACT);
    return object ? object->contact : NULL;
}

const br_profile* profile_get(PyObject* handle)
{
    return object_of(handle, KIND_PROFILE);
}
