/*
 * Stick or slip of a contact: its state, its slip rate, and its load, how close it is to slipping.
 *
 * A contact is a sum of parts with the share w of the normal force: cells, blocks, or the single one of a
 * reduced contact. A part that moves with V has a speed |V| and slides with the force g = g(|V|); its
 * bristles z, with q = sigma0 |z|/g, decay by beta(z, V). Per normal force:
 *
 *   D      = sum w g |V|                 power if all parts slide
 *   resist = sum w sigma0 z.V            over D: 1 sliding, < 0 where the bristles push the body back
 *   slip   = sum w beta q^2 |V|          the slip rate: power lost in the bristles' decay,
 *                                        sigma0 z.(V - dz), over g, part by part
 *
 * A block has the mean speed (|v_b|^2 + t w^2/f)/s for |V| and |z|^2 + f zeta^2/t for |z|^2; a reduced
 * contact -h.v_S for |V| and q = sigma0 |zeta|/(|h| g). So steady sliding has resist = D and slips at
 * its own speed, whatever the method.
 *
 * The load is the gauge of the bristles' wrench f = sum w sigma0 B^T z, max f.n/D(n) over all twists n,
 * with each part's g as it is. n <- H(n)^-1 f, H(n) = sum w g B^T B/|B n|, D(n) = n.H(n) n, converges
 * to it for sums of cells (Weiszfeld's iteration for the minimum of D along f).
 */
#include "planar/contact_reduced.h"

#include "limit/limit_internal.h"
#include "math/mat3.h"

// Slip starts when the bristles resist the motion with nearly their maximum force, and nearly all of the
// motion is plastic. It ends when they no longer resist: a contact comes to rest when its fully stretched
// bristles pull the body back.
static const double start_resist = 0.99;
static const double start_plastic = 0.9;

// Maximum number of iterations for the gauge, and the relative gain below which they stop.
enum { GAUGE_ROUNDS = 30 };
static const double gauge_gain = 1e-4;

// Over-relaxation: H(n)^-1 f falls short of the maximum; factors below 2 still converge (Ostresh, 1978).
static const double over_step = 1.5;

// Rates and wrench, and the sums for stick and slip.
static br_wrench eval_with_load(const br_contact* c, const double* z, br_twist v, double fn,
                                double* dz, kernel_load* sum)
{
    if (contact_is_reduced(c)) {
        double unused[3];
        return bri_reduced_eval(c, z, &v, fn, dz ? dz : unused, sum);
    }
    double f[3];
    c->kernel->load(&c->parts, &c->law, z, contact_enter(c, v).at, dz, f, sum);
    return contact_wrench(c, f, fn);
}

br_contact_slip br_contact_slip_eval(const br_contact* c, const double* z, br_twist v, double fn,
                                     br_slip_state before, double* dz)
{
    BR_ASSERT(c && z && z != dz);
    kernel_load sum;
    const br_wrench f = eval_with_load(c, z, v, fn, dz, &sum);
    if (fn <= 0.0) {
        return (br_contact_slip){.state = BR_STATE_OPEN, .margin = -1.0, .f = f};
    }
    const double resist = sum.most == 0.0 ? 0.0 : sum.resist / sum.most;
    const double plastic = sum.speed == 0.0 ? 0.0 : sum.slip / sum.speed;
    const double margin =
        before == BR_STATE_SLIP ? resist : fmin(resist - start_resist, plastic - start_plastic);
    // a mean over the friction; three bristles have the field in their law, and the weight 1
    const double per_weight = c->def.field && !contact_is_reduced(c) ? 1.0 / c->parts.one : 1.0;
    return (br_contact_slip){.slip_rate = per_weight * sum.slip,
                             .state = margin > 0.0 ? BR_STATE_SLIP : BR_STATE_STICK,
                             .margin = margin,
                             .f = f};
}

// --- the gauge --------------------------------------------------------------------------------------------

// Parts that a unit twist moves more slowly than this count as moving at this speed.
static const double min_speed = 1e-9;

// The unit twist along n, with a mean square speed of 1; D(n) is proportional to n.
static vector3 unit_twist(const br_contact* c, vector3 n)
{
    const double size = hypot(hypot(n.at[0], n.at[1]), sqrt(c->value.u) * n.at[2]);
    const double per = size > 0.0 ? 1.0 / size : 1.0;
    return (vector3){{per * n.at[0], per * n.at[1], per * n.at[2]}};
}

