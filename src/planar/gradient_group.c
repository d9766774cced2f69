/*
 * Derivatives of steps of a host's bodies, forwards and backwards: one twist for all contacts (a host), or one for each (a group).
 *
 *   V = u - h A r(V, fn),   r = sum n fn J^T F(J V),   fn = fn_free - N r  where normal forces follow friction
 *
 * With D = dr/dV, P = dr/dfn = n J^T F and `own` what changes r besides V and fn, forwards
 *   (1 + h A D) dV + h A P dfn = du - dh A r - h dA r - h A own
 *          N D dV + (1 + N P) dfn = dfn_free - dN r - N own,        dr = own + D dV + P dfn
 * and backwards, V_bar and fn_bar adjoints before it,
 *   K^T (lambda, nu) = (V_bar, fn_bar),   K the matrix above
 *   u_bar = lambda,   A_bar = -h lambda r^T,   h_bar = -lambda.A r,   fn_free_bar = nu,   N_bar = -nu r^T
 * and L depends on r by -q, q = h A^T lambda + N^T nu. K is regular even where A is not.
 *
 * A step that was closed with decays of another twist has two levels, as that of a body (gradient_body.c): the end, at constant normal forces,
 * and Newton's twists, with which normal forces were found.
 */
#include "planar/gradient_link.h"

#include "math/lu.h"
#include "math/vector.h"

_Static_assert(sizeof(br_twist) == 3 * sizeof(double), "twists are three numbers each, in a row");
_Static_assert(sizeof(br_wrench) == 3 * sizeof(double), "and wrenches, too");

static const double least_pivot = 1e-6; // as in gradient_body.c

// A step of twists (m numbers) in derivatives.
typedef struct twists {
    gradient_link* links;
    size_t count, m;
    const double* a;           // A (m x m)
    const double* fn_f;        // N (count x m); NULL: normal forces are constant
    const double *v1, *newton; // twists at both levels (m)
    br_step_closing closing;
    double h, pivot;
    unsigned flags;
    double* slope;  // D (3 m)
    double* r;      // resistances (m)
    double* x;      // adjoints or directions of the twists, then of normal forces (size)
    double* q;      // multipliers, or the direction of r (m)
    double* matrix; // K (size x size)
    double* scale;  // of the unknowns: root of the diagonal of A, largest normal force (size)
    double* order;  // of the matrix's rows (size)
    size_t size;    // unknowns: m, and the normal forces that follow
} twists;

// Doubles of the arrays above.
static size_t algebra_of(size_t m, size_t size)
{
    return 5 * m + 3 * size + size * size;
}

static void lay_twists(twists* t, double* work)
{
    const size_t m = t->m, size = t->fn_f ? m + t->count : m;
    t->size = size;
    t->slope = work;
    t->r = t->slope + 3 * m;
    t->q = t->r + m;
    t->x = t->q + m;
    t->scale = t->x + size;
    t->order = t->scale + size;
    t->matrix = t->order + size;
    t->pivot = HUGE_VAL;
    double largest = 0.0;
    for (size_t k = 0; k < t->count; k++) {
        largest = fmax(largest, t->links[k].contact->fn);
    }
    for (size_t i = 0; i < size; i++) {
        const double own = i < m ? sqrt(t->a[i * m + i]) : largest;
        t->scale[i] = own > 0.0 ? own : 1.0;
    }
}

// Where the twist of contact k is.
static size_t twist_of_link(const twists* t, size_t k)
{
    return t->m == 3 ? 0 : 3 * k;
}

static gradient_stage stage_of(const twists* t, size_t k)
{
    const size_t at = twist_of_link(t, k);
    return (gradient_stage){.v1 = vector_from(t->v1 + at),
                            .newton = vector_from(t->newton + at),
                            .closing = t->closing,
                            .h = t->h};
}

static int by_law(const twists* t)
{
    return t->closing == BR_CLOSED_BY_LAW;
}

// The levels of a step.
typedef enum level { AT_NEWTON, AT_END } level;

static const gradient_tangent* tangent_at(const gradient_link* l, level at)
{
    return at == AT_NEWTON ? &l->newton : &l->found;
}

// P of a contact: n J^T F
static vector3 by_fn(const gradient_link* l, level at)
{
    return scaled(l->count, mat3_apply_transposed(&l->jacobian, vector_from(tangent_at(l, at)->F)));
}

