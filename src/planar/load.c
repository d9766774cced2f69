/*
 * Does a contact stick, how fast does it slip, and how near is it to slipping?
 *
 * A contact is a sum of parts with the weight w of the normal force: cells, blocks, or the one of a
 * reduced model. A part that moves with V has a speed |V| and slides with the force g = g(|V|); its
 * bristles z, with q = sigma0 |z|/g, decay by beta(z, V). Per normal force:
 *
 *   D      = sum w g |V|                 power where all parts slide
 *   resist = sum w sigma0 z.V / D        1 sliding, < 0 where the bristles push the body back
 *   lost   = sum w beta q^2 g |V|        power lost in the bristles' decay, sigma0 z.(V - dz)
 *   slip   = sum w beta q^2 |V|          the slip rate: what is lost over g, part by part
 *
 * A block has the mean speed D_b = (|v_b|^2 + t w^2/f)/s for |V| and |z|^2 + f zeta^2/t for |z|^2 (q^2
 * then times s/D_b); a reduced model -h.v_S for |V| and q = sigma0 |zeta|/(|h| g). So steady sliding
 * has resist = 1 and slips at its own speed, whatever the model.
 *
 * The load is the gauge of the bristles' wrench f = sum w sigma0 B^T z, max f.n/D(n) over all twists n,
 * with each part's g as it is. n <- H(n)^-1 f, H(n) = sum w g B^T B/|B n|, D(n) = n.H(n) n, climbs to it
 * for sums of cells (Weiszfeld's iteration for the least D along f).
 */
#include "planar/blocks_internal.h"
#include "planar/distributed_internal.h"
#include "planar/reduced_internal.h"
#include "planar/step_internal.h"

#include "law/law_internal.h"

// Where slip begins: the bristles resist the motion with nearly all they can, and nearly all of the
// motion is plastic. It ends where they do not resist any more: a contact comes to rest when its
// bristles, stretched as far as they go, pull the body back.
static const double begin_resist = 0.99;
static const double begin_plastic = 0.9;

// Rounds towards the gauge, and the gain of one that is not worth another.
enum { GAUGE_ROUNDS = 30 };
static const double gauge_gain = 1e-4;

// Sums over the parts, per normal force.
typedef struct slip_sums {
    double speed;  // sum w |V| [m/s]
    double most;   // D [m/s]
    double resist; // sum w sigma0 z.V [m/s]
    double slip;   // [m/s]
} slip_sums;

static double square(double x)
{
    return x * x;
}

static slip_sums distributed_slip(const br_distributed* m, const double* z, br_twist v)
{
    const br_law* law = &m->law;
    slip_sums sum = {.speed = 0.0};
    for (size_t i = 0; i < m->count; i++) {
        const double w = m->weight[i];
        if (w == 0.0) {
            continue;
        }
        const br_vec2 v_t = {v.vx - v.w * m->y[i], v.vy + v.w * m->x[i]};
        const br_vec2 z_t = {z[i], z[m->count + i]};
        const double speed = br_vec2_norm(v_t), g = g_nearly(law, square(speed));
        const double q2 = square(law->sigma0 / g) * br_vec2_dot(z_t, z_t);
        sum.speed += w * speed;
        sum.most += w * g * speed;
        sum.resist += w * law->sigma0 * br_vec2_dot(z_t, v_t);
        sum.slip += w * distributed_beta(law, z_t, v_t, g) * q2 * speed;
    }
    return sum;
}

static slip_sums blocks_slip(const br_blocks* m, const double* z, br_twist v)
{
    const br_law* law = &m->law;
    const size_t n = m->count;
    slip_sums sum = {.speed = 0.0};
    for (size_t i = 0; i < n; i++) {
        const double w = m->weight[i], zeta = z[2 * n + i];
        const br_vec2 z_b = {z[i], z[n + i]};
        const block_motion b = block_motion_of(m, i, v);
        if (w == 0.0 || b.s == 0.0) {
            continue;
        }
        const double g = br_law_g(law, b.n), turning = m->t[i] * v.w;

        // mean speed (|v_b|^2 + t w^2/f)/s
        const double speed = (br_vec2_dot(b.v, b.v) + turning * v.w * b.per_f) / b.s;
        const double z2 = br_vec2_dot(z_b, z_b) + square(zeta) * m->per_t[i] / b.per_f;
        const double beta = block_beta(law, &b, z_b, zeta, m->per_t[i], g);
        sum.speed += w * speed;
        sum.most += w * g * speed;
        sum.resist += w * law->sigma0 * (br_vec2_dot(z_b, b.v) + zeta * v.w);
        sum.slip += w * beta * square(law->sigma0 / g) * z2 * b.s;
    }
    return sum;
}

