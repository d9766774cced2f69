/*
 * Numbers stored on disk instead of in memory.
 */
#include "spool.h"

#include "system.h"
#include "temporary.h"

bool spool_open(spool* s, const char* folder)
{
    char path[SYSTEM_PATH];
    *s = (spool){.descriptor = temporary_create(folder, "rows", path)};
    if (s->descriptor < 0) {
        return false;
    }
    system_remove(path);
    temporary_forget(path);
    return true;
}

bool spool_append(spool* s, const double* values, size_t count)
{
    spool_release(s);
    const uint64_t end = s->count * sizeof *values;
    if (!system_write_at(s->descriptor, values, count * sizeof *values, end)) {
        return false;
    }
    s->count += count;
    return true;
}

const double* spool_values(spool* s)
{
    if (!s->map) {
        s->mapped = s->count * sizeof(double);
        s->map = system_map(s->descriptor, s->mapped);
    }
    return s->map;
}

void spool_release(spool* s)
{
    if (s->map) {
        system_unmap(s->map, s->mapped);
        s->map = NULL;
    }
}

void spool_close(spool* s)
{
    spool_release(s);
    system_close(s->descriptor);
}
