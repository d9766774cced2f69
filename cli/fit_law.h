/*
 * What `bristle help fit` says of `bristle fit law`.
 */
#ifndef CLI_FIT_LAW_H
#define CLI_FIT_LAW_H

#define FIT_LAW_HELP                                                                                                 \
    "fit law: a friction law from motion. Columns t [s], v [m/s or rad/s], f [N or N m], the resistance along +v,\n" \
    "and fn [N] where it varies, load where friction depends on it. Without t: steady points (v, f), for laws\n"     \
    "without bristles. Without v: break-away tests (f[, fn]), which give mu_s alone.\n"                              \
    "\n"                                                                                                             \
    "  --law auto|coulomb|viscous|stribeck|dahl|lugre|elasto-plastic\n"                                              \
    "                    auto (default): of all of them the one that predicts best what it has not seen\n"           \
    "  --free LIST       estimate these besides: gamma, alpha (exponents), delay (of f behind v),\n"                 \
    "                    speed_offset, asymmetry (coefficients 1 + e forward, 1 - e back), load_gain (friction\n"    \
    "                    1 + b |load|)\n"                                                                            \
    "  --fix LIST        take these as known: --fix sigma1=0,mu_c=0.3\n"                                             \
    "  --fn N            a normal force that does not vary [N] (default 1: coefficients are forces)\n"               \
    "  --validate FILE   other data of the same columns for the held-out error (default: --hold-out)\n"              \
    "  --robust          Huber's loss: outliers count little, and are told\n"                                        \
    "  --passive         only laws that cannot give energy back that nobody put in\n"

#endif
