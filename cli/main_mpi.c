/*
 * bristle-mpi: bristle sweep on many processes. bristle sweep starts it under mpirun.
 *
 * Rank 0 is the leader: it assigns cases in batches to the ranks that request them, keeps the journal and writes the
 * results. Its main thread answers requests while its other threads compute. The other ranks request a batch, compute it,
 * and send the results with their next request. The result of a case does not depend on the rank that computes it.
 *
 *   request   number of results, seconds they took, results: index, inputs, outputs, length of the error text, error text
 *   answer    indices of cases; none: the sweep is finished
 */
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "memory.h"
#include "message.h"
#include "output.h"
#include "program.h"
#include "progress.h"
#include "sweep.h"
#include "temporary.h"

enum { LEADER, TAG_REQUEST = 1, TAG_ANSWER, MAX_CASES = 1024 };

static const double BATCH_SECONDS = 0.1; // time that a batch of cases should take [s]

// --- messages -------------------------------------------------------------------------------------

// A growing buffer; numbers have eight bytes in the machine's byte order.
typedef struct bytes {
    char* at;
    size_t count, capacity;
} bytes;

static void append(bytes* to, const void* from, size_t count)
{
    if (to->count + count > to->capacity) {
        to->capacity = 2 * (to->count + count);
        to->at = memory_grow(to->at, to->capacity, 1);
    }
    memcpy(to->at + to->count, from, count);
    to->count += count;
}

static void append_count(bytes* to, uint64_t number)
{
    append(to, &number, sizeof number);
}

static void extract(const char** from, void* to, size_t count)
{
    // a message has as many bytes as its sender appended
    // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker)
    memcpy(to, *from, count);
    *from += count;
}

static uint64_t extract_count(const char** from)
{
    uint64_t number;
    extract(from, &number, sizeof number);
    return number;
}

static void receive(bytes* into, int rank, int tag, MPI_Status* status)
{
    int count;
    MPI_Probe(rank, tag, MPI_COMM_WORLD, status);
    MPI_Get_count(status, MPI_BYTE, &count);
    if ((size_t)count > into->capacity) {
        into->capacity = (size_t)count;
        into->at = memory_grow(into->at, into->capacity, 1);
    }
    into->count = (size_t)count;
    MPI_Recv(into->at, count, MPI_BYTE, status->MPI_SOURCE, tag, MPI_COMM_WORLD, status);
}

// --- worker ---------------------------------------------------------------------------------------

// The cases of a batch and their results.
typedef struct batch {
    const br_sweep_run_def* def;
    size_t inputs, outputs;
    uint64_t cases[MAX_CASES];
    size_t count, next;
    uint64_t done;
    bytes results;
} batch;

static bool next_of_batch(size_t* index, void* user)
{
    batch* b = user;
    *index = b->next < b->count ? (size_t)b->cases[b->next] : 0;
    return b->next < b->count && ++b->next;
}

static void note_result(const br_sweep_result* got, void* user)
{
    batch* b = user;
    if (b->def->done) {
        b->def->done(got, b->def->user);
    }
    const size_t letters = got->failure ? strlen(got->failure) : 0;
    append_count(&b->results, got->index);
    append(&b->results, got->inputs, b->inputs * sizeof *got->inputs);
    append(&b->results, got->outputs, b->outputs * sizeof *got->outputs);
    append_count(&b->results, letters);
    append(&b->results, got->failure ? got->failure : "", letters);
    b->done++;
}

static br_status run_batch(batch* b, const br_sweep* sweep, br_reason* why)
{
    const br_sweep_run_def own = {.size = sizeof(br_sweep_run_def),
                                  .threads = b->def->threads,
                                  .keeps_rows = b->def->keeps_rows,
                                  .next = next_of_batch,
                                  .done = note_result,
                                  .user = b};
    return br_sweep_run(sweep, &own, why);
}

static void request_batch(batch* b, bytes* request, double seconds)
{
    request->count = 0;
    append_count(request, b->done);
    append(request, &seconds, sizeof seconds);
    append(request, b->results.at ? b->results.at : "", b->results.count);
    MPI_Send(request->at, (int)request->count, MPI_BYTE, LEADER, TAG_REQUEST, MPI_COMM_WORLD);

    MPI_Status status;
    receive(request, LEADER, TAG_ANSWER, &status);
    b->count = request->count / sizeof *b->cases;
    memcpy(b->cases, request->at, request->count);
    b->next = 0;
    b->done = b->results.count = 0;
}

static br_status follow(const br_sweep* sweep, const br_sweep_run_def* def, br_reason* why)
{
    batch* b = memory_allocate(1, sizeof *b);
    b->def = def;
    br_sweep_get_inputs(sweep, &b->inputs);
    br_sweep_get_outputs(sweep, &b->outputs);
    bytes request = {NULL, 0, 0};
    br_status status = BR_OK;
    request_batch(b, &request, 0);
    while (b->count > 0 && status == BR_OK) {
        const double start = progress_clock();
        status = run_batch(b, sweep, why);
        request_batch(b, &request, progress_clock() - start);
    }
    return status;
}

// --- leader ---------------------------------------------------------------------------------------

// Data shared by the leader's computing threads and its main thread.
typedef struct leader {
    const br_sweep* sweep;
    const br_sweep_run_def* def;
    pthread_mutex_t lock;
    bool is_done; // its computing threads have finished
    br_status status;
    br_reason why;
    size_t inputs, outputs;
    int others; // ranks that have not yet received the end of the sweep
} leader;

static bool next_of_leader(size_t* index, void* user)
{
    leader* l = user;
    pthread_mutex_lock(&l->lock);
    const int found = l->def->next(index, l->def->user);
    pthread_mutex_unlock(&l->lock);
    return found;
}

