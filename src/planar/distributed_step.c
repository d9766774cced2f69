/*
 * Steps of the distributed model with the twist held, of any size.
 *
 * Implicit Euler in each bristle, with everything nonlinear in one number, the decay kappa >= 0:
 *
 *   z1 = (z0 + h v)/(1 + h kappa),   kappa = beta(z1, v) sigma0 |v|/g                            (15)
 *   l  = (sigma0 z1 + sigma1 zd + sigma2 v) p,   zd = (z1 - z0)/h                                 (9)
 *
 * z1 is parallel to t = z0 + h v, so only its length is unknown. Of the energy of a cell over h p,
 *
 *   sigma0 kappa |z1|^2 + sigma1 (|zd|^2 + kappa z1.zd) + sigma0 h |zd|^2/2 + sigma2 |v|^2,
 *
 * only the term z1.zd can be negative; sigma1 <= (2 sigma0/kappa)(1 + sqrt(1 + kappa h/2)) keeps the
 * sum from it. Numbers in brackets are W&K's equations.
 */
#include "planar/distributed_internal.h"

#include "law/law_internal.h"

// One cell over the step.
typedef struct cell_step {
    br_vec2 z1, zd, v;
    double kappa; // [1/s]
} cell_step;

// h kappa of a cell, from where the bristle would be without decay.
static double decay_of(const br_law* law, br_vec2 t, br_vec2 v, double h)
{
    const double speed = br_vec2_norm(v), g = br_law_g(law, speed);
    const double whole = h * law->sigma0 * speed / g; // beta = 1
    if (law->kind == BR_LAW_LUGRE) {
        return whole;
    }
    // q (1 + A alpha(q)) = T,   A = h sigma0 (|v| + v.t^)/(2 g)                         (16)-(18)
    const double length = br_vec2_norm(t), T = length * law->sigma0 / g;
    const double both = speed * length; // may underflow
    const double cosine = both > 0.0 ? br_vec2_dot(v, t) / both : 0.0;
    const double A = 0.5 * whole * (1.0 + cosine);
    if (T <= law->s_ba) {
        return 0.0;
    }
    return T >= 1.0 + A ? A : T / plastic_root(A, T, law->s_ba) - 1.0;
}

static cell_step step_cell(const br_law* law, br_vec2 z0, br_vec2 v, double h)
{
    const br_vec2 t = br_vec2_add(z0, br_vec2_scale(h, v));
    const double decay = decay_of(law, t, v, h);
    const br_vec2 z1 = br_vec2_scale(1.0 / (1.0 + decay), t);
    return (cell_step){z1, br_vec2_scale(1.0 / h, br_vec2_sub(z1, z0)), v, decay / h};
}

// Energy turned into heat in a cell per unit of h p.
static double heat(const br_law* law, const cell_step* c, double sigma1, double h)
{
    const double rate = br_vec2_dot(c->zd, c->zd);
    return law->sigma0 * c->kappa * br_vec2_dot(c->z1, c->z1) +
           sigma1 * (rate + c->kappa * br_vec2_dot(c->z1, c->zd)) + 0.5 * law->sigma0 * h * rate +
           law->sigma2 * br_vec2_dot(c->v, c->v);
}

// Damping that cannot make the heat negative.
static double damping_limit(const br_law* law, double kappa, double h)
{
    const double most = 2.0 * law->sigma0 * (1.0 + sqrt(1.0 + 0.5 * kappa * h));
    return kappa * law->sigma1 > most ? most / kappa : law->sigma1;
}

// The sums over the cells.
typedef struct step_sums {
    br_wrench f;
    double heat, before, after; // per fn: over h, and |z|^2 at both ends
} step_sums;

// Sum over all cells, with sigma1 as it is or limited; writes the new state only if asked to.
static step_sums sum_cells(const br_distributed* m, double* z, br_twist v, double h, int limited,
                           int advance)
{
    const size_t n = m->count;
    step_sums sum = {0};
    for (size_t i = 0; i < n; i++) {
        const double w = m->weight[i];
        const br_vec2 z0 = {z[i], z[n + i]};
        const br_vec2 v_t = {v.vx - v.w * m->y[i], v.vy + v.w * m->x[i]};
        const cell_step c = step_cell(&m->law, z0, v_t, h);
        const double sigma1 = limited ? damping_limit(&m->law, c.kappa, h) : m->law.sigma1;
        const double lx = w * (m->law.sigma0 * c.z1.x + sigma1 * c.zd.x + m->law.sigma2 * v_t.x);
        const double ly = w * (m->law.sigma0 * c.z1.y + sigma1 * c.zd.y + m->law.sigma2 * v_t.y);
        sum.f.fx -= lx;
        sum.f.fy -= ly;
        sum.f.tau -= m->x[i] * ly - m->y[i] * lx;
        sum.heat += w * heat(&m->law, &c, sigma1, h);
        sum.before += w * br_vec2_dot(z0, z0);
        sum.after += w * br_vec2_dot(c.z1, c.z1);
        if (advance) {
            z[i] = w > 0.0 ? c.z1.x : 0.0;
            z[n + i] = w > 0.0 ? c.z1.y : 0.0;
        }
    }
    return sum;
}

static void forget(const br_distributed* m, double* z, br_step_energy* energy)
{
    for (size_t i = 0; i < 2 * m->count; i++) {
        z[i] = 0.0;
    }
    if (energy) {
        *energy = (br_step_energy){0.0, 0.0, 0.0};
    }
}

br_wrench br_distributed_step(const br_distributed* m, double* z, br_twist v, double fn, double h,
                              br_step_energy* energy)
{
    BR_ASSERT(m && z && h > 0.0);
    if (fn <= 0.0) {
        forget(m, z, energy); // costs nothing: what is stored is in proportion to fn
        return (br_wrench){0.0, 0.0, 0.0};
    }
    const br_twist turned = axes_enter(m->axes, v);

    // with the true damping, unless all cells together would give energy back
    const int limited = sum_cells(m, z, turned, h, 0, 0).heat < 0.0;
    const step_sums sum = sum_cells(m, z, turned, h, limited, 1);
    if (energy) {
        const double stiffness = 0.5 * fn * m->law.sigma0;
        energy->stored = stiffness * sum.after;
        energy->dissipated = fn * h * sum.heat;
        energy->work = stiffness * (sum.after - sum.before) + energy->dissipated;
    }
    return axes_leave(m->axes, (br_wrench){fn * sum.f.fx, fn * sum.f.fy, fn * sum.f.tau});
}
