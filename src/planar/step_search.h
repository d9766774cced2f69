/*
 * The inside of a stage while it is under way.
 */
#ifndef BRISTLE_PLANAR_STEP_SEARCH_H
#define BRISTLE_PLANAR_STEP_SEARCH_H

#include "planar/step_stage.h"

// A place p of the search, and what the bristles say there.
typedef struct place {
    double* p;        // (r)
    double* residual; // G^T R (r)
    double* slope;    // of the residual with p (r x r)
    double norm;      // |residual|
    int elastic;      // no bristle decays there
} place;

typedef struct search {
    const stage* s;
    moves g;           // the stage's
    size_t r, m;       // unknowns, numbers in all twists
    double* vf;        // twists without friction (m)
    double* v;         // twists (m)
    double* f;         // resistances, of the twists' contacts together (m)
    double* scratch;   // (m)
    double* f_v;       // their slopes with the twists, or C of the closing solve (3 m)
    double* step;      // of p (r)
    double* matrix;    // scratch (r x r)
    place here, there; // where the search is, and where it looks
    int stale;         // memo, f and f_v are those of another place than `here`
    int passes;
    double* fn_fn; // slopes of the normal forces' residual (n x n)
    double* d_fn;  // change of the normal forces (n)
} search;

// Set normal forces that follow what friction was found to be; 1 if they do so already.
int bri_search_follow(search* q);

#endif
