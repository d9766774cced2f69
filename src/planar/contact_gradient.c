/*
 * Derivatives of a planar contact, for implicit solvers.
 */
#include "planar/contact_reduced.h"

#include "planar/contact_some.h"

// Rows fx, fy of `count` numbers from the bristles to the contact frame.
static void leave_rows(map2 map, double* rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const br_vec2 f = map2_apply_transposed(map, (br_vec2){rows[i], rows[count + i]});
        rows[i] = f.x;
        rows[count + i] = f.y;
    }
}

// The same for a matrix of wrench by twist: M^T m M.
static void leave_matrix(map2 map, double m[3][3])
{
    for (int i = 0; i < 3; i++) {
        leave_rows(map, m[i], 1);
    }
    leave_rows(map, m[0], 3);
}

static void store_wrench(br_wrench f, double out[3])
{
    out[0] = f.fx;
    out[1] = f.fy;
    out[2] = f.tau;
}

// The derivatives of a reduced contact's wrench, if its axes are not those of the contact frame.
static void leave_reduced(const br_contact* c, br_contact_gradient* out)
{
    if (!c->is_stretched) {
        return;
    }
    leave_matrix(c->map, out->f_v);
    leave_rows(c->map, out->f_fn, 1);
    if (out->f_z) {
        leave_rows(c->map, out->f_z, c->size);
    }
}

void br_contact_gradient_eval(const br_contact* c, const double* z, br_twist v, double fn,
                              br_contact_gradient* out)
{
    BR_ASSERT(c && z && out);
    if (contact_is_reduced(c)) {
        bri_reduced_gradient(c, z, c->is_stretched ? map2_enter(c->map, v) : v, fn, out);
        leave_reduced(c, out);
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
    leave_matrix(c->map, out->f_v);
    if (out->f_z) {
        leave_rows(c->map, out->f_z, c->size * c->parts.count);
    }
    store_wrench(contact_wrench(c, g.f, 1.0), out->f_fn);
}

void bri_contact_decay_eval(const br_contact* c, const double* z, br_twist v, double* out)
{
    BR_ASSERT(c && z && out && c->size == 2);
    kernel_gradient g = {.decay = out};
    c->kernel->gradient(&c->parts, &c->law, z, contact_enter(c, v).at, &g);
}
