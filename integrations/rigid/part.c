/*
 * Friction of bodies that touch: one solve of all their contacts.
 *
 *   v1 = v0 + M^-1 (N^T lam + J^T h f)
 *
 * N are the normal rows and those of joints, lam their impulses, J the twists of the pairs, f the friction.
 *
 *   1 v0 is the engine's velocity without its impulses; it still has the last friction
 *   2 lam of the engine's problem, solved to its end: which points press, fn, CoP and patch of each pair
 *   3 v0 without the last friction; free rows held at their targets:
 *       K = N M^-1 N^T + soft,   u = J (v0 + M^-1 N^T lam0),   A = J M^-1 J^T - C^T C,   C = L^-1 N M^-1 J^T
 *   4 f by br_step_group_step()
 *   5 lam again, with this friction. If other rows press, or fn changed by more than 2 %, again from 3 with the same
 *     bristles. If that does not end, the rows of 3 are held, so that friction gains no energy.
 */
#include "internal.h"

#include <math.h>
#include <string.h>

static const double max_change = 0.02; // relative change of normal forces without a further round

static void set_velocities(part* p)
{
    for (int i = 0; i < p->body_count; i++) {
        memcpy(p->engine + 6 * i, p->world->velocity + 6 * p->id[i], 6 * sizeof(double));
    }
    memcpy(p->bare, p->engine, 6 * (size_t)p->body_count * sizeof(double));
}

// The normal velocity that a point has at least: it may close its gap within the step, and a penetration beyond the slop
// is reduced. The velocity that the engine left is not used, unless the point bounces: it has the errors of a solver that
// has not ended, which would make normal forces jump.
double brgi_target(const brg_world* w, double h, const brg_point* q, double engine)
{
    const brg_def* def = &w->def;
    if (q->bounces && q->impulse > 0.0) {
        return fmax(engine, 0.0);
    }
    return (def->correction * fmax(-q->gap - def->slop, 0.0) - fmax(q->gap, 0.0)) / h;
}

// Normal rows.
static void set_points(part* p)
{
    const brg_world* w = p->world;
    normals* s = &p->normals;
    for (int i = 0; i < p->point_count; i++) {
        const brg_point* q = &w->points[p->point[i]];
        const int body[2] = {q->a, q->b};
        row* r = &s->rows[i];
        brgi_row_at(r, p->bodies, w->local, body, q->x, q->n, 1.0, p->h);
        s->target[i] = brgi_target(w, p->h, q, row_velocity(r, p->engine));
        s->lower[i] = 0.0;
        s->upper[i] = HUGE_VAL;
        s->ref[i] = w->lam[p->point[i]];
        s->state[i] = s->ref[i] > 0.0 || q->impulse > 0.0 ? 0 : -1;
        row_push(r, -q->impulse, p->bare);
    }
}

// Rows of joints, limits and motors.
static void set_joints(part* p)
{
    brg_world* w = p->world;
    normals* s = &p->normals;
    for (int k = 0; k < p->extra_count; k++) {
        const int i = p->point_count + k, index = p->extra_index[k];
        const brg_row* q = &p->extra[index];
        const int body[2] = {q->a, q->b};
        double j[2][6];
        memcpy(j[0], q->ja, sizeof j[0]);
        memcpy(j[1], q->jb, sizeof j[1]);
        brgi_row_set(&s->rows[i], p->bodies, w->local, body, j[0]);
        const double impulse = w->row_impulse[index];
        s->target[i] = isnan(q->target)
                           ? row_velocity(&s->rows[i], p->engine) + q->softness * impulse
                           : q->target;
        s->lower[i] = q->lower;
        s->upper[i] = q->upper;
        s->ref[i] = impulse;
        s->state[i] = impulse <= q->lower ? -1 : impulse >= q->upper;
        row_push(&s->rows[i], -impulse, p->bare);
    }
}

// Softness of all rows. That of joints is the engine's own; it acts on the whole impulse.
static void set_softness(part* p)
{
    normals* s = &p->normals;
    for (int i = 0; i < s->count; i++) {
        s->soft[i] = p->world->def.softness * s->mass[i * s->count + i];
        if (i >= p->point_count) {
            const double own = p->extra[p->extra_index[i - p->point_count]].softness;
            s->target[i] -= own * s->ref[i]; // soft (lam - ref) = soft lam - soft ref
            s->soft[i] += own;
        }
    }
}

// Solve the normal rows; 0 if only sweeps ended.
static int solve_normals(part* p, double* v)
{
    const int is_solved = brgi_normals_solve(&p->normals, v) != NORMALS_SWEPT;
    p->world->report.swept += !is_solved;
    return is_solved;
}

