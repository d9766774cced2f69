/*
 * Scenarios: bristle/scenario.h. Python dicts are converted to trees, a run's table to arrays and dicts.
 */
#include "bristle/scenario.h"
#include "bristle/sensitivity.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "beside.h"
#include "record.h"
#include "things.h"

static const char KIND[] = "bristle.scenario";

static void destroy(PyObject* handle)
{
    br_scenario_destroy(handle_end(handle));
}

const br_scenario* scenario_get(PyObject* handle)
{
    return handle_get(handle, KIND);
}

// --- from dicts to trees

static int grow(PyObject* value, br_tree* tree);

static void prune(const br_tree* tree)
{
    for (size_t i = 0; tree->children && i < tree->count; i++) {
        prune(&tree->children[i]);
    }
    free((void*)(uintptr_t)tree->children);
}

// Allocate children, zeroed, so that an incomplete tree can be pruned.
static br_tree* branch(br_tree* tree, br_tree_kind kind, Py_ssize_t count)
{
    br_tree* children = calloc((size_t)count + 1, sizeof *children);
    if (!children) {
        PyErr_NoMemory();
        return NULL;
    }
    tree->kind = kind;
    tree->children = children;
    tree->count = (size_t)count;
    return children;
}

static int grow_map(PyObject* map, br_tree* tree)
{
    br_tree* children = branch(tree, BR_TREE_MAP, PyDict_Size(map));
    Py_ssize_t position = 0;
    PyObject *key, *value;
    for (size_t i = 0; children && PyDict_Next(map, &position, &key, &value); i++) {
        children[i].key = PyUnicode_AsUTF8AndSize(key, NULL);
        if (!children[i].key || !grow(value, &children[i])) {
            return 0;
        }
    }
    return children != NULL;
}

static int grow_list(PyObject* list, br_tree* tree)
{
    br_tree* children = branch(tree, BR_TREE_LIST, PyList_Size(list));
    for (size_t i = 0; children && i < tree->count; i++) {
        if (!grow(PyList_GetItem(list, (Py_ssize_t)i), &children[i])) {
            return 0;
        }
    }
    return children != NULL;
}

// The Python side passes only dicts, lists, text, numbers, True, False and None.
static int grow(PyObject* value, br_tree* tree)
{
    if (PyDict_Check(value)) {
        return grow_map(value, tree);
    }
    if (PyList_Check(value)) {
        return grow_list(value, tree);
    }
    if (PyUnicode_Check(value)) {
        tree->kind = BR_TREE_TEXT;
        tree->text = PyUnicode_AsUTF8AndSize(value, NULL);
        return tree->text != NULL;
    }
    if (value == Py_None) {
        tree->kind = BR_TREE_NOTHING;
        return 1;
    }
    tree->kind = PyBool_Check(value) ? BR_TREE_FLAG : BR_TREE_NUMBER;
    tree->number = PyFloat_AsDouble(value);
    return !PyErr_Occurred();
}

// --- reading

static PyObject* errors_of(const br_scenario* scenario)
{
    const size_t count = br_scenario_get_error_count(scenario);
    PyObject* list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++) {
        const br_scenario_error* m = br_scenario_get_error(scenario, i);
        PyObject* item =
            Py_BuildValue("snnssss", m->file, (Py_ssize_t)m->line, (Py_ssize_t)m->column, m->key,
                          m->text, m->allowed, m->nearest);
        if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

// (handle, problems): a scenario with errors is also returned, but cannot run
static PyObject* read_result(br_status status, br_scenario* scenario)
{
    if (!scenario || (status != BR_OK && status != BR_ERR_DEF)) {
        br_scenario_destroy(scenario);
        return raise_status(status, NULL);
    }
    PyObject* handle = handle_make(KIND, scenario, destroy, NULL);
    PyObject* errors = handle ? errors_of(scenario) : NULL;
    PyObject* both = errors ? PyTuple_Pack(2, handle, errors) : NULL;
    Py_XDECREF(handle);
    Py_XDECREF(errors);
    return both;
}

enum { MOST_OVERRIDES = 256 };

// Convert a list of "key=value" to a NULL-terminated array.
static int take_overrides(PyObject* list, const char** overrides)
{
    const Py_ssize_t count = PyList_Size(list);
    if (count > MOST_OVERRIDES) {
        raise_argument("set", "at most %d values are allowed, got %zd", MOST_OVERRIDES, count);
        return 0;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        overrides[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, i), NULL);
        if (!overrides[i]) {
            return 0;
        }
    }
    overrides[count] = NULL;
    return count >= 0;
}

