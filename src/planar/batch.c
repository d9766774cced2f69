/*
 * Many contacts at once. Reduced ones that share a br_contact go through vectors together; of a mixture
 * they are gathered for that, a chunk at a time.
 */
#include "bristle/batch.h"

#include "planar/contact_reduced.h"

// Contacts in a chunk: their numbers fit the first cache, and a thread's start pays off. Those of a
// mixture are gathered on the stack.
enum { CHUNK = 512, MIXED_CHUNK = 128 };

// --- by arrays --------------------------------------------------------------------------------------------

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
#pragma omp parallel for schedule(static) if (chunks > 2)
#endif
    for (long chunk = 0; chunk < chunks; chunk++) {
        const size_t first = (size_t)chunk * CHUNK;
        eval_arrays(c, b, first, first + CHUNK < b->count ? first + CHUNK : b->count);
    }
}

// --- mixtures ---------------------------------------------------------------------------------------------

// Where everything of a batch lies.
typedef struct batch {
    const br_batch_contact* contacts;
    size_t count;
    const double* z;
    const br_twist* v;
    const double* fn;
    double* dz;
    br_wrench* f;
} batch;

// Reduced contacts of one br_contact.
typedef struct gathered {
    size_t count;
    size_t from[MIXED_CHUNK]; // which contacts they are
    double in[7][MIXED_CHUNK], out[6][MIXED_CHUNK];
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
    }
}

// All contacts from `first` on, before `last`, that share its reduced contact.
static void eval_alike(const batch* b, size_t first, size_t last, size_t chunk, char* done)
{
    const br_contact* c = b->contacts[first].contact;
    gathered g;
    g.count = 0;
    for (size_t i = first; i < last; i++) {
        if (b->contacts[i].contact == c) {
            gather(&g, b, i);
            done[i - chunk] = 1;
        }
    }
    const kernel_contacts alike = {.count = g.count,
                                   .z = {g.in[0], g.in[1], g.in[2]},
                                   .v = {g.in[3], g.in[4], g.in[5]},
                                   .fn = g.in[6],
                                   .dz = {g.out[0], g.out[1], g.out[2]},
                                   .f = {g.out[3], g.out[4], g.out[5]}};
    bri_reduced_arrays_eval(c, &alike);
    scatter(&g, b);
}

static void eval_chunk(const batch* b, size_t chunk)
{
    const size_t last = chunk + MIXED_CHUNK < b->count ? chunk + MIXED_CHUNK : b->count;
    char done[MIXED_CHUNK] = {0};
    for (size_t i = chunk; i < last; i++) {
        const br_batch_contact* c = &b->contacts[i];
        if (!contact_is_reduced(c->contact)) {
            b->f[i] =
                br_contact_eval(c->contact, b->z + c->state, b->v[i], b->fn[i], b->dz + c->state);
        } else if (!done[i - chunk]) {
            eval_alike(b, i, last, chunk, done);
        }
    }
}

void br_batch_eval(const br_batch_contact* contacts, size_t count, const double* z,
                   const br_twist* v, const double* fn, double* dz, br_wrench* f)
{
    BR_ASSERT(count == 0 || (contacts && z && v && fn && dz && f && z != dz));
    const batch b = {contacts, count, z, v, fn, dz, f};
    const long chunks = (long)((count + MIXED_CHUNK - 1) / MIXED_CHUNK);
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) if (chunks > 2)
#endif
    for (long chunk = 0; chunk < chunks; chunk++) {
        eval_chunk(&b, (size_t)chunk * MIXED_CHUNK);
    }
}

void br_batch_step(const br_batch_contact* contacts, size_t count, double* z, const br_twist* v,
                   const double* fn, double h, br_wrench* f, br_step_energy* energy)
{
    BR_ASSERT(count == 0 || (contacts && z && v && fn && f && h > 0.0));
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, MIXED_CHUNK) if (count > 2 * MIXED_CHUNK)
#endif
    for (long i = 0; i < (long)count; i++) {
        const br_batch_contact* c = &contacts[i];
        f[i] =
            br_contact_step(c->contact, z + c->state, v[i], fn[i], h, energy ? &energy[i] : NULL);
    }
}
