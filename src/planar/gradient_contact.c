/*
 * Derivatives of a step of one contact at constant twist: br_contact_step().
 */
#include "planar/gradient_internal.h"

#include "planar/kernel_instances.h"

// The instance with as many lanes as the contact's kernel. Kernels do not point to it: programs without derivatives lack it.
static const gradient_kernel* gradients_of(const br_contact* c)
{
    if (c->law.curve) {
        return &bri_gradient_curve;
    }
    switch (c->kernel->lanes) {
#if VECTOR_LANES & 8
    case 8:
        return &bri_gradient_8;
    case 4:
        return &bri_gradient_4;
#endif
#if VECTOR_LANES & 2
    case 2:
        return &bri_gradient_2;
#endif
    default:
#if VECTOR_LANES & 1
        return &bri_gradient_1;
#else
        return &bri_gradient_2;
#endif
    }
}

void bri_gradient_begin(const br_contact* c, const kernel_law* law, const gradient_pass* in,
                        gradient_tangent* out)
{
    if (contact_is_reduced(c)) {
        bri_gradient_reduced_begin(c, law, in, out);
        return;
    }
    gradients_of(c)->begin(&c->parts, law, in, out);
}

void bri_gradient_end(const br_contact* c, const kernel_law* law, const gradient_pass* in,
                      double* z0b, int laws, gradient_sums* out)
{
    if (contact_is_reduced(c)) {
        bri_gradient_reduced_end(c, law, in, z0b, laws, out);
        return;
    }
    gradients_of(c)->end(&c->parts, law, in, z0b, laws, out);
}

void bri_gradient_forward(const br_contact* c, const kernel_law* law, const gradient_pass* in,
                          const gradient_direction* d, double* z1_dot, double F_dot[3])
{
    if (contact_is_reduced(c)) {
        bri_gradient_reduced_forward(c, law, in, d, z1_dot, F_dot);
        return;
    }
    gradients_of(c)->forward(&c->parts, law, in, d, z1_dot, F_dot);
}

void bri_gradient_close_begin(const br_contact* c, const kernel_law* law, const gradient_pass* in,
                              gradient_tangent* out)
{
    if (contact_is_reduced(c)) {
        bri_gradient_reduced_close_begin(c, law, in, out);
        return;
    }
    gradients_of(c)->close_begin(&c->parts, law, in, out);
}

void bri_gradient_close_end(const br_contact* c, const kernel_law* law, const gradient_pass* in,
                            double* z0b, double* decays, gradient_sums* out)
{
    if (contact_is_reduced(c)) {
        bri_gradient_reduced_close_end(c, law, in, z0b, decays, out);
        return;
    }
    gradients_of(c)->close_end(&c->parts, law, in, z0b, decays, out);
}

void bri_gradient_decays(const br_contact* c, const kernel_law* law, const gradient_pass* in,
                         const double* decays, double vb[3], double* z0b, gradient_sums* out)
{
    if (contact_is_reduced(c)) {
        bri_gradient_reduced_decays(c, law, in, decays, vb, z0b, out);
        return;
    }
    gradients_of(c)->decays(&c->parts, law, in, decays, vb, z0b, out);
}

void bri_gradient_decays_forward(const br_contact* c, const kernel_law* law,
                                 const gradient_pass* in, const gradient_direction* d,
                                 double* decays)
{
    if (contact_is_reduced(c)) {
        bri_gradient_reduced_decays_forward(c, law, in, d, decays);
        return;
    }
    gradients_of(c)->decays_forward(&c->parts, law, in, d, decays);
}

void bri_gradient_close_forward(const br_contact* c, const kernel_law* law, const gradient_pass* in,
                                const gradient_direction* d, const double* decays, double* z1_dot,
                                double F_dot[3])
{
    if (contact_is_reduced(c)) {
        bri_gradient_reduced_close_forward(c, law, in, d, decays, z1_dot, F_dot);
        return;
    }
    gradients_of(c)->close_forward(&c->parts, law, in, d, decays, z1_dot, F_dot);
}

