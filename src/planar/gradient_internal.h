/*
 * Derivatives of a contact within a step, whichever method it is of.
 *
 * A contact in a step of twists V resists with w J^T F(J (V - ground)), w = n fn, J as in step_stage.h. Backwards, L depends on F by
 *   Fb = -fn M f_bar - w J g
 * M the contact's map, f_bar of its own wrench, g of the resistance of its twist: first what the caller gives for it, in the end
 * also the multipliers of the balance.
 */
#ifndef BRISTLE_PLANAR_GRADIENT_INTERNAL_H
#define BRISTLE_PLANAR_GRADIENT_INTERNAL_H

#include "bristle/gradient.h"

#include <string.h>

#include "planar/contact_reduced.h"
#include "planar/gradient_kernel.h"

// --- the bristles of a contact, whichever method it is of (gradient_contact.c) -------------------------------

void bri_gradient_begin(const br_contact* c, const kernel_law* law, const gradient_pass* in,
                        gradient_tangent* out);
void bri_gradient_end(const br_contact* c, const kernel_law* law, const gradient_pass* in,
                      double* z0b, int laws, gradient_sums* out);
void bri_gradient_forward(const br_contact* c, const kernel_law* law, const gradient_pass* in,
                          const gradient_direction* d, double* z1_dot, double F_dot[3]);

void bri_gradient_close_begin(const br_contact* c, const kernel_law* law, const gradient_pass* in,
                              gradient_tangent* out);
void bri_gradient_close_end(const br_contact* c, const kernel_law* law, const gradient_pass* in,
                            double* z0b, double* decays, gradient_sums* out);
void bri_gradient_decays(const br_contact* c, const kernel_law* law, const gradient_pass* in,
                         const double* decays, double vb[3], double* z0b, gradient_sums* out);
void bri_gradient_decays_forward(const br_contact* c, const kernel_law* law,
                                 const gradient_pass* in, const gradient_direction* d,
                                 double* decays);
void bri_gradient_close_forward(const br_contact* c, const kernel_law* law, const gradient_pass* in,
                                const gradient_direction* d, const double* decays, double* z1_dot,
                                double F_dot[3]);

// F of bristles z that are held at a twist for a step, with fn = 1; z does not change.
void bri_gradient_pressed(const br_contact* c, const double* z, const double v[3], double h,
                          double F[3]);

// The same of reduced contacts (gradient_reduced.c).
void bri_gradient_reduced_begin(const br_contact* c, const kernel_law* law, const gradient_pass* in,
                                gradient_tangent* out);
void bri_gradient_reduced_end(const br_contact* c, const kernel_law* law, const gradient_pass* in,
                              double* z0b, int laws, gradient_sums* out);
void bri_gradient_reduced_forward(const br_contact* c, const kernel_law* law,
                                  const gradient_pass* in, const gradient_direction* d,
                                  double* z1_dot, double F_dot[3]);

void bri_gradient_reduced_close_begin(const br_contact* c, const kernel_law* law,
                                      const gradient_pass* in, gradient_tangent* out);
void bri_gradient_reduced_close_end(const br_contact* c, const kernel_law* law,
                                    const gradient_pass* in, double* z0b, double* decays,
                                    gradient_sums* out);
void bri_gradient_reduced_decays(const br_contact* c, const kernel_law* law,
                                 const gradient_pass* in, const double* decays, double vb[3],
                                 double* z0b, gradient_sums* out);
void bri_gradient_reduced_decays_forward(const br_contact* c, const kernel_law* law,
                                         const gradient_pass* in, const gradient_direction* d,
                                         double* decays);
void bri_gradient_reduced_close_forward(const br_contact* c, const kernel_law* law,
                                        const gradient_pass* in, const gradient_direction* d,
                                        const double* decays, double* z1_dot, double F_dot[3]);

static inline size_t contact_states(const br_contact* c)
{
    return c->size * c->parts.count;
}

// Doubles of decays: of each part x, f, s; of a reduced contact x, s, delta (3).
static inline size_t contact_decays(const br_contact* c)
{
    return contact_is_reduced(c) ? 5 : GRADIENT_DECAYS * c->parts.count;
}

// Fb of a wrench's adjoint.
static inline vector3 gradient_enter(const br_contact* c, double fn, br_wrench f_bar)
{
    const br_twist entered = map2_enter(c->map, (br_twist){f_bar.fx, f_bar.fy, f_bar.tau});
    return (vector3){{-fn * entered.vx, -fn * entered.vy, -fn * entered.w}};
}

#endif
