/*
 * A step of MuJoCo with friction by bristle.
 *
 *   M a = forces + J^T f + Jc^T fc,    v1 = v + h E a,    E = (M + h B)^-1 M  (damped joints, mj_Euler)
 *
 * fc are MuJoCo's constraint forces, including normal forces, f the friction of the pairs, J (3n x nv) the
 * Jacobian of their twists. An active constraint row has the force D (aref - Jc a), so that
 * friction changes the acceleration by
 *
 *   H a' = J^T f',    H = M + sum D Jc^T Jc over active rows,
 *
 * and the twists by h A f' with A = J E H^-1 J^T. The twists without friction are u = J (v + h E (a0 - H^-1 J^T f0)),
 * a0 the acceleration of a solve with the friction f0 of the last step: its normal forces are nearly right, while
 * those without friction are not (a wedge, a pinch).
 *
 * After the group's step a = a0 + H^-1 (J^T f - J^T f0), if no row becomes active or inactive; else MuJoCo solves
 * again. If normal forces changed by more than 2 %, friction is computed again, from the same bristles.
 * hold.c handles pairs that pressed in the last step and do not in the first solve of this one.
 */
#include "adapter.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 4 };

static const double max_change = 0.02; // relative change of normal forces without a further round

const mjtNum* brmi_row(const mjModel* m, const mjData* d, int i, mjtNum* row)
{
    if (!mj_isSparse(m)) {
        return d->efc_J + (size_t)i * (size_t)m->nv;
    }
    mju_zero(row, m->nv);
    for (int k = 0; k < d->efc_J_rownnz[i]; k++) {
        const int at = d->efc_J_rowadr[i] + k;
        row[d->efc_J_colind[at]] = d->efc_J[at];
    }
    return row;
}

// H += w x y^T, lower half
static void add_rows(mjtNum* H, int nv, mjtNum w, const mjtNum* x, const mjtNum* y)
{
    for (int a = 0; a < nv; a++) {
        const mjtNum wx = w * x[a];
        for (int b = 0; wx != 0.0 && b <= a; b++) {
            H[a * nv + b] += wx * y[b];
        }
    }
}

// Add the Hessian of the cone of a sliding contact with MuJoCo's own friction: it is not diagonal.
static void add_cone(const mjModel* m, const mjData* d, brm_adapter* a, int id)
{
    const mjContact* c = &d->contact[id];
    for (int p = 0; p < c->dim; p++) {
        for (int q = 0; q < c->dim; q++) {
            const mjtNum* x = brmi_row(m, d, c->efc_address + p, a->row);
            mju_copy(a->free, x, m->nv);
            const mjtNum* y = brmi_row(m, d, c->efc_address + q, a->row);
            add_rows(a->hessian, m->nv, c->H[p * c->dim + q], a->free, y);
        }
    }
}

// Factor H, and M + h B if joints are damped. mju_cholFactor() reads the lower half.
void brmi_factor(const mjModel* m, const mjData* d, brm_adapter* a)
{
    const int nv = m->nv;
    mj_fullM(m, a->hessian, d->qM);
    if (a->is_damped) {
        mju_copy(a->euler, a->hessian, nv * nv);
        for (int i = 0; i < nv; i++) {
            a->euler[i * nv + i] += m->opt.timestep * m->dof_damping[i];
        }
        mju_cholFactor(a->euler, nv, mjMINVAL);
    }
    for (int i = 0; i < d->nefc; i++) {
        if (d->efc_state[i] == mjCNSTRSTATE_QUADRATIC) {
            const mjtNum* x = brmi_row(m, d, i, a->row);
            add_rows(a->hessian, nv, d->efc_D[i], x, x);
        } else if (d->efc_state[i] == mjCNSTRSTATE_CONE) {
            add_cone(m, d, a, d->efc_id[i]);
            i += d->contact[d->efc_id[i]].dim - 1;
        }
    }
    mju_cholFactor(a->hessian, nv, mjMINVAL);
}

