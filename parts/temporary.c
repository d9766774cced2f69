/*
 * Temporary files, removed however the command ends. Files left by kill -9 are removed by the next command that
 * writes the same target.
 *
 * A signal handler may only use what is async-signal-safe: a fixed table of paths and system_remove().
 */
#include "temporary.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "system.h"

enum { MOST_FILES = 4, MOST_CHILDREN = 64 };

static char paths[MOST_FILES][SYSTEM_PATH];
static volatile sig_atomic_t used[MOST_FILES];
static volatile intptr_t children[MOST_CHILDREN]; // processes that end with this one; 0: none
static volatile sig_atomic_t awaited;             // the first signal is only stored
static volatile sig_atomic_t noted;               // its number
static double noted_at;                           // when it came [s]

static const double ECHO = 0.5; // repeated signals within this time count as one [s]

static void remove_all(void)
{
    for (int i = 0; i < MOST_CHILDREN; i++) {
        if (children[i]) {
            child_end(children[i]);
            children[i] = 0;
        }
    }
    for (int i = 0; i < MOST_FILES; i++) {
        if (used[i]) {
            system_remove(paths[i]);
            used[i] = 0;
        }
    }
}

// Is this a repetition of the same signal? `timeout` signals the process and then its group.
static bool is_echo(int number)
{
    return noted == number && system_clock() - noted_at < ECHO;
}

static void on_end(int number, bool can_wait)
{
    if (is_echo(number)) {
        return;
    }
    if (awaited && !noted && can_wait) {
        noted_at = system_clock();
        noted = number;
        return;
    }
    remove_all();
    system_end_by(number);
}

void temporary_arm(void)
{
    atexit(remove_all);
    system_on_end(on_end);
}

// The message at the deadline, and the exit status.
static const char* last_words;
static int last_status;

static void on_time_up(void)
{
    remove_all();
    system_quit(last_words, last_status);
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
    system_alarm(seconds > SHORTEST ? seconds : SHORTEST, on_time_up);
}

void temporary_cancel_end(void)
{
    system_alarm(0, NULL);
}

void temporary_await_signal(void)
{
    awaited = 1;
}

int temporary_signal(void)
{
    return noted;
}

// --- processes ------------------------------------------------------------------------------------

static void replace_child(intptr_t from, intptr_t to)
{
    for (int i = 0; i < MOST_CHILDREN; i++) {
        if (children[i] == from) {
            children[i] = to;
            return;
        }
    }
}

void temporary_note_child(intptr_t process)
{
    replace_child(0, process);
}

void temporary_forget_child(intptr_t process)
{
    replace_child(process, 0);
}

void temporary_become_child(void)
{
    for (int i = 0; i < MOST_CHILDREN; i++) {
        children[i] = 0;
    }
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

// A writer locks its file while it runs, on any machine: the system releases the lock when the process ends.
static void remove_if_stale(const char* path)
{
    const int descriptor = is_own(path) ? -1 : system_open(path, false, true);
    if (descriptor >= 0) {
        if (system_lock(descriptor, false)) {
            system_remove(path);
        }
        system_close(descriptor);
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

// A folder whose files of killed writers are removed.
typedef struct stale {
    const char* folder;
    const char* prefix; // of the names of temporary files for the target
} stale;

static void consider(const char* name, void* user)
{
    static const double ABANDONED = 86400; // its writer has ended [s]
    const stale* s = user;
    const bool is_ours = strncmp(name, s->prefix, PREFIX_LENGTH) == 0 &&
                         strlen(name) == PREFIX_LENGTH + RANDOM_LENGTH;
    char path[SYSTEM_PATH];
    if ((is_ours || is_old_name(name)) &&
        snprintf(path, sizeof path, "%s/%s", s->folder, name) < (int)sizeof path &&
        (is_ours || system_is_older(path, ABANDONED))) {
        remove_if_stale(path);
    }
}

void temporary_remove_stale(const char* folder, const char* target)
{
    char prefix[PREFIX_LENGTH + 1];
    write_prefix(prefix, target);
    stale s = {folder, prefix};
    system_list(folder, consider, &s);
}

// No request to end comes in between until the name of the new file is stored.
static int create_known(int slot, char* path)
{
    system_hold_end();
    const int descriptor = system_create_unique(path);
    const int problem = errno;
    if (descriptor >= 0) {
        strcpy(paths[slot], path);
        used[slot] = 1;
    }
    system_release_end();
    errno = problem;
    return descriptor;
}

int temporary_create(const char* folder, const char* target, char* path)
{
    int slot = 0;
    while (slot < MOST_FILES && used[slot]) {
        slot++;
    }
    char prefix[PREFIX_LENGTH + 1];
    write_prefix(prefix, target);
    if (slot == MOST_FILES ||
        snprintf(path, SYSTEM_PATH, "%s/%sXXXXXX", folder, prefix) >= SYSTEM_PATH) {
        errno = ENAMETOOLONG;
        return -1;
    }
    temporary_remove_stale(folder, target);
    for (;;) {
        const int descriptor = create_known(slot, path);
        if (descriptor < 0) {
            return -1;
        }
        system_lock(descriptor, true); // wait for a command that considers it stale
        if (!system_is_removed(descriptor)) {
            return descriptor;
        }
        system_close(descriptor);
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
