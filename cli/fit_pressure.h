/*
 * Help text of `bristle fit pressure`.
 */
#ifndef CLI_FIT_PRESSURE_H
#define CLI_FIT_PRESSURE_H

#define FIT_PRESSURE_HELP                                                                                             \
    "fit pressure: where a body bears, from slow pushes with a force sensor. Columns fx, fy [N], tau [N m] of the\n"  \
    "pusher's wrench on the body, vx, vy [m/s], w [rad/s] of the body's twist (body frame, at its origin; the size\n" \
    "of a twist does not count). Gives a patch of support points.\n"                                                  \
    "\n"                                                                                                              \
    "  --outline FILE    a patch whose shape bounds where the body can bear; its pressure is the prior\n"             \
    "  --supports FILE   known supports, a patch of points; cross-validation weighs them\n"                           \
    "  --tolerance M     of their positions [m] (0)\n"                                                                \
    "  --try LIST        pressures to choose from: uniform, grid, supports, linear, ring, hertz (the first three)\n"  \
    "  --cells N         cells of the grid across the outline, 2 to 40 (11)\n"

#endif
