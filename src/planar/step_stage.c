/*
 * One implicit stage of a body with any number of contacts.
 *
 *   R(V) = M (V - Vf) + h sum n fn J^T F(J V) = 0,    Vf = V0 + h A load,   A = M^-1
 *
 * F is a contact's resistance per normal force, J takes the body's twist to the bristles' axes at the
 * CoP, n counts contacts that share a state. With A = L L^T and V = Vf + L p the unknown is p,
 *
 *   L^T R = p + h sum n fn L^T J^T F(J V) = 0,
 *
 * in which lengths are those of M: |L^T R| = |R| in the metric of A.
 *
 * Newton finds the decays x = h kappa of the bristles. Where friction falls with speed (Stribeck) there may
 * be several roots, and places without a root where |L^T R| is least. But L^T R is nearly the gradient of a
 * potential over p, its slope nearly symmetric, and the body ends in a hollow of it. So a step of Newton's that
 * leads uphill, to a saddle or a top, is turned round; and a step is taken if it leaves less residual or
 * still leads downhill at its end. That crosses the hump of the Stribeck curve.
 *
 * Then the decays are frozen, F = C v + c, and
 *
 *   (1 + h L^T (sum n fn J^T C J) L) p = -h L^T sum n fn J^T (C J Vf + c)
 *
 * closes the step. Its energy balance holds for any x >= 0, converged or not.
 */
#include "planar/step_stage.h"

enum { TRIES = 12, REFINEMENTS = 2 };

// How exactly Newton finds the velocity: relative to the smallest of the contact's own speeds
// mu_c/(sigma0 h) and v_s, and to the velocity itself. Ten times as much leaves the errors of docs/steps.md as they
// are, and saves 3 % of the passes.
static const double tolerance_of_law = 1e-7, tolerance_of_speed = 1e-9;

// A stage recoils that would give back more than this part of what its bristles store. Rounding is far
// below, the debts of the published reduced law are at most 7e-3, those of an impulse 1 and more.
static const double least_recoil = 1e-2;

// Body and bristles, while a stage is under way.
typedef struct search {
    const stage* s;
    vector3 vf;
    vector3 p;        // where the bristles were evaluated last
    vector3 residual; // L^T R there
    mat3 slope;       // of the residual with p
    double norm;      // |residual|
    int elastic;      // no bristle decays there
    int stale;        // the memo is that of another place
    int passes;
} search;

// Normal force of a contact, of all that share its state
static double weight_of(const br_step_contact* c)
{
    return (double)c->count * c->fn;
}

static int presses(const br_step_contact* c)
{
    return !(weight_of(c) <= 0.0); // NaN does, so that it shows
}

// J: from the body's twist to that at the CoP, in the bristles' axes
static mat3 jacobian_of(const step_link* link)
{
    const double c = link->axes.cosine, s = link->axes.sine;
    const br_vec2 arm = link->contact->arm;
    return (mat3){{{c, s, s * arm.x - c * arm.y}, {-s, c, c * arm.x + s * arm.y}, {0, 0, 1}}};
}

static vector3 twist_of(const step_link* link, vector3 v)
{
    const mat3 j = jacobian_of(link);
    return mat3_apply(&j, v);
}

static vector3 velocity_at(const search* q, vector3 p)
{
    return vector3_mix(1.0, q->vf, 1.0, mat3_apply(&q->s->root, p));
}

static kernel_step pass_of(const stage* s, const step_link* link, vector3 v)
{
    const vector3 at = twist_of(link, v);
    return (kernel_step){link->z, {at.at[0], at.at[1], at.at[2]}, s->h, link->memo};
}

// Sums over the contacts in the body's axes: resistance, and its slope with the twist.
typedef struct body_sums {
    vector3 f;
    mat3 f_v;
} body_sums;

// Add w J^T f, w J^T f_v J of a contact.
static void add_contact(body_sums* sum, const step_link* link, const double f[3], double f_v[3][3])
{
    const mat3 j = jacobian_of(link);
    const double weight = weight_of(link->contact);
    vector3 force;
    mat3 slope;
    memcpy(force.at, f, sizeof force.at);
    memcpy(slope.at, f_v, sizeof slope.at);
    sum->f = vector3_mix(1.0, sum->f, weight, mat3_apply_transposed(&j, force));
    mat3_add_congruent(&sum->f_v, weight, &j, &slope);
}

// 1 + h L^T k L
static mat3 scaled_slope(const stage* s, const mat3* k)
{
    mat3 slope = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    mat3_add_congruent(&slope, s->h, &s->root, k);
    return slope;
}

// p + h L^T f
static vector3 scaled_residual(const stage* s, vector3 p, vector3 f)
{
    return vector3_mix(1.0, p, s->h, mat3_apply_transposed(&s->root, f));
}

