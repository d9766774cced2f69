/*
 * Memory, errors, version.
 */
#include "glue.h"

// The error of the last call that failed; JavaScript reads it in memory.
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

int passed(br_status status, const br_reason* why)
{
    if (status != BR_OK) {
        fail(status, why);
    }
    return status == BR_OK;
}

// status (4 bytes), field (64), text (192)
EXPORT(const void*, last_error, void)
{
    return &last;
}

EXPORT(const char*, version, void)
{
    return br_get_version();
}

EXPORT(const char*, status_text, int status)
{
    return br_status_get_text((br_status)status);
}

EXPORT(void*, memory_allocate, size_t bytes)
{
    return br_allocate(bytes, 1);
}

EXPORT(void, memory_release, void* memory)
{
    br_release(memory);
}
