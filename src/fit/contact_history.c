/*
 * The choice of an instance of a contact's history for the processor.
 */
#include "fit/contact_history_lanes.h"

#include <string.h>

contact_history_fn* bri_contact_history_with(int lanes)
{
    switch (processor_has(lanes) ? lanes & HISTORY_LANES : 0) {
#if HISTORY_LANES & 8
    case 8:
        return bri_contact_history_8;
    case 4:
        return bri_contact_history_4;
#endif
#if HISTORY_LANES & 2
    case 2:
        return bri_contact_history_2;
#endif
    case 1:
        return bri_contact_history_1;
    default:
        return NULL;
    }
}

void bri_contact_history(const contact_history* h, const double p[CONTACT_INPUTS], double* wrench,
                         double* jacobian)
{
    contact_history_fn* best = NULL;
    for (int lanes = 8; !best; lanes /= 2) {
        best = bri_contact_history_with(lanes);
    }
    bri_parts_set(h->parts, p[CONTACT_K]);
    memset(wrench, 0, 3 * h->data.count * sizeof *wrench);
    memset(jacobian, 0, 3 * CONTACT_INPUTS * h->data.count * sizeof *jacobian);
    best(h, p, wrench, jacobian);
}