// A pass over all bristles at p.
static void evaluate(search* q, vector3 p)
{
    const stage* s = q->s;
    const vector3 v = velocity_at(q, p);
    body_sums sum = {.f = {{0.0}}};
    double* at = s->work;
    q->elastic = 1;
    for (size_t i = 0; i < s->count; i++) {
        const step_link link = bri_step_link_at(s, i, &at);
        if (presses(link.contact)) {
            const kernel_step pass = pass_of(s, &link, v);
            kernel_force out;
            bri_contact_pass(link.contact->contact, &pass, &out);
            add_contact(&sum, &link, out.f, out.f_v);
            q->elastic &= out.elastic;
        }
    }
    q->p = p;
    q->residual = scaled_residual(s, p, sum.f);
    q->slope = scaled_slope(s, &sum.f_v);
    q->norm = vector3_norm(q->residual);
    q->stale = 0;
    q->passes++;
}

// The closing solve with the decays of the memo, refined so that the balance of energy is exact.
static vector3 close_with(const search* q, int limited)
{
    const stage* s = q->s;
    body_sums sum = {.f = {{0.0}}};
    double* at = s->work;
    for (size_t i = 0; i < s->count; i++) {
        const step_link link = bri_step_link_at(s, i, &at);
        if (presses(link.contact)) {
            const kernel_step pass = pass_of(s, &link, q->vf);
            kernel_linear out;
            bri_contact_linear(link.contact->contact, &pass, limited, &out);
            add_contact(&sum, &link, out.rest, out.slope);
        }
    }
    const mat3 slope = scaled_slope(s, &sum.f_v);
    vector3 p = {{0.0, 0.0, 0.0}};
    for (int i = 0; i <= REFINEMENTS; i++) {
        const vector3 kv = mat3_apply(&sum.f_v, velocity_at(q, p));
        const vector3 residual = scaled_residual(s, p, vector3_mix(1.0, kv, 1.0, sum.f));
        p = vector3_mix(1.0, p, -1.0, mat3_solve(slope, residual));
    }
    return p;
}

// Empty memos: no decay, also in parts of no weight, which no pass fills.
static void clear_memos(const stage* s)
{
    double* at = s->work;
    for (size_t i = 0; i < s->count; i++) {
        const step_link link = bri_step_link_at(s, i, &at);
        memset(link.memo, 0, link.model.memo * sizeof *link.memo);
    }
}

// The solve without any decay: where the body would go if all contacts stuck.
static vector3 close_elastic(const search* q)
{
    clear_memos(q->s);
    return close_with(q, 0);
}

// A contact's speed at the CoP, with its spin as a speed.
static double speed_of(const step_link* link, vector3 v)
{
    vector3 at = twist_of(link, v);
    at.at[2] *= link->model.spin;
    return vector3_norm(at);
}

// Is a change of p too small to matter to any contact?
static int is_small(const search* q, vector3 dp)
{
    const stage* s = q->s;
    const vector3 v = velocity_at(q, q->p), dv = mat3_apply(&s->root, dp);
    double* at = s->work;
    for (size_t i = 0; i < s->count; i++) {
        const step_link link = bri_step_link_at(s, i, &at);
        const br_law* law = link.model.law;
        const double speed = speed_of(&link, v), change = speed_of(&link, dv);
        const double own = fmin(law->mu_c / (law->sigma0 * s->h), law->v_stribeck);
        const double enough = tolerance_of_law * own + tolerance_of_speed * speed;
        if (presses(link.contact) && !(change <= enough)) {
            return 0;
        }
    }
    return 1;
}

static int is_spent(const search* q)
{
    return q->passes >= q->s->passes;
}

// Is it better there, a part of dp away: is less residual left, or does dp still lead downhill? It may
// lead up again a little, or Newton would creep to the bottom from one side.
static int is_better(const search* here, const search* there, vector3 dp, double part)
{
    const double slope = vector3_dot(here->residual, dp);
    return there->norm < (1.0 - 0.1 * part) * here->norm ||
           vector3_dot(there->residual, dp) <= 0.5 * fabs(slope);
}

// Go along dp, all of it or half as far, and so on; 0 if it is never better.
static int line_search(search* q, vector3 dp)
{
    double part = 1.0;
    for (int i = 0; i < TRIES && !is_spent(q); i++, part *= 0.5) {
        search there = *q;
        evaluate(&there, vector3_mix(1.0, q->p, part, dp));
        if (is_better(q, &there, dp, part)) {
            *q = there;
            return 1;
        }
        q->passes = there.passes;
        q->stale = 1;
    }
    return 0;
}

// Find the decays from where the search is; 1 if Newton came to its end.
static int find_decays(search* q)
{
    for (;;) {
        const vector3 back = mat3_solve(q->slope, q->residual); // Newton's step, negative
        if (is_small(q, back)) {
            return 1;
        }
        const double way = vector3_dot(q->residual, back) < 0.0 ? 1.0 : -1.0; // downhill
        if (!line_search(q, vector3_mix(way, back, 0.0, back))) {
            return 0;
        }
    }
}

