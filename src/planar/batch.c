/*
 * Many contacts at once. Reduced contacts that share a br_contact are evaluated together in vectors. In a
 * mixed batch they are gathered for that first, one chunk at a time; steps of neighbours whose states follow
 * each other are taken where they are.
 */
#include "planar/batch_threads.h"

#include "planar/contact_reduced.h"

#ifdef _OPENMP
#include <omp.h>
#endif

// Parts per chunk, so that their data fit the L1 cache. Contacts of a mixed batch are gathered on the stack.
enum { CHUNK = REDUCED_MOST, MIXED_CHUNK = 128 };

// --- threads ----------------------------------------------------------------------------------------------

// Minimum work per thread [ns]. On idle cores 10 us would do. But all threads wait for each other at the end: if one
// runs on a busy core, it is a time slice late, and the others spin for some milliseconds.
static const double min_thread_work = 1e6;

// Estimated cost in an evaluation and in a step [ns], measured with AVX2: per reduced contact, per part of others.
static const double eval_reduced = 15.0, step_reduced = 20.0, eval_part = 5.0, step_part = 50.0;

double bri_batch_cost(const br_contact* c, int is_step)
{
    if (contact_is_reduced(c)) {
        return is_step ? step_reduced : eval_reduced;
    }
    return (is_step ? step_part : eval_part) * (double)c->parts.count;
}

int bri_batch_threads(double work, int max_threads)
{
    const double worth = floor(work / min_thread_work);
    return worth < 2.0 ? 1 : worth < (double)max_threads ? (int)worth : max_threads;
}

#ifdef _OPENMP
static int threads_for(double work)
{
    return bri_batch_threads(work, omp_get_max_threads());
}
#endif

// --- arrays -----------------------------------------------------------------------------------------------

static void eval_arrays(const br_contact* c, const br_batch_arrays* b, size_t first, size_t last)
{
    const kernel_contacts chunk = {.count = last - first,
                                   .z = {b->z_x + first, b->z_y + first, b->z_tau + first},
                                   .v = {b->vx + first, b->vy + first, b->w + first},
                                   .fn = b->fn + first,
                                   .dz = {b->dz_x + first, b->dz_y + first, b->dz_tau + first},
                                   .f = {b->fx + first, b->fy + first, b->tau + first}};
    bri_reduced_arrays_eval(c, &chunk);
}

void br_batch_arrays_eval(const br_contact* c, const br_batch_arrays* b)
{
    BR_ASSERT(c && b && contact_is_reduced(c));
    const long chunks = (long)((b->count + CHUNK - 1) / CHUNK);
#ifdef _OPENMP
    const int threads = threads_for(bri_batch_cost(c, 0) * (double)b->count);
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1)
#endif
    for (long chunk = 0; chunk < chunks; chunk++) {
        const size_t first = (size_t)chunk * CHUNK;
        eval_arrays(c, b, first, first + CHUNK < b->count ? first + CHUNK : b->count);
    }
}

// The state, wrench and energy of contact i by its single step.
static void step_one(const br_contact* c, const br_batch_step_arrays* b, size_t i, double h)
{
    double z[3] = {b->z_x[i], b->z_y[i], b->z_tau[i]};
    br_step_energy e;
    const br_wrench f =
        br_contact_step(c, z, (br_twist){b->vx[i], b->vy[i], b->w[i]}, b->fn[i], h, &e);
    b->z_x[i] = z[0], b->z_y[i] = z[1], b->z_tau[i] = z[2];
    b->fx[i] = f.fx, b->fy[i] = f.fy, b->tau[i] = f.tau;
    if (b->stored) {
        b->stored[i] = e.stored, b->work[i] = e.work, b->dissipated[i] = e.dissipated;
    }
}

// The speed above which a contact is stepped alone: far below that of step_far() in contact_eval.c [m/s].
static double fastest_in(double h)
{
    return 0.5 * contact_far / h;
}

// Does a contact from `first` to before `last` move over an extreme distance? No for NaN.
static int some_go_far(const br_batch_step_arrays* b, size_t first, size_t last, double fastest)
{
    int far = 0;
    for (size_t i = first; i < last; i++) {
        far |= contact_speed((br_twist){b->vx[i], b->vy[i], b->w[i]}) > fastest;
    }
    return far;
}

