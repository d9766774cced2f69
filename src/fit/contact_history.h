/*
 * The wrench of a disc of bristles along a measured motion, with its derivatives.
 */
#ifndef BRISTLE_FIT_CONTACT_HISTORY_H
#define BRISTLE_FIT_CONTACT_HISTORY_H

#include "bristle/fit_contact.h"

enum { CONTACT_UNKNOWNS = BR_FIT_CONTACT_COUNT };

typedef struct contact_history {
    br_fit_contact_data data;
    size_t rings, spokes;
    double* work; // bri_contact_history_work() doubles
} contact_history;

size_t bri_contact_history_work(size_t rings, size_t spokes);

// fx, fy, tau (3 x count) with parameters p; where `jacobian` is not NULL, its columns by all parameters
// (8 x 3 count). Never allocates, never fails.
void bri_contact_history(const contact_history* h, const double p[CONTACT_UNKNOWNS], double* wrench,
                         double* jacobian);

#endif
