/*
 * Numbers of a law that the fast twins would else work out at every call.
 */
#ifndef BRISTLE_PLANAR_LAW_NUMBERS_H
#define BRISTLE_PLANAR_LAW_NUMBERS_H

#include "bristle/law.h"

typedef struct law_numbers {
    double per_v2;        // -1/v_s^2
    double slope, offset; // of the angle in alpha, in half turns, over |z|/g
    double elastic;       // (sigma0/s_ba)^2: elastic while elastic |z|^2 <= g^2
} law_numbers;

static inline law_numbers law_numbers_of(const br_law* law)
{
    const double band = 1.0 - law->s_ba;
    return (law_numbers){.per_v2 = -1.0 / (law->v_stribeck * law->v_stribeck),
                         .slope = law->sigma0 / band,
                         .offset = -0.5 * (1.0 + law->s_ba) / band,
                         .elastic = law->sigma0 * law->sigma0 / (law->s_ba * law->s_ba)};
}

#endif
