/*
 * The instances of the kernel in this program: one for each number of lanes in VECTOR_LANES, with the
 * number at the end of its name.
 */
#ifndef BRISTLE_PLANAR_KERNEL_INSTANCES_H
#define BRISTLE_PLANAR_KERNEL_INSTANCES_H

#include "math/processor.h"
#include "planar/gradient_kernel.h"
#include "planar/kernel.h"

#define KERNEL_JOIN(name, lanes)  name##lanes
#define KERNEL_NAMED(name, lanes) KERNEL_JOIN(name, lanes)

extern const kernel bri_kernel_1, bri_kernel_2, bri_kernel_4, bri_kernel_8, bri_kernel_curve;
extern const gradient_kernel bri_gradient_1, bri_gradient_2, bri_gradient_4, bri_gradient_8,
    bri_gradient_curve;
extern const kernel_reduced bri_kernel_reduced_1, bri_kernel_reduced_2, bri_kernel_reduced_4,
    bri_kernel_reduced_8, bri_kernel_reduced_alone, bri_kernel_reduced_curve;

#endif