// D and r of a level.
static void put_level(const twists* t, level at)
{
    memset(t->slope, 0, 3 * t->m * sizeof *t->slope);
    memset(t->r, 0, t->m * sizeof *t->r);
    for (size_t k = 0; k < t->count; k++) {
        const gradient_link* l = &t->links[k];
        const size_t i = twist_of_link(t, k);
        if (gradient_presses(l)) {
            mat3 slope;
            memcpy(slope.at, t->slope + 3 * i, sizeof slope.at);
            bri_gradient_add_tangent(l, tangent_at(l, at), 1.0, &slope);
            memcpy(t->slope + 3 * i, slope.at, sizeof slope.at);
            add(t->r + i, l->contact->fn, by_fn(l, at).at, 3);
        }
    }
}

// Is the normal force of contact k found at a level? With Newton's twists, which are those of the end where it closes by the law.
static int follows(const twists* t, level at, size_t k)
{
    return t->fn_f && (at == AT_NEWTON || by_law(t)) && gradient_presses(&t->links[k]);
}

// K without normal forces: 1 + h A D
static void put_matrix(const twists* t)
{
    const size_t m = t->m, n = t->size;
    memset(t->matrix, 0, n * n * sizeof *t->matrix);
    for (size_t i = 0; i < n; i++) {
        t->matrix[i * n + i] = 1.0;
        for (size_t j = 0; i < m && j < m; j++) {
            const size_t first = j / 3 * 3;
            for (size_t l = first; l < first + 3; l++) {
                t->matrix[i * n + j] += t->h * t->a[i * m + l] * t->slope[3 * l + j - first];
            }
        }
    }
}

// What the normal force of contact k adds to K: its row and its column.
static void add_normal(const twists* t, level at, size_t k)
{
    const size_t m = t->m, n = t->size, own = twist_of_link(t, k);
    const vector3 p = by_fn(&t->links[k], at);
    const double* row = t->fn_f + k * m;
    for (size_t i = 0; i < m; i++) {
        t->matrix[i * n + m + k] += t->h * dot(t->a + i * m + own, p.at, 3);
        add(t->matrix + (m + k) * n + i / 3 * 3, row[i], t->slope + 3 * i, 3);
    }
    for (size_t i = 0; i < t->count; i++) {
        if (follows(t, at, i)) {
            t->matrix[(m + i) * n + m + k] += dot(t->fn_f + i * m + own, p.at, 3);
        }
    }
}

// The matrix in units of the scale.
static void scale_matrix(const twists* t)
{
    const size_t n = t->size;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            t->matrix[i * n + j] *= t->scale[j] / t->scale[i];
        }
    }
}

// Solve K x = x or K^T x = x.
static void solve(twists* t, level at, int transposed)
{
    const size_t n = t->size;
    size_t* order = (size_t*)t->order;
    put_matrix(t);
    for (size_t k = 0; k < t->count; k++) {
        if (follows(t, at, k)) {
            add_normal(t, at, k);
        }
    }
    scale_matrix(t);
    for (size_t i = 0; i < n; i++) {
        t->x[i] = transposed ? t->x[i] * t->scale[i] : t->x[i] / t->scale[i];
    }
    lu_factor(t->matrix, n, order);
    (transposed ? lu_solve_transposed : lu_solve)(t->matrix, n, order, t->x);
    for (size_t i = 0; i < n; i++) {
        t->x[i] = transposed ? t->x[i] / t->scale[i] : t->x[i] * t->scale[i];
        t->pivot = fmin(t->pivot, fabs(t->matrix[i * n + i]));
    }
}

static void finish(twists* t, int converged)
{
    t->flags |= (converged ? 0u : BR_GRADIENT_OPEN) |
                (t->closing == BR_CLOSED_PAID ? BR_GRADIENT_PAID : 0u) |
                (t->pivot < least_pivot ? BR_GRADIENT_FOLD : 0u);
}

_Static_assert(sizeof(size_t) <= sizeof(double), "an order of rows is in memory of doubles");

// --- backwards --------------------------------------------------------------------------------------------------

// Adjoints of what all contacts share; NULL: skipped.
typedef struct shared_adjoint {
    double *u, *a, *fn_f; // (m), (m x m), (count x m)
    double h;
} shared_adjoint;

