/*
 * Every key of every scenario and patch that ships, misspelt, deleted and mistyped: what `bristle check` and
 * `bristle run` do with it, in one process. Arguments: the folder of scenarios, and one of more that have the keys which
 * those have not.
 */
#include "check.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/sweep.h"
#include "scenario/kind.h"
#include "scenario/read_contact.h"

static char** folders; // the two

// What is done to a value.
typedef enum mutation {
    MISSPELL, // its key lacks a letter
    DELETE,   // it is not there
    WORD,     // a text in its place, and so on
    NOTHING,
    NEGATIVE,
    ZERO,
    FRACTION,
    HUGE_NUMBER,
    TINY_NUMBER,
    NOT_A_NUMBER,
    EMPTY_LIST,
    SHORT_LIST,
    NESTED_LIST,
    EMPTY_MAP,
    OTHER_MAP,
    LESS, // a list without its last value
    MORE, // and with that twice
    MUTATIONS
} mutation;

static const char* const words[MUTATIONS] = {[WORD] = "nonsense",      [NOTHING] = "",
                                             [NEGATIVE] = "-1",        [ZERO] = "0",
                                             [FRACTION] = "1.5",       [HUGE_NUMBER] = "1e300",
                                             [TINY_NUMBER] = "1e-300", [NOT_A_NUMBER] = ".nan"};

// Without memory an assertion of the pool fails.
static parse_context start_reading(void)
{
    return (parse_context){.memory = {.first = NULL}};
}

static node* add(node* to, node_kind kind, const char* key, const char* text)
{
    node* fresh = bri_node_create(to->in, kind, to->origin, to->line, to, key);
    fresh->text = text;
    return fresh;
}

static void misspell(node* value)
{
    const size_t length = strlen(value->key), gone = length / 2;
    value->key = bri_format(value->in, "%.*s%s", (int)gone, value->key, value->key + gone + 1);
}

static void delete (node* value)
{
    node* parent = value->parent;
    for (size_t i = value->index + 1; i < parent->count; i++) {
        parent->children[i]->index--;
        parent->children[i - 1] = parent->children[i];
    }
    parent->count--;
}

// Another value instead of this one.
static void replace(node* value, node_kind kind, const char* text)
{
    value->kind = kind;
    value->text = text;
    value->is_number = value->reads_number = false;
    value->count = 0;
}

// Is there such a mutant of this value?
static bool applies(const node* value, mutation m)
{
    const bool is_long = value->kind == NODE_LIST && value->count > 0;
    return m == MISSPELL ? value->key && strlen(value->key) > 1 : m < LESS || is_long;
}

static void mutate(node* value, mutation m)
{
    switch (m) {
    case MISSPELL:
        misspell(value);
        break;
    case DELETE:
        delete (value);
        break;
    case EMPTY_LIST:
    case SHORT_LIST:
    case NESTED_LIST:
        replace(value, NODE_LIST, "");
        if (m != EMPTY_LIST) {
            add(value, m == SHORT_LIST ? NODE_SCALAR : NODE_LIST, NULL, m == SHORT_LIST ? "1" : "");
        }
        break;
    case EMPTY_MAP:
    case OTHER_MAP:
        replace(value, NODE_MAP, "");
        if (m == OTHER_MAP) {
            add(value, NODE_SCALAR, "other", "1");
        }
        break;
    case LESS:
        value->count--;
        break;
    case MORE:
        bri_node_copy(value->in, value->children[value->count - 1], value);
        break;
    default:
        replace(value, NODE_SCALAR, words[m]);
        break;
    }
}

// The value `index` of a tree, counted from its root, 0; NULL: there are fewer.
static node* find(node* from, size_t* index)
{
    if ((*index)-- == 0) {
        return from;
    }
    node* found = NULL;
    for (size_t i = 0; i < from->count && !found; i++) {
        found = find(from->children[i], index);
    }
    return found;
}

// What was done, for messages.
static char what[512];

