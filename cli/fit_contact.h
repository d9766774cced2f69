/*
 * Help text of `bristle fit contact`.
 */
#ifndef CLI_FIT_CONTACT_H
#define CLI_FIT_CONTACT_H

#define FIT_CONTACT_HELP                                                                                          \
    "fit contact: law, size and pressure of a contact from twists and wrenches at its centre of pressure (of a\n" \
    "sensor in a finger). Columns t, vx, vy, w, fx, fy, tau and fn, or --fn; the wrench acts on the body (else\n" \
    "--flip-force). --law lugre or elasto-plastic, --fix NAME=NUMBER,...\n"                                       \
    "\n"                                                                                                          \
    "  --patch FILE      its shape; its radius, or scale, is fitted, and k of a disc under a power pressure\n"    \
    "                    (default: such a disc). anisotropy: {ratio, angle} in it is known\n"                     \
    "  --free LIST       estimate: anisotropy.ratio, anisotropy.angle\n"                                          \
    "  --method NAME     blocks (default) or distributed\n"                                                       \
    "  --cells N         blocks or cells across (5, 13)\n"

#endif
