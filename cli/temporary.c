/*
 * Files that must not outlive the command, however it ends (kill -9 apart).
 *
 * A signal handler may only use what is async-signal-safe: a fixed table of paths and unlink().
 */
#include "temporary.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FILES = 4 };

static char paths[MOST_FILES][PATH_MAX];
static volatile sig_atomic_t used[MOST_FILES];

static void remove_all(void)
{
    for (int i = 0; i < MOST_FILES; i++) {
        if (used[i]) {
            unlink(paths[i]);
            used[i] = 0;
        }
    }
}

// Ends as the shell reports a signal: 128 + its number.
static void on_signal(int number)
{
    remove_all();
    _exit(128 + number);
}

void temporary_arm(void)
{
    atexit(remove_all);
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGPIPE, &action, NULL); // a reader such as `head` has seen enough

    // nohup asks for this one to be ignored
    struct sigaction before;
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
        sigaction(SIGHUP, &action, NULL);
    }

    // too large a file (ulimit -f) becomes a write error with a message
    signal(SIGXFSZ, SIG_IGN);
}

int temporary_create(const char* folder, char* path)
{
    int slot = 0;
    while (slot < MOST_FILES && used[slot]) {
        slot++;
    }
    const int length = snprintf(path, PATH_MAX, "%s/.bristle-XXXXXX", folder);
    if (slot == MOST_FILES || length >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return -1;
    }

    // no signal between making the file and knowing its name
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    const int descriptor = mkstemp(path);
    const int problem = errno;
    if (descriptor >= 0) {
        strcpy(paths[slot], path);
        used[slot] = 1;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = problem;
    return descriptor;
}

void temporary_forget(const char* path)
{
    for (int i = 0; i < MOST_FILES; i++) {
        if (used[i] && strcmp(paths[i], path) == 0) {
            used[i] = 0;
        }
    }
}