// H(n) of a unit twist, for parts that slide with the g of their motion v.
static mat3 form_at(const br_contact* c, const double v[3], vector3 n)
{
    mat3 sum;
    c->kernel->form(&c->parts, &c->law, v, n.at, min_speed, sum.at);
    sum.at[2][2] +=
        c->value.u == 0.0; // a point has no torque; any positive number keeps its spin 0
    return sum;
}

// f.n/D(n) if all parts slide along n; makes `n` a unit twist and sets `form` to H(n).
static double bound_along(const br_contact* c, const double v[3], vector3 f, vector3* n, mat3* form)
{
    *n = unit_twist(c, *n);
    *form = form_at(c, v, *n);
    return vector3_dot(f, *n) / vector3_dot(*n, mat3_apply(form, *n));
}

// The bound along the motion itself; 0 if f has less than half of mu_c |v| sum w <= D(v), the power of sliding.
static double bound_of_motion(const br_contact* c, const double v[3], vector3 f)
{
    vector3 n = {{v[0], v[1], v[2]}};
    mat3 form;
    if (vector3_dot(f, n) < 0.5 * c->parts.one * c->def.law.mu_c * hypot(v[0], v[1])) {
        return 0.0;
    }
    const double bound = bound_along(c, v, f, &n, &form);
    return fabs(bound) < HUGE_VAL ? fmax(bound, 0.0) : 0.0; // at rest it has no direction
}

static double parts_gauge(const br_contact* c, const double* z, vector3 v)
{
    const double u = c->value.u, sigma0 = c->def.law.sigma0;
    const br_wrench elastic = bri_contact_elastic(c, z);
    const vector3 f = {{sigma0 * elastic.fx, sigma0 * elastic.fy, sigma0 * elastic.tau}};

    // if all parts slide along v, this is the maximum; else start where all bristles are stretched alike
    double best = bound_of_motion(c, v.at, f), last = 0.0;
    vector3 n = {{f.at[0], f.at[1], u > 0.0 ? f.at[2] / u : 0.0}};
    if (vector3_dot(n, n) == 0.0) {
        return 0.0;
    }
    for (int round = 0; round < GAUGE_ROUNDS && !(best >= 1.0 - gauge_gain); round++) {
        mat3 form;
        const double bound = bound_along(c, v.at, f, &n, &form);
        const int gains = bound > last * (1.0 + gauge_gain) && bound < HUGE_VAL;
        best = bound < best ? best : bound; // NaN propagates
        if (!gains) {
            break;
        }
        last = bound;
        const vector3 to = mat3_solve(form, f);
        for (int i = 0; i < 3; i++) {
            n.at[i] += over_step * (to.at[i] / bound - n.at[i]);
        }
    }
    return best;
}

// The gauge of the surface; for the ellipsoid and for a point |zeta| sigma0/g.
static double reduced_gauge(const br_contact* c, const double* z, br_twist v)
{
    const double per_g = c->def.law.sigma0 / br_law_g(&c->def.law, reduced_speed(c, v));
    const double vs[3] = {v.vx, v.vy, c->value.r * v.w};
    double zeta[3], h[3];
    reduced_zeta(c, z, zeta);
    if (!c->surface || c->value.r == 0.0) {
        return per_g * vec3_norm(zeta);
    }
    bri_reduced_surface(c, v, h);
    const double max = -vec3_dot(h, vs), sliding = per_g * vec3_dot(zeta, vs);
    if (max > 0.0 && sliding >= (1.0 - gauge_gain) * max) {
        return 1.0; // it slides along v: this is the maximum
    }
    const br_wrench carried = {per_g * z[0], per_g * z[1], per_g * c->look.turn * z[2]};
    return bri_limit_gauge_near(c->surface, carried, 0.1 * gauge_gain);
}

double br_contact_load_eval(const br_contact* c, const double* z, br_twist v, double fn)
{
    BR_ASSERT(c && z);
    if (fn <= 0.0) {
        return 0.0;
    }
    if (c->is_stretched && contact_is_reduced(c)) {
        v = map2_enter(c->map, v);
    }
    const double share =
        contact_is_reduced(c) ? reduced_gauge(c, z, v) : parts_gauge(c, z, contact_enter(c, v));
    return share >= 1.0 - gauge_gain ? 1.0 : share;
}
