/*
 * The operating system: Windows.
 */
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include <shellapi.h>

#include "memory.h"
#include "wide.h"

// --- texts and errors -----------------------------------------------------------------------------

const wchar_t* windows_widen(const char* path, wchar_t to[WIDE_PATH])
{
    enum { PLAIN = 240, PREFIX = 4, ROOM = WIDE_PATH - PREFIX };
    wchar_t plain[WIDE_PATH];
    *to = L'\0';
    if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, plain, WIDE_PATH) == 0) {
        return to;
    }
    if (wcslen(plain) < PLAIN || wcsncmp(plain, L"\\\\", 2) == 0) {
        return wcscpy(to, plain);
    }
    wcscpy(to, L"\\\\?\\");
    const DWORD length = GetFullPathNameW(plain, ROOM, to + PREFIX, NULL);
    if (length == 0 || length >= ROOM) {
        *to = L'\0';
    }
    return to;
}

bool windows_narrow(const wchar_t* text, char* to, size_t size)
{
    if (WideCharToMultiByte(CP_UTF8, 0, text, -1, to, (int)size, NULL, NULL) > 0) {
        return true;
    }
    errno = ENAMETOOLONG;
    return false;
}

bool windows_fail(void)
{
    static const struct {
        DWORD error;
        int number;
    } table[] = {{ERROR_FILE_NOT_FOUND, ENOENT},      {ERROR_PATH_NOT_FOUND, ENOENT},
                 {ERROR_INVALID_NAME, ENOENT},        {ERROR_ACCESS_DENIED, EACCES},
                 {ERROR_SHARING_VIOLATION, EACCES},   {ERROR_LOCK_VIOLATION, EAGAIN},
                 {ERROR_FILE_EXISTS, EEXIST},         {ERROR_ALREADY_EXISTS, EEXIST},
                 {ERROR_DISK_FULL, ENOSPC},           {ERROR_HANDLE_DISK_FULL, ENOSPC},
                 {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},   {ERROR_OUTOFMEMORY, ENOMEM},
                 {ERROR_TOO_MANY_OPEN_FILES, EMFILE}, {ERROR_WRITE_PROTECT, EROFS},
                 {ERROR_BROKEN_PIPE, EPIPE},          {ERROR_NO_DATA, EPIPE},
                 {ERROR_DIRECTORY, ENOTDIR},          {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG}};
    const DWORD error = GetLastError();
    errno = EIO;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        errno = table[i].error == error ? table[i].number : errno;
    }
    return false;
}

// Backslashes are doubled before a quote and at the end, quotes get one.
bool windows_append_argument(wchar_t* line, size_t size, const char* argument)
{
    wchar_t wide[WIDE_PATH];
    if (MultiByteToWideChar(CP_UTF8, 0, argument, -1, wide, WIDE_PATH) == 0 ||
        wcslen(line) + 2 * wcslen(wide) + 4 > size) {
        return false;
    }
    wchar_t* to = line + wcslen(line);
    *to++ = L'"';
    size_t slashes = 0;
    for (const wchar_t* at = wide;; at++) {
        if (*at == L'"' || *at == L'\0') {
            for (; slashes > 0; slashes--) {
                *to++ = L'\\';
            }
        }
        if (*at == L'\0') {
            break;
        }
        if (*at == L'"') {
            *to++ = L'\\';
        }
        slashes = *at == L'\\' ? slashes + 1 : 0;
        *to++ = *at;
    }
    wcscpy(to, L"\" ");
    return true;
}

// --- the program ----------------------------------------------------------------------------------

static UINT code_page; // of the console before

static void restore_console(void)
{
    SetConsoleOutputCP(code_page);
}

void system_start(int* argc, char*** argv)
{
    _setmode(_fileno(stdout), _O_BINARY);
    code_page = GetConsoleOutputCP();
    if (code_page != 0 && code_page != CP_UTF8) {
        SetConsoleOutputCP(CP_UTF8);
        atexit(restore_console);
    }
    int count;
    wchar_t** wide = CommandLineToArgvW(GetCommandLineW(), &count);
    if (!wide) {
        return;
    }
    char** list = memory_allocate((size_t)count + 1, sizeof *list);
    for (int i = 0; i < count; i++) {
        const size_t bytes = 3 * wcslen(wide[i]) + 1;
        list[i] = memory_allocate(bytes, 1);
        windows_narrow(wide[i], list[i], bytes);
    }
    LocalFree(wide);
    *argc = count;
    *argv = list;
}

