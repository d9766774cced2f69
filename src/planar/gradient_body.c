/*
 * Derivatives of a step of a body: what both directions share.
 *
 *   R = M (V1 - V0) - h load + h sum n fn J^T F(J V1) = 0,   K = dR/dV1 = M + h sum n fn J^T F_v J
 *
 * Backwards (gradient_vjp.c): a pass over the bristles gives F, F_v and what their adjoints are for V1, then
 *   K^T lambda = V1b + sum J^T v_b
 *   V0b = M lambda,   loadb = h lambda,   Mb = -lambda (V1 - V0)^T,   hb = lambda.M (V1 - V0)/h + ...
 * and a second pass with Fb - h n fn J lambda the adjoints of the start, the law and h. Forwards (gradient_jvp.c): the same K, a
 * pass before the solve and one after it.
 *
 * Where the damping was limited, V1 closes the stage with decays and damping of Newton's twist V_N, R(V_N) = 0. Then the
 * closing solve gives adjoints of these decays, which are adjoints of V_N, for which the above is repeated with K(V_N). Order 2 is two
 * stages, the second from x0 + (1 + sqrt 2) (Y - x0); the states Y are computed again.
 */
#include "planar/gradient_link.h"

static const double least_pivot =
    1e-6; // of the tangent over the mass: below it the step is near a fold

size_t br_step_gradient_get_work(const br_step_contact* contacts, size_t count)
{
    return bri_gradient_links_size(contacts, count);
}

gradient_task bri_gradient_task_of(const br_step_body* body, const br_step_contact* contacts,
                                   size_t count, double* work)
{
    gradient_task t = {
        .body = body, .links = bri_gradient_links(contacts, count, work), .count = count};
    memcpy(t.mass.at, body->mass, sizeof t.mass.at);
    return t;
}

gradient_stage bri_gradient_last_stage(const br_step_record* r, double h)
{
    const vector3 v0 = vector_of(r->v0), middle = vector_of(r->middle);
    const int two = r->order == 2;
    const double reach = gradient_reach;
    return (gradient_stage){.v0 = two ? vector3_mix(1.0 - reach, v0, reach, middle) : v0,
                            .v1 = vector_of(r->v1),
                            .newton = vector_of(r->newton),
                            .closing = r->closing,
                            .h = two ? gradient_share * h : h};
}

gradient_stage bri_gradient_first_stage(const br_step_record* r, double h)
{
    return (gradient_stage){.v0 = vector_of(r->v0),
                            .v1 = vector_of(r->middle),
                            .newton = vector_of(r->middle_newton),
                            .closing = r->middle_closing,
                            .h = gradient_share * h};
}

void bri_gradient_find_middle(const gradient_task* t, const gradient_stage* first)
{
    const vector3 at = gradient_by_law(first) ? first->v1 : first->newton;
    for (size_t k = 0; k < t->count; k++) {
        gradient_link* l = &t->links[k];
        const size_t states = contact_states(l->model);
        memset(l->middle, 0, states * sizeof *l->middle);
        if (gradient_presses(l)) {
            bri_gradient_close_states(l, first, at, first->v1, gradient_is_limited(first),
                                      l->middle);
        }
        for (size_t i = 0; i < states; i++) {
            l->start[i] = l->z0[i] + gradient_reach * (l->middle[i] - l->z0[i]);
        }
    }
}

double bri_gradient_solve(const mat3* a, const double mass[3][3], int transposed, vector3* x)
{
    double m[9], b[3], scale[3], least = HUGE_VAL;
    for (int i = 0; i < 3; i++) {
        scale[i] = 1.0 / sqrt(mass[i][i]);
    }
    for (int i = 0; i < 3; i++) {
        b[i] = scale[i] * x->at[i];
        for (int j = 0; j < 3; j++) {
            m[3 * i + j] = scale[i] * scale[j] * a->at[i][j];
        }
    }
    size_t pivot[3];
    lu_factor(m, 3, pivot);
    (transposed ? lu_solve_transposed : lu_solve)(m, 3, pivot, b);
    for (int i = 0; i < 3; i++) {
        x->at[i] = scale[i] * b[i];
        least = fmin(least, fabs(m[4 * i]));
    }
    return least;
}

unsigned bri_gradient_flags_of(const br_step_record* record, double pivot)
{
    const int paid = record->closing == BR_CLOSED_PAID ||
                     (record->order == 2 && record->middle_closing == BR_CLOSED_PAID);
    return (record->converged ? 0u : BR_GRADIENT_OPEN) | (paid ? BR_GRADIENT_PAID : 0u) |
           (pivot < least_pivot ? BR_GRADIENT_FOLD : 0u);
}
