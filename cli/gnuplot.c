/*
 * gnuplot as a child: a script in, a picture out.
 */
#include "gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
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

gnuplot gnuplot_open(int picture)
{
    gnuplot pipe_to = {-1, NULL, tmpfile()};
    int ends[2];
    if (!pipe_to.messages || pipe(ends) != 0) {
        message_fail(EXIT_COMPUTATION, "cannot talk to gnuplot: %s", strerror(errno));
    }
    // if the child held the writing end, it would never see the end of the script
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    const int problem = spawn(&pipe_to.child, ends[0], picture, fileno(pipe_to.messages));
    close(ends[0]);
    if (problem == ENOENT) {
        message_fail(EXIT_COMPUTATION, "--plot needs gnuplot, which is not installed (Debian and "
                                       "Ubuntu: apt install gnuplot-nox)");
    }
    if (problem) {
        message_fail(EXIT_COMPUTATION, "cannot start gnuplot: %s", strerror(problem));
    }
    // a gnuplot that ends early is reported by its status, not by our death
    signal(SIGPIPE, SIG_IGN);
    pipe_to.script = fdopen(ends[1], "w");
    if (!pipe_to.script) {
        message_fail(EXIT_COMPUTATION, "cannot talk to gnuplot: %s", strerror(errno));
    }
    return pipe_to;
}

// The first lines that gnuplot said.
static void read_messages(const gnuplot* pipe_to, char* text, size_t room)
{
    rewind(pipe_to->messages);
    const size_t length = fread(text, 1, room - 1, pipe_to->messages);
    text[length] = '\0';
    while (*text && text[strlen(text) - 1] == '\n') {
        text[strlen(text) - 1] = '\0';
    }
}

void gnuplot_close(gnuplot* pipe_to, output* to)
{
    fclose(pipe_to->script);
    int status = 0;
    while (waitpid(pipe_to->child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || !output_has_content(to)) {
        char text[1024];
        read_messages(pipe_to, text, sizeof text);
        message_fail(EXIT_COMPUTATION, "gnuplot failed: %s", *text ? text : "it said nothing");
    }
    fclose(pipe_to->messages);
}
