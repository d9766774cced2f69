/*
 * Numbers stored on disk instead of in memory.
 */
#include "spool.h"

#include <errno.h>
#include <limits.h>
#include <sys/mman.h>
#include <unistd.h>

#include "temporary.h"

bool spool_open(spool* s, const char* folder)
{
    char path[PATH_MAX];
    *s = (spool){.descriptor = temporary_create(folder, "rows", path)};
    if (s->descriptor < 0) {
        return false;
    }
    unlink(path);
    temporary_forget(path);
    return true;
}

bool spool_append(spool* s, const double* values, size_t count)
{
    spool_release(s);
    const char* at = (const char*)values;
    size_t left = count * sizeof *values;
    while (left > 0) {
        const ssize_t written = write(s->descriptor, at, left);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        at += written > 0 ? written : 0;
        left -= written > 0 ? (size_t)written : 0;
    }
    s->count += count;
    return true;
}

const double* spool_values(spool* s)
{
    if (!s->map) {
        s->mapped = s->count * sizeof(double);
        void* map = mmap(NULL, s->mapped, PROT_READ, MAP_SHARED, s->descriptor, 0);
        s->map = map == MAP_FAILED ? NULL : map;
    }
    return s->map;
}

void spool_release(spool* s)
{
    if (s->map) {
        munmap(s->map, s->mapped);
        s->map = NULL;
    }
}

void spool_close(spool* s)
{
    spool_release(s);
    close(s->descriptor);
}
