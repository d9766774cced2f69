/*
 * What `bristle help fit` says of `bristle fit law`.
 */
#ifndef CLI_FIT_LAW_H
#define CLI_FIT_LAW_H

#define FIT_LAW_HELP                                                                                              \
    "fit law: a friction law from motion. DATA.csv has the columns t [s], v [m/s or rad/s] and f [N or N m],\n"   \
    "the resistance along +v, and fn [N] where it varies, load where friction depends on it. Without t: steady\n" \
    "points (v, f), for laws without bristles. Without v: break-away tests (f[, fn]), which give mu_s alone.\n"   \
    "\n"                                                                                                          \
    "  --law auto|coulomb|viscous|stribeck|dahl|lugre|elasto-plastic\n"                                           \
    "                    which law; auto (default) fits all of them and takes the one that predicts best what\n"  \
    "                    it has not seen; viscous is Coulomb and viscous friction\n"                              \
    "  --free LIST       estimate these besides, separated by commas: gamma, alpha (exponents), delay (of f\n"    \
    "                    behind v), speed_offset, asymmetry (coefficients 1 + e forward, 1 - e back),\n"          \
    "                    load_gain (friction 1 + b |load|)\n"                                                     \
    "  --fix LIST        take these as known: --fix sigma1=0,mu_c=0.3\n"                                          \
    "  --fn N            a normal force that does not vary [N] (default 1: coefficients are forces)\n"            \
    "  --robust          Huber's loss: outliers count little, and are told\n"                                     \
    "  --passive         only laws that cannot give energy back that nobody put in\n"

#endif
