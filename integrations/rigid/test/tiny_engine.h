/*
 * A tiny engine for tests: boxes on a plane and on each other's flat faces, gravity, no friction and no solver of its own.
 */
#ifndef BRISTLE_RIGID_TINY_ENGINE_H
#define BRISTLE_RIGID_TINY_ENGINE_H

#include "bristle/rigid.h"

enum { TINY_BODIES = 128, TINY_POINTS = 8 * TINY_BODIES };

typedef struct tiny_box {
    double half[3], mass, mu;
} tiny_box;

typedef struct tiny_engine {
    brg_body bodies[TINY_BODIES];
    tiny_box boxes[TINY_BODIES];
    size_t count;
    double gravity[3];
    double force[TINY_BODIES][6]; // of the next step, at the centre of mass [N, N m]
    brg_point points[TINY_POINTS];
    size_t point_count;
    brg_row rows[64];
    size_t row_count;
    brg_change change[TINY_BODIES];
    brg_world* friction;
    brg_report report;
    int reverses; // 1: bodies of all pairs, and the order of points, in every second step
    int step;
} tiny_engine;

// An engine without bodies, gravity 9.81 m/s^2 down; free it with tiny_close().
void tiny_open(tiny_engine* e, const brg_def* def);
void tiny_close(tiny_engine* e);

// Add a box with horizontal faces; its index.
int tiny_add(tiny_engine* e, tiny_box box, double x, double y, double z);

// A step: forces, contact points of the plane z = 0 and of boxes above each other, friction, motion.
void tiny_step(tiny_engine* e, double h);

// Kinetic and potential energy [J].
double tiny_energy(const tiny_engine* e);

#endif
