/*
 * Self-locking pairs.
 *
 * A wedge is held by friction, which depends on the wedge's normal forces. If its load jumps, the solve with
 * the last step's friction, which is wrong now, may push it out, and its bristles would be reset wrongly. So the
 * rows of pairs that pressed in the last step are first kept active, as if they could pull, and normal forces
 * are computed together with friction:
 *
 *   H (a - a0) = sum D (aref - Jc a0) Jc^T over these rows,    fn = sum D (aref - Jc a) = fn_free + N f
 *
 * Only the resulting friction is used: in a second solve, which determines the pairs with normal force.
 */
#include "adapter.h"

// Whether a pair has constraint rows, but no normal force.
static int is_thrown_out(const mjData* d, const brm_adapter* a, int index)
{
    int rows = 0;
    for (int i = 0; i < d->ncon; i++) {
        const int row = d->contact[i].efc_address;
        if (a->owner[i] == index && row >= 0) {
            if (d->efc_force[row] > 0.0) {
                return 0;
            }
            rows++;
        }
    }
    return rows > 0;
}

void brmi_hold_none(brm_adapter* a)
{
    for (size_t i = 0; i < a->count; i++) {
        a->links[i].held = 0;
    }
}

int brmi_hold(const mjModel* m, mjData* d, brm_adapter* a)
{
    const int nv = m->nv;
    int any = 0;
    for (size_t i = 0; i < a->count; i++) {
        link* l = &a->links[i];
        l->held = l->last_fn > 0.0 && is_thrown_out(d, a, (int)i);
        any |= l->held;
    }
    if (!any) {
        return 0;
    }
    mju_zero(a->free, nv);
    for (int i = 0; i < d->ncon; i++) {
        const int row = d->contact[i].efc_address;
        if (a->owner[i] >= 0 && a->links[a->owner[i]].held && row >= 0) {
            const mjtNum* x = brmi_row(m, d, row, a->row);
            d->efc_state[row] = mjCNSTRSTATE_QUADRATIC;
            mju_addToScl(a->free, x, d->efc_D[row] * (d->efc_aref[row] - mju_dot(x, d->qacc, nv)),
                         nv);
        }
    }
    mju_copy(a->next, a->free, nv); // brmi_factor() overwrites `free`, not `next`
    brmi_factor(m, d, a);
    mju_cholSolve(a->next, a->hessian, a->next, nv);
    mju_addTo(d->qacc, a->next, nv);
    return 1;
}

void brmi_normals(const mjModel* m, const mjData* d, brm_adapter* a)
{
    const int nv = m->nv, rows = 3 * (int)a->n;
    const mjtNum* last = a->Y + rows * nv; // response to the last friction
    mju_zero(a->fn_f, (int)a->n * rows);
    mju_zero(a->fn_free, (int)a->n);
    for (int i = 0; i < d->ncon; i++) {
        const int row = d->contact[i].efc_address;
        if (a->owner[i] < 0 || row < 0 || d->efc_state[row] != mjCNSTRSTATE_QUADRATIC ||
            !a->links[a->owner[i]].now.touches) {
            continue;
        }
        const size_t k = a->links[a->owner[i]].index;
        const mjtNum *x = brmi_row(m, d, row, a->row), stiffness = d->efc_D[row];
        a->fn_free[k] +=
            stiffness * (d->efc_aref[row] - mju_dot(x, d->qacc, nv) + mju_dot(x, last, nv));
        for (int q = 0; q < rows; q++) {
            a->fn_f[(int)k * rows + q] -= stiffness * mju_dot(x, a->Y + q * nv, nv);
        }
    }
}