bool system_find_program(char path[SYSTEM_PATH])
{
    wchar_t wide[WIDE_PATH];
    const DWORD length = GetModuleFileNameW(NULL, wide, WIDE_PATH);
    return length > 0 && length < WIDE_PATH && windows_narrow(wide, path, SYSTEM_PATH);
}

// There is no exec: the other program runs as a child. Ctrl-C reaches both; this one waits for it.
void system_become(const char* path, char** argv)
{
    enum { LONGEST_LINE = 32768 };
    wchar_t* line = memory_allocate(LONGEST_LINE, sizeof *line);
    for (char** at = argv; *at; at++) {
        if (!windows_append_argument(line, LONGEST_LINE, at == argv ? path : *at)) {
            return;
        }
    }
    STARTUPINFOW start = {.cb = sizeof start};
    PROCESS_INFORMATION child;
    fflush(NULL);
    if (!CreateProcessW(NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &child)) {
        return;
    }
    SetConsoleCtrlHandler(NULL, TRUE);
    WaitForSingleObject(child.hProcess, INFINITE);
    DWORD status = 1;
    GetExitCodeProcess(child.hProcess, &status);
    exit((int)status);
}

// --- time and terminal ----------------------------------------------------------------------------

double system_clock(void)
{
    LARGE_INTEGER count, rate;
    QueryPerformanceCounter(&count);
    QueryPerformanceFrequency(&rate);
    return (double)count.QuadPart / (double)rate.QuadPart;
}

void system_sleep(double seconds)
{
    Sleep((DWORD)(1e3 * seconds));
}

