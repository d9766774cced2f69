/*
 * How the oracle of test_same.py writes: a name and numbers in hexadecimal on each line.
 */
#ifndef BRISTLE_PYTHON_SAME_H
#define BRISTLE_PYTHON_SAME_H

#include <stdio.h>
#include <stdlib.h>

#include "bristle/bristle.h"

static inline void name(const char* group, const char* what)
{
    printf("%s.%s", group, what);
}

static inline void numbers(const double* list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        printf(" %a", list[i]);
    }
}

static inline void line(const double* list, size_t count)
{
    numbers(list, count);
    printf("\n");
}

static inline void wrench(br_wrench f)
{
    numbers((const double[]){f.fx, f.fy, f.tau}, 3);
}

// same_cone.c: cones, polyhedra, grasps, sliders, pushers of a patch and its surface
void show_cones(const br_limit* surface);
void show_sliders(const br_patch* patch, const br_limit* surface);

// same_run.c: a body, a mechanism, a scenario in time
void show_runs(void);

#endif
