/*
 * The force of a law along a measured motion, and its derivatives by all that may be estimated: exact,
 * forward, in the same pass.
 */
#ifndef BRISTLE_FIT_LAW_HISTORY_H
#define BRISTLE_FIT_LAW_HISTORY_H

#include "bristle/fit_law.h"

enum { WIDTH = 20 }; // BR_FIT_COUNT, filled up so that loops over it become vector code

// A law along data. Arrays are borrowed.
typedef struct law_history {
    br_law_kind kind;
    br_fit_law_data data;
    unsigned wanted; // bits 1 << BR_FIT_...: derivatives by these are requested
    double* speed;   // (count) memory for v(t - delay); NULL: there is no delay
} law_history;

// Force (count) with parameters p, and, where `jacobian` is not NULL, its derivatives by those wanted, column
// by column in the order of the bits. Without t: of steady sliding. Never allocates, never fails.
void bri_law_history(const law_history* h, const double p[BR_FIT_COUNT], double* f,
                     double* jacobian);

// The same with `speed` filled in, without and with derivatives.
void bri_law_history_values(const law_history* h, const double p[BR_FIT_COUNT], double* f,
                            double* jacobian);
void bri_law_history_slopes(const law_history* h, const double p[BR_FIT_COUNT], double* f,
                            double* jacobian);
void bri_law_history_slopes_4(const law_history* h, const double p[BR_FIT_COUNT], double* f,
                              double* jacobian); // for processors with AVX2

#endif
