/*
 * The operating system: POSIX.
 */
#include "system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// --- the program ----------------------------------------------------------------------------------

// A file that is opened must not become stdin, stdout or stderr where the caller has closed these. Writing to them
// then is an error, as before.
static void occupy_standard_descriptors(void)
{
    int descriptor;
    do {
        descriptor = open("/dev/null", O_RDONLY);
    } while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor > STDERR_FILENO) {
        close(descriptor);
    }
}

void system_start(int* argc, char*** argv)
{
    (void)argc, (void)argv; // as they are
    occupy_standard_descriptors();
}

bool system_find_program(char path[SYSTEM_PATH])
{
    const ssize_t length = readlink("/proc/self/exe", path, SYSTEM_PATH - 1);
    path[length > 0 ? length : 0] = '\0';
    return length > 0;
}

void system_become(const char* path, char** argv)
{
    execvp(path, argv);
}

// --- time and terminal ----------------------------------------------------------------------------

double system_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t); // async-signal-safe
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void system_sleep(double seconds)
{
    const time_t whole = (time_t)seconds;
    nanosleep(&(struct timespec){whole, (long)(1e9 * (seconds - (double)whole))}, NULL);
}

bool system_is_terminal(FILE* stream)
{
    return isatty(fileno(stream));
}

// --- requests to end ------------------------------------------------------------------------------

static void (*end_handler)(int number, bool can_wait);

static void on_signal(int number)
{
    end_handler(number, number != SIGPIPE && number != SIGQUIT);
}

// Unless the caller (nohup, a shell's background job) wants the signal ignored.
static void arm(int number)
{
    struct sigaction action = {.sa_handler = on_signal}, before;
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
        sigaction(number, &action, NULL);
    }
}

void system_on_end(void (*on_end)(int number, bool can_wait))
{
    end_handler = on_end;
    arm(SIGINT);
    arm(SIGTERM);
    arm(SIGHUP);
    arm(SIGPIPE); // a reader such as `head` has seen enough
    arm(SIGQUIT); // ends at once, also where others wait for the results so far

    // too large a file (ulimit -f) becomes a write error with a message
    signal(SIGXFSZ, SIG_IGN);
}

void system_end_by(int number)
{
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, number);
    signal(number, SIG_DFL);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &one, NULL); // it is blocked inside its own handler
    _exit(128 + number);
}

static sigset_t before_hold;

void system_hold_end(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before_hold);
}

void system_release_end(void)
{
    sigprocmask(SIG_SETMASK, &before_hold, NULL);
}

static void (*alarm_handler)(void);

static void on_alarm(int number)
{
    (void)number;
    alarm_handler();
}

void system_alarm(double seconds, void (*on_time_up)(void))
{
    alarm_handler = on_time_up;
    struct itimerval once = {.it_value = {0}};
    if (on_time_up) {
        signal(SIGALRM, on_alarm);
        once.it_value =
            (struct timeval){(time_t)seconds, (suseconds_t)(1e6 * (seconds - floor(seconds)))};
    }
    setitimer(ITIMER_REAL, &once, NULL);
}

void system_quit(const char* message, int status)
{
    const ssize_t written = write(STDERR_FILENO, message, strlen(message));
    (void)written; // an error here cannot be reported
    _exit(status);
}

// --- paths ----------------------------------------------------------------------------------------

const char* system_find_separator(const char* path)
{
    return strrchr(path, '/');
}

const char* system_name(const char* path)
{
    const char* separator = system_find_separator(path);
    return separator ? separator + 1 : path;
}

bool system_is_absolute(const char* path)
{
    return *path == '/';
}

bool system_current_folder(char path[SYSTEM_PATH])
{
    return getcwd(path, SYSTEM_PATH);
}

const char* system_temporary_folder(void)
{
    const char* folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

// --- files by name --------------------------------------------------------------------------------

bool system_look(const char* path, system_file* out)
{
    struct stat status = {0};
    const bool exists = stat(path, &status) == 0;
    *out = (system_file){.is_regular = S_ISREG(status.st_mode),
                         .is_folder = S_ISDIR(status.st_mode),
                         .device = (uint64_t)status.st_dev,
                         .number = (uint64_t)status.st_ino,
                         .size = (uint64_t)status.st_size,
                         .mode = status.st_mode & 07777};
    return exists;
}

bool system_exists(const char* path)
{
    return access(path, F_OK) == 0;
}

bool system_is_writable(const char* path)
{
    return access(path, W_OK) == 0;
}

bool system_is_older(const char* path, double seconds)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISREG(status.st_mode) &&
           difftime(time(NULL), status.st_mtime) > seconds;
}

