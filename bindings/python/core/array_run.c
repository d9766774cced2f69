/*
 * The loop of a call over its elements, piece by piece; in several threads where it takes long.
 *
 *   check the signs -> rounds of some 50 ms, in each: threads take pieces until none is left -> look for Ctrl-C
 *
 * What an element gives does not depend on its piece or thread. An element of an output is written after all
 * inputs of its piece were read.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"

// a call longer than this lets other threads of Python run meanwhile [ns]
static const double ALONE = 1e4;
// how often a long call looks whether the user wants it to stop [ns]
static const double ATTENTION = 5e7;
// a thread of its own is begun for no less than this, ten times what it takes to begin it [ns]
static const double SHARE = 3e5;

enum {
    MOST_WORKERS = 64,
    PIECES_EACH = 8 // for each worker, so that they end at about the same time
};

static int workers_wanted = 1;

void array_set_workers(int count)
{
    workers_wanted = count < MOST_WORKERS ? count : MOST_WORKERS;
}

int array_get_workers(void)
{
    return workers_wanted;
}

// What the threads of a call share.
typedef struct work {
    const array_call* call;
    array_loop loop;
    void* context;
    size_t piece;       // elements of a piece
    size_t end;         // of the round
    atomic_size_t next; // element that nobody has taken
} work;

// A thread, and memory of its own.
typedef struct worker {
    work* of;
    pthread_t thread;
    double* pieces[ARRAY_MOST]; // of arrays that do not lie as C wants them
    double* room;
} worker;

// Where element `index` of an array begins.
static char* place(const array_call* call, const array* a, size_t index)
{
    char* at = a->data;
    for (int i = call->leading - 1; i >= 0; i--) {
        at += (Py_ssize_t)(index % (size_t)call->shape[i]) * a->step[i];
        index /= (size_t)call->shape[i];
    }
    return at;
}

static void copy_element(const array* a, char* at, double* numbers, int to_array)
{
    const Py_ssize_t columns = a->rank == 2 ? a->core[1] : 1;
    for (Py_ssize_t k = 0; k < (Py_ssize_t)a->size; k++) {
        char* number = at;
        if (a->rank > 0) {
            number += k / columns * a->core_step[0];
        }
        if (a->rank == 2) {
            number += k % columns * a->core_step[1];
        }
        if (to_array) {
            memcpy(number, &numbers[k], sizeof(double));
        } else {
            memcpy(&numbers[k], number, sizeof(double));
        }
    }
}

// A number that all elements share.
static void repeat(const array* a, double* piece, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        memcpy(&piece[i], a->data, sizeof(double));
    }
}

static void copy_piece(const array_call* call, const array* a, size_t first, size_t count,
                       double* piece, int to_array)
{
    for (size_t i = 0; i < count; i++) {
        copy_element(a, place(call, a, first + i), piece + i * a->size, to_array);
    }
}

// The numbers of a piece of every array, where C wants them.
static void gather(const worker* w, size_t first, size_t count, double** args)
{
    const array_call* call = w->of->call;
    for (int i = 0; i < call->count; i++) {
        const array* a = &call->arrays[i];
        args[i] = w->pieces[i];
        if (a->absent) {
            continue;
        }
        if (a->direct) {
            args[i] = (double*)(void*)a->data + first * a->size;
        } else if (a->leading == 0 && a->rank == 0) {
            repeat(a, args[i], count);
        } else if (a->use != ARRAY_OUT) {
            copy_piece(call, a, first, count, args[i], 0);
        }
    }
    args[ARRAY_ROOM] = w->room;
}

static void scatter(const worker* w, size_t first, size_t count)
{
    const array_call* call = w->of->call;
    for (int i = 0; i < call->count; i++) {
        const array* a = &call->arrays[i];
        if (!a->absent && !a->direct && a->use != ARRAY_IN) {
            copy_piece(call, a, first, count, w->pieces[i], 1);
        }
    }
}

static void run_piece(const worker* w, size_t first, size_t count)
{
    double* args[ARRAY_MOST + 1];
    gather(w, first, count, args);
    w->of->loop(w->of->context, count, args);
    scatter(w, first, count);
}

// Pieces until none of the round is left.
static void* take_pieces(void* of)
{
    const worker* w = of;
    work* shared = w->of;
    size_t first;
    while ((first = atomic_fetch_add(&shared->next, shared->piece)) < shared->end) {
        const size_t left = shared->end - first;
        run_piece(w, first, left < shared->piece ? left : shared->piece);
    }
    return NULL;
}

static void end_worker(worker* w)
{
    for (int i = 0; i < w->of->call->count; i++) {
        free(w->pieces[i]);
    }
    free(w->room);
}

// A worker's memory. Returns 0 with none where there is not enough.
static int begin_worker(worker* w, work* of)
{
    int ok = 1;
    w->of = of;
    for (int i = 0; i < of->call->count; i++) {
        const array* a = &of->call->arrays[i];
        const int needs = !a->absent && !a->direct && of->piece > 0;
        w->pieces[i] = needs ? malloc(of->piece * a->size * sizeof(double)) : NULL;
        ok = ok && (w->pieces[i] || !needs);
    }
    w->room = of->call->room > 0 ? calloc(1, of->call->room) : NULL;
    ok = ok && (w->room || of->call->room == 0);
    if (!ok) {
        end_worker(w);
    }
    return ok;
}

// One round: as many threads as can be had, the caller's among them.
static void run_round(worker* workers, int count)
{
    int begun = 1;
    while (begun < count &&
           pthread_create(&workers[begun].thread, NULL, take_pieces, &workers[begun]) == 0) {
        begun++;
    }
    take_pieces(&workers[0]);
    for (int i = 1; i < begun; i++) {
        pthread_join(workers[i].thread, NULL);
    }
}

static int run_rounds(work* of, worker* workers, int count)
{
    const size_t elements = of->call->elements;
    const double round = (double)count * ATTENTION / of->call->cost;
    size_t first = 0;
    while (first < elements) {
        const size_t left = elements - first;
        of->end = first + ((double)left > round ? (size_t)round + 1 : left);
        atomic_store(&of->next, first);
        Py_BEGIN_ALLOW_THREADS
        run_round(workers, count);
        Py_END_ALLOW_THREADS
        first = of->end;
        if (PyErr_CheckSignals() < 0) {
            return 0;
        }
    }
    return 1;
}

static int worker_count(const array_call* call)
{
    const double shares = (double)call->elements * call->cost / SHARE;
    if (shares < 1.0) {
        return 1;
    }
    return shares < (double)workers_wanted ? (int)shares : workers_wanted;
}

static int run_long(work* of)
{
    worker workers[MOST_WORKERS];
    const int wanted = worker_count(of->call);
    const size_t share = of->call->elements / ((size_t)wanted * PIECES_EACH) + 1;
    int count = 0;
    of->piece = share < ARRAY_PIECE ? share : ARRAY_PIECE;
    while (count < wanted && begin_worker(&workers[count], of)) {
        count++;
    }
    if (count == 0) {
        PyErr_NoMemory();
        return 0;
    }
    const int ok = run_rounds(of, workers, count);
    while (count-- > 0) {
        end_worker(&workers[count]);
    }
    return ok;
}

static int run_short(work* of)
{
    worker alone;
    of->piece = of->call->elements < ARRAY_PIECE ? of->call->elements : ARRAY_PIECE;
    of->end = of->call->elements;
    if (!begin_worker(&alone, of)) {
        PyErr_NoMemory();
        return 0;
    }
    take_pieces(&alone);
    end_worker(&alone);
    return 1;
}

// Refuse negative numbers where they make no sense, before anything is written.
static int check_signs(const array_call* call)
{
    for (int i = 0; i < call->count; i++) {
        const array* a = &call->arrays[i];
        for (size_t k = 0; a->not_negative && k < call->elements; k++) {
            double number;
            memcpy(&number, a->direct ? a->data + k * sizeof(double) : place(call, a, k),
                   sizeof number);
            if (number < 0.0) {
                raise_argument(a->name, "must be >= 0, got %g", number);
                return 0;
            }
        }
    }
    return 1;
}

int array_loop_over(array_call* call, array_loop loop, void* context)
{
    work of = {.call = call, .loop = loop, .context = context};
    if (!check_signs(call)) {
        return 0;
    }
    return (double)call->elements * call->cost > ALONE ? run_long(&of) : run_short(&of);
}