// Begin where the residual is smaller: as if all stuck, or with the twist as it was. 1: all stick.
static int begin(search* q)
{
    evaluate(q, close_elastic(q));
    if (q->elastic || is_spent(q)) {
        return q->elastic;
    }
    search as_it_was = *q;
    evaluate(&as_it_was, vector3_mix(-1.0, q->s->push, 0.0, q->p));
    const int is_nearer = as_it_was.norm < q->norm;
    *q = is_nearer ? as_it_was : *q;
    q->passes = as_it_was.passes;
    q->stale = !is_nearer;
    return 0;
}

// Pay a reduced contact's debt from what it stores: zeta1 sqrt(1 + D/W1).
static void pay(const step_link* link, double h, kernel_closed* closed)
{
    const double rest = fmax(closed->after + h * closed->heat, 0.0);
    const double scale = closed->after > 0.0 ? sqrt(rest / closed->after) : 0.0;
    for (size_t i = 0; i < link->model.states; i++) {
        link->z1[i] *= scale;
    }
    closed->heat += (closed->after - rest) / h;
    closed->after = rest;
}

// What is done with a stage that is closed.
typedef enum closing { TRUE_DAMPING, LIMITED_DAMPING, LIMITED_AND_PAID } closing;

// Close every contact at p: new states into z1, forces, energies.
static stage_result finish(const search* q, vector3 p, closing how)
{
    const stage* s = q->s;
    stage_result r = {.v1 = velocity_at(q, p)};
    double* at = s->work;
    for (size_t i = 0; i < s->count; i++) {
        const step_link link = bri_step_link_at(s, i, &at);
        br_step_contact* c = link.contact;
        if (!presses(c)) {
            memset(link.z1, 0, link.model.states * sizeof *link.z1); // nothing was stored
            c->f = (br_wrench){0.0, 0.0, 0.0};
            continue;
        }
        const kernel_step pass = pass_of(s, &link, r.v1);
        kernel_closed closed;
        bri_contact_close(link.contact->contact, &pass, how != TRUE_DAMPING, link.z1, &closed);
        if (how == LIMITED_AND_PAID && link.model.guard && closed.heat < 0.0) {
            pay(&link, s->h, &closed);
        }
        const double w = weight_of(c), *f = closed.f, *v = pass.v;
        r.heat += w * s->h * closed.heat;
        r.before += w * closed.before;
        r.after += w * closed.after;
        r.friction += w * s->h * (f[0] * v[0] + f[1] * v[1] + f[2] * v[2]);
        c->f =
            axes_leave(link.model.axes, (br_wrench){-c->fn * f[0], -c->fn * f[1], -c->fn * f[2]});
    }
    return r;
}

// Make z1 the state.
static void advance(const stage* s)
{
    double* at = s->work;
    for (size_t i = 0; i < s->count; i++) {
        const step_link link = bri_step_link_at(s, i, &at);
        memcpy(link.z, link.z1, link.model.states * sizeof *link.z);
    }
}

stage_result bri_stage_run(const stage* s)
{
    search q = {.s = s};
    q.vf = vector3_mix(1.0, s->v0, 1.0, mat3_apply(&s->root, s->push));
    const int sticks = begin(&q), converged = sticks || find_decays(&q);
    if (q.stale) {
        evaluate(&q, q.p); // the memo is to tell of p
    }
    // with the true damping, unless all contacts together would give energy back
    stage_result r = finish(&q, sticks ? q.p : close_with(&q, 0), TRUE_DAMPING);
    const int recoils = r.heat < -least_recoil * (r.before + r.after);
    if (r.heat < 0.0) {
        const vector3 p = close_with(&q, 1);
        r = finish(&q, p, LIMITED_DAMPING);
        r = r.heat < 0.0 ? finish(&q, p, LIMITED_AND_PAID) : r;
    }
    advance(s);
    r.passes = q.passes;
    r.converged = converged;
    r.recoils = recoils;
    return r;
}

step_slopes bri_stage_slopes(const stage* s)
{
    body_sums tangent = {.f = {{0.0}}}, secant = tangent;
    double* at = s->work;
    clear_memos(s);
    for (size_t i = 0; i < s->count; i++) {
        const step_link link = bri_step_link_at(s, i, &at);
        if (presses(link.contact)) {
            const kernel_step pass = pass_of(s, &link, s->v0);
            kernel_force force;
            kernel_linear linear;
            bri_contact_pass(link.contact->contact, &pass, &force);
            bri_contact_linear(link.contact->contact, &pass, 0, &linear);
            add_contact(&tangent, &link, force.f, force.f_v);
            add_contact(&secant, &link, linear.rest, linear.slope);
        }
    }
    return (step_slopes){tangent.f, tangent.f_v, secant.f_v};
}
