/*
 * The loop of a call over its elements, piece by piece; in several threads for long calls.
 *
 *   check the signs -> rounds of 50 ms, in each: threads process pieces -> check for Ctrl-C
 *
 * Results do not depend on the pieces or threads. An output is written after all inputs of its piece were read.
 */
#include "array.h" // before system headers: Python.h requests clock_gettime()

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

// calls longer than this release Python's lock [ns]
static const double ALONE = 1e4;
// interval between checks for Ctrl-C in a long call [ns]
static const double ATTENTION = 5e7;
// smallest work for an additional thread, ten times the cost of starting it [ns]
static const double SHARE = 3e5;

enum {
    MOST_WORKERS = 64,
    PIECES_EACH = 8, // per worker, so that all finish at about the same time
    FIRST_PIECE = 16 // elements of the first piece; later pieces grow with the measured time
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

// Data shared by the threads of a call.
typedef struct work {
    const array_call* call;
    array_loop loop;
    void* context;
    size_t piece;       // max. number of elements of a piece
    double until;       // when the round ends [ns]
    atomic_size_t next; // next unprocessed element
} work;

// A thread and its own memory.
typedef struct worker {
    work* of;
    pthread_t thread;
    double* pieces[ARRAY_MOST]; // buffers of arrays that C cannot use directly
    double* memory;
} worker;

// Address of element `index` of an array.
static char* address_of(const array_call* call, const array* a, size_t index)
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

// Repeat a number that all elements share.
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
        copy_element(a, address_of(call, a, first + i), piece + i * a->size, to_array);
    }
}

// The numbers of a piece of every array, contiguous.
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
    args[ARRAY_MEMORY] = w->memory;
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

// Reserve a piece for a worker. Returns its number of elements; 0: none is left.
static size_t reserve_piece(work* shared, size_t wanted, size_t* first)
{
    const size_t elements = shared->call->elements;
    *first = atomic_fetch_add(&shared->next, wanted);
    const size_t left = *first < elements ? elements - *first : 0;
    return left < wanted ? left : wanted;
}

// Process pieces until none is left or the round ends. Pieces grow while they take less than a tenth of a round.
static void* process_pieces(void* of)
{
    const worker* w = of;
    work* shared = w->of;
    const size_t start = shared->call->cost > 0.1 * ALONE ? 1 : FIRST_PIECE;
    size_t piece = start < shared->piece ? start : shared->piece, first, count;
    double before = 1e9 * clock_now();
    while (before < shared->until && (count = reserve_piece(shared, piece, &first)) > 0) {
        run_piece(w, first, count);
        const double after = 1e9 * clock_now();
        if (after - before < 0.1 * ATTENTION) {
            piece = 2 * piece < shared->piece ? 2 * piece : shared->piece;
        } else if (piece > 1) {
            piece /= 2;
        }
        before = after;
    }
    return NULL;
}

static void end_worker(worker* w)
{
    for (int i = 0; i < w->of->call->count; i++) {
        free(w->pieces[i]);
    }
    free(w->memory);
}

// Allocate a worker's memory. Returns 0 if there is not enough.
static int start_worker(worker* w, work* of)
{
    int ok = 1;
    w->of = of;
    for (int i = 0; i < of->call->count; i++) {
        const array* a = &of->call->arrays[i];
        const int needs = !a->absent && !a->direct && of->piece > 0;
        w->pieces[i] = needs ? malloc(of->piece * a->size * sizeof(double)) : NULL;
        ok = ok && (w->pieces[i] || !needs);
    }
    w->memory = of->call->memory > 0 ? calloc(1, of->call->memory) : NULL;
    ok = ok && (w->memory || of->call->memory == 0);
    if (!ok) {
        end_worker(w);
    }
    return ok;
}

// One round with as many threads as can be started, including the caller's.
static void run_round(worker* workers, int count)
{
    int started = 1;
    while (started < count &&
           pthread_create(&workers[started].thread, NULL, process_pieces, &workers[started]) == 0) {
        started++;
    }
    process_pieces(&workers[0]);
    for (int i = 1; i < started; i++) {
        pthread_join(workers[i].thread, NULL);
    }
}

static int run_rounds(work* of, worker* workers, int count)
{
    atomic_store(&of->next, 0);
    while (atomic_load(&of->next) < of->call->elements) {
        Py_BEGIN_ALLOW_THREADS
        of->until = 1e9 * clock_now() + ATTENTION;
        run_round(workers, count);
        Py_END_ALLOW_THREADS
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
    while (count < wanted && start_worker(&workers[count], of)) {
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
    const size_t elements = of->call->elements;
    of->piece = elements < ARRAY_PIECE ? elements : ARRAY_PIECE;
    if (!start_worker(&alone, of)) {
        PyErr_NoMemory();
        return 0;
    }
    for (size_t first = 0; first < elements; first += of->piece) {
        run_piece(&alone, first, elements - first < of->piece ? elements - first : of->piece);
    }
    end_worker(&alone);
    return 1;
}

// Reject negative numbers where they are not allowed, before anything is written.
static int check_signs(const array_call* call)
{
    for (int i = 0; i < call->count; i++) {
        const array* a = &call->arrays[i];
        const size_t count = a->leading == 0 && call->elements > 0 ? 1 : call->elements;
        for (size_t k = 0; a->not_negative && k < count; k++) {
            double number;
            memcpy(&number, a->direct ? a->data + k * sizeof(double) : address_of(call, a, k),
                   sizeof number);
            if (number < 0.0) {
                raise_argument(a->name, "must be >= 0, got %g", number);
                return 0;
            }
        }
    }
    return 1;
}

// A short call whose arrays can all be used directly needs no thread memory. Returns 0 for any other call.
static int run_direct(const array_call* call, array_loop loop, void* context)
{
    double* args[ARRAY_MOST + 1];
    for (int i = 0; i < call->count; i++) {
        const array* a = &call->arrays[i];
        if (!a->absent && !a->direct) {
            return 0;
        }
        args[i] = a->absent ? NULL : (double*)(void*)a->data;
    }
    args[ARRAY_MEMORY] = NULL;
    loop(context, call->elements, args);
    return 1;
}

int array_loop_over(array_call* call, array_loop loop, void* context)
{
    if (!check_signs(call)) {
        return 0;
    }
    const int is_long = (double)call->elements * call->cost > ALONE;
    if (!is_long && call->memory == 0 && run_direct(call, loop, context)) {
        return 1;
    }
    work of = {.call = call, .loop = loop, .context = context};
    return is_long ? run_long(&of) : run_short(&of);
}
