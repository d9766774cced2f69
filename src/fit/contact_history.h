/*
 * The wrench of a contact of bristles along a measured motion, with its derivatives.
 */
#ifndef BRISTLE_FIT_CONTACT_HISTORY_H
#define BRISTLE_FIT_CONTACT_HISTORY_H

#include "fit/contact_parts.h"

// What the history depends on. Size: over that of the patch as it is given.
enum {
    CONTACT_MU_C,
    CONTACT_MU_S,
    CONTACT_V_S,
    CONTACT_SIGMA0,
    CONTACT_S_BA,
    CONTACT_SIZE,
    CONTACT_K,
    CONTACT_STATES, // so far: what the bristles know
    CONTACT_SIGMA1 = CONTACT_STATES,
    CONTACT_SIGMA2,
    CONTACT_INPUTS
};

typedef struct contact_history {
    br_fit_contact_data data;
    int is_plastic; // elasto-plastic, else LuGre's
    contact_parts* parts;
    double* state; // bri_contact_history_room() doubles
} contact_history;

size_t bri_contact_history_room(const contact_parts* parts);

// fx, fy, tau (3 x count) with the inputs p, and their derivatives, a column for each input (CONTACT_INPUTS x 3 count).
// Weighs the parts anew. Never allocates, never fails.
void bri_contact_history(const contact_history* h, const double p[CONTACT_INPUTS], double* wrench,
                         double* jacobian);

#endif