FILE* system_open_stream(const char* path, const char* mode)
{
    return fopen(path, mode);
}

bool system_replace(const char* from, const char* to)
{
    return rename(from, to) == 0;
}

// A file system without hard links only has the call that does not refuse an older file.
bool system_rename_new(const char* from, const char* to)
{
    if (link(from, to) == 0) {
        unlink(from);
        return true;
    }
    return errno != EEXIST && rename(from, to) == 0;
}

bool system_remove(const char* path)
{
    return unlink(path) == 0;
}

bool system_make_folder(const char* path)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST;
}

// The folder of a path, with its separator, followed by a name.
static bool put_beside(char path[SYSTEM_PATH], const char* name)
{
    const size_t folder = *name == '/' ? 0 : (size_t)(system_name(path) - path);
    if (folder + strlen(name) >= SYSTEM_PATH) {
        errno = ENAMETOOLONG;
        return false;
    }
    strcpy(path + folder, name);
    return true;
}

bool system_resolve(const char* name, char target[SYSTEM_PATH])
{
    enum { MOST_LINKS = 40 };
    *target = '\0';
    bool fits = put_beside(target, name);
    for (int links = 0; fits; links++) {
        char text[SYSTEM_PATH];
        const ssize_t length = readlink(target, text, sizeof text - 1);
        if (length < 0) {
            return true;
        }
        if (links == MOST_LINKS) {
            errno = ELOOP;
            return false;
        }
        text[length] = '\0';
        fits = put_beside(target, text);
    }
    return false;
}

void system_list(const char* folder, void (*each)(const char* name, void* user), void* user)
{
    DIR* entries = opendir(folder);
    for (struct dirent* e; entries && (e = readdir(entries));) {
        each(e->d_name, user);
    }
    if (entries) {
        closedir(entries);
    }
}

// --- descriptors ----------------------------------------------------------------------------------

int system_create_unique(char* path)
{
    return mkstemp(path);
}

int system_create(const char* path)
{
    return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

int system_open(const char* path, bool is_read_only, bool direct)
{
    return open(path, (is_read_only ? O_RDONLY : O_RDWR) | (direct ? O_NOFOLLOW : 0) | O_CLOEXEC);
}

void system_close(int descriptor)
{
    close(descriptor);
}

FILE* system_to_stream(int descriptor)
{
    return fdopen(descriptor, "wb");
}

// A lock of the whole file, which other machines see, too. A file system without locks refuses nobody.
bool system_lock(int descriptor, bool waits)
{
    const struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int result;
    do {
        result = fcntl(descriptor, waits ? F_SETLKW : F_SETLK, &whole);
    } while (result != 0 && errno == EINTR);
    return result == 0;
}

bool system_is_removed(int descriptor)
{
    struct stat status;
    return fstat(descriptor, &status) == 0 && status.st_nlink == 0;
}

void system_set_mode(int descriptor, const system_file* older)
{
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, older ? (mode_t)older->mode : 0666 & ~mask);
}

uint64_t system_size(int descriptor)
{
    struct stat status;
    return fstat(descriptor, &status) == 0 ? (uint64_t)status.st_size : 0;
}

bool system_write_at(int descriptor, const void* bytes, size_t count, uint64_t offset)
{
    const char* at = bytes;
    while (count > 0) {
        const ssize_t written = pwrite(descriptor, at, count, (off_t)offset);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        const size_t done = written > 0 ? (size_t)written : 0;
        at += done, offset += done, count -= done;
    }
    return true;
}

ptrdiff_t system_read_at(int descriptor, void* bytes, size_t count, uint64_t offset)
{
    ssize_t got;
    do {
        got = pread(descriptor, bytes, count, (off_t)offset);
    } while (got < 0 && errno == EINTR);
    return got;
}

bool system_sync(int descriptor)
{
    return fsync(descriptor) == 0;
}

bool system_sync_stream(FILE* stream)
{
    return fsync(fileno(stream)) == 0;
}

void* system_map(int descriptor, size_t bytes)
{
    void* map = mmap(NULL, bytes, PROT_READ, MAP_SHARED, descriptor, 0);
    return map == MAP_FAILED ? NULL : map;
}

void system_unmap(void* map, size_t bytes)
{
    munmap(map, bytes);
}
