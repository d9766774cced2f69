/*
 * Help text of `bristle fit contact`.
 */
#ifndef CLI_FIT_CONTACT_H
#define CLI_FIT_CONTACT_H

#define FIT_CONTACT_HELP                                                                                             \
    "fit contact: law, size and pressure of a contact from twists and wrenches at its centre of pressure, as a\n"    \
    "force-torque sensor in a finger gives them. Columns t, vx, vy, w, fx, fy, tau and fn, or --fn; the wrench is\n" \
    "what the ground does to the body (else --flip-force). --law lugre or elasto-plastic, --fix NAME=NUMBER,...\n"   \
    "\n"                                                                                                             \
    "  --patch FILE      its shape; its radius, or the scale of other shapes, is fitted, and k of a disc under a\n"  \
    "                    power pressure (default: such a disc)\n"                                                    \
    "  --method NAME     blocks (default) or distributed\n"                                                          \
    "  --cells N         blocks or cells across (5, 13)\n"

#endif
