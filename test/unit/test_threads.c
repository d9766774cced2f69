/* One immutable model, many threads: what the thread sanitizer watches. */
#include "check.h"

#include "bristle/bristle.h"

#include <pthread.h>

enum { THREADS = 4 };

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

/* Oracle: invariant. Threads that share a patch and a law compute the same bits. */
static void one_model_serves_many_threads(void** state)
{
    (void)state;
    br_patch_def def = br_patch_def_default();
    def.pressure = BR_PRESSURE_POWER;
    def.radius = (br_by_force){0.006, 1.0 / 3.0, 0.02};
    def.k = (br_by_force){2.0, 1.0, HUGE_VAL};
    br_patch* patch = NULL;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    const br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);

    pthread_t thread[THREADS];
    worker workers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){patch, &law, 0.0};
        assert_int_equal(pthread_create(&thread[i], NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        assert_near(workers[i].result, workers[0].result, 0.0 /* the same bits */);
    }
    br_patch_destroy(patch);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_model_serves_many_threads)};
    return run_group(argc, argv, tests);
}
