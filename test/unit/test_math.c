/* Tests of the module math. */
#include "check.h"

#include "bristle/math.h"
#include "math/cholesky.h"
#include "math/elliptic.h"
#include "math/fast_log.h"
#include "math/gauss.h"
#include "math/lu.h"

/* Oracle: Abramowitz & Stegun, table 17.1 and closed forms at m = 0 and m = 1. */
static void elliptic_integrals_match_the_tables(void** state)
{
    (void)state;
    elliptic at_zero = bri_elliptic_eval(1.0);
    assert_near(at_zero.K, 0.5 * BR_PI, 1e-15 /* rounding */);
    assert_near(at_zero.E, 0.5 * BR_PI, 1e-15 /* rounding */);

    elliptic half = bri_elliptic_eval(0.5);
    assert_near(half.K, 1.85407467730137191843, 1e-15 /* rounding */);
    assert_near(half.E, 1.35064388104767550252, 1e-15 /* rounding */);

    elliptic one = bri_elliptic_eval(0.0);
    assert_true(isinf(one.K));
    assert_near(one.E, 1.0, 0.0 /* exact */);
}

/* Oracle: Legendre's relation K(m)E(m') + E(m)K(m') - K(m)K(m') = pi/2, for all m. */
static void elliptic_integrals_obey_legendre(void** state)
{
    (void)state;
    for (double m = 1e-12; m < 1.0; m = m < 0.1 ? m * 7.0 : m + 0.07) {
        const elliptic p = bri_elliptic_eval(1.0 - m), q = bri_elliptic_eval(m);
        /* the three terms grow as log(1/m), at most 15 */
        assert_near(p.K * q.E + p.E * q.K - p.K * q.K, 0.5 * BR_PI, 1e-14);
    }
}

/* Oracle: the whole integrals, and the parts' power series for small m. */
static void parts_of_elliptic_integrals_make_up_the_whole(void** state)
{
    (void)state;
    for (double mc = 1e-30; mc < 1.0; mc *= 3.0) {
        const double m = 1.0 - mc;
        const elliptic whole = bri_elliptic_eval(mc);
        const elliptic_parts part = bri_elliptic_parts_eval(m, mc);
        assert_near_relative(part.B + part.D, whole.K, 4e-15 /* roundings of each mean */);
        assert_near(part.E, whole.E, 4e-16 * whole.K /* both differences of terms like K */);
        assert_near(m * part.C, part.D - part.B, 4e-15 * part.D);
        assert_near(m * part.B, whole.E - mc * whole.K, 4e-15 * whole.K);
    }
    for (double m = 1e-3; m > 1e-300; m *= 1e-3) {
        // B = pi/4 (1 + m/8 + ..), D = pi/4 (1 + 3m/8 + ..), C = pi/16 (1 + 3m/4 + ..)
        const elliptic_parts part = bri_elliptic_parts_eval(m, 1.0 - m);
        assert_near_relative(part.B, BR_PI / 4.0 * (1.0 + m / 8.0), 1e-15 + m * m);
        assert_near_relative(part.D, BR_PI / 4.0 * (1.0 + 3.0 * m / 8.0), 1e-15 + m * m);
        assert_near_relative(part.C, BR_PI / 16.0 * (1.0 + 0.75 * m), 1e-15 + m * m);
    }
    const elliptic_parts one = bri_elliptic_parts_eval(1.0, 0.0);
    assert_near(one.B, 1.0, 1e-14 /* K is 38 there */);
    assert_true(isfinite(one.D));
}

/* Oracle: the C library's log. */
static void fast_log_is_the_logarithm(void** state)
{
    (void)state;
    uint64_t seed = 2;
    for (int i = 0; i < 100000; i++) {
        const double x = exp(uniform(&seed, i % 2 ? -700.0 : -1.0, i % 2 ? 700.0 : 1.0));
        assert_near(fast_log(x), log(x), 3e-16 * fabs(log(x)));
    }
    assert_near(fast_log(1.0), 0.0, 0.0);
    assert_true(isfinite(fast_log(0.0)));
}

/* Oracle: integrals of powers, exact up to degree 2n - 1. */
static void gauss_points_integrate_powers(void** state)
{
    (void)state;
    enum { MOST = 24 };
    double x[MOST], w[MOST];
    for (int n = 1; n <= MOST; n++) {
        bri_gauss_legendre(n, x, w);
        for (int power = 0; power < 2 * n; power++) {
            double sum = 0.0;
            for (int i = 0; i < n; i++) {
                sum += w[i] * pow(x[i], power);
            }
            assert_near(sum, 1.0 / (power + 1), 1e-14);
        }
    }
}

