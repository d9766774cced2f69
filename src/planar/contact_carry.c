/*
 * Transfer of the bristles from one contact to another at equal normal force.
 *
 * Elastic force and torque per fn sigma0, at the CoP, are sums over the cells (or blocks)
 *
 *   F = sum w z,   T = sum w (rho x z + zeta)
 *
 * A part of the new contact copies the bristles of the nearest part of the old one. Then one rigid motion is
 * added to all, z += a + b (z^ x rho), zeta += b t, which restores F and T:
 *
 *   | S  0  -Sy | | a_x |   | missing F_x |        S = sum w = 1, (Sx, Sy) = sum w rho = 0
 *   | 0  S   Sx | | a_y | = | missing F_y |        Q = sum w (|rho|^2 + t) = u
 *   |-Sy Sx  Q  | |  b  |   | missing T   |
 *
 * Sx and Sy are rounding errors, but are included.
 *
 * The transfer must not create energy: no bristle may be longer than mu_s/sigma0, and W = fn sigma0/2 sum w |z|^2
 * may not grow. Bristles that are too long are shortened and the rigid motion is computed again, alternately. If W
 * is too large, the part of z that is orthogonal to the rigid motion of F and T is reduced: W is the sum of both
 * parts. If that is not enough, the torque is reduced: with F kept, z = F + share (z - mean z), and
 *   |F + share (z - mean z)| <= mu_s/sigma0 of each,   |F|^2 + share^2 sum w |z - mean z|^2 <= 2 W/(fn sigma0)
 * give the share. |F|^2 is at most sum w |z|^2, so the force is kept unless the new bristles are softer.
 */
#include "planar/contact_internal.h"

#include "math/lever.h"

br_wrench bri_contact_elastic(const br_contact* c, const double* z)
{
    double f[3];
    c->kernel->elastic(&c->parts, z, f);
    return (br_wrench){f[0], f[1], f[2]};
}

// The part of a contact, padding excluded, that is nearest to a position relative to its CoP, in its axes.
static size_t nearest_part(const kernel_bundles* b, br_vec2 at)
{
    size_t nearest = 0;
    double min_square = HUGE_VAL;
    for (size_t i = 0; i < b->count; i++) {
        const double dx = b->x[i] - at.x, dy = b->y[i] - at.y, square = dx * dx + dy * dy;
        if (b->weight[i] > 0.0 && square < min_square) {
            min_square = square;
            nearest = i;
        }
    }
    return nearest;
}

// Copy the bristles of the nearest parts, times `scale`, so that each keeps its force, z' = M_to^-T M_from^T z. A
// block's spin keeps its angle zeta/t.
static void copy_nearest(const br_contact* from, const double* z, const br_contact* to,
                         double scale, double* out)
{
    const kernel_bundles *old = &from->parts, *now = &to->parts;
    const map2 place = map2_cofactors(from->map), force = map2_cofactors(to->map);
    const br_vec2 shift = br_vec2_sub(to->value.cop, from->value.cop);
    memset(out, 0, to->size * now->count * sizeof *out);
    for (size_t i = 0; i < now->count; i++) {
        if (!(now->weight[i] > 0.0)) {
            continue; // padding
        }
        const br_vec2 rho =
            br_vec2_add(shift, contact_position(to, (br_vec2){now->x[i], now->y[i]}));
        const size_t k = nearest_part(old, map2_apply(place, rho));
        const br_vec2 f = map2_apply_transposed(from->map, (br_vec2){z[k], z[old->count + k]});
        const br_vec2 copied = br_vec2_scale(1.0 / to->det, map2_apply(force, f));
        out[i] = scale * copied.x;
        out[now->count + i] = scale * copied.y;
        if (now->t && old->t[k] > 0.0) {
            out[2 * now->count + i] = scale * z[2 * old->count + k] / old->t[k] * now->t[i];
        }
    }
}

// The rigid motion (a, b) that adds a wrench to the sums; a point contact does not turn.
static br_twist rigid_motion(const kernel_bundles* b, br_wrench gap)
{
    const double one = b->one, x = b->mean_x, y = b->mean_y;
    const double arm = b->square - (x * x + y * y) / one;
    const double w = arm > 0.0 ? (gap.tau - (x * gap.fy - y * gap.fx) / one) / arm : 0.0;
    return (br_twist){(gap.fx + w * y) / one, (gap.fy - w * x) / one, w};
}

