/*
 * Derivatives of a reduced contact over an implicit step: one bundle of three bristles zeta whose motion comes from a limit
 * surface (contact_reduced_pass.c).
 *
 *   y = -h |v_S|,  t = zeta0 + h y,  zeta1 = t/(1 + x),  l = sigma0 zeta1 + s (zeta1 - zeta0)/h,  F = S l + sigma2 U v
 * x = B alpha(q), q (1 + x) = T with T = k |t|, B = (h k/2) (vn + y.t^), k = sigma0 rho/g; LuGre: x = h k vn.
 *
 * In a stage that was closed with decays of another twist, y = S v + delta with delta = y - S v of that twist.
 */
#include "planar/gradient_internal.h"

#include "math/scalar.h"

#include "law/law_formulas.inc"

static const double at_rest = 1e-9; // as AT_REST of gradient_slopes.inc

// The bundle at the twist of its decays, with derivatives by that twist.
typedef struct one {
    kernel_motion motion;
    double zeta0[3], t[3], zeta1[3];
    double n;                                  // |v_S|
    double x, x_v[3], x_t[3], x_g, x_sba, x_h; // x_v at constant t
    double x_y[3], x_vn, x_k;                  // of which x_v and x_g consist
    double s, s_x, s_v[3], s_less, s_sigma0, s_sigma1, s_h, s_v_d;
    int kink;
} one;

// x by T, B and s_ba.
typedef struct yielding {
    double x, by_T, by_B, by_sba;
} yielding;

static yielding yield_of(const kernel_law* law, double T, double B, double q1)
{
    if (T <= law->s_ba) {
        return (yielding){0.0, 0.0, 0.0, 0.0};
    }
    if (!(T < 1.0 + B)) {
        return (yielding){B, 0.0, 1.0, 0.0};
    }
    const double q = fmin(fmax(q1, law->s_ba), 1.0);
    const double turn = band_turn(q, law->middle, law->per_band);
    const double alpha = 0.5 * twice_share(turn), slope = share_slope(turn, law->per_band);
    const double W = 1.0 + B * alpha, per = 1.0 / (W + B * q * slope);
    return (yielding){B * alpha, B * slope * per, alpha * W * per,
                      B * W * per * share_by_s_ba(slope, turn)};
}

static void plastic_decay(const kernel_law* law, const gradient_pass* in, const double zeta1[3],
                          one* o)
{
    const kernel_motion* m = &o->motion;
    const double y[3] = {m->y[0].v, m->y[1].v, m->y[2].v}, k = law->sigma0 * m->rho.v / m->g.v;
    const double length = vec3_norm(o->t), per = 1.0 / fmax(1e-150, length);
    const double hat[3] = {o->t[0] * per, o->t[1] * per, o->t[2] * per};
    const double along = vec3_dot(y, hat), half = 0.5 * in->h * k;
    const double T = k * length, aligned = fmax(0.0, m->vn.v + along), B = half * aligned;
    const yielding d = yield_of(law, T, B, k * vec3_norm(zeta1));
    o->x = d.x;
    o->x_sba = d.by_sba;
    o->x_h = d.by_B * 0.5 * k * aligned;
    o->x_k = (d.by_T * T + d.by_B * B) / k;
    o->x_vn = d.by_B * half;
    for (int j = 0; j < 3; j++) {
        o->x_y[j] = d.by_B * half * hat[j];
        o->x_t[j] = d.by_T * k * hat[j] + d.by_B * half * per * (y[j] - along * hat[j]);
    }
    o->kink = 2.0 * half * m->vn.v <= at_rest && T > law->s_ba;
}

static void limit_damping(const kernel_law* law, double h, one* o)
{
    const double r = sqrt(1.0 + 0.5 * o->x), top = 2.0 * law->sigma0 * h * (1.0 + r);
    if (!(o->x * o->s > top)) {
        return;
    }
    o->s = top / o->x;
    o->s_x = (0.5 * law->sigma0 * h / r - o->s) / o->x;
    o->s_sigma0 = o->s / law->sigma0;
    o->s_h = o->s / h;
    o->s_sigma1 = o->s_v_d = o->s_less = 0.0;
    memset(o->s_v, 0, sizeof o->s_v);
}

