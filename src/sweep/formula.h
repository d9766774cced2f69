/*
 * Formulas: "1e3 * contacts[0].slipped", "max.fn > 3", "sin(a) + 7 sin(b)^2".
 */
#ifndef BRISTLE_SWEEP_FORMULA_H
#define BRISTLE_SWEEP_FORMULA_H

#include "sweep/want.h"

// Read it; names that are no keys are wanted values. NULL: a mistake of `what` was noted.
formula* bri_formula_read(reading* in, const char* what, const char* text, names keys);

// Its value; see bri_want_eval().
double bri_formula_eval(const formula* f, const br_table* table, const double* inputs,
                        const char** missing);

// The wanted values that it names, (count).
const want* bri_formula_wants(const formula* f, size_t* count);

#endif
