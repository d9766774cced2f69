/*
 * How many threads share a batch, with OpenMP: by its work, so that small ones never wait for a busy core. No time is
 * measured; threads are counted.
 */
#include "growth_shapes.h"

#include "planar/batch_threads.h"

#include <dirent.h>
#include <omp.h>

/* Oracle: definition. A thread has 1 ms of work. */
static void threads_are_as_many_as_there_is_work_for(void** state)
{
    (void)state;
    assert_int_equal(bri_batch_threads(0.0, 8), 1);
    assert_int_equal(bri_batch_threads(1.99e6, 8), 1);
    assert_int_equal(bri_batch_threads(2.01e6, 8), 2);
    assert_int_equal(bri_batch_threads(5.5e6, 8), 5);
    assert_int_equal(bri_batch_threads(1e12, 8), 8);
    assert_int_equal(bri_batch_threads(1e12, 1), 1);
}

/* Oracle: definition. A thousand contacts are not worth a thread, unless they are heavy and stepped; a million are. */
static void work_grows_with_contacts_and_parts(void** state)
{
    (void)state;
    br_patch* patch = make(disc_def(0.01));
    br_contact *reduced = make_reduced(NULL, 0), *blocks = make_blocks(patch, 0),
               *cells = make_distributed(patch, 21, 0);
    for (int step = 0; step < 2; step++) {
        assert_int_equal(bri_batch_threads(1e3 * bri_batch_cost(reduced, step), 8), 1);
        assert_int_equal(bri_batch_threads(1e6 * bri_batch_cost(reduced, step), 8), 8);
        assert_true(bri_batch_cost(blocks, step) > bri_batch_cost(reduced, step));
        assert_true(bri_batch_cost(cells, step) > 5.0 * bri_batch_cost(blocks, step));
    }
    assert_int_equal(bri_batch_threads(1e3 * bri_batch_cost(blocks, 0), 8), 1);
    assert_int_equal(bri_batch_threads(1e3 * bri_batch_cost(cells, 1), 8), 8);
    br_contact_destroy(reduced);
    br_contact_destroy(blocks);
    br_contact_destroy(cells);
    br_patch_destroy(patch);
}

// Threads of this process; 0 where that is not known.
static int count_threads(void)
{
    DIR* tasks = opendir("/proc/self/task");
    int count = 0;
    for (const struct dirent* one; tasks && (one = readdir(tasks));) {
        count += one->d_name[0] != '.';
    }
    if (tasks) {
        closedir(tasks);
    }
    return count;
}

// A batch of n reduced contacts, stepped and evaluated.
static void run_batch(size_t n)
{
    br_contact* reduced = make_reduced(NULL, 0);
    br_batch_contact* contacts = test_calloc(n, sizeof *contacts);
    double *z = test_calloc(7 * n, sizeof *z), *dz = z + 3 * n, *fn = z + 6 * n;
    br_twist* v = test_calloc(n, sizeof *v);
    br_wrench* f = test_calloc(n, sizeof *f);
    for (size_t i = 0; i < n; i++) {
        contacts[i] = (br_batch_contact){reduced, 3 * i};
        v[i].vx = 1e-3;
        fn[i] = 1.0;
    }
    br_batch_eval(contacts, n, z, v, fn, dz, f);
    br_batch_step(contacts, n, z, v, fn, 1e-3, f, NULL);
    assert_true(f[0].fx < 0.0 && f[0].fx == f[n - 1].fx);
    test_free(contacts);
    test_free(z);
    test_free(v);
    test_free(f);
    br_contact_destroy(reduced);
}

/* Oracle: the process. OpenMP keeps threads that it has started. */
static void small_batches_start_no_threads(void** state)
{
    (void)state;
    if (count_threads() == 0) {
        skip();
    }
    omp_set_num_threads(4);
    for (int i = 0; i < 10; i++) {
        run_batch(1000);
    }
    assert_int_equal(count_threads(), 1);
    run_batch(300000);
    assert_int_equal(count_threads(), 4);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_are_as_many_as_there_is_work_for),
        cmocka_unit_test(work_grows_with_contacts_and_parts),
        cmocka_unit_test(small_batches_start_no_threads),
    };
    return run_group(argc, argv, tests);
}
