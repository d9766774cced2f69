/*
 * The figures and tables that can be reproduced.
 */
#include "items.h"

#include "wk_profile.h"

const item items[] = {
    {"wk-fig5", "velocity profile and friction of the distributed model, circle", wk_fig5},
    {"wk-fig13", "distributed model and reduced model with the ellipsoid, circle", wk_fig13},
    {"wk-fig17", "distributed model and reduced model, circle", wk_fig17},
    {"wk-fig19", "distributed model and reduced model, gradient line", wk_fig19},
    {"wk-fig20", "distributed model and reduced model, non-convex 1", wk_fig20},
    {"wk-fig21", "distributed model and reduced model, non-convex 2", wk_fig21},
    {NULL, NULL, NULL},
};
