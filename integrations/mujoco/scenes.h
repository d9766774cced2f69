/*
 * Scenes for the table: a model of MuJoCo, with MuJoCo's friction or with that of bristle.
 */
#ifndef BRISTLE_MUJOCO_SCENES_H
#define BRISTLE_MUJOCO_SCENES_H

#include "bristle/mujoco.h"

// How friction is computed.
typedef struct method {
    const char* name;
    double impratio;
    int noslip;
    int is_bristle;
} method;

// A model, its data, and the cost of its steps.
typedef struct scene {
    const method* how;
    mjModel* m;
    mjData* d;
    brm_adapter* adapter;
    double spent;     // CPU time of the steps of the present hundred [s]
    double min_spent; // CPU time of the cheapest hundred [s]
    int steps;        // steps of the present hundred
} scene;

// Load a model. `xml` is a format string of the model's content, followed by its arguments. The pairs are used if
// the method is bristle. Prints the reason and ends the program on an error.
scene scene_make(const method* how, const brm_pair* pairs, size_t count, double h, const char* xml,
                 ...);
void scene_free(scene* s);

// One step with cost measurement.
void scene_step(scene* s);

// Start the measurement; mean time of a step in the cheapest hundred since then [us], as other programs disturb the rest.
void scene_count(scene* s);
double scene_cost(const scene* s);

#endif
