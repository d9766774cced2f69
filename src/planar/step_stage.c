/*
 * One implicit stage of any number of contacts.
 *
 *   V = Vf - h A sum J^T n fn F(J V),    Vf = V0 + h A load
 *
 * V are the twists: one that all contacts of a body share, or one for each contact of a group. A contact whose
 * ground moves with the twist g resists V - g. F is a contact's resistance per normal force, J takes its twist to the bristles' axes at the CoP, n counts
 * contacts that share a state. With A = G G^T and V = Vf + G p the unknowns are p, as many as A's rank,
 *
 *   rho(p) = p + h G^T sum J^T n fn F(J V) = 0,
 *
 * in which lengths are those of the masses: |rho|^2/2 is an energy.
 *
 * Newton finds the decays x = h kappa of the bristles. Where friction falls with speed (Stribeck) there may
 * be several roots, and places without a root where |rho| is least. But rho is nearly the gradient of a
 * potential over p, its slope nearly symmetric, and the bodies end in a minimum of it. So a step of Newton's that
 * leads uphill, to a saddle or a top, is turned round; and a step is taken if it leaves less residual or
 * still leads downhill at its end. That crosses the hump of the Stribeck curve.
 *
 * Then the decays are frozen, and the damping that the speed leaves with them, F = C v + c, and
 *
 *   (1 + h G^T (sum n fn J^T C J) G) p = -h G^T sum n fn J^T (C J Vf + c)
 *
 * closes the step. Its energy balance holds for any x >= 0, converged or not.
 *
 * Normal forces that follow friction within a step, as in a wedge, are fn = fn_free - N R, R = fn F the
 * resistances. With the decays' law as it is where the search ended, Newton on g(fn) = fn - fn_free + N R(fn),
 * in which the twists follow, too:
 *
 *   dR/dfn_k = F_k + K G dp/dfn_k,    rho'(p) dp/dfn_k = -h G^T F_k,    F_k = R_k/fn_k
 */
#include "planar/step_stage.h"

#include "planar/contact_reduced.h"

enum { TRIES = 12, REFINEMENTS = 2, FOLLOWS = 8 };

// How exactly Newton finds the velocity: relative to the smallest of the contact's own speeds
// mu_c/(sigma0 h), v_s and v_d, and to the velocity itself. Ten times as much leaves the errors of docs/explanation/steps.md as they
// are, and saves 3 % of the passes. A test of derivatives by differences tightens it.
#ifndef STAGE_TOLERANCE
#define STAGE_TOLERANCE 1e-7
#endif
static const double tolerance_of_law = STAGE_TOLERANCE, tolerance_of_speed = 1e-2 * STAGE_TOLERANCE;

// Of all normal forces, how exactly they follow: 1e-3 makes sliding 0.2 % wrong. The same test tightens it. And by how much
// one may change in a round: a wedge near locking overshoots.
#ifndef STAGE_NORMALS
#define STAGE_NORMALS 1e-6
#endif
static const double tolerance_of_normals = STAGE_NORMALS, most_change = 5.0;

// A stage recoils that would give back more than this part of what its bristles store. Rounding is far
// below, the debts of the published reduced law are at most 7e-3, those of an impulse 1 and more.
static const double least_recoil = 1e-2;

// A point p of the search, and the bristles' answer there.
typedef struct point {
    double* p;        // (r)
    double* residual; // rho (r)
    double* slope;    // of the residual with p (r x r)
    double norm;      // |residual|
    sticking sticks;  // what the bristles do there
} point;

// A stage while it is computed.
typedef struct search {
    const stage* s;
    moves g;           // the stage's
    size_t r, m;       // unknowns, numbers in all twists
    double* vf;        // twists without friction (m)
    double* v;         // twists (m)
    double* f;         // resistances, of the twists' contacts together (m)
    double* scratch;   // (m)
    double* f_v;       // their slopes with the twists, or C of the closing solve (3 m)
    double* step;      // of p (r)
    double* matrix;    // scratch (r x r)
    point here, there; // where the search is, and where it looks
    int stale;         // decay_cache, f and f_v are those of another point than `here`
    int passes;
    double* d_fn;  // change of the normal forces (n)
    double* fn_fn; // slopes of the normal forces' residual (n x n)
} search;

