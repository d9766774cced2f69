/*
 * Number of threads for a batch of contacts.
 */
#ifndef BRISTLE_PLANAR_BATCH_THREADS_H
#define BRISTLE_PLANAR_BATCH_THREADS_H

#include "bristle/batch.h"

// Estimated cost of a contact in a batch evaluation or in a batch step [ns].
double bri_batch_cost(const br_contact* c, int is_step);

// Number of threads for this work [ns]: one per 1 ms, at least 1, at most `max_threads`.
int bri_batch_threads(double work, int max_threads);

#endif
