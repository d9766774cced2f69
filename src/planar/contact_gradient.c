/*
 * Derivatives of a planar contact, for implicit solvers and for identification.
 */
#include "planar/contact_reduced.h"

// Turn a 3 x 3 matrix of wrench by twist from the patch's axes to the contact frame's: R m R^T.
static void turn_matrix(axes a, double m[3][3])
{
    for (int i = 0; i < 3; i++) {
        const double x = m[i][0], y = m[i][1];
        m[i][0] = a.cosine * x - a.sine * y;
        m[i][1] = a.sine * x + a.cosine * y;
    }
    for (int j = 0; j < 3; j++) {
        const double x = m[0][j], y = m[1][j];
        m[0][j] = a.cosine * x - a.sine * y;
        m[1][j] = a.sine * x + a.cosine * y;
    }
}

// Turn rows fx, fy of `count` numbers.
static void turn_rows(axes a, double* rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double x = rows[i], y = rows[count + i];
        rows[i] = a.cosine * x - a.sine * y;
        rows[count + i] = a.sine * x + a.cosine * y;
    }
}

void br_contact_gradient_eval(const br_contact* c, const double* z, br_twist v, double fn,
                              br_contact_gradient* out)
{
    BR_ASSERT(c && z && out);
    if (contact_is_reduced(c)) {
        bri_reduced_gradient(c, z, v, fn, out);
        return;
    }
    const br_twist turned = axes_enter(c->axes, v);
    kernel_gradient g = {.dz_z = out->dz_z,
                         .dz_v = out->dz_v,
                         .force = !out->rates_only,
                         .f_z = out->f_z,
                         .scale = -fn};
    c->kernel->gradient(&c->parts, &c->law, z, (const double[3]){turned.vx, turned.vy, turned.w},
                        &g);
    if (out->rates_only) {
        return;
    }
    memcpy(out->f_v, g.f_v, sizeof out->f_v);
    turn_matrix(c->axes, out->f_v);
    if (out->f_z) {
        turn_rows(c->axes, out->f_z, c->size * c->parts.count);
    }
    const br_wrench f = contact_wrench(c, g.f, 1.0);
    out->f_fn[0] = f.fx;
    out->f_fn[1] = f.fy;
    out->f_fn[2] = f.tau;
}

void br_contact_sensitivity_eval(const br_contact* c, const double* z, br_twist v, double fn,
                                 br_contact_sensitivity* out)
{
    BR_ASSERT(c && z && out);
    if (contact_is_reduced(c)) {
        bri_reduced_sensitivity(c, z, v, fn, out);
        return;
    }
    const br_twist turned = axes_enter(c->axes, v);
    kernel_sensitivity s = {.dz = out->dz};
    c->kernel->sensitivity(&c->parts, &c->law, z, (const double[3]){turned.vx, turned.vy, turned.w},
                           &s);
    for (int k = 0; k < BR_BY_COUNT; k++) {
        const br_wrench f = contact_wrench(c, s.f[k], fn);
        out->f[k][0] = f.fx;
        out->f[k][1] = f.fy;
        out->f[k][2] = f.tau;
    }
}
