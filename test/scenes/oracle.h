/*
 * A small simulator of scenes that shares nothing with bristle: the oracle.
 *
 * A patch is a set of points, each with its share of the normal force. A point sticks by a spring and
 * a damper, and slides when their force reaches the limit of Coulomb's law (Cundall & Strack, "A
 * discrete numerical model for granular assemblies", 1979). Steps are explicit and short compared
 * with the fastest vibration on these springs. As the springs get stiffer, the motion tends to that
 * of Coulomb friction.
 */
#ifndef BRISTLE_SCENE_ORACLE_H
#define BRISTLE_SCENE_ORACLE_H

#include "scene.h"

/// How the oracle runs a scene, and what it changes in it.
typedef struct oracle_def {
    int points;         ///< number of points of all patches together, roughly
    double deflection;  ///< of the springs at the limit of friction [m]
    double damping;     ///< of the springs, over 0.7 of the critical one
    double mu_factor;   ///< on all friction coefficients
    double size_factor; ///< on the patches, about their centres of pressure
    double turn;        ///< angle by which friction is off its direction [rad]
    double offset[2];   ///< of the patches, over their root mean square radius [-]
    bool long_steps;    ///< twice as long, with a pusher 7 times
} oracle_def;

/// Pose and velocity of the CoM at each row: x, y, theta, vx, vy, w.
typedef struct oracle_rows {
    double at[SCENE_ROWS + 1][6];
} oracle_rows;

/// Simulate a scene.
/// @return number of steps
size_t oracle_run(const scene* of, const oracle_def* def, oracle_rows* rows);

enum { ORACLE_POINTS = 320 };

/// Points of a patch in the contact's frame, at a normal force of 1 N, weights that sum to 1.
typedef struct oracle_patch {
    int count;
    double x[ORACLE_POINTS], y[ORACLE_POINTS], weight[ORACLE_POINTS];
    double cop[2]; ///< centre of pressure [m]
    double radius; ///< root mean square distance from it [m]
} oracle_patch;

/// Sample a patch with about `wanted` points.
void oracle_sample(const patch* of, int wanted, oracle_patch* out);

#endif
