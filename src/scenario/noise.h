/*
 * `noise` of a scenario: what sensors would add to the columns of its table.
 */
#ifndef BRISTLE_SCENARIO_NOISE_H
#define BRISTLE_SCENARIO_NOISE_H

#include <stdint.h>

#include "bristle/scenario.h"
#include "scenario/node.h"

// The noise of one column: normal, independent from row to row.
typedef struct noise {
    size_t column;
    double deviation; // in the column's unit
    double bias;      // in the column's unit
    uint64_t state;   // of the random numbers that are drawn; their beginning, in a scenario
} noise;

// All of a scenario's, in the memory of its reading; NULL: none.
const noise* bri_read_noise(const node* root, const br_column* columns, size_t column_count,
                            size_t* count);

// Add to a row; the states go on.
void bri_noise_add(noise* noises, size_t count, double* row);

#endif
