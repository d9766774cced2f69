/*
 * Run gnuplot as a child process: script in, picture out.
 *
 * gnuplot does not notice a full disk: it exits with success after half a picture. So the script is
 * written to a temporary file first, and the picture comes through a pipe: this process writes the
 * file and detects write errors.
 */
#include "gnuplot.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "message.h"
#include "system.h"
#include "temporary.h"
#include "text.h"

// An error of pipes or temporary files, which have no name.
_Noreturn static void fail_to_talk(void)
{
    message_fail(EXIT_COMPUTATION, "cannot talk to gnuplot: %s", strerror(errno));
}

gnuplot gnuplot_open(void)
{
    const gnuplot fresh = {child_open_stream(), child_open_stream()};
    if (!fresh.script || !fresh.messages) {
        fail_to_talk();
    }
    return fresh;
}

// Start gnuplot on the complete script.
static child start(const gnuplot* g)
{
    static const char* const arguments[] = {"gnuplot", "-d",
                                            NULL}; // -d: ignore the user's settings
    if (ferror(g->script) || fflush(g->script) != 0) {
        fail_to_talk();
    }
    child fresh;
    system_hold_end(); // until it is noted
    const int problem = child_start(&fresh, arguments, g->script, g->messages);
    if (!problem) {
        temporary_note_child(fresh.process);
    }
    system_release_end();
    if (problem == ENOENT) {
        message_fail(EXIT_COMPUTATION, "--plot needs gnuplot, which is not installed (Debian and "
                                       "Ubuntu: apt install gnuplot-nox)");
    }
    if (problem) {
        message_fail(EXIT_COMPUTATION, "cannot start gnuplot: %s", strerror(problem));
    }
    return fresh;
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

_Noreturn static void end_gnuplot(const child* c, double seconds)
{
    child_kill(c);
    temporary_forget_child(c->process);
    message_fail(
        EXIT_COMPUTATION,
        "gnuplot did not finish within %g s and was stopped; %s=SECONDS gives it more time",
        seconds, VARIABLE);
}

// --- pictures -------------------------------------------------------------------------------------

// Copy the picture. After a write error it still reads the rest, so that gnuplot can finish. Returns the bytes
// read, or -1 at the deadline.
static ptrdiff_t copy(const child* from, output* to, double end)
{
    char bytes[1 << 16];
    ptrdiff_t all = 0, count;
    while ((count = child_read(from, bytes, sizeof bytes, end)) > 0) {
        all += count;
        output_write(to, bytes, (size_t)count);
    }
    return count < 0 ? -1 : all;
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
    const double seconds = patience(), end = system_clock() + seconds;
    const child process = start(g);
    const ptrdiff_t bytes = copy(&process, to, end);
    child_close(&process);
    int status = 0;
    if (bytes < 0 || !child_wait(&process, end, &status)) {
        end_gnuplot(&process, seconds);
    }
    temporary_forget_child(process.process);
    if (status != 0 || bytes == 0) {
        char text[1024];
        read_messages(g, text, sizeof text);
        message_fail(EXIT_COMPUTATION, "gnuplot failed: %s", *text ? text : "no message");
    }
    fclose(g->script);
    fclose(g->messages);
}