// Normal impulses with the last friction in place; fn, CoP and patch of all pairs. Pressing pairs become the first.
static void read_pairs(part* p)
{
    brg_world* w = p->world;
    normals* s = &p->normals;
    memcpy(p->next, p->bare, 6 * (size_t)p->body_count * sizeof(double));
    solve_normals(p, p->next);
    for (int i = 0; i < s->count; i++) {
        s->ref[i] = s->lam[i];
        if (i < p->point_count) {
            w->lam[p->point[i]] = s->lam[i];
        }
    }
    p->n = 0;
    for (int k = 0; k < p->pair_count; k++) {
        contact_pair* pair = p->pairs[k];
        brgi_pair_read(w, pair, p->h, p->bodies);
        for (int i = pair->first; i >= 0; i = w->next[i]) {
            w->owner[i] = pair->is_pressing ? p->n : -1;
        }
        if (pair->is_pressing) {
            p->pairs[k] = p->pairs[p->n];
            p->pairs[p->n++] = pair;
        }
    }
}

// Remove the last friction from the velocity.
static void remove_last(part* p)
{
    const brg_world* w = p->world;
    for (int k = 0; k < p->pair_count; k++) {
        const contact_pair* pair = p->pairs[k];
        const int body[2] = {pair->a, pair->b};
        row r;
        brgi_row_set(&r, p->bodies, w->local, body, pair->last[0]);
        for (int e = 0; e < 2; e++) {
            const int has = r.body[e] >= 0 && (size_t)body[e] < w->applied;
            r.body[e] = has && !p->bodies[body[e]].asleep ? r.body[e] : -1;
        }
        row_push(&r, -w->applied_h, p->bare);
    }
}

static void set_twists(part* p)
{
    const int* local = p->world->local;
    for (int k = 0; k < p->n; k++) {
        contact_pair* pair = p->pairs[k];
        const int body[2] = {pair->a, pair->b};
        const double sign = pair->slider ? 1.0 : -1.0;
        row* J = p->J + 3 * k;
        brgi_row_at(J, p->bodies, local, body, pair->now.cop, pair->t, sign, p->h);
        brgi_row_at(J + 1, p->bodies, local, body, pair->now.cop, pair->s, sign, p->h);
        brgi_row_about(J + 2, p->bodies, local, body, pair->n, sign);
        memcpy(pair->before, pair->z, br_contact_get_state_count(pair->contact) * sizeof *pair->z);
        p->contacts[k] =
            (br_step_contact){.contact = pair->contact, .z = pair->z, .fn = pair->now.fn};
    }
}

// A = J M^-1 J^T - C^T C
static void set_mass(part* p)
{
    const normals* s = &p->normals;
    const int m = 3 * p->n;
    for (int i = 0; i < s->free_count; i++) {
        for (int q = 0; q < m; q++) {
            p->C[q * s->count + i] = row_mass(&s->rows[s->list[i]], &p->J[q]);
        }
    }
    for (int q = 0; q < m; q++) {
        brgi_normals_lower(s, p->C + q * s->count, 1);
    }
    for (int r = 0; r < m; r++) {
        for (int q = 0; q <= r; q++) {
            double x = row_mass(&p->J[r], &p->J[q]);
            const double *a = p->C + r * s->count, *b = p->C + q * s->count;
            for (int i = 0; i < s->free_count; i++) {
                x -= a[i] * b[i];
            }
            p->A[r * m + q] = p->A[q * m + r] = x;
        }
    }
}

static br_twist twist_at(const row* J, const double* v)
{
    return (br_twist){row_velocity(J, v), row_velocity(J + 1, v), row_velocity(J + 2, v)};
}

// Friction with the present rows and normal forces.
static br_status step_friction(part* p, br_step_group_answer* answer)
{
    brg_world* w = p->world;
    memcpy(p->free, p->bare, 6 * (size_t)p->body_count * sizeof(double));
    brgi_normals_hold(&p->normals, p->free);
    set_mass(p);
    for (int k = 0; k < p->n; k++) {
        p->u[k] = twist_at(p->J + 3 * k, p->free);
    }
    const size_t n = (size_t)p->n, size = br_step_group_get_work(p->contacts, n);
    if (!brgi_reserve(&w->work, &w->work_size, size, sizeof *w->work)) {
        return BR_ERR_MEMORY;
    }
    const br_step_group group = {.inverse_mass = p->A};
    *answer = br_step_group_step(&group, p->u, p->h, p->contacts, n, p->f, p->u1, w->work);
    w->report.passes += answer->passes;
    return BR_OK;
}

// next = bare + M^-1 J^T h f
static void push_friction(part* p)
{
    memcpy(p->next, p->bare, 6 * (size_t)p->body_count * sizeof(double));
    for (int k = 0; k < p->n; k++) {
        const double f[3] = {p->f[k].fx, p->f[k].fy, p->f[k].tau};
        for (int q = 0; q < 3; q++) {
            row_push(&p->J[3 * k + q], p->h * f[q], p->next);
        }
    }
}