static void damping_of_one(const br_contact* c, const kernel_law* law, const gradient_pass* in,
                           one* o)
{
    const int fades = law->per_d2 > 0.0;
    const double less = fades ? o->motion.less.v : 0.0, e = 1.0 - less;
    o->s = law->sigma1 * e;
    o->s_sigma1 = e;
    for (int i = 0; fades && i < 3; i++) {
        o->s_v[i] = -law->sigma1 * o->motion.less.d[i];
    }
    o->s_less = fades ? -law->sigma1 : 0.0;
    // e_vd = 2 e (1 - e)/v_d
    o->s_v_d = fades ? 2.0 * law->sigma1 * e * less / c->def.law.v_damping : 0.0;
    if (in->limited && c->def.guard) {
        limit_damping(law, in->h, o);
    }
}

static one one_of(const br_contact* c, const kernel_law* law, const gradient_pass* in)
{
    const br_twist at = {in->at[0], in->at[1], in->at[2]};
    one o = {.motion = bri_reduced_motion(c, at), .n = reduced_speed(c, at)};
    const kernel_motion* m = &o.motion;
    const double k = law->sigma0 * m->rho.v / m->g.v;
    reduced_zeta(c, in->z0, o.zeta0);
    for (int j = 0; j < 3; j++) {
        o.t[j] = o.zeta0[j] + in->h * m->y[j].v;
    }
    if (law->plastic) {
        double zeta1[3];
        reduced_zeta(c, in->z1, zeta1);
        plastic_decay(law, in, zeta1, &o);
    } else {
        o.x = in->h * k * m->vn.v;
        o.x_h = k * m->vn.v;
        o.x_vn = in->h * k;
        o.x_k = in->h * m->vn.v;
        o.kink = o.x <= at_rest && vec3_norm(o.t) > 0.0;
    }
    o.x_g = -o.x_k * k / m->g.v;
    for (int i = 0; i < 3; i++) {
        o.x_v[i] = o.x_vn * m->vn.d[i] + o.x_k * k / m->rho.v * m->rho.d[i] + o.x_g * m->g.d[i];
        for (int j = 0; j < 3; j++) {
            o.x_v[i] += o.x_y[j] * m->y[j].d[i];
        }
        o.zeta1[i] = o.t[i] / (1.0 + o.x);
    }
    damping_of_one(c, law, in, &o);
    return o;
}

_Static_assert(sizeof(one) <= GRADIENT_MEMO * sizeof(double), "must fit the memo");

// That of `begin`, or a new one.
static one one_again(const br_contact* c, const kernel_law* law, const gradient_pass* in)
{
    if (!in->memo) {
        return one_of(c, law, in);
    }
    one o;
    memcpy(&o, in->memo, sizeof o);
    return o;
}

// S, and z over zeta
static void sizes_of(const br_contact* c, double size[3], double stored[3])
{
    const double s[3] = {1.0, 1.0, c->value.r}, z[3] = {1.0, 1.0, c->look.per_turn * c->look.r};
    memcpy(size, s, sizeof s);
    memcpy(stored, z, sizeof z);
}

static double zeta_per_z(const br_contact* c, int i)
{
    return i < 2 ? 1.0 : c->look.turn * c->look.per_r;
}

// How the third state grows with lengths: z_tau, or the angle z_tau/u of a patch that follows the force.
static double state_power(const br_contact* c)
{
    return c->look.turn == 1.0 ? 1.0 : -1.0;
}

// Bristles that move by y from zeta0 to zeta1, with damping s and decay x: adjoints.
typedef struct one_back {
    double tb[3], lb[3], xb, sb;
} one_back;

