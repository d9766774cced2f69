/*
 * Statuses, reasons, memory, assertions, version. The only module that allocates.
 */
#include "bristle/base.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <malloc.h>
#endif

const char* br_status_get_text(br_status status)
{
    switch (status) {
#define STATUS_CASE(name, value, text)                                                             \
    case name:                                                                                     \
        return text;
        BR_STATUS_LIST(STATUS_CASE)
#undef STATUS_CASE
    }
    return "unknown status";
}

br_status br_definition_read(const void* given, void* to, size_t bytes, const char* type,
                             br_reason* why)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    if (size <= sizeof size || size > bytes) {
        br_reason_set(why, "size", "start from %s_default(): %zu bytes are expected, got %zu", type,
                      bytes, size);
        return BR_ERR_DEF;
    }
    memcpy(to, given, size);
    memcpy(to, &bytes, sizeof bytes);
    return BR_OK;
}

void br_reason_set(br_reason* why, const char* field, const char* format, ...)
{
    if (!why) {
        return;
    }
    snprintf(why->field, sizeof why->field, "%s", field);

    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
}

const char* br_get_version(void)
{
    return BR_VERSION;
}

// Blocks start at a cache line: vectors that do not cross one are faster to read and write.
enum { CACHE_LINE = 64 };

// the sanitizer must see where blocks end; WebAssembly has no cache lines, C before C11 no aligned_alloc()
#if defined __SANITIZE_ADDRESS__ || defined __wasm__ || __STDC_VERSION__ < 201112L
static void* allocate_lines(size_t bytes)
{
    return malloc(bytes);
}
#define release_lines free
#elif defined _WIN32
static void* allocate_lines(size_t bytes)
{
    return _aligned_malloc(bytes, CACHE_LINE);
}
#define release_lines _aligned_free
#else
static void* allocate_lines(size_t bytes)
{
    const size_t more = bytes % CACHE_LINE ? CACHE_LINE - bytes % CACHE_LINE : 0;
    return bytes < CACHE_LINE || more > SIZE_MAX - bytes ? malloc(bytes)
                                                         : aligned_alloc(CACHE_LINE, bytes + more);
}
#define release_lines free
#endif

static void* plain_allocate(size_t bytes, void* user)
{
    (void)user;
    return allocate_lines(bytes);
}

static void plain_release(void* memory, void* user)
{
    (void)user;
    release_lines(memory);
}

static struct {
    br_allocate_fn allocate;
    br_release_fn release;
    void* user;
} memory_hook = {plain_allocate, plain_release, NULL};

void br_set_allocator(br_allocate_fn allocate, br_release_fn release, void* user)
{
    memory_hook.allocate = allocate ? allocate : plain_allocate;
    memory_hook.release = release ? release : plain_release;
    memory_hook.user = user;
}

void* br_allocate(size_t count, size_t bytes)
{
    if (count == 0 || bytes == 0) {
        return br_allocate(1, 1); // NULL means "no memory" only
    }
    if (count > SIZE_MAX / bytes) {
        return NULL;
    }
    void* memory = memory_hook.allocate(count * bytes, memory_hook.user);
    return memory ? memset(memory, 0, count * bytes) : NULL;
}

void br_release(void* memory)
{
    if (memory) {
        memory_hook.release(memory, memory_hook.user);
    }
}

static void print_and_abort(const char* expression, const char* file, int line)
{
#ifdef __wasm__ // nowhere to print
    (void)expression, (void)file, (void)line;
    __builtin_trap();
#else
    fprintf(stderr, "%s:%d: bristle: precondition broken: %s\n", file, line, expression);
    abort();
#endif
}

static br_assert_fn assert_hook = print_and_abort;

void br_set_assert_handler(br_assert_fn handler)
{
    assert_hook = handler ? handler : print_and_abort;
}

void br_assert_failed(const char* expression, const char* file, int line)
{
    assert_hook(expression, file, line);
}
