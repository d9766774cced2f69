/*
 * Computations that Ctrl-C can abandon.
 *
 *   copy the work -> a thread computes; the caller wakes every 50 ms and checks for Ctrl-C -> copy it back
 *
 * After Ctrl-C the caller returns. A fit then stops at its next check, other computations run to their end. The thread
 * does not use Python, so it may outlive the interpreter; the next call of beside_run() frees its results.
 */
#include "beside.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const long CHECK_INTERVAL = 50000000; // for Ctrl-C [ns]

typedef struct job {
    pthread_mutex_t lock;
    pthread_cond_t ended;
    int is_done; // protected by the lock
    atomic_int is_left;
    void (*run)(void*);
    void (*discard)(void*);
    PyObject* keeps;
    struct job* next; // next abandoned job
    max_align_t work[];
} job;

static job* abandoned; // protected by Python's lock
static _Thread_local job* own;

static void* compute(void* of)
{
    job* j = own = of;
    j->run(j->work);
    pthread_mutex_lock(&j->lock);
    j->is_done = 1;
    pthread_cond_signal(&j->ended);
    pthread_mutex_unlock(&j->lock);
    return NULL;
}

static void free_job(job* j)
{
    pthread_mutex_destroy(&j->lock);
    pthread_cond_destroy(&j->ended);
    Py_XDECREF(j->keeps);
    free(j);
}

// Free abandoned jobs that have finished.
static void free_finished(void)
{
    for (job** at = &abandoned; *at;) {
        job* j = *at;
        pthread_mutex_lock(&j->lock);
        const int is_done = j->is_done;
        pthread_mutex_unlock(&j->lock);
        if (!is_done) {
            at = &j->next;
            continue;
        }
        *at = j->next;
        if (j->discard) {
            j->discard(j->work);
        }
        free_job(j);
    }
}

// Wait briefly for the job. Returns 1 if it has finished.
static int wait_shortly(job* j)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += CHECK_INTERVAL;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    int status = 0;
    pthread_mutex_lock(&j->lock);
    while (!j->is_done && status == 0) {
        status = pthread_cond_timedwait(&j->ended, &j->lock, &until);
    }
    const int is_done = j->is_done;
    pthread_mutex_unlock(&j->lock);
    return is_done;
}

static int wait_for(job* j)
{
    for (int is_done = 0; !is_done;) {
        Py_BEGIN_ALLOW_THREADS
        is_done = wait_shortly(j);
        Py_END_ALLOW_THREADS
        if (!is_done && PyErr_CheckSignals() < 0) {
            atomic_store(&j->is_left, 1);
            j->next = abandoned;
            abandoned = j;
            return 0;
        }
    }
    return 1;
}

static job* create_job(const void* work, size_t size, PyObject* keeps)
{
    job* j = calloc(1, sizeof *j + size);
    if (!j) {
        PyErr_NoMemory();
        return NULL;
    }
    pthread_mutex_init(&j->lock, NULL);
    pthread_cond_init(&j->ended, NULL);
    Py_XINCREF(keeps);
    j->keeps = keeps;
    memcpy(j->work, work, size);
    return j;
}

int beside_is_left(void)
{
    return own && atomic_load(&own->is_left);
}

int beside_run(void* work, size_t size, void (*run)(void*), void (*discard)(void*), PyObject* keeps)
{
    free_finished();
    job* j = create_job(work, size, keeps);
    if (!j) {
        return 0;
    }
    j->run = run;
    j->discard = discard;
    pthread_t thread;
    if (pthread_create(&thread, NULL, compute, j) == 0) {
        pthread_detach(thread);
        if (!wait_for(j)) {
            return 0;
        }
    } else { // no thread could be started
        Py_BEGIN_ALLOW_THREADS
        run(j->work);
        Py_END_ALLOW_THREADS
    }
    memcpy(work, j->work, size);
    free_job(j);
    return 1;
}
