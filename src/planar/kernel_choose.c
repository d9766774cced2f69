/*
 * Which instance of the kernel a processor gets, and the numbers of a law that all of them use.
 */
#include "planar/kernel_instances.h"

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
                        .middle = 0.5 * (1.0 + law->s_ba),
                        .per_band = 1.0 / (1.0 - law->s_ba),
                        .elastic = law->sigma0 * law->sigma0 / (law->s_ba * law->s_ba)};
}

#if KERNEL_LANES & 8
static int has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static int has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}
#endif

const kernel* bri_kernel_with(int lanes)
{
    switch (lanes) {
#if KERNEL_LANES & 8
    case 8:
        return has_avx512() ? &bri_kernel_8 : NULL;
    case 4:
        return has_avx2() ? &bri_kernel_4 : NULL;
#endif
#if KERNEL_LANES & 2
    case 2:
        return &bri_kernel_2;
#endif
    case 1:
        return KERNEL_LANES & 1 ? &bri_kernel_1 : &bri_kernel_2;
    default:
        return NULL;
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
