/*
 * Initial state of a body's bristles, at the start of a run or when a contact starts to press.
 *
 * At rest: with w the load and A_i the acceleration of the ground under contact i, extended to the CoM,
 * the body starts with the acceleration
 *
 *   a = argmin a.M a/2 - w.a + sum fn mu_s |B_i (a - A_i)|     (convex; the sum is over all parts)
 *
 * and where the body slides over the ground, friction is at its limit and opposes it. Bristles are elastic,
 * so the sum becomes a smooth potential, which also distributes the load among parts that stick. Over the
 * displacement d = tau^2 a, with a long time tau,
 *
 *   Phi(d) = d.M d/(2 tau^2) - w.d + sum fn W(B_i (d - tau^2 A_i))
 *
 * with W as in bri_contact_hold(). Newton's method, its steps halved (Armijo), finds the minimum. Where
 * friction holds the body, d is a bristle deflection, and the first term is 1e-16 of the load. d is relative
 * to axes that accelerate with the ground of the first contact that presses, so that it is also small for
 * a body that sticks to this ground.
 *
 * A contact that starts to press while the body slides over it starts in steady state. Bristles that start
 * at 0 would deflect to z_max at once and give the impulse sigma1 fn z_max, an artefact of the model: real
 * surfaces rub as soon as they touch.
 */
#include "law/law_internal.h"
#include "sim/body_internal.h"

#include <string.h>

// Tolerance of the force balance, relative to the load [-].
static const double balanced = 1e-12;
static const double surface_balanced = 1e-9; // with the contacts' own limit surfaces

// Displacement of a free body, in bristle deflections [-]. Its inverse is the share of the load that the
// inertia takes where friction holds the body.
static const double far = 1e10;

// A body whose inertia takes less than this share of the load counts as held [-]; then the inertia is
// reduced by the same factor.
static const double held_share = 1e-6;

enum { MAX_ROUNDS = 100, MAX_HALVINGS = 60 };

// Does the contact slide? Faster than the Stribeck speed, because a velocity meant to be 0 has rounding errors.
static int slides(const contact_run* h, const double* y)
{
    const contact* c = &h->contact;
    const br_twist v = bri_contact_enter(c, contact_twist(h, y));
    return hypot(hypot(v.vx, v.vy), c->value.r * v.w) > law_rest_speed(c->law);
}

static int is_at_rest(const body_system* s, const double* y)
{
    size_t i = 0;
    while (i < s->body->contact_count && !slides(&s->contacts[i], y)) {
        i++;
    }
    return i == s->body->contact_count;
}

// Acceleration of the ground under a body that is at rest on it, at the CoM: o'' + a'' J r - a'^2 r.
static br_twist ground_acceleration(const contact_run* h, br_pose pose)
{
    const ground* g = &h->ground;
    const double x = pose.x - g->at.x, y = pose.y - g->at.y, square = g->v.w * g->v.w;
    return (br_twist){g->a.vx - g->a.w * y - square * x, g->a.vy + g->a.w * x - square * y, g->a.w};
}

// Load on a body at rest, at the CoM, in axes that accelerate with `ground`.
typedef struct start_load {
    br_twist ground;   // acceleration
    double mass[3];    // M: mass, mass, inertia
    double load[3];    // w - M ground [N, N, N m]
    double size;       // largest force, of this load or by a contact's other ground [N]
    double per_tau_2;  // [1/s^2]
    double inertia[3]; // M/tau^2 [N/m, N/m, N m]
} start_load;

// The length of a wrench as a force at the radius of gyration [N].
static double force_size(const start_load* p, const double f[3])
{
    return hypot(hypot(f[0], f[1]), f[2] * sqrt(p->mass[0] / p->mass[2]));
}

// Acceleration of a contact's ground in these axes.
static br_twist ground_of(const start_load* p, const contact_run* h, br_pose pose)
{
    const br_twist a = ground_acceleration(h, pose);
    return (br_twist){a.vx - p->ground.vx, a.vy - p->ground.vy, a.w - p->ground.w};
}