static double* next_block(double** at, size_t size)
{
    double* taken = *at;
    *at += size;
    return taken;
}

static point point_of(double** at, size_t r)
{
    return (point){
        .p = next_block(at, r), .residual = next_block(at, r), .slope = next_block(at, r * r)};
}

// A search over the stage's memory, at its start.
static search search_of(const stage* s)
{
    const size_t m = 3 * s->moves.twists, r = s->moves.r, n = s->fn_f ? s->count : 0;
    double* at = s->algebra;
    const search q = {.s = s,
                      .g = s->moves,
                      .r = r,
                      .m = m,
                      .vf = next_block(&at, m),
                      .v = next_block(&at, m),
                      .f = next_block(&at, m),
                      .scratch = next_block(&at, m),
                      .f_v = next_block(&at, 3 * m),
                      .step = next_block(&at, r),
                      .matrix = next_block(&at, r * r),
                      .here = point_of(&at, r),
                      .there = point_of(&at, r),
                      .d_fn = next_block(&at, n),
                      .fn_fn = next_block(&at, n * n)};
    memcpy(q.vf, s->v0, m * sizeof *q.vf);
    if (s->push) {
        moves_add_twists(q.g, s->push, q.vf);
    }
    return q;
}

// J v, v all twists
static vector3 twist_at_cop(const contact_cursor* link, const double* v)
{
    const double* own = v + 3 * link->twist;
    return mat3_apply(&link->jacobian, (vector3){{own[0], own[1], own[2]}});
}

// J g, g the ground's twist
static vector3 ground_at_cop(const contact_cursor* link)
{
    return mat3_apply(&link->jacobian, vector_of(link->contact->ground));
}

// J (v - g)
static vector3 slip_at_cop(const contact_cursor* link, const double* v)
{
    return vector3_mix(1.0, twist_at_cop(link, v), -1.0, ground_at_cop(link));
}

static kernel_step pass_of(const stage* s, const contact_cursor* link, const double* v)
{
    const vector3 at = slip_at_cop(link, v);
    return (kernel_step){link->z, {at.at[0], at.at[1], at.at[2]}, s->h, link->decay_cache};
}

// v = Vf + G p
static void velocity_at(const search* q, const double* p)
{
    memcpy(q->v, q->vf, q->m * sizeof *q->v);
    MOVES_CALL(moves_add_twists, q->g, p, q->v);
}

// Add w J^T f, w J^T f_v J of a contact to the resistance (3) and the slope (3 x 3) of its twist.
static void add_contact(const contact_cursor* link, const kernel_force* of, double* sum_f,
                        double* sum_f_v)
{
    vector3 force;
    mat3 slope, sum;
    memcpy(force.at, of->f, sizeof force.at);
    memcpy(slope.at, of->f_v, sizeof slope.at);
    memcpy(sum.at, sum_f_v, sizeof sum.at);
    force = mat3_apply_transposed(&link->jacobian, force);
    mat3_add_congruent(&sum, link->weight, &link->jacobian, &slope);
    add(sum_f, link->weight, force.at, 3);
    memcpy(sum_f_v, sum.at, sizeof sum.at);
}

// Frozen decays give F = C (v - J g) + c: the rest is c - C J g.
static void add_ground(const contact_cursor* link, kernel_force* out)
{
    const vector3 g = ground_at_cop(link);
    for (int i = 0; i < 3; i++) {
        out->f[i] -= dot(out->f_v[i], g.at, 3);
    }
}

sticking bri_stage_resist(const stage* s, const double* v, resisting how, double* f, double* f_v)
{
    int elastic = 1, follows = 1;
    memset(f, 0, 3 * s->moves.twists * sizeof *f);
    memset(f_v, 0, 9 * s->moves.twists * sizeof *f_v);
    for (contact_cursor l = no_link; bri_link_next(s, &l);) {
        if (link_presses(&l)) {
            const kernel_step pass = pass_of(s, &l, v);
            kernel_force out = {.elastic = 1, .follows = 1};
            bri_link_resist(&l, &pass, how, &out);
            if (how != BY_LAW) {
                add_ground(&l, &out);
            }
            add_contact(&l, &out, f + 3 * l.twist, f_v + 9 * l.twist);
            elastic &= out.elastic;
            follows &= out.follows;
        }
    }
    return !elastic ? SOME_DECAY : follows ? ALL_FOLLOW : NONE_DECAYS;
}

