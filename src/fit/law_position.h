/*
 * An offset that depends on the position: gravity that was not quite taken away, ripple of a gear.
 *
 *   offset(x) = offset + sum c_j (hat_j(x) - its mean),   x: the way since the first row
 *
 * hats being linear between places that are evenly spread over the way. It is linear in c, so c goes with the residual
 * r of everything else: c = M^-1 A^T r, M = A^T A + ridge (A: hats less their means), and what is left of a residual, as
 * of each of its derivatives, is P r = r - A c (variable projection). The ridge holds c to 0 where few rows are. (F-13)
 */
#ifndef BRISTLE_FIT_LAW_POSITION_H
#define BRISTLE_FIT_LAW_POSITION_H

#include "bristle/fit_law.h"

typedef struct law_position {
    size_t count;    // places; 0: the offset does not depend on the position
    size_t rows;     // that are fitted to
    double from, to; // [m]
    double* at;      // of each row, counted in places; borrowed (rows)
    double mean[BR_FIT_PLACES];
    double factor[BR_FIT_PLACES][BR_FIT_PLACES]; // Cholesky's of M, lower triangle
} law_position;

// The way since the first row (data->count).
void bri_position_way(const br_fit_law_data* data, double* way);

// Spread places over the way of `rows` rows. Returns 0, and there are none, where none are asked for or there is no
// way. room (rows): memory that `position` borrows.
int bri_position_set(law_position* position, const double* way, size_t rows, size_t places,
                     double* room);

// column becomes P column (rows); c (count), where not NULL, what was taken away.
void bri_position_project(const law_position* position, double* column, double* c);

// The number of places of which residuals (rows) that are left out are predicted best, ten blocks of rows being left
// out in turn; 0 where none is better than none by a standard error, or places are passed in one direction alone.
size_t bri_position_choose(const double* way, const double* v, const double* residual, size_t rows);

// c as offsets at the places.
void bri_position_map(const law_position* position, const double* c, br_fit_offset_map* out);

#endif
