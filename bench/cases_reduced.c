/*
 * Reduced contacts: one evaluation and batches, by the kernel's best instance and by the scalar
 * instance.
 */
#include "bench.h"

#include "bristle/batch.h"

#include <math.h>

enum { CONTACTS = 256, ARRAYS = 13 };

// A contact in both instances, with contacts in the Stribeck range.
typedef struct reduced_case {
    br_patch* patch;
    br_limit* surface;
    br_contact *fast, *plain;
    double* memory;
    br_batch_arrays batch;
} reduced_case;

static void destroy(void* setup)
{
    reduced_case* c = setup;
    br_contact_destroy(c->fast);
    br_contact_destroy(c->plain);
    br_limit_destroy(c->surface);
    br_patch_destroy(c->patch);
    br_release(c->memory);
    br_release(c);
}

static br_status create_contacts(reduced_case* c, br_limit_method method)
{
    const br_patch_def round = br_patch_def_default();
    br_status status = br_patch_create(&round, &c->patch, NULL);
    br_limit_def surface = br_limit_def_default();
    surface.patch = c->patch;
    surface.method = method;
    if (status == BR_OK) {
        status = br_limit_create(&surface, &c->surface, NULL);
    }
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_REDUCED;
    def.surface = c->surface;
    if (status == BR_OK) {
        status = br_contact_create(&def, &c->fast, NULL);
    }
    def.plain = 1;
    return status == BR_OK ? br_contact_create(&def, &c->plain, NULL) : status;
}

// Uniform contacts: number k of contact i is the fraction of i times an irrational number.
static void fill(reduced_case* c, size_t count)
{
    static const double step[7] = {0.618034, 0.414214, 0.732051, 0.236068, 0.645751, 0.316625, 0.3};
    static const double size[7] = {1e-6, 1e-6, 7e-9, 1e-3, 1e-3, 0.15, 1.0};
    for (size_t k = 0; k < 7; k++) {
        for (size_t i = 0; i < count; i++) {
            const double x = 2.0 * fmod(step[k] * (double)(i + 1), 1.0) - 1.0;
            c->memory[k * count + i] = size[k] * (k == 6 ? 1.5 + x : x);
        }
    }
    double* at[ARRAYS];
    for (size_t k = 0; k < ARRAYS; k++) {
        at[k] = c->memory + k * count;
    }
    c->batch = (br_batch_arrays){count, at[0], at[1], at[2], at[3],  at[4],  at[5],
                                 at[6], at[7], at[8], at[9], at[10], at[11], at[12]};
}

static void* create(br_limit_method method, size_t count)
{
    reduced_case* c = br_allocate(1, sizeof *c);
    if (!c) {
        return NULL;
    }
    c->memory = br_allocate(ARRAYS * count, sizeof(double));
    if (!c->memory || create_contacts(c, method) != BR_OK) {
        destroy(c);
        return NULL;
    }
    fill(c, count);
    return c;
}

static double run_single(const br_contact* contact, const reduced_case* c, size_t calls)
{
    const br_batch_arrays* b = &c->batch;
    double sum = 0.0, dz[3];
    for (size_t k = 0; k < calls; k++) {
        const size_t i = k % CONTACTS;
        const double z[3] = {b->z_x[i], b->z_y[i], b->z_tau[i]};
        const br_twist v = {b->vx[i], b->vy[i], b->w[i]};
        sum += br_contact_eval(contact, z, v, b->fn[i], dz).fx;
    }
    return sum;
}

static double single_fast(void* setup, size_t calls)
{
    const reduced_case* c = setup;
    return run_single(c->fast, c, calls);
}

static double single_plain(void* setup, size_t calls)
{
    const reduced_case* c = setup;
    return run_single(c->plain, c, calls);
}

// Each twist depends on the previous wrench, by less than rounding, as in a loop over time.
static double run_chain(const br_contact* contact, const reduced_case* c, size_t calls)
{
    const br_batch_arrays* b = &c->batch;
    double sum = 0.0, dz[3];
    for (size_t k = 0; k < calls; k++) {
        const size_t i = k % CONTACTS;
        const double z[3] = {b->z_x[i], b->z_y[i], b->z_tau[i]};
        const br_twist v = {b->vx[i] + 1e-30 * sum, b->vy[i], b->w[i]};
        sum += br_contact_eval(contact, z, v, b->fn[i], dz).fx;
    }
    return sum;
}

static double chain_fast(void* setup, size_t calls)
{
    const reduced_case* c = setup;
    return run_chain(c->fast, c, calls);
}

static double chain_plain(void* setup, size_t calls)
{
    const reduced_case* c = setup;
    return run_chain(c->plain, c, calls);
}

// One call is one contact: runs batches until the number is reached.
static double run_batch(const br_contact* contact, const reduced_case* c, size_t calls)
{
    double sum = 0.0;
    for (size_t done = 0; done < calls; done += c->batch.count) {
        br_batch_arrays_eval(contact, &c->batch);
        sum += c->batch.fx[done % c->batch.count];
    }
    return sum;
}

static double batch_fast(void* setup, size_t calls)
{
    const reduced_case* c = setup;
    return run_batch(c->fast, c, calls);
}

static double batch_plain(void* setup, size_t calls)
{
    const reduced_case* c = setup;
    return run_batch(c->plain, c, calls);
}

static void* table(void)
{
    return create(BR_LIMIT_BILINEAR, CONTACTS);
}

static void* smooth(void)
{
    return create(BR_LIMIT_SMOOTH, CONTACTS);
}

static void* ellipsoid(void)
{
    return create(BR_LIMIT_ELLIPSOID, CONTACTS);
}

static void* thousand(void)
{
    return create(BR_LIMIT_BILINEAR, 1000);
}

static void* hundred_thousand(void)
{
    return create(BR_LIMIT_BILINEAR, 100000);
}

const bench_case reduced_cases[] = {
    BENCH_CASE("reduced.eval/table", 20000, table, single_fast, single_plain, destroy),
    BENCH_CASE("reduced.eval/smooth", 20000, smooth, single_fast, single_plain, destroy),
    BENCH_CASE("reduced.eval/ellipsoid", 20000, ellipsoid, single_fast, single_plain, destroy),
    BENCH_CASE("reduced.chain/table", 20000, table, chain_fast, chain_plain, destroy),
    BENCH_CASE("reduced.chain/smooth", 20000, smooth, chain_fast, chain_plain, destroy),
    BENCH_CASE("reduced.chain/ellipsoid", 20000, ellipsoid, chain_fast, chain_plain, destroy),
    BENCH_CASE("reduced.batch/1000", 20000, thousand, batch_fast, batch_plain, destroy),
    BENCH_CASE("reduced.batch/100000", 100000, hundred_thousand, batch_fast, batch_plain, destroy),
};
const size_t reduced_case_count = sizeof reduced_cases / sizeof *reduced_cases;
