/*
 * Many contacts of any models: each by its own model's functions; reduced ones that share a model are
 * gathered, a piece at a time, so that they go through the vectors of a reduced batch.
 */
#include "planar/reduced_internal.h"

// Contacts in a piece; their numbers are gathered on the stack, and a thread's start pays off.
enum { PIECE = 128 };

// Where everything of a batch lies.
typedef struct batch {
    const br_batch_contact* contact;
    size_t count;
    const double* z;
    const br_twist* v;
    const double* fn;
    double* dz;
    br_wrench* f;
} batch;

size_t br_batch_get_states(const br_batch_contact* contact)
{
    BR_ASSERT(contact);
    return contact->distributed ? 2 * br_distributed_get_count(contact->distributed)
           : contact->blocks    ? 3 * br_blocks_get_count(contact->blocks)
                                : 3;
}

// Reduced contacts of one model, as a br_reduced_batch wants them.
typedef struct gathered {
    size_t count;
    size_t from[PIECE]; // which contacts they are
    double in[7][PIECE], out[6][PIECE];
} gathered;

static void gather(gathered* g, const batch* b, size_t i)
{
    const double* z = b->z + b->contact[i].state;
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
        double* dz = b->dz + b->contact[i].state;
        dz[0] = g->out[0][k];
        dz[1] = g->out[1][k];
        dz[2] = g->out[2][k];
        b->f[i] = (br_wrench){g->out[3][k], g->out[4][k], g->out[5][k]};
    }
}

// All contacts from `first` on, before `last`, that have its reduced model.
static void eval_alike(const batch* b, size_t first, size_t last, size_t piece, char* done)
{
    const br_reduced* model = b->contact[first].reduced;
    gathered g;
    g.count = 0;
    for (size_t i = first; i < last; i++) {
        if (b->contact[i].reduced == model) {
            gather(&g, b, i);
            done[i - piece] = 1;
        }
    }
    const br_reduced_batch alike = {g.count,  g.in[0],  g.in[1],  g.in[2],  g.in[3],
                                    g.in[4],  g.in[5],  g.in[6],  g.out[0], g.out[1],
                                    g.out[2], g.out[3], g.out[4], g.out[5]};
    model->batch(model, &alike, 0, g.count);
    scatter(&g, b);
}

static void eval_piece(const batch* b, size_t piece)
{
    const size_t last = piece + PIECE < b->count ? piece + PIECE : b->count;
    char done[PIECE] = {0};
    for (size_t i = piece; i < last; i++) {
        const br_batch_contact* c = &b->contact[i];
        const double* z = b->z + c->state;
        double* dz = b->dz + c->state;
        if (c->distributed) {
            b->f[i] = br_distributed_eval(c->distributed, z, b->v[i], b->fn[i], dz);
        } else if (c->blocks) {
            b->f[i] = br_blocks_eval(c->blocks, z, b->v[i], b->fn[i], dz);
        } else if (!done[i - piece]) {
            eval_alike(b, i, last, piece, done);
        }
    }
}

void br_batch_eval(const br_batch_contact* contact, size_t count, const double* z,
                   const br_twist* v, const double* fn, double* dz, br_wrench* f)
{
    BR_ASSERT(count == 0 || (contact && z && v && fn && dz && f && z != dz));
    const batch b = {contact, count, z, v, fn, dz, f};
    const long pieces = (long)((count + PIECE - 1) / PIECE);
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) if (pieces > 2)
#endif
    for (long piece = 0; piece < pieces; piece++) {
        eval_piece(&b, (size_t)piece * PIECE);
    }
}

static br_wrench step_one(const br_batch_contact* c, double* z, br_twist v, double fn, double h,
                          br_step_energy* energy)
{
    return c->distributed ? br_distributed_step(c->distributed, z, v, fn, h, energy)
           : c->blocks    ? br_blocks_step(c->blocks, z, v, fn, h, energy)
                          : br_reduced_step(c->reduced, z, v, fn, h, energy);
}

void br_batch_step(const br_batch_contact* contact, size_t count, double* z, const br_twist* v,
                   const double* fn, double h, br_wrench* f, br_step_energy* energy)
{
    BR_ASSERT(count == 0 || (contact && z && v && fn && f && h > 0.0));
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, PIECE) if (count > 2 * PIECE)
#endif
    for (long i = 0; i < (long)count; i++) {
        f[i] =
            step_one(&contact[i], z + contact[i].state, v[i], fn[i], h, energy ? &energy[i] : NULL);
    }
}

void br_distributed_batch_eval(const br_distributed* model, size_t contacts, const double* z,
                               const br_twist* v, const double* fn, double* dz, br_wrench* f)
{
    BR_ASSERT(model && (contacts == 0 || (z && v && fn && dz && f && z != dz)));
    const size_t states = 2 * br_distributed_get_count(model);
#ifdef _OPENMP
#pragma omp parallel for schedule(static) if (contacts > 2 * PIECE)
#endif
    for (long i = 0; i < (long)contacts; i++) {
        const size_t at = (size_t)i * states;
        f[i] = br_distributed_eval(model, z + at, v[i], fn[i], dz + at);
    }
}
