/*
 * Sweeps: bristle/sweep.h. The numbers of all cases become one array, the failures a dict.
 */
#include "bristle/sweep.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "beside.h"
#include "record.h"
#include "things.h"

static const char KIND[] = "bristle.sweep";

static void destroy(PyObject* handle)
{
    br_sweep_destroy(handle_end(handle));
}

// --- planning

enum { MOST_TEXTS = 1024 };

// A key from Python: (use, key, text or None, list of numbers or None).
static int take_key(PyObject* item, br_sweep_key* key, double** numbers)
{
    int use;
    PyObject* values;
    if (!PyArg_ParseTuple(item, "iszO", &use, &key->key, &key->spec, &values)) {
        return 0;
    }
    key->use = (br_sweep_use)use;
    if (values == Py_None) {
        return 1;
    }
    const Py_ssize_t count = PyObject_Length(values);
    *numbers = count < 0 ? NULL : malloc(((size_t)count + 1) * sizeof **numbers);
    if (count >= 0 && !*numbers) {
        PyErr_NoMemory();
    }
    key->values = *numbers;
    key->count = (size_t)(count < 0 ? 0 : count);
    return *numbers && array_read(values, key->key, *numbers, key->count);
}

static int take_texts(PyObject* list, const char** texts, size_t* count)
{
    *count = (size_t)PyList_Size(list);
    for (size_t i = 0; i < *count; i++) {
        texts[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, (Py_ssize_t)i), NULL);
        if (!texts[i]) {
            return 0;
        }
    }
    return 1;
}

typedef struct creation {
    br_sweep* sweep;
    br_status status;
    br_reason why;
} creation;

static void check(void* of)
{
    creation* c = of;
    c->status = br_sweep_check(c->sweep, &c->why);
}

static void discard(void* of)
{
    br_sweep_destroy(((creation*)of)->sweep);
}

static PyObject* create(PyObject* scenario, const br_sweep_def* def)
{
    creation c = {.sweep = NULL};
    c.status = br_sweep_create(scenario_get(scenario), def, &c.sweep, &c.why);
    if (c.status == BR_OK && !beside_run(&c, sizeof c, check, discard, scenario)) {
        return NULL;
    }
    if (c.status != BR_OK) {
        br_sweep_destroy(c.sweep);
        return raise_status(c.status, &c.why);
    }
    return handle_make(KIND, c.sweep, destroy, scenario);
}

// (scenario, keys, samples, sampling, seed or -1, indices, wants)
static PyObject* sweep_create(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject *scenario, *keys, *wants;
    Py_ssize_t samples;
    int sampling, indices;
    long long seed;
    br_sweep_def def = br_sweep_def_default();
    if (!PyArg_ParseTuple(arguments, "OO!niLiO!", &scenario, &PyList_Type, &keys, &samples,
                          &sampling, &seed, &indices, &PyList_Type, &wants) ||
        !scenario_get(scenario)) {
        return NULL;
    }
    const size_t key_count = (size_t)PyList_Size(keys);
    if (key_count > MOST_TEXTS || PyList_Size(wants) > MOST_TEXTS) {
        return raise_argument("want", "at most %d keys and wants are allowed", MOST_TEXTS);
    }
    br_sweep_key list[MOST_TEXTS];
    double* numbers[MOST_TEXTS] = {NULL};
    const char* texts[MOST_TEXTS];
    memset(list, 0, sizeof list);
    def.keys = list;
    def.outputs = texts;
    def.samples = (size_t)samples;
    def.sampling = (br_sweep_sampling)sampling;
    def.has_seed = seed >= 0;
    def.seed = (uint64_t)seed;
    def.indices = indices;
    int is_good = take_texts(wants, texts, &def.output_count);
    for (; is_good && def.key_count < key_count; def.key_count++) {
        const size_t i = def.key_count;
        is_good = take_key(PyList_GetItem(keys, (Py_ssize_t)i), &list[i], &numbers[i]);
    }
    PyObject* result = is_good ? create(scenario, &def) : NULL;
    for (size_t i = 0; i < key_count; i++) {
        free(numbers[i]);
    }
    return result;
}

// --- description

// Append an item, whose reference the list takes over; without memory both are released, with an exception.
static void append(PyObject** list, PyObject* item)
{
    if (!item || PyList_Append(*list, item) < 0) {
        Py_CLEAR(*list);
    }
    Py_XDECREF(item);
}

static PyObject* columns_of(const br_sweep_column* columns, size_t count)
{
    PyObject* list = PyList_New(0);
    for (size_t i = 0; list && i < count; i++) {
        PyObject* words = PyList_New(0);
        for (size_t k = 0; words && columns[i].words && columns[i].words[k]; k++) {
            append(&words, PyUnicode_FromString(columns[i].words[k]));
        }
        append(&list, Py_BuildValue("ssN", columns[i].name, columns[i].unit, words));
    }
    return list;
}

