/*
 * Evaluation of some parts of a contact and of their decay, for integrators with their own passes over the
 * parts. BR_API because libbristle-sim, another library, calls them; they are in no installed header.
 */
#ifndef BRISTLE_PLANAR_CONTACT_SOME_H
#define BRISTLE_PLANAR_CONTACT_SOME_H

#include "bristle/contact.h"

// br_contact_eval() of `count` parts from `first` on, both multiples of BRI_SOME_UNIT unless these are all
// parts; z and dz are those of these parts alone. The wrenches of all parts add up to that of the contact.
enum { BRI_SOME_UNIT = 8 };
BR_API br_wrench bri_contact_eval_some(const br_contact* contact, size_t first, size_t count,
                                       const double* z, br_twist v, double fn, double* dz);

// Cells only, dz = v - k z: k [1/s], dk/dz and dk/dv of each cell (5 x parts), in the axes of the patch; 0 for cells
// of weight 0. All derivatives of the rates follow from them.
BR_API void bri_contact_decay_eval(const br_contact* contact, const double* z, br_twist v,
                                   double* out);

#endif
