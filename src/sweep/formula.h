/*
 * Formulas: "1e3 * contacts[0].slipped", "max.fn > 3", "sin(a) + 7 * sin(b)^2".
 */
#ifndef BRISTLE_SWEEP_FORMULA_H
#define BRISTLE_SWEEP_FORMULA_H

#include "sweep/sweep_output.h"

// Read a formula; names that are not keys are outputs. NULL: an error was recorded for `what`.
formula* bri_formula_read(parse_context* in, const char* what, const char* text, names keys);

// Its value; see bri_sweep_output_eval().
double bri_formula_eval(const formula* f, const br_table* table, const double* inputs,
                        const char** missing);

// The outputs that it names, (count).
const sweep_output* bri_formula_outputs(const formula* f, size_t* count);

#endif
