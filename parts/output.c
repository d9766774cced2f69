/*
 * Files that the command writes: complete or not at all.
 */
#include "output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input.h"
#include "memory.h"
#include "message.h"
#include "temporary.h"

enum { MOST_LINKS = 40, MOST_OUTPUTS = 4 };

_Noreturn static void fail(const char* name, int problem)
{
    message_fail(EXIT_COMPUTATION, "%s: cannot be written: %s", name, strerror(problem));
}

char* output_folder(const char* path)
{
    const char* slash = strrchr(path, '/');
    if (!slash) {
        return memory_format(".");
    }
    return memory_format("%.*s", slash == path ? 1 : (int)(slash - path), path);
}

// Follow symbolic links to the file, which need not exist: the links stay, the file is replaced.
static void resolve(const char* name, char target[PATH_MAX])
{
    const char* path = name;
    for (int links = 0;; links++) {
        char text[PATH_MAX];
        const ssize_t length = readlink(path, text, sizeof text - 1);
        if (length < 0) {
            break;
        }
        if (links == MOST_LINKS) {
            fail(name, ELOOP);
        }
        text[length] = '\0';
        path = text[0] == '/' ? memory_format("%s", text)
                              : memory_format("%s/%s", output_folder(path), text);
    }
    if (snprintf(target, PATH_MAX, "%s", path) >= PATH_MAX) {
        fail(name, ENAMETOOLONG);
    }
}

// The permissions of the file that is replaced, else those that any new file gets.
static mode_t wanted_mode(const struct stat* older)
{
    if (older) {
        return older->st_mode & 07777;
    }
    const mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

// A file that need not exist yet, identified by its folder and its name, however its path is spelt.
typedef struct file_id {
    dev_t device;
    ino_t folder;
    const char* name;
} file_id;

static file_id file_id_of(const char* path)
{
    const char* slash = strrchr(path, '/');
    struct stat folder = {0};
    stat(output_folder(path), &folder);
    return (file_id){folder.st_dev, folder.st_ino, slash ? slash + 1 : path};
}

static bool is_same(file_id a, file_id b)
{
    return a.device == b.device && a.folder == b.folder && strcmp(a.name, b.name) == 0;
}

// An output must not be an input or another output of this command.
static void refuse_clash(const output* to)
{
    static file_id written[MOST_OUTPUTS];
    static int count = 0;
    struct stat status;
    if (stat(to->target, &status) == 0 && input_is_open(&status)) {
        message_fail(EXIT_USAGE, "%s: is an input of this command; write to another file",
                     to->name);
    }
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

static void open_temporary(output* to, const struct stat* older)
{
    resolve(to->name, to->target);
    refuse_clash(to);
    if (older && access(to->target, W_OK) != 0) {
        fail(to->name, errno);
    }
    const int descriptor =
        temporary_create(output_folder(to->target), file_id_of(to->target).name, to->temporary);
    if (descriptor < 0) {
        fail(to->name, errno);
    }
    fchmod(descriptor, wanted_mode(older));
    to->stream = fdopen(descriptor, "wb");
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
    struct stat status;
    const bool exists = stat(name, &status) == 0;
    const size_t length = strlen(name);
    if (exists && !S_ISREG(status.st_mode)) {
        to->stream = fopen(name, "wb");
    } else if (length == 0 || name[length - 1] == '/') {
        errno = length ? EISDIR : ENOENT;
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

// Flush and close; returns 0 or errno. A full disk may be reported only here.
static int finish(output* to)
{
    const bool broken = ferror(to->stream) || fflush(to->stream) != 0;
    int problem = to->problem;
    if (broken && !problem) {
        problem = errno;
    }
    if (!broken && *to->temporary && fsync(fileno(to->stream)) != 0) {
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
    if (!problem && *to->temporary && rename(to->temporary, to->target) != 0) {
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
