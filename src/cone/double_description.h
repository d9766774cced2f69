/*
 * The double description method of Motzkin et al.: the edges of a cone defined by its faces.
 *
 * The cone {x : a_k.x <= 0} is built row by row. It is stored as a linear space plus rays: every x
 * of the cone is a vector of the space plus a sum of rays with factors >= 0. Conversely, the rows
 * are the rays of a cone and the rays found are its faces.
 */
#ifndef BRISTLE_CONE_DOUBLE_DESCRIPTION_H
#define BRISTLE_CONE_DOUBLE_DESCRIPTION_H

#include <stdint.h>

#include "bristle/base.h"

enum {
    DD_MAX_DIMENSION = 6,
    DD_MAX_RAYS = 50000 // more are an error
};

typedef struct dd {
    size_t dimension;
    size_t max_rows, rows;  // capacity for rows, and rows inserted
    size_t words;           // 64-bit words of a set of rows
    size_t count, capacity; // rays
    double* ray;            // unit length (count x dimension)
    double* note;           // for use by the caller, one per ray; NaN for a new ray (count)
    uint64_t* tight;        // for each ray the rows with a.x = 0 (count x words)
    double space[DD_MAX_DIMENSION][DD_MAX_DIMENSION]; // basis of the linear space
    size_t space_count;
} dd;

// The full space, with memory for rows.
void bri_dd_init(dd* out, size_t dimension, size_t max_rows);

// Add a.x <= 0. Numbers below 1e-11 of |a| count as 0. BR_OK, BR_ERR_MEMORY, BR_ERR_ARG (too many
// rays).
br_status bri_dd_insert(dd* d, const double* a);

// Free the memory of bri_dd_init() and bri_dd_insert().
void bri_dd_release(dd* d);

#endif
