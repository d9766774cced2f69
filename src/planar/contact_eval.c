/*
 * Evaluation of a planar contact: rates and wrench, a step at constant twist, steady state, parts, energy.
 *
 * The kernel evaluates cells and blocks, in the patch's axes and with resistances F = -f/fn; reduced
 * contacts have functions of their own (contact_reduced.h).
 */
#include "planar/contact_reduced.h"

#include <float.h>

#include "math/scalar.h"

#include "law/law_formulas.inc"
#include "law/law_internal.h"
#include "math/lever.h"
#include "planar/contact_some.h"

_Static_assert(BRI_SOME_UNIT % KERNEL_PAD == 0, "must be whole vectors of any length");

br_wrench br_contact_eval(const br_contact* c, const double* z, br_twist v, double fn, double* dz)
{
    BR_ASSERT(c && z && dz && z != dz);
    if (contact_is_reduced(c)) {
        return bri_reduced_eval(c, z, &v, fn, dz, NULL);
    }
    double f[3];
    c->kernel->eval(&c->parts, &c->law, z, contact_enter(c, v).at, dz, f);
    return contact_wrench(c, f, fn);
}

kernel_bundles bri_bundles_from(const kernel_bundles* all, size_t first, size_t count)
{
    kernel_bundles b = *all;
    b.count = count;
    b.x += first, b.y += first, b.weight += first;
    if (b.t) {
        b.t += first, b.per_t += first, b.turn += first;
        b.xx += first, b.xy += first, b.yy += first;
    }
    if (b.columns > 0) {
        b.column += first / KERNEL_GROUP, b.row += first / KERNEL_GROUP;
    }
    return b;
}

br_wrench bri_contact_eval_some(const br_contact* c, size_t first, size_t count, const double* z,
                                br_twist v, double fn, double* dz)
{
    if (count == c->parts.count) {
        return br_contact_eval(c, z, v, fn, dz);
    }
    kernel_bundles b = bri_bundles_from(&c->parts, first, count);
    if (first > 0) { // the first ones have the moments of all: sums are linear
        b.one = b.mean_x = b.mean_y = b.square = 0.0;
    }
    double f[3];
    c->kernel->eval(&b, &c->law, z, contact_enter(c, v).at, dz, f);
    return contact_wrench(c, f, fn);
}

// A step over an extreme distance, computed as a shorter step with the same sigma1/h: both end in steady sliding.
static br_wrench step_far(const br_contact* c, double* z, br_twist v, double fn, double h,
                          br_step_energy* energy)
{
    const double shorter = 0.5 * contact_far / contact_speed(v), share = shorter / h;
    br_contact damped = *c;
    damped.law.sigma1 *= share;
    const br_wrench f = br_contact_step(&damped, z, v, fn, shorter, energy);
    energy->dissipated /= share;
    energy->work /= share; // changes of the stored energy are negligible
    return f;
}

br_wrench br_contact_step(const br_contact* c, double* z, br_twist v, double fn, double h,
                          br_step_energy* energy)
{
    BR_ASSERT(c && z && !(h <= 0.0));
    BR_ASSERT(contact_is_at(c, fn));
    br_step_energy unused;
    energy = energy ? energy : &unused;
    if (fn <= 0.0) { // no load, no stored energy
        memset(z, 0, br_contact_get_state_count(c) * sizeof *z);
        *energy = (br_step_energy){0.0, 0.0, 0.0};
        return (br_wrench){0.0, 0.0, 0.0};
    }
    if (contact_goes_far(v, h)) {
        return step_far(c, z, v, fn, h, energy);
    }
    if (contact_is_reduced(c)) {
        return bri_reduced_hold(c, z, v, fn, h, energy);
    }
    kernel_closed done;
    c->kernel->hold(&c->parts, &c->law, z, contact_enter(c, v).at, h, &done);
    energy->stored = fn * done.after;
    energy->dissipated = fn * h * done.heat;
    energy->work = fn * (done.after - done.before) + energy->dissipated;
    return contact_wrench(c, done.f, fn);
}

// --- steady sliding ---------------------------------------------------------------------------------------

// The bristles of a part in steady sliding, over z_max = g/sigma0, and its g.
typedef struct steady {
    double x, y; // v_b/s [-]
    double spin; // t w/(s f) [m]
    double g;
} steady;

// A cell: z* = g v/(sigma0 |v|)                                                                 (11)
static steady steady_cell(const br_contact* c, br_twist here)
{
    const double speed = hypot(here.vx, here.vy);
    return (steady){here.vx / speed, here.vy / speed, 0.0, br_law_g(&c->def.law, speed)};
}

// A block: dz = dzeta = 0 gives z* = v_b/k, zeta* = t w/(k f), k = sigma0 s/g, all velocities over
// the rms speed n
static steady steady_block(const br_contact* c, size_t i, br_twist here)
{
    const kernel_bundles* b = &c->parts;
    const double turning = here.w * sqrt(b->t[i]), n = hypot(hypot(here.vx, here.vy), turning);
    const double ax = here.vx / n, ay = here.vy / n, psi = turning / n * (turning / n);
    const double along = b->xx[i] * ax * ax + 2.0 * b->xy[i] * ax * ay + b->yy[i] * ay * ay;
    const double s = sqrt(block_speed2(ax * ax + ay * ay, psi, along, psi, b->turn[i]));
    const double per_f = block_lag(along, psi, 1.0);
    return (steady){ax / s, ay / s, b->t[i] * (here.w / n) * per_f / s, br_law_g(&c->def.law, n)};
}