// out = E x = x - (M + h B)^-1 h B x
static void euler(const mjModel* m, const brm_adapter* a, const mjtNum* x, mjtNum* out)
{
    mju_copy(out, x, m->nv);
    if (a->is_damped) {
        for (int i = 0; i < m->nv; i++) {
            a->row[i] = m->opt.timestep * m->dof_damping[i] * x[i];
        }
        mju_cholSolve(a->row, a->euler, a->row, m->nv);
        mju_subFrom(out, a->row, m->nv);
    }
}

// Add the rows of a body's motion at the link's CoP to J: two tangents, the spin about the normal.
static void add_body(const mjModel* m, const mjData* d, const link* l, int which, mjtNum* scratch,
                     mjtNum* J)
{
    const int nv = m->nv;
    const mjtNum *n = l->now.frame, *x = n + 3, *y = n + 6, sign = which == 1 ? 1.0 : -1.0;
    if (m->body_weldid[l->body[which]] == 0) {
        return; // fixed to the world
    }
    mjtNum *p = scratch, *r = scratch + 3 * nv;
    mj_jac(m, d, p, r, l->now.cop, l->body[which]);
    for (int i = 0; i < nv; i++) {
        const mjtNum v[3] = {p[i], p[nv + i], p[2 * nv + i]};
        const mjtNum w[3] = {r[i], r[nv + i], r[2 * nv + i]};
        J[i] += sign * mju_dot3(x, v);
        J[nv + i] += sign * mju_dot3(y, v);
        J[2 * nv + i] += sign * mju_dot3(n, w);
    }
}

// Compute J, Y = H^-1 J^T and X = E Y, with the last friction in the last row.
static void compute_responses(const mjModel* m, const mjData* d, brm_adapter* a)
{
    const int nv = m->nv, rows = 3 * (int)a->n;
    mju_zero(a->J, rows * nv);
    for (size_t k = 0; k < a->n; k++) {
        const link* l = &a->links[a->pressing[k]];
        add_body(m, d, l, 0, a->body, a->J + 3 * k * (size_t)nv);
        add_body(m, d, l, 1, a->body, a->J + 3 * k * (size_t)nv);
    }
    mju_copy(a->J + rows * nv, a->friction, nv);
    brmi_factor(m, d, a);
    for (int q = 0; q <= rows; q++) {
        mju_cholSolve(a->Y + q * nv, a->hessian, a->J + q * nv, nv);
        euler(m, a, a->Y + q * nv, a->X + q * nv);
    }
}

// Compute A, u and the contacts of the group.
static void set_up_group(const mjModel* m, const mjData* d, brm_adapter* a)
{
    const int nv = m->nv, rows = 3 * (int)a->n;
    const mjtNum h = m->opt.timestep;
    euler(m, a, d->qacc, a->free);
    for (int i = 0; i < nv; i++) {
        a->free[i] = d->qvel[i] + h * (a->free[i] - a->X[rows * nv + i]);
    }
    for (int p = 0; p < rows; p++) {
        for (int q = 0; q < rows; q++) {
            a->inverse_mass[p * rows + q] = mju_dot(a->J + p * nv, a->X + q * nv, nv);
        }
    }
    for (size_t k = 0; k < a->n; k++) {
        link* l = &a->links[a->pressing[k]];
        const mjtNum* J = a->J + 3 * k * (size_t)nv;
        a->u[k] = (br_twist){mju_dot(J, a->free, nv), mju_dot(J + nv, a->free, nv),
                             mju_dot(J + 2 * nv, a->free, nv)};
        a->contacts[k] =
            (br_step_contact){.contact = brmi_contact_now(l, l->contact, l->at_force_memory),
                              .z = l->z,
                              .fn = l->now.fn};
    }
}

