/*
 * What `bristle help fit` says of `bristle fit pushes`.
 */
#ifndef CLI_FIT_PUSHES_H
#define CLI_FIT_PUSHES_H

#define FIT_PUSHES_HELP                                                                                                \
    "fit pushes: where a body bears and how its pusher rubs, from pushes alone. Columns x0, y0, th0 and x1, y1, th1\n" \
    "[m, m, rad], the body's pose before and after, tipx0, tipy0 and tipx1, tipy1 [m], the centre of a round tip\n"    \
    "on its straight way; world frame. Gives a patch of support points and mu_tip.\n"                                  \
    "\n"                                                                                                               \
    "  --outline FILE    a patch whose shape the tip touches, and which bounds where the body can bear\n"              \
    "  --tip-radius R    of the tip [m] (0)\n"                                                                         \
    "  --patch FILE      the pressure that is expected, kept where it predicts as well as a fitted one\n"              \
    "  --mu-tip MU       friction of the tip that is expected; with --predict the one to take (0.25)\n"                \
    "  --cells N         cells of the grid across the outline, 2 to 40 (9)\n"                                          \
    "  --predict         fit nothing: write the predicted x1,y1,th1 of each row to -o OUT.csv for --patch\n"

#endif