// From V_bar in x and fn_bar in the contacts' adjoints to lambda and nu in x, and q; adds to what all contacts share.
static void solve_backward(twists* t, level at, const br_step_contact_adjoint* adjoints,
                           shared_adjoint* out)
{
    const size_t m = t->m;
    for (size_t k = 0; t->fn_f && k < t->count; k++) {
        t->x[m + k] = follows(t, at, k) ? adjoints[k].fn : 0.0;
    }
    solve(t, at, 1);
    memset(t->q, 0, m * sizeof *t->q);
    for (size_t i = 0; i < m; i++) {
        const double lambda = t->x[i];
        add(t->q, t->h * lambda, t->a + i * m, m);
        out->h -= lambda * dot(t->a + i * m, t->r, m);
        if (out->u) {
            out->u[i] += lambda;
        }
        if (out->a) {
            add(out->a + i * m, -t->h * lambda, t->r, m);
        }
    }
    for (size_t k = 0; k < t->count; k++) {
        if (follows(t, at, k)) {
            add(t->q, t->x[m + k], t->fn_f + k * m, m);
        }
    }
}

// N_bar = -nu r^T, after the contacts' adjoints are complete
static void add_follow(const twists* t, const br_step_contact_adjoint* adjoints,
                       shared_adjoint* out)
{
    for (size_t k = 0; out->fn_f && k < t->count; k++) {
        const double nu = follows(t, AT_NEWTON, k) ? adjoints[k].fn : 0.0;
        memset(out->fn_f + k * t->m, 0, t->m * sizeof *out->fn_f);
        add(out->fn_f + k * t->m, -nu, t->r, t->m);
    }
}

static void newton_vjp(twists* t, br_step_contact_adjoint* adjoints, shared_adjoint* out)
{
    memset(t->x, 0, t->m * sizeof *t->x);
    for (size_t k = 0; k < t->count; k++) {
        gradient_link* l = &t->links[k];
        if (gradient_presses(l)) {
            const gradient_stage s = stage_of(t, k);
            const vector3 back = mat3_apply_transposed(&l->jacobian, vector_from(l->newton_vb));
            bri_gradient_newton_begin(l, &s);
            add(t->x + twist_of_link(t, k), 1.0, back.at, 3);
        }
    }
    put_level(t, AT_NEWTON);
    solve_backward(t, AT_NEWTON, adjoints, out);
    for (size_t k = 0; k < t->count; k++) {
        gradient_link* l = &t->links[k];
        if (gradient_presses(l)) {
            const gradient_stage s = stage_of(t, k);
            bri_gradient_newton_end(l, &s, vector_from(t->q + twist_of_link(t, k)), &adjoints[k],
                                    &out->h);
        }
    }
}

// The part of a contact's adjoint of fn that is known before the multipliers: fn_bar + Fb.F of its own wrench and g.
static double fn_before(const gradient_link* l)
{
    const vector3 own = gradient_enter(l->model, 1.0, l->f_bar);
    return vector3_dot(own, vector_from(l->found.F)) - vector3_dot(by_fn(l, AT_END), l->g);
}

// x is V_bar before. Contacts' z0_bar, f_bar and g are set.
static void twists_vjp(twists* t, int laws, const double* fn_bar, br_step_contact_adjoint* adjoints,
                       shared_adjoint* out)
{
    for (size_t k = 0; k < t->count; k++) {
        gradient_link* l = &t->links[k];
        const gradient_stage s = stage_of(t, k);
        bri_gradient_no_adjoint(&adjoints[k]);
        adjoints[k].fn = fn_bar ? fn_bar[k] : 0.0;
        if (gradient_presses(l)) {
            t->flags |= bri_gradient_link_begin(l, &s);
            const vector3 back = mat3_apply_transposed(&l->jacobian, vector_from(l->found.vb));
            add(t->x + twist_of_link(t, k), 1.0, back.at, 3);
            adjoints[k].fn += fn_before(l); // for the right-hand side alone
        } else {
            t->flags |= BR_GRADIENT_LIFTED;
        }
    }
    put_level(t, AT_END);
    solve_backward(t, AT_END, adjoints, out);
    for (size_t k = 0; k < t->count; k++) {
        gradient_link* l = &t->links[k];
        const gradient_stage s = stage_of(t, k);
        const vector3 g = vector3_mix(1.0, l->g, 1.0, vector_from(t->q + twist_of_link(t, k)));
        adjoints[k].fn = fn_bar ? fn_bar[k] : 0.0;
        if (gradient_presses(l)) {
            bri_gradient_link_end(l, &s, g, laws, &adjoints[k], &out->h);
        } else {
            bri_gradient_link_press(l, &s, g, &adjoints[k]);
        }
    }
    if (!by_law(t)) {
        newton_vjp(t, adjoints, out);
    }
    add_follow(t, adjoints, out);
    for (size_t k = 0; k < t->count && !laws; k++) { // two levels have them all the same
        memset(adjoints[k].law, 0, sizeof adjoints[k].law);
        adjoints[k].length = 0.0;
    }
}