static start_load gather_load(const body_system* s, const double* y)
{
    const br_body* body = s->body;
    const br_pose pose = pose_of(y);
    const br_vec2 g = bri_body_gravity(s, 0.0, NULL);
    start_load p = {.mass = {body->mass, body->mass, body->inertia}};
    for (size_t i = body->contact_count; i-- > 0;) {
        p.ground =
            s->contacts[i].now.fn > 0.0 ? ground_acceleration(&s->contacts[i], pose) : p.ground;
    }
    br_wrench sum = bri_body_loads(s, 0.0, pose, NULL, NULL);
    add_wrench(&sum, 1.0, bri_body_push(s, 0.0, y));
    p.load[0] = sum.fx + body->mass * (g.x - p.ground.vx);
    p.load[1] = sum.fy + body->mass * (g.y - p.ground.vy);
    p.load[2] = sum.tau - body->inertia * p.ground.w;
    p.size = force_size(&p, p.load);
    double longest = 0.0;
    for (size_t i = 0; i < body->contact_count; i++) {
        const contact_run* h = &s->contacts[i];
        const br_twist a = ground_of(&p, h, pose);
        const double f[3] = {p.mass[0] * a.vx, p.mass[1] * a.vy, p.mass[2] * a.w};
        p.size = fmax(p.size, h->now.fn > 0.0 ? force_size(&p, f) : 0.0);
        const br_law* law = h->contact.law;
        longest = fmax(longest, br_law_holding(law, 1.0) / law->sigma0);
    }
    p.per_tau_2 = p.size / (far * longest * body->mass);
    for (int i = 0; i < 3; i++) {
        p.inertia[i] = p.mass[i] * p.per_tau_2;
    }
    return p;
}

// Displacement of a contact's CoP over its ground when the CoM is displaced by d.
static br_twist moved_at(const start_load* p, const contact_run* h, const lever* l, br_pose pose,
                         const double d[3])
{
    const br_twist a = ground_of(p, h, pose);
    return twist_at(l, (br_twist){d[0] - a.vx / p->per_tau_2, d[1] - a.vy / p->per_tau_2,
                                  d[2] - a.w / p->per_tau_2});
}

// Phi(d) and its derivatives.
typedef struct balance {
    double value;
    double gradient[3];
    mat3 tangent;
} balance;

static void add_contact(const start_load* p, const contact_run* h, const double d[3], double* y,
                        balance* sum)
{
    const br_pose pose = pose_of(y);
    const lever l = contact_lever(h, pose);
    const double fn = (double)h->def->count * h->now.fn;
    const contact_hold c = bri_contact_hold(&h->contact, moved_at(p, h, &l, pose, d), y + h->at);
    const br_wrench f = wrench_from(&l, (br_wrench){c.f[0], c.f[1], c.f[2]});
    const mat3 u = {{{l.cosine, l.sine, -l.arm.y}, {-l.sine, l.cosine, l.arm.x}, {0.0, 0.0, 1.0}}};
    mat3 k;
    memcpy(k.at, c.tangent, sizeof k.at);
    sum->value += fn * c.potential;
    sum->gradient[0] += fn * f.fx;
    sum->gradient[1] += fn * f.fy;
    sum->gradient[2] += fn * f.tau;
    mat3_add_product(fn, &u, &k, &u, &sum->tangent);
}

// Phi at d; sets the bristles, too. Skips contacts that do not press.
static balance balance_at(const body_system* s, const start_load* p, const double d[3], double* y)
{
    balance sum = {.value = 0.0};
    for (int i = 0; i < 3; i++) {
        const double m = p->inertia[i];
        sum.value += d[i] * (0.5 * m * d[i] - p->load[i]);
        sum.gradient[i] = m * d[i] - p->load[i];
        sum.tangent.at[i][i] = m;
    }
    for (size_t i = 0; i < s->body->contact_count; i++) {
        if (s->contacts[i].now.fn > 0.0) {
            add_contact(p, &s->contacts[i], d, y, &sum);
        }
    }
    return sum;
}

// Line search from d along -step: halve the step until Phi falls by a share of its linear prediction. Take
// the full step where rounding hides the change.
static balance descend(const body_system* s, const start_load* p, const balance* from, vector3 step,
                       double d[3], double* y)
{
    const double slope = from->gradient[0] * step.at[0] + from->gradient[1] * step.at[1] +
                         from->gradient[2] * step.at[2];
    const double start[3] = {d[0], d[1], d[2]};
    balance to = *from;
    double part = 1.0;
    for (int i = 0; i < MAX_HALVINGS; i++, part *= 0.5) {
        for (int k = 0; k < 3; k++) {
            d[k] = start[k] - part * step.at[k];
        }
        to = balance_at(s, p, d, y);
        if (to.value <= from->value - 1e-4 * part * slope || slope < 1e-13 * fabs(from->value)) {
            break;
        }
    }
    return to;
}

