/*
 * Batches of contacts. Evaluations, one batch per call; implicit steps, one contact per call, by
 * one thread (reference: scalar code) and by two that share the batch (reference: one thread), and of
 * arrays (reference: single steps, br_contact_step()).
 */
#include "bench.h"

#include "bristle/batch.h"

#include <math.h>
#include <pthread.h>

static const double step = 1e-3; // [s]

typedef struct batch_case {
    br_patch* patch;
    br_contact *fast, *plain;
    br_batch_contact *fast_list, *plain_list;
    size_t count, states;
    double *z, *dz, *fn;
    br_twist* v;
    br_wrench* f;
    double* numbers;             // of `arrays`
    br_batch_step_arrays arrays; // the same contacts
} batch_case;

static void destroy(void* setup)
{
    batch_case* c = setup;
    br_contact_destroy(c->fast);
    br_contact_destroy(c->plain);
    br_patch_destroy(c->patch);
    br_release(c->fast_list);
    br_release(c->plain_list);
    br_release(c->z);
    br_release(c->dz);
    br_release(c->fn);
    br_release(c->v);
    br_release(c->f);
    br_release(c->numbers);
    br_release(c);
}

static br_status create_contacts(batch_case* c, br_method method)
{
    const br_patch_def round = br_patch_def_default();
    br_status status = br_patch_create(&round, &c->patch, NULL);
    br_contact_def def = br_contact_def_default();
    def.method = method;
    def.patch = c->patch;
    status = status == BR_OK ? br_contact_create(&def, &c->fast, NULL) : status;
    def.plain = 1;
    return status == BR_OK ? br_contact_create(&def, &c->plain, NULL) : status;
}

static int allocate(batch_case* c)
{
    c->states = br_contact_get_state_count(c->fast);
    c->z = br_allocate(c->count * c->states, sizeof *c->z);
    c->dz = br_allocate(c->count * c->states, sizeof *c->dz);
    c->fn = br_allocate(c->count, sizeof *c->fn);
    c->v = br_allocate(c->count, sizeof *c->v);
    c->f = br_allocate(c->count, sizeof *c->f);
    c->fast_list = br_allocate(c->count, sizeof *c->fast_list);
    c->plain_list = br_allocate(c->count, sizeof *c->plain_list);
    return c->z && c->dz && c->fn && c->v && c->f && c->fast_list && c->plain_list;
}

// Number i of a sequence that is uniform over -1..1.
static double spread(size_t i, double irrational)
{
    return 2.0 * fmod(irrational * (double)(i + 1), 1.0) - 1.0;
}

// Contacts that slide and spin in all directions around the Stribeck speed, in steady state.
static batch_case* create(br_method method, size_t count)
{
    batch_case* c = br_allocate(1, sizeof *c);
    if (!c) {
        return NULL;
    }
    c->count = count;
    if (create_contacts(c, method) != BR_OK || !allocate(c)) {
        destroy(c);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        c->v[i] = (br_twist){1e-3 * spread(i, 0.618034), 1e-3 * spread(i, 0.414214),
                             0.15 * spread(i, 0.732051)};
        c->fn[i] = 1.5 + spread(i, 0.236068);
        c->fast_list[i] = (br_batch_contact){c->fast, i * c->states};
        c->plain_list[i] = (br_batch_contact){c->plain, i * c->states};
    }
    return c;
}

static double eval(const batch_case* c, const br_batch_contact* list, size_t calls)
{
    double sum = 0.0;
    for (size_t i = 0; i < calls; i++) {
        br_batch_eval(list, c->count, c->z, c->v, c->fn, c->dz, c->f);
        sum += c->f[i % c->count].fx;
    }
    return sum;
}

static double eval_fast(void* setup, size_t calls)
{
    const batch_case* c = setup;
    return eval(c, c->fast_list, calls);
}

static double eval_plain(void* setup, size_t calls)
{
    const batch_case* c = setup;
    return eval(c, c->plain_list, calls);
}

// The contacts from `first` on.
typedef struct share {
    const batch_case* c;
    const br_batch_contact* list;
    size_t first, count;
} share;

static void* step_share(void* user)
{
    const share* s = user;
    const batch_case* c = s->c;
    br_batch_step(s->list + s->first, s->count, c->z, c->v + s->first, c->fn + s->first, step,
                  c->f + s->first, NULL);
    return NULL;
}

static double run(const batch_case* c, const br_batch_contact* list, size_t calls)
{
    share all = {c, list, 0, c->count};
    double sum = 0.0;
    for (size_t done = 0; done < calls; done += c->count) {
        step_share(&all);
        sum += c->f[done % c->count].fx;
    }
    return sum;
}

static double run_fast(void* setup, size_t calls)
{
    const batch_case* c = setup;
    return run(c, c->fast_list, calls);
}

static double run_plain(void* setup, size_t calls)
{
    const batch_case* c = setup;
    return run(c, c->plain_list, calls);
}

// Half of the contacts in a second thread.
static double run_two(void* setup, size_t calls)
{
    const batch_case* c = setup;
    const size_t half = c->count / 2;
    share lower = {c, c->fast_list, 0, half}, upper = {c, c->fast_list, half, c->count - half};
    double sum = 0.0;
    for (size_t done = 0; done < calls; done += c->count) {
        pthread_t other;
        if (pthread_create(&other, NULL, step_share, &upper) != 0) {
            return (double)NAN;
        }
        step_share(&lower);
        pthread_join(other, NULL);
        sum += c->f[done % c->count].fx;
    }
    return sum;
}

