/*
 * What those ask a contact for who integrate it in passes of their own: some of its parts, and how their
 * bristles decay. BR_API: libbristle-sim calls them in another library; no installed header has them.
 */
#ifndef BRISTLE_PLANAR_CONTACT_SOME_H
#define BRISTLE_PLANAR_CONTACT_SOME_H

#include "bristle/contact.h"

// br_contact_eval() of `count` parts from `first` on, both multiples of BRI_SOME_UNIT unless they are all of
// them; z and dz are those of these parts alone. Over all parts the wrenches sum up to that of the contact.
enum { BRI_SOME_UNIT = 8 };
BR_API br_wrench bri_contact_eval_some(const br_contact* contact, size_t first, size_t count,
                                       const double* z, br_twist v, double fn, double* dz);

// Cells only: dz = v - k z of each; k [1/s], dk/dz and dk/dv, which all derivatives of their rates follow from:
// (5 x parts), 0 for those of no weight, in the axes of the patch.
BR_API void bri_contact_decay_eval(const br_contact* contact, const double* z, br_twist v,
                                   double* out);

#endif
