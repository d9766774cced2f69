/*
 * Many pushes along paths of their own: which of them go in lanes, and the plain twin, one by one.
 */
#include "limit/methods.h"
#include "slider/pushing_lanes.h"

void bri_pushing_rollout_plain(const rollout* all)
{
    br_pushing pushing = *all->pushing;
    for (size_t i = 0; i < all->count; i++) {
        const br_vec2* tip = all->tips + i * (all->steps + 1);
        br_pose* pose = all->poses + i * (all->steps + 1);
        pushing.mu = all->mu ? all->mu[i] : pushing.mu;
        for (size_t k = 0; k < all->steps; k++) {
            pose[k + 1] = pose[k];
            const br_push push = br_pushing_step(&pushing, pose + k + 1, tip[k], tip[k + 1]);
            if (all->pushes) {
                all->pushes[i * all->steps + k] = push;
            }
        }
    }
}

rollout_in_lanes bri_pushing_rollout_with(int lanes)
{
#ifndef __wasm__
    switch (processor_has(lanes) ? lanes : 1) {
#if VECTOR_LANES & 8
    case 8:
        return bri_pushing_rollout_8;
    case 4:
        return bri_pushing_rollout_4;
#endif
#if VECTOR_LANES & 2
    case 2:
        return bri_pushing_rollout_2;
#endif
    default:
        break;
    }
#endif
    (void)lanes;
    return NULL;
}

// Surfaces that lanes evaluate: the ellipsoid, and smooth tables of patches with an extent.
static bool is_for_lanes(const br_pushing* p)
{
    return !p->surface || (p->surface->method == &bri_limit_smooth &&
                           br_limit_get_patch_value(p->surface).r > 0.0);
}

void br_pushing_rollout(const br_pushing* p, size_t count, size_t steps, const double* mu,
                        const br_vec2* tips, br_pose* poses, br_push* pushes)
{
    BR_ASSERT(p && p->outline && (count == 0 || (tips && poses)));
    const rollout all = {p, count, steps, mu, tips, poses, pushes};
    rollout_in_lanes in_lanes = NULL;
    for (int lanes = 8; steps > 0 && is_for_lanes(p) && !in_lanes && lanes > 1; lanes /= 2) {
        in_lanes = bri_pushing_rollout_with(lanes);
    }
    (in_lanes ? in_lanes : bri_pushing_rollout_plain)(&all);
}
