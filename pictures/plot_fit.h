/*
 * Pictures of fits.
 */
#ifndef PICTURES_PLOT_FIT_H
#define PICTURES_PLOT_FIT_H

#include "bristle/fit_law.h"
#include "output.h"

// The report on a law's fit. All pointers are borrowed.
typedef struct fit_law_report {
    const char* file; // the data's
    const br_fit_law_def* def;
    const br_fit_law_choice* all;
    const br_fit_law_result* fit; // of the chosen law
    const double* force;          // of the fit (def->data.count)
    double hold_out;              // share of the rows
    const char* validate;         // the file that was predicted; NULL: the last rows
    double fn;                    // the normal force that was given; NaN: none
} fit_law_report;

// Data and fit over time and over speed, residuals, profiles of the law's parameters.
void plot_fit_law(const fit_law_report* report, output* to);

#endif