// Arguments of a call that reads a scenario; texts are borrowed.
typedef struct reading {
    const char *text, *name; // of a file or a text
    const br_scenario* from; // of a variant
    int is_tree, is_file;
    br_tree tree;
    const char* overrides[MOST_OVERRIDES + 1];
    br_scenario* scenario;
    br_status status;
} reading;

static void read_source(void* of)
{
    reading* r = of;
    if (r->is_tree) {
        r->status = br_scenario_read_tree(&r->tree, r->name, r->overrides, &r->scenario);
    } else if (r->from) {
        r->status = br_scenario_read_variant(r->from, r->overrides, &r->scenario);
    } else if (r->is_file) {
        r->status = br_scenario_read_file(r->text, r->overrides, &r->scenario);
    } else {
        r->status = br_scenario_read_text(r->text, r->name, r->overrides, &r->scenario);
    }
}

static void discard(void* of)
{
    reading* r = of;
    prune(&r->tree);
    br_scenario_destroy(r->scenario);
}

static int take_source(reading* r, const char* kind, PyObject* source)
{
    r->is_tree = strcmp(kind, "tree") == 0;
    r->is_file = strcmp(kind, "file") == 0;
    if (r->is_tree) {
        return grow(source, &r->tree);
    }
    if (strcmp(kind, "variant") == 0) {
        return (r->from = scenario_get(source)) != NULL;
    }
    return (r->text = PyUnicode_AsUTF8AndSize(source, NULL)) != NULL;
}

// (kind, source, name, overrides); kind: file, text, tree or variant
static PyObject* scenario_read(PyObject* module, PyObject* arguments)
{
    (void)module;
    const char* kind;
    PyObject *source, *list;
    reading r;
    memset(&r, 0, sizeof r);
    if (!PyArg_ParseTuple(arguments, "sOsO!", &kind, &source, &r.name, &PyList_Type, &list) ||
        !take_overrides(list, r.overrides)) {
        return NULL;
    }
    if (!take_source(&r, kind, source)) {
        prune(&r.tree);
        return NULL;
    }
    // a variant is read in microseconds
    if (r.from) {
        read_source(&r);
    } else if (!beside_run(&r, sizeof r, read_source, discard, arguments)) {
        return NULL;
    }
    prune(&r.tree);
    return read_result(r.status, r.scenario);
}