static one_back back_of(const kernel_law* law, const gradient_pass* in, const double size[3],
                        const double stored[3], const double zeta0[3], const double zeta1[3],
                        double x, double s)
{
    one_back r = {.xb = 0.0};
    for (int j = 0; j < 3; j++) {
        const double zb = in->zb ? in->zb[j] * stored[j] : 0.0;
        r.lb[j] = size[j] * in->Fb[j];
        r.tb[j] = (zb + (law->sigma0 + s / in->h) * r.lb[j]) / (1.0 + x);
        r.xb -= r.tb[j] * zeta1[j];
        r.sb += r.lb[j] * (zeta1[j] - zeta0[j]) / in->h;
    }
    return r;
}

static double viscous_of(const br_contact* c, const kernel_law* law, int i)
{
    return law->sigma2 * (i == 2 ? c->value.u : 1.0);
}

void bri_gradient_reduced_begin(const br_contact* c, const kernel_law* law, const gradient_pass* in,
                                gradient_tangent* out)
{
    const one o = one_of(c, law, in);
    const double h = in->h;
    if (in->memo) {
        memcpy(in->memo, &o, sizeof o);
    }
    double size[3], stored[3], x_by[3], s_by[3];
    sizes_of(c, size, stored);
    one_back r = back_of(law, in, size, stored, o.zeta0, o.zeta1, o.x, o.s);
    r.xb += r.sb * o.s_x;
    out->heat = 0.0;
    for (int i = 0; i < 3; i++) {
        x_by[i] = o.x_v[i];
        for (int j = 0; j < 3; j++) {
            x_by[i] += h * o.x_t[j] * o.motion.y[j].d[i];
        }
        s_by[i] = o.s_v[i] + o.s_x * x_by[i];
        out->vb[i] = viscous_of(c, law, i) * in->Fb[i] + r.xb * o.x_v[i] + r.sb * o.s_v[i];
        for (int j = 0; j < 3; j++) {
            out->vb[i] += h * (r.tb[j] + r.xb * o.x_t[j]) * o.motion.y[j].d[i];
        }
    }
    for (int i = 0; i < 3; i++) {
        const double zd = (o.zeta1[i] - o.zeta0[i]) / h, pull = o.x / h * o.zeta1[i];
        const double l = law->sigma0 * o.zeta1[i] + o.s * zd, v = viscous_of(c, law, i) * in->v[i];
        const double stiff = (law->sigma0 + o.s / h) / (1.0 + o.x);
        out->F[i] = size[i] * l + v;
        out->heat += law->sigma0 * (pull * o.zeta1[i] + 0.5 * h * zd * zd) + o.s * zd * (zd + pull);
        out->heat += v * in->v[i] - l * (o.motion.y[i].v - size[i] * in->v[i]);
        for (int j = 0; j < 3; j++) {
            const double slope = stiff * (h * o.motion.y[i].d[j] - o.zeta1[i] * x_by[j]);
            out->F_v[i][j] = size[i] * (slope + zd * s_by[j]) + (i == j) * viscous_of(c, law, i);
        }
    }
    out->kinks = o.kink;
}

// g and its derivatives at the speed n; a table has no gamma.
static strength_slopes strength_slopes_of(const kernel_law* law, double n)
{
    if (!law->curve) {
        return strength_by(law->mu_c, law->mu_c + law->drop, law->v_stribeck, law->gamma,
                           law->gamma == 2.0, n);
    }
    double slope;
    const double e = bri_curve_share(law->curve, n / law->v_stribeck, &slope);
    const double g_n = n > 0.0 ? law->drop * slope / law->v_stribeck : 0.0;
    return (strength_slopes){.g = stribeck_strength(law->mu_c, law->drop, e),
                             .mu_c = 1.0 - e,
                             .mu_s = e,
                             .v_s = -g_n * n / law->v_stribeck,
                             .n = g_n};
}