static void step_arrays(const br_contact* c, const br_batch_step_arrays* b, size_t first,
                        size_t last, double h)
{
    if (some_go_far(b, first, last, fastest_in(h))) {
        for (size_t i = first; i < last; i++) {
            step_one(c, b, i, h);
        }
        return;
    }
    kernel_contacts chunk = {.count = last - first,
                             .z = {b->z_x + first, b->z_y + first, b->z_tau + first},
                             .v = {b->vx + first, b->vy + first, b->w + first},
                             .fn = b->fn + first,
                             .dz = {b->z_x + first, b->z_y + first, b->z_tau + first},
                             .f = {b->fx + first, b->fy + first, b->tau + first}};
    if (b->stored) {
        chunk.energy[0] = b->stored + first;
        chunk.energy[1] = b->work + first;
        chunk.energy[2] = b->dissipated + first;
    }
    bri_reduced_arrays_hold(c, &chunk, h);
}

void br_batch_arrays_step(const br_contact* c, const br_batch_step_arrays* b, double h)
{
    BR_ASSERT(c && b && contact_is_reduced(c) && !(h <= 0.0));
    BR_ASSERT(!b->stored == !b->work && !b->stored == !b->dissipated);
    const long chunks = (long)((b->count + CHUNK - 1) / CHUNK);
#ifdef _OPENMP
    const int threads = threads_for(bri_batch_cost(c, 1) * (double)b->count);
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1)
#endif
    for (long chunk = 0; chunk < chunks; chunk++) {
        const size_t first = (size_t)chunk * CHUNK;
        step_arrays(c, b, first, first + CHUNK < b->count ? first + CHUNK : b->count, h);
    }
}

// --- mixed batches ----------------------------------------------------------------------------------------

// The arrays of a batch, and its step.
typedef struct batch {
    const br_batch_contact* contacts;
    size_t count;
    const double* z;
    const br_twist* v;
    const double* fn;
    double* dz; // out: rates; in a step the new states, the same array as z
    br_wrench* f;
    double h;       // step size [s]; 0: evaluate rates
    double fastest; // in a step, faster contacts are stepped one by one (contact_far) [m/s]
    br_step_energy* energy;
} batch;

// Reduced contacts that share one br_contact.
typedef struct gathered {
    size_t count;
    size_t from[MIXED_CHUNK]; // their indices in the batch
    double in[7][MIXED_CHUNK], out[9][MIXED_CHUNK];
} gathered;

static void gather(gathered* g, const batch* b, size_t i)
{
    const double* z = b->z + b->contacts[i].state;
    const double numbers[7] = {z[0], z[1], z[2], b->v[i].vx, b->v[i].vy, b->v[i].w, b->fn[i]};
    for (int k = 0; k < 7; k++) {
        g->in[k][g->count] = numbers[k];
    }
    g->from[g->count++] = i;
}

static void scatter(const gathered* g, const batch* b)
{
    for (size_t k = 0; k < g->count; k++) {
        const size_t i = g->from[k];
        double* dz = b->dz + b->contacts[i].state;
        dz[0] = g->out[0][k];
        dz[1] = g->out[1][k];
        dz[2] = g->out[2][k];
        b->f[i] = (br_wrench){g->out[3][k], g->out[4][k], g->out[5][k]};
        if (b->energy) {
            b->energy[i] = (br_step_energy){
                .stored = g->out[6][k], .work = g->out[7][k], .dissipated = g->out[8][k]};
        }
    }
}

// Can a contact be evaluated in vectors? Not if, in a step, it moves over an extreme distance.
static int fits_vectors(const batch* b, size_t i)
{
    return contact_is_reduced(b->contacts[i].contact) &&
           (b->h == 0.0 || !(contact_speed(b->v[i]) > b->fastest));
}

// Evaluate or step all contacts from `first` to before `last` that share the reduced contact of `first`.
static void do_alike(const batch* b, size_t first, size_t last, size_t chunk, char* done)
{
    const br_contact* c = b->contacts[first].contact;
    gathered g;
    g.count = 0;
    for (size_t i = first; i < last; i++) {
        if (b->contacts[i].contact == c && fits_vectors(b, i)) {
            gather(&g, b, i);
            done[i - chunk] = 1;
        }
    }
    const kernel_contacts alike = {.count = g.count,
                                   .z = {g.in[0], g.in[1], g.in[2]},
                                   .v = {g.in[3], g.in[4], g.in[5]},
                                   .fn = g.in[6],
                                   .dz = {g.out[0], g.out[1], g.out[2]},
                                   .f = {g.out[3], g.out[4], g.out[5]},
                                   .energy = {g.out[6], g.out[7], g.out[8]}};
    if (b->h != 0.0) {
        bri_reduced_arrays_hold(c, &alike, b->h);
    } else {
        bri_reduced_arrays_eval(c, &alike);
    }
    scatter(&g, b);
}

