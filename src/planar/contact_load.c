/*
 * Does a contact stick, how fast does it slip, and how near is it to slipping?
 *
 * A contact is a sum of parts with the weight w of the normal force: cells, blocks, or the one of a
 * reduced contact. A part that moves with V has a speed |V| and slides with the force g = g(|V|); its
 * bristles z, with q = sigma0 |z|/g, decay by beta(z, V). Per normal force:
 *
 *   D      = sum w g |V|                 power where all parts slide
 *   resist = sum w sigma0 z.V            over D: 1 sliding, < 0 where the bristles push the body back
 *   slip   = sum w beta q^2 |V|          the slip rate: power lost in the bristles' decay,
 *                                        sigma0 z.(V - dz), over g, part by part
 *
 * A block has the mean speed (|v_b|^2 + t w^2/f)/s for |V| and |z|^2 + f zeta^2/t for |z|^2; a reduced
 * contact -h.v_S for |V| and q = sigma0 |zeta|/(|h| g). So steady sliding has resist = D and slips at
 * its own speed, whatever the method.
 *
 * The load is the gauge of the bristles' wrench f = sum w sigma0 B^T z, max f.n/D(n) over all twists n,
 * with each part's g as it is. n <- H(n)^-1 f, H(n) = sum w g B^T B/|B n|, D(n) = n.H(n) n, climbs to it
 * for sums of cells (Weiszfeld's iteration for the least D along f).
 */
#include "planar/contact_reduced.h"

#include "limit/limit_internal.h"
#include "math/mat3.h"

// Where slip begins: the bristles resist the motion with nearly all they can, and nearly all of the
// motion is plastic. It ends where they do not resist any more: a contact comes to rest when its
// bristles, stretched as far as they go, pull the body back.
static const double begin_resist = 0.99;
static const double begin_plastic = 0.9;

// Rounds towards the gauge, and the gain of one that is not worth another.
enum { GAUGE_ROUNDS = 30 };
static const double gauge_gain = 1e-4;

// A round goes beyond H(n)^-1 f, which falls short of the top; below 2 it climbs still (Ostresh, 1978).
static const double over_step = 1.5;

// Rates and wrench, and the sums that tell how it slips.
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
                                     br_contact_state before, double* dz)
{
    BR_ASSERT(c && z && z != dz);
    kernel_load sum;
    const br_wrench f = eval_with_load(c, z, v, fn, dz, &sum);
    if (fn <= 0.0) {
        return (br_contact_slip){.state = BR_OPEN, .margin = -1.0, .f = f};
    }
    const double resist = sum.most == 0.0 ? 0.0 : sum.resist / sum.most;
    const double plastic = sum.speed == 0.0 ? 0.0 : sum.slip / sum.speed;
    const double margin =
        before == BR_SLIP ? resist : fmin(resist - begin_resist, plastic - begin_plastic);
    return (br_contact_slip){.slip_rate = sum.slip,
                             .state = margin > 0.0 ? BR_SLIP : BR_STICK,
                             .margin = margin,
                             .f = f};
}

// --- the gauge --------------------------------------------------------------------------------------------

// Parts that a twist of the size 1 moves more slowly than this count as if it moved them so fast.
static const double least_speed = 1e-9;

// A twist of the size 1 along n, of the mean square speed 1; D(n) is in proportion to n.
static vector3 unit_twist(const br_contact* c, vector3 n)
{
    const double size = hypot(hypot(n.at[0], n.at[1]), sqrt(c->value.u) * n.at[2]);
    const double per = size > 0.0 ? 1.0 / size : 1.0;
    return (vector3){{per * n.at[0], per * n.at[1], per * n.at[2]}};
}

// H(n) of a twist of the size 1, for parts that slide with the g of their motion v.
static mat3 form_at(const br_contact* c, const double v[3], vector3 n)
{
    mat3 sum;
    c->kernel->form(&c->parts, &c->law, v, n.at, least_speed, sum.at);
    sum.at[2][2] += c->value.u == 0.0; // a point has no torque; any number leaves its spin 0
    return sum;
}

// f.n/D(n), of all that slide along n; `n` becomes of the size 1, `form` H(n).
static double bound_along(const br_contact* c, const double v[3], vector3 f, vector3* n, mat3* form)
{
    *n = unit_twist(c, *n);
    *form = form_at(c, v, *n);
    return vector3_dot(f, *n) / vector3_dot(*n, mat3_apply(form, *n));
}

// The bound along the motion itself. Sliding takes the power D(v) >= mu_c |v| of f; half of that is far from it.
static double bound_of_motion(const br_contact* c, const double v[3], vector3 f)
{
    vector3 n = {{v[0], v[1], v[2]}};
    mat3 form;
    if (vector3_dot(f, n) < 0.5 * c->def.law.mu_c * hypot(v[0], v[1])) {
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

    // where all slide along v nothing is larger; else begin where all bristles are stretched alike
    double best = bound_of_motion(c, v.at, f), last = 0.0;
    vector3 n = {{f.at[0], f.at[1], u > 0.0 ? f.at[2] / u : 0.0}};
    if (vector3_dot(n, n) == 0.0) {
        return 0.0;
    }
    for (int round = 0; round < GAUGE_ROUNDS && !(best >= 1.0 - gauge_gain); round++) {
        mat3 form;
        const double bound = bound_along(c, v.at, f, &n, &form);
        const int gains = bound > last * (1.0 + gauge_gain) && bound < HUGE_VAL;
        best = bound < best ? best : bound; // what is not a number shows
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

// The gauge of the surface; of the ellipsoid, and of a point, |zeta| sigma0/g.
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
    const double most = -vec3_dot(h, vs), sliding = per_g * vec3_dot(zeta, vs);
    if (most > 0.0 && sliding >= (1.0 - gauge_gain) * most) {
        return 1.0; // it slides along v: nothing is larger
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
    const double share =
        contact_is_reduced(c) ? reduced_gauge(c, z, v) : parts_gauge(c, z, contact_enter(c, v));
    return share >= 1.0 - gauge_gain ? 1.0 : share;
}