static void done_by_leader(const br_sweep_result* got, void* user)
{
    leader* l = user;
    pthread_mutex_lock(&l->lock);
    l->def->done(got, l->def->user);
    pthread_mutex_unlock(&l->lock);
}

static bool leader_stops(void* user)
{
    const leader* l = user;
    return l->def->stop(l->def->user);
}

static void* compute(void* user)
{
    leader* l = user;
    const br_sweep_run_def own = {.size = sizeof(br_sweep_run_def),
                                  .threads = l->def->threads,
                                  .keeps_rows = l->def->keeps_rows,
                                  .next = next_of_leader,
                                  .done = done_by_leader,
                                  .stop = leader_stops,
                                  .user = l};
    const br_status status = br_sweep_run(l->sweep, &own, &l->why);
    pthread_mutex_lock(&l->lock);
    l->status = status;
    l->is_done = true;
    pthread_mutex_unlock(&l->lock);
    return NULL;
}

// Store the results of a request. Returns the time per case [s], 0: unknown.
static double store_results(leader* l, const bytes* request, double* inputs, double* outputs)
{
    const char* at = request->at;
    const uint64_t count = extract_count(&at);
    double seconds;
    extract(&at, &seconds, sizeof seconds);
    for (uint64_t i = 0; i < count; i++) {
        char failure[512];
        br_sweep_result got = {
            .index = (size_t)extract_count(&at), .inputs = inputs, .outputs = outputs};
        extract(&at, inputs, l->inputs * sizeof *inputs);
        extract(&at, outputs, l->outputs * sizeof *outputs);
        const uint64_t letters = extract_count(&at);
        extract(&at, failure, letters);
        failure[letters] = '\0';
        got.failure = letters > 0 ? failure : NULL;
        l->def->done(&got, l->def->user);
    }
    return count > 0 ? seconds / (double)count : 0;
}

// Choose the cases of a batch: one case while the time per case is unknown.
static size_t choose_cases(leader* l, double seconds, uint64_t cases[MAX_CASES])
{
    const double ideal = seconds > 0 ? BATCH_SECONDS / seconds : 1;
    const size_t max = ideal < 1 ? 1 : ideal < MAX_CASES ? (size_t)ideal : MAX_CASES;
    size_t count = 0, index;
    while (count < max && !leader_stops(l) && l->def->next(&index, l->def->user)) {
        cases[count++] = index;
    }
    return count;
}

static void answer(leader* l, bytes* request, double* inputs, double* outputs)
{
    MPI_Status from;
    receive(request, MPI_ANY_SOURCE, TAG_REQUEST, &from);
    uint64_t cases[MAX_CASES];
    pthread_mutex_lock(&l->lock);
    const double seconds = store_results(l, request, inputs, outputs);
    const size_t count = choose_cases(l, seconds, cases);
    pthread_mutex_unlock(&l->lock);
    MPI_Send(cases, (int)(count * sizeof *cases), MPI_BYTE, from.MPI_SOURCE, TAG_ANSWER,
             MPI_COMM_WORLD);
    l->others -= count == 0;
}

static bool is_over(leader* l)
{
    pthread_mutex_lock(&l->lock);
    const bool over = l->is_done && l->others == 0;
    pthread_mutex_unlock(&l->lock);
    return over;
}

static void answer_all(leader* l)
{
    const struct timespec pause = {.tv_nsec = 200000};
    bytes request = {NULL, 0, 0};
    double* inputs = memory_allocate(l->inputs, sizeof *inputs);
    double* outputs = memory_allocate(l->outputs + 1, sizeof *outputs);
    while (!is_over(l)) {
        int is_there = 0;
        if (l->others > 0) {
            MPI_Iprobe(MPI_ANY_SOURCE, TAG_REQUEST, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
        }
        if (is_there) {
            answer(l, &request, inputs, outputs);
        } else {
            nanosleep(&pause, NULL); // leave the processor to the computing threads
        }
    }
}

static br_status lead(const br_sweep* sweep, const br_sweep_run_def* def, br_reason* why)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    leader l = {.sweep = sweep, .def = def, .others = size - 1};
    br_sweep_get_inputs(sweep, &l.inputs);
    br_sweep_get_outputs(sweep, &l.outputs);
    pthread_mutex_init(&l.lock, NULL);
    pthread_t own;
    if (pthread_create(&own, NULL, compute, &l) != 0) {
        message_fail(EXIT_COMPUTATION, "cannot start a thread");
    }
    answer_all(&l);
    pthread_join(own, NULL);
    pthread_mutex_destroy(&l.lock);
    *why = l.why;
    return l.status;
}

// --- the program ----------------------------------------------------------------------------------

static bool is_finished;

// The first process that exits ends all others: after an error, wait until the leader has reported it.
static void wait_for_leader(void)
{
    const struct timespec pause = {.tv_sec = 3};
    if (!is_finished) {
        nanosleep(&pause, NULL);
    }
}

// Only the leader reports errors.
static void silence_worker(void)
{
    atexit(wait_for_leader);
    if (!freopen("/dev/null", "w", stderr)) {
        fclose(stderr);
    }
}

static int run(int argc, char** argv)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const sweep_crew crew = {
        .is_leader = rank == LEADER, .run = rank == LEADER ? lead : follow, .default_threads = 1};
    if (!crew.is_leader) {
        silence_worker();
    }
    argv[0] = memory_format("sweep");
    const int status = sweep_command(argc, argv, &crew);
    is_finished = true;
    return status;
}

int main(int argc, char** argv)
{
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level); // only the main thread calls MPI
    const int status = program_run("mpi", sweep_help, run, argc, argv);
    MPI_Finalize();
    return status;
}
