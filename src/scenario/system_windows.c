/*
 * The operating system: Windows. Names of files are UTF-8 and may be longer than 260 characters.
 */
#include "scenario/system.h"

#include <errno.h>
#include <fenv.h>
#include <io.h>
#include <process.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <windows.h>

#include "bristle/base.h"

// --- bytes ----------------------------------------------------------------------------------------

enum {
    LONGEST_PATH = 4096, // [characters], of any path
    LONGEST_PLAIN = 240, // of one that Windows takes without the prefix below
    PREFIX_LENGTH = 4,   // of L"\\\\?\\"
    STACK = 8 << 20      // of a thread [bytes], as on Linux
};

// The path as Windows takes it; "" where it is not UTF-8 or too long.
static const wchar_t* widen(const char* path, wchar_t to[LONGEST_PATH])
{
    wchar_t plain[LONGEST_PATH] = L"";
    *to = L'\0';
    if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, plain, LONGEST_PATH) == 0) {
        return to;
    }
    if (wcslen(plain) < LONGEST_PLAIN || wcsncmp(plain, L"\\\\", 2) == 0) {
        return wcscpy(to, plain);
    }
    wcscpy(to, L"\\\\?\\");
    const DWORD room = LONGEST_PATH - PREFIX_LENGTH;
    const DWORD length = GetFullPathNameW(plain, room, to + PREFIX_LENGTH, NULL);
    if (length == 0 || length >= room) {
        *to = L'\0';
    }
    return to;
}

static FILE* file_of(stream* from)
{
    return (FILE*)(void*)from;
}

static bool is_directory(const wchar_t* path)
{
    const DWORD attributes = GetFileAttributesW(path);
    return attributes != INVALID_FILE_ATTRIBUTES && attributes & FILE_ATTRIBUTE_DIRECTORY;
}

stream* bri_stream_open(pool* memory, const char* path, const char** why)
{
    wchar_t wide[LONGEST_PATH];
    if (is_directory(widen(path, wide))) { // opening it would fail for lack of permission
        *why = "is a directory, not a file";
        return NULL;
    }
    FILE* file = _wfopen(wide, L"rb");
    if (!file && errno == ENOMEM) {
        bri_pool_fail(memory);
    }
    if (!file) {
        *why = bri_pool_format(memory, "cannot be read: %s", strerror(errno));
    }
    return (stream*)(void*)file;
}

int bri_stream_get(stream* from)
{
    const int c = getc(file_of(from));
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

enum { TO_EXIST = 0, TO_READ = 4 }; // modes of _waccess()

bool bri_stream_exists(const char* path)
{
    wchar_t wide[LONGEST_PATH];
    return _waccess(widen(path, wide), TO_EXIST) == 0;
}

bool bri_stream_is_readable(const char* path, const char** why)
{
    wchar_t wide[LONGEST_PATH];
    if (_waccess(widen(path, wide), TO_READ) != 0) {
        *why = strerror(errno);
        return false;
    }
    *why = is_directory(wide) ? "it is a directory" : "";
    return !**why;
}

// --- paths ----------------------------------------------------------------------------------------

// "C:" and what follows
static bool has_drive(const char* path)
{
    const char letter = (char)(*path | 0x20);
    return letter >= 'a' && letter <= 'z' && path[1] == ':';
}

const char* bri_path_find_separator(const char* path)
{
    const char* last = has_drive(path) ? path + 1 : NULL;
    for (const char* at = path; *at; at++) {
        last = *at == '/' || *at == '\\' ? at : last;
    }
    return last;
}

bool bri_path_is_absolute(const char* path)
{
    return *path == '/' || *path == '\\' || has_drive(path);
}

// --- threads --------------------------------------------------------------------------------------

struct system_lock {
    SRWLOCK lock;
};

system_lock* bri_lock_create(void)
{
    system_lock* lock = br_allocate(1, sizeof *lock);
    if (lock) {
        InitializeSRWLock(&lock->lock);
    }
    return lock;
}

void bri_lock_destroy(system_lock* lock)
{
    br_release(lock);
}

void bri_lock_take(system_lock* lock)
{
    AcquireSRWLockExclusive(&lock->lock);
}

void bri_lock_give(system_lock* lock)
{
    ReleaseSRWLockExclusive(&lock->lock);
}

typedef struct helper {
    uintptr_t thread;
    void (*work)(void* item);
    void* item;
    const fenv_t* rounding; // of the caller
} helper;

// Windows starts a thread with x87 arithmetic of 53 bits, mingw-w64 the program with 64, in which it computes exp() and
// others: results would depend on the thread.
static unsigned __stdcall start_helper(void* user)
{
    const helper* h = user;
    fesetenv(h->rounding);
    h->work(h->item);
    return 0;
}

void bri_threads_run(void (*work)(void* item), void* items, size_t bytes, size_t count)
{
    fenv_t rounding;
    fegetenv(&rounding);
    helper* helpers = br_allocate(count, sizeof *helpers); // without memory the caller works alone
    size_t used = 1;
    for (bool is_started = helpers; is_started && used < count; used += is_started) {
        helper* h = &helpers[used];
        h->work = work;
        h->item = (char*)items + used * bytes;
        h->rounding = &rounding;
        h->thread =
            _beginthreadex(NULL, STACK, start_helper, h, STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
        is_started = h->thread != 0;
    }
    work(items);
    for (size_t i = 1; i < used; i++) {
        WaitForSingleObject((HANDLE)helpers[i].thread, INFINITE);
        CloseHandle((HANDLE)helpers[i].thread);
    }
    br_release(helpers);
}

// --- processors -----------------------------------------------------------------------------------

// Processors of the affinity mask; it covers one group of at most 64.
size_t bri_system_count_processors(void)
{
    DWORD_PTR allowed = 0, all = 0;
    size_t count = 0;
    if (GetActiveProcessorGroupCount() > 1 ||
        !GetProcessAffinityMask(GetCurrentProcess(), &allowed, &all)) {
        return GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    }
    for (; allowed; allowed &= allowed - 1) {
        count++;
    }
    return count > 0 ? count : 1;
}
