/*
 * Help text of `bristle fit pushes`.
 */
#ifndef CLI_FIT_PUSHES_H
#define CLI_FIT_PUSHES_H

#define FIT_PUSHES_HELP                                                                                                 \
    "fit pushes: where a body bears and the friction of its pusher, from pushes alone. Columns x0, y0, th0 and x1,\n"   \
    "y1, th1 [m, m, rad], the body's pose before and after, tipx0, tipy0 and tipx1, tipy1 [m], the centre of a round\n" \
    "tip on its straight path; world frame. Gives a patch of support points and mu_tip.\n"                              \
    "\n"                                                                                                                \
    "  --outline FILE    a patch whose shape the tip touches, and which bounds where the body can bear\n"               \
    "  --tip-radius R    of the tip [m] (0); --fit-tip-radius: estimate it from there\n"                                \
    "  --tip-offset X,Y  added to the tip's positions [m] (default: estimated, used where it predicts better)\n"        \
    "  --patch FILE      the expected pressure, kept where it predicts as well as a fitted one\n"                       \
    "  --mu-tip MU       expected friction of the tip; with --predict its friction (0.25)\n"                            \
    "  --cells N         cells of the grid across the outline, 2 to 40 (9)\n"                                           \
    "  --predict         no fit: write the predicted x1,y1,th1 of each row to -o OUT.csv for --patch\n"

#endif
