/*
 * Common columns of sliders and pushed bodies.
 */
#ifndef BRISTLE_SIM_SLIDING_H
#define BRISTLE_SIM_SLIDING_H

typedef enum sliding_mode { SLIDING_SLIDE, SLIDING_STICK, SLIDING_TOPPLE } sliding_mode;

// Names of the modes.
static const char* const sliding_modes[] = {"slide", "stick", "topple", NULL};

// Columns of time, pose and velocity.
#define SLIDING_STATE(X)                                                                           \
    X("t", "s", NULL, t), X("x", "m", NULL, at.q.x), X("y", "m", NULL, at.q.y),                    \
        X("theta", "rad", NULL, at.q.theta), X("vx", "m/s", NULL, at.v.vx),                        \
        X("vy", "m/s", NULL, at.v.vy), X("w", "rad/s", NULL, at.v.w)

#endif
