/*
 * A constrained system at one instant: the equations of the paper.
 *
 * H+ = Huang et al., "Closed-Form Representations of Friction". Numbers in brackets are its equations.
 *
 *   M, Q, A, b -> Q_id (8), qdd -> F_n (19) -> F_c (21), Q_c (24)
 *   Q, A -> Q_p, Q_t (12), (13) -> F_t (20) -> stick? F_s (26), Q_s (27)
 *
 * All equations hold for any rank of A. Appendix B of H+ writes them out for the two-link arm, with
 * misprints; we evaluate the general form.
 *
 * Deviations from print (docs/explanation/equations.md): H-26 (threshold of stiction), H-19 (meaning of F_n).
 */
#include "constrained/constrained_internal.h"

size_t br_constrained_get_work(size_t n, size_t m, size_t d)
{
    const size_t rows = max_rows(m, d);
    // factored M with all rows, A alone, J alone, a copy of the rows, and two vectors
    return n * n + bri_svd_size(rows, n) + bri_svd_size(m, n) + bri_svd_size(d, n) + rows * n +
           2 * (n + rows);
}

// Q_id, lambda and the acceleration without friction.
static void ideal(const br_constrained* s, const factored* f, double* work,
                  br_constrained_value* out)
{
    const size_t n = s->n, m = s->m;
    double *x = work, *r = work + n;

    // Q_id = M^(1/2) B^+ (b - A M^-1 Q)                                                       (8)
    bri_constrained_missing(f, s->A, s->b, s->Q, x, r);
    bri_svd_pseudo_inverse(&f->B, r, x);
    bri_lower_times(f, x, out->q_id);
    bri_svd_gram_inverse(&f->B, r, out->lambda);

    memcpy(out->qdd_ideal, out->q_id, n * sizeof *x);
    add(out->qdd_ideal, 1.0, s->Q, n);
    mass_solve(f, out->qdd_ideal);
    const double size = norm(s->b, m);
    out->inconsistency = size > 0.0 ? bri_svd_outside(&f->B, s->b) / size : 0.0;
    out->rank = f->B.rank;
}

// Q_nid and the acceleration with it.
static void nonideal(const br_constrained* s, const factored* f, double* work,
                     br_constrained_value* out)
{
    const size_t n = s->n;
    memset(out->q_nid, 0, n * sizeof *work);
    if (s->C) {
        // Q_nid = M^(1/2) (I - B^+ B) M^(-1/2) C                                              (9)
        double *x = work, *part = work + n;
        memcpy(x, s->C, n * sizeof *x);
        bri_lower_solve(f, x);
        bri_svd_row_part(&f->B, x, part);
        add(x, -1.0, part, n);
        bri_lower_times(f, x, out->q_nid);
    }
    // M qdd = Q + Q_id + Q_nid                                                               (10)
    memcpy(out->qdd_with_c, out->q_nid, n * sizeof *work);
    mass_solve(f, out->qdd_with_c);
    add(out->qdd_with_c, 1.0, out->qdd_ideal, n);
}

// Q_p and Q_t.
static void split(const br_constrained* s, double* work, br_constrained_value* out)
{
    svd A = bri_svd_over(work, s->m, s->n);
    copy(A.y, s->A, s->m * s->n);
    bri_svd_factor(&A);

    // Q_p = A^+ A Q,  Q_t = (I - A^+ A) Q                                              (12), (13)
    bri_svd_row_part(&A, s->Q, out->q_p);
    memcpy(out->q_t, s->Q, s->n * sizeof *work);
    add(out->q_t, -1.0, out->q_p, s->n);
}

// out = (J J^T)^-1 J q                                                                        (18)
static void cartesian(const br_constrained* s, const svd* J, const double* q, double* work,
                      double* out)
{
    times(s->J, q, s->d, s->n, work);
    bri_svd_gram_inverse(J, work, out);
}

// The slip is a difference of two velocities. Below this share of their size it is rounding.
static const double slip_rounding = 1e-14;

void br_constrained_slip(const br_constrained* s, double* slip)
{
    BR_ASSERT(s && slip);
    const size_t d = s->d;
    double across[3];
    times(s->J, s->qd, d, s->n, slip);
    double size = norm(slip, d);
    if (s->surface_velocity) {
        size += norm(s->surface_velocity, d);
        add(slip, -1.0, s->surface_velocity, d);
    }
    bri_constrained_normal_part(s, slip, across);
    add(slip, -1.0, across, d);
    if (norm(slip, d) <= slip_rounding * size) {
        memset(slip, 0, d * sizeof *slip);
    }
}

br_resistance br_constrained_coulomb(const br_constrained* s)
{
    BR_ASSERT(s);
    br_resistance out = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    double v[3];
    br_constrained_slip(s, v);
    const double speed = norm(v, s->d);
    for (size_t i = 0; i < s->d && speed != 0.0; i++) {
        out.per_normal[i] = -s->mu * v[i] / speed;
    }
    return out;
}

// Coulomb friction and stiction from F_n, F_t and Q_t.
static void friction(const br_constrained* s, br_constrained_value* out)
{
    const size_t n = s->n, d = s->d;
    const double fn = norm(out->f_n, d), ft = norm(out->f_t, d);

    // F_c = -mu |F_n| p^,  Q_c = J^T F_c                                               (21), (24)
    const br_resistance coulomb = br_constrained_coulomb(s);
    memset(out->f_c, 0, sizeof out->f_c);
    memset(out->q_c, 0, n * sizeof *out->q_c);
    add(out->f_c, fn, coulomb.per_normal, d);
    add_transposed(s->J, out->f_c, d, n, out->q_c);

    // F_s = -F_t, Q_s = -Q_t            while |F_t| <= mu_s |F_n|
    // F_s = -mu_s |F_n| f^, Q_s = J^T F_s  beyond it                                   (25)-(27)
    out->stick = ft <= s->mu_s * fn;
    memset(out->f_s, 0, sizeof out->f_s);
    memset(out->q_s, 0, n * sizeof *out->q_s);
    add(out->f_s, out->stick ? -1.0 : -s->mu_s * fn / ft, out->f_t, d);
    if (out->stick) {
        add(out->q_s, -1.0, out->q_t, n);
    } else {
        add_transposed(s->J, out->f_s, d, n, out->q_s);
    }
}

void br_constrained_eval(const br_constrained* s, double* work, br_constrained_value* out)
{
    BR_ASSERT(s && work && out);
    factored f = bri_factored_over(&work, s->n, s->m);
    bri_factored_set(&f, s->M, s->A);
    ideal(s, &f, work, out);
    nonideal(s, &f, work, out);
    split(s, work, out);

    svd J = bri_svd_over(work, s->d, s->n);
    work += bri_svd_size(s->d, s->n);
    memcpy(J.y, s->J, s->d * s->n * sizeof *work);
    bri_svd_factor(&J);
    // F_n = (J J^T)^-1 J Q_id,  F_t = (J J^T)^-1 J Q_t                                 (19), (20)
    cartesian(s, &J, out->q_id, work, out->f_n);
    cartesian(s, &J, out->q_t, work, out->f_t);
    friction(s, out);
}