/* Oracle: the product with the matrix itself. */
static void lu_solves_what_it_factored(void** state)
{
    (void)state;
    enum { N = 7 };
    uint64_t seed = 1;
    for (int round = 0; round < 100; round++) {
        double a[N * N], factors[N * N], x[N], b[N];
        size_t pivot[N];
        for (int i = 0; i < N * N; i++) {
            factors[i] = a[i] = uniform(&seed, -1.0, 1.0);
        }
        for (int i = 0; i < N; i++) {
            b[i] = x[i] = uniform(&seed, -1.0, 1.0);
        }
        assert_true(lu_factor(factors, N, pivot));
        lu_solve(factors, N, pivot, x);
        for (int i = 0; i < N; i++) {
            double sum = 0.0, size = 0.0;
            for (int j = 0; j < N; j++) {
                sum += a[i * N + j] * x[j];
                size += fabs(a[i * N + j] * x[j]);
            }
            assert_near(sum, b[i], 1e-14 * (1.0 + size) /* rounding of N products */);
        }
        memcpy(x, b, sizeof x);
        lu_solve_transposed(factors, N, pivot, x);
        for (int i = 0; i < N; i++) {
            double sum = 0.0, size = 0.0;
            for (int j = 0; j < N; j++) {
                sum += a[j * N + i] * x[j];
                size += fabs(a[j * N + i] * x[j]);
            }
            assert_near(sum, b[i], 1e-14 * (1.0 + size));
        }
    }
}

/* Oracle: definition. Callers that solve nevertheless get no finite solution, and all rows of the exchange are set. */
static void lu_refuses_a_singular_matrix(void** state)
{
    (void)state;
    double matrices[3][4] = {
        {1.0, 2.0, 2.0, 4.0}, {(double)NAN, 0.0, 0.0, 1.0}, {0.0, 0.0, 0.0, 0.0}};
    for (int k = 0; k < 3; k++) {
        size_t pivot[2] = {SIZE_MAX, SIZE_MAX};
        double x[2] = {1.0, 3.0};
        assert_false(lu_factor(matrices[k], 2, pivot));
        assert_true(pivot[0] < 2 && pivot[1] < 2);
        lu_solve(matrices[k], 2, pivot, x);
        assert_false(isfinite(x[0] + x[1]));
    }
}

/* Oracle: closed form. A quarter turn takes x to y; a pose turns, then moves. */
static void poses_turn_then_move(void** state)
{
    (void)state;
    const br_vec2 turned = br_vec2_rotate((br_vec2){2.0, 0.0}, 0.5 * BR_PI);
    assert_near(turned.x, 0.0, 1e-15 /* cos(pi/2) in doubles */);
    assert_near(turned.y, 2.0, 1e-15 /* rounding */);
    const br_vec2 placed = br_pose_apply((br_pose){1.0, 1.0, 0.5 * BR_PI}, (br_vec2){2.0, 0.0});
    assert_near(placed.x, 1.0, 1e-15 /* rounding */);
    assert_near(placed.y, 3.0, 1e-15 /* rounding */);
}

/* Oracle: 1 + v v^T, whose pivots are at least 1, with v so long that rounding leaves 0 and less of the second. The
 * solution of (1 + v v^T) x = v is v/(1 + |v|^2). */
static void a_factor_of_one_and_more_has_no_nan(void** state)
{
    (void)state;
    for (double size = 1.0; size < 1e30; size *= 7.0) {
        const double v[2] = {size, 1.1 * size}, square = v[0] * v[0] + v[1] * v[1];
        double a[4] = {1.0 + v[0] * v[0], 0.0, v[1] * v[0], 1.0 + v[1] * v[1]};
        double x[2] = {v[0], v[1]};
        assert_true(cholesky_factor_above(a, 2, 1.0));
        cholesky_solve(a, 2, x);
        // along v; across it rounding of v v^T is all that is left. x87 rounds twice, which leaves no digit beyond 1e16.
        const double x_v = v[0] * x[0] + v[1] * x[1];
        if (FLT_EVAL_METHOD == 0 || square < 1e16) {
            assert_near_relative(x_v, square / (1.0 + square),
                                 (FLT_EVAL_METHOD == 0 ? 1e-14 : 2e-14) *
                                     fmax(1.0, fmin(square, 1e16)));
        }
        assert_true(isfinite(x_v));
    }
    double bad[1] = {(double)NAN};
    cholesky_factor_above(bad, 1, 1.0);
    assert_true(isnan(bad[0]));
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_factor_of_one_and_more_has_no_nan),
        cmocka_unit_test(elliptic_integrals_match_the_tables),
        cmocka_unit_test(elliptic_integrals_obey_legendre),
        cmocka_unit_test(parts_of_elliptic_integrals_make_up_the_whole),
        cmocka_unit_test(fast_log_is_the_logarithm),
        cmocka_unit_test(gauss_points_integrate_powers),
        cmocka_unit_test(lu_solves_what_it_factored),
        cmocka_unit_test(lu_refuses_a_singular_matrix),
        cmocka_unit_test(poses_turn_then_move),
    };
    return run_group(argc, argv, tests);
}
