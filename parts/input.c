/*
 * Files that the command reads.
 */
#include "input.h"

#include "memory.h"
#include "message.h"
#include "scenario/document.h"
#include "scenario/kind.h"
#include "scenario/set.h"

// What has been read so far, to be kept from being written over.
static const reading** readings;
static size_t reading_count;

static void remember(const reading* in)
{
    readings = memory_grow(readings, reading_count + 1, sizeof *readings);
    readings[reading_count++] = in;
}

static bool is_same(const char* path, const struct stat* status)
{
    struct stat other;
    return stat(path, &other) == 0 && other.st_dev == status->st_dev &&
           other.st_ino == status->st_ino;
}

bool input_is_open(const struct stat* status)
{
    for (size_t i = 0; i < reading_count; i++) {
        for (size_t k = 0; k < readings[i]->file_count; k++) {
            if (is_same(readings[i]->files[k], status)) {
                return true;
            }
        }
    }
    return false;
}

static void clear_reading(void* thing)
{
    reading* in = thing;
    bri_pool_clear(&in->memory);
}

static void no_memory(void* file)
{
    message_fail(EXIT_COMPUTATION, "%s: out of memory", (const char*)file);
}

reading* input_create(const char* file)
{
    reading* in = memory_allocate(1, sizeof *in);
    in->memory.no_memory = no_memory;
    in->memory.user = memory_format("%s", file);
    memory_own(in, clear_reading);
    remember(in);
    return in;
}

static void tell_mistake(const br_mistake* m)
{
    const char* place = m->line ? memory_format("%s:%zu", m->file, m->line) : m->file;
    message_tell("%s: %s%s%s", place, m->key, *m->key ? ": " : "", m->text);
}

bool input_tell(const reading* in)
{
    for (size_t i = 0; i < in->warning_count; i++) {
        message_warn("%s", in->warnings[i]);
    }
    for (size_t i = 0; i < in->mistake_count; i++) {
        tell_mistake(&in->mistakes[i]);
    }
    return in->mistake_count > 0;
}

void input_check(const reading* in)
{
    if (input_tell(in)) {
        message_end(EXIT_USAGE);
    }
}

node* input_yaml(const char* file, const options* o)
{
    reading* in = input_create(file);
    node* root = bri_document_read(in, file);
    for (size_t i = 0; root && i < o->set_count; i++) {
        bri_set_apply(root, o->sets[i]);
    }
    input_check(in);
    return root;
}

csv input_csv(const char* path, names wanted, size_t required)
{
    reading* in = input_create(path);
    const csv table = bri_csv_read(in, path, wanted, required);
    input_check(in);
    return table;
}

static void destroy_scenario(void* scenario)
{
    br_scenario_destroy(scenario);
}

br_scenario* input_scenario_unchecked(const options* o)
{
    const char** sets = memory_allocate(o->set_count + 1, sizeof *sets);
    for (size_t i = 0; i < o->set_count; i++) {
        sets[i] = o->sets[i];
    }
    br_scenario* s;
    if (br_scenario_read_file(o->file, sets, &s) == BR_ERR_MEMORY) {
        message_fail(EXIT_COMPUTATION, "%s: out of memory", o->file);
    }
    memory_own(s, destroy_scenario);
    remember(&s->in);
    return s;
}

br_scenario* input_scenario(const options* o)
{
    br_scenario* s = input_scenario_unchecked(o);
    input_check(&s->in);
    return s;
}