// From adjoints of x and s to the law and h.
static void add_laws(const kernel_law* law, const one* o, double xb, double sb, gradient_sums* out)
{
    const strength_slopes g = strength_slopes_of(law, o->n);
    const double gb = xb * o->x_g;
    out->law[BR_BY_MU_C] += gb * g.mu_c;
    out->law[BR_BY_MU_S] += gb * g.mu_s;
    out->law[BR_BY_V_S] += gb * g.v_s;
    out->law[BR_BY_GAMMA] += gb * g.gamma;
    out->law[BR_BY_SIGMA0] += sb * o->s_sigma0 - gb * o->motion.g.v / law->sigma0;
    out->law[BR_BY_SIGMA1] += sb * o->s_sigma1;
    out->law[BR_BY_S_BA] += xb * o->x_sba;
    out->law[BR_BY_V_DAMPING] += sb * o->s_v_d;
    out->h += xb * o->x_h + sb * o->s_h;
}

// From adjoints of the end itself, with y as it moved the bristles and w the spin.
static void add_end(const br_contact* c, const kernel_law* law, const gradient_pass* in,
                    const double zeta0[3], const double zeta1[3], const double y[3], double s,
                    const one_back* r, const double tb[3], gradient_sums* out)
{
    const double h = in->h, w = in->v[2], power = state_power(c);
    for (int j = 0; j < 3; j++) {
        out->law[BR_BY_SIGMA0] += r->lb[j] * zeta1[j];
        out->law[BR_BY_SIGMA2] += in->Fb[j] * (j == 2 ? c->value.u : 1.0) * in->v[j];
        out->h += tb[j] * y[j];
    }
    out->h -= s / h * r->sb;
    // F_3 = r l_3 + sigma2 u w, u with the square of lengths; the third state
    const double l = law->sigma0 * zeta1[2] + s * (zeta1[2] - zeta0[2]) / h;
    out->length += in->Fb[2] * (c->value.r * l + 2.0 * viscous_of(c, law, 2) * w);
    out->length += power * ((in->zb ? in->zb[2] * c->look.per_turn * c->look.r * zeta1[2] : 0.0) -
                            (tb[2] - s / h * r->lb[2]) * zeta0[2]);
}

void bri_gradient_reduced_end(const br_contact* c, const kernel_law* law, const gradient_pass* in,
                              double* z0b, int laws, gradient_sums* out)
{
    const one o = one_again(c, law, in);
    double size[3], stored[3], tb[3], spin = 0.0;
    sizes_of(c, size, stored);
    one_back r = back_of(law, in, size, stored, o.zeta0, o.zeta1, o.x, o.s);
    const double y[3] = {o.motion.y[0].v, o.motion.y[1].v, o.motion.y[2].v};
    r.xb += r.sb * o.s_x;
    for (int j = 0; j < 3; j++) {
        tb[j] = r.tb[j] + r.xb * o.x_t[j];
        spin += in->h * tb[j] * o.motion.y[j].d[2];
    }
    if (laws) {
        spin += r.xb * o.x_v[2] + r.sb * o.s_v[2];
        out->length += in->at[2] * spin; // the motion depends on r w
        add_laws(law, &o, r.xb, r.sb, out);
        add_end(c, law, in, o.zeta0, o.zeta1, y, o.s, &r, tb, out);
    }
    for (int j = 0; z0b && j < 3; j++) {
        z0b[j] = zeta_per_z(c, j) * (tb[j] - o.s / in->h * r.lb[j]);
    }
}

// --- forwards --------------------------------------------------------------------------------------------------------

// How a patch that follows the normal force changes the numbers of its bundle, along a direction.
typedef struct patch_onward {
    double y[3], x, s; // of the motion; of x and s at constant y and t
    double r, u, zeta; // of r and u; of zeta over z, relative
} patch_onward;

// The contact at a force nearby, with its law.
static kernel_motion motion_near(const br_contact* near, const br_contact* c, br_twist at)
{
    br_contact copy = *near;
    copy.def.law = c->def.law;
    copy.law = c->law;
    return bri_reduced_motion(&copy, at);
}

