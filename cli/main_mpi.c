/*
 * bristle-mpi: bristle sweep on many processes, which the command becomes under mpirun.
 *
 * Rank 0 leads: it hands cases out, a handful at a time, to whoever asks, keeps the journal and writes the results; its
 * own threads compute, too, while the first one answers. The others ask, compute, and send what they found with the next
 * question. Which rank computes a case never matters to what it gives.
 *
 *   question  number of results, seconds they took, results: index, inputs, wants, letters of the failure, failure
 *   answer    indices of cases; none: that is all
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

enum { LEADER, TAG_QUESTION = 1, TAG_ANSWER, MOST_CASES = 1024 };

static const double HANDFUL = 0.1; // what a handful of cases should take [s]

// --- messages -------------------------------------------------------------------------------------

// Bytes that grow; numbers are eight bytes as the machine has them.
typedef struct bytes {
    char* at;
    size_t count, capacity;
} bytes;

static void put(bytes* to, const void* from, size_t count)
{
    if (to->count + count > to->capacity) {
        to->capacity = 2 * (to->count + count);
        to->at = memory_grow(to->at, to->capacity, 1);
    }
    memcpy(to->at + to->count, from, count);
    to->count += count;
}

static void put_count(bytes* to, uint64_t number)
{
    put(to, &number, sizeof number);
}

static void take(const char** from, void* to, size_t count)
{
    memcpy(to, *from, count);
    *from += count;
}

static uint64_t take_count(const char** from)
{
    uint64_t number;
    take(from, &number, sizeof number);
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

// --- who asks -------------------------------------------------------------------------------------

// Cases that came, and what they gave.
typedef struct handful {
    const br_sweep_run_def* def;
    size_t inputs, wants;
    uint64_t cases[MOST_CASES];
    size_t count, next;
    uint64_t done;
    bytes results;
} handful;

static int next_of_handful(size_t* index, void* user)
{
    handful* h = user;
    *index = h->next < h->count ? (size_t)h->cases[h->next] : 0;
    return h->next < h->count && ++h->next;
}

static void note_result(const br_sweep_result* got, void* user)
{
    handful* h = user;
    if (h->def->done) {
        h->def->done(got, h->def->user);
    }
    const size_t letters = got->failure ? strlen(got->failure) : 0;
    put_count(&h->results, got->index);
    put(&h->results, got->inputs, h->inputs * sizeof *got->inputs);
    put(&h->results, got->wants, h->wants * sizeof *got->wants);
    put_count(&h->results, letters);
    put(&h->results, got->failure ? got->failure : "", letters);
    h->done++;
}

static br_status run_handful(handful* h, const br_sweep* sweep, br_reason* why)
{
    const br_sweep_run_def own = {.threads = h->def->threads,
                                  .keeps_rows = h->def->keeps_rows,
                                  .next = next_of_handful,
                                  .done = note_result,
                                  .user = h};
    return br_sweep_run(sweep, &own, why);
}

static void ask(handful* h, bytes* question, double seconds)
{
    question->count = 0;
    put_count(question, h->done);
    put(question, &seconds, sizeof seconds);
    put(question, h->results.at ? h->results.at : "", h->results.count);
    MPI_Send(question->at, (int)question->count, MPI_BYTE, LEADER, TAG_QUESTION, MPI_COMM_WORLD);

    MPI_Status status;
    receive(question, LEADER, TAG_ANSWER, &status);
    h->count = question->count / sizeof *h->cases;
    memcpy(h->cases, question->at, question->count);
    h->next = 0;
    h->done = h->results.count = 0;
}

static br_status follow(const br_sweep* sweep, const br_sweep_run_def* def, br_reason* why)
{
    handful* h = memory_allocate(1, sizeof *h);
    h->def = def;
    br_sweep_get_inputs(sweep, &h->inputs);
    br_sweep_get_wants(sweep, &h->wants);
    bytes question = {NULL, 0, 0};
    br_status status = BR_OK;
    ask(h, &question, 0);
    while (h->count > 0 && status == BR_OK) {
        const double begin = progress_clock();
        status = run_handful(h, sweep, why);
        ask(h, &question, progress_clock() - begin);
    }
    return status;
}

// --- who leads ------------------------------------------------------------------------------------

// What the leader's threads and its answers share.
typedef struct leader {
    const br_sweep* sweep;
    const br_sweep_run_def* def;
    pthread_mutex_t lock;
    bool is_done; // its own threads are
    br_status status;
    br_reason why;
    size_t inputs, wants;
    int others; // ranks that have not been told the end
} leader;

static int next_of_leader(size_t* index, void* user)
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

static int leader_stops(void* user)
{
    const leader* l = user;
    return l->def->stop(l->def->user);
}

static void* compute(void* user)
{
    leader* l = user;
    const br_sweep_run_def own = {.threads = l->def->threads,
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

// Results of a question, noted; gives how long one took [s], 0: not known.
static double note_question(leader* l, const bytes* question, double* inputs, double* wants)
{
    const char* at = question->at;
    const uint64_t count = take_count(&at);
    double seconds;
    take(&at, &seconds, sizeof seconds);
    for (uint64_t i = 0; i < count; i++) {
        char failure[512];
        br_sweep_result got = {.index = (size_t)take_count(&at), .inputs = inputs, .wants = wants};
        take(&at, inputs, l->inputs * sizeof *inputs);
        take(&at, wants, l->wants * sizeof *wants);
        const uint64_t letters = take_count(&at);
        take(&at, failure, letters);
        failure[letters] = '\0';
        got.failure = letters > 0 ? failure : NULL;
        l->def->done(&got, l->def->user);
    }
    return count > 0 ? seconds / (double)count : 0;
}

// As many cases as take a handful of time, one where that is not known yet.
static size_t hand_out(leader* l, double seconds, uint64_t cases[MOST_CASES])
{
    const double wanted = seconds > 0 ? HANDFUL / seconds : 1;
    const size_t most = wanted < 1 ? 1 : wanted < MOST_CASES ? (size_t)wanted : MOST_CASES;
    size_t count = 0, index;
    while (count < most && !leader_stops(l) && l->def->next(&index, l->def->user)) {
        cases[count++] = index;
    }
    return count;
}

static void answer(leader* l, bytes* question, double* inputs, double* wants)
{
    MPI_Status from;
    receive(question, MPI_ANY_SOURCE, TAG_QUESTION, &from);
    uint64_t cases[MOST_CASES];
    pthread_mutex_lock(&l->lock);
    const double seconds = note_question(l, question, inputs, wants);
    const size_t count = hand_out(l, seconds, cases);
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
    bytes question = {NULL, 0, 0};
    double* inputs = memory_allocate(l->inputs, sizeof *inputs);
    double* wants = memory_allocate(l->wants + 1, sizeof *wants);
    while (!is_over(l)) {
        int is_there = 0;
        if (l->others > 0) {
            MPI_Iprobe(MPI_ANY_SOURCE, TAG_QUESTION, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
        }
        if (is_there) {
            answer(l, &question, inputs, wants);
        } else {
            nanosleep(&pause, NULL); // the processor is for cases
        }
    }
}

static br_status lead(const br_sweep* sweep, const br_sweep_run_def* def, br_reason* why)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    leader l = {.sweep = sweep, .def = def, .others = size - 1};
    br_sweep_get_inputs(sweep, &l.inputs);
    br_sweep_get_wants(sweep, &l.wants);
    pthread_mutex_init(&l.lock, NULL);
    pthread_t own;
    if (pthread_create(&own, NULL, compute, &l) != 0) {
        message_fail(EXIT_COMPUTATION, "no thread to compute in");
    }
    answer_all(&l);
    pthread_join(own, NULL);
    pthread_mutex_destroy(&l.lock);
    *why = l.why;
    return l.status;
}

// --- the program ----------------------------------------------------------------------------------

static bool is_finished;

// Who ends first ends all: a mistake is the leader's to tell, and it needs the time.
static void linger(void)
{
    const struct timespec pause = {.tv_sec = 3};
    if (!is_finished) {
        nanosleep(&pause, NULL);
    }
}

// What is wrong is told once, by the leader.
static void be_silent(void)
{
    atexit(linger);
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
        be_silent();
    }
    argv[0] = memory_format("sweep");
    const int status = sweep_command(argc, argv, &crew);
    is_finished = true;
    return status;
}

int main(int argc, char** argv)
{
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level); // the first thread alone sends
    const int status = program_run("mpi", sweep_help, run, argc, argv);
    MPI_Finalize();
    return status;
}