static slip_sums reduced_slip(const br_reduced* m, const double* z, br_twist v)
{
    const br_law* law = &m->law;
    const double vs[3] = {v.vx, v.vy, m->value.r * v.w};
    const double g = br_law_g(law, reduced_speed(m, v));
    double h[3], zeta[3];
    reduced_surface(m, v, h);
    reduced_zeta(m, z, zeta);
    const double h2 = vec3_dot(h, h);
    if (h2 == 0.0) {
        return (slip_sums){.speed = 0.0};
    }
    const double speed = -vec3_dot(h, vs), q2 = square(law->sigma0 / g) * vec3_dot(zeta, zeta) / h2;
    return (slip_sums){.speed = speed,
                       .most = g * speed,
                       .resist = law->sigma0 * vec3_dot(zeta, vs),
                       .slip = reduced_beta(law, zeta, h, g) * q2 * speed};
}

// The body's twist at the CoP, in the axes of the bristles.
static br_twist twist_at(const br_step_contact* c, br_twist v)
{
    const br_twist moved = {v.vx - v.w * c->arm.y, v.vy + v.w * c->arm.x, v.w};
    const br_twist turned = axes_enter(axes_of(c->angle), moved);
    return c->distributed ? axes_enter(c->distributed->axes, turned)
           : c->blocks    ? axes_enter(c->blocks->axes, turned)
                          : turned;
}

br_step_slip br_step_slip_eval(const br_step_contact* c, br_twist v, br_contact_state before)
{
    BR_ASSERT(c && (c->distributed != NULL) + (c->blocks != NULL) + (c->reduced != NULL) == 1);
    if (c->fn <= 0.0) {
        return (br_step_slip){.state = BR_OPEN, .margin = -1.0};
    }
    const br_twist at = twist_at(c, v);
    const slip_sums sum = c->distributed ? distributed_slip(c->distributed, c->z, at)
                          : c->blocks    ? blocks_slip(c->blocks, c->z, at)
                                         : reduced_slip(c->reduced, c->z, at);
    const double resist = sum.most == 0.0 ? 0.0 : sum.resist / sum.most;
    const double plastic = sum.speed == 0.0 ? 0.0 : sum.slip / sum.speed;
    const double margin =
        before == BR_SLIP ? resist : fmin(resist - begin_resist, plastic - begin_plastic);
    return (br_step_slip){
        .slip_rate = sum.slip, .state = margin > 0.0 ? BR_SLIP : BR_STICK, .margin = margin};
}

// --- the gauge ------------------------------------------------------------------------------------

// sum += m (B^T B + e spin^2), B = [1 0 -y; 0 1 x]
static inline void add_part(matrix3* sum, double m, double x, double y, double e)
{
    sum->e[0][0] += m;
    sum->e[1][1] += m;
    sum->e[2][2] += m * (x * x + y * y + e);
    sum->e[0][2] -= m * y;
    sum->e[1][2] += m * x;
}

// Mean square of the speed of a part at (x, y) of mean squared extent e.
static double speed_squared(br_twist v, double x, double y, double e)
{
    return square(v.vx - v.w * y) + square(v.vy + v.w * x) + e * square(v.w);
}

static void distributed_form(const br_distributed* m, br_twist v, br_twist n, double least,
                             matrix3* sum)
{
    for (size_t i = 0; i < m->count; i++) {
        const double x = m->x[i], y = m->y[i];
        const double g = g_nearly(&m->law, speed_squared(v, x, y, 0.0));
        const double speed = sqrt(speed_squared(n, x, y, 0.0));
        add_part(sum, m->weight[i] * g / (speed > least ? speed : least), x, y, 0.0);
    }
}

static void blocks_form(const br_blocks* m, br_twist v, br_twist n, double least, matrix3* sum)
{
    for (size_t i = 0; i < m->count; i++) {
        const block_motion b = block_motion_of(m, i, n);
        const double g = g_nearly(&m->law, speed_squared(v, m->x[i], m->y[i], m->t[i]));
        const double speed = b.s > least ? b.s : least;
        add_part(sum, m->weight[i] * g / speed, m->x[i], m->y[i], m->t[i] * b.per_f);
    }
}