static patch_onward patch_onward_of(const br_contact* c, const kernel_law* law,
                                    const gradient_pass* in, const gradient_direction* d,
                                    const one* o)
{
    patch_onward p = {.x = 0.0};
    if (!d->slopes) {
        return p;
    }
    const br_contact_slopes* slopes = d->slopes;
    const br_twist at = {in->at[0], in->at[1], in->at[2]};
    const kernel_motion more = motion_near(slopes->more, c, at),
                        less = motion_near(slopes->less, c, at), *m = &o->motion;
    const double per = slopes->per * d->fn, k = law->sigma0 * m->rho.v / m->g.v;
    for (int j = 0; j < 3; j++) {
        p.y[j] = per * (more.y[j].v - less.y[j].v);
    }
    p.x = o->x_vn * per * (more.vn.v - less.vn.v) + o->x_g * per * (more.g.v - less.g.v) +
          o->x_k * k / m->rho.v * per * (more.rho.v - less.rho.v);
    p.s = o->s_less * per * (more.less.v - less.less.v);
    p.r = d->fn * slopes->value.r;
    p.u = d->fn * slopes->value.u;
    const int is_angle = c->look.turn != 1.0; // zeta = z u/r, else z/r
    p.zeta = (is_angle ? p.u * c->look.per_turn : 0.0) - p.r * c->look.per_r;
    return p;
}

static void decays_onward(const kernel_law* law, const one* o, const gradient_direction* d,
                          const patch_onward* p, const double v[3], const double t[3], double* x,
                          double* s)
{
    const strength_slopes g = strength_slopes_of(law, o->n);
    const double* by = d->law;
    *x = o->x_g * (g.mu_c * by[BR_BY_MU_C] + g.mu_s * by[BR_BY_MU_S] + g.v_s * by[BR_BY_V_S] +
                   g.gamma * by[BR_BY_GAMMA] - o->motion.g.v / law->sigma0 * by[BR_BY_SIGMA0]);
    *x += o->x_sba * by[BR_BY_S_BA] + o->x_h * d->h + p->x + vec3_dot(o->x_y, p->y);
    *s = o->s_sigma0 * by[BR_BY_SIGMA0] + o->s_sigma1 * by[BR_BY_SIGMA1] +
         o->s_v_d * by[BR_BY_V_DAMPING] + o->s_h * d->h + p->s;
    for (int i = 0; i < 3; i++) {
        *x += o->x_v[i] * v[i] + o->x_t[i] * t[i];
        *s += o->s_v[i] * v[i];
    }
    *s += o->s_x * *x;
}

static void start_onward(const br_contact* c, const one* o, const gradient_direction* d,
                         const patch_onward* p, double zeta0[3])
{
    for (int i = 0; i < 3; i++) {
        zeta0[i] = d->z0 ? zeta_per_z(c, i) * d->z0[i] : 0.0;
    }
    zeta0[2] += (p->zeta - state_power(c) * d->length) * o->zeta0[2];
}

// The end, from directions of t, x, s, zeta0 and of the twist.
static void end_onward(const br_contact* c, const kernel_law* law, const gradient_pass* in,
                       const gradient_direction* d, const one* o, const patch_onward* p,
                       const double zeta1[3], const double t[3], double x, double s,
                       const double zeta0[3], double* z1_dot, double F_dot[3])
{
    const double h = in->h, *by = d->law;
    double size[3], stored[3];
    sizes_of(c, size, stored);
    for (int i = 0; i < 3; i++) {
        const double end = (t[i] - zeta1[i] * x) / (1.0 + o->x), moved = zeta1[i] - o->zeta0[i];
        const double u = i == 2 ? c->value.u : 1.0;
        const double l = law->sigma0 * end + o->s / h * (end - zeta0[i]) +
                         by[BR_BY_SIGMA0] * zeta1[i] + moved / h * (s - o->s / h * d->h);
        F_dot[i] = size[i] * l + law->sigma2 * u * d->v[i] + by[BR_BY_SIGMA2] * u * in->v[i];
        if (i == 2) {
            const double whole = law->sigma0 * zeta1[2] + o->s / h * moved;
            F_dot[2] += d->length * (size[2] * whole + 2.0 * law->sigma2 * u * in->v[2]);
            F_dot[2] += p->r * whole + law->sigma2 * p->u * in->v[2];
        }
        const double grows = i == 2 ? (state_power(c) * d->length - p->zeta) * zeta1[2] : 0.0;
        if (z1_dot) {
            z1_dot[i] = stored[i] * (end + grows);
        }
        if (d->inner && in->zb) {
            *d->inner += in->zb[i] * stored[i] * (end + grows);
        }
    }
}

