/*
 * What `bristle help fit` says of `bristle fit pressure`.
 */
#ifndef CLI_FIT_PRESSURE_H
#define CLI_FIT_PRESSURE_H

#define FIT_PRESSURE_HELP                                                                                         \
    "fit pressure: where a body bears, from slow pushes with a force sensor. DATA.csv has the columns fx, fy\n"   \
    "[N], tau [N m] of the pusher's wrench on the body and vx, vy [m/s], w [rad/s] of the body's twist (body\n"   \
    "frame, at its origin; the size of a twist does not count). Gives a patch of support points for all that\n"   \
    "take a patch.\n"                                                                                             \
    "\n"                                                                                                          \
    "  --outline FILE    a patch whose shape bounds where the body can bear; its pressure is what is expected\n"  \
    "  --supports FILE   supports that are known, a patch of shape points: with their weights as they are,\n"     \
    "                    with fitted ones, or not at all, as cross-validation says\n"                             \
    "  --tolerance M     of the places of known supports [m] (0)\n"                                               \
    "  --try LIST        which pressures to choose from, separated by commas: uniform, grid, supports, linear,\n" \
    "                    ring, hertz (uniform,grid, and supports where there are any)\n"                          \
    "  --cells N         cells of the grid across the outline, 2 to 40 (11)\n"

#endif