void bri_gradient_pressed(const br_contact* c, const double* z, const double v[3], double h,
                          double F[3])
{
    enum { TOGETHER = 8 * KERNEL_PAD };
    const size_t n = c->parts.count;
    memset(F, 0, 3 * sizeof *F);
    if (contact_is_reduced(c)) { // v is the bristles' own already
        double own[3] = {z[0], z[1], z[2]};
        br_contact inside = *c;
        inside.is_stretched = 0;
        const br_wrench f =
            bri_reduced_hold(&inside, own, (br_twist){v[0], v[1], v[2]}, 1.0, h, NULL);
        F[0] = -f.fx, F[1] = -f.fy, F[2] = -f.tau;
        return;
    }
    for (size_t first = 0; first < n; first += TOGETHER) {
        const size_t count = n - first < TOGETHER ? n - first : TOGETHER;
        const kernel_bundles some = bri_bundles_from(&c->parts, first, count);
        double own[3 * TOGETHER];
        kernel_closed closed;
        for (size_t k = 0; k < c->size; k++) {
            memcpy(own + k * count, z + k * n + first, count * sizeof *own);
        }
        c->kernel->hold(&some, &c->law, own, v, h, &closed);
        for (int i = 0; i < 3; i++) {
            F[i] += closed.f[i];
        }
    }
}

// The pass over a contact that is held at a twist; with the damping that the step had.
static gradient_pass held_pass(const br_contact* c, const double* z0, const double* z1, br_twist v,
                               double h)
{
    const vector3 at = contact_enter(c, v);
    gradient_pass in = {.z0 = z0, .z1 = z1, .h = h};
    memcpy(in.at, at.at, sizeof in.at);
    memcpy(in.v, at.at, sizeof in.v);
    return in;
}

// Where the damping would give energy back it is limited, as kernel->hold() limits it.
static unsigned begin_held(const br_contact* c, gradient_pass* in, gradient_tangent* out)
{
    unsigned flags = 0;
    bri_gradient_begin(c, &c->law, in, out);
    if (out->heat < 0.0 && (!contact_is_reduced(c) || c->def.guard)) {
        in->limited = 1;
        bri_gradient_begin(c, &c->law, in, out);
        flags = contact_is_reduced(c) && out->heat < 0.0 ? BR_GRADIENT_PAID : 0u;
    }
    return flags | (out->kinks ? BR_GRADIENT_KINK : 0u);
}

static void no_adjoint(const br_contact* c, unsigned flags, br_contact_step_adjoint* io)
{
    if (io->z0_bar) {
        memset(io->z0_bar, 0, contact_states(c) * sizeof *io->z0_bar);
    }
    io->v = (br_twist){0.0, 0.0, 0.0};
    io->fn = io->h = io->length = 0.0;
    memset(io->law, 0, sizeof io->law);
    io->flags = flags;
}

// w = M^T b
static br_twist leave_twist(const br_contact* c, const double b[3])
{
    const br_wrench w = map2_leave(c->map, (br_wrench){b[0], b[1], b[2]});
    return (br_twist){w.fx, w.fy, w.tau};
}

// An open contact: how it would press.
static double pressing(const br_contact* c, const double* z0, br_twist v, double h, br_wrench f_bar)
{
    double F[3];
    bri_gradient_pressed(c, z0, contact_enter(c, v).at, h, F);
    const br_wrench f = contact_wrench(c, F, 1.0);
    return f.fx * f_bar.fx + f.fy * f_bar.fy + f.tau * f_bar.tau;
}

static unsigned slopes_flag(const br_contact_slopes* slopes)
{
    return slopes && slopes->kink ? BR_GRADIENT_KINK : 0u;
}