static void put_adjoints(const twists* t, const br_step_contact_adjoint* adjoints)
{
    for (size_t k = 0; k < t->count; k++) {
        gradient_link* l = &t->links[k];
        const br_step_contact_adjoint* a = &adjoints[k];
        l->z1 = a->z1;
        l->z1_bar = a->z1_bar;
        l->z0_bar = a->z0_bar || by_law(t) ? a->z0_bar : l->between;
        l->f_bar = a->f_bar;
        l->slopes = t->fn_f ? NULL : a->slopes; // with fn_f the patch is that of the start
    }
}

// --- forwards ---------------------------------------------------------------------------------------------------

// Directions of what all contacts share; NULL: 0.
typedef struct shared_direction {
    const double *u, *a, *fn_f; // (m), (m x m), (count x m)
    double h;
} shared_direction;

// From `own` in q to dV in x and dr in q; normal forces that follow: from directions of fn_free to those of fn.
static void solve_forward(twists* t, level at, const shared_direction* d,
                          br_step_contact_tangent* tangents)
{
    const size_t m = t->m;
    for (size_t i = 0; i < m; i++) {
        const double* row = t->a + i * m;
        t->x[i] = (d->u ? d->u[i] : 0.0) - d->h * dot(row, t->r, m) - t->h * dot(row, t->q, m);
        t->x[i] -= d->a ? t->h * dot(d->a + i * m, t->r, m) : 0.0;
    }
    for (size_t k = 0; t->fn_f && k < t->count; k++) {
        double free = follows(t, at, k) ? tangents[k].fn : 0.0;
        free -= follows(t, at, k) ? dot(t->fn_f + k * m, t->q, m) : 0.0;
        free -= follows(t, at, k) && d->fn_f ? dot(d->fn_f + k * m, t->r, m) : 0.0;
        t->x[m + k] = free;
    }
    solve(t, at, 0);
    for (size_t i = 0; i < m; i++) {
        t->q[i] += dot(t->slope + 3 * i, t->x + i / 3 * 3, 3);
    }
    for (size_t k = 0; k < t->count; k++) {
        if (follows(t, at, k)) {
            tangents[k].fn = t->x[m + k];
            add(t->q + twist_of_link(t, k), tangents[k].fn, by_fn(&t->links[k], at).at, 3);
        }
    }
}

// A contact's tangent at constant normal force, if that is to be found yet.
static br_step_contact_tangent before_follow(const twists* t, level at, size_t k,
                                             const br_step_contact_tangent* tangent)
{
    br_step_contact_tangent copy = *tangent;
    copy.fn = follows(t, at, k) ? 0.0 : copy.fn;
    return copy;
}

static void newton_jvp(twists* t, const shared_direction* d, br_step_contact_tangent* tangents)
{
    memset(t->q, 0, t->m * sizeof *t->q);
    for (size_t k = 0; k < t->count; k++) {
        gradient_link* l = &t->links[k];
        if (gradient_presses(l)) {
            const gradient_stage s = stage_of(t, k);
            const br_step_contact_tangent held = before_follow(t, AT_NEWTON, k, &tangents[k]);
            const vector3 own = bri_gradient_newton_forward(l, &s, d->h, &held);
            add(t->q + twist_of_link(t, k), 1.0, own.at, 3);
        }
    }
    put_level(t, AT_NEWTON);
    solve_forward(t, AT_NEWTON, d, tangents);
    for (size_t k = 0; k < t->count; k++) {
        gradient_link* l = &t->links[k];
        if (gradient_presses(l)) {
            const gradient_stage s = stage_of(t, k);
            bri_gradient_decays_onward(l, &s, vector_from(t->x + twist_of_link(t, k)), d->h,
                                       &tangents[k]);
        }
    }
}

