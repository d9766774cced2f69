/*
 * Child processes: POSIX.
 */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "system.h"

extern char** environ;

FILE* child_open_stream(void)
{
    return tmpfile();
}

// Start a program on these descriptors; 0 or the error.
static int spawn(pid_t* process, const char* const* arguments, int input, int output, int messages)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
    // it gets all signals, also where the caller holds them back until it has noted the child
    posix_spawnattr_t attributes;
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    const int problem =
        posix_spawnp(process, *arguments, &actions, &attributes, (char* const*)arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return problem;
}

int child_start(child* c, const char* const* arguments, FILE* input, FILE* messages)
{
    int ends[2];
    if (lseek(fileno(input), 0, SEEK_SET) < 0 || pipe(ends) != 0) {
        return errno;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    pid_t process = -1;
    const int problem = spawn(&process, arguments, fileno(input), ends[1], fileno(messages));
    close(ends[1]); // only the child keeps it, so that reading ends with the child
    if (problem) {
        close(ends[0]);
    }
    *c = (child){.process = process, .output = ends[0]};
    return problem;
}

// Wait for data or the end of the output until the time `end`.
static bool wait_readable(int from, double end)
{
    for (;;) {
        const double left = end - system_clock();
        struct pollfd one = {.fd = from, .events = POLLIN};
        const int count = left > 0 ? poll(&one, 1, (int)fmin(1e3 * left + 1, 1e6)) : 0;
        if (count > 0) {
            return true;
        }
        if (left <= 0 || (count < 0 && errno != EINTR)) {
            return false;
        }
    }
}

ptrdiff_t child_read(const child* c, void* bytes, size_t count, double end)
{
    while (wait_readable(c->output, end)) {
        const ssize_t got = read(c->output, bytes, count);
        if (got >= 0 || errno != EINTR) {
            return got > 0 ? got : 0;
        }
    }
    return -1;
}

bool child_wait(const child* c, double end, int* status)
{
    static const double NAP = 0.005; // [s]
    for (int how = 0;;) {
        const pid_t ended = waitpid((pid_t)c->process, &how, WNOHANG);
        if (ended == c->process || (ended < 0 && errno != EINTR)) {
            *status = WIFEXITED(how) ? WEXITSTATUS(how)
                                     : -1; // of a child that is not ours to wait for: 0
            return true;
        }
        if (system_clock() > end) {
            return false;
        }
        system_sleep(NAP);
    }
}

void child_end(intptr_t process)
{
    kill((pid_t)process, SIGKILL);
}

void child_kill(const child* c)
{
    child_end(c->process);
    while (waitpid((pid_t)c->process, NULL, 0) < 0 && errno == EINTR) {
    }
}

void child_close(const child* c)
{
    close(c->output);
}