// Consoles understand escape sequences from Windows 10 on, when asked to.
bool system_is_terminal(FILE* stream)
{
    const HANDLE console = (HANDLE)_get_osfhandle(_fileno(stream));
    DWORD mode;
    return _isatty(_fileno(stream)) && GetConsoleMode(console, &mode) &&
           SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

// --- requests to end ------------------------------------------------------------------------------

static void (*end_handler)(int number, bool can_wait);
static CRITICAL_SECTION held; // requests wait for it

// In a thread of its own. Windows ends the process after a window is closed, whatever this returns.
static BOOL WINAPI on_event(DWORD event)
{
    const bool is_key = event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT;
    EnterCriticalSection(&held);
    end_handler(is_key ? SIGINT : SIGTERM, is_key);
    LeaveCriticalSection(&held);
    return TRUE;
}

void system_on_end(void (*on_end)(int number, bool can_wait))
{
    InitializeCriticalSection(&held);
    end_handler = on_end;
    SetConsoleCtrlHandler(on_event, TRUE);
}

void system_end_by(int number)
{
    static const UINT BY_CTRL_C = 0xC000013A; // STATUS_CONTROL_C_EXIT
    (void)number;
    TerminateProcess(GetCurrentProcess(), BY_CTRL_C);
    abort(); // not reached
}

void system_hold_end(void)
{
    EnterCriticalSection(&held);
}

void system_release_end(void)
{
    LeaveCriticalSection(&held);
}

static HANDLE timer;

static VOID CALLBACK on_timer(PVOID user, BOOLEAN fired)
{
    (void)fired;
    void (*on_time_up)(void);
    memcpy(&on_time_up, &user, sizeof on_time_up);
    on_time_up();
}

void system_alarm(double seconds, void (*on_time_up)(void))
{
    static const double LONGEST = 4e6; // of a timer [s]
    if (timer) {
        DeleteTimerQueueTimer(NULL, timer, NULL);
        timer = NULL;
    }
    if (on_time_up && seconds < LONGEST) {
        void* user;
        memcpy(&user, &on_time_up, sizeof user);
        CreateTimerQueueTimer(&timer, NULL, on_timer, user, (DWORD)(1e3 * seconds), 0,
                              WT_EXECUTEONLYONCE);
    }
}

void system_quit(const char* message, int status)
{
    DWORD written;
    WriteFile(GetStdHandle(STD_ERROR_HANDLE), message, (DWORD)strlen(message), &written, NULL);
    TerminateProcess(GetCurrentProcess(), (UINT)status);
    abort(); // not reached
}

// --- paths ----------------------------------------------------------------------------------------

// "C:" and what follows
static bool has_drive(const char* path)
{
    const char letter = (char)(*path | 0x20);
    return letter >= 'a' && letter <= 'z' && path[1] == ':';
}

const char* system_find_separator(const char* path)
{
    const char* last = has_drive(path) ? path + 1 : NULL;
    for (const char* at = path; *at; at++) {
        last = *at == '/' || *at == '\\' ? at : last;
    }
    return last;
}

const char* system_name(const char* path)
{
    const char* separator = system_find_separator(path);
    return separator ? separator + 1 : path;
}

bool system_is_absolute(const char* path)
{
    return *path == '/' || *path == '\\' || has_drive(path);
}

bool system_current_folder(char path[SYSTEM_PATH])
{
    wchar_t wide[WIDE_PATH];
    const DWORD length = GetCurrentDirectoryW(WIDE_PATH, wide);
    return length > 0 && length < WIDE_PATH ? windows_narrow(wide, path, SYSTEM_PATH)
                                            : windows_fail();
}

// TMP, TEMP, or a folder of the user
const char* system_temporary_folder(void)
{
    static char folder[SYSTEM_PATH];
    wchar_t wide[WIDE_PATH];
    const DWORD length = GetTempPathW(WIDE_PATH, wide);
    if (length == 0 || length >= WIDE_PATH || !windows_narrow(wide, folder, sizeof folder)) {
        return ".";
    }
    char* last = folder + strlen(folder) - 1;
    if (last > folder + 2 && (*last == '\\' || *last == '/')) { // not that of "C:\"
        *last = '\0';
    }
    return folder;
}

// --- files by name --------------------------------------------------------------------------------

// Open without access, to look at a file or folder.
static HANDLE open_to_look(const char* path)
{
    wchar_t wide[WIDE_PATH];
    return CreateFileW(windows_widen(path, wide), 0,
                       FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                       FILE_FLAG_BACKUP_SEMANTICS, NULL);
}

bool system_look(const char* path, system_file* out)
{
    *out = (system_file){.size = 0};
    const HANDLE file = open_to_look(path);
    if (file == INVALID_HANDLE_VALUE) {
        return windows_fail();
    }
    BY_HANDLE_FILE_INFORMATION about;
    if (GetFileType(file) == FILE_TYPE_DISK && GetFileInformationByHandle(file, &about)) {
        out->is_folder = about.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY;
        out->is_regular = !out->is_folder;
        out->device = about.dwVolumeSerialNumber;
        out->number = (uint64_t)about.nFileIndexHigh << 32 | about.nFileIndexLow;
        out->size = (uint64_t)about.nFileSizeHigh << 32 | about.nFileSizeLow;
    }
    CloseHandle(file);
    return true;
}

static DWORD attributes_of(const char* path)
{
    wchar_t wide[WIDE_PATH];
    return GetFileAttributesW(windows_widen(path, wide));
}

bool system_exists(const char* path)
{
    return attributes_of(path) != INVALID_FILE_ATTRIBUTES || windows_fail();
}

bool system_is_writable(const char* path)
{
    const DWORD attributes = attributes_of(path);
    if (attributes == INVALID_FILE_ATTRIBUTES) {
        return windows_fail();
    }
    errno = EACCES;
    return !(attributes & FILE_ATTRIBUTE_READONLY);
}

bool system_is_older(const char* path, double seconds)
{
    wchar_t wide[WIDE_PATH];
    WIN32_FILE_ATTRIBUTE_DATA about;
    FILETIME now;
    GetSystemTimeAsFileTime(&now);
    if (!GetFileAttributesExW(windows_widen(path, wide), GetFileExInfoStandard, &about) ||
        about.dwFileAttributes & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT)) {
        return false;
    }
    const FILETIME then = about.ftLastWriteTime; // in units of 100 ns
    const int64_t from = (int64_t)((uint64_t)then.dwHighDateTime << 32 | then.dwLowDateTime);
    const int64_t to = (int64_t)((uint64_t)now.dwHighDateTime << 32 | now.dwLowDateTime);
    return 1e-7 * (double)(to - from) > seconds;
}