// To the directions of the twists in x, and of the resistances in q.
static void twists_jvp(twists* t, const shared_direction* d, br_step_contact_tangent* tangents)
{
    const vector3 none = {{0.0, 0.0, 0.0}};
    for (size_t k = 0; k < t->count; k++) {
        t->links[k].z0_dot = tangents[k].z0_dot;
        t->links[k].z1 = tangents[k].z1;
        t->links[k].slopes = t->fn_f ? NULL : tangents[k].slopes;
    }
    if (!by_law(t)) {
        newton_jvp(t, d, tangents);
    }
    memset(t->q, 0, t->m * sizeof *t->q);
    for (size_t k = 0; k < t->count; k++) {
        gradient_link* l = &t->links[k];
        const gradient_stage s = stage_of(t, k);
        br_step_contact_tangent held = before_follow(t, AT_END, k, &tangents[k]);
        t->flags |= gradient_presses(l) ? bri_gradient_link_begin(l, &s) : BR_GRADIENT_LIFTED;
        const vector3 own = bri_gradient_link_forward(l, &s, none, d->h, NULL, &held);
        add(t->q + twist_of_link(t, k), 1.0, own.at, 3);
    }
    put_level(t, AT_END);
    solve_forward(t, AT_END, d, tangents);
    for (size_t k = 0; k < t->count; k++) {
        const gradient_stage s = stage_of(t, k);
        const vector3 v = vector_from(t->x + twist_of_link(t, k));
        bri_gradient_link_forward(&t->links[k], &s, v, d->h, tangents[k].z1_dot, &tangents[k]);
    }
}

// --- hosts ------------------------------------------------------------------------------------------------------

// A, the `scale` of it
static mat3 scaled_mass(const double* a, double scale)
{
    mat3 out;
    for (int i = 0; i < 9; i++) {
        out.at[i / 3][i % 3] = scale * a[i];
    }
    return out;
}

static twists host_twists(const mat3* a, const br_step_record* record, double h,
                          const br_step_contact* contacts, size_t count, double* work,
                          double* algebra)
{
    twists t = {.links = bri_gradient_links(contacts, count, work),
                .count = count,
                .m = 3,
                .a = a->at[0],
                .v1 = &record->v1.vx,
                .newton = &record->newton.vx,
                .closing = record->closing,
                .h = h};
    lay_twists(&t, algebra);
    return t;
}

enum { HOST_ALGEBRA = 8 * 3 + 9 }; // algebra_of(3, 3)

void br_step_host_vjp(const br_step_host* host, const br_step_record* record, double h,
                      const br_step_contact* contacts, br_step_contact_adjoint* adjoints,
                      size_t count, br_step_host_adjoint* io, double* work)
{
    BR_ASSERT(host && record && !(h <= 0.0) && io);
    BR_ASSERT(count == 0 || (contacts && adjoints && work));
    const mat3 a = scaled_mass(host->inverse_mass[0], host->scale);
    double algebra[HOST_ALGEBRA];
    twists t = host_twists(&a, record, h, contacts, count, work, algebra);
    shared_adjoint out = {.u = &io->u.vx, .a = io->inverse_mass[0]};
    io->u = (br_twist){0.0, 0.0, 0.0};
    memset(io->inverse_mass, 0, sizeof io->inverse_mass);
    put_adjoints(&t, adjoints);
    for (size_t k = 0; k < count; k++) {
        t.links[k].g = vector_of_wrench(io->f_bar);
    }
    memcpy(t.x, &io->predicted_bar, sizeof io->predicted_bar);
    twists_vjp(&t, io->by_law, NULL, adjoints, &out);
    finish(&t, record->converged);
    io->scale = 0.0;
    for (int i = 0; i < 9; i++) {
        io->scale += io->inverse_mass[i / 3][i % 3] * host->inverse_mass[i / 3][i % 3];
        io->inverse_mass[i / 3][i % 3] *= host->scale;
    }
    io->h = io->by_law ? out.h : 0.0;
    io->pivot = t.pivot;
    io->flags = t.flags;
}

