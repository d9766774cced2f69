/*
 * The wrench of a contact of bristles along a measured motion, with its derivatives.
 *
 * The patch is cut once into parts, cells or blocks, at its given exponent of the pressure. Then only the weights of the
 * fine cells that parts consist of follow the exponent, so that everything is smooth in it.
 */
#ifndef BRISTLE_FIT_CONTACT_HISTORY_H
#define BRISTLE_FIT_CONTACT_HISTORY_H

#include "bristle/fit_contact.h"

#include "math/dual.h"
#include "math/map2.h"

// A number and its derivative by the exponent k.
typedef DUAL_OF(double, 1) by_k;

// Lengths are those of the given patch, from its centre of pressure.
typedef struct contact_part {
    by_k weight, x, y;
    by_k extent;     // root of the covariance's trace [m]; 0: a point
    by_k xx, xy, yy; // covariance over its trace
    by_k turn;       // c0 of a block's mean slip, docs/explanation/models.md
} contact_part;

// Anisotropic friction: the parts are those of the patch stretched by cof(A), twists enter by A, forces leave by A.
typedef struct contact_map {
    map2 a;      // A
    map2 slope;  // its derivative by ratio or angle
    int by_this; // derivatives by k are replaced by those along `slope`
} contact_map;

// The map of an anisotropy, without slope.
contact_map bri_contact_map(double ratio, double angle);

// The same with its slope by the ratio, or by the angle.
contact_map bri_contact_map_by_ratio(double ratio, double angle);
contact_map bri_contact_map_by_angle(double ratio, double angle);

typedef struct contact_parts {
    size_t count, fine;     // parts, fine cells
    contact_part* part;     // (count)
    size_t* part_of_cell;   // part of each fine cell (fine)
    double *x, *y, *weight; // of the fine cells; of a power pressure their areas (fine)
    double* rho;            // distance from the centre over the radius (fine)
    int is_power;           // weights follow k
    int has_extent;         // blocks
    double xx, xy, yy;      // covariance of a fine cell about its own centre, if it counts [m^2]
    double unit;            // given radius of a disc or ring, else 1 [m]
    const contact_map* map; // borrowed; NULL: isotropic
    double* memory;
} contact_parts;

// Cut the patch, which must not depend on the force.
br_status bri_parts_create(const br_patch* patch, br_method method, size_t resolution,
                           contact_parts* out, br_reason* why);
void bri_parts_destroy(contact_parts* parts);

// Weigh the parts again at an exponent k, and stretch them by their map.
void bri_parts_set(contact_parts* parts, double k);

// Inputs of the history. Size: relative to that of the given patch.
enum {
    CONTACT_MU_C,
    CONTACT_MU_S,
    CONTACT_V_S,
    CONTACT_SIGMA0,
    CONTACT_S_BA,
    CONTACT_SIZE,
    CONTACT_K,      // derivatives: by k, or those along the slope of the parts' map
    CONTACT_STATES, // so far: inputs of the bristle states
    CONTACT_SIGMA1 = CONTACT_STATES,
    CONTACT_SIGMA2,
    CONTACT_V_DAMPING, // constant: without derivatives
    CONTACT_INPUTS
};

typedef struct contact_history {
    br_fit_contact_data data;
    int is_plastic; // elasto-plastic, else LuGre's
    contact_parts* parts;
} contact_history;

// fx, fy, tau (3 x count) with the inputs p, and their derivatives, a column for each input (CONTACT_INPUTS x 3 count).
// Weighs the parts again. Never allocates, never fails.
void bri_contact_history(const contact_history* h, const double p[CONTACT_INPUTS], double* wrench,
                         double* jacobian);

// The same added to what both arrays hold, for parts as they are weighed, so many at a time, with forces before they
// leave by the map; NULL: this program or
// processor has no such instance. One lane is the plain twin.
typedef void contact_history_fn(const contact_history* h, const double p[CONTACT_INPUTS],
                                double* wrench, double* jacobian);
contact_history_fn* bri_contact_history_with(int lanes);

#endif
