/*
 * Derivatives of a planar contact, for implicit solvers.
 */
#include "planar/contact_reduced.h"

#include "planar/contact_some.h"

// Rotate rows fx, fy of `count` numbers from the patch's axes to the contact frame's.
static void turn_rows(axes a, double* rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const br_vec2 f = axes_turn(a, (br_vec2){rows[i], rows[count + i]});
        rows[i] = f.x;
        rows[count + i] = f.y;
    }
}

// The same for a matrix of wrench by twist: R m R^T.
static void turn_matrix(axes a, double m[3][3])
{
    for (int i = 0; i < 3; i++) {
        turn_rows(a, m[i], 1);
    }
    turn_rows(a, m[0], 3);
}

static void store_wrench(br_wrench f, double out[3])
{
    out[0] = f.fx;
    out[1] = f.fy;
    out[2] = f.tau;
}

void br_contact_gradient_eval(const br_contact* c, const double* z, br_twist v, double fn,
                              br_contact_gradient* out)
{
    BR_ASSERT(c && z && out);
    if (contact_is_reduced(c)) {
        bri_reduced_gradient(c, z, v, fn, out);
        return;
    }
    kernel_gradient g = {.dz_z = out->dz_z,
                         .dz_v = out->dz_v,
                         .force = !out->rates_only,
                         .f_z = out->f_z,
                         .scale = -fn};
    c->kernel->gradient(&c->parts, &c->law, z, contact_enter(c, v).at, &g);
    if (out->rates_only) {
        return;
    }
    memcpy(out->f_v, g.f_v, sizeof out->f_v);
    turn_matrix(c->axes, out->f_v);
    if (out->f_z) {
        turn_rows(c->axes, out->f_z, c->size * c->parts.count);
    }
    store_wrench(contact_wrench(c, g.f, 1.0), out->f_fn);
}

void bri_contact_decay_eval(const br_contact* c, const double* z, br_twist v, double* out)
{
    BR_ASSERT(c && z && out && c->size == 2);
    kernel_gradient g = {.decay = out};
    c->kernel->gradient(&c->parts, &c->law, z, contact_enter(c, v).at, &g);
}
