/*
 * The smallest normal force that holds a load: one patch, or two fingers that face each other.
 *
 * With the friction f_0, f_1 and the normal forces n_0, n_1 of two fingers at z = -d and z = +d,
 * the balance of the body under the load (F, T) is
 *
 *   f_0 + f_1 + F_xy = 0,     n_0 - n_1 + F_z = 0
 *   d (f_0y - f_1y) + T_x = 0,   d (f_1x - f_0x) + T_y = 0
 *   tau_0 + tau_1 + T_z = 0
 *
 * Only tau_0 is free. n_0 >= gauge_0/mu_0 and n_1 >= gauge_1/mu_1; the smallest n_0 is the maximum
 * of two convex functions of tau_0, so it is convex: golden-section search finds its minimum.
 */
#include "bristle/grasp.h"

static const double max_force = 1e12; // [N]: a larger force counts as no solution

enum { SECTIONS = 80 }; // each reduces the interval by 0.618: to 1e-16 of its length

double br_grasp_one_patch(const br_limit* surface, double mu, br_wrench load)
{
    return br_limit_gauge(surface, load, NULL) / mu;
}

// The gauge of a load at the force fn: the load is held if it is <= 1.
static br_status gauge_at(const br_patch* patch, double mu, br_wrench load, double fn,
                          double* gauge, br_reason* why)
{
    br_limit_def def = br_limit_def_default();
    def.patch = patch;
    def.fn = fn;
    br_limit* surface;
    const br_status status = br_limit_create(&def, &surface, why);
    *gauge = status == BR_OK ? br_grasp_one_patch(surface, mu, load) / fn : 0.0;
    br_limit_destroy(surface);
    return status;
}

br_status br_grasp_patch_get_force(const br_patch* patch, double mu, br_wrench load, double* fn,
                                   br_reason* why)
{
    BR_ASSERT(patch && fn);
    *fn = 0.0;
    const double force = hypot(load.fx, load.fy);
    if (!(mu > 0.0) || !isfinite(mu) || !isfinite(force + load.tau)) {
        br_reason_set(why, mu > 0.0 ? "load" : "mu", "must be finite, and mu > 0");
        return BR_ERR_ARG;
    }
    if (!(force > 0.0 || fabs(load.tau) > 0.0)) {
        return BR_OK; // no load
    }
    // the force alone needs `low`; double until the torque is held, too, then bisect
    double low = fmax(force / mu, 1e-12), high = low, gauge;
    br_status status = gauge_at(patch, mu, load, high, &gauge, why);
    while (status == BR_OK && gauge > 1.0 && high < max_force) {
        low = high;
        high *= 2.0;
        status = gauge_at(patch, mu, load, high, &gauge, why);
    }
    while (status == BR_OK && gauge <= 1.0 && high - low > 1e-10 * high) {
        const double middle = 0.5 * (low + high);
        double there;
        status = gauge_at(patch, mu, load, middle, &there, why);
        low = there <= 1.0 ? low : middle;
        high = there <= 1.0 ? middle : high;
    }
    if (status == BR_OK) {
        *fn = gauge <= 1.0 ? high : HUGE_VAL;
    }
    return status;
}

// Quantities fixed by the balance.
typedef struct share {
    const br_grasp* grasp;
    br_wrench friction[2]; // without torque
    double torque;         // tau_0 + tau_1 [N m]
    double fz;             // n_1 - n_0 [N]
} share;

static share balance(const br_grasp* grasp, const double load[6])
{
    const double x = load[4] / grasp->half_gap, y = -load[3] / grasp->half_gap;
    return (share){.grasp = grasp,
                   .friction = {{0.5 * (x - load[0]), 0.5 * (y - load[1]), 0.0},
                                {-0.5 * (x + load[0]), -0.5 * (y + load[1]), 0.0}},
                   .torque = -load[5],
                   .fz = load[2]};
}

// The smallest n_0 if finger 0 has the torque tau.
static double squeeze(const share* s, double tau)
{
    const br_grasp* g = s->grasp;
    br_wrench first = s->friction[0], second = s->friction[1];
    first.tau = tau;
    second.tau = s->torque - tau;
    const double n0 = br_grasp_one_patch(g->surface[0], g->mu[0], first);
    const double n1 = br_grasp_one_patch(g->surface[1], g->mu[1], second);
    return isnan(n0 + n1) ? n0 + n1 : fmax(n0, n1 - s->fz);
}

// The torque between low and high with the smallest squeeze, by golden-section search.
static double best_between(const share* s, double low, double high)
{
    const double ratio = 0.5 * (sqrt(5.0) - 1.0);
    double left = high - ratio * (high - low), right = low + ratio * (high - low);
    double at_left = squeeze(s, left), at_right = squeeze(s, right);
    for (int i = 0; i < SECTIONS; i++) {
        if (at_left <= at_right) {
            high = right;
            right = left;
            at_right = at_left;
            left = high - ratio * (high - low);
            at_left = squeeze(s, left);
        } else {
            low = left;
            left = right;
            at_left = at_right;
            right = low + ratio * (high - low);
            at_right = squeeze(s, right);
        }
    }
    return 0.5 * (low + high);
}

// The torque of finger 0 with the smallest squeeze.
static double best_torque(const share* s)
{
    const br_grasp* g = s->grasp;
    const double max0 = g->mu[0] * br_limit_get_patch_value(g->surface[0]).r;
    const double max1 = g->mu[1] * br_limit_get_patch_value(g->surface[1]).r;
    if (!(max0 > 0.0) || !(max1 > 0.0)) {
        return max0 > 0.0 ? s->torque : 0.0; // a point has no torque
    }
    // a finger with normal force n has at most n mu r: the proportional share bounds the interval
    const double even = s->torque * max0 / (max0 + max1);
    const double reach = squeeze(s, even) * max0;
    if (isinf(reach)) { // a surface too coarse for its torque: the other finger has all of it
        return squeeze(s, 0.0) <= squeeze(s, s->torque) ? 0.0 : s->torque;
    }
    const double found = best_between(s, -reach, reach);
    return squeeze(s, even) <= squeeze(s, found) ? even : found;
}

br_grasp_value br_grasp_eval(const br_grasp* grasp, const double load[6])
{
    BR_ASSERT(grasp && grasp->surface[0] && grasp->surface[1] && grasp->half_gap > 0.0);
    const share s = balance(grasp, load);
    const double tau = best_torque(&s);
    const double n0 = squeeze(&s, tau);
    // a finger can only push
    const double smallest = isnan(n0) ? n0 : fmax(n0, fmax(0.0, -s.fz));
    br_grasp_value out = {{smallest, smallest + s.fz}, {s.friction[0], s.friction[1]}};
    out.wrench[0].tau = tau;
    out.wrench[1].tau = s.torque - tau;
    return out;
}