FILE* system_open_stream(const char* path, const char* mode)
{
    wchar_t wide[WIDE_PATH], wide_mode[8];
    mbstowcs(wide_mode, mode, 8);
    return _wfopen(windows_widen(path, wide), wide_mode);
}

bool system_replace(const char* from, const char* to)
{
    wchar_t source[WIDE_PATH], target[WIDE_PATH];
    return MoveFileExW(windows_widen(from, source), windows_widen(to, target),
                       MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) ||
           windows_fail();
}

bool system_rename_new(const char* from, const char* to)
{
    wchar_t source[WIDE_PATH], target[WIDE_PATH];
    return MoveFileExW(windows_widen(from, source), windows_widen(to, target),
                       MOVEFILE_WRITE_THROUGH) ||
           windows_fail();
}

bool system_remove(const char* path)
{
    wchar_t wide[WIDE_PATH];
    return DeleteFileW(windows_widen(path, wide)) || windows_fail();
}

bool system_make_folder(const char* path)
{
    wchar_t wide[WIDE_PATH];
    return CreateDirectoryW(windows_widen(path, wide), NULL) ||
           GetLastError() == ERROR_ALREADY_EXISTS || windows_fail();
}

// Only a link to a file that exists is followed: another one is replaced.
bool system_resolve(const char* name, char target[SYSTEM_PATH])
{
    const DWORD attributes = attributes_of(name);
    const bool is_link =
        attributes != INVALID_FILE_ATTRIBUTES && attributes & FILE_ATTRIBUTE_REPARSE_POINT;
    const HANDLE file = is_link ? open_to_look(name) : INVALID_HANDLE_VALUE;
    if (file == INVALID_HANDLE_VALUE) {
        errno = ENAMETOOLONG;
        return snprintf(target, SYSTEM_PATH, "%s", name) < SYSTEM_PATH;
    }
    wchar_t wide[WIDE_PATH];
    const DWORD length = GetFinalPathNameByHandleW(file, wide, WIDE_PATH, 0);
    CloseHandle(file);
    return length > 0 && length < WIDE_PATH ? windows_narrow(wide, target, SYSTEM_PATH)
                                            : windows_fail();
}

void system_list(const char* folder, void (*each)(const char* name, void* user), void* user)
{
    char pattern[SYSTEM_PATH], name[SYSTEM_PATH];
    wchar_t wide[WIDE_PATH];
    if (snprintf(pattern, sizeof pattern, "%s/*", folder) >= (int)sizeof pattern) {
        return;
    }
    WIN32_FIND_DATAW entry;
    const HANDLE entries = FindFirstFileW(windows_widen(pattern, wide), &entry);
    bool is_there = entries != INVALID_HANDLE_VALUE;
    while (is_there) {
        if (windows_narrow(entry.cFileName, name, sizeof name)) {
            each(name, user);
        }
        is_there = FindNextFileW(entries, &entry);
    }
    if (entries != INVALID_HANDLE_VALUE) {
        FindClose(entries);
    }
}

// --- descriptors ----------------------------------------------------------------------------------

static HANDLE handle_of(int descriptor)
{
    return (HANDLE)_get_osfhandle(descriptor);
}

// Files that are open may be renamed and removed, as on other systems, and children do not inherit them.
static int open_shared(const char* path, DWORD access, DWORD how, DWORD flags)
{
    wchar_t wide[WIDE_PATH];
    const HANDLE file = CreateFileW(windows_widen(path, wide), access,
                                    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                    how, FILE_ATTRIBUTE_NORMAL | flags, NULL);
    if (file == INVALID_HANDLE_VALUE) {
        windows_fail();
        return -1;
    }
    const int descriptor = _open_osfhandle((intptr_t)file, _O_BINARY | _O_NOINHERIT);
    if (descriptor < 0) {
        CloseHandle(file);
    }
    return descriptor;
}

