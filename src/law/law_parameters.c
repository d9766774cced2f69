/*
 * The parameters of the laws.
 */
#include "bristle/law.h"

#include <math.h>
#include <stddef.h>

// Sets of laws.
enum {
    STICTION = 1 << BR_LAW_STICTION,
    STRIBECK = 1 << BR_LAW_STRIBECK,
    DAHL = 1 << BR_LAW_DAHL,
    ELASTO_PLASTIC = 1 << BR_LAW_ELASTO_PLASTIC,
    BRISTLES = 1 << BR_LAW_LUGRE | ELASTO_PLASTIC,
    ALL = 1 << BR_LAW_COULOMB | STICTION | STRIBECK | DAHL | BRISTLES
};

enum { OPTIONAL, NEEDED };
enum { ABOVE, FROM }; // `low` itself is not allowed, is allowed

static const br_law_parameter parameters[] = {
    {"mu_c", "-", "Coulomb coefficient", offsetof(br_law, mu_c), 0, HUGE_VAL, ABOVE, ALL, NEEDED,
     0},
    {"mu_s", "-", "static coefficient, >= mu_c", offsetof(br_law, mu_s), 0, HUGE_VAL, ABOVE,
     STICTION | STRIBECK | BRISTLES, NEEDED, 0},
    {"v_s", "m/s", "Stribeck speed", offsetof(br_law, v_stribeck), 0, HUGE_VAL, ABOVE,
     STRIBECK | BRISTLES, NEEDED, 0},
    {"gamma", "-", "Stribeck exponent", offsetof(br_law, gamma), 0, HUGE_VAL, ABOVE,
     STRIBECK | BRISTLES, OPTIONAL, 2},
    {"sigma0", "1/m", "stiffness; of dahl [N/m]", offsetof(br_law, sigma0), 0, HUGE_VAL, ABOVE,
     DAHL | BRISTLES, NEEDED, 0},
    {"sigma1", "s/m", "damping of the bristles", offsetof(br_law, sigma1), 0, HUGE_VAL, FROM,
     BRISTLES, OPTIONAL, 0},
    {"sigma2", "s/m", "viscous coefficient", offsetof(br_law, sigma2), 0, HUGE_VAL, FROM,
     STRIBECK | BRISTLES, OPTIONAL, 0},
    {"s_ba", "-", "breakaway fraction z_ba/z_max", offsetof(br_law, s_ba), 0, 1, FROM,
     ELASTO_PLASTIC, OPTIONAL, 0.9},
    {"alpha", "-", "Dahl's exponent", offsetof(br_law, alpha), 0, HUGE_VAL, ABOVE, DAHL, OPTIONAL,
     1},
    {"v_damping", "m/s", "speed at which half of sigma1 is left; 0 or .inf: constant damping",
     offsetof(br_law, v_damping), 0, HUGE_VAL, FROM, BRISTLES, OPTIONAL, 0},
};

const br_law_parameter* br_law_get_parameter(size_t index)
{
    return index < sizeof parameters / sizeof *parameters ? &parameters[index] : NULL;
}