void bri_gradient_reduced_forward(const br_contact* c, const kernel_law* law,
                                  const gradient_pass* in, const gradient_direction* d,
                                  double* z1_dot, double F_dot[3])
{
    const one o = one_again(c, law, in);
    const double v[3] = {d->v[0], d->v[1], d->v[2] + d->length * in->at[2]};
    const patch_onward p = patch_onward_of(c, law, in, d, &o);
    double zeta0[3], t[3], x, s;
    start_onward(c, &o, d, &p, zeta0);
    for (int j = 0; j < 3; j++) {
        t[j] = zeta0[j] + d->h * o.motion.y[j].v + in->h * p.y[j];
        for (int i = 0; i < 3; i++) {
            t[j] += in->h * o.motion.y[j].d[i] * v[i];
        }
    }
    decays_onward(law, &o, d, &p, v, t, &x, &s);
    end_onward(c, law, in, d, &o, &p, o.zeta1, t, x, s, zeta0, z1_dot, F_dot);
}

// --- the end with decays of another twist: memory of x, s, delta (3) ---------------------------------------------------

enum { DECAY_X, DECAY_S, DECAY_DELTA };

// The bristles that move by y = S v + delta.
typedef struct one_closing {
    one at;
    double size[3], stored[3], y[3], zeta1[3];
} one_closing;

// `at`: as one_of() or one_again() gives it
static one_closing closing_of(const br_contact* c, const gradient_pass* in, const one* at)
{
    one_closing k = {.at = *at};
    sizes_of(c, k.size, k.stored);
    for (int j = 0; j < 3; j++) {
        const double delta = c->surface ? k.at.motion.y[j].v - k.size[j] * in->at[j] : 0.0;
        k.y[j] = k.size[j] * in->v[j] + delta;
        k.zeta1[j] = (k.at.zeta0[j] + in->h * k.y[j]) / (1.0 + k.at.x);
    }
    return k;
}

void bri_gradient_reduced_close_begin(const br_contact* c, const kernel_law* law,
                                      const gradient_pass* in, gradient_tangent* out)
{
    const one at = one_of(c, law, in);
    const one_closing k = closing_of(c, in, &at);
    const one* o = &k.at;
    if (in->memo) {
        memcpy(in->memo, &at, sizeof at);
    }
    const one_back r = back_of(law, in, k.size, k.stored, o->zeta0, k.zeta1, o->x, o->s);
    memset(out, 0, sizeof *out);
    for (int i = 0; i < 3; i++) {
        const double viscous = viscous_of(c, law, i), zd = (k.zeta1[i] - o->zeta0[i]) / in->h;
        const double stiff = (law->sigma0 * in->h + o->s) / (1.0 + o->x);
        out->F[i] = k.size[i] * (law->sigma0 * k.zeta1[i] + o->s * zd) + viscous * in->v[i];
        out->F_v[i][i] = k.size[i] * k.size[i] * stiff + viscous;
        out->vb[i] = viscous * in->Fb[i] + in->h * r.tb[i] * k.size[i];
    }
    out->kinks = o->kink;
}

