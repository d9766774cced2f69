/*
 * Memory, errors, version.
 */
#include "glue.h"

// Why the last call failed that gave NULL: read by JavaScript where it lies.
static struct {
    int status;
    br_reason why;
} last;

void* fail(br_status status, const br_reason* why)
{
    last.status = (int)status;
    last.why = *why;
    return NULL;
}

// status (4 bytes), field (64), text (192)
EXPORT(const void*, last_error, void)
{
    return &last;
}

EXPORT(const char*, version, void)
{
    return br_version();
}

EXPORT(const char*, status_text, int status)
{
    return br_status_text((br_status)status);
}

EXPORT(void*, memory_allocate, size_t bytes)
{
    return br_allocate(bytes, 1);
}

EXPORT(void, memory_release, void* memory)
{
    br_release(memory);
}
