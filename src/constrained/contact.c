/*
 * The contact of a constrained system, done right: the normal force with friction's own effect on
 * it, and the force that holds the contact point.
 *
 * H+ = Huang et al., "Closed-Form Representations of Friction", takes the normal force from the
 * frictionless system (19). But friction J^T F is an applied force like Q, and the constraint
 * answers to it. With W = J M^-1 J^T and friction -mu |N| p^ along the motion,
 *
 *   n.W (N n - mu |N| p^) = b - A M^-1 Q
 *
 * We solve it for any rank of A, other constraints beside the contact's, and one normal or two:
 * the normal force answers linearly, F_N = g0 + |F_N| g1, so |F_N| is the root of a quadratic,
 * unique while |g1| < 1. That is mu |W_np| < W_nn, away from the Painleve limit.
 *
 * Deviations from print (docs/equations.md): H-19, H-26.
 */
#include "constrained/constrained_internal.h"

// c with A_row = c normal^T J.
static double row_scale(const br_constrained* s, size_t i)
{
    double along[BR_CONSTRAINED_MOST] = {0.0};
    add_transposed(s->J, s->normal + i * s->d, s->d, s->n, along);
    return dot(s->A + (s->contact + i) * s->n, along, s->n) / dot(along, along, s->n);
}

// The contact's part of the constraint force A^T lambda, as a force on the contact point.
static void contact_force(const br_constrained* s, const double* lambda, double* out)
{
    memset(out, 0, 3 * sizeof *out);
    for (size_t i = 0; i < s->normals; i++) {
        add(out, row_scale(s, i) * lambda[s->contact + i], s->normal + i * s->d, s->d);
    }
}

// Along its normal if there is one, else its size.
static double signed_normal(const br_constrained* s, const double* force)
{
    return s->normals == 1 ? dot(force, s->normal, s->d) : norm(force, s->d);
}

// The answer of the constraints to a force J^T F at the contact point: lambda, with b = 0.
static void answer(const br_constrained* s, const factored* f, const double* force, double* work,
                   double* lambda)
{
    double *x = work, *r = work + s->n;
    memset(x, 0, s->n * sizeof *x);
    add_transposed(s->J, force, s->d, s->n, x);
    mass_solve(f, x);
    times(s->A, x, s->m, s->n, r);
    svd_gram_inverse(&f->B, r, lambda);
    for (size_t i = 0; i < s->m; i++) {
        lambda[i] = -lambda[i];
    }
}

// The root x >= 0 of |g0 + x g1| = x, NaN if it is not the only one.
static double coupled_size(const double* g0, const double* g1, size_t d)
{
    // (1 - |g1|^2) x^2 - 2 g0.g1 x - |g0|^2 = 0
    const double a = 1.0 - dot(g1, g1, d), c = dot(g0, g1, d), square = dot(g0, g0, d);
    if (!(a > 0.0)) {
        return (double)NAN;
    }
    const double root = sqrt(c * c + a * square);
    return c >= 0.0 ? (c + root) / a : square / (root - c);
}