void bri_gradient_reduced_close_end(const br_contact* c, const kernel_law* law,
                                    const gradient_pass* in, double* z0b, double* decays,
                                    gradient_sums* out)
{
    const one at = one_again(c, law, in);
    const one_closing k = closing_of(c, in, &at);
    const one* o = &k.at;
    const one_back r = back_of(law, in, k.size, k.stored, o->zeta0, k.zeta1, o->x, o->s);
    add_end(c, law, in, o->zeta0, k.zeta1, k.y, o->s, &r, r.tb, out);
    out->length += in->h * r.tb[2] * k.size[2] * in->v[2];
    decays[DECAY_X] = r.xb;
    decays[DECAY_S] = r.sb;
    for (int j = 0; j < 3; j++) {
        decays[DECAY_DELTA + j] = c->surface ? in->h * r.tb[j] : 0.0;
        z0b[j] = zeta_per_z(c, j) * (r.tb[j] - o->s / in->h * r.lb[j]);
    }
}

void bri_gradient_reduced_decays(const br_contact* c, const kernel_law* law,
                                 const gradient_pass* in, const double* decays, double vb[3],
                                 double* z0b, gradient_sums* out)
{
    const one o = one_again(c, law, in);
    const double sb = decays[DECAY_S], xb = decays[DECAY_X] + sb * o.s_x;
    const double* by_delta = decays + DECAY_DELTA;
    double size[3], stored[3];
    sizes_of(c, size, stored);
    for (int i = 0; i < 3; i++) {
        vb[i] = xb * o.x_v[i] + sb * o.s_v[i] - by_delta[i] * size[i];
        for (int j = 0; j < 3; j++) {
            vb[i] += (in->h * xb * o.x_t[j] + by_delta[j]) * o.motion.y[j].d[i];
        }
        z0b[i] += zeta_per_z(c, i) * xb * o.x_t[i];
        out->h += xb * o.x_t[i] * o.motion.y[i].v;
    }
    out->length += in->at[2] * vb[2] - state_power(c) * xb * o.x_t[2] * o.zeta0[2];
    add_laws(law, &o, xb, sb, out);
}

void bri_gradient_reduced_decays_forward(const br_contact* c, const kernel_law* law,
                                         const gradient_pass* in, const gradient_direction* d,
                                         double* decays)
{
    const one o = one_of(c, law, in);
    const double v[3] = {d->v[0], d->v[1], d->v[2] + d->length * in->at[2]};
    const patch_onward p = patch_onward_of(c, law, in, d, &o);
    double zeta0[3], t[3], size[3], stored[3];
    sizes_of(c, size, stored);
    start_onward(c, &o, d, &p, zeta0);
    for (int j = 0; j < 3; j++) {
        double y = p.y[j];
        for (int i = 0; i < 3; i++) {
            y += o.motion.y[j].d[i] * v[i];
        }
        t[j] = zeta0[j] + d->h * o.motion.y[j].v + in->h * y;
        const double along = size[j] * v[j] + (j == 2 ? p.r * in->at[2] : 0.0);
        decays[DECAY_DELTA + j] = c->surface ? y - along : 0.0;
    }
    decays_onward(law, &o, d, &p, v, t, &decays[DECAY_X], &decays[DECAY_S]);
}

void bri_gradient_reduced_close_forward(const br_contact* c, const kernel_law* law,
                                        const gradient_pass* in, const gradient_direction* d,
                                        const double* decays, double* z1_dot, double F_dot[3])
{
    const one at = one_again(c, law, in);
    const one_closing k = closing_of(c, in, &at);
    const double v[3] = {d->v[0], d->v[1], d->v[2] + d->length * in->v[2]};
    const patch_onward p = patch_onward_of(c, law, in, d, &k.at);
    double zeta0[3], t[3];
    start_onward(c, &k.at, d, &p, zeta0);
    for (int j = 0; j < 3; j++) {
        t[j] = zeta0[j] + d->h * k.y[j] + in->h * (k.size[j] * v[j] + decays[DECAY_DELTA + j]);
        t[j] += j == 2 ? in->h * p.r * in->v[2] : 0.0;
    }
    end_onward(c, law, in, d, &k.at, &p, k.zeta1, t, decays[DECAY_X], decays[DECAY_S], zeta0,
               z1_dot, F_dot);
}
