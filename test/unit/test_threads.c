/* One immutable patch, law or contact, many threads: what the thread sanitizer watches. */
#include "check.h"

#include "bristle/bristle.h"

#include <pthread.h>
#include <string.h>

enum { THREADS = 8, STEPS = 200 };

// Start a thread on each worker of an array and wait for all.
static void run_workers(void* (*work)(void*), void* workers, size_t size)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&thread[i], NULL, work, (char*)workers + i * size), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
    }
}

// --- patches and laws -------------------------------------------------------------------------------

typedef struct worker {
    const br_patch* patch;
    const br_law* law;
    double result;
} worker;

static void* work(void* user)
{
    worker* w = user;
    double z = 0.0;
    w->result = 0.0;
    for (int i = 0; i < 2000; i++) {
        w->result += br_patch_eval(w->patch, 1.0 + 1e-3 * i).r;
        w->result += br_law_step(w->law, &z, 1e-3 * ((i % 7) - 3), 1.0, 1e-3);
    }
    return NULL;
}

// A disc that grows with the force, and whose pressure changes with it.
static br_patch* growing_patch(void)
{
    br_patch_def def = br_patch_def_default();
    def.pressure = BR_PRESSURE_POWER;
    def.radius = (br_by_force){0.006, 1.0 / 3.0, 0.02};
    def.k = (br_by_force){2.0, 1.0, HUGE_VAL};
    br_patch* patch = NULL;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    return patch;
}

/* Oracle: invariant. Threads that share a patch and a law compute the same bits. */
static void one_model_serves_many_threads(void** state)
{
    (void)state;
    br_patch* patch = growing_patch();
    const br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    worker workers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){patch, &law, 0.0};
    }
    run_workers(work, workers, sizeof *workers);
    for (int i = 0; i < THREADS; i++) {
        assert_near(workers[i].result, workers[0].result, 0.0 /* the same bits */);
    }
    br_patch_destroy(patch);
}

// --- contacts ---------------------------------------------------------------------------------------

// What a thread has of its own: state, memory of the spread contact, workspace; and what it found.
typedef struct contact_worker {
    const br_contact* contact; // shared
    int first;                 // where its forces start: no two threads are at the same one
    double *z, *dz, *work;
    void* memory;
    double result[STEPS];
} contact_worker;

static double wrench_sum(br_wrench f)
{
    return f.fx + 2.0 * f.fy + 1e3 * f.tau;
}

// Everything that a contact can be asked, at one force.
static double ask(contact_worker* w, const br_contact* now, br_twist v, double fn)
{
    br_contact_gradient gradient = {.dz_z = NULL};
    double sum = wrench_sum(br_contact_eval(now, w->z, v, fn, w->dz));
    br_contact_gradient_eval(now, w->z, v, fn, &gradient);
    sum += gradient.f_v[0][0] + gradient.f_fn[1];
    sum += br_contact_load_eval(now, w->z, v, fn);
    sum += br_contact_slip_eval(now, w->z, v, fn, BR_STATE_STICK, NULL).slip_rate;
    return sum + wrench_sum(br_contact_steady_eval(now, v, fn, NULL));
}

// Bristles that follow a motion under a force that changes, held and as a body's contact in turn. The
// results of step i depend on i alone: the state starts again.
static void* follow(void* user)
{
    contact_worker* w = user;
    const size_t states = br_contact_get_state_count(w->contact);
    for (int k = 0; k < STEPS; k++) {
        const int i = (k + w->first) % STEPS;
        const double fn = 0.5 + 0.05 * i, h = 1e-4 * (1 + i % 5);
        const br_contact* now = br_contact_at_force(w->contact, fn, w->memory);
        br_twist v = {1e-3 * (i % 11 - 5), 2e-3, 0.1 * (i % 7 - 3)};
        memset(w->z, 0, states * sizeof *w->z);
        br_contact_step(now, w->z, v, fn, h, NULL);
        double sum = ask(w, now, v, fn);
        br_step_contact c = {.contact = now, .z = w->z, .fn = fn};
        const br_step_body body = br_step_body_default(1.0, 1.0);
        br_step_coupled(&body, &v, (br_wrench){1.0, 0.0, 0.0}, h, &c, 1, w->work);
        w->result[i] = sum + wrench_sum(c.f) + v.vx;
    }
    return NULL;
}

static void own_start(contact_worker* w, const br_contact* contact, int first)
{
    const size_t states = br_contact_get_state_count(contact);
    const br_step_contact c = {.contact = contact};
    *w = (contact_worker){.contact = contact, .first = first};
    w->z = test_calloc(states, sizeof *w->z);
    w->dz = test_calloc(states, sizeof *w->dz);
    w->work = test_calloc(br_step_get_work(&c, 1), sizeof *w->work);
    w->memory = test_calloc(1, br_contact_get_at_force_size(contact) + 1);
}

static void own_end(contact_worker* w)
{
    test_free(w->z);
    test_free(w->dz);
    test_free(w->work);
    test_free(w->memory);
}

// Eight threads on one contact against one that is alone.
static void compare_threads(const br_contact* contact)
{
    static contact_worker alone, workers[THREADS];
    own_start(&alone, contact, 0);
    follow(&alone);
    for (int i = 0; i < THREADS; i++) {
        own_start(&workers[i], contact, i * STEPS / THREADS);
    }
    run_workers(follow, workers, sizeof *workers);
    for (int i = 0; i < THREADS; i++) {
        for (int k = 0; k < STEPS; k++) {
            assert_true(isfinite(alone.result[k]));
            assert_near(workers[i].result[k], alone.result[k], 0.0 /* the same bits */);
        }
        own_end(&workers[i]);
    }
    own_end(&alone);
}

static void compare_methods(const br_patch* patch)
{
    for (int method = BR_METHOD_BLOCKS; method <= BR_METHOD_ELLIPSOID; method++) {
        br_contact_def def = br_contact_def_default();
        def.method = (br_method)method;
        def.patch = patch;
        br_contact* contact = NULL;
        assert_status(br_contact_create(&def, &contact, NULL), BR_OK);
        compare_threads(contact);
        br_contact_destroy(contact);
    }
}

/* Oracle: one thread. Eight on one contact of each method compute the same bits. */
static void one_contact_serves_many_threads(void** state)
{
    (void)state;
    const br_patch_def def = br_patch_def_default();
    br_patch* patch = NULL;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    compare_methods(patch);
    br_patch_destroy(patch);
}

/* Oracle: the same, on a patch that grows, each thread at another force of its own. */
static void one_growing_contact_serves_many_threads(void** state)
{
    (void)state;
    br_patch* patch = growing_patch();
    compare_methods(patch);
    br_patch_destroy(patch);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_model_serves_many_threads),
        cmocka_unit_test(one_contact_serves_many_threads),
        cmocka_unit_test(one_growing_contact_serves_many_threads),
    };
    return run_group(argc, argv, tests);
}
