/*
 * Child processes: Windows.
 */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include "system.h"
#include "wide.h"

static HANDLE handle_of(FILE* stream)
{
    return (HANDLE)_get_osfhandle(_fileno(stream));
}

// tmpfile() would create it in the root of the drive, where few may write.
FILE* child_open_stream(void)
{
    char path[SYSTEM_PATH];
    wchar_t wide[WIDE_PATH];
    const char* folder = system_temporary_folder();
    if (snprintf(path, sizeof path, "%s/bristle-XXXXXX", folder) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    const int descriptor = system_create_unique(path); // finds a name
    if (descriptor < 0) {
        return NULL;
    }
    system_close(descriptor);
    return _wfopen(windows_widen(path, wide), L"w+bTD"); // removed when it is closed
}

// Let the next child inherit a handle.
static HANDLE share(HANDLE handle)
{
    SetHandleInformation(handle, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
    return handle;
}

static int spawn(child* c, const char* const* arguments, HANDLE input, HANDLE output,
                 HANDLE messages)
{
    enum { LONGEST_LINE = 1024 };
    wchar_t line[LONGEST_LINE] = L"";
    for (const char* const* at = arguments; *at; at++) {
        if (!windows_append_argument(line, LONGEST_LINE, *at)) {
            return E2BIG;
        }
    }
    STARTUPINFOW start = {.cb = sizeof start,
                          .dwFlags = STARTF_USESTDHANDLES,
                          .hStdInput = share(input),
                          .hStdOutput = share(output),
                          .hStdError = share(messages)};
    PROCESS_INFORMATION process;
    if (!CreateProcessW(NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &process)) {
        windows_fail();
        return errno;
    }
    CloseHandle(process.hThread);
    c->process = (intptr_t)process.hProcess;
    return 0;
}

int child_start(child* c, const char* const* arguments, FILE* input, FILE* messages)
{
    HANDLE from, to;
    rewind(input);
    if (!CreatePipe(&from, &to, NULL, 1 << 16)) {
        windows_fail();
        return errno;
    }
    const int problem = spawn(c, arguments, handle_of(input), to, handle_of(messages));
    CloseHandle(to); // only the child keeps it, so that reading ends with the child
    if (problem) {
        CloseHandle(from);
        return problem;
    }
    c->output = _open_osfhandle((intptr_t)from, _O_BINARY | _O_NOINHERIT);
    return c->output < 0 ? errno : 0;
}

static const double NAP = 0.005; // between two looks [s]

ptrdiff_t child_read(const child* c, void* bytes, size_t count, double end)
{
    const HANDLE from = (HANDLE)_get_osfhandle(c->output);
    for (;;) {
        DWORD waiting = 0, got = 0;
        if (!PeekNamedPipe(from, NULL, 0, NULL, &waiting, NULL)) {
            return 0; // the child has closed it
        }
        if (waiting > 0) {
            return ReadFile(from, bytes, (DWORD)count, &got, NULL) ? (ptrdiff_t)got : 0;
        }
        if (system_clock() > end) {
            return -1;
        }
        system_sleep(NAP);
    }
}

bool child_wait(const child* c, double end, int* status)
{
    while (WaitForSingleObject((HANDLE)c->process, (DWORD)(1e3 * NAP)) != WAIT_OBJECT_0) {
        if (system_clock() > end) {
            return false;
        }
    }
    DWORD code = 1;
    GetExitCodeProcess((HANDLE)c->process, &code);
    CloseHandle((HANDLE)c->process);
    *status = (int)code;
    return true;
}

void child_end(intptr_t process)
{
    TerminateProcess((HANDLE)process, 1);
}

void child_kill(const child* c)
{
    child_end(c->process);
    WaitForSingleObject((HANDLE)c->process, INFINITE);
    CloseHandle((HANDLE)c->process);
}

void child_close(const child* c)
{
    _close(c->output);
}
