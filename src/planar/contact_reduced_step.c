/*
 * Reduced planar friction: steps of any size with the twist held.
 *
 * Implicit Euler in zeta = S^-1 z, everything nonlinear in one decay kappa >= 0. With
 * y = -h |v_S|, the velocity that the bristles feel (h below is the step),
 *
 *   zeta1 = (zeta0 + h y)/(1 + h kappa),   kappa = beta sigma0 |v_S|/g
 *   f     = -fn (S ((sigma0 + sigma1/h) zeta1 - sigma1/h zeta0) + sigma2 U v)
 *
 * zeta1 is parallel to t = zeta0 + h y, so that only its length is unknown. With q = |zeta1|/z_max,
 * T = |t|/z_max, z_max = |h| g/sigma0 and A = h sigma0 |v_S| (1 + y^.t^)/(2 g):
 *
 *   q (1 + A alpha(q)) = T
 *
 * Two things can give energy back that nobody put in: sigma1 while the bristles relax from beyond
 * z_max, and y, which is not S v unless the surface is an ellipsoid. The guard limits sigma1, then
 * shortens the bristles.
 */
#include "planar/contact_reduced.h"

#include "law/law_internal.h"

// What a step does.
typedef struct stretch {
    double before[3], after[3]; // zeta0, zeta1
    double decay;               // h kappa
} stretch;

// h kappa of elasto-plastic bristles that would come to t without plastic flow
static double plastic_decay(const br_law* law, const double t[3], const double surface[3], double g,
                            double full)
{
    const double t_norm = vec3_norm(t), h_norm = vec3_norm(surface);
    if (t_norm == 0.0 || h_norm == 0.0) {
        return 0.0;
    }
    const double cosine = fmax(-vec3_dot(surface, t) / (t_norm * h_norm), -1.0);
    const double A = 0.5 * full * (1.0 + cosine);
    const double T = law->sigma0 * t_norm / (h_norm * g);
    if (T <= law->s_ba || A == 0.0) {
        return 0.0;
    }
    return T >= 1.0 + A ? A : T / bri_plastic_root(A, T, law->s_ba) - 1.0;
}

// The bristles after a step
static stretch stretch_of(const br_contact* m, const double z[3], br_twist v, double h)
{
    const br_law* law = &m->def.law;
    const double speed = reduced_speed(m, v), g = br_law_g(law, speed);
    const double full = h * law->sigma0 * speed / g; // h kappa where beta = 1
    double surface[3], t[3];
    stretch out;
    bri_reduced_surface(m, v, surface);
    reduced_zeta(m, z, out.before);
    for (int i = 0; i < 3; i++) {
        t[i] = out.before[i] - h * surface[i] * speed;
    }
    out.decay = law->kind == BR_LAW_LUGRE ? full : plastic_decay(law, t, surface, g, full);
    for (int i = 0; i < 3; i++) {
        out.after[i] = t[i] / (1.0 + out.decay);
    }
    return out;
}

// f = -fn (S (sigma0 zeta1 + sigma1 (zeta1 - zeta0)/h) + sigma2 U v)                          (26)
static br_wrench mean_wrench(const br_contact* m, const stretch* step, double sigma1, br_twist v,
                             double fn, double h)
{
    const br_law* law = &m->def.law;
    double l[3];
    for (int i = 0; i < 3; i++) {
        const double rate = (step->after[i] - step->before[i]) / h;
        l[i] = law->sigma0 * step->after[i] + sigma1 * rate;
    }
    const double torque = m->value.r * l[2] + law->sigma2 * m->value.u * v.w;
    return (br_wrench){-fn * (l[0] + law->sigma2 * v.vx), -fn * (l[1] + law->sigma2 * v.vy),
                       -fn * torque};
}

// W = fn sigma0 |zeta|^2/2
static double stored(const br_law* law, const double zeta[3], double fn)
{
    return 0.5 * fn * law->sigma0 * vec3_dot(zeta, zeta);
}

static br_step_energy balance(const br_contact* m, const stretch* step, br_wrench f, br_twist v,
                              double fn, double h)
{
    br_step_energy e = {.stored = stored(&m->def.law, step->after, fn),
                        .work = -h * (f.fx * v.vx + f.fy * v.vy + f.tau * v.w)};
    e.dissipated = e.work - (e.stored - stored(&m->def.law, step->before, fn));
    return e;
}

// The largest sigma1 that cannot give energy back, (2 sigma0/kappa) (1 + sqrt(1 + kappa h/2))
static double passive_sigma1(const br_law* law, double decay, double h)
{
    const double limit = 2.0 * law->sigma0 * h / decay * (1.0 + sqrt(1.0 + 0.5 * decay));
    return decay > 0.0 ? fmin(law->sigma1, limit) : law->sigma1;
}

// Pay a debt from what is stored: zeta1 sqrt(1 + D/W1).
static void pay(stretch* step, br_step_energy* e)
{
    const double rest = fmax(e->stored + e->dissipated, 0.0);
    const double scale = e->stored > 0.0 ? sqrt(rest / e->stored) : 0.0;
    for (int i = 0; i < 3; i++) {
        step->after[i] *= scale;
    }
    e->dissipated += e->stored - rest;
    e->stored = rest;
}

// Step with guard; the wrench is the one before the debt is paid.
static br_wrench guarded(const br_contact* m, stretch* step, br_twist v, double fn, double h,
                         br_step_energy* e)
{
    br_wrench f = mean_wrench(m, step, m->def.law.sigma1, v, fn, h);
    *e = balance(m, step, f, v, fn, h);
    if (m->def.guard && e->dissipated < 0.0) {
        f = mean_wrench(m, step, passive_sigma1(&m->def.law, step->decay, h), v, fn, h);
        *e = balance(m, step, f, v, fn, h);
    }
    if (m->def.guard && e->dissipated < 0.0) {
        pay(step, e);
    }
    return f;
}

br_wrench bri_reduced_hold(const br_contact* m, double* z, br_twist v, double fn, double h,
                           br_step_energy* energy)
{
    br_step_energy e;
    stretch step = stretch_of(m, z, v, h);
    const br_wrench f = guarded(m, &step, v, fn, h, &e);
    reduced_z(m, step.after, z);
    if (energy) {
        *energy = e;
    }
    return f;
}
