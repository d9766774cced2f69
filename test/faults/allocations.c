/*
 * A library to preload (LD_PRELOAD): the allocation of a given number fails, in the program and in the libraries that it
 * uses, libc and libyaml included. At exit it reports how many there were and which blocks were not freed.
 *
 *   FAULTS_AT=N     allocation N fails (from 1 on; 0: none)
 *   FAULTS_FROM=N   allocations from N on fail
 *   FAULTS_LOG=FILE the report: `allocations COUNT`, then `left BYTES OBJECT+OFFSET` for each block that was not freed
 *
 * Only blocks that were allocated outside of libc are reported: libc keeps some of its own until the end, such as the
 * buffer of stdout. Child processes are not affected.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// libc's own allocator, under the names that it exports
extern void* __libc_malloc(size_t bytes);
extern void* __libc_calloc(size_t count, size_t bytes);
extern void* __libc_realloc(void* block, size_t bytes);
extern void* __libc_memalign(size_t alignment, size_t bytes);
extern void __libc_free(void* block);

// --- which allocation fails -----------------------------------------------------------------------

static atomic_size_t calls;
static size_t fails_at, fails_from; // 0: never
static bool is_armed;

// The file name of the library or program that an address belongs to, without its folder.
static const char* object_of(const void* address, Dl_info* where)
{
    if (!dladdr(address, where) || !where->dli_fname) {
        return "unknown";
    }
    const char* slash = strrchr(where->dli_fname, '/');
    return slash ? slash + 1 : where->dli_fname;
}

static bool fails(void)
{
    if (!is_armed) {
        return false;
    }
    const size_t call = atomic_fetch_add(&calls, 1) + 1;
    if (call != fails_at && (fails_from == 0 || call < fails_from)) {
        return false;
    }
    errno = ENOMEM;
    return true;
}

// --- blocks that are alive ------------------------------------------------------------------------

enum { MOST_BLOCKS = 1 << 20 };

typedef struct entry {
    void* block;
    void* caller;
} entry;

static entry entries[MOST_BLOCKS]; // by open addressing
static size_t alive;
static atomic_flag busy = ATOMIC_FLAG_INIT;
static void* const REMOVED = (void*)1;

static void lock(void)
{
    while (atomic_flag_test_and_set(&busy)) {
    }
}

static void unlock(void)
{
    atomic_flag_clear(&busy);
}

static size_t start_of(const void* block)
{
    return (size_t)(((uintptr_t)block >> 4) * 0x9e3779b97f4a7c15u >> 44) % MOST_BLOCKS;
}

static void* note(void* block, void* caller)
{
    if (!block || !is_armed) {
        return block;
    }
    lock();
    size_t i = start_of(block);
    while (entries[i].block && entries[i].block != REMOVED) {
        i = (i + 1) % MOST_BLOCKS;
    }
    entries[i] = (entry){block, caller};
    if (++alive > MOST_BLOCKS / 2) {
        abort(); // the table is too small for this program
    }
    unlock();
    return block;
}

static void forget(const void* block)
{
    if (!block || !is_armed) {
        return;
    }
    lock();
    size_t i = start_of(block);
    while (entries[i].block && entries[i].block != block) {
        i = (i + 1) % MOST_BLOCKS;
    }
    if (entries[i].block) {
        entries[i].block = REMOVED;
        alive--;
    }
    unlock();
}

// --- the allocator --------------------------------------------------------------------------------

#define CALLER __builtin_return_address(0)

void* malloc(size_t bytes)
{
    return fails() ? NULL : note(__libc_malloc(bytes), CALLER);
}

void* calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : note(__libc_calloc(count, bytes), CALLER);
}

void* realloc(void* block, size_t bytes)
{
    if (fails()) {
        return NULL;
    }
    forget(block);
    void* larger = __libc_realloc(block, bytes);
    note(larger ? larger : block, CALLER);
    return larger;
}

void* memalign(size_t alignment, size_t bytes)
{
    return fails() ? NULL : note(__libc_memalign(alignment, bytes), CALLER);
}

void* aligned_alloc(size_t alignment, size_t bytes)
{
    return fails() ? NULL : note(__libc_memalign(alignment, bytes), CALLER);
}

int posix_memalign(void** to, size_t alignment, size_t bytes)
{
    void* block = fails() ? NULL : note(__libc_memalign(alignment, bytes), CALLER);
    *to = block ? block : *to;
    return block ? 0 : ENOMEM;
}

void free(void* block)
{
    forget(block);
    __libc_free(block);
}

// --- start and end --------------------------------------------------------------------------------

static char log_name[4096];

static size_t number_of(const char* name)
{
    const char* text = getenv(name);
    return text ? (size_t)strtoul(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void start(void)
{
    const char* name = getenv("FAULTS_LOG");
    snprintf(log_name, sizeof log_name, "%s", name ? name : "");
    fails_at = number_of("FAULTS_AT");
    fails_from = number_of("FAULTS_FROM");
    unsetenv("LD_PRELOAD"); // of children
    is_armed = true;
}

static void report_block(const entry* e, int to)
{
    Dl_info where = {.dli_fbase = NULL};
    const char* object = object_of(e->caller, &where);
    if (strncmp(object, "libc.so", 7) != 0 && strncmp(object, "ld-linux", 8) != 0) {
        dprintf(to, "left %zu %s+%#tx\n", malloc_usable_size(e->block), object,
                (char*)e->caller - (char*)where.dli_fbase);
    }
}

__attribute__((destructor)) static void report(void)
{
    is_armed = false;
    const int to = *log_name ? open(log_name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    if (to < 0) {
        return;
    }
    dprintf(to, "allocations %zu\n", atomic_load(&calls));
    for (size_t i = 0; i < MOST_BLOCKS; i++) {
        if (entries[i].block && entries[i].block != REMOVED) {
            report_block(&entries[i], to);
        }
    }
    close(to);
}
