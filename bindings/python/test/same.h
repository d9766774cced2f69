/*
 * Output of the oracle of test_same.py: a name and numbers in hexadecimal on each line.
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

static inline br_patch* make_patch(const br_patch_def* def)
{
    br_patch* patch;
    if (br_patch_create(def, &patch, NULL) != BR_OK) {
        exit(1);
    }
    return patch;
}

static inline br_limit* make_surface(const br_patch* patch)
{
    br_limit_def def = br_limit_def_default();
    br_limit* surface;
    def.patch = patch;
    if (br_limit_create(&def, &surface, NULL) != BR_OK) {
        exit(1);
    }
    return surface;
}

static inline br_contact* make_contact(br_method method, const br_patch* patch)
{
    br_contact_def def = br_contact_def_default();
    br_contact* contact;
    def.patch = patch;
    def.method = method;
    def.law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    if (br_contact_create(&def, &contact, NULL) != BR_OK) {
        exit(1);
    }
    return contact;
}

// same_cone.c: cones, polyhedra, grasps, sliders, pushers of a patch and its surface
void show_cones(const br_limit* surface);
void show_sliders(const br_patch* patch, const br_limit* surface);

// same_run.c: a body, a mechanism, a scenario in time
void show_runs(void);

// same_rest.c: functions that bristle.js does not have
void show_rest(void);

// same_fit.c: fits of laws, pressures and pushes; a sweep
void show_fits(const br_patch* box);
void show_sweep(void);

#endif
