/*
 * The operating system: POSIX.
 */
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the system's own names
#define _GNU_SOURCE      // sched_getaffinity()
#define _DARWIN_C_SOURCE // _SC_NPROCESSORS_ONLN of macOS
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

#include "scenario/system.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bristle/base.h"

#ifdef __linux__
#include <sched.h>
#endif

// --- bytes ----------------------------------------------------------------------------------------

static FILE* file_of(stream* from)
{
    return (FILE*)(void*)from;
}

// A directory can be opened, but not read.
static bool is_directory(const char* path)
{
    struct stat status = {0};
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

stream* bri_stream_open(pool* memory, const char* path, const char** why)
{
    FILE* file = fopen(path, "rb");
    if (!file && errno == ENOMEM) {
        bri_pool_fail(memory);
    }
    if (!file) {
        *why = bri_pool_format(memory, "cannot be read: %s", strerror(errno));
        return NULL;
    }

    if (is_directory(path)) {
        fclose(file);
        *why = "is a directory, not a file";
        return NULL;
    }
    return (stream*)(void*)file;
}

int bri_stream_get(stream* from)
{
    const int c = getc_unlocked(file_of(from));
    return c == EOF ? -1 : c;
}

const char* bri_stream_error(stream* from)
{
    return ferror(file_of(from)) ? strerror(errno) : NULL;
}

void bri_stream_close(void* from)
{
    fclose(file_of(from));
}

bool bri_stream_exists(const char* path)
{
    return access(path, F_OK) == 0;
}

bool bri_stream_is_readable(const char* path, const char** why)
{
    if (access(path, R_OK) != 0) {
        *why = strerror(errno);
        return false;
    }
    *why = is_directory(path) ? "it is a directory" : "";
    return !**why;
}

// --- paths ----------------------------------------------------------------------------------------

const char* bri_path_find_separator(const char* path)
{
    return strrchr(path, '/');
}

bool bri_path_is_absolute(const char* path)
{
    return *path == '/';
}

// --- threads --------------------------------------------------------------------------------------

struct system_lock {
    pthread_mutex_t mutex;
};

system_lock* bri_lock_create(void)
{
    system_lock* lock = br_allocate(1, sizeof *lock);
    if (lock) {
        pthread_mutex_init(&lock->mutex, NULL);
    }
    return lock;
}

void bri_lock_destroy(system_lock* lock)
{
    if (lock) {
        pthread_mutex_destroy(&lock->mutex);
        br_release(lock);
    }
}

void bri_lock_take(system_lock* lock)
{
    pthread_mutex_lock(&lock->mutex);
}

void bri_lock_give(system_lock* lock)
{
    pthread_mutex_unlock(&lock->mutex);
}

typedef struct helper {
    pthread_t thread;
    void (*work)(void* item);
    void* item;
} helper;

static void* start_helper(void* user)
{
    const helper* h = user;
    h->work(h->item);
    return NULL;
}

void bri_threads_run(void (*work)(void* item), void* items, size_t bytes, size_t count)
{
    helper* helpers = br_allocate(count, sizeof *helpers); // without memory the caller works alone
    size_t used = 1;
    for (bool is_started = helpers; is_started && used < count; used += is_started) {
        helper* h = &helpers[used];
        h->work = work;
        h->item = (char*)items + used * bytes;
        is_started = pthread_create(&h->thread, NULL, start_helper, h) == 0;
    }
    work(items);
    for (size_t i = 1; i < used; i++) {
        pthread_join(helpers[i].thread, NULL);
    }
    br_release(helpers);
}

// --- processors -----------------------------------------------------------------------------------

#ifdef __linux__
// Processors of the affinity mask (taskset, cpusets); SIZE_MAX: unknown. The kernel rejects too short masks.
static size_t count_affinity(void)
{
    enum { MIN = 1024, MAX = 1 << 18 };
    size_t count = 0;
    for (int processors = MIN; count == 0 && processors <= MAX; processors *= 2) {
        const size_t bytes = CPU_ALLOC_SIZE(processors);
        cpu_set_t* mask = br_allocate(1, bytes);
        if (mask && sched_getaffinity(0, bytes, mask) == 0) {
            count = (size_t)CPU_COUNT_S(bytes, mask);
        }
        br_release(mask);
    }
    return count > 0 ? count : SIZE_MAX;
}
#else
static size_t count_affinity(void)
{
    return SIZE_MAX;
}
#endif

size_t bri_system_count_processors(void)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t count = online > 0 ? (size_t)online : 1, allowed = count_affinity();
    return count < allowed ? count : allowed;
}