static void add_rigid(const kernel_bundles* b, br_twist motion, double* z)
{
    for (size_t i = 0; i < b->count; i++) {
        if (!(b->weight[i] > 0.0)) {
            continue; // padding
        }
        const br_twist here = lever_twist(motion, b->x[i], b->y[i]);
        z[i] += here.vx;
        z[b->count + i] += here.vy;
        if (b->t) {
            z[2 * b->count + i] += motion.w * b->t[i];
        }
    }
}

// Bounds of a transferred state.
typedef struct bounds {
    double bend;   // of each bristle's length, mu_s/sigma0 [m]
    double stored; // of the energy over fn [J/N]
    double mean;   // of the force over fn sigma0 [m]
} bounds;

// Relative tolerance of the bounds, for rounding.
static const double bound_rounding = 1e-12;

// `stored`: available energy over fn [J/N]
static bounds bounds_of(const br_contact* to, double stored)
{
    const double sigma0 = to->def.law.sigma0, bend = to->def.law.mu_s / sigma0;
    return (bounds){bend, stored, fmin(bend, sqrt(2.0 * stored / sigma0))};
}

// Limit the force of a wrench to `max`; the torque stays.
static br_wrench bound_force(br_wrench f, double max)
{
    const double size = hypot(f.fx, f.fy);
    const double share = size > max * (1.0 + bound_rounding) ? max / size : 1.0;
    return (br_wrench){share * f.fx, share * f.fy, f.tau};
}

// The largest s in [0, 1] with |a + s d| <= max, from a.a <= max^2, a.d and d.d
static double share_within(double aa, double ad, double dd, double max)
{
    const double margin = fmax(max * max - aa, 0.0), root = sqrt(ad * ad + dd * margin);
    if (!(dd + 2.0 * ad > margin)) {
        return 1.0;
    }
    return ad > 0.0 ? margin / (ad + root) : (root - ad) / dd;
}

// Shorten bristles that are longer than `max`, all those of a part by the same factor; 1 if there are any.
static int shorten(const kernel_bundles* b, double max, double* z)
{
    const size_t n = b->count;
    int some = 0;
    for (size_t i = 0; i < n; i++) {
        const double spin = b->t ? z[2 * n + i] * z[2 * n + i] * b->per_t[i] : 0.0;
        const double length = sqrt(z[i] * z[i] + z[n + i] * z[n + i] + spin);
        if (length > max * (1.0 + bound_rounding)) {
            some = 1;
            z[i] *= max / length;
            z[n + i] *= max / length;
            if (b->t) {
                z[2 * n + i] *= max / length;
            }
        }
    }
    return some;
}

// z = share z + motion
static void mix_rigid(const br_contact* c, double share, br_twist motion, double* z)
{
    for (size_t i = 0; i < c->size * c->parts.count; i++) {
        z[i] *= share;
    }
    add_rigid(&c->parts, motion, z);
}

// Reduce the part of z that is not the rigid motion of its wrench, if more than `max` is stored [J/N].
static void reduce_rest(const br_contact* c, double max, double* z)
{
    const br_wrench f = bri_contact_elastic(c, z);
    const br_twist m = rigid_motion(&c->parts, f);
    const double rigid = 0.5 * c->def.law.sigma0 * (f.fx * m.vx + f.fy * m.vy + f.tau * m.w);
    const double share = sqrt(fmax(max - rigid, 0.0) / (br_contact_stored(c, z, 1.0) - rigid));
    const double rest = share < 1.0 ? 1.0 - share : 0.0; // NaN: the motion is rigid
    mix_rigid(c, 1.0 - rest, (br_twist){rest * m.vx, rest * m.vy, rest * m.w}, z);
}

// The share of the bristles' differences from their mean that is within the bounds when the mean becomes `force`.
static double share_of_torque(const br_contact* c, const double* z, br_wrench force, br_wrench mean,
                              const bounds* bound)
{
    const kernel_bundles* b = &c->parts;
    const size_t n = b->count;
    const double ff = force.fx * force.fx + force.fy * force.fy;
    double share = 1.0, sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double dx = z[i] - mean.fx, dy = z[n + i] - mean.fy;
        const double spin = b->t ? z[2 * n + i] * z[2 * n + i] * b->per_t[i] : 0.0;
        const double dd = dx * dx + dy * dy + spin, fd = force.fx * dx + force.fy * dy;
        if (b->weight[i] > 0.0) {
            share = fmin(share, share_within(ff, fd, dd, bound->bend));
            sum += b->weight[i] * dd;
        }
    }
    const double stored = sqrt(2.0 * bound->stored / c->def.law.sigma0);
    return fmin(share, share_within(ff, 0.0, sum, stored));
}

