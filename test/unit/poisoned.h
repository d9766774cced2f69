/*
 * The calls of the planar models and steps with every workspace and every output full of NaN before: a
 * number that is read before it was written, or never written, shows.
 *
 * Each function here fills and calls; a macro of the library's name then takes its place, so that a test
 * that includes this header cannot forget it.
 */
#ifndef BRISTLE_TEST_POISONED_H
#define BRISTLE_TEST_POISONED_H

#include "bristle/bristle.h"

#include <math.h>

static inline void poison(double* x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        x[i] = (double)NAN;
    }
}

static inline void poison_energy(br_step_energy* energy)
{
    if (energy) {
        *energy = (br_step_energy){(double)NAN, (double)NAN, (double)NAN};
    }
}

static inline size_t cells_states(const br_distributed* m)
{
    return 2 * br_distributed_get_count(m);
}

static inline size_t blocks_states(const br_blocks* m)
{
    return 3 * br_blocks_get_count(m);
}

/* ---- steps of a body -------------------------------------------------------------------------- */

static inline void poison_contacts(br_step_contact* contacts, size_t count, double* work)
{
    poison(work, br_step_get_work(contacts, count));
    for (size_t i = 0; i < count; i++) {
        contacts[i].f = (br_wrench){(double)NAN, (double)NAN, (double)NAN};
    }
}

static inline br_step_result poisoned_coupled(const br_step_body* body, br_twist* v, br_wrench load,
                                              double h, br_step_contact* contacts, size_t count,
                                              double* work)
{
    poison_contacts(contacts, count, work);
    return br_step_coupled(body, v, load, h, contacts, count, work);
}
#define br_step_coupled poisoned_coupled

static inline br_step_answer poisoned_host_step(br_step_host* host, br_twist u, double h,
                                                br_step_contact* contacts, size_t count,
                                                double* work)
{
    poison_contacts(contacts, count, work);
    return br_step_host_step(host, u, h, contacts, count, work);
}
#define br_step_host_step poisoned_host_step

static inline br_step_trial poisoned_trial(br_step_contact* contacts, size_t count, br_twist u,
                                           double h, double* work)
{
    poison_contacts(contacts, count, work);
    return br_step_trial_eval(contacts, count, u, h, work);
}
#define br_step_trial_eval poisoned_trial

/* ---- models: cells ---------------------------------------------------------------------------- */

static inline br_wrench poisoned_cells_eval(const br_distributed* m, const double* z, br_twist v,
                                            double fn, double* dz)
{
    poison(dz, cells_states(m));
    return br_distributed_eval(m, z, v, fn, dz);
}
#define br_distributed_eval poisoned_cells_eval

static inline br_wrench poisoned_cells_step(const br_distributed* m, double* z, br_twist v,
                                            double fn, double h, br_step_energy* energy)
{
    poison_energy(energy);
    return br_distributed_step(m, z, v, fn, h, energy);
}
#define br_distributed_step poisoned_cells_step

static inline void poisoned_cells_gradient(const br_distributed* m, const double* z, br_twist v,
                                           const br_distributed_gradient* out)
{
    poison(out->dz_z, 2 * cells_states(m));
    poison(out->dz_v, 2 * cells_states(m));
    br_distributed_gradient_eval(m, z, v, out);
}
#define br_distributed_gradient_eval poisoned_cells_gradient

static inline void poisoned_cells_carry(const br_distributed* from, const double* z,
                                        const br_distributed* to, double* out)
{
    poison(out, cells_states(to));
    br_distributed_carry(from, z, to, out);
}
#define br_distributed_carry poisoned_cells_carry

/* ---- models: blocks --------------------------------------------------------------------------- */

static inline br_wrench poisoned_blocks_eval(const br_blocks* m, const double* z, br_twist v,
                                             double fn, double* dz)
{
    poison(dz, blocks_states(m));
    return br_blocks_eval(m, z, v, fn, dz);
}
#define br_blocks_eval poisoned_blocks_eval

static inline br_wrench poisoned_blocks_step(const br_blocks* m, double* z, br_twist v, double fn,
                                             double h, br_step_energy* energy)
{
    poison_energy(energy);
    return br_blocks_step(m, z, v, fn, h, energy);
}
#define br_blocks_step poisoned_blocks_step

static inline void poisoned_blocks_gradient(const br_blocks* m, const double* z, br_twist v,
                                            const br_blocks_gradient* out)
{
    poison(out->dz_z, 3 * blocks_states(m));
    poison(out->dz_v, 3 * blocks_states(m));
    br_blocks_gradient_eval(m, z, v, out);
}
#define br_blocks_gradient_eval poisoned_blocks_gradient

static inline void poisoned_blocks_carry(const br_blocks* from, const double* z,
                                         const br_blocks* to, double* out)
{
    poison(out, blocks_states(to));
    br_blocks_carry(from, z, to, out);
}
#define br_blocks_carry poisoned_blocks_carry

/* ---- models: reduced -------------------------------------------------------------------------- */

static inline br_wrench poisoned_reduced_eval(const br_reduced* m, const double* z, br_twist v,
                                              double fn, double* dz)
{
    poison(dz, 3);
    return br_reduced_eval(m, z, v, fn, dz);
}
#define br_reduced_eval poisoned_reduced_eval

static inline br_wrench poisoned_reduced_step(const br_reduced* m, double* z, br_twist v, double fn,
                                              double h, br_step_energy* energy)
{
    poison_energy(energy);
    return br_reduced_step(m, z, v, fn, h, energy);
}
#define br_reduced_step poisoned_reduced_step

static inline void poisoned_reduced_gradient(const br_reduced* m, const double* z, br_twist v,
                                             double fn, br_reduced_gradient* out)
{
    poison(&out->dz_z[0][0], sizeof *out / sizeof(double));
    br_reduced_gradient_eval(m, z, v, fn, out);
}
#define br_reduced_gradient_eval poisoned_reduced_gradient

/* ---- batches ---------------------------------------------------------------------------------- */

static inline void poisoned_batch_eval(const br_batch_contact* contact, size_t count,
                                       const double* z, const br_twist* v, const double* fn,
                                       double* dz, br_wrench* f)
{
    for (size_t i = 0; i < count; i++) {
        poison(dz + contact[i].state, br_batch_get_states(&contact[i]));
        f[i] = (br_wrench){(double)NAN, (double)NAN, (double)NAN};
    }
    br_batch_eval(contact, count, z, v, fn, dz, f);
}
#define br_batch_eval poisoned_batch_eval

static inline void poisoned_batch_step(const br_batch_contact* contact, size_t count, double* z,
                                       const br_twist* v, const double* fn, double h, br_wrench* f,
                                       br_step_energy* energy)
{
    for (size_t i = 0; i < count; i++) {
        f[i] = (br_wrench){(double)NAN, (double)NAN, (double)NAN};
        poison_energy(energy ? energy + i : NULL);
    }
    br_batch_step(contact, count, z, v, fn, h, f, energy);
}
#define br_batch_step poisoned_batch_step

static inline void poisoned_reduced_batch(const br_reduced* m, const br_reduced_batch* b)
{
    double* const out[] = {b->dz_x, b->dz_y, b->dz_tau, b->fx, b->fy, b->tau};
    for (size_t i = 0; i < sizeof out / sizeof *out; i++) {
        poison(out[i], b->count);
    }
    br_reduced_batch_eval(m, b);
}
#define br_reduced_batch_eval poisoned_reduced_batch

#endif