// Set sliding contacts to the limit of their own surface. Returns the change of friction, at the CoM.
static br_wrench slide_contacts(const body_system* s, const start_load* p, const double d[3],
                                double* y)
{
    const br_pose pose = pose_of(y);
    br_wrench more = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < s->body->contact_count; i++) {
        const contact_run* h = &s->contacts[i];
        const lever l = contact_lever(h, pose);
        const double fn = (double)h->def->count * h->now.fn;
        if (fn > 0.0) {
            const br_wrench simple = bri_contact_bristle_wrench(&h->contact, y + h->at);
            bri_contact_slide(&h->contact, moved_at(p, h, &l, pose, d), y + h->at);
            const br_wrench own = bri_contact_bristle_wrench(&h->contact, y + h->at);
            add_wrench(&more, fn, wrench_from(&l, own));
            add_wrench(&more, -fn, wrench_from(&l, simple));
        }
    }
    return more;
}

// Newton's method from d to the minimum of Phi; sets the bristles, too.
static void minimise(const body_system* s, const start_load* p, double d[3], double* y)
{
    balance b = balance_at(s, p, d, y);
    for (int i = 0; i < MAX_ROUNDS && force_size(p, b.gradient) > balanced * p->size; i++) {
        const vector3 right = {{b.gradient[0], b.gradient[1], b.gradient[2]}};
        b = descend(s, p, &b, mat3_solve(b.tangent, right), d, y);
    }
}

// Where friction holds the body, reduce the inertia term and minimise again.
static void settle_held(const body_system* s, start_load* p, double d[3], double* y)
{
    const double m[3] = {p->inertia[0] * d[0], p->inertia[1] * d[1], p->inertia[2] * d[2]};
    if (force_size(p, m) <= held_share * p->size) {
        for (int i = 0; i < 3; i++) {
            p->inertia[i] *= held_share;
        }
        minimise(s, p, d, y);
    }
}

// Set the bristles to hold the load, or to their limit against the motion that starts. The difference
// between a contact's own limit surface and the simple one counts as a load, found by iteration.
static void settle(const body_system* s, double* y)
{
    start_load p = gather_load(s, y);
    if (!(p.per_tau_2 > 0.0)) {
        return; // no load, or no contact
    }
    double d[3] = {0.0, 0.0, 0.0};
    minimise(s, &p, d, y);
    settle_held(s, &p, d, y);
    const double load[3] = {p.load[0], p.load[1], p.load[2]};
    br_wrench more = slide_contacts(s, &p, d, y);
    for (int i = 0; i < MAX_ROUNDS; i++) {
        const double next[3] = {load[0] + more.fx, load[1] + more.fy, load[2] + more.tau};
        const double change[3] = {next[0] - p.load[0], next[1] - p.load[1], next[2] - p.load[2]};
        if (force_size(&p, change) <= surface_balanced * p.size) {
            break;
        }
        memcpy(p.load, next, sizeof next);
        minimise(s, &p, d, y);
        more = slide_contacts(s, &p, d, y);
    }
}

static void start_steady(const contact_run* h, double* y)
{
    bri_contact_steady_state(&h->contact, contact_twist(h, y), y + h->at);
}

void bri_contact_run_touch(const body_system* s, contact_run* h, double t, double* y)
{
    const br_body_start start = s->body->start;
    bri_contact_run_move(s, h, t);
    contact_fill(h, h->now.fn, y);
    if (start == BR_START_STEADY || (start != BR_START_RELAXED && slides(h, y))) {
        start_steady(h, y);
    }
}

void bri_body_set_start(body_system* s, double* y)
{
    for (size_t i = 0; i < s->body->contact_count; i++) {
        contact_run* h = &s->contacts[i];
        h->now.fn = bri_contact_run_force(s, h, 0.0, NULL);
        bri_contact_run_move(s, h, 0.0);
        contact_fill(h, h->now.fn, y);
    }
    br_body_start start = s->body->start;
    if (start == BR_START_BY_MOTION) {
        start = is_at_rest(s, y) ? BR_START_SETTLED : BR_START_STEADY;
    }
    if (start == BR_START_SETTLED) {
        settle(s, y);
    }
    for (size_t i = 0; start == BR_START_STEADY && i < s->body->contact_count; i++) {
        start_steady(&s->contacts[i], y);
    }
}