// H(n), for parts that slide with the g of their motion v.
static matrix3 form_at(const br_step_contact* c, br_twist v, vector3 n, double u)
{
    const br_twist along = {n.e[0], n.e[1], n.e[2]};
    const double least = 1e-9 * hypot(hypot(n.e[0], n.e[1]), sqrt(u) * n.e[2]);
    matrix3 sum = {{{0.0}}};
    if (c->distributed) {
        distributed_form(c->distributed, v, along, least, &sum);
    } else {
        blocks_form(c->blocks, v, along, least, &sum);
    }
    sum.e[2][0] = sum.e[0][2];
    sum.e[2][1] = sum.e[1][2];
    sum.e[2][2] += u == 0.0; // a point has no torque; any number leaves its spin 0
    return sum;
}

// Resistance of the bristles, per normal force: sum w sigma0 B^T z.
static vector3 bristle_wrench(const br_step_contact* c)
{
    const br_distributed* cells = c->distributed;
    const br_blocks* blocks = c->blocks;
    const size_t n = cells ? cells->count : blocks->count;
    const double* x = cells ? cells->x : blocks->x;
    const double* y = cells ? cells->y : blocks->y;
    const double* weight = cells ? cells->weight : blocks->weight;
    const double sigma0 = cells ? cells->law.sigma0 : blocks->law.sigma0;
    vector3 sum = {{0.0}};
    for (size_t i = 0; i < n; i++) {
        const double w = sigma0 * weight[i], fx = w * c->z[i], fy = w * c->z[n + i];
        sum.e[0] += fx;
        sum.e[1] += fy;
        sum.e[2] += x[i] * fy - y[i] * fx + (blocks ? w * c->z[2 * n + i] : 0.0);
    }
    return sum;
}

// A climb to the gauge: the bound of each round, and the best so far.
typedef struct climb {
    double best, last;
} climb;

// Take the bound of a round; 1: another is worth while. What is not a number ends it and shows.
static int climb_on(climb* c, double now)
{
    const int gains = now > c->last * (1.0 + gauge_gain) && now < HUGE_VAL;
    c->best = now < c->best ? c->best : now;
    c->last = now;
    return gains;
}

static double parts_gauge(const br_step_contact* c, br_twist v)
{
    const double u = c->distributed ? c->distributed->value.u : c->blocks->value.u;
    const vector3 f = bristle_wrench(c), twist = {{v.vx, v.vy, v.w}};

    // where all slide along v nothing is larger; else begin where all bristles are stretched alike
    const matrix3 sliding = form_at(c, v, twist, u);
    const double most = vector3_dot(twist, matrix3_apply(&sliding, twist));
    climb up = {.best = most > 0.0 ? fmax(vector3_dot(f, twist) / most, 0.0) : 0.0};
    vector3 n = {{f.e[0], f.e[1], u > 0.0 ? f.e[2] / u : 0.0}};
    if (vector3_dot(n, n) == 0.0) {
        return 0.0;
    }
    for (int round = 0; round < GAUGE_ROUNDS && !(up.best >= 1.0 - gauge_gain); round++) {
        const matrix3 form = form_at(c, v, n, u);
        if (!climb_on(&up, vector3_dot(f, n) / vector3_dot(n, matrix3_apply(&form, n)))) {
            break;
        }
        n = matrix3_solve(form, f);
    }
    return up.best;
}

// The gauge of the surface; of the ellipsoid, and of a point, |zeta| sigma0/g.
static double reduced_gauge(const br_reduced* m, const double* z, br_twist v)
{
    const double per_g = m->law.sigma0 / br_law_g(&m->law, reduced_speed(m, v));
    const double vs[3] = {v.vx, v.vy, m->value.r * v.w};
    double zeta[3], h[3];
    reduced_zeta(m, z, zeta);
    if (!m->surface || m->value.r == 0.0) {
        return per_g * vec3_norm(zeta);
    }
    reduced_surface(m, v, h);
    const double most = -vec3_dot(h, vs), sliding = per_g * vec3_dot(zeta, vs);
    if (most > 0.0 && sliding >= (1.0 - gauge_gain) * most) {
        return 1.0; // it slides along v: nothing is larger
    }
    return br_limit_gauge(m->surface, (br_wrench){per_g * z[0], per_g * z[1], per_g * z[2]}, NULL);
}

double br_step_load_eval(const br_step_contact* c, br_twist v)
{
    BR_ASSERT(c && (c->distributed != NULL) + (c->blocks != NULL) + (c->reduced != NULL) == 1);
    if (c->fn <= 0.0) {
        return 0.0;
    }
    const br_twist at = twist_at(c, v);
    const double share = c->reduced ? reduced_gauge(c->reduced, c->z, at) : parts_gauge(c, at);
    return share > 1.0 ? 1.0 : share;
}
