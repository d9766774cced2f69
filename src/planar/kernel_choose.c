/*
 * The choice of a kernel instance for the processor, and the numbers of a law that all instances use.
 */
#include "planar/kernel_instances.h"

// 1/v_d^2, bounded so that its product with a square is finite; 0: constant damping
static double per_square(double v_d)
{
    return v_d > 0.0 ? fmin(1.0 / (v_d * v_d), KERNEL_MOST_PER_D2) : 0.0;
}

kernel_law bri_kernel_law(const br_law* law)
{
    const double v_s = law->v_stribeck;
    return (kernel_law){.plastic = law->kind == BR_LAW_ELASTO_PLASTIC,
                        .mu_c = law->mu_c,
                        .drop = law->mu_s - law->mu_c,
                        .v_stribeck = v_s,
                        .gamma = law->gamma,
                        .per_v2 = -1.0 / (v_s * v_s),
                        .sigma0 = law->sigma0,
                        .sigma1 = law->sigma1,
                        .sigma2 = law->sigma2,
                        .s_ba = law->s_ba,
                        .per_d2 = per_square(law->v_damping),
                        .middle = 0.5 * (1.0 + law->s_ba),
                        .per_band = 1.0 / (1.0 - law->s_ba),
                        .elastic = law->sigma0 * law->sigma0 / (law->s_ba * law->s_ba),
                        .curve = law->curve && law->curve->has_g ? law->curve : NULL};
}

const kernel* bri_kernel_with(int lanes)
{
    if (!processor_has(lanes)) {
        return NULL;
    }
    switch (lanes) {
#if VECTOR_LANES & 8
    case 8:
        return &bri_kernel_8;
    case 4:
        return &bri_kernel_4;
#endif
#if VECTOR_LANES & 2
    case 2:
        return &bri_kernel_2;
#endif
    default:
        return VECTOR_LANES & 1 ? &bri_kernel_1 : &bri_kernel_2;
    }
}

const kernel* bri_kernel_best(void)
{
    const kernel* best = NULL;
    for (int lanes = 8; !best; lanes /= 2) {
        best = bri_kernel_with(lanes);
    }
    return best;
}

const kernel* bri_kernel_for(const kernel_law* law, int plain)
{
    return law->curve ? &bri_kernel_curve : plain ? bri_kernel_with(1) : bri_kernel_best();
}
