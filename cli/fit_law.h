/*
 * Help text of `bristle fit law`.
 */
#ifndef CLI_FIT_LAW_H
#define CLI_FIT_LAW_H

#define FIT_LAW_HELP                                                                                                    \
    "fit law: a friction law from motion. Columns t [s], v [m/s or rad/s], f [N or N m], the resistance along +v,\n"    \
    "fn [N] where it varies, load where friction depends on it. With x instead of v, x is differentiated. Without t:\n" \
    "steady points (v, f), for laws without bristles. Break-away tests, for mu_s, are f and fn without t, x and v.\n"   \
    "\n"                                                                                                                \
    "  --law auto|coulomb|viscous|stribeck|dahl|lugre|elasto-plastic\n"                                                 \
    "                    auto (default): the one that predicts held-out data best\n"                                    \
    "  --table N|auto    g(v) as a table instead\n"                                                                     \
    "  --free LIST       estimate these, too: gamma, alpha (exponents), delay (of f behind v), speed_offset,\n"         \
    "                    asymmetry, load_gain, _c, _s, _square, _direction: see docs/howto/fit_joint.md\n"              \
    "  --fix LIST        known parameters: sigma1=0,mu_c=0.3\n"                                                         \
    "  --flip-force      f is friction on the body, against +v\n"                                                       \
    "  --fn N            a constant normal force [N] (default 1: coefficients are forces)\n"                            \
    "  --validate FILE   other data for the held-out error (default: --hold-out)\n"                                     \
    "  --robust          Huber's loss: outliers count little\n"                                                         \
    "  --passive         laws that cannot create energy\n"

#endif
