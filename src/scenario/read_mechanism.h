/*
 * A constrained mechanism from a tree.
 */
#ifndef BRISTLE_SCENARIO_READ_MECHANISM_H
#define BRISTLE_SCENARIO_READ_MECHANISM_H

#include "bristle/mechanism.h"
#include "scenario/keys.h"

// The path of a mechanism's point and its motion, as they are read.
typedef enum path_kind { PATH_PARABOLA, PATH_HELIX, PATH_POLYNOMIAL, PATH_TABLE } path_kind;
typedef struct path_input {
    path_kind kind;
    double beta, gamma;   // of a parabola [1/m], [m]
    double radius, pitch; // of a helix [m]
    number_list coefficients;
    number_rows points;  // x, y [m]
    const char* file;    // of the points; NULL: none
    profile_list offset; // [m]
    br_profile angle;    // [rad]
    br_profile velocity; // [m/s]
} path_input;

// The start of a mechanism, as it is read.
typedef struct start_input {
    double theta[2];    // of a two-link [rad]
    number_list angles; // of a chain [rad]
    number_list w;      // of a chain [rad/s]
    double x, y;        // [m]; NaN: not given
    double v;           // [m/s]
    double angle;       // on a helix [rad]
    double point[3];    // of a bead [m]
    bool is_elbow_up;
} start_input;

typedef enum mechanism_kind {
    MECHANISM_TWO_LINK,
    MECHANISM_BLOCK,
    MECHANISM_INCLINE,
    MECHANISM_BEAD,
    MECHANISM_CHAIN
} mechanism_kind;

// A mechanism and the data that it borrows.
typedef struct mechanism_input {
    mechanism_kind which;
    const char* kind; // "two-link", ...
    br_mechanism_def def;
    union {
        br_two_link arm;
        br_slope_block block;
        br_bead bead;
        br_chain chain;
    } parts;
    double q[BR_CHAIN_MOST], qd[BR_CHAIN_MOST]; // its start
    br_dahl_axes axes;
    const br_path_motion* motion; // of its path, part of `parts`

    // as they are read
    double mass, gravity;        // [kg], [m/s^2]
    double angle;                // of a slope [rad]
    br_profile force;            // along the path [N]
    number_list masses, lengths; // of a chain [kg], [m]
    profile_list torque;         // of a chain [N m]
    struct_list joints;          // of a chain: br_law
    number_list sigma_axes, alpha_axes;
    path_input path;
    start_input start;
    bool project;
} mechanism_input;

// The motion of a path, as rows of the table of its keys.
#define MOTION_KEYS                                                                                \
    KEY("offset", PROFILES, "m", IN_ANY, "0",                                                      \
        "moves it: [x, y], of a bead [x, y, z]; must not jump, nor may its slope",                 \
        AT(path_input, offset), MAPS(&bri_keys_time_polynomial)),                                  \
        KEY("angle", PROFILE, "rad", IN_ANY, DEFAULT,                                              \
            "turns it about its origin, a bead's about the vertical; must not jump, nor may its "  \
            "slope",                                                                               \
            AT(path_input, angle), MAPS(&bri_keys_time_polynomial)),                               \
        KEY("velocity", PROFILE, "m/s", IN_ANY, DEFAULT, "of its surface along it: a conveyor",    \
            AT(path_input, velocity), MAPS(&bri_keys_time_polynomial))

// The motion of a path (d = 2, or 3 in space); errors are noted.
void bri_complete_motion(const node* map, const path_input* path, size_t d, br_path_motion* out);

// Parts of a chain: paths, friction in a joint, a start.
extern const mapping bri_keys_polynomial, bri_keys_path_table, bri_keys_joint, bri_keys_chain_start;

// After its keys: links, path, start and the friction of the joints; errors are noted.
void bri_finish_chain(const node* map, mechanism_input* in);

#endif
