/*
 * Everyday scenes: random but ordinary bodies on tables, belts and slopes, between fingers, pushed.
 *
 * A scene is plain data that knows nothing of bristle. From it come
 *
 *   scene_make      the scene of a seed and an index
 *   scene_write     a scenario, the text that every interface of bristle reads
 *   scene_turn      the same scene in other axes; scene_mirror, scene_scale: mirrored, in other units
 *   oracle_run      its motion by a small simulator of its own (oracle.h)
 *
 * SI units. Vectors that vary in time are a fixed direction times one wave: a change of axes then
 * changes directions alone.
 */
#ifndef BRISTLE_SCENE_H
#define BRISTLE_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "draw.h"

enum { WAVE_VALUES = 6, PATCH_VALUES = 12, SCENE_CONTACTS = 4, SCENE_LOADS = 3, GRID_SIDE = 4 };

/// Kinds of waves, named as the profiles of scenarios.
typedef enum wave_kind {
    WAVE_CONSTANT,
    WAVE_SINE,
    WAVE_STEPS,
    WAVE_TABLE,
    WAVE_RAMP,
    WAVE_MOVE,
    WAVE_ACCELERATE
} wave_kind;

/// A number over time.
typedef struct wave {
    wave_kind kind;
    double mean; ///< constant, sine; ramp, move, accelerate: value at the start
    double
        amplitude; ///< sine; ramp, move: value at the end; accelerate: its slope at the end [1/s]
    double frequency;  ///< sine [Hz]
    double phase;      ///< sine [rad]
    double start, end; ///< sine: start; ramp, move, accelerate: both [s]
    int count;         ///< steps, table
    double t[WAVE_VALUES], value[WAVE_VALUES];
    double hold; ///< sampling period [s]; 0: none
} wave;

/// Shapes, in the order of their names in scene_write.c.
typedef enum shape {
    SHAPE_DISC,
    SHAPE_RING,
    SHAPE_RECTANGLE,
    SHAPE_LINE,
    SHAPE_POLYGON,
    SHAPE_POINTS,
    SHAPE_GRID,
    SHAPE_ELLIPSE,
    SHAPE_TRIANGLES,
    SHAPE_COUNT
} shape;

/// A contact patch.
typedef struct patch {
    shape shape;
    double radius;          ///< disc, ring, ellipse [m]; of a growing disc: coefficient C of C fn^E
    double exponent;        ///< E of a growing disc, 0: it does not grow
    double most;            ///< its largest radius [m]
    double ratio;           ///< ellipse
    double size[2];         ///< rectangle, grid; line: size[0] [m]
    int count;              ///< polygon, points, triangles: number of vertices
    double x[PATCH_VALUES]; ///< their coordinates [m]
    double y[PATCH_VALUES];
    double p[PATCH_VALUES];             ///< points: weight; triangles: pressure
    double cells[GRID_SIDE][GRID_SIDE]; ///< grid, rows from the largest y down
    double power;                       ///< exponent k of a power pressure, 0: none (disc, ellipse)
    double from, to;                    ///< linear pressure along x; both 0: uniform
    double centre[2], angle;            ///< placement in the contact's frame [m, rad]
} patch;

/// Factors on the friction of a foot by position: four cells, of which the outermost continue.
typedef struct field {
    bool is, in_body;              ///< in_body: it moves with the body; else it is on the ground
    double factor[2][2];           ///< rows from the largest y down
    double size, centre[2], angle; ///< [m, m, rad]
} field;

/// A law of friction. `alone`: the scenario gives mu and nothing else.
typedef struct law {
    bool alone;
    bool elasto_plastic;
    double mu_c, mu_s, v_s, sigma0, sigma1, sigma2, v_damping;
    double ratio, angle; ///< anisotropy; ratio 1: none
    bool ground;         ///< its axes are those of the ground
    field field;
} law;

/// Models, in the order of their names in scene_write.c.
typedef enum model { MODEL_BLOCKS, MODEL_DISTRIBUTED, MODEL_REDUCED, MODEL_ELLIPSOID } model;

/// A contact of the body.
typedef struct contact {
    bool in_body; ///< a foot; else a finger
    patch patch;
    model model;
    int blocks;
    law law;
    double at[2]; ///< origin of the patch's frame: from the CoM, or in the world [m]
    wave normal;  ///< normal force of one contact [N]; with `weight` the value that follows from it
    bool weight;  ///< the scenario says "weight"
    int count;
    double direction[2]; ///< of the support's motion
    wave support;        ///< distance along it [m]
} contact;

/// A load at the CoM: a wave times (x, y, torque), in the world's axes.
typedef struct load {
    double x, y, torque;
    wave wave;
} load;

/// A round tip that pushes the body.
typedef struct pusher {
    bool is;
    double from[2], direction[2]; ///< centre: from + direction times wave [m]
    wave wave;
    double radius, mu, stiffness, damping;
} pusher;

/// A scene.
typedef struct scene {
    const char* kind; ///< "puck", "feet", "fingers", "belt", "pusher"
    double mass;      ///< [kg]
    double inertia;   ///< about the CoM [kg m^2]
    double size[2];   ///< of the body; 0: only its inertia is known
    double radius;    ///< of a round body; 0: see `size`
    double pose[3];   ///< CoM [m, m, rad]
    double velocity[3];
    double gravity[2]; ///< in the plane [m/s^2]
    int contact_count;
    contact contacts[SCENE_CONTACTS];
    int load_count;
    load loads[SCENE_LOADS];
    pusher pusher;
    double duration;
    double step;        ///< of fixed steps [s]; 0: adaptive
    double length_unit; ///< metres of the world per unit of this scene; 1 unless scaled
    double rtol;        ///< of an adaptive run
} scene;

/// Rows of every scene after the first one: every duration/SCENE_ROWS.
enum { SCENE_ROWS = 20 };

scene scene_make(uint64_t seed, uint64_t index);
scene scene_turn(const scene* of, double angle);
scene scene_mirror(const scene* of);
scene scene_scale(const scene* of, double mass, double length, double time);
void scene_write(const scene* of, FILE* out);
double field_factor(const field* of, double x, double y);
double wave_value(const wave* of, double t);
double wave_slope(const wave* of, double t);
double wave_largest(const wave* of, double duration);

#endif