// Allocate the workspace of the group; 0 on failure.
static int reserve_work(brm_adapter* a)
{
    const size_t size = br_step_group_get_work(a->contacts, a->n);
    if (size > a->work_size) {
        br_release(a->work);
        a->work = br_allocate(size, sizeof *a->work);
        a->work_size = a->work ? size : 0;
    }
    return a->work != NULL;
}

// Compute the friction of all links with normal force: a->f, and as generalised forces `out` (nv).
static void step_group(const mjModel* m, brm_adapter* a, int follows, mjtNum* out)
{
    const int nv = m->nv;
    mju_zero(out, nv);
    if (a->n == 0 || !reserve_work(a)) {
        return;
    }
    const br_step_group group = {
        .inverse_mass = a->inverse_mass, .fn_f = follows ? a->fn_f : NULL, .fn_free = a->fn_free};
    const br_step_group_answer r =
        br_step_group_step(&group, a->u, m->opt.timestep, a->contacts, a->n, a->f, a->u1, a->work);
    a->report.passes += r.passes;
    a->report.converged = r.converged;
    a->report.energy = r.energy;
    for (size_t k = 0; k < a->n; k++) {
        const mjtNum* J = a->J + 3 * k * (size_t)nv;
        mju_addToScl(out, J, a->f[k].fx, nv);
        mju_addToScl(out, J + nv, a->f[k].fy, nv);
        mju_addToScl(out, J + 2 * nv, a->f[k].tau, nv);
    }
}

// Whether a row keeps its state at an acceleration where Jc a is `at`. If so, sets its force.
static int row_stays(mjData* d, int i, mjtNum at)
{
    const mjtNum off = at - d->efc_aref[i];
    const int type = d->efc_type[i], is_active = d->efc_state[i] == mjCNSTRSTATE_QUADRATIC;
    if (type == mjCNSTR_EQUALITY) {
        d->efc_force[i] = -d->efc_D[i] * off;
        return 1;
    }
    const int is_one_sided = type == mjCNSTR_LIMIT_JOINT || type == mjCNSTR_LIMIT_TENDON ||
                             type == mjCNSTR_CONTACT_FRICTIONLESS ||
                             type == mjCNSTR_CONTACT_PYRAMIDAL;
    if (!is_one_sided || is_active != (off < 0.0)) {
        return 0;
    }
    d->efc_force[i] = is_active ? -d->efc_D[i] * off : 0.0;
    return 1;
}

// Update a = a0 + H^-1 (J^T f - last friction); returns 0 if a row becomes active or inactive.
static int follow(const mjModel* m, mjData* d, brm_adapter* a, const mjtNum* friction)
{
    const int nv = m->nv, rows = 3 * (int)a->n;
    mjtNum* next = a->free;
    mju_sub(next, d->qacc, a->Y + rows * nv, nv);
    for (size_t k = 0; k < a->n; k++) {
        const mjtNum f[3] = {a->f[k].fx, a->f[k].fy, a->f[k].tau};
        for (int i = 0; i < 3; i++) {
            mju_addToScl(next, a->Y + (3 * (int)k + i) * nv, f[i], nv);
        }
    }
    mj_mulJacVec(m, d, a->constraints, next);
    for (int i = 0; i < d->nefc; i++) {
        if (!row_stays(d, i, a->constraints[i])) {
            return 0;
        }
    }
    mju_copy(d->qacc, next, nv);
    mju_copy(d->qacc_warmstart, next, nv);
    mju_addTo(d->qfrc_smooth, friction, nv);
    mju_subFrom(d->qfrc_smooth, a->friction, nv);
    mj_mulM(m, d, d->qfrc_constraint, next);
    mju_subFrom(d->qfrc_constraint, d->qfrc_smooth, nv);
    return 1;
}

static void solve(const mjModel* m, mjData* d, brm_adapter* a, const mjtNum* friction)
{
    mju_add(d->qfrc_applied, a->applied, friction, m->nv);
    mj_fwdAcceleration(m, d);
    mj_fwdConstraint(m, d);
    a->report.solves++;
}

