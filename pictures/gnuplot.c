/*
 * gnuplot as a child: a script in, a picture out.
 *
 * gnuplot itself does not notice a full disk, and ends well after half a picture. So the script waits
 * in a temporary file until it is whole, and the picture comes through a pipe: who reads it and writes
 * the file is this process, which notices.
 */
#include "gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "message.h"

extern char** environ;

// Start gnuplot on these descriptors; 0 or the error.
static int spawn(pid_t* child, int script, int picture, int messages)
{
    char* arguments[] = {"gnuplot", "-d", NULL}; // -d: whatever the user's own settings are
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, script, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, picture, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
    const int problem = posix_spawnp(child, "gnuplot", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return problem;
}

// What has no file to lie in.
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

// Start gnuplot on the whole script; gives the end from which its picture is read.
static int start(const gnuplot* g, pid_t* child)
{
    int ends[2];
    if (ferror(g->script) || fflush(g->script) != 0 || lseek(fileno(g->script), 0, SEEK_SET) < 0 ||
        pipe(ends) != 0) {
        fail_to_talk();
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    const int problem = spawn(child, fileno(g->script), ends[1], fileno(g->messages));
    close(ends[1]); // the child's alone, so that its end is seen
    if (problem == ENOENT) {
        message_fail(EXIT_COMPUTATION, "--plot needs gnuplot, which is not installed (Debian and "
                                       "Ubuntu: apt install gnuplot-nox)");
    }
    if (problem) {
        message_fail(EXIT_COMPUTATION, "cannot start gnuplot: %s", strerror(problem));
    }
    return ends[0];
}

// Copy the picture; what cannot be written is read all the same, so that gnuplot comes to its end.
// Gives the bytes read.
static size_t copy(int from, output* to)
{
    char bytes[1 << 16];
    size_t all = 0;
    for (;;) {
        const ssize_t count = read(from, bytes, sizeof bytes);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return all;
        }
        all += (size_t)count;
        output_write(to, bytes, (size_t)count);
    }
}

// The first lines that gnuplot said.
static void read_messages(const gnuplot* g, char* text, size_t room)
{
    rewind(g->messages);
    const size_t length = fread(text, 1, room - 1, g->messages);
    text[length] = '\0';
    while (*text && text[strlen(text) - 1] == '\n') {
        text[strlen(text) - 1] = '\0';
    }
}

void gnuplot_close(gnuplot* g, output* to)
{
    pid_t child;
    const int picture = start(g, &child);
    const size_t bytes = copy(picture, to);
    close(picture);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || bytes == 0) {
        char text[1024];
        read_messages(g, text, sizeof text);
        message_fail(EXIT_COMPUTATION, "gnuplot failed: %s", *text ? text : "it said nothing");
    }
    fclose(g->script);
    fclose(g->messages);
}
