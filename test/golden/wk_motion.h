/*
 * The velocity profile of W&K Fig 5, as a motion.
 */
#ifndef BRISTLE_TEST_WK_MOTION_H
#define BRISTLE_TEST_WK_MOTION_H

#include "wk.h"

#include "bristle/sim.h"

// The profile of Fig 5, linear between its knots.
enum { KNOTS = 4 };
static const double w_t[KNOTS] = {0, 0.6, 3.4, 4.0}, w[KNOTS] = {0, 1, 1, 0};
static const double vx_t[KNOTS] = {0.8, 1.4, 1.6, 2.2}, vx[KNOTS] = {0, 0.015, 0.015, 0};
static const double vy_t[KNOTS] = {2.4, 2.7, 4.3, 4.6},
                    vy[KNOTS] = {0, 0.4 * 0.015, 0.4 * 0.015, 0};

static inline br_profile knots(const double* t, const double* value, double hold)
{
    return (br_profile){
        .kind = BR_PROFILE_TABLE, .count = KNOTS, .t = t, .value = value, .hold = hold};
}

// The motion without a model, normal force 1 N. hold [s]: how long a twist is held, 0: not at all.
static inline br_motion figure_five(double hold)
{
    return (br_motion){.size = sizeof(br_motion),
                       .vx = knots(vx_t, vx, hold),
                       .vy = knots(vy_t, vy, hold),
                       .w = knots(w_t, w, hold),
                       .normal_force = br_profile_constant(1.0)};
}

// A run with a row at every time of `golden`, with the default tolerances.
static inline br_run_def golden_times(void)
{
    static double at[TABLE_ROWS];
    for (size_t i = 0; i < golden.rows; i++) {
        at[i] = table_get(&golden, i, "t");
    }
    br_run_def def = br_run_def_default();
    def.duration = 5.0;
    def.at = at, def.at_count = golden.rows;
    return def;
}

#endif
