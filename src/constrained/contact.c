/*
 * The contact of a constrained system: the normal force, including the effect of friction on it, and
 * the force that holds the contact point.
 *
 * H+ = Huang et al., "Closed-Form Representations of Friction", takes the normal force from the
 * frictionless system (19). But friction J^T F is an applied force like Q, and the constraint
 * force reacts to it. With W = J M^-1 J^T and friction -mu |N| p^ along the motion,
 *
 *   n.W (N n - mu |N| p^) = b - A M^-1 Q
 *
 * We solve it for any rank of A, other constraints beside the contact's, and one normal or two:
 * the normal force is linear in friction, F_N = g0 + |F_N| g1, so |F_N| is the root of a quadratic,
 * unique while |g1| < 1. That is mu |W_np| < W_nn, away from the Painleve limit.
 *
 * Deviations from print (docs/explanation/equations.md): H-19, H-26.
 */
#include "constrained/constrained_internal.h"

// A row of A belongs to the contact if it is one of the rows normal^T J, or is in their span within
// this share of its size, in the metric of M. The value is the rank cut-off, below which a row is no
// separate constraint. The load is spread over all rows of the contact, so all of them count.
static const double same_span = 1e-12;

enum { SPAN = 2 * BR_CONSTRAINED_MOST + 2 * 2 + 2 }; // bri_svd_size() of two normals' rows

// Component of a row of A along each normal's row; 0 in rows that do not belong to the contact.
typedef struct share {
    int counts; // the row belongs to the contact
    double of[2];
} share;

// The rows normal^T J in the metric of M.
static svd normal_span(const br_constrained* s, const factored* f, double* memory)
{
    svd span = bri_svd_over(memory, s->normals, s->n);
    memset(span.y, 0, s->normals * s->n * sizeof *span.y);
    for (size_t i = 0; i < s->normals; i++) {
        add_transposed(s->J, s->normal + i * s->d, s->d, s->n, span.y + i * s->n);
        bri_lower_solve(f, span.y + i * s->n);
    }
    bri_svd_factor(&span);
    return span;
}

static share row_share(const br_constrained* s, const factored* f, const svd* span, size_t row)
{
    double x[BR_CONSTRAINED_MOST], rest[BR_CONSTRAINED_MOST];
    share out = {0, {0.0, 0.0}};
    memcpy(x, s->A + row * s->n, s->n * sizeof *x);
    bri_lower_solve(f, x);
    bri_svd_row_part(span, x, rest);
    add(rest, -1.0, x, s->n);
    const int is_given = row >= s->contact && row < s->contact + s->normals;
    if (is_given || norm(rest, s->n) <= same_span * norm(x, s->n)) {
        out.counts = 1;
        bri_svd_transposed_inverse(span, x, out.of);
    }
    return out;
}

// The share of each row of A in the contact (m).
static void contact_shares(const br_constrained* s, const factored* f, share* out)
{
    double memory[SPAN];
    const svd span = normal_span(s, f, memory);
    for (size_t i = 0; i < s->m; i++) {
        out[i] = row_share(s, f, &span, i);
    }
}

// The contact's part of the constraint force A^T lambda, as a force on the contact point.
static void contact_force(const br_constrained* s, const share* shares, const double* lambda,
                          double* out)
{
    memset(out, 0, 3 * sizeof *out);
    for (size_t row = 0; row < s->m; row++) {
        for (size_t i = 0; i < s->normals; i++) {
            add(out, shares[row].of[i] * lambda[row], s->normal + i * s->d, s->d);
        }
    }
}

// Component of a force along the normal if there is one normal, else its size.
static double signed_normal(const br_constrained* s, const double* force)
{
    return s->normals == 1 ? dot(force, s->normal, s->d) : norm(force, s->d);
}

// Reaction lambda of the constraints to a force J^T F at the contact point, with b = 0.
static void answer(const br_constrained* s, const factored* f, const double* force, double* work,
                   double* lambda)
{
    double *x = work, *r = work + s->n;
    memset(x, 0, s->n * sizeof *x);
    add_transposed(s->J, force, s->d, s->n, x);
    mass_solve(f, x);
    times(s->A, x, s->m, s->n, r);
    bri_svd_gram_inverse(&f->B, r, lambda);
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
                          br_normal normal, double* work, br_constrained_slide_value* out)
{
    BR_ASSERT(s && resistance && work && out && s->normals > 0);
    const size_t n = s->n, m = s->m, d = s->d;
    factored f = bri_factored_over(&work, n, m);
    bri_factored_set(&f, s->M, s->A);
    share shares[BR_CONSTRAINED_ROWS];
    contact_shares(s, &f, shares);
    double lambda[BR_CONSTRAINED_ROWS], more[BR_CONSTRAINED_ROWS];
    double g00[3], g0[3], g1[3];

    // F_N: g00 from Q and b alone, g0 with the fixed friction, g1 per newton of |F_N|
    bri_constrained_missing(&f, s->A, s->b, s->Q, work, work + n);
    bri_svd_gram_inverse(&f.B, work + n, lambda);
    contact_force(s, shares, lambda, g00);
    answer(s, &f, resistance->fixed, work, more);
    add(lambda, 1.0, more, m);
    contact_force(s, shares, lambda, g0);
    answer(s, &f, resistance->per_normal, work, more);
    contact_force(s, shares, more, g1);
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
    memcpy(out->lambda, lambda, m * sizeof *lambda);
}

