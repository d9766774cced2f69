/*
 * Items computed in parallel, each in its own process.
 */
#include "workers.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "memory.h"
#include "message.h"
#include "progress.h"
#include "system.h"
#include "temporary.h"

// What a child that came to its end exits with, plus its outcome: no other exit means that.
enum { CAME_TO_END = 40 };

// A child at work.
typedef struct worker {
    pid_t child; // 0: idle
    job* job;
    FILE* report;   // the child writes its part of the report here
    FILE* messages; // and what it prints on stderr here
    double start;   // [s]
} worker;

// The child: make the item, write its report, end.
_Noreturn static void work(const worker* w, const char* folder, bool as_published)
{
    dup2(fileno(w->messages), STDERR_FILENO);
    study s = {.item = w->job->item, .folder = folder, .as_published = as_published};
    s.item->make(&s);
    fprintf(w->report, "%s\n", study_summary(&s));
    study_report(&s, w->report);
    const outcome end = fflush(w->report) != 0 ? OUTCOME_FAILED : study_outcome(&s);
    _exit(CAME_TO_END + (int)end);
}

static void start(worker* w, job* j, const char* folder, bool as_published)
{
    *w = (worker){.job = j, .report = tmpfile(), .messages = tmpfile(), .start = progress_clock()};
    fflush(NULL);      // or the child writes what is ours again
    system_hold_end(); // until it is noted
    w->child = w->report && w->messages ? fork() : -1;
    if (w->child == 0) {
        temporary_become_child();
    } else if (w->child > 0) {
        temporary_note_child(w->child);
    }
    system_release_end();
    if (w->child < 0) {
        message_fail(EXIT_COMPUTATION, "cannot start a worker: %s", strerror(errno));
    }
    if (w->child == 0) {
        work(w, folder, as_published);
    }
}

// All that was written to a file that the child shares.
static char* read_all(FILE* from)
{
    const long length = (fseek(from, 0, SEEK_END), ftell(from));
    char* text = memory_allocate((size_t)(length > 0 ? length : 0) + 1, 1);
    rewind(from);
    text[fread(text, 1, (size_t)(length > 0 ? length : 0), from)] = '\0';
    fclose(from);
    return text;
}

// The first line of what a child wrote is its verdict in words, the rest its report.
static void split_report(char* text, job* j)
{
    char* end = strchr(text, '\n');
    *end = '\0';
    j->summary = text;
    j->report = end + 1;
}

static const char* report_failure(const item* what, const char* messages)
{
    return memory_format("## %s: %s\n\n**could not be made**: %s\n\n", what->name, what->title,
                         *messages ? messages : "it ended without a message");
}

static void finish(worker* w, int status, bool quiet)
{
    static const char* const words[] = {"agrees", "shown", "differs, because", "DIFFERS", "FAILED"};
    job* j = w->job;
    const bool came_to_end = WIFEXITED(status) && WEXITSTATUS(status) >= CAME_TO_END;
    j->outcome = came_to_end ? (outcome)(WEXITSTATUS(status) - CAME_TO_END) : OUTCOME_FAILED;
    char* report = read_all(w->report);
    const char* messages = read_all(w->messages);
    if (j->outcome == OUTCOME_FAILED) {
        j->summary = "**could not be made**";
        j->report = report_failure(j->item, messages);
    } else {
        split_report(report, j);
    }
    j->seconds = progress_clock() - w->start;
    if (!quiet) {
        fprintf(stderr, "%-12s %7.1f s  %s\n", j->item->name, j->seconds, words[j->outcome]);
        fputs(messages, stderr);
    }
    w->child = 0;
}

// Wait for one child to end.
static void wait_for_one(worker* workers, size_t count, bool quiet)
{
    int status = 0;
    pid_t child;
    while ((child = waitpid(-1, &status, 0)) < 0 && errno == EINTR) {
    }
    temporary_forget_child(child);
    for (size_t i = 0; i < count; i++) {
        if (workers[i].child == child) {
            finish(&workers[i], status, quiet);
        }
    }
}

static worker* find_idle(worker* workers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (workers[i].child == 0) {
            return &workers[i];
        }
    }
    return NULL;
}

// The job to start next: the one of the greatest effort among those not started, or NULL.
static job* choose_next(job* jobs, size_t count, const bool* started)
{
    job* next = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!started[i] && jobs[i].item->make &&
            (!next || jobs[i].item->effort > next->item->effort)) {
            next = &jobs[i];
        }
    }
    return next;
}

void workers_run(job* jobs, size_t count, size_t workers, const char* folder, bool as_published,
                 bool quiet)
{
    worker* all = memory_allocate(workers, sizeof *all);
    bool* started = memory_allocate(count, sizeof *started);
    size_t busy = 0;
    job* next;
    while ((next = choose_next(jobs, count, started)) || busy > 0) {
        worker* idle = find_idle(all, workers);
        if (next && idle) {
            start(idle, next, folder, as_published);
            started[next - jobs] = true;
            busy++;
        } else {
            wait_for_one(all, workers, quiet);
            busy--;
        }
    }
}
