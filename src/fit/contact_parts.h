/*
 * A patch cut into parts, cells or blocks, whose places, extents and weights follow the pressure's exponent.
 *
 * The patch is cut once, at the exponent that it begins with; then only the weights of the fine cells that parts
 * are made of follow the exponent, so that everything is smooth in it.
 */
#ifndef BRISTLE_FIT_CONTACT_PARTS_H
#define BRISTLE_FIT_CONTACT_PARTS_H

#include "bristle/fit_contact.h"

// A number and its derivative by the exponent k.
typedef struct by_k {
    double v, k;
} by_k;

// Lengths are those of the patch as it is given, from its centre of pressure.
typedef struct contact_part {
    by_k weight, x, y;
    by_k extent;     // root of the covariance's trace [m]; 0: a point
    by_k xx, xy, yy; // covariance over its trace
    by_k turn;       // c0 of a block's mean slip, docs/models.md
} contact_part;

typedef struct contact_parts {
    size_t count, fine;     // parts, fine cells
    contact_part* part;     // (count)
    size_t* home;           // part of each fine cell (fine)
    double *x, *y, *weight; // of the fine cells; of a power pressure their areas (fine)
    double* rho;            // distance from the centre over the radius (fine)
    int is_power;           // weights follow k
    int has_extent;         // blocks
    double xx, xy, yy;      // covariance of a fine cell about its own centre, if it counts [m^2]
    double unit;            // radius of a disc or ring as it is given, else 1 [m]
    double* memory;
} contact_parts;

// Cut. The patch must not depend on the force.
br_status bri_parts_create(const br_patch* patch, br_method method, size_t resolution,
                           contact_parts* out, br_reason* why);
void bri_parts_destroy(contact_parts* parts);

// Weigh the parts anew at an exponent k; without effect but under a power pressure.
void bri_parts_set(contact_parts* parts, double k);

#endif