void br_constrained_slide(const br_constrained* s, const br_resistance* resistance,
                          br_normal normal, double* work, br_slide* out)
{
    BR_ASSERT(s && resistance && work && out && s->normals > 0);
    const size_t n = s->n, m = s->m, d = s->d;
    factored f = factored_over(&work, n, m);
    factored_set(&f, s->M, s->A);
    double lambda[BR_CONSTRAINED_MOST], more[BR_CONSTRAINED_MOST];
    double g00[3], g0[3], g1[3];

    // F_N = g00 from Q and b alone, g0 with the fixed friction, g1 for each newton of |F_N|
    missing(&f, s->A, s->b, s->Q, work, work + n);
    svd_gram_inverse(&f.B, work + n, lambda);
    contact_force(s, lambda, g00);
    answer(s, &f, resistance->fixed, work, more);
    add(lambda, 1.0, more, m);
    contact_force(s, lambda, g0);
    answer(s, &f, resistance->per_normal, work, more);
    contact_force(s, more, g1);
    out->margin = 1.0 - norm(g1, d);

    const int paper = normal == BR_NORMAL_PAPER;
    const double fn = paper ? norm(g00, d) : coupled_size(g0, g1, d);
    memcpy(out->friction, resistance->fixed, sizeof out->friction);
    add(out->friction, fn, resistance->per_normal, d);
    add(lambda, fn, more, m);
    add(g0, fn, g1, d);
    out->n_frictionless = signed_normal(s, g00);
    out->n = paper ? out->n_frictionless : signed_normal(s, g0);

    // M qdd = Q + A^T lambda + J^T F; the same as (10) with C = J^T F
    memcpy(out->qdd, s->Q, n * sizeof *out->qdd);
    add_transposed(s->A, lambda, m, n, out->qdd);
    add_transposed(s->J, out->friction, d, n, out->qdd);
    mass_solve(&f, out->qdd);
}

// The rows of a held contact point: J and what A has besides the contact's rows; b likewise.
static size_t held_rows(const br_constrained* s, double* rows, double* b)
{
    size_t count = s->d;
    memcpy(rows, s->J, s->d * s->n * sizeof *rows);
    for (size_t i = 0; i < s->d; i++) {
        b[i] = s->bias ? -s->bias[i] : 0.0;
    }
    for (size_t i = 0; i < s->m; i++) {
        if (i < s->contact || i >= s->contact + s->normals) {
            memcpy(rows + count * s->n, s->A + i * s->n, s->n * sizeof *rows);
            b[count++] = s->b[i];
        }
    }
    return count;
}

// The part of a force along the normals.
static void normal_part(const br_constrained* s, const double* force, double* out)
{
    memset(out, 0, 3 * sizeof *out);
    if (s->normals == 1) {
        add(out, dot(force, s->normal, s->d), s->normal, s->d);
        return;
    }
    // two normals in space: all but the part along the wire
    const double *a = s->normal, *b = s->normal + 3;
    const double wire[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                            a[0] * b[1] - a[1] * b[0]};
    memcpy(out, force, 3 * sizeof *out);
    add(out, -dot(force, wire, 3) / dot(wire, wire, 3), wire, 3);
}

// A point whose Jacobian is this near to losing a rank cannot be held in that direction; and the
// share of the wanted acceleration that a force may fail to give.
static const double held_cut_off = 1e-7;
static const double held_tolerance = 1e-9;

void br_constrained_hold(const br_constrained* s, double* work, br_hold* out)
{
    BR_ASSERT(s && work && out && s->normals > 0);
    const size_t n = s->n, d = s->d;
    double* rows = work;
    double b[BR_CONSTRAINED_MOST + 3], lambda[BR_CONSTRAINED_MOST + 3];
    work += most_rows(s->m, d) * n;
    const size_t count = held_rows(s, rows, b);
    factored f = factored_over(&work, n, count);
    f.B.cut_off = held_cut_off;
    factored_set(&f, s->M, rows);

    // F = -W^-1 (J M^-1 Q + Jd qd), J and the other constraints together
    missing(&f, rows, b, s->Q, work, work + n);
    svd_gram_inverse(&f.B, work + n, lambda);
    memset(out->force, 0, sizeof out->force);
    memcpy(out->force, lambda, d * sizeof *lambda);
    memcpy(out->qdd, s->Q, n * sizeof *out->qdd);
    add_transposed(rows, lambda, count, n, out->qdd);
    mass_solve(&f, out->qdd);

    double normal[3];
    normal_part(s, out->force, normal);
    memcpy(out->friction, out->force, sizeof out->friction);
    add(out->friction, -1.0, normal, d);
    out->n = signed_normal(s, normal);
    out->tangential = norm(out->friction, d);
    out->possible = svd_outside(&f.B, b) <= held_tolerance * norm(b, count);
    out->sticks = out->possible && out->tangential <= s->mu_s * fabs(out->n);
}