void br_step_host_jvp(const br_step_host* host, const br_step_record* record, double h,
                      const br_step_contact* contacts, br_step_contact_tangent* tangents,
                      size_t count, br_step_host_tangent* io, double* work)
{
    BR_ASSERT(host && record && !(h <= 0.0) && io);
    BR_ASSERT(count == 0 || (contacts && tangents && work));
    const mat3 a = scaled_mass(host->inverse_mass[0], host->scale);
    mat3 by_mass = scaled_mass(io->inverse_mass[0], host->scale);
    double algebra[HOST_ALGEBRA];
    twists t = host_twists(&a, record, h, contacts, count, work, algebra);
    add(by_mass.at[0], io->scale, host->inverse_mass[0], 9);
    const shared_direction d = {.u = &io->u.vx, .a = by_mass.at[0], .h = io->h};
    twists_jvp(&t, &d, tangents);
    finish(&t, record->converged);
    io->predicted = (br_twist){t.x[0], t.x[1], t.x[2]};
    io->f = (br_wrench){-t.q[0], -t.q[1], -t.q[2]};
    io->pivot = t.pivot;
    io->flags = t.flags;
}

// --- groups -----------------------------------------------------------------------------------------------------

size_t br_step_group_gradient_get_work(const br_step_contact* contacts, size_t count)
{
    return bri_gradient_links_size(contacts, count) + algebra_of(3 * count, 4 * count);
}

static twists group_twists(const br_step_group* group, const br_step_group_record* record, double h,
                           const br_step_contact* contacts, size_t count, double* work)
{
    twists t = {.links = bri_gradient_links(contacts, count, work),
                .count = count,
                .m = 3 * count,
                .a = group->inverse_mass,
                .fn_f = group->fn_f,
                .v1 = &record->u1->vx,
                .newton = &record->newton->vx,
                .closing = record->closing,
                .h = h};
    lay_twists(&t, work + bri_gradient_links_size(contacts, count));
    return t;
}

void br_step_group_vjp(const br_step_group* group, const br_step_group_record* record, double h,
                       const br_step_contact* contacts, br_step_contact_adjoint* adjoints,
                       size_t count, br_step_group_adjoint* io, double* work)
{
    BR_ASSERT(group && record && !(h <= 0.0) && io);
    BR_ASSERT(count == 0 || (contacts && adjoints && work && record->u1 && record->newton));
    io->h = 0.0;
    io->pivot = HUGE_VAL;
    io->flags = 0;
    if (count == 0) {
        return;
    }
    twists t = group_twists(group, record, h, contacts, count, work);
    shared_adjoint out = {.u = (double*)io->u, .a = io->inverse_mass, .fn_f = io->fn_f};
    memset(t.x, 0, t.m * sizeof *t.x);
    put_adjoints(&t, adjoints);
    for (size_t k = 0; k < count; k++) {
        t.links[k].g = io->f_bar ? vector_of_wrench(io->f_bar[k]) : vector_from(t.x);
    }
    if (io->u1_bar) {
        memcpy(t.x, io->u1_bar, t.m * sizeof *t.x);
    }
    if (io->u) {
        memset(io->u, 0, count * sizeof *io->u);
    }
    if (io->inverse_mass) {
        memset(io->inverse_mass, 0, t.m * t.m * sizeof *io->inverse_mass);
    }
    twists_vjp(&t, io->by_law, group->fn_f ? io->fn_bar : NULL, adjoints, &out);
    finish(&t, record->converged);
    io->h = io->by_law ? out.h : 0.0;
    io->pivot = t.pivot;
    io->flags = t.flags;
}

void br_step_group_jvp(const br_step_group* group, const br_step_group_record* record, double h,
                       const br_step_contact* contacts, br_step_contact_tangent* tangents,
                       size_t count, br_step_group_tangent* io, double* work)
{
    BR_ASSERT(group && record && !(h <= 0.0) && io);
    BR_ASSERT(count == 0 || (contacts && tangents && work && record->u1 && record->newton));
    io->pivot = HUGE_VAL;
    io->flags = 0;
    if (count == 0) {
        return;
    }
    twists t = group_twists(group, record, h, contacts, count, work);
    const shared_direction d = {.u = (const double*)io->u,
                                .a = io->inverse_mass,
                                .fn_f = group->fn_f ? io->fn_f : NULL,
                                .h = io->h};
    twists_jvp(&t, &d, tangents);
    finish(&t, record->converged);
    if (io->u1) {
        memcpy(io->u1, t.x, t.m * sizeof *t.x);
    }
    for (size_t k = 0; io->f && k < count; k++) {
        io->f[k] = (br_wrench){-t.q[3 * k], -t.q[3 * k + 1], -t.q[3 * k + 2]};
    }
    io->pivot = t.pivot;
    io->flags = t.flags;
}
