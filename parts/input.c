/*
 * Files that the command reads.
 */
#include "input.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "message.h"
#include "system.h"

// Paths of the files read so far, which must not be overwritten.
static const char** files;
static size_t file_count;

void input_remember(const char* path)
{
    files = memory_grow(files, file_count + 1, sizeof *files);
    files[file_count++] = path;
}

names input_get_files(size_t* count)
{
    *count = file_count;
    return files;
}

static bool is_same(const char* path, const system_file* status)
{
    system_file other;
    return system_look(path, &other) && other.device == status->device &&
           other.number == status->number;
}

bool input_is_open(const system_file* status)
{
    for (size_t i = 0; i < file_count; i++) {
        if (is_same(files[i], status)) {
            return true;
        }
    }
    return false;
}

_Noreturn static void fail_memory(const char* file)
{
    message_fail(EXIT_COMPUTATION, "%s: out of memory", file);
}

static void report_error(const br_scenario_error* m)
{
    const char* place = m->line ? memory_format("%s:%zu", m->file, m->line) : m->file;
    message_print("%s: %s%s%s", place, m->key, *m->key ? ": " : "", m->text);
}

bool input_report(const br_scenario* s)
{
    for (size_t i = 0; i < br_scenario_get_warning_count(s); i++) {
        message_warn("%s", br_scenario_get_warning(s, i));
    }
    for (size_t i = 0; i < br_scenario_get_error_count(s); i++) {
        report_error(br_scenario_get_error(s, i));
    }
    return br_scenario_get_error_count(s) > 0;
}

void input_check(const br_scenario* s)
{
    if (input_report(s)) {
        message_end(EXIT_USAGE);
    }
}

const br_patch* input_isotropic_patch(const br_scenario* file)
{
    const br_scenario_model model = br_scenario_get_model(file);
    if (model.anisotropy.ratio != 1) {
        message_fail(EXIT_USAGE, "%smust be left out here: this command takes isotropic friction",
                     input_place(file, "anisotropy"));
    }
    return model.patch;
}

const char* input_place(const br_scenario* s, const char* key)
{
    char* text;
    if (br_scenario_create_place(s, key, &text) != BR_OK) {
        message_fail(EXIT_COMPUTATION, "out of memory");
    }
    memory_own(text, br_release);
    return text;
}

// --- YAML -----------------------------------------------------------------------------------------

static void destroy_scenario(void* scenario)
{
    br_scenario_destroy(scenario);
}

static br_scenario* keep(br_scenario* s)
{
    memory_own(s, destroy_scenario);
    for (size_t i = 0; i < br_scenario_get_file_count(s); i++) {
        input_remember(br_scenario_get_file(s, i));
    }
    return s;
}

static names list_sets(const options* o)
{
    const char** sets = memory_allocate(o->set_count + 1, sizeof *sets);
    for (size_t i = 0; i < o->set_count; i++) {
        sets[i] = o->sets[i];
    }
    return sets;
}

br_scenario* input_scenario_unchecked(const options* o)
{
    br_scenario* s;
    if (br_scenario_read_file(o->file, list_sets(o), &s) == BR_ERR_MEMORY) {
        fail_memory(o->file);
    }
    return keep(s);
}

br_scenario* input_scenario(const options* o)
{
    br_scenario* s = input_scenario_unchecked(o);
    input_check(s);
    return s;
}

br_scenario* input_model_unchecked(const char* file, br_model_kind kind, const options* o)
{
    br_scenario* s;
    if (br_scenario_read_model(file, kind, list_sets(o), &s) == BR_ERR_MEMORY) {
        fail_memory(file);
    }
    return keep(s);
}

br_scenario* input_model(const char* file, br_model_kind kind, const options* o)
{
    br_scenario* s = input_model_unchecked(file, kind, o);
    input_check(s);
    return s;
}

// --- text -----------------------------------------------------------------------------------------

_Noreturn static void fail_to_read(const char* path, int problem)
{
    message_fail(problem == ENOMEM ? EXIT_COMPUTATION : EXIT_USAGE, "%s: cannot be read: %s", path,
                 strerror(problem));
}

// A pipe may be empty when it is read a second time, or refuse to be opened.
static bool is_regular(const char* path)
{
    system_file status;
    return system_look(path, &status) && status.is_regular;
}

char* input_text(const char* path, size_t* size)
{
    FILE* from = system_open_stream(path, "rb");
    const int problem = errno;
    if (!from && (problem == ENOMEM || is_regular(path))) {
        fail_to_read(path, problem);
    }
    char* text = memory_allocate(1, 1);
    size_t capacity = 0;
    *size = 0;
    while (from && !feof(from) && !ferror(from)) {
        if (*size + BUFSIZ > capacity) {
            capacity = 2 * (*size + BUFSIZ);
            text = memory_grow(text, capacity + 1, 1);
        }
        *size += fread(text + *size, 1, BUFSIZ, from);
    }
    if (from && ferror(from)) {
        fail_to_read(path, errno);
    }
    if (from) {
        fclose(from);
    }
    text[*size] = '\0';
    return text;
}

// --- CSV ------------------------------------------------------------------------------------------

static void destroy_csv(void* file)
{
    br_csv_destroy(file);
}

csv input_csv(const char* path, names wanted, size_t required)
{
    br_csv* file;
    const br_status status = br_csv_read(path, wanted, required, &file);
    if (status == BR_ERR_MEMORY) {
        fail_memory(path);
    }
    memory_own(file, destroy_csv);
    input_remember(path);
    for (size_t i = 0; i < br_csv_get_error_count(file); i++) {
        report_error(br_csv_get_error(file, i));
    }
    if (status != BR_OK) {
        message_end(EXIT_USAGE);
    }
    size_t count = 0;
    while (wanted[count]) {
        count++;
    }
    csv table = {br_csv_get_row_count(file), memory_allocate(count, sizeof *table.columns)};
    for (size_t i = 0; i < count; i++) {
        table.columns[i] = br_csv_get_column(file, i);
    }
    return table;
}
