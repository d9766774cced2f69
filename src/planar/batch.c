/*
 * Many reduced contacts: pieces of a batch, one after the other or shared among threads.
 */
#include "planar/reduced_internal.h"

// Contacts in a piece: their numbers fit the first cache, and a thread's start pays off.
enum { PIECE = 512 };

void reduced_batch_plain(const br_reduced* m, const br_reduced_batch* b, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++) {
        const double z[3] = {b->z_x[i], b->z_y[i], b->z_tau[i]};
        double dz[3];
        const br_wrench f = m->eval(m, z, (br_twist){b->vx[i], b->vy[i], b->w[i]}, b->fn[i], dz);
        b->dz_x[i] = dz[0];
        b->dz_y[i] = dz[1];
        b->dz_tau[i] = dz[2];
        b->fx[i] = f.fx;
        b->fy[i] = f.fy;
        b->tau[i] = f.tau;
    }
}

void br_reduced_batch_eval(const br_reduced* m, const br_reduced_batch* b)
{
    BR_ASSERT(m && b);
    const long pieces = (long)((b->count + PIECE - 1) / PIECE);
#ifdef _OPENMP
#pragma omp parallel for schedule(static) if (pieces > 2)
#endif
    for (long piece = 0; piece < pieces; piece++) {
        const size_t first = (size_t)piece * PIECE;
        const size_t last = first + PIECE < b->count ? first + PIECE : b->count;
        m->batch(m, b, first, last);
    }
}