static PyObject* texts(const void* thing, size_t count, const char* (*get)(const void*, size_t))
{
    PyObject* list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++) {
        PyObject* text = PyUnicode_FromString(get(thing, i));
        if (!text || PyList_SetItem(list, (Py_ssize_t)i, text) < 0) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

static const char* warning_of_scenario(const void* thing, size_t i)
{
    return br_scenario_get_warning(thing, i);
}

static const char* file_of_scenario(const void* thing, size_t i)
{
    return br_scenario_get_file(thing, i);
}

static const char* warning_of_table(const void* thing, size_t i)
{
    return br_table_get_warning(thing, i);
}

// kind, duration, rows, text, warnings, files
static PyObject* scenario_facts(PyObject* module, PyObject* handle)
{
    (void)module;
    const br_scenario* s = scenario_get(handle);
    if (!s) {
        return NULL;
    }
    return Py_BuildValue("sdnsNN", br_scenario_get_kind(s), br_scenario_get_duration(s),
                         (Py_ssize_t)br_scenario_get_row_count(s), br_scenario_get_text(s),
                         texts(s, br_scenario_get_warning_count(s), warning_of_scenario),
                         texts(s, br_scenario_get_file_count(s), file_of_scenario));
}

// --- running

static PyObject* events_of(const br_table* table)
{
    const size_t count = br_table_get_event_count(table);
    PyObject* list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++) {
        const br_table_event* e = br_table_get_event(table, i);
        PyObject* item = Py_BuildValue("dsn", e->t, e->kind, (Py_ssize_t)e->contact);
        if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

static PyObject* values_of(const br_table* table)
{
    PyObject* all = PyDict_New();
    for (size_t i = 0; all && i < br_table_get_value_count(table); i++) {
        const br_table_value* value = br_table_get_value(table, i);
        PyObject* item =
            value->word ? PyUnicode_FromString(value->word) : PyFloat_FromDouble(value->number);
        if (!item || PyDict_SetItemString(all, value->path, item) < 0) {
            Py_XDECREF(item);
            Py_DECREF(all);
            return NULL;
        }
        Py_DECREF(item);
    }
    return all;
}

// columns, rows, events, values, warnings, text
static PyObject* table_of(const br_table* table)
{
    size_t count;
    const br_column* columns = br_table_get_columns(table, &count);
    return Py_BuildValue("NNNNNs", record_columns(columns, count),
                         array_copy(br_table_get_rows(table), br_table_get_row_count(table), count),
                         events_of(table), values_of(table),
                         texts(table, br_table_get_warning_count(table), warning_of_table),
                         br_table_get_text(table));
}

static PyObject* scenario_run(PyObject* module, PyObject* handle)
{
    (void)module;
    const br_scenario* scenario = scenario_get(handle);
    if (!scenario) {
        return NULL;
    }
    record interrupts;
    memset(&interrupts, 0, sizeof interrupts);
    const br_scenario_watch watch = {
        .size = sizeof(br_scenario_watch), .stop = record_stop, .user = &interrupts};
    br_table* table = NULL;
    br_reason why = {"", ""};
    br_status status;
    Py_BEGIN_ALLOW_THREADS
    status = br_scenario_run(scenario, &watch, &table, &why);
    Py_END_ALLOW_THREADS
    PyObject* result = NULL;
    if (!interrupts.interrupted) {
        result = status == BR_OK ? table_of(table) : raise_status(status, &why);
    }
    br_table_destroy(table);
    return result;
}

// names, units and rows of derivatives
static PyObject* slopes_of(const br_sensitivity* found)
{
    size_t count;
    const br_sensitivity_column* columns = br_sensitivity_get_columns(found, &count);
    PyObject* list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++) {
        PyObject* column = Py_BuildValue("ss[]", columns[i].name, columns[i].unit);
        if (!column) {
            Py_DECREF(list);
            return NULL;
        }
        PyList_SetItem(list, (Py_ssize_t)i, column); // takes it
    }
    const size_t rows = br_table_get_row_count(br_sensitivity_get_table(found));
    return Py_BuildValue("NN", list, array_copy(br_sensitivity_get_rows(found), rows, count));
}

// A list of texts, ended by NULL; free it with br_release(). Its texts belong to the list of Python.
static const char** keys_of(PyObject* list)
{
    const Py_ssize_t count = PyList_Size(list);
    const char** keys = count >= 0 ? br_allocate((size_t)count + 1, sizeof *keys) : NULL;
    if (!keys) {
        return count >= 0 ? (const char**)PyErr_NoMemory() : NULL;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        keys[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, i), NULL);
        if (!keys[i]) {
            br_release(keys);
            return NULL;
        }
    }
    return keys;
}

// The table of scenario_run(), and columns and rows of the derivatives.
static PyObject* scenario_sensitivity(PyObject* module, PyObject* args)
{
    (void)module;
    PyObject *handle, *list;
    if (!PyArg_ParseTuple(args, "OO!", &handle, &PyList_Type, &list)) {
        return NULL;
    }
    const br_scenario* scenario = scenario_get(handle);
    const char** keys = scenario ? keys_of(list) : NULL;
    if (!keys) {
        return NULL;
    }
    record interrupts;
    memset(&interrupts, 0, sizeof interrupts);
    const br_scenario_watch watch = {
        .size = sizeof(br_scenario_watch), .stop = record_stop, .user = &interrupts};
    br_sensitivity* found = NULL;
    br_reason why = {"", ""};
    br_status status;
    Py_BEGIN_ALLOW_THREADS
    status = br_sensitivity_create(scenario, keys, &watch, &found, &why);
    Py_END_ALLOW_THREADS
    br_release(keys);
    PyObject* result = NULL;
    if (!interrupts.interrupted) {
        result = status == BR_OK ? Py_BuildValue("NN", table_of(br_sensitivity_get_table(found)),
                                                 slopes_of(found))
                                 : raise_status(status, &why);
    }
    br_sensitivity_destroy(found);
    return result;
}

PyMethodDef scenario_functions[] = {
    {"scenario_read", scenario_read, METH_VARARGS, NULL},
    {"scenario_facts", scenario_facts, METH_O, NULL},
    {"scenario_run", scenario_run, METH_O, NULL},
    {"scenario_sensitivity", scenario_sensitivity, METH_VARARGS, NULL},
    {0}};
