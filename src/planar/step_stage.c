/*
 * One implicit stage of any number of contacts.
 *
 *   V = Vf - h A sum J^T n fn F(J V),    Vf = V0 + h A load
 *
 * V are the twists: one that all contacts of a body share, or one for each contact of a group. F is a
 * contact's resistance per normal force, J takes its twist to the bristles' axes at the CoP, n counts
 * contacts that share a state. With A = G G^T and V = Vf + G p the unknowns are p, as many as A's rank,
 *
 *   rho(p) = p + h G^T sum J^T n fn F(J V) = 0,
 *
 * in which lengths are those of the masses: |rho|^2/2 is an energy.
 *
 * Newton finds the decays x = h kappa of the bristles. Where friction falls with speed (Stribeck) there may
 * be several roots, and places without a root where |rho| is least. But rho is nearly the gradient of a
 * potential over p, its slope nearly symmetric, and the bodies end in a hollow of it. So a step of Newton's that
 * leads uphill, to a saddle or a top, is turned round; and a step is taken if it leaves less residual or
 * still leads downhill at its end. That crosses the hump of the Stribeck curve.
 *
 * Then the decays are frozen, F = C v + c, and
 *
 *   (1 + h G^T (sum n fn J^T C J) G) p = -h G^T sum n fn J^T (C J Vf + c)
 *
 * closes the step. Its energy balance holds for any x >= 0, converged or not.
 */
#include "planar/step_search.h"

enum { TRIES = 12, REFINEMENTS = 2, FOLLOWS = 8 };

// How exactly Newton finds the velocity: relative to the smallest of the contact's own speeds
// mu_c/(sigma0 h) and v_s, and to the velocity itself. Ten times as much leaves the errors of docs/steps.md as they
// are, and saves 3 % of the passes.
static const double tolerance_of_law = 1e-7, tolerance_of_speed = 1e-9;

// A stage recoils that would give back more than this part of what its bristles store. Rounding is far
// below, the debts of the published reduced law are at most 7e-3, those of an impulse 1 and more.
static const double least_recoil = 1e-2;

