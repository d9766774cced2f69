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

// A part as the bristles have it: position and covariances of the stretched patch where friction is anisotropic, else
// br_contact_get_part().
BR_API br_contact_part bri_contact_get_bristle_part(const br_contact* contact, size_t index);

// Cells only, dz = v - k z: k [1/s], dk/dz and dk/dv of each cell (5 x parts), in the axes of the patch; 0 for cells
// of weight 0. All derivatives of the rates follow from them.
BR_API void bri_contact_decay_eval(const br_contact* contact, const double* z, br_twist v,
                                   double* out);

// --- a contact of br_contact_at() on a field, in a run ----------------------------------------------------

// Does the contact, of points on constant cells, jump where these meet?
BR_API int bri_contact_jumps(const br_contact* contact);

// Is it the same at poses nearby: have all its cells the same factor, and do the axes of friction not turn?
BR_API int bri_contact_is_on_uniform(const br_contact* contact);

// The smaller side of the field's cells [m]; infinite without a field that moves.
BR_API double bri_contact_field_length(const br_contact* contact);

// From now on the points of `at` have the factors of the cells in which they are at `pose`.
BR_API void bri_contact_hold_cells(const br_contact* at, br_pose pose);

// Smallest distance of a point to the edges of the cell that is held for it [m]; < 0: it has left the cell.
BR_API double bri_contact_to_edge(const br_contact* at, br_pose pose);

#endif