// Part i in steady state; 0 for padding, and at speeds up to `noise`, which have no direction.
static steady steady_part(const br_contact* c, size_t i, br_twist here, double noise)
{
    const kernel_bundles* b = &c->parts;
    const double turning = b->t ? fabs(here.w) * sqrt(b->t[i]) : 0.0;
    if (!(b->weight[i] > 0.0) || fabs(here.vx) + fabs(here.vy) + turning <= noise) {
        return (steady){0.0, 0.0, 0.0, 0.0};
    }
    return b->t ? steady_block(c, i, here) : steady_cell(c, here);
}

// Twist and wrench are those of the bristles.
static br_wrench steady_sum(const br_contact* c, br_twist v, double fn, double* z)
{
    const br_law* law = &c->def.law;
    const kernel_bundles* b = &c->parts;
    const size_t n = c->parts.count;
    const double noise = 4.0 * DBL_EPSILON * (fabs(v.vx) + fabs(v.vy) + fabs(v.w) * c->value.r);
    br_wrench sum = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < n; i++) {
        const br_twist here = lever_twist(v, b->x[i], b->y[i]);
        const steady s = steady_part(c, i, here, noise);
        const double p = b->weight[i] * fn, t = b->t ? b->t[i] : 0.0;

        // l* = (sigma0 z* + sigma2 v) p                                                       (12)
        const br_wrench l = {-p * (s.g * s.x + law->sigma2 * here.vx),
                             -p * (s.g * s.y + law->sigma2 * here.vy),
                             -p * (s.g * s.spin + law->sigma2 * t * v.w)};
        lever_add(&sum, 1.0, lever_wrench(l, b->x[i], b->y[i])); //                      (19), (20)
        if (z) {
            z[i] = s.g / law->sigma0 * s.x;
            z[n + i] = s.g / law->sigma0 * s.y;
        }
        if (z && c->size == 3) {
            z[2 * n + i] = s.g / law->sigma0 * s.spin;
        }
    }
    return sum;
}

br_wrench br_contact_steady_eval(const br_contact* c, br_twist v, double fn, double* z)
{
    BR_ASSERT(c);
    return contact_is_reduced(c) ? bri_reduced_steady(c, v, fn, z)
                                 : map2_leave(c->map, steady_sum(c, map2_enter(c->map, v), fn, z));
}

// --- one part ---------------------------------------------------------------------------------------------

// A vector of parts: positions (all at the CoP), weights, bristles and rates.
typedef struct vector_of_parts {
    double cop[KERNEL_PAD], weight[KERNEL_PAD], z[3 * KERNEL_PAD], dz[3 * KERNEL_PAD];
} vector_of_parts;

// The vector that contains part i. Only part i has a weight, and it is at the CoP: the caller passes its own twist.
static kernel_bundles bundles_around(const br_contact* c, size_t i, const double* z,
                                     vector_of_parts* own)
{
    const size_t lane = i % KERNEL_PAD, first = i - lane;
    kernel_bundles b = bri_bundles_from(&c->parts, first, KERNEL_PAD);
    memset(own, 0, sizeof *own);
    for (size_t k = 0; k < c->size; k++) {
        memcpy(own->z + k * KERNEL_PAD, z + k * c->parts.count + first, sizeof own->cop);
    }
    b.one = own->weight[lane] = b.weight[lane];
    b.mean_x = b.mean_y = 0.0;
    b.square = b.t ? b.one * b.t[lane] : 0.0;
    b.x = b.y = own->cop, b.weight = own->weight, b.columns = 0;
    return b;
}

static br_contact_part_value part_of_reduced(const br_contact* c, const double* z, br_twist v,
                                             double fn)
{
    double dz[3];
    const br_wrench f = bri_reduced_eval(c, z, &v, fn, dz, NULL);
    return (br_contact_part_value){c->value.cop,
                                   {v.vx, v.vy},
                                   contact_leave(c, (br_vec2){z[0], z[1]}),
                                   contact_leave(c, (br_vec2){dz[0], dz[1]}),
                                   f};
}

br_contact_part_value br_contact_part_eval(const br_contact* c, const double* z, br_twist v,
                                           double fn, size_t index)
{
    BR_ASSERT(c && z && index < c->parts.count);
    if (contact_is_reduced(c)) {
        return part_of_reduced(c, z, v, fn);
    }
    const br_vec2 at = {c->parts.x[index], c->parts.y[index]};
    const br_twist here = lever_twist(map2_enter(c->map, v), at.x, at.y);
    const size_t lane = index % KERNEL_PAD;
    vector_of_parts near;
    double f[3];
    const kernel_bundles b = bundles_around(c, index, z, &near);
    c->kernel->eval(&b, &c->law, near.z, (const double[3]){here.vx, here.vy, here.w}, near.dz, f);
    return (br_contact_part_value){
        br_vec2_add(c->value.cop, contact_position(c, at)),
        contact_leave(c, (br_vec2){here.vx, here.vy}),
        contact_leave(c, (br_vec2){near.z[lane], near.z[KERNEL_PAD + lane]}),
        contact_leave(c, (br_vec2){near.dz[lane], near.dz[KERNEL_PAD + lane]}),
        contact_wrench(c, f, fn),
    };
}

double br_contact_stored(const br_contact* c, const double* z, double fn)
{
    BR_ASSERT(c && z);
    const size_t n = c->parts.count;
    double sum = 0.0;
    if (contact_is_reduced(c)) {
        double zeta[3];
        reduced_zeta(c, z, zeta);
        return 0.5 * fn * c->def.law.sigma0 * vec3_dot(zeta, zeta);
    }
    for (size_t i = 0; i < n; i++) {
        const double spin = c->size == 3 ? z[2 * n + i] * z[2 * n + i] * c->parts.per_t[i] : 0.0;
        sum += c->parts.weight[i] * (z[i] * z[i] + z[n + i] * z[n + i] + spin);
    }
    return 0.5 * fn * c->def.law.sigma0 * sum;
}