// Normal force of a contact, of all that share its state
static double weight_of(const br_step_contact* c)
{
    return step_count(c) * c->fn;
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

// J v, v (3) a twist
static vector3 twist_at_cop(const step_link* link, const double* v)
{
    const mat3 j = jacobian_of(link);
    return mat3_apply(&j, (vector3){{v[0], v[1], v[2]}});
}

// Where contact `index` has its twist among all.
static size_t twist_at(const stage* s, size_t index)
{
    return s->moves.twists == 1 ? 0 : index;
}

static kernel_step pass_of(const stage* s, const step_link* link, const double* v)
{
    const vector3 at = twist_at_cop(link, v);
    return (kernel_step){link->z, {at.at[0], at.at[1], at.at[2]}, s->h, link->memo};
}

// v = Vf + G p
static void velocity_at(const search* q, const double* p)
{
    memcpy(q->v, q->vf, q->m * sizeof *q->v);
    MOVES_CALL(moves_add_twists, q->g, p, q->v);
}

// Add w J^T f, w J^T f_v J of a contact to the resistance (3) and the slope (3 x 3) of its twist.
static void add_contact(const step_link* link, const double f[3], double f_v[3][3], double* sum_f,
                        double* sum_f_v)
{
    const mat3 j = jacobian_of(link);
    const double weight = weight_of(link->contact);
    vector3 force;
    mat3 slope, sum;
    memcpy(force.at, f, sizeof force.at);
    memcpy(slope.at, f_v, sizeof slope.at);
    memcpy(sum.at, sum_f_v, sizeof sum.at);
    force = mat3_apply_transposed(&j, force);
    mat3_add_congruent(&sum, weight, &j, &slope);
    add(sum_f, weight, force.at, 3);
    memcpy(sum_f_v, sum.at, sizeof sum.at);
}

// Resistances, or what is at rest of them, and slopes
static void clear_sums(const search* q, double* f)
{
    memset(f, 0, q->m * sizeof *f);
    memset(q->f_v, 0, 3 * q->m * sizeof *q->f_v);
}

// A pass over all bristles at at->p.
static void evaluate(search* q, place* at)
{
    const stage* s = q->s;
    double* walk = s->work;
    velocity_at(q, at->p);
    clear_sums(q, q->f);
    at->elastic = 1;
    for (size_t i = 0; i < s->count; i++) {
        const step_link link = bri_step_link_at(s, i, &walk);
        if (presses(link.contact)) {
            const size_t t = twist_at(s, i);
            const kernel_step pass = pass_of(s, &link, q->v + 3 * t);
            kernel_force out;
            bri_contact_pass(link.model, &pass, &out);
            add_contact(&link, out.f, out.f_v, q->f + 3 * t, q->f_v + 9 * t);
            at->elastic &= out.elastic;
        }
    }
    MOVES_CALL(moves_residual, q->g, s->h, q->f, at->p, at->residual);
    MOVES_CALL(moves_slope, q->g, s->h, q->f_v, at->slope);
    at->norm = length_of(at->residual, q->r);
    q->stale = at != &q->here;
    q->passes++;
}

// The closing solve with the decays of the memo, refined so that the balance of energy is exact: p (r).
static void close_with(search* q, int limited, double* p)
{
    const stage* s = q->s;
    double *rest = q->scratch, *walk = s->work;
    clear_sums(q, rest);
    for (size_t i = 0; i < s->count; i++) {
        const step_link link = bri_step_link_at(s, i, &walk);
        if (presses(link.contact)) {
            const size_t t = twist_at(s, i);
            const kernel_step pass = pass_of(s, &link, q->vf + 3 * t);
            kernel_linear out;
            bri_contact_linear(link.model, &pass, limited, &out);
            add_contact(&link, out.rest, out.slope, rest + 3 * t, q->f_v + 9 * t);
        }
    }
    MOVES_CALL(moves_close, q->g, s->h, q->f_v, rest, q->vf, REFINEMENTS, p, q->v, q->f, q->step,
               q->matrix);
}

// Empty memos: no decay, also in parts of no weight, which no pass fills.
static void clear_memos(const stage* s)
{
    double* at = s->work;
    for (size_t i = 0; i < s->count; i++) {
        const step_link link = bri_step_link_at(s, i, &at);
        memset(link.memo, 0, link.memos * sizeof *link.memo);
    }
}

// A contact's speed at the CoP, with its spin as a speed.
static double speed_of(const step_link* link, const double* v)
{
    vector3 at = twist_at_cop(link, v);
    at.at[2] *= sqrt(link->model->value.u);
    return vector3_norm(at);
}

// Is a change of p from here too small to matter to any contact?
static int is_small(search* q, const double* dp)
{
    const stage* s = q->s;
    double *dv = q->scratch, *walk = s->work;
    velocity_at(q, q->here.p);
    memset(dv, 0, q->m * sizeof *dv);
    MOVES_CALL(moves_add_twists, q->g, dp, dv);
    for (size_t i = 0; i < s->count; i++) {
        const step_link link = bri_step_link_at(s, i, &walk);
        const br_law* law = &link.model->def.law;
        const size_t at = 3 * twist_at(s, i);
        const double speed = speed_of(&link, q->v + at), change = speed_of(&link, dv + at);
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

// Go there: what was found there is the place now.
static void move_there(search* q)
{
    const place kept = q->here;
    q->here = q->there;
    q->there = kept;
    q->stale = 0;
}

// Is it better there, a part of dp away: is less residual left, or does dp still lead downhill? It may
// lead up again a little, or Newton would creep to the bottom from one side.
static int is_better(const search* q, const double* dp, double part)
{
    const double slope = dot(q->here.residual, dp, q->r);
    return q->there.norm < (1.0 - 0.1 * part) * q->here.norm ||
           dot(q->there.residual, dp, q->r) <= 0.5 * fabs(slope);
}

// Go along dp, all of it or half as far, and so on; 0 if it is never better.
static int line_search(search* q, const double* dp)
{
    double part = 1.0;
    for (int i = 0; i < TRIES && !is_spent(q); i++, part *= 0.5) {
        memcpy(q->there.p, q->here.p, q->r * sizeof *q->there.p);
        add(q->there.p, part, dp, q->r);
        evaluate(q, &q->there);
        if (is_better(q, dp, part)) {
            move_there(q);
            return 1;
        }
    }
    return 0;
}

// Newton's step from here, turned round where it leads uphill: q->step.
static void newton_step(search* q)
{
    memcpy(q->matrix, q->here.slope, q->r * q->r * sizeof *q->matrix);
    memcpy(q->step, q->here.residual, q->r * sizeof *q->step);
    if (q->r == 3) {
        lu_solve_once(q->matrix, 3, q->step);
    } else {
        lu_solve_once(q->matrix, q->r, q->step);
    }
    const double way = dot(q->here.residual, q->step, q->r) < 0.0 ? 1.0 : -1.0;
    for (size_t j = 0; j < q->r; j++) {
        q->step[j] *= way;
    }
}

// Find the decays from where the search is; 1 if Newton came to its end.
static int find_decays(search* q)
{
    for (;;) {
        newton_step(q);
        if (is_small(q, q->step)) {
            return 1;
        }
        if (!line_search(q, q->step)) {
            return 0;
        }
    }
}

// Begin where the residual is smaller: as if all stuck, or with the twists as they were. 1: all stick.
static int begin(search* q)
{
    clear_memos(q->s);
    close_with(q, 0, q->here.p);
    evaluate(q, &q->here);
    if (q->here.elastic || is_spent(q)) {
        return q->here.elastic;
    }
    memset(q->there.p, 0, q->r * sizeof *q->there.p);
    if (q->s->push) {
        add(q->there.p, -1.0, q->s->push, q->r);
    }
    evaluate(q, &q->there);
    if (q->there.norm < q->here.norm) {
        move_there(q);
    }
    return 0;
}

// Does a contact pay with what it stores for what it would give back?
static int is_guarded(const br_contact* c)
{
    return contact_is_reduced(c) && c->def.guard;
}

// Pay a reduced contact's debt from what it stores: zeta1 sqrt(1 + D/W1).
static void pay(const step_link* link, double h, kernel_closed* closed)
{
    const double rest = fmax(closed->after + h * closed->heat, 0.0);
    const double scale = closed->after > 0.0 ? sqrt(rest / closed->after) : 0.0;
    for (size_t i = 0; i < link->states; i++) {
        link->z1[i] *= scale;
    }
    closed->heat += (closed->after - rest) / h;
    closed->after = rest;
}

// What is done with a stage that is closed.
typedef enum closing { TRUE_DAMPING, LIMITED_DAMPING, LIMITED_AND_PAID } closing;

// Close every contact at p: new states into z1, forces, energies.
static stage_result finish(const search* q, const double* p, closing how)
{
    const stage* s = q->s;
    stage_result r = {0};
    double* at = s->work;
    velocity_at(q, p);
    for (size_t i = 0; i < s->count; i++) {
        const step_link link = bri_step_link_at(s, i, &at);
        br_step_contact* c = link.contact;
        if (!presses(c)) {
            memset(link.z1, 0, link.states * sizeof *link.z1); // nothing was stored
            c->f = (br_wrench){0.0, 0.0, 0.0};
            continue;
        }
        const kernel_step pass = pass_of(s, &link, q->v + 3 * twist_at(s, i));
        kernel_closed closed;
        bri_contact_close(link.model, &pass, how != TRUE_DAMPING, link.z1, &closed);
        if (how == LIMITED_AND_PAID && is_guarded(link.model) && closed.heat < 0.0) {
            pay(&link, s->h, &closed);
        }
        const double w = weight_of(c), *f = closed.f, *v = pass.v;
        r.heat += w * s->h * closed.heat;
        r.before += w * closed.before;
        r.after += w * closed.after;
        r.friction += w * s->h * (f[0] * v[0] + f[1] * v[1] + f[2] * v[2]);
        c->f = contact_wrench(link.model, f, c->fn);
    }
    return r;
}

// Make z1 the state.
static void advance(const stage* s)
{
    double* at = s->work;
    for (size_t i = 0; i < s->count; i++) {
        const step_link link = bri_step_link_at(s, i, &at);
        memcpy(link.z, link.z1, link.states * sizeof *link.z);
    }
}

// A search over the stage's memory, at its begin.
static search search_of(const stage* s)
{
    const size_t m = 3 * s->moves.twists, r = s->moves.r, n = s->normals ? s->count : 0;
    double* at = s->algebra;
    search q = {.s = s, .g = s->moves, .r = r, .m = m};
    struct {
        double** where;
        size_t size;
    } const arrays[] = {{&q.vf, m},
                        {&q.v, m},
                        {&q.f, m},
                        {&q.scratch, m},
                        {&q.f_v, 3 * m},
                        {&q.step, r},
                        {&q.matrix, r * r},
                        {&q.here.p, r},
                        {&q.here.residual, r},
                        {&q.here.slope, r * r},
                        {&q.there.p, r},
                        {&q.there.residual, r},
                        {&q.there.slope, r * r},
                        {&q.d_fn, n},
                        {&q.fn_fn, n * n}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i].where = at;
        at += arrays[i].size;
    }
    memcpy(q.vf, s->v0, m * sizeof *q.vf);
    if (s->push) {
        moves_add_twists(q.g, s->push, q.vf);
    }
    return q;
}

// Find decays, and normal forces if they follow. 1: all stick, and `here` closes the stage.
static int find_all(search* q, stage_result* out)
{
    int sticks = 0;
    for (int round = 0; round < FOLLOWS && !out->follows; round++) {
        out->passes += q->passes;
        q->passes = 0;
        sticks = begin(q);
        out->converged = sticks || find_decays(q);
        if (q->stale) {
            evaluate(q, &q->here); // memo and resistances are to tell of it
        }
        out->follows = !q->s->normals || bri_search_follow(q);
    }
    out->passes += q->passes;
    return sticks && out->follows;
}

stage_result bri_stage_run(const stage* s)
{
    search q = search_of(s);
    stage_result found = {0};
    double* p = q.here.p;
    if (!find_all(&q, &found)) {
        close_with(&q, 0, p);
    }
    // with the true damping, unless all contacts together would give energy back
    stage_result r = finish(&q, p, TRUE_DAMPING);
    const int recoils = r.heat < -least_recoil * (r.before + r.after);
    if (r.heat < 0.0) {
        close_with(&q, 1, p);
        r = finish(&q, p, LIMITED_DAMPING);
        r = r.heat < 0.0 ? finish(&q, p, LIMITED_AND_PAID) : r;
    }
    advance(s);
    memcpy(s->v1, q.v, q.m * sizeof *q.v);
    r.passes = found.passes;
    r.converged = found.converged;
    r.follows = found.follows;
    r.recoils = recoils;
    return r;
}

step_slopes bri_stage_slopes(const stage* s)
{
    step_slopes out = {{{0.0}}, {{{0.0}}}, {{{0.0}}}};
    double rest[3] = {0.0}, *at = s->work;
    clear_memos(s);
    for (size_t i = 0; i < s->count; i++) {
        const step_link link = bri_step_link_at(s, i, &at);
        if (presses(link.contact)) {
            const kernel_step pass = pass_of(s, &link, s->v0);
            kernel_force force;
            kernel_linear linear;
            bri_contact_pass(link.model, &pass, &force);
            bri_contact_linear(link.model, &pass, 0, &linear);
            add_contact(&link, force.f, force.f_v, out.f.at, out.tangent.at[0]);
            add_contact(&link, linear.rest, linear.slope, rest, out.secant.at[0]);
        }
    }
    return out;
}