static void do_one(const batch* b, size_t i)
{
    const br_contact* c = b->contacts[i].contact;
    double* dz = b->dz + b->contacts[i].state;
    b->f[i] = b->h != 0.0 ? br_contact_step(c, dz, b->v[i], b->fn[i], b->h,
                                            b->energy ? &b->energy[i] : NULL)
                          : br_contact_eval(c, b->z + b->contacts[i].state, b->v[i], b->fn[i], dz);
}

// Do all contacts from `first` to before `last` share one reduced contact, with states that follow each other? Then a
// step takes them where they are.
static int is_run(const batch* b, size_t first, size_t last)
{
    const br_batch_contact* from = b->contacts + first;
    if (b->h == 0.0 || !contact_is_reduced(from->contact) || !reduced_interleaves(from->contact)) {
        return 0;
    }
    for (size_t i = first; i < last; i++) {
        if (b->contacts[i].contact != from->contact || contact_speed(b->v[i]) > b->fastest ||
            b->contacts[i].state != from->state + 3 * (i - first)) {
            return 0;
        }
    }
    return 1;
}

static void step_run(const batch* b, size_t first, size_t last)
{
    double* z = b->dz + b->contacts[first].state;
    const kernel_contacts run = {
        .count = last - first,
        .z = {z},
        .v = {&b->v[first].vx},
        .fn = b->fn + first,
        .dz = {z},
        .f = {&b->f[first].fx},
        .energy = {b->energy ? &b->energy[first].stored : NULL},
        .interleaved = 1,
    };
    bri_reduced_arrays_hold(b->contacts[first].contact, &run, b->h);
}

static void do_chunk(const batch* b, size_t chunk, size_t size)
{
    const size_t last = chunk + size < b->count ? chunk + size : b->count;
    if (is_run(b, chunk, last)) {
        step_run(b, chunk, last);
        return;
    }
    char done[MIXED_CHUNK] = {0};
    for (size_t i = chunk; i < last; i++) {
        if (done[i - chunk]) {
            continue;
        }
        if (fits_vectors(b, i)) {
            do_alike(b, i, last, chunk, done);
        } else {
            do_one(b, i);
        }
    }
}

// Number of contacts at the start of the batch that are the sample for estimates of all.
static size_t sample_size(const batch* b)
{
    return b->count < MIXED_CHUNK ? b->count : MIXED_CHUNK;
}

#ifdef _OPENMP
// Estimated cost of the batch [ns].
static double work_of(const batch* b)
{
    const size_t sample = sample_size(b);
    double sum = 0.0;
    for (size_t i = 0; i < sample; i++) {
        sum += bri_batch_cost(b->contacts[i].contact, b->h > 0.0);
    }
    return sample > 0 ? sum / (double)sample * (double)b->count : 0.0;
}
#endif

// Contacts per chunk: the fewer, the more parts the contacts of the sample have.
static size_t chunk_size(const batch* b)
{
    const size_t sample = sample_size(b);
    size_t parts = 0;
    for (size_t i = 0; i < sample; i++) {
        parts += b->contacts[i].contact->parts.count;
    }
    const size_t size = CHUNK * sample / (parts + 1) + 1;
    return size < MIXED_CHUNK ? size : MIXED_CHUNK;
}

static void do_batch(const batch* b)
{
    const size_t size = chunk_size(b);
    const long chunks = (long)((b->count + size - 1) / size);
#ifdef _OPENMP
    const int threads = threads_for(work_of(b));
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1)
#endif
    for (long chunk = 0; chunk < chunks; chunk++) {
        do_chunk(b, (size_t)chunk * size, size);
    }
}

void br_batch_eval(const br_batch_contact* contacts, size_t count, const double* z,
                   const br_twist* v, const double* fn, double* dz, br_wrench* f)
{
    BR_ASSERT(count == 0 || (contacts && z && v && fn && dz && f && z != dz));
    const batch b = {contacts, count, z, v, fn, dz, f, 0.0, 0.0, NULL};
    do_batch(&b);
}

void br_batch_step(const br_batch_contact* contacts, size_t count, double* z, const br_twist* v,
                   const double* fn, double h, br_wrench* f, br_step_energy* energy)
{
    BR_ASSERT(count == 0 || (contacts && z && v && fn && f && !(h <= 0.0)));
    const batch b = {contacts, count, z, v, fn, z, f, h, fastest_in(h), energy};
    do_batch(&b);
}
