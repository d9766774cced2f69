/*
 * Some of a contact's parts, and how their bristles decay.
 */
#include "planar/contact_some.h"

#include "planar/contact_internal.h"

_Static_assert(BRI_SOME_UNIT % KERNEL_PAD == 0, "whole vectors, whatever the lanes");

static const double* from(const double* array, size_t first)
{
    return array ? array + first : NULL;
}

// The moments of all go with the first of them: sums are linear.
static kernel_bundles bundles_from(const kernel_bundles* all, size_t first, size_t count)
{
    kernel_bundles b = *all;
    b.count = count;
    b.x += first, b.y += first, b.weight += first;
    b.t = from(b.t, first), b.per_t = from(b.per_t, first), b.turn = from(b.turn, first);
    b.xx = from(b.xx, first), b.xy = from(b.xy, first), b.yy = from(b.yy, first);
    if (b.columns > 0) {
        b.column += first / KERNEL_GROUP, b.row += first / KERNEL_GROUP;
    }
    if (first > 0) {
        b.one = b.mean_x = b.mean_y = b.square = 0.0;
    }
    return b;
}

br_wrench bri_contact_eval_some(const br_contact* c, size_t first, size_t count, const double* z,
                                br_twist v, double fn, double* dz)
{
    BR_ASSERT(c && z && dz && z != dz);
    if (count == c->parts.count) {
        return br_contact_eval(c, z, v, fn, dz);
    }
    const kernel_bundles b = bundles_from(&c->parts, first, count);
    const br_twist turned = axes_enter(c->axes, v);
    double f[3];
    c->kernel->eval(&b, &c->law, z, (const double[3]){turned.vx, turned.vy, turned.w}, dz, f);
    return contact_wrench(c, f, fn);
}

void bri_contact_decay_eval(const br_contact* c, const double* z, br_twist v, double* out)
{
    BR_ASSERT(c && z && out && c->size == 2);
    const br_twist turned = axes_enter(c->axes, v);
    kernel_gradient g = {.decay = out};
    c->kernel->gradient(&c->parts, &c->law, z, (const double[3]){turned.vx, turned.vy, turned.w},
                        &g);
}