static PyObject* shape_of(const br_sweep* sweep)
{
    size_t count;
    const size_t* shape = br_sweep_get_shape(sweep, &count);
    PyObject* list = PyList_New(0);
    for (size_t i = 0; list && i < count; i++) {
        append(&list, PyLong_FromSize_t(shape[i]));
    }
    return list;
}

static PyObject* axes_of(const br_sweep* sweep, size_t inputs)
{
    PyObject* list = PyList_New(0);
    for (size_t i = 0; list && i < inputs; i++) {
        append(&list, PyLong_FromSize_t(br_sweep_get_axis(sweep, i)));
    }
    return list;
}

// shape, inputs, wants, number of drawn inputs, text, axes of the inputs, is the last one that of the samples?
static PyObject* sweep_facts(PyObject* module, PyObject* handle)
{
    (void)module;
    const br_sweep* sweep = handle_get(handle, KIND);
    if (!sweep) {
        return NULL;
    }
    size_t inputs, outputs;
    const br_sweep_column* in = br_sweep_get_inputs(sweep, &inputs);
    const br_sweep_column* out = br_sweep_get_outputs(sweep, &outputs);
    return Py_BuildValue("NNNnsNN", shape_of(sweep), columns_of(in, inputs),
                         columns_of(out, outputs), (Py_ssize_t)br_sweep_get_drawn_count(sweep),
                         br_sweep_get_text(sweep), axes_of(sweep, inputs),
                         PyBool_FromLong(br_sweep_has_samples(sweep)));
}

// --- running

typedef struct sweep_record {
    record interrupts;
    pthread_t caller; // the only thread that checks for signals
    size_t inputs, outputs;
    double* numbers; // (cases x inputs + wants)
    char** failures; // (cases)
    int no_memory;
} sweep_record;

static bool stop(void* user)
{
    sweep_record* s = user;
    if (!pthread_equal(pthread_self(), s->caller)) {
        return s->interrupts.interrupted || s->no_memory;
    }
    return record_stop(0, &s->interrupts) || s->no_memory;
}

static void note(const br_sweep_result* got, void* user)
{
    sweep_record* s = user;
    double* row = s->numbers + got->index * (s->inputs + s->outputs);
    memcpy(row, got->inputs, s->inputs * sizeof *row);
    memcpy(row + s->inputs, got->outputs, s->outputs * sizeof *row);
    if (got->failure) {
        char* text = malloc(strlen(got->failure) + 1);
        s->no_memory = s->no_memory || !text;
        s->failures[got->index] = text ? strcpy(text, got->failure) : NULL;
    }
}

static PyObject* results_of(const sweep_record* s, size_t cases)
{
    PyObject* failures = PyDict_New();
    for (size_t i = 0; failures && i < cases; i++) {
        if (s->failures[i]) {
            PyObject *index = PyLong_FromSize_t(i), *text = PyUnicode_FromString(s->failures[i]);
            const int ok = index && text && PyDict_SetItem(failures, index, text) == 0;
            Py_XDECREF(index);
            Py_XDECREF(text);
            if (!ok) {
                Py_CLEAR(failures);
            }
        }
    }
    return Py_BuildValue("NN", array_copy(s->numbers, cases, s->inputs + s->outputs), failures);
}

// (sweep, workers; 0: one for each processor) -> numbers, failures
static PyObject* sweep_run(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject* handle;
    Py_ssize_t workers;
    if (!PyArg_ParseTuple(arguments, "On", &handle, &workers)) {
        return NULL;
    }
    const br_sweep* sweep = handle_get(handle, KIND);
    if (!sweep) {
        return NULL;
    }
    const size_t cases = br_sweep_get_case_count(sweep);
    sweep_record s;
    memset(&s, 0, sizeof s);
    s.caller = pthread_self();
    br_sweep_get_inputs(sweep, &s.inputs);
    br_sweep_get_outputs(sweep, &s.outputs);
    s.numbers = calloc(cases * (s.inputs + s.outputs), sizeof *s.numbers);
    s.failures = calloc(cases, sizeof *s.failures);
    const br_sweep_run_def def = {.size = sizeof(br_sweep_run_def),
                                  .threads = (size_t)workers,
                                  .done = note,
                                  .stop = stop,
                                  .user = &s};
    br_reason why = {"", ""};
    br_status status = BR_ERR_MEMORY;
    if (s.numbers && s.failures) {
        Py_BEGIN_ALLOW_THREADS
        status = br_sweep_run(sweep, &def, &why);
        Py_END_ALLOW_THREADS
    }
    PyObject* result = NULL;
    if (s.no_memory) {
        PyErr_NoMemory();
    } else if (!s.interrupts.interrupted) {
        result = status == BR_OK ? results_of(&s, cases) : raise_status(status, &why);
    }
    for (size_t i = 0; s.failures && i < cases; i++) {
        free(s.failures[i]);
    }
    free(s.failures);
    free(s.numbers);
    return result;
}

