/*
 * Temporary files, removed however the command ends. Files left by kill -9 are removed by the next command that
 * writes the same target.
 *
 * A signal handler may only use what is async-signal-safe: a fixed table of paths and unlink().
 */
#include "temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { MOST_FILES = 4 };

static char paths[MOST_FILES][PATH_MAX];
static volatile sig_atomic_t used[MOST_FILES];
static volatile sig_atomic_t awaited; // the first signal is only stored
static volatile sig_atomic_t noted;   // its number
static double noted_at;               // when it came [s]

static const double ECHO = 0.5; // repeated signals within this time count as one [s]

static void remove_all(void)
{
    for (int i = 0; i < MOST_FILES; i++) {
        if (used[i]) {
            unlink(paths[i]);
            used[i] = 0;
        }
    }
}

// Seconds of a clock that is async-signal-safe.
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Is this a repetition of the same signal? `timeout` signals the process and then its group.
static bool is_echo(int number)
{
    return noted == number && now() - noted_at < ECHO;
}

// Ends the process by the signal itself, so that a shell's loop sees the cause.
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

// The message at the deadline, and the exit status.
static const char* last_words;
static int last_status;

static void on_time_up(int number)
{
    (void)number;
    const ssize_t written = write(STDERR_FILENO, last_words, strlen(last_words));
    (void)written; // an error here cannot be reported
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

void temporary_cancel_end(void)
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

// --- files ----------------------------------------------------------------------------------------

// The start of the names of all temporary files for a target of this name: ".bristle-1c2d3e4f-".
enum { PREFIX_LENGTH = sizeof ".bristle-1c2d3e4f-" - 1, RANDOM_LENGTH = 6 };

// A hash (FNV-1a) of the target's name, since the name itself may be too long to be part of another name.
static void write_prefix(char to[PREFIX_LENGTH + 1], const char* target)
{
    uint32_t hash = 2166136261u;
    for (const char* at = target; *at; at++) {
        hash = (hash ^ (unsigned char)*at) * 16777619u;
    }
    snprintf(to, PREFIX_LENGTH + 1, ".bristle-%08" PRIx32 "-", hash);
}

// Lock the file while its writer runs, on any machine: the system releases the lock when the process ends.
// `how`: F_SETLK, or F_SETLKW to wait until another process releases the lock.
static bool lock_whole(int descriptor, int how)
{
    const struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int result;
    do {
        result = fcntl(descriptor, how, &whole);
    } while (result != 0 && errno == EINTR);
    return result == 0;
}

// Is this a temporary file of this process? Closing another descriptor of it would release its lock.
static bool is_own(const char* path)
{
    for (int i = 0; i < MOST_FILES; i++) {
        if (used[i] && strcmp(paths[i], path) == 0) {
            return true;
        }
    }
    return false;
}

static void remove_if_stale(const char* path)
{
    const int descriptor = is_own(path) ? -1 : open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor >= 0) {
        if (lock_whole(descriptor, F_SETLK)) {
            unlink(path);
        }
        close(descriptor);
    }
}

// A name from versions up to 0.2, ".bristle-XXXXXX": without target and lock. Six lower-case letters may be a word,
// such as ".bristle-backup": a file of someone else.
static bool is_old_name(const char* name)
{
    static const char start[] = ".bristle-";
    const size_t length = sizeof start - 1;
    return strncmp(name, start, length) == 0 && strlen(name) == length + RANDOM_LENGTH &&
           strspn(name + length,
                  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") ==
               RANDOM_LENGTH &&
           strpbrk(name + length, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
}

// Not written to for a day: its writer has ended.
static bool is_abandoned(const char* path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISREG(status.st_mode) &&
           difftime(time(NULL), status.st_mtime) > 86400.0;
}

// Remove files left by killed writers of the same target, and abandoned files of old versions.
static void remove_stale(const char* folder, const char* prefix)
{
    DIR* entries = opendir(folder);
    for (struct dirent* e; entries && (e = readdir(entries));) {
        char path[PATH_MAX];
        const bool is_ours = strncmp(e->d_name, prefix, PREFIX_LENGTH) == 0 &&
                             strlen(e->d_name) == PREFIX_LENGTH + RANDOM_LENGTH;
        if ((is_ours || is_old_name(e->d_name)) &&
            snprintf(path, sizeof path, "%s/%s", folder, e->d_name) < (int)sizeof path &&
            (is_ours || is_abandoned(path))) {
            remove_if_stale(path);
        }
    }
    if (entries) {
        closedir(entries);
    }
}

// Block signals until the name of the new file is stored.
static int create_known(int slot, char* path)
{
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

// Has another command removed the file before it was locked?
static bool is_removed(int descriptor)
{
    struct stat status;
    return fstat(descriptor, &status) == 0 && status.st_nlink == 0;
}

int temporary_create(const char* folder, const char* target, char* path)
{
    int slot = 0;
    while (slot < MOST_FILES && used[slot]) {
        slot++;
    }
    char prefix[PREFIX_LENGTH + 1];
    write_prefix(prefix, target);
    if (slot == MOST_FILES || snprintf(path, PATH_MAX, "%s/%sXXXXXX", folder, prefix) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return -1;
    }
    remove_stale(folder, prefix);
    for (;;) {
        const int descriptor = create_known(slot, path);
        if (descriptor < 0) {
            return -1;
        }
        lock_whole(descriptor, F_SETLKW); // wait for a command that considers it stale
        if (!is_removed(descriptor)) {
            return descriptor;
        }
        close(descriptor);
        used[slot] = 0;
        strcpy(path + strlen(path) - RANDOM_LENGTH, "XXXXXX");
    }
}

void temporary_forget(const char* path)
{
    for (int i = 0; i < MOST_FILES; i++) {
        if (used[i] && strcmp(paths[i], path) == 0) {
            used[i] = 0;
        }
    }
}
