/*
 * Files that the command writes: complete or not at all.
 */
#include "output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "memory.h"
#include "message.h"
#include "system.h"
#include "temporary.h"

enum { MOST_OUTPUTS = 4 };

_Noreturn static void fail(const char* name, int problem)
{
    message_fail(EXIT_COMPUTATION, "%s: cannot be written: %s", name, strerror(problem));
}

char* output_folder(const char* path)
{
    const char* separator = system_find_separator(path);
    if (!separator) {
        return memory_format(".");
    }
    const bool ends_root = separator == path || separator[0] == ':' || separator[-1] == ':';
    return memory_format("%.*s", (int)(separator - path) + ends_root, path);
}

// A file that need not exist yet, identified by its folder and its name, however its path is spelt.
typedef struct file_id {
    uint64_t device, folder;
    const char* name;
} file_id;

static file_id file_id_of(const char* path)
{
    system_file folder;
    system_look(output_folder(path), &folder);
    return (file_id){folder.device, folder.number, system_name(path)};
}

static bool is_same(file_id a, file_id b)
{
    return a.device == b.device && a.folder == b.folder && strcmp(a.name, b.name) == 0;
}

static void refuse_input(const char* target, const char* name)
{
    system_file status;
    if (system_look(target, &status) && input_is_open(&status)) {
        message_fail(EXIT_USAGE, "%s: is an input of this command; write to another file", name);
    }
}

void output_check_name(const char* name)
{
    refuse_input(name, name);
}

// An output must not be an input or another output of this command.
static void refuse_clash(const output* to)
{
    static file_id written[MOST_OUTPUTS];
    static int count = 0;
    refuse_input(to->target, to->name);
    const file_id own = file_id_of(to->target);
    for (int i = 0; i < count; i++) {
        if (is_same(written[i], own)) {
            message_fail(EXIT_USAGE, "%s: is written twice by this command; give two names",
                         to->name);
        }
    }
    if (count < MOST_OUTPUTS) {
        written[count++] = own;
    }
}

static void open_temporary(output* to, const system_file* older)
{
    if (!system_resolve(to->name, to->target)) { // the links stay, the file is replaced
        fail(to->name, errno);
    }
    refuse_clash(to);
    if (older && !system_is_writable(to->target)) {
        fail(to->name, errno);
    }
    const int descriptor =
        temporary_create(output_folder(to->target), file_id_of(to->target).name, to->temporary);
    if (descriptor < 0) {
        fail(to->name, errno);
    }
    system_set_mode(descriptor, older);
    to->stream = system_to_stream(descriptor);
    if (!to->stream) {
        fail(to->name, errno);
    }
}

static void close_stream(void* thing)
{
    output* to = thing;
    if (to->stream && to->stream != stdout) {
        fclose(to->stream);
    }
}

output* output_open(const char* name)
{
    output* to = memory_allocate(1, sizeof *to);
    to->name = name;
    if (strcmp(name, "-") == 0) {
        to->name = "stdout";
        to->stream = stdout;
        return to;
    }
    system_file status;
    const bool exists = system_look(name, &status);
    if (exists && !status.is_regular) {
        to->stream = system_open_stream(name, "wb");
    } else if (!*system_name(name)) {
        errno = *name ? EISDIR : ENOENT;
    } else {
        open_temporary(to, exists ? &status : NULL);
    }
    if (!to->stream) {
        fail(name, errno);
    }
    memory_own(to, close_stream);
    return to;
}

void output_write(output* to, const void* bytes, size_t count)
{
    if (!to->problem && fwrite(bytes, 1, count, to->stream) != count) {
        to->problem = errno ? errno : EIO;
    }
}

void output_seek(output* to, uint64_t offset)
{
    if (!to->problem && fseek(to->stream, (long)offset, SEEK_SET) != 0) {
        to->problem = errno ? errno : EIO;
    }
}

// Flush and close; returns 0 or errno. A full disk may be reported only here.
static int finish(output* to)
{
    const bool broken = ferror(to->stream) || fflush(to->stream) != 0;
    int problem = to->problem;
    if (broken && !problem) {
        problem = errno;
    }
    if (!broken && *to->temporary && !system_sync_stream(to->stream)) {
        problem = errno;
    }
    FILE* stream = to->stream;
    to->stream = NULL;
    if (stream != stdout && fclose(stream) != 0 && !problem) {
        problem = errno;
    }
    return broken && !problem ? EIO : problem;
}

void output_commit(output* to)
{
    int problem = finish(to);
    if (!problem && *to->temporary && !system_replace(to->temporary, to->target)) {
        problem = errno;
    }
    if (problem) {
        fail(to->name, problem);
    }
    temporary_forget(to->temporary);
}

void output_check_stdout(void)
{
    if (ferror(stdout) || fflush(stdout) != 0) {
        fail("stdout", errno ? errno : EIO);
    }
}
