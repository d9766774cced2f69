/*
 * The calls of planar contacts and steps with every workspace and every output full of NaN before: a
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

static inline br_step_group_answer poisoned_group_step(const br_step_group* group,
                                                       const br_twist* u, double h,
                                                       br_step_contact* contacts, size_t count,
                                                       br_wrench* f, br_twist* u1, double* work)
{
    poison_contacts(contacts, count, work);
    poison(work, br_step_group_get_work(contacts, count));
    for (size_t i = 0; i < count; i++) {
        f[i] = (br_wrench){(double)NAN, (double)NAN, (double)NAN};
    }
    return br_step_group_step(group, u, h, contacts, count, f, u1, work);
}
#define br_step_group_step poisoned_group_step

static inline br_step_trial poisoned_trial(br_step_contact* contacts, size_t count, br_twist u,
                                           double h, double* work)
{
    poison_contacts(contacts, count, work);
    return br_step_trial_eval(contacts, count, u, h, work);
}
#define br_step_trial_eval poisoned_trial

/* ---- contacts --------------------------------------------------------------------------------- */

static inline br_wrench poisoned_eval(const br_contact* c, const double* z, br_twist v, double fn,
                                      double* dz)
{
    poison(dz, br_contact_get_state_count(c));
    return br_contact_eval(c, z, v, fn, dz);
}
#define br_contact_eval poisoned_eval

static inline br_wrench poisoned_steady(const br_contact* c, br_twist v, double fn, double* z)
{
    poison(z, z ? br_contact_get_state_count(c) : 0);
    return br_contact_steady_eval(c, v, fn, z);
}
#define br_contact_steady_eval poisoned_steady

static inline br_wrench poisoned_step(const br_contact* c, double* z, br_twist v, double fn,
                                      double h, br_step_energy* energy)
{
    poison_energy(energy);
    return br_contact_step(c, z, v, fn, h, energy);
}
#define br_contact_step poisoned_step

static inline void poisoned_gradient(const br_contact* c, const double* z, br_twist v, double fn,
                                     br_contact_gradient* out)
{
    const size_t states = br_contact_get_state_count(c), k = states / br_contact_get_part_count(c);
    poison(out->dz_z, out->dz_z ? k * states : 0);
    poison(out->dz_v, out->dz_v ? 3 * states : 0);
    poison(out->f_z, out->f_z ? 3 * states : 0);
    poison(&out->f_v[0][0], 9);
    poison(out->f_fn, 3);
    br_contact_gradient_eval(c, z, v, fn, out);
}
#define br_contact_gradient_eval poisoned_gradient

static inline void poisoned_carry(const br_contact* from, const double* z, const br_contact* to,
                                  double* out)
{
    poison(out, br_contact_get_state_count(to));
    br_contact_carry(from, z, to, out);
}
#define br_contact_carry poisoned_carry

/* ---- batches ---------------------------------------------------------------------------------- */

static inline void poisoned_batch_eval(const br_batch_contact* contact, size_t count,
                                       const double* z, const br_twist* v, const double* fn,
                                       double* dz, br_wrench* f)
{
    for (size_t i = 0; i < count; i++) {
        poison(dz + contact[i].state, br_contact_get_state_count(contact[i].contact));
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

static inline void poisoned_arrays_eval(const br_contact* c, const br_batch_arrays* b)
{
    double* const out[] = {b->dz_x, b->dz_y, b->dz_tau, b->fx, b->fy, b->tau};
    for (size_t i = 0; i < sizeof out / sizeof *out; i++) {
        poison(out[i], b->count);
    }
    br_batch_arrays_eval(c, b);
}
#define br_batch_arrays_eval poisoned_arrays_eval

#endif