// Keep the force, and as much of the torque as the bounds allow.
static void reduce_torque(const br_contact* c, br_wrench force, const bounds* bound, double* z)
{
    const br_wrench mean = bri_contact_elastic(c, z);
    const double share = share_of_torque(c, z, force, mean, bound);
    mix_rigid(c, share, (br_twist){force.fx - share * mean.fx, force.fy - share * mean.fy, 0.0}, z);
}

// Alternately move the bristles so that they have the wrench and shorten those that are too long; 0 if none was too
// long in the last round. At least two rounds: the second one removes rounding errors.
static int reach_wrench(const br_contact* c, br_wrench wanted, double max, double* z)
{
    enum { ROUNDS = 40 };
    int too_long = 1;
    for (int round = 0; round < ROUNDS && (round < 2 || too_long); round++) {
        const br_wrench now = bri_contact_elastic(c, z);
        const br_wrench gap = {wanted.fx - now.fx, wanted.fy - now.fy, wanted.tau - now.tau};
        add_rigid(&c->parts, rigid_motion(&c->parts, gap), z);
        too_long = shorten(&c->parts, max, z);
    }
    return too_long;
}

static void carry_parts(const br_contact* from, const double* z, const br_contact* to, bounds bound,
                        double* out)
{
    // the wrench to be kept, at the new CoP and in the new axes
    const br_vec2 d = br_vec2_sub(from->value.cop, to->value.cop);
    const br_wrench kept =
        lever_wrench(map2_leave(from->map, bri_contact_elastic(from, z)), d.x, d.y);
    const br_wrench turned = contact_wrench_enter(to, kept);
    const double scale = from->def.law.sigma0 / to->def.law.sigma0;
    const br_wrench wanted = bound_force(
        (br_wrench){scale * turned.fx, scale * turned.fy, scale * turned.tau}, bound.mean);

    copy_nearest(from, z, to, scale, out);
    const int too_long = reach_wrench(to, wanted, bound.bend, out);
    const int too_much = br_contact_stored(to, out, 1.0) > bound.stored * (1.0 + bound_rounding);
    if (too_much) {
        reduce_rest(to, bound.stored, out);
    }
    if (too_long || too_much) {
        reduce_torque(to, wanted, &bound, out);
    }
}

// z_tau is converted to the new CoP; a point contact has no torque.
static void carry_reduced(const br_contact* from, const double* z, const br_contact* to,
                          bounds bound, double* out)
{
    const double scale = from->def.law.sigma0 / to->def.law.sigma0;
    const br_vec2 d = br_vec2_sub(from->value.cop, to->value.cop);
    const br_wrench old = {scale * z[0], scale * z[1], scale * from->look.turn * z[2]};
    const br_wrench moved = lever_wrench(map2_leave(from->map, old), d.x, d.y);
    const br_wrench kept = bound_force(contact_wrench_enter(to, moved), bound.mean);
    const double force = kept.fx * kept.fx + kept.fy * kept.fy, spin = to->look.per_r * kept.tau;
    const double share = share_within(force, 0.0, spin * spin, bound.mean * (1.0 + bound_rounding));
    out[0] = kept.fx;
    out[1] = kept.fy;
    out[2] = to->value.r == 0.0 ? 0.0 : share * kept.tau / to->look.turn;
}

// Transfer a state within the energy `stored` over fn [J/N].
static void carry(const br_contact* from, const double* z, const br_contact* to, double stored,
                  double* out)
{
    BR_ASSERT(from && z && to && out && z != out);
    BR_ASSERT(contact_is_reduced(from) == contact_is_reduced(to) && from->size == to->size);
    if (contact_is_reduced(from)) {
        carry_reduced(from, z, to, bounds_of(to, stored), out);
    } else {
        carry_parts(from, z, to, bounds_of(to, stored), out);
    }
}

void br_contact_carry(const br_contact* from, const double* z, const br_contact* to, double* out)
{
    carry(from, z, to, br_contact_stored(from, z, 1.0), out);
}

void br_contact_carry_saved(const br_contact* from, const double* z, const br_contact* to,
                            double fn, double* saved, double* out)
{
    BR_ASSERT(saved);
    const double stored = br_contact_stored(from, z, 1.0) + (fn > 0.0 ? *saved / fn : 0.0);
    carry(from, z, to, stored, out);
    *saved = fmax(fn * (stored - br_contact_stored(to, out, 1.0)), 0.0);
}