int system_create_unique(char* path)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    enum { RANDOM = 6, TRIES = 100, COUNT = sizeof letters - 1 };
    char* end = path + strlen(path) - RANDOM;
    for (int i = 0; i < TRIES; i++) {
        LARGE_INTEGER seed;
        QueryPerformanceCounter(&seed);
        uint64_t x =
            (uint64_t)seed.QuadPart + ((uint64_t)GetCurrentProcessId() << 32) + (uint64_t)i;
        for (int k = 0; k < RANDOM; k++) {
            x = x * 6364136223846793005u + 1442695040888963407u;
            end[k] = letters[(x >> 33) % COUNT];
        }
        const int descriptor = system_create(path);
        if (descriptor >= 0 || errno != EEXIST) {
            return descriptor;
        }
    }
    return -1;
}

int system_create(const char* path)
{
    return open_shared(path, GENERIC_READ | GENERIC_WRITE, CREATE_NEW, 0);
}

int system_open(const char* path, bool is_read_only, bool direct)
{
    return open_shared(path, GENERIC_READ | (is_read_only ? 0 : GENERIC_WRITE), OPEN_EXISTING,
                       direct ? FILE_FLAG_OPEN_REPARSE_POINT : 0);
}

void system_close(int descriptor)
{
    _close(descriptor);
}

FILE* system_to_stream(int descriptor)
{
    return _fdopen(descriptor, "wb");
}

// Locks keep others from reading and writing, so the lock is on a byte that no file has. One that this descriptor has
// already would be in the way.
bool system_lock(int descriptor, bool waits)
{
    OVERLAPPED beyond = {.OffsetHigh = 0x7fffffff};
    const DWORD how = LOCKFILE_EXCLUSIVE_LOCK | (waits ? 0 : LOCKFILE_FAIL_IMMEDIATELY);
    UnlockFileEx(handle_of(descriptor), 0, 1, 0, &beyond);
    return LockFileEx(handle_of(descriptor), how, 0, 1, 0, &beyond) || windows_fail();
}

bool system_is_removed(int descriptor)
{
    FILE_STANDARD_INFO about;
    return GetFileInformationByHandleEx(handle_of(descriptor), FileStandardInfo, &about,
                                        sizeof about) &&
           (about.DeletePending || about.NumberOfLinks == 0);
}

void system_set_mode(int descriptor, const system_file* older)
{
    (void)descriptor, (void)older; // a new file has the permissions of its folder
}

uint64_t system_size(int descriptor)
{
    LARGE_INTEGER size;
    return GetFileSizeEx(handle_of(descriptor), &size) ? (uint64_t)size.QuadPart : 0;
}

enum { MOST_BYTES = 1 << 30 }; // of one call

static OVERLAPPED place(uint64_t offset)
{
    return (OVERLAPPED){.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
}

bool system_write_at(int descriptor, const void* bytes, size_t count, uint64_t offset)
{
    const char* at = bytes;
    while (count > 0) {
        OVERLAPPED where = place(offset);
        DWORD done = 0;
        const DWORD some = count < MOST_BYTES ? (DWORD)count : MOST_BYTES;
        if (!WriteFile(handle_of(descriptor), at, some, &done, &where)) {
            return windows_fail();
        }
        at += done, offset += done, count -= done;
    }
    return true;
}

ptrdiff_t system_read_at(int descriptor, void* bytes, size_t count, uint64_t offset)
{
    OVERLAPPED where = place(offset);
    DWORD done = 0;
    const DWORD some = count < MOST_BYTES ? (DWORD)count : MOST_BYTES;
    if (!ReadFile(handle_of(descriptor), bytes, some, &done, &where)) {
        return GetLastError() == ERROR_HANDLE_EOF ? 0 : windows_fail() - 1;
    }
    return done;
}

bool system_sync(int descriptor)
{
    return FlushFileBuffers(handle_of(descriptor)) || windows_fail();
}

bool system_sync_stream(FILE* stream)
{
    return system_sync(_fileno(stream));
}

void* system_map(int descriptor, size_t bytes)
{
    const HANDLE mapping =
        CreateFileMappingW(handle_of(descriptor), NULL, PAGE_READONLY, 0, 0, NULL);
    void* map = mapping ? MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, bytes) : NULL;
    if (!map) {
        windows_fail();
    }
    if (mapping) {
        CloseHandle(mapping); // the view keeps it
    }
    return map;
}

void system_unmap(void* map, size_t bytes)
{
    (void)bytes;
    UnmapViewOfFile(map);
}
