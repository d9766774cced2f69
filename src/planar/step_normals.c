/*
 * Normal forces that follow friction within a step, as in a wedge: fn = fn_free + N f.
 *
 * f = -R are the wrenches of the twists, R = fn F. With the decays' law as it is where the search ended,
 * Newton on g(fn) = fn - fn_free + N R(fn), in which the twists follow, too:
 *
 *   dR/dfn_k = F_k + K G dp/dfn_k,    rho'(p) dp/dfn_k = -h G^T F_k,    F_k = R_k/fn_k
 */
#include "planar/step_search.h"

static const double enough = 1e-6; // of all normal forces: 1e-3 makes sliding 0.2 % wrong
static const double most_change =
    5.0; // of a normal force in a round: a wedge near locking overshoots

// -g into d_fn, 0 where a contact is open; 1 if that is small.
static int is_followed(search* q)
{
    const stage* s = q->s;
    double all = 0.0, off = 0.0;
    for (size_t k = 0; k < s->count; k++) {
        const double fn = s->contacts[k].fn;
        const double follows = s->normals->free[k] - dot(s->normals->by_f + k * q->m, q->f, q->m);
        q->d_fn[k] = fn > 0.0 ? follows - fn : 0.0;
        off += fabs(q->d_fn[k]);
        all += fn;
    }
    return !(off > enough * all);
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

int bri_search_follow(search* q)
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
                q->fn_fn[i * n + k] = dot(s->normals->by_f + i * q->m, q->v, q->m);
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
