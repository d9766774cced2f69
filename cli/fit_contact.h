/*
 * What `bristle help fit` says of `bristle fit contact`.
 */
#ifndef CLI_FIT_CONTACT_H
#define CLI_FIT_CONTACT_H

#define FIT_CONTACT_HELP                                                                                          \
    "fit contact: law, radius and pressure of a round contact from twists and wrenches at its centre, as a\n"     \
    "force-torque sensor in a finger gives them. DATA.csv has the columns t,vx,vy,w,fx,fy,tau and fn, or --fn;\n" \
    "the wrench is what the ground does to the body. LuGre's law on a disc of bristles, the pressure\n"           \
    "(1 - (rho/radius)^k)^(1/k). --fix takes mu_c, mu_s, v_s, sigma0, sigma1, sigma2, radius, k.\n"

#endif
