/*
 * Files that must not outlive the command, however it ends (kill -9 apart).
 *
 * A signal handler may only use what is async-signal-safe: a fixed table of paths and unlink().
 */
#include "temporary.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { MOST_FILES = 4 };

static char paths[MOST_FILES][PATH_MAX];
static volatile sig_atomic_t used[MOST_FILES];
static volatile sig_atomic_t awaited; // is the first signal only noted
static volatile sig_atomic_t noted;   // its number
static double noted_at;               // when it came [s]

static const double ECHO = 0.5; // signals of one wish come within [s]

static void remove_all(void)
{
    for (int i = 0; i < MOST_FILES; i++) {
        if (used[i]) {
            unlink(paths[i]);
            used[i] = 0;
        }
    }
}

// Seconds of a clock that a signal handler may ask.
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Is this the same wish again? `timeout` sends its signal to the process and then to its group.
static bool is_echo(int number)
{
    return noted == number && now() - noted_at < ECHO;
}

// Ends as the signal would have ended it, so that a shell's loop sees what happened.
static void on_signal(int number)
{
    if (is_echo(number)) {
        return;
    }
    if (awaited && !noted && number != SIGPIPE) {
        noted_at = now();
        noted = number;
        return;
    }
    remove_all();
    signal(number, SIG_DFL);
    raise(number);
}

// Clean up on a signal, unless the caller (nohup, a shell's background job) wants it ignored.
static void arm(int number)
{
    struct sigaction action = {.sa_handler = on_signal}, before;
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
        sigaction(number, &action, NULL);
    }
}

void temporary_arm(void)
{
    atexit(remove_all);
    arm(SIGINT);
    arm(SIGTERM);
    arm(SIGHUP);
    arm(SIGPIPE); // a reader such as `head` has seen enough

    // too large a file (ulimit -f) becomes a write error with a message
    signal(SIGXFSZ, SIG_IGN);
}

// What is said when time is up, and the exit status then.
static const char* last_words;
static int last_status;

static void on_time_up(int number)
{
    (void)number;
    const ssize_t said = write(STDERR_FILENO, last_words, strlen(last_words));
    (void)said; // nowhere to complain
    remove_all();
    _exit(last_status);
}

void temporary_end_after(double seconds, const char* message, int status)
{
    static const double LONGEST = 1e8; // of a timer [s]
    static const double SHORTEST = 1e-6;
    if (!(seconds <= LONGEST)) {
        return;
    }
    last_words = message;
    last_status = status;
    signal(SIGALRM, on_time_up);
    const double wait = seconds > SHORTEST ? seconds : SHORTEST;
    const struct itimerval once = {
        .it_value = {(time_t)wait, (suseconds_t)(1e6 * (wait - floor(wait)))}};
    setitimer(ITIMER_REAL, &once, NULL);
}

void temporary_carry_on(void)
{
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
}

void temporary_await_signal(void)
{
    awaited = 1;
}

int temporary_signal(void)
{
    return noted;
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