static double run_arrays(void* setup, size_t calls)
{
    const batch_case* c = setup;
    double sum = 0.0;
    for (size_t done = 0; done < calls; done += c->count) {
        br_batch_arrays_step(c->fast, &c->arrays, step);
        sum += c->arrays.fx[0];
    }
    return sum;
}

static double run_single(void* setup, size_t calls)
{
    const batch_case* c = setup;
    double sum = 0.0;
    for (size_t i = 0; i < calls; i++) {
        const size_t k = i % c->count;
        const br_wrench f =
            br_contact_step(c->fast, c->z + k * c->states, c->v[k], c->fn[k], step, NULL);
        sum += k == 0 ? f.fx : 0.0;
    }
    return sum;
}

static void* reduced_1000(void)
{
    return create(BR_METHOD_REDUCED, 1000);
}

static void* ellipsoid_1000(void)
{
    return create(BR_METHOD_ELLIPSOID, 1000);
}

// The contacts as arrays.
static void* with_arrays(br_method method)
{
    batch_case* c = create(method, 1000);
    if (!c) {
        return NULL;
    }
    const size_t n = c->count;
    double* at = c->numbers = br_allocate(9 * n, sizeof *at);
    if (!at) {
        destroy(c);
        return NULL;
    }
    c->arrays = (br_batch_step_arrays){n,          at,         at + n, at + 2 * n, at + 3 * n,
                                       at + 4 * n, at + 5 * n, c->fn,  at + 6 * n, at + 7 * n,
                                       at + 8 * n, NULL,       NULL,   NULL};
    for (size_t i = 0; i < n; i++) {
        at[3 * n + i] = c->v[i].vx;
        at[4 * n + i] = c->v[i].vy;
        at[5 * n + i] = c->v[i].w;
    }
    return c;
}

static void* reduced_arrays(void)
{
    return with_arrays(BR_METHOD_REDUCED);
}

static void* ellipsoid_arrays(void)
{
    return with_arrays(BR_METHOD_ELLIPSOID);
}

static void* reduced_100000(void)
{
    return create(BR_METHOD_REDUCED, 100000);
}

static void* blocks_1000(void)
{
    return create(BR_METHOD_BLOCKS, 1000);
}

// Bristles in all directions, sliding and spinning at about v_s.
static void* blocks_mixed(void)
{
    batch_case* c = create(BR_METHOD_BLOCKS, 1000);
    for (size_t i = 0; c && i < c->count; i++) {
        const double speed = 1e-3 * (1.0 + (double)i / (double)c->count);
        c->v[i] = (br_twist){0.7 * speed, -0.4 * speed, 80.0 * speed};
        c->fn[i] = 1.0;
        bench_fill_state(c->fast, i, 1.15e-6, c->z + i * c->states);
    }
    return c;
}

static bench_size size_of(const void* setup)
{
    return bench_size_of(((const batch_case*)setup)->fast);
}

const bench_case batch_cases[] = {
    {.name = "blocks.batch/1000",
     .calls = 4,
     .setup = blocks_mixed,
     .run = eval_fast,
     .reference = eval_plain,
     .teardown = destroy,
     .size = size_of},
    {.name = "batch.step/reduced-1000",
     .calls = 10000,
     .setup = reduced_1000,
     .run = run_fast,
     .reference = run_plain,
     .teardown = destroy,
     .size = size_of},
    {.name = "batch.step/ellipsoid-1000",
     .calls = 10000,
     .setup = ellipsoid_1000,
     .run = run_fast,
     .reference = run_plain,
     .teardown = destroy,
     .size = size_of},
    {.name = "batch.arrays_step/reduced-1000",
     .calls = 10000,
     .setup = reduced_arrays,
     .run = run_arrays,
     .reference = run_single,
     .teardown = destroy,
     .size = size_of},
    {.name = "batch.arrays_step/ellipsoid-1000",
     .calls = 10000,
     .setup = ellipsoid_arrays,
     .run = run_arrays,
     .reference = run_single,
     .teardown = destroy,
     .size = size_of},
    {.name = "batch.step/reduced-100000",
     .calls = 100000,
     .setup = reduced_100000,
     .run = run_fast,
     .reference = run_plain,
     .teardown = destroy,
     .size = size_of},
    {.name = "batch.step/reduced-100000/2-threads",
     .calls = 100000,
     .setup = reduced_100000,
     .run = run_two,
     .reference = run_fast,
     .teardown = destroy,
     .size = size_of,
     .has_threads = 1},
    {.name = "batch.step/blocks-1000",
     .calls = 1000,
     .setup = blocks_1000,
     .run = run_fast,
     .reference = run_plain,
     .teardown = destroy,
     .size = size_of},
    {.name = "batch.step/blocks-1000/2-threads",
     .calls = 1000,
     .setup = blocks_1000,
     .run = run_two,
     .reference = run_fast,
     .teardown = destroy,
     .size = size_of,
     .has_threads = 1},
};
const size_t batch_case_count = sizeof batch_cases / sizeof *batch_cases;