// What a patch that follows the normal force adds to its adjoint: Fb.dF + zb.dz1
static double following(const br_contact* c, const gradient_pass* in,
                        const br_contact_slopes* slopes)
{
    double F_dot[3], sum = 0.0;
    const gradient_direction d = {.fn = 1.0, .slopes = slopes, .inner = &sum};
    bri_gradient_forward(c, &c->law, in, &d, NULL, F_dot);
    return sum + vec3_dot(in->Fb, F_dot);
}

void br_contact_step_vjp(const br_contact* c, const double* z0, const double* z1, br_twist v,
                         double fn, double h, br_contact_step_adjoint* io)
{
    BR_ASSERT(c && z0 && z1 && !(h <= 0.0) && io);
    if (contact_goes_far(v, h)) { // it ends in steady sliding, by other equations
        no_adjoint(c, BR_GRADIENT_REFUSED, io);
        return;
    }
    if (fn <= 0.0) {
        const double by_fn = pressing(c, z0, v, h, io->f_bar);
        no_adjoint(c, BR_GRADIENT_LIFTED, io);
        io->fn = by_fn;
        return;
    }
    gradient_pass in = held_pass(c, z0, z1, v, h);
    gradient_tangent found;
    gradient_sums sums = {.h = 0.0};
    const vector3 Fb = gradient_enter(c, fn, io->f_bar);
    in.zb = io->z1_bar;
    memcpy(in.Fb, Fb.at, sizeof in.Fb);
    io->flags = begin_held(c, &in, &found) | slopes_flag(io->slopes);
    const double by_patch = io->slopes ? following(c, &in, io->slopes) : 0.0;
    if (io->z0_bar || io->by_law) {
        bri_gradient_end(c, &c->law, &in, io->z0_bar, io->by_law, &sums);
    }
    io->v = leave_twist(c, found.vb);
    io->fn = (Fb.at[0] * found.F[0] + Fb.at[1] * found.F[1] + Fb.at[2] * found.F[2]) / fn;
    io->fn += by_patch;
    io->h = sums.h;
    io->length = sums.length;
    memcpy(io->law, sums.law, sizeof io->law);
}

static void no_tangent(const br_contact* c, unsigned flags, br_contact_step_tangent* io)
{
    if (io->z1_dot) {
        memset(io->z1_dot, 0, contact_states(c) * sizeof *io->z1_dot);
    }
    io->f = (br_wrench){0.0, 0.0, 0.0};
    io->flags = flags;
}

void br_contact_step_jvp(const br_contact* c, const double* z0, const double* z1, br_twist v,
                         double fn, double h, br_contact_step_tangent* io)
{
    BR_ASSERT(c && z0 && z1 && !(h <= 0.0) && io);
    if (contact_goes_far(v, h)) { // it ends in steady sliding, by other equations
        no_tangent(c, BR_GRADIENT_REFUSED, io);
        return;
    }
    double F[3], F_dot[3], f[3];
    if (fn <= 0.0) {
        no_tangent(c, BR_GRADIENT_LIFTED, io);
        bri_gradient_pressed(c, z0, contact_enter(c, v).at, h, F);
        io->f = contact_wrench(c, F, io->fn);
        return;
    }
    gradient_pass in = held_pass(c, z0, z1, v, h);
    gradient_tangent found;
    gradient_direction d = {
        .h = io->h, .length = io->length, .z0 = io->z0_dot, .fn = io->fn, .slopes = io->slopes};
    memcpy(d.v, contact_enter(c, io->v).at, sizeof d.v);
    memcpy(d.law, io->law, sizeof d.law);
    io->flags = begin_held(c, &in, &found) | slopes_flag(io->slopes);
    bri_gradient_forward(c, &c->law, &in, &d, io->z1_dot, F_dot);
    for (int i = 0; i < 3; i++) {
        f[i] = fn * F_dot[i] + io->fn * found.F[i];
    }
    io->f = contact_wrench(c, f, 1.0);
}
