/*
 * Contact changes at equal normal force: the bristles of one model become those of another.
 *
 * Elastic force and torque per fn sigma0, at the CoP, are sums over the cells (or blocks)
 *
 *   F = sum w z,   T = sum w (rho x z + zeta)
 *
 * A part of the new model takes the bristles of the nearest part of the old one. Then all are moved
 * by one rigid motion, z += a + b (z^ x rho), zeta += b t, that gives F and T back:
 *
 *   | S  0  -Sy | | a_x |   | what F_x lacks |        S = sum w = 1, (Sx, Sy) = sum w rho = 0
 *   | 0  S   Sx | | a_y | = | what F_y lacks |        Q = sum w (|rho|^2 + t) = u
 *   |-Sy Sx  Q  | |  b  |   | what T lacks   |
 *
 * Sx, Sy are rounding, but taken into account.
 */
#include "planar/contact_internal.h"

#include "math/lever.h"

br_wrench bri_contact_elastic(const br_contact* c, const double* z)
{
    double f[3];
    c->kernel->elastic(&c->parts, z, f);
    return (br_wrench){f[0], f[1], f[2]};
}

// The part of a contact, not padding, that is nearest to a place from its CoP, in its axes.
static size_t nearest_part(const kernel_bundles* b, br_vec2 at)
{
    size_t nearest = 0;
    double least = HUGE_VAL;
    for (size_t i = 0; i < b->count; i++) {
        const double dx = b->x[i] - at.x, dy = b->y[i] - at.y, square = dx * dx + dy * dy;
        if (b->weight[i] > 0.0 && square < least) {
            least = square;
            nearest = i;
        }
    }
    return nearest;
}

// Bristles of the nearest parts, in the new axes. A block's spin keeps its angle zeta/t.
static void take_nearest(const br_contact* from, const double* z, const br_contact* to, double* out)
{
    const kernel_bundles *old = &from->parts, *now = &to->parts;
    const axes turn = axes_between(from->axes, to->axes), back = axes_back(turn);
    const br_vec2 shift = br_vec2_sub(to->value.cop, from->value.cop);
    const br_vec2 offset = axes_turn(axes_back(from->axes), shift); // in the old axes
    memset(out, 0, to->size * now->count * sizeof *out);
    for (size_t i = 0; i < now->count; i++) {
        if (!(now->weight[i] > 0.0)) {
            continue; // padding
        }
        const br_vec2 place = axes_turn(back, (br_vec2){now->x[i], now->y[i]});
        const size_t k = nearest_part(old, br_vec2_add(offset, place));
        const br_vec2 taken = axes_turn(turn, (br_vec2){z[k], z[old->count + k]});
        out[i] = taken.x;
        out[now->count + i] = taken.y;
        if (now->t && old->t[k] > 0.0) {
            out[2 * now->count + i] = z[2 * old->count + k] / old->t[k] * now->t[i];
        }
    }
}

// The rigid motion (a, b) that adds a wrench to the sums; a contact that is a point does not turn.
static br_twist rigid_motion(const kernel_bundles* b, br_wrench lack)
{
    const double one = b->one, x = b->mean_x, y = b->mean_y;
    const double arm = b->square - (x * x + y * y) / one;
    const double w = arm > 0.0 ? (lack.tau - (x * lack.fy - y * lack.fx) / one) / arm : 0.0;
    return (br_twist){(lack.fx + w * y) / one, (lack.fy - w * x) / one, w};
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

static void carry_parts(const br_contact* from, const double* z, const br_contact* to, double* out)
{
    // the wrench to be kept, at the new CoP and in the new axes
    const br_vec2 d = br_vec2_sub(from->value.cop, to->value.cop);
    const br_wrench kept =
        lever_wrench(axes_leave(from->axes, bri_contact_elastic(from, z)), d.x, d.y);
    const br_wrench wanted = axes_leave(axes_back(to->axes), kept);
    const double scale = from->def.law.sigma0 / to->def.law.sigma0;

    // twice: the second time for what rounding has left
    take_nearest(from, z, to, out);
    for (int pass = 0; pass < 2; pass++) {
        const br_wrench now = bri_contact_elastic(to, out);
        const br_wrench lack = {scale * wanted.fx - now.fx, scale * wanted.fy - now.fy,
                                scale * wanted.tau - now.tau};
        add_rigid(&to->parts, rigid_motion(&to->parts, lack), out);
    }
}

// z_tau moves with the CoP; a point has no torque to keep.
static void carry_reduced(const br_contact* from, const double* z, const br_contact* to,
                          double* out)
{
    const double scale = from->def.law.sigma0 / to->def.law.sigma0;
    const br_vec2 d = br_vec2_sub(from->value.cop, to->value.cop);
    const br_wrench kept = lever_wrench(
        (br_wrench){scale * z[0], scale * z[1], scale * from->look.turn * z[2]}, d.x, d.y);
    out[0] = kept.fx;
    out[1] = kept.fy;
    out[2] = to->value.r == 0.0 ? 0.0 : kept.tau / to->look.turn;
}

void br_contact_carry(const br_contact* from, const double* z, const br_contact* to, double* out)
{
    BR_ASSERT(from && z && to && out && z != out);
    BR_ASSERT(contact_is_reduced(from) == contact_is_reduced(to) && from->size == to->size);
    if (contact_is_reduced(from)) {
        carry_reduced(from, z, to, out);
    } else {
        carry_parts(from, z, to, out);
    }
}
