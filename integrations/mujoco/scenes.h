/*
 * Scenes for the table: a model of MuJoCo, stepped by itself or with friction by bristle.
 */
#ifndef BRISTLE_MUJOCO_SCENES_H
#define BRISTLE_MUJOCO_SCENES_H

#include "bristle/mujoco.h"

// How friction is found.
typedef struct method {
    const char* name;
    double impratio;
    int noslip;
    int is_bristle;
} method;

// A model, its data, and what its steps cost.
typedef struct scene {
    const method* how;
    mjModel* m;
    mjData* d;
    brm_adapter* adapter;
    double spent,
        least; // CPU time of the steps since the last hundred, and of the cheapest hundred [s]
    int steps; // since then
} scene;

// Load a model. `xml` is a format: time step, impratio, iterations of noslip, condim, then what follows. The
// pairs are bristle's where the method is. Ends the program with the reason if anything is wrong.
scene scene_make(const method* how, const brm_pair* pairs, size_t count, double h, const char* xml,
                 ...);
void scene_free(scene* s);

// One step, its cost counted.
void scene_step(scene* s);

// Microseconds in a step, in the mean of the cheapest hundred since the count began: other programs disturb the rest.
void scene_count(scene* s);
double scene_cost(const scene* s);

#endif