// A pass over all bristles at at->p.
static void evaluate(search* q, point* at)
{
    const double h = q->s->h;
    velocity_at(q, at->p);
    at->sticks = bri_stage_resist(q->s, q->v, BY_LAW, q->f, q->f_v);
    MOVES_CALL(moves_residual, q->g, h, q->f, at->p, at->residual);
    MOVES_CALL(moves_slope, q->g, h, q->f_v, at->slope);
    at->norm = length_of(at->residual, q->r);
    q->stale = at != &q->here;
    q->passes++;
}

// The closing solve with the decays of decay_cache, refined so that the balance of energy is exact: `here`.
static void close_with(search* q, resisting how)
{
    double* rest = q->scratch;
    bri_stage_resist(q->s, q->vf, how, rest, q->f_v);
    MOVES_CALL(moves_close, q->g, q->s->h, q->f_v, rest, q->vf, REFINEMENTS, q->here.p, q->v, q->f,
               q->step, q->matrix);
}

// A contact's speed from its twist at the CoP, with its spin as a speed.
static double speed_of(const contact_cursor* link, vector3 at)
{
    at.at[2] *= sqrt(link->model->value.u);
    return vector3_norm(at);
}

// Is q->step from here too small to matter to any contact?
static int is_small(search* q)
{
    const stage* s = q->s;
    double* dv = q->scratch;
    velocity_at(q, q->here.p);
    memset(dv, 0, q->m * sizeof *dv);
    MOVES_CALL(moves_add_twists, q->g, q->step, dv);
    for (contact_cursor l = no_link; bri_link_next(s, &l);) {
        const br_law* law = &l.model->def.law;
        const double v_d = law->v_damping > 0.0 ? law->v_damping : HUGE_VAL;
        const double own = fmin(law->mu_c / (law->sigma0 * s->h), fmin(law->v_stribeck, v_d));
        const double enough =
            tolerance_of_law * own + tolerance_of_speed * speed_of(&l, slip_at_cop(&l, q->v));
        if (link_presses(&l) && !(speed_of(&l, twist_at_cop(&l, dv)) <= enough)) {
            return 0;
        }
    }
    return 1;
}

static int is_spent(const search* q)
{
    return q->passes >= q->s->passes;
}

// Go there: what was found there is now `here`.
static void move_there(search* q)
{
    const point kept = q->here;
    q->here = q->there;
    q->there = kept;
    q->stale = 0;
}

// Is it better there, a part of q->step away: is less residual left, or does the step still lead downhill?
// It may lead up again a little, or Newton would creep to the bottom from one side.
static int is_better(const search* q, double part)
{
    const double slope = dot(q->here.residual, q->step, q->r);
    return q->there.norm < (1.0 - 0.1 * part) * q->here.norm ||
           dot(q->there.residual, q->step, q->r) <= 0.5 * fabs(slope);
}

