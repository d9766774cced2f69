/*
 * Pictures of fits.
 */
#ifndef PICTURES_PLOT_FIT_H
#define PICTURES_PLOT_FIT_H

#include <stdbool.h>

#include "bristle/fit_law.h"
#include "output.h"

// One law of several that were tried.
typedef struct fit_law_outcome {
    bool is_there;
    br_fit_law_result fit;
} fit_law_outcome;

// What there is to tell of a law's fit. All borrowed.
typedef struct fit_law_report {
    const char* file; // the data's
    const br_fit_law_def* def;
    const fit_law_outcome* all; // (BR_FIT_LAW_COUNT)
    int chosen;
    const br_fit_law_result* fit; // of the chosen
    const double* force;          // of the fit (def->data.count)
    double hold_out;              // share of the rows
    const char* validate;         // the file of what was predicted; NULL: the last rows
    double fn;                    // the normal force that was given; NaN: none
} fit_law_report;

// Data and fit over time and over speed, residuals, profiles of the law's parameters.
void plot_fit_law(const fit_law_report* report, output* to);

#endif
