/*
 * Mean distance from a point, of a pressure on an ellipse or on an elliptic ring.
 *
 * An oval is the image of the unit disc or of the unit circle under the stretch S = diag(a, b): the
 * point xi of the disc is at S xi, and the pressure moves along.
 *
 *   G(c) = int |S xi - c| p dA,   gradient and Hessian by c
 */
#ifndef BRISTLE_PATCH_OVAL_H
#define BRISTLE_PATCH_OVAL_H

#include "bristle/patch.h"

#include "patch/chord_table.h"

typedef enum oval_pressure {
    OVAL_LINEAR, // p = (1 + g . xi)/pi; on a ring (1 + g . xi)/(2 pi)
    OVAL_HERTZ,  // p = 3/(2 pi) sqrt(1 - |xi|^2): the power law of k = 2
    OVAL_POWER   // the power law of `chords`
} oval_pressure;

typedef struct oval {
    br_vec2 axes; // a, b > 0, in any unit
    int is_ring;
    oval_pressure pressure;
    br_vec2 g;                 // linear: slope in the unit disc, |g| <= 1
    const chord_table* chords; // power law, borrowed
} oval;

// G and its derivatives.
typedef struct oval_value {
    double G;
    br_vec2 slope;     // gradient of G
    double xx, xy, yy; // Hessian of G
} oval_value;

// c from the centre, in the unit and along the axes of the oval.
oval_value bri_oval_eval(const oval* shape, br_vec2 c);

#endif