// A message has its file and line and, where they are those of a value, its key; of a patch as a whole there is none.
static void check_errors(const parse_context* in, const char* file, bool has_key)
{
    assert_true(in->error_count > 0);
    for (size_t i = 0; i < in->error_count; i++) {
        const br_scenario_error* m = &in->errors[i];
        const bool is_here = strcmp(m->file, file) == 0; // else a file that it names
        if (!*m->text || !*m->file || (is_here && (m->line == 0 || (has_key && !*m->key)))) {
            fail_msg("%s: a message without its position: %s:%zu: %s: %s", what, m->file, m->line,
                     m->key, m->text);
        }
    }
}

// Enough to set out, and through some events.
enum { MOST_STEPS = 5 };

static bool stop(double t, void* user)
{
    (void)t;
    size_t* steps = user;
    return ++*steps > MOST_STEPS;
}

static size_t read_count, run_count; // mutants

static void run(const br_scenario* s)
{
    size_t steps = 0;
    const br_scenario_watch watch = {
        .size = sizeof(br_scenario_watch), .stop = stop, .user = &steps, .drop_rows = true};
    br_table* table = NULL;
    br_reason why = {"", ""};
    const br_status status = br_scenario_run(s, &watch, &table, &why);
    if (status != BR_OK && status != BR_ERR_STOPPED && !*why.text) {
        fail_msg("%s: status %d without a reason", what, (int)status);
    }
    br_table_destroy(table);
    run_count++;
}

static void plan(const br_scenario* s)
{
    br_sweep* sweep = NULL;
    br_reason why = {"", ""};
    if (br_sweep_create(s, NULL, &sweep, &why) != BR_OK && !*why.text) {
        fail_msg("%s: a sweep is refused without a reason", what);
    }
    br_sweep_destroy(sweep);
}

static void check_scenario(const node* root, const char* file)
{
    br_scenario* s = NULL;
    const br_scenario given = {.root = (node*)root};
    if (br_scenario_read_variant(&given, NULL, &s) == BR_OK) {
        run(s);
        plan(s);
    } else {
        check_errors(&s->in, file, true);
    }
    br_scenario_destroy(s);
}

static void check_patch(const node* root, const char* file)
{
    if (!bri_read_patch(root).patch) {
        check_errors(root->in, file, false);
    }
}

// A mutant of a file; false: the file has no such value.
static bool try_mutant(const node* from, size_t index, mutation m, const char* file)
{
    parse_context in = start_reading();
    node* root = bri_node_copy(&in, from, NULL);
    node* value = find(root, &index);
    if (value && applies(value, m)) {
        snprintf(what, sizeof what, "%s: %s, mutation %d", file, bri_node_path(value), (int)m);
        mutate(value, m);
        if (bri_node_find(from, "shape")) {
            check_patch(root, file);
        } else {
            check_scenario(root, file);
        }
        read_count++;
    }
    bri_pool_clear(&in.memory);
    return value;
}

static void try_file(const char* file)
{
    parse_context in = start_reading();
    const node* root = bri_document_read(&in, file);
    assert_non_null(root);
    for (size_t i = 1, is_there = 1; is_there; i++) {
        for (int m = 0; m < MUTATIONS; m++) {
            is_there = try_mutant(root, i, (mutation)m, file);
        }
    }
    bri_pool_clear(&in.memory);
}

static void try_all(const char* folder, const char* pattern)
{
    char path[512];
    glob_t files;
    snprintf(path, sizeof path, "%s/%s", folder, pattern);
    assert_int_equal(glob(path, 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        try_file(files.gl_pathv[i]);
    }
    globfree(&files);
}

/* Oracle: scenario.h. Whatever is in a file, reading ends with a scenario that runs, or with messages that name
 * file and line; nothing reads memory that is not its own (the sanitizers' builds). */
static void a_mutant_is_refused_by_its_line_or_runs(void** state)
{
    (void)state;
    try_all(folders[0], "*.yaml");
    try_all(folders[0], "patches/*.yaml");
    try_all(folders[1], "*.yaml");
    print_message("%zu mutants, %zu of them run\n", read_count, run_count);
    assert_true(read_count > 10000 && run_count > 1000);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_mutant_is_refused_by_its_line_or_runs)};
    if (argc != 3) {
        fprintf(stderr, "usage: %s SCENARIOS MORE\n", argv[0]);
        return 2;
    }
    folders = argv + 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