// Solve normal impulses with this friction; 1 if rows or normal forces changed so much that another round is due.
static int normals_changed(part* p)
{
    normals* s = &p->normals;
    memcpy(p->before, s->state, (size_t)s->count * sizeof *p->before);
    const int is_solved = solve_normals(p, p->next);
    const int changed =
        !is_solved || memcmp(p->before, s->state, (size_t)s->count * sizeof *p->before) != 0;
    double all = 0.0, off = 0.0;
    memset(p->fn, 0, (size_t)p->n * sizeof *p->fn);
    for (int i = 0; i < p->point_count; i++) {
        const int k = p->world->owner[p->point[i]];
        if (k >= 0) {
            p->fn[k] += fmax(s->lam[i], 0.0) / p->h;
        }
    }
    for (int k = 0; k < p->n; k++) {
        off += fabs(p->fn[k] - p->contacts[k].fn);
        all += p->fn[k];
    }
    return changed || off > max_change * all;
}

// Another round: from the same bristles with the new normal forces.
static void restart(part* p)
{
    for (int k = 0; k < p->n; k++) {
        const contact_pair* pair = p->pairs[k];
        memcpy(pair->z, pair->before, br_contact_get_state_count(pair->contact) * sizeof *pair->z);
        p->contacts[k].fn = p->fn[k];
    }
}

static br_status solve_rounds(part* p, br_step_group_answer* answer)
{
    brg_world* w = p->world;
    for (int round = 1;; round++) {
        const br_status status = step_friction(p, answer);
        if (status != BR_OK) {
            return status;
        }
        push_friction(p);
        w->report.rounds++;
        if (round == w->def.rounds) {
            brgi_normals_hold(&p->normals, p->next);
            w->report.unsettled++;
            return BR_OK;
        }
        if (!normals_changed(p)) {
            return BR_OK;
        }
        restart(p);
    }
}

// What the pair keeps for the next step, and shows.
static void store_pair(const part* p, int k)
{
    contact_pair* pair = p->pairs[k];
    const row* J = p->J + 3 * k;
    const br_twist v = twist_at(J, p->next);
    const double f[3] = {p->f[k].fx, p->f[k].fy, p->f[k].tau};
    brg_contact* now = &pair->now;
    memset(pair->last, 0, sizeof pair->last);
    for (int q = 0; q < 3; q++) {
        for (int e = 0; e < 2; e++) {
            for (int i = 0; J[q].body[e] >= 0 && i < 6; i++) {
                pair->last[e][i] += f[q] * J[q].j[e][i];
            }
        }
        now->f[q] = f[q];
        now->n[q] = pair->n[q];
        now->t[q] = pair->t[q];
    }
    now->v[0] = v.vx;
    now->v[1] = v.vy;
    now->v[2] = v.w;
    now->fn = p->contacts[k].fn;
    now->r = br_contact_get_patch_value(pair->contact).r;
    now->slider = pair->slider ? pair->b : pair->a;
    pair->last_fn = now->fn;
    to_body(brgi_slider(pair, p->bodies), now->cop, pair->last_cop);
}

// Energy that friction gave beyond what the bristles held, at the twists that came out [J].
static double gain_of(const part* p, int k)
{
    const contact_pair* pair = p->pairs[k];
    const br_wrench f = p->f[k];
    const double* v = pair->now.v;
    const double fn = p->contacts[k].fn;
    return p->h * (f.fx * v[0] + f.fy * v[1] + f.tau * v[2]) +
           br_contact_stored(pair->contact, pair->z, fn) -
           br_contact_stored(pair->contact, pair->before, fn);
}

static void store(part* p, const br_step_group_answer* answer)
{
    brg_world* w = p->world;
    double gain = 0.0;
    for (int k = 0; k < p->n; k++) {
        store_pair(p, k);
        gain += gain_of(p, k);
    }
    for (int k = p->n; k < p->pair_count; k++) {
        brgi_pair_reset(p->pairs[k]);
    }
    for (int k = 0; k < p->extra_count; k++) {
        w->row_impulse[p->extra_index[k]] = p->normals.lam[p->point_count + k];
    }
    for (int i = 0; i < p->body_count; i++) {
        memcpy(w->velocity + 6 * p->id[i], p->next + 6 * i, 6 * sizeof(double));
    }
    w->report.gain = fmax(w->report.gain, gain);
    w->report.stored += answer->energy.stored;
    w->report.dissipated += answer->energy.dissipated;
    w->report.work += answer->energy.work;
    w->report.unconverged += p->n > 0 && !answer->converged;
    w->report.rows += p->normals.count;
    w->report.contacts += p->n;
}

br_status brgi_part_solve(part* p)
{
    br_step_group_answer answer = {0};
    set_velocities(p);
    set_points(p);
    set_joints(p);
    brgi_normals_set_mass(&p->normals);
    set_softness(p);
    read_pairs(p);
    remove_last(p);
    set_twists(p);
    if (p->n == 0) { // no friction: normal impulses alone, without the last friction
        memcpy(p->next, p->bare, 6 * (size_t)p->body_count * sizeof(double));
        solve_normals(p, p->next);
    } else {
        const br_status status = solve_rounds(p, &answer);
        if (status != BR_OK) {
            return status;
        }
    }
    store(p, &answer);
    return BR_OK;
}