// The rows that hold a contact point: J, and the rows of A that do not belong to the contact. With b
// and the index of each row in A.
typedef struct held_rows {
    size_t count;
    double b[BR_CONSTRAINED_ROWS + 3];
    size_t row_of_a[BR_CONSTRAINED_ROWS + 3]; // from d on
    double factor[BR_CONSTRAINED_ROWS + 3];   // scaling by equilibrate()
} held_rows;

// J qdd = surface_acceleration - Jd qd, and A qdd = b of the other rows.
static void collect_held_rows(const br_constrained* s, const factored* f, double* rows,
                              held_rows* out)
{
    share shares[BR_CONSTRAINED_ROWS];
    contact_shares(s, f, shares);
    memcpy(rows, s->J, s->d * s->n * sizeof *rows);
    for (size_t i = 0; i < s->d; i++) {
        out->b[i] = (s->surface_acceleration ? s->surface_acceleration[i] : 0.0) -
                    (s->bias ? s->bias[i] : 0.0);
    }
    out->count = s->d;
    for (size_t i = 0; i < s->m; i++) {
        if (!shares[i].counts) {
            memcpy(rows + out->count * s->n, s->A + i * s->n, s->n * sizeof *rows);
            out->row_of_a[out->count] = i;
            out->b[out->count++] = s->b[i];
        }
    }
}

// The size of a row in the metric of M.
static double row_size(const factored* f, const double* row)
{
    double x[BR_CONSTRAINED_MOST];
    memcpy(x, row, f->n * sizeof *x);
    bri_lower_solve(f, x);
    return norm(x, f->n);
}

// Scale the rows of a held point to the same size, with one common factor for J. Without scaling, the
// units of a constraint could look like a loss of rank.
static void equilibrate(const factored* f, size_t d, double* rows, held_rows* held)
{
    double of_j = 0.0;
    for (size_t i = 0; i < d; i++) {
        of_j = fmax(of_j, row_size(f, rows + i * f->n));
    }
    for (size_t i = 0; i < held->count; i++) {
        const double size = i < d ? of_j : row_size(f, rows + i * f->n);
        const double factor = size > 0.0 ? 1.0 / size : 1.0;
        held->factor[i] = factor;
        held->b[i] *= factor;
        for (size_t k = 0; k < f->n; k++) {
            rows[i * f->n + k] *= factor;
        }
    }
}

void bri_constrained_normal_part(const br_constrained* s, const double* force, double* out)
{
    memset(out, 0, 3 * sizeof *out);
    if (s->normals == 0) {
        return;
    }
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

// Relative singular value of the Jacobian below which a point cannot be accelerated in that direction;
// and the largest relative error of the acceleration of a held point.
static const double held_cut_off = 1e-7;
static const double held_tolerance = 1e-9;

// lambda = (B B^T)^+ (b - B L^-1 Q). A reaction to Q exists however large the effective mass is in a
// direction, and (B^T)^+ L^-1 Q gives it without cancellation. An acceleration b needs the cut-off.
static void held_multipliers(factored* f, const double* b, const double* Q, double* work,
                             double* lambda)
{
    double *x = work, *against = work + f->n;
    memcpy(x, Q, f->n * sizeof *x);
    bri_lower_solve(f, x);
    bri_svd_transposed_inverse(&f->B, x, against);
    f->B.cut_off = held_cut_off;
    bri_svd_cut_off(&f->B);
    bri_svd_gram_inverse(&f->B, b, lambda);
    add(lambda, -1.0, against, f->rows);
}

void br_constrained_hold(const br_constrained* s, double* work, br_constrained_hold_value* out)
{
    BR_ASSERT(s && work && out && s->normals > 0);
    const size_t n = s->n, d = s->d;
    double* rows = work;
    double lambda[BR_CONSTRAINED_ROWS + 3];
    held_rows held;
    work += max_rows(s->m, d) * n;
    factored f = bri_factored_over(&work, n, max_rows(s->m, d));
    bri_factored_mass(&f, s->M);
    collect_held_rows(s, &f, rows, &held);
    equilibrate(&f, d, rows, &held);
    bri_factored_rows(&f, held.count, rows);

    // F = -W^-1 (J M^-1 Q + Jd qd - a_s), J and the other constraints together
    held_multipliers(&f, held.b, s->Q, work, lambda);
    memset(out->force, 0, sizeof out->force);
    memset(out->lambda, 0, s->m * sizeof *out->lambda);
    for (size_t i = 0; i < held.count; i++) {
        double* to = i < d ? &out->force[i] : &out->lambda[held.row_of_a[i]];
        *to = lambda[i] * held.factor[i];
    }
    memcpy(out->qdd, s->Q, n * sizeof *out->qdd);
    add_transposed(rows, lambda, held.count, n, out->qdd);
    mass_solve(&f, out->qdd);

    double normal[3];
    bri_constrained_normal_part(s, out->force, normal);
    memcpy(out->friction, out->force, sizeof out->friction);
    add(out->friction, -1.0, normal, d);
    out->n = signed_normal(s, normal);
    out->tangential = norm(out->friction, d);
    out->possible = bri_svd_outside(&f.B, held.b) <= held_tolerance * norm(held.b, held.count);
    out->sticks = out->possible && out->tangential <= s->mu_s * fabs(out->n);
}