// Whether the normal forces of the pairs differ by more than max_change from those that friction was computed with.
static int normals_changed(const mjData* d, const brm_adapter* a)
{
    double all = 0.0, off = 0.0;
    for (size_t i = 0; i < a->count; i++) {
        double fn = 0.0;
        for (int c = 0; c < d->ncon; c++) {
            const int row = d->contact[c].efc_address;
            fn += a->owner[c] == (int)i && row >= 0 ? d->efc_force[row] : 0.0;
        }
        off += fabs(fn - a->links[i].now.fn);
        all += fn;
    }
    return off > max_change * all;
}

// Save the bristles before the step.
static void keep_bristles(brm_adapter* a)
{
    for (size_t k = 0; k < a->n; k++) {
        const link* l = &a->links[a->pressing[k]];
        memcpy(l->before, l->z, br_contact_get_state_count(l->contact) * sizeof *l->z);
    }
}

// Restore the saved bristles.
static void restore_bristles(brm_adapter* a)
{
    for (size_t k = 0; k < a->n; k++) {
        const link* l = &a->links[a->pressing[k]];
        memcpy(l->z, l->before, br_contact_get_state_count(l->contact) * sizeof *l->z);
    }
}

// Compute friction, and with it the acceleration and the constraint forces of the step.
static void solve_friction(const mjModel* m, mjData* d, brm_adapter* a)
{
    mjtNum* friction = a->next;
    int tried = 0; // 1: brmi_hold() was tried
    for (a->report.rounds = 1;; a->report.rounds++) {
        const int holds = !tried && brmi_hold(m, d, a);
        tried |= holds;
        brmi_read_contacts(d, a);
        if (!brmi_reserve(a, a->n)) {
            a->n = 0; // without memory there is no friction
        }
        keep_bristles(a);
        compute_responses(m, d, a);
        set_up_group(m, d, a);
        if (holds) {
            brmi_normals(m, d, a);
        }
        step_group(m, a, holds, friction);
        brmi_hold_none(a);
        if (holds || !follow(m, d, a, friction)) {
            solve(m, d, a, friction);
        }
        mju_copy(a->friction, friction, m->nv);
        if (!holds && (a->report.rounds >= ROUNDS || !normals_changed(d, a))) {
            break;
        }
        restore_bristles(a);
    }
}

// Store the results of the pairs, and reset the bristles of those without normal force.
static void store_results(brm_adapter* a)
{
    for (size_t i = 0; i < a->count; i++) {
        link* l = &a->links[i];
        if (!l->now.touches) {
            l->now = (brm_contact){0};
            brmi_reset_bristles(l);
        }
    }
    for (size_t k = 0; k < a->n; k++) {
        link* l = &a->links[a->pressing[k]];
        l->now.contact = a->contacts[k].contact;
        l->now.z = l->z;
        l->now.patch = br_contact_get_patch_value(l->now.contact);
        l->now.f = a->f[k];
        l->now.v = a->u1[k];
        l->last_fn = l->now.fn;
    }
    a->report.contacts = a->n;
}

void brm_step(const mjModel* m, mjData* d, brm_adapter* a)
{
    a->report = (brm_report){.converged = 1};
    mj_step1(m, d);
    if (!brmi_reserve_scene(a, d)) {
        mj_step2(m, d); // without memory there is no friction
        return;
    }
    if (brmi_find_owners(d, a)) {
        mj_makeConstraint(m, d);
        mj_projectConstraint(m, d);
        mj_referenceConstraint(m, d);
    }
    mju_copy(a->applied, d->qfrc_applied, m->nv);
    mj_fwdActuation(m, d);
    solve(m, d, a, a->friction);
    solve_friction(m, d, a);
    store_results(a);
    mj_sensorAcc(m, d);
    mj_checkAcc(m, d);
    mj_Euler(m, d);
    mju_copy(d->qfrc_applied, a->applied, m->nv);
}
