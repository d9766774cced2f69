/*
 * Run gnuplot as a child process: script in, picture out.
 *
 * gnuplot does not notice a full disk: it exits with success after half a picture. So the script is
 * written to a temporary file first, and the picture comes through a pipe: this process writes the
 * file and detects write errors.
 */
#include "gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "message.h"
#include "progress.h"
#include "text.h"

extern char** environ;

// Start gnuplot on these descriptors; 0 or the error.
static int spawn(pid_t* child, int script, int picture, int messages)
{
    char* arguments[] = {"gnuplot", "-d", NULL}; // -d: ignore the user's settings
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, script, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, picture, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
    const int problem = posix_spawnp(child, "gnuplot", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return problem;
}

// An error of pipes or temporary files, which have no name.
_Noreturn static void fail_to_talk(void)
{
    message_fail(EXIT_COMPUTATION, "cannot talk to gnuplot: %s", strerror(errno));
}

gnuplot gnuplot_open(void)
{
    const gnuplot fresh = {tmpfile(), tmpfile()};
    if (!fresh.script || !fresh.messages) {
        fail_to_talk();
    }
    return fresh;
}

// Start gnuplot on the complete script. Returns the descriptor from which the picture is read.
static int start(const gnuplot* g, pid_t* child)
{
    int ends[2];
    if (ferror(g->script) || fflush(g->script) != 0 || lseek(fileno(g->script), 0, SEEK_SET) < 0 ||
        pipe(ends) != 0) {
        fail_to_talk();
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    const int problem = spawn(child, fileno(g->script), ends[1], fileno(g->messages));
    close(ends[1]); // only the child keeps it, so that reading ends with the child
    if (problem == ENOENT) {
        message_fail(EXIT_COMPUTATION, "--plot needs gnuplot, which is not installed (Debian and "
                                       "Ubuntu: apt install gnuplot-nox)");
    }
    if (problem) {
        message_fail(EXIT_COMPUTATION, "cannot start gnuplot: %s", strerror(problem));
    }
    return ends[0];
}

// --- time -----------------------------------------------------------------------------------------

static const double PATIENCE = 300; // for one picture; an animation takes about 10 s [s]
static const char VARIABLE[] = "BRISTLE_GNUPLOT_SECONDS";

static double patience(void)
{
    const char* text = getenv(VARIABLE);
    double seconds = PATIENCE;
    if (text && (!br_text_read_number(text, &seconds) || !(seconds > 0))) {
        message_fail(EXIT_USAGE, "%s=%s: must be a number > 0 [s]", VARIABLE, text);
    }
    return seconds;
}

_Noreturn static void end_gnuplot(pid_t child, double seconds)
{
    kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
    message_fail(
        EXIT_COMPUTATION,
        "gnuplot did not finish within %g s and was stopped; %s=SECONDS gives it more time",
        seconds, VARIABLE);
}

// Wait for data or end of file until the time `end`.
static bool wait_readable(int from, double end)
{
    for (;;) {
        const double left = end - progress_clock();
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

// Wait for the exit of a child until the time `end`.
static bool wait_exit(pid_t child, double end, int* status)
{
    static const struct timespec nap = {.tv_nsec = 5000000};
    for (;;) {
        const pid_t ended = waitpid(child, status, WNOHANG);
        if (ended == child || (ended < 0 && errno != EINTR)) {
            return true;
        }
        if (progress_clock() > end) {
            return false;
        }
        nanosleep(&nap, NULL);
    }
}

// --- pictures -------------------------------------------------------------------------------------

// Copy the picture. After a write error it still reads the rest, so that gnuplot can finish. Returns the bytes
// read, or -1 at the deadline.
static ptrdiff_t copy(int from, output* to, double end)
{
    char bytes[1 << 16];
    ptrdiff_t all = 0;
    while (wait_readable(from, end)) {
        const ssize_t count = read(from, bytes, sizeof bytes);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return all;
        }
        all += count;
        output_write(to, bytes, (size_t)count);
    }
    return -1;
}

// The first lines of gnuplot's messages.
static void read_messages(const gnuplot* g, char* text, size_t size)
{
    rewind(g->messages);
    const size_t length = fread(text, 1, size - 1, g->messages);
    text[length] = '\0';
    while (*text && text[strlen(text) - 1] == '\n') {
        text[strlen(text) - 1] = '\0';
    }
}

void gnuplot_close(gnuplot* g, output* to)
{
    pid_t child;
    const double seconds = patience(), end = progress_clock() + seconds;
    const int picture = start(g, &child);
    const ptrdiff_t bytes = copy(picture, to, end);
    close(picture);
    int status = 0;
    if (bytes < 0 || !wait_exit(child, end, &status)) {
        end_gnuplot(child, seconds);
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || bytes == 0) {
        char text[1024];
        read_messages(g, text, sizeof text);
        message_fail(EXIT_COMPUTATION, "gnuplot failed: %s", *text ? text : "no message");
    }
    fclose(g->script);
    fclose(g->messages);
}