// --- local error propagation

typedef struct local_work {
    const br_sweep* sweep;
    size_t inputs, outputs;
    br_sweep_local* found; // (outputs)
    double* slopes;        // (outputs x inputs)
    br_status status;
    br_reason why;
} local_work;

static void propagate(void* of)
{
    local_work* l = of;
    l->status = br_sweep_eval_local(l->sweep, l->found, l->slopes, &l->why);
}

static void free_local(void* of)
{
    local_work* l = of;
    free(l->found);
    free(l->slopes);
}

// list of (value, deviation, slopes)
static PyObject* outputs_of(const local_work* l)
{
    PyObject* list = PyList_New(0);
    for (size_t i = 0; list && i < l->outputs; i++) {
        PyObject* slopes = PyList_New(0);
        for (size_t k = 0; slopes && k < l->inputs; k++) {
            append(&slopes, PyFloat_FromDouble(l->slopes[i * l->inputs + k]));
        }
        append(&list, slopes
                          ? Py_BuildValue("ddN", l->found[i].value, l->found[i].deviation, slopes)
                          : NULL);
    }
    return list;
}

// (sweep) -> deviations of the inputs, list of (value, deviation, slopes) of the outputs
static PyObject* sweep_local(PyObject* module, PyObject* handle)
{
    (void)module;
    local_work l = {.sweep = handle_get(handle, KIND)};
    if (!l.sweep) {
        return NULL;
    }
    br_sweep_get_inputs(l.sweep, &l.inputs);
    br_sweep_get_outputs(l.sweep, &l.outputs);
    l.found = calloc(l.outputs + 1, sizeof *l.found);
    l.slopes = calloc(l.outputs * l.inputs + 1, sizeof *l.slopes);
    if (!l.found || !l.slopes) {
        free_local(&l);
        return PyErr_NoMemory();
    }
    if (!beside_run(&l, sizeof l, propagate, free_local, handle)) {
        return NULL;
    }
    PyObject* deviations = PyList_New(0);
    for (size_t k = 0; deviations && k < l.inputs; k++) {
        append(&deviations, PyFloat_FromDouble(br_sweep_get_deviation(l.sweep, k)));
    }
    PyObject* result = l.status == BR_OK ? Py_BuildValue("NN", deviations, outputs_of(&l))
                                         : raise_status(l.status, &l.why);
    if (l.status != BR_OK) {
        Py_XDECREF(deviations);
    }
    free_local(&l);
    return result;
}

// (list of numbers of all cases, drawn inputs) -> list of (first, low, high, total, low, high)
static PyObject* sweep_indices(PyObject* module, PyObject* arguments)
{
    (void)module;
    PyObject* object;
    Py_ssize_t inputs;
    if (!PyArg_ParseTuple(arguments, "On", &object, &inputs)) {
        return NULL;
    }
    const Py_ssize_t length = PyObject_Length(object), cases = inputs + 2;
    if (length < cases || inputs < 1 || length % cases != 0) {
        return raise_argument("numbers", "must have %zd numbers for each sample", cases);
    }
    double* f = malloc((size_t)length * sizeof *f);
    br_sobol_sums* sums = calloc((size_t)inputs, sizeof *sums);
    PyObject* list = NULL;
    if (!f || !sums) {
        PyErr_NoMemory();
    } else if (array_read(object, "numbers", f, (size_t)length)) {
        double centre = 0, count = 0;
        for (Py_ssize_t i = 0; i < length; i++) {
            if (f[i] - f[i] == 0) { // finite
                count += 1;
                centre += (f[i] - centre) / count;
            }
        }
        for (Py_ssize_t i = 0; i < length; i += cases) {
            br_sobol_add(sums, (size_t)inputs, f + i, centre);
        }
        list = PyList_New(0);
        for (Py_ssize_t i = 0; list && i < inputs; i++) {
            const br_sobol_index x = br_sobol_eval(&sums[i]);
            append(&list, Py_BuildValue("dddddd", x.first, x.first_low, x.first_high, x.total,
                                        x.total_low, x.total_high));
        }
    }
    free(f);
    free(sums);
    return list;
}

PyMethodDef sweep_functions[] = {{"sweep_create", sweep_create, METH_VARARGS, NULL},
                                 {"sweep_facts", sweep_facts, METH_O, NULL},
                                 {"sweep_run", sweep_run, METH_VARARGS, NULL},
                                 {"sweep_local", sweep_local, METH_O, NULL},
                                 {"sweep_indices", sweep_indices, METH_VARARGS, NULL},
                                 {0}};
