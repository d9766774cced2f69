/*
 * Steps of many worlds in threads: each takes blocks of worlds until none is left.
 *
 *   rounds of 50 ms, in each: threads take blocks and compute all steps of their worlds -> check for Ctrl-C
 *
 * Results do not depend on the blocks or threads. After Ctrl-C some worlds have advanced and others not.
 */
#include "worlds.h"

#include <pthread.h>
#include <stdatomic.h>

#include "clock.h"

// interval between checks for Ctrl-C [ns]
static const double ATTENTION = 5e7;
// smallest work of an additional thread, ten times the cost of starting it [ns]
static const double SHARE = 3e5;

enum {
    BLOCK = 512,     // max. number of worlds of a block: their arrays fit into the second cache
    SMALLEST = 16,   // min.: as many as are computed at a time
    BLOCKS_EACH = 4, // per thread, so that all finish at about the same time
    TAPE_BLOCK = 64  // worlds of a tape
};

typedef struct run {
    const worlds_thing* thing;
    const br_worlds_arrays* arrays;
    double h;
    size_t steps;
    const br_worlds_record* record;   // NULL: none
    const br_worlds_adjoint* adjoint; // NULL: steps
    size_t tape;                      // doubles of a block's
    size_t block;                     // worlds
    double until;                     // when the round ends [ns]
    atomic_size_t next;               // next world without a thread
} run;

typedef struct worker {
    run* of;
    br_worlds* worlds; // its own
    pthread_t thread;
} worker;

// --- recorded steps -----------------------------------------------------------------------------------------

size_t worlds_tape_size(const worlds_thing* thing, size_t steps, size_t every)
{
    const size_t count = thing->arrays.count, rest = count % TAPE_BLOCK;
    return count / TAPE_BLOCK * br_worlds_get_tape(thing->worlds[0], TAPE_BLOCK, steps, every) +
           br_worlds_get_tape(thing->worlds[0], rest, steps, every);
}

static double* from_column(double* numbers, size_t first)
{
    return numbers ? numbers + first : NULL;
}

static const double* read_column(const double* numbers, size_t first)
{
    return numbers ? numbers + first : NULL;
}

// The adjoints of worlds first, ...
static br_worlds_adjoint adjoint_columns(const br_worlds_adjoint* all, size_t first)
{
    br_worlds_adjoint some = *all;
    double** const body[] = {&some.pose, &some.twist, &some.mass, &some.inertia,
                             &some.load, &some.h,     &some.pivot};
    for (size_t i = 0; i < sizeof body / sizeof *body; i++) {
        *body[i] = from_column(*body[i], first);
    }
    some.pose_bar = read_column(all->pose_bar, first);
    some.twist_bar = read_column(all->twist_bar, first);
    some.flags = all->flags ? all->flags + first : NULL;
    for (int k = 0; k < BR_WORLDS_CONTACTS; k++) {
        br_worlds_contact_adjoint* c = &some.contacts[k];
        double** const own[] = {&c->z, &c->fn, &c->position, &c->angle, &c->scale, &c->ground};
        for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
            *own[i] = from_column(*own[i], first);
        }
        c->z_bar = read_column(c->z_bar, first);
        c->f_bar = read_column(c->f_bar, first);
        for (int by = 0; by < BR_BY_COUNT; by++) {
            c->law[by] = from_column(c->law[by], first);
        }
    }
    return some;
}

static void process_recorded(const run* r, br_worlds* worlds, const br_worlds_arrays* some,
                             size_t first)
{
    const br_worlds_record record = {.every = r->record->every,
                                     .tape = r->record->tape + first / TAPE_BLOCK * r->tape,
                                     .pose = from_column(r->record->pose, first),
                                     .twist = from_column(r->record->twist, first)};
    if (!r->adjoint) {
        br_worlds_step_recorded(worlds, some, r->h, r->steps, &record);
        return;
    }
    const br_worlds_adjoint adjoint = adjoint_columns(r->adjoint, first);
    br_worlds_step_vjp(worlds, some, r->h, r->steps, &record, &adjoint);
}

// --- threads ------------------------------------------------------------------------------------------------

static void* process_blocks(void* of)
{
    const worker* w = of;
    run* r = w->of;
    const size_t count = r->arrays->count;
    while (1e9 * clock_now() < r->until) {
        const size_t first = atomic_fetch_add(&r->next, r->block);
        if (first >= count) {
            break;
        }
        const size_t here = count - first < r->block ? count - first : r->block;
        const br_worlds_arrays some = worlds_columns(r->thing, r->arrays, first, here);
        if (r->record) {
            process_recorded(r, w->worlds, &some, first);
        } else {
            br_worlds_step(w->worlds, &some, r->h, r->steps);
        }
    }
    return NULL;
}

// One round with as many threads as can be started, including the caller's.
static void run_round(worker* workers, int count)
{
    int started = 1;
    while (started < count &&
           pthread_create(&workers[started].thread, NULL, process_blocks, &workers[started]) == 0) {
        started++;
    }
    process_blocks(&workers[0]);
    for (int i = 1; i < started; i++) {
        pthread_join(workers[i].thread, NULL);
    }
}

static int thread_count(const worlds_thing* thing, double work)
{
    const double shares = work / SHARE;
    if (shares < 1.0) {
        return 1;
    }
    return shares < (double)thing->threads ? (int)shares : thing->threads;
}

// A block takes at most a tenth of a round, and there are some for each thread.
static size_t block_size(const worlds_thing* thing, size_t count, size_t steps, int threads)
{
    const double by_time = 0.1 * ATTENTION / (thing->cost * (double)steps);
    const double by_share = (double)count / (double)(BLOCKS_EACH * threads);
    double block = by_time < BLOCK ? by_time : BLOCK;
    block = threads > 1 && by_share < block ? by_share : block;
    const size_t lanes = block > SMALLEST ? (size_t)(block / SMALLEST) : 1;
    return lanes * SMALLEST;
}

int worlds_run_steps(worlds_thing* thing, const br_worlds_arrays* arrays, double h, size_t steps,
                     const br_worlds_record* record, const br_worlds_adjoint* adjoint)
{
    const double work = thing->cost * (double)arrays->count * (double)steps;
    const int threads = thread_count(thing, work);
    run r = {.thing = thing,
             .arrays = arrays,
             .h = h,
             .steps = steps,
             .record = record,
             .adjoint = adjoint};
    r.block = record ? TAPE_BLOCK : block_size(thing, arrays->count, steps, threads);
    r.tape = record ? br_worlds_get_tape(thing->worlds[0], TAPE_BLOCK, steps, record->every) : 0;
    worker workers[WORLDS_THREADS];
    for (int i = 0; i < threads; i++) {
        workers[i] = (worker){.of = &r, .worlds = thing->worlds[i]};
    }
    atomic_store(&r.next, 0);
    while (atomic_load(&r.next) < arrays->count) {
        Py_BEGIN_ALLOW_THREADS
        r.until = 1e9 * clock_now() + ATTENTION;
        run_round(workers, threads);
        Py_END_ALLOW_THREADS
        if (PyErr_CheckSignals() < 0) {
            return 0;
        }
    }
    return 1;
}