// Go along q->step, all of it or half as far, and so on; 0 if it is never better.
static int line_search(search* q)
{
    double part = 1.0;
    for (int i = 0; i < TRIES && !is_spent(q); i++, part *= 0.5) {
        memcpy(q->there.p, q->here.p, q->r * sizeof *q->there.p);
        add(q->there.p, part, q->step, q->r);
        evaluate(q, &q->there);
        if (is_better(q, part)) {
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
    const double sign = dot(q->here.residual, q->step, q->r) < 0.0 ? 1.0 : -1.0;
    for (size_t j = 0; j < q->r; j++) {
        q->step[j] *= sign;
    }
}

// Find the decays from where the search is; 1 if Newton came to its end.
static int find_decays(search* q)
{
    do {
        newton_step(q);
        if (is_small(q)) {
            return 1;
        }
    } while (line_search(q));
    return 0;
}

// Do all contacts stick at `here`, which was found as if they did? Then it closes the stage, and needs no pass. Normal
// forces that follow need the resistances of a pass.
static int all_stick(search* q)
{
    if (q->s->fn_f) {
        return 0;
    }
    velocity_at(q, q->here.p);
    for (contact_cursor l = no_link; bri_link_next(q->s, &l);) {
        if (link_presses(&l)) {
            const kernel_step pass = pass_of(q->s, &l, q->v);
            if (!bri_link_sticks(&l, &pass)) {
                return 0;
            }
        }
    }
    return 1;
}

// Start where the residual is smaller: as if all stuck, or with the twists as they were. 1: all stick.
static int choose_start(search* q)
{
    bri_step_clear_memos(q->s);
    close_with(q, ELASTIC);
    if (all_stick(q)) {
        q->passes++;
        return 1;
    }
    evaluate(q, &q->here);
    // Newton from where none decays needs no other start
    if (q->here.sticks != SOME_DECAY || is_spent(q)) {
        return q->here.sticks == ALL_FOLLOW;
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

// -g into d_fn, 0 where a contact is open; 1 if that is small.
static int is_followed(search* q)
{
    const stage* s = q->s;
    double all = 0.0, off = 0.0;
    for (size_t k = 0; k < s->count; k++) {
        const double fn = s->contacts[k].fn;
        const double follows = s->fn_free[k] - dot(s->fn_f + k * q->m, q->f, q->m);
        q->d_fn[k] = fn > 0.0 ? follows - fn : 0.0;
        off += fabs(q->d_fn[k]);
        all += fn;
    }
    return !(off > tolerance_of_normals * all);
}

// How all resistances R (m) change with the normal force of contact k, the twists following: into q->v.
static void resistances_by_fn(search* q, size_t k)
{
    const stage* s = q->s;
    const double fn = s->contacts[k].fn;
    memset(q->step, 0, q->r * sizeof *q->step);
    for (size_t i = 3 * k; i < 3 * k + 3; i++) {
        add(q->step, -s->h * q->f[i] / fn, q->g.root + i * q->g.stride, q->r);
    }
    memcpy(q->matrix, q->here.slope, q->r * q->r * sizeof *q->matrix);
    lu_solve_once(q->matrix, q->r, q->step);
    memset(q->scratch, 0, q->m * sizeof *q->scratch);
    moves_add_twists(q->g, q->step, q->scratch);
    for (size_t i = 0; i < q->m; i++) {
        const double own = i / 3 == k ? q->f[i] / fn : 0.0;
        q->v[i] = own + dot(q->f_v + 3 * i, q->scratch + i / 3 * 3, 3);
    }
}

// Set normal forces that follow what friction was found to be; 1 if they do so already.
static int follow(search* q)
{
    const stage* s = q->s;
    const size_t n = s->count;
    if (is_followed(q)) {
        return 1;
    }
    memset(q->fn_fn, 0, n * n * sizeof *q->fn_fn);
    for (size_t k = 0; k < n; k++) {
        if (s->contacts[k].fn > 0.0) {
            resistances_by_fn(q, k);
            for (size_t i = 0; i < n; i++) {
                q->fn_fn[i * n + k] = dot(s->fn_f + i * q->m, q->v, q->m);
            }
        }
        q->fn_fn[k * n + k] += 1.0;
    }
    lu_solve_once(q->fn_fn, n, q->d_fn);
    for (size_t k = 0; k < n; k++) {
        double* fn = &s->contacts[k].fn;
        *fn = fmin(fmax(*fn + q->d_fn[k], *fn / most_change), *fn * most_change);
    }
    return 0;
}

// Find decays, and normal forces if they follow. 1: all stick, and `here` closes the stage.
static int find_all(search* q, stage_result* out)
{
    int sticks = 0;
    for (int round = 0; round < FOLLOWS && !out->follows; round++) {
        out->passes += q->passes;
        q->passes = 0;
        sticks = choose_start(q);
        out->converged = sticks || find_decays(q);
        if (q->stale) {
            evaluate(q, &q->here); // decay_cache and resistances must be those of it
        }
        out->follows = !q->s->fn_f || follow(q);
    }
    out->passes += q->passes;
    return sticks && out->follows;
}

// Does the guard of a reduced contact act?
static int is_guarded(const contact_cursor* link)
{
    return contact_is_reduced(link->model) && link->model->def.guard;
}

// Pay a reduced contact's debt from what it stores: zeta1 sqrt(1 + D/W1). 0: it does not store so much.
static int pay(const contact_cursor* link, double h, kernel_closed* closed)
{
    const double left = closed->after + h * closed->heat, rest = fmax(left, 0.0);
    const double scale = closed->after > 0.0 ? sqrt(rest / closed->after) : 0.0;
    for (size_t i = 0; i < link->states; i++) {
        link->z1[i] *= scale;
    }
    closed->heat += (closed->after - rest) / h;
    closed->after = rest;
    return left >= 0.0;
}

// What is done with a stage that is closed.
typedef enum closing { TRUE_DAMPING, LIMITED_DAMPING, LIMITED_AND_PAID } closing;

// Close a pressing contact at the twists q->v, and add its energies.
static void close_contact(const search* q, const contact_cursor* l, closing how, stage_result* sum)
{
    const br_contact* model = l->model;
    const double h = q->s->h, w = l->weight;
    const kernel_step pass = pass_of(q->s, l, q->v);
    kernel_closed closed;
    bri_link_close(l, &pass, how != TRUE_DAMPING, &closed);
    if (how == LIMITED_AND_PAID && is_guarded(l) && closed.heat < 0.0) {
        sum->broke |= !pay(l, h, &closed);
        sum->paid = 1;
    }
    const double *f = closed.f, *v = pass.v;
    sum->heat += w * h * closed.heat;
    sum->before += w * closed.before;
    sum->after += w * closed.after;
    const vector3 g = ground_at_cop(l);
    sum->friction += w * h * (f[0] * v[0] + f[1] * v[1] + f[2] * v[2]);
    sum->ground -= w * h * dot(f, g.at, 3);
    l->contact->f = contact_wrench(model, f, l->contact->fn);
}

// Close every contact where the search is: new states into z1, forces, energies.
static void finish(const search* q, closing how, stage_result* r)
{
    const stage* s = q->s;
    r->heat = r->before = r->after = r->friction = r->ground = 0.0;
    r->broke = 0;
    velocity_at(q, q->here.p);
    for (contact_cursor l = no_link; bri_link_next(s, &l);) {
        if (link_presses(&l)) {
            close_contact(q, &l, how, r);
        } else {
            memset(l.z1, 0, l.states * sizeof *l.z1); // nothing was stored
            l.contact->f = (br_wrench){0.0, 0.0, 0.0};
        }
    }
}

// Close with damping that is limited; what reduced contacts still owe is paid from what they store. Where that
// is not enough their bristles follow the body, y = S v, for which the balance of the closing solve has no debt.
static void close_guarded(search* q, stage_result* r)
{
    close_with(q, FROZEN_AND_LIMITED);
    finish(q, LIMITED_DAMPING, r);
    if (r->heat < 0.0) {
        finish(q, LIMITED_AND_PAID, r);
    }
    if (r->heat < 0.0 && r->broke) {
        for (contact_cursor l = no_link; bri_link_next(q->s, &l);) {
            if (is_guarded(&l)) {
                bri_reduced_follow_body(l.decay_cache);
            }
        }
        close_with(q, FROZEN_AND_LIMITED);
        finish(q, LIMITED_AND_PAID, r);
    }
}

// Does the damping of a contact fade? Then bristles that stick have another one at the twist that was found than
// at rest, where it was found.
static int some_fade(const stage* s)
{
    int some = 0;
    for (size_t i = 0; i < s->count; i++) {
        some |= s->contacts[i].contact->law.per_d2 > 0.0;
    }
    return some;
}

stage_result bri_stage_run(const stage* s)
{
    search q = search_of(s);
    stage_result r = {0};
    const int sticks = find_all(&q, &r), fades = some_fade(s);
    if (s->newton) {
        velocity_at(&q, q.here.p);
        memcpy(s->newton, q.v, q.m * sizeof *q.v);
    }
    r.stuck = sticks && fades;
    if (!sticks || fades) {
        close_with(&q, FROZEN);
    }
    // with the true damping, unless all contacts together would give energy back
    finish(&q, TRUE_DAMPING, &r);
    r.recoils = r.heat < -least_recoil * (r.before + r.after);
    r.limited = r.heat < 0.0;
    if (r.limited) {
        close_guarded(&q, &r);
    }
    for (contact_cursor l = no_link; bri_link_next(s, &l);) {
        memcpy(l.end, l.z1, l.states * sizeof *l.end);
    }
    memcpy(s->v1, q.v, q.m * sizeof *q.v);
    return r;
}
