/*
 * Friction cones: how they are made, margins, projections and their derivatives.
 */
#include "cone_cases.h"

#include <string.h>

/* Oracle: the definition. k = argmin |n_k|, the first on ties; t2 = n x t1; lengths 1. */
static void tangents_follow_the_rule(void** state)
{
    (void)state;
    const br_cone up = make_cone(0.0, 0.0, 2.0, 0.5);
    assert_near(up.n[2], 1.0, 0.0);
    assert_near(up.t1[0], 1.0, 0.0);
    assert_near(up.t2[1], 1.0, 0.0);
    const br_cone even = make_cone(1.0, 1.0, 1.0, 0.5); // a tie: e_x
    assert_near(even.t1[0], sqrt(2.0 / 3.0), 1e-15);    // rounding
    uint64_t seed = 1;
    for (int i = 0; i < 1000; i++) {
        const br_cone cone = random_cone(&seed);
        const double* axes[3] = {cone.n, cone.t1, cone.t2};
        for (int j = 0; j < 9; j++) {
            assert_near(dot_of(axes[j / 3], axes[j % 3], 3), j / 3 == j % 3, 1e-15); // rounding
        }
        const double turn = cone.t1[0] * (cone.t2[1] * cone.n[2] - cone.t2[2] * cone.n[1]) +
                            cone.t1[1] * (cone.t2[2] * cone.n[0] - cone.t2[0] * cone.n[2]) +
                            cone.t1[2] * (cone.t2[0] * cone.n[1] - cone.t2[1] * cone.n[0]);
        assert_near(turn, 1.0, 1e-15); // right-handed; rounding
    }
}

/* Oracle: statement. Any length but 0 is a normal; mu is > 0. */
static void bad_cones_are_refused(void** state)
{
    (void)state;
    const double bad[][4] = {{0, 0, 0, 1},       {(double)NAN, 0, 1, 1}, {HUGE_VAL, 0, 1, 1},
                             {0, 0, 1, 0},       {0, 0, 1, -0.1},        {0, 0, 1, (double)NAN},
                             {0, 0, 1, HUGE_VAL}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        br_cone cone;
        br_reason why;
        assert_status(br_cone_init(bad[i], bad[i][3], &cone, &why), BR_ERR_ARG);
        assert_string_equal(why.field, i < 3 ? "normal" : "mu");
        assert_near(cone.mu, 0.0, 0.0);
    }
    assert_near(make_cone(0.0, -1e300, 0.0, 1.0).n[1], -1.0, 0.0);
    assert_near(make_cone(3e-300, 0.0, 4e-300, 1.0).n[2], 0.8, 1e-16); // rounding
}

/* Oracle: hand. S-10: the printed (10) takes a pulling force for a pushing one. */
static void a_pulling_force_is_outside(void** state)
{
    (void)state;
    const br_cone cone = make_cone(0.0, 0.0, 1.0, 0.5);
    assert_near(br_cone_margin(&cone, (double[]){3.0, 4.0, 20.0}), 5.0, 0.0);
    assert_near(br_cone_margin(&cone, (double[]){0.0, 0.0, -2.0}), -1.0, 0.0);
    assert_near(br_cone_margin(&cone, (double[]){0.3, 0.4, 1.0}), 0.0, 1e-16); // rounding
    assert_true(isnan(br_cone_margin(&cone, (double[]){(double)NAN, 0.0, 1.0})));
}

/* Oracle: statement. The boundary counts as inside, in spite of rounding: mu f_n and |f_t| as decimal
   numbers, and what is projected onto the cone. A millionth of a millionth beyond it is outside. */
static void the_boundary_counts_as_inside(void** state)
{
    (void)state;
    const br_cone decimal = make_cone(0.0, 0.0, 1.0, 0.29);
    const double f[3] = {29.0, 0.0, 100.0};
    assert_true(br_cone_margin(&decimal, f) < 0.0); // the margin is as computed
    assert_true(br_cone_contains(&decimal, f));
    assert_false(br_cone_contains(&decimal, (double[]){(double)NAN, 0.0, 1.0}));
    uint64_t seed = 21;
    for (int i = 0; i < 20000; i++) {
        const br_cone cone = random_cone(&seed);
        double g[3], x[3], beyond[3];
        random_vector(&seed, 10.0, g);
        br_cone_project(&cone, g, x, NULL);
        unsigned char inside[4];
        const double four[12] = {x[0], x[1], x[2], x[0], x[1], x[2],
                                 x[0], x[1], x[2], x[0], x[1], x[2]};
        br_cone_check_batch(&cone, 4, four, inside);
        assert_true(br_cone_contains(&cone, x) && inside[0] && inside[3]);
        for (int k = 0; k < 3; k++) {
            beyond[k] = x[k] - 1e-12 * (1.0 + cone.mu) / cone.mu * size_of(x) * cone.n[k];
        }
        assert_true(br_cone_margin(&cone, g) > 0.0 || size_of(x) == 0.0 ||
                    !br_cone_contains(&cone, beyond));
    }
    // a pulling force is outside of the thinnest cone, too
    assert_false(br_cone_contains(&(br_cone){.n = {0.0, 0.0, 1.0}, .mu = 1e-16},
                                  (double[]){0.0, 0.0, -1.0}));
}

/* Oracle: the closed form at another scale. 1/|f_t| of the smallest forces is no number. */
static void the_smallest_forces_are_projected(void** state)
{
    (void)state;
    const br_cone cone = make_cone(0.0, 0.0, 1.0, 0.5);
    double x[3];
    br_cone_project(&cone, (double[]){1e-310, 0.0, 1e-310}, x, NULL);
    assert_near(x[0], 0.6e-310, 1e-322); // such numbers have steps of 5e-324
    assert_near(x[2], 1.2e-310, 1e-322);
}

/* Oracle: single calls. The fast paths decide as the plain ones: for forces of any size, at the
   boundary, and NaN. */
static void batches_equal_single_calls(void** state)
{
    (void)state;
    enum { COUNT = 4003 };
    static double f[3 * COUNT], margin[COUNT];
    static unsigned char inside[COUNT];
    uint64_t seed = 2;
    for (int round = 0; round < 10; round++) {
        br_cone cone = random_cone(&seed);
        cone.mu = round < 8 ? cone.mu : round == 8 ? 1e-9 : 1e9;
        for (size_t i = 0; i < COUNT; i++) {
            const double size = i % 5 ? 1.0 : pow(10.0, uniform(&seed, -300.0, 300.0));
            random_vector(&seed, size, f + 3 * i);
            if (i % 7 == 0) {
                br_cone_project(&cone, f + 3 * i, f + 3 * i, NULL);
            }
        }
        memset(f + 30, 0, 3 * sizeof *f);
        f[61] = (double)NAN;
        br_cone_margin_batch(&cone, COUNT, f, margin);
        br_cone_check_batch(&cone, COUNT, f, inside);
        size_t count = 0;
        for (size_t i = 0; i < COUNT; i++) {
            const double single = br_cone_margin(&cone, f + 3 * i);
            assert_true(margin[i] == single || (isnan(margin[i]) && isnan(single)));
            assert_int_equal(inside[i], br_cone_contains(&cone, f + 3 * i));
            count += inside[i];
        }
        assert_in_range(count, 50, COUNT - 100); // both kinds were there
    }
}

// A symmetric positive definite matrix with eigenvalues from 0.05 to some 3.
static void random_mass(uint64_t* seed, double M[9])
{
    double A[9];
    for (int i = 0; i < 9; i++) {
        A[i] = uniform(seed, -1.0, 1.0);
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            M[3 * i + j] = dot_of(A + 3 * i, A + 3 * j, 3) + 0.05 * (i == j);
        }
    }
}

static void times(const double M[9], const double x[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = dot_of(M + 3 * i, x, 3);
    }
}

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static double weighted_distance(const double M[9], const double* a, const double* b)
{
    const double difference[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    double product[3];
    times(M, difference, product);
    return sqrt(dot_of(difference, product, 3));
}

// The conditions of Karush, Kuhn and Tucker: x in K, g = M (x - f) in K*, x.g = 0.
static void check_optimal(const br_cone* cone, const double M[9], const double f[3],
                          const double x[3], double tolerance)
{
    const br_cone dual = br_cone_dual(cone);
    const double away[3] = {x[0] - f[0], x[1] - f[1], x[2] - f[2]};
    double g[3];
    times(M, away, g);
    assert_true(br_cone_margin(cone, x) >= -tolerance * (1.0 + cone->mu));
    assert_true(br_cone_margin(&dual, g) >= -tolerance * (1.0 + dual.mu));
    assert_near(dot_of(x, g, 3), 0.0, tolerance);
}

/* Oracle: the conditions for a minimum, which suffice in a convex problem. */
static void the_projection_is_optimal(void** state)
{
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < 20000; i++) {
        const br_cone cone = random_cone(&seed);
        double f[3], g[3], x[3], y[3], again[3];
        random_vector(&seed, 1.0, f);
        random_vector(&seed, 1.0, g);
        br_cone_project(&cone, f, x, NULL);
        br_cone_project(&cone, g, y, NULL);
        br_cone_project(&cone, x, again, NULL);
        check_optimal(&cone, identity, f, x, 1e-14);    // some ten roundings of numbers below 2
        assert_near(distance_of(x, again), 0.0, 1e-15); // idempotent
        assert_true(distance_of(x, y) <= distance_of(f, g) + 1e-15); // non-expansive
    }
}

/* Oracle: Moreau. f = P_K(f) - P_K*(-f). */
static void a_force_is_the_sum_of_its_projections(void** state)
{
    (void)state;
    uint64_t seed = 4;
    for (int i = 0; i < 5000; i++) {
        const br_cone cone = random_cone(&seed), dual = br_cone_dual(&cone);
        double f[3], x[3], y[3];
        random_vector(&seed, 1.0, f);
        const double minus[3] = {-f[0], -f[1], -f[2]};
        br_cone_project(&cone, f, x, NULL);
        br_cone_project(&dual, minus, y, NULL);
        const double sum[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
        assert_near(distance_of(sum, f), 0.0, 2e-15); // rounding
    }
}

/* Oracle: the conditions for a minimum; in the metric of M the projection is non-expansive. */
static void the_weighted_projection_is_optimal(void** state)
{
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < 20000; i++) {
        const br_cone cone = random_cone(&seed);
        double M[9], f[3], g[3], x[3], y[3], again[3];
        random_mass(&seed, M);
        random_vector(&seed, 1.0, f);
        random_vector(&seed, 1.0, g);
        br_cone_metric metric;
        assert_status(br_cone_metric_init(&cone, M, &metric, NULL), BR_OK);
        br_cone_metric_project(&metric, f, x, NULL);
        br_cone_metric_project(&metric, g, y, NULL);
        br_cone_metric_project(&metric, x, again, NULL);
        // rounding times M's condition number, up to 60
        check_optimal(&cone, M, f, x, 2e-14);
        assert_near(distance_of(x, again), 0.0, 2e-14);
        assert_true(weighted_distance(M, x, y) <= weighted_distance(M, f, g) + 2e-14);
    }
}

/* Oracle: the same mass times 1. A power of 4 changes no digit of the roots, so that results are equal to the last bit. */
static void masses_of_any_scale_project_the_same(void** state)
{
    (void)state;
    const int exponents[] = {-1000, -400, 2, 400, 1000};
    uint64_t seed = 11;
    for (int i = 0; i < 1000; i++) {
        const br_cone cone = random_cone(&seed);
        double M[9], scaled[9], f[3], x[2][3], derivative[2][3][3];
        random_mass(&seed, M);
        random_vector(&seed, 1.0, f);
        br_cone_metric metric;
        assert_status(br_cone_metric_init(&cone, M, &metric, NULL), BR_OK);
        br_cone_metric_project(&metric, f, x[0], derivative[0]);
        for (int k = 0; k < 9; k++) {
            scaled[k] = ldexp(M[k], exponents[i % 5]);
        }
        assert_status(br_cone_metric_init(&cone, scaled, &metric, NULL), BR_OK);
        br_cone_metric_project(&metric, f, x[1], derivative[1]);
        assert_memory_equal(x[0], x[1], sizeof x[0]);
        assert_memory_equal(derivative[0], derivative[1], sizeof derivative[0]);
    }
}

/* Oracle: the closed form, for M = 1 and multiples of it; and forces along the axis and at 0. */
static void an_even_weight_is_the_plain_projection(void** state)
{
    (void)state;
    uint64_t seed = 6;
    for (int i = 0; i < 3000; i++) {
        const br_cone cone = random_cone(&seed);
        double M[9], f[3], x[3], y[3];
        for (int k = 0; k < 9; k++) {
            M[k] = (i % 3 ? 1e6 : 1.0) * identity[k];
        }
        random_vector(&seed, 1.0, f);
        for (int k = 0; k < 3 && i % 10 == 0; k++) {
            f[k] = i % 20 ? cone.n[k] : cone.t1[k]; // in the cone, or f.n = 0
        }
        br_cone_metric metric;
        assert_status(br_cone_metric_init(&cone, M, &metric, NULL), BR_OK);
        br_cone_project(&cone, f, x, NULL);
        br_cone_metric_project(&metric, f, y, NULL);
        assert_near(distance_of(x, y), 0.0, 1e-14); // rounding
        br_cone_metric_project(&metric, (double[]){0.0, 0.0, 0.0}, y, NULL);
        assert_near(size_of(y), 0.0, 0.0);
    }
}

/* Oracle: the conditions for a minimum, for cones from a needle to nearly a half-space. What is asked of
   x and g is relative to their size, and to the cone's own slope. */
static void steep_and_flat_cones_are_projected_on(void** state)
{
    (void)state;
    uint64_t seed = 9;
    for (int i = 0; i < 4000; i++) {
        br_cone cone = random_cone(&seed);
        cone.mu = pow(10.0, uniform(&seed, -6.0, 6.0));
        const br_cone dual = br_cone_dual(&cone);
        double M[9], f[3], x[3], g[3];
        random_mass(&seed, M);
        random_vector(&seed, 1.0, f);
        br_cone_metric metric;
        assert_status(br_cone_metric_init(&cone, M, &metric, NULL), BR_OK);
        br_cone_metric_project(&metric, f, x, NULL);
        const double away[3] = {x[0] - f[0], x[1] - f[1], x[2] - f[2]};
        times(M, away, g);
        // rounding times M's condition number, up to 60
        assert_true(br_cone_margin(&cone, x) >= -2e-14 * (1.0 + cone.mu));
        assert_true(br_cone_margin(&dual, g) >= -2e-14 * (1.0 + dual.mu));
        assert_near(dot_of(x, g, 3), 0.0, 2e-14);
    }
}

// Product of a mass matrix of eigenvalues 1, 10^-a, 10^-b in random axes, in either order.
static void thin_mass(uint64_t* seed, double worst, double M[9])
{
    double axes[9];
    for (int i = 0; i < 3; i++) {
        double* a = axes + 3 * i;
        for (int k = 0; k < 3; k++) {
            a[k] = uniform(seed, -1.0, 1.0);
        }
        for (int j = 0; j < i; j++) {
            const double along = dot_of(a, axes + 3 * j, 3);
            for (int k = 0; k < 3; k++) {
                a[k] -= along * axes[3 * j + k];
            }
        }
        const double norm = sqrt(dot_of(a, a, 3));
        for (int k = 0; k < 3; k++) {
            a[k] /= norm;
        }
    }
    const double b = uniform(seed, 0.0, worst), a = uniform(seed, 0.0, b);
    const double eigenvalues[3] = {1.0, pow(10.0, -a), pow(10.0, -b)};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            M[3 * i + j] = 0.0;
            for (int k = 0; k < 3; k++) {
                M[3 * i + j] +=
                    axes[3 * k + (i > j ? i : j)] * eigenvalues[k] * axes[3 * k + (i > j ? j : i)];
            }
        }
    }
}

// Distance of the nearest force on the ray at an angle about the normal, in long double.
static long double ray_distance(const br_cone* cone, const double M[9], const double f[3],
                                long double angle)
{
    long double d[3], df = 0.0, dd = 0.0, ff = 0.0;
    for (int i = 0; i < 3; i++) {
        d[i] = cone->n[i] + cone->mu * (cosl(angle) * cone->t1[i] + sinl(angle) * cone->t2[i]);
    }
    for (int i = 0; i < 9; i++) {
        df += d[i / 3] * M[i] * f[i % 3];
        dd += d[i / 3] * M[i] * d[i % 3];
        ff += f[i / 3] * (long double)M[i] * f[i % 3];
    }
    return df > 0.0 ? ff - df * df / dd : ff;
}

/* Oracle: the smallest distance of all rays of the cone, by search. Condition numbers up to 1e8. The projection was
   outside of the cone by up to 1e-8 of the force; beyond 1e8, by up to all of it. */
static void thin_metrics_stay_in_the_cone(void** state)
{
    (void)state;
    uint64_t seed = 5;
    for (int trial = 0; trial < 300; trial++) {
        double M[9], f[3], x[3];
        thin_mass(&seed, 7.9, M);
        for (int i = 0; i < 3; i++) {
            f[i] = uniform(&seed, -1.0, 1.0);
        }
        const br_cone cone = make_cone(uniform(&seed, -1.0, 1.0), uniform(&seed, -1.0, 1.0),
                                       uniform(&seed, -1.0, 1.0), uniform(&seed, 0.05, 3.0));
        br_cone_metric metric;
        assert_status(br_cone_metric_init(&cone, M, &metric, NULL), BR_OK);
        br_cone_metric_project(&metric, f, x, NULL);
        assert_true(br_cone_contains(&cone, x));
        if (br_cone_margin(&cone, f) >= 0.0) {
            continue;
        }
        long double best = HUGE_VALL, at = 0.0, step = acosl(-1.0L) / 100.0;
        for (int i = 0; i < 200; i++) {
            const long double here = ray_distance(&cone, M, f, i * step);
            at = here < best ? i * step : at;
            best = fminl(best, here);
        }
        for (; step > 1e-13; step *= 0.7) {
            for (int side = -1; side <= 1; side += 2) {
                const long double here = ray_distance(&cone, M, f, at + side * step);
                at = here < best ? at + side * step : at;
                best = fminl(best, here);
            }
        }
        const double found = weighted_distance(M, x, f);
        assert_true(found * found <= (double)best * (1.0 + 1e-6) + 1e-20 /* header */);
    }
}

/* Oracle: statement. A mass matrix is symmetric and positive definite, of a condition number up to 1e8. */
static void bad_masses_are_refused(void** state)
{
    (void)state;
    const br_cone cone = make_cone(0.0, 0.0, 1.0, 0.5);
    const double bad[][9] = {{1, 0.1, 0, 0, 1, 0, 0, 0, 1},
                             {1, 0, 0, 0, 0, 0, 0, 0, 1},
                             {1, 2, 0, 2, 1, 0, 0, 0, 1},
                             {(double)NAN, 0, 0, 0, 1, 0, 0, 0, 1},
                             {1, 0, 0, 0, 1e-12, 0, 0, 0, 1e12},
                             {1, 0, 0, 0, 1e-15, 0, 0, 0, 1},
                             {1, 0.999999999, 0, 0.999999999, 1, 0, 0, 0, 1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        br_cone_metric metric;
        br_reason why;
        assert_status(br_cone_metric_init(&cone, bad[i], &metric, &why), BR_ERR_ARG);
        assert_string_equal(why.field, "M");
    }
}

// Is the force far enough from the cone and its polar cone that differences do not cross the edge?
static int is_smooth(const br_cone* cone, const double M[9], const double f[3])
{
    const br_cone dual = br_cone_dual(cone);
    double g[3];
    times(M, f, g);
    const double minus[3] = {-g[0], -g[1], -g[2]};
    return fabs(br_cone_margin(cone, f)) > 1e-2 && fabs(br_cone_margin(&dual, minus)) > 1e-2;
}

/* Oracle: central differences. h = 1e-5: error h^2 times third derivatives, up to some 1e3 per N^2
   at |f_t| > 0.1, and rounding 1e-16/h. */
static void derivatives_match_central_differences(void** state)
{
    (void)state;
    const double h = 1e-5;
    uint64_t seed = 7;
    int checked[3] = {0, 0, 0};
    for (int i = 0; i < 3000; i++) {
        const br_cone cone = random_cone(&seed);
        double M[9], f[3], parts[3], x[3], plain[3][3], weighted[3][3];
        random_mass(&seed, M);
        random_vector(&seed, 1.0, f);
        br_cone_split(&cone, f, parts);
        if (!is_smooth(&cone, identity, f) || !is_smooth(&cone, M, f) ||
            hypot(parts[1], parts[2]) < 0.1) {
            continue;
        }
        br_cone_metric metric;
        assert_status(br_cone_metric_init(&cone, M, &metric, NULL), BR_OK);
        br_cone_project(&cone, f, x, plain);
        br_cone_metric_project(&metric, f, x, weighted);
        checked[br_cone_margin(&cone, f) >= 0.0 ? 0 : size_of(x) > 0.0 ? 1 : 2]++;
        for (int j = 0; j < 3; j++) {
            double up[3], down[3], high[3], low[3];
            memcpy(up, f, sizeof up);
            memcpy(down, f, sizeof down);
            up[j] += h;
            down[j] -= h;
            br_cone_project(&cone, up, high, NULL);
            br_cone_project(&cone, down, low, NULL);
            for (int k = 0; k < 3; k++) {
                assert_near(plain[k][j], (high[k] - low[k]) / (2.0 * h), 1e-7);
            }
            br_cone_metric_project(&metric, up, high, NULL);
            br_cone_metric_project(&metric, down, low, NULL);
            for (int k = 0; k < 3; k++) {
                assert_near(weighted[k][j], (high[k] - low[k]) / (2.0 * h), 1e-6);
            }
        }
    }
    assert_true(checked[0] > 50 && checked[1] > 50 && checked[2] > 50); // all three cases
}

/* Oracle: single calls; in place. */
static void projected_batches_equal_single_calls(void** state)
{
    (void)state;
    enum { COUNT = 257 };
    double f[3 * COUNT], x[3 * COUNT], M[9], single[3];
    uint64_t seed = 8;
    const br_cone cone = random_cone(&seed);
    br_cone_metric metric;
    random_mass(&seed, M);
    assert_status(br_cone_metric_init(&cone, M, &metric, NULL), BR_OK);
    for (size_t i = 0; i < COUNT; i++) {
        random_vector(&seed, 1.0, f + 3 * i);
    }
    br_cone_metric_project_batch(&metric, COUNT, f, x);
    for (size_t i = 0; i < COUNT; i++) {
        br_cone_metric_project(&metric, f + 3 * i, single, NULL);
        assert_near(distance_of(single, x + 3 * i), 0.0, 0.0);
    }
    memcpy(x, f, sizeof x);
    br_cone_project_batch(&cone, COUNT, x, x);
    for (size_t i = 0; i < COUNT; i++) {
        br_cone_project(&cone, f + 3 * i, single, NULL);
        assert_near(distance_of(single, x + 3 * i), 0.0, 0.0);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tangents_follow_the_rule),
        cmocka_unit_test(bad_cones_are_refused),
        cmocka_unit_test(a_pulling_force_is_outside),
        cmocka_unit_test(the_boundary_counts_as_inside),
        cmocka_unit_test(the_smallest_forces_are_projected),
        cmocka_unit_test(batches_equal_single_calls),
        cmocka_unit_test(the_projection_is_optimal),
        cmocka_unit_test(a_force_is_the_sum_of_its_projections),
        cmocka_unit_test(the_weighted_projection_is_optimal),
        cmocka_unit_test(masses_of_any_scale_project_the_same),
        cmocka_unit_test(an_even_weight_is_the_plain_projection),
        cmocka_unit_test(steep_and_flat_cones_are_projected_on),
        cmocka_unit_test(thin_metrics_stay_in_the_cone),
        cmocka_unit_test(bad_masses_are_refused),
        cmocka_unit_test(derivatives_match_central_differences),
        cmocka_unit_test(projected_batches_equal_single_calls),
    };
    return run_group(argc, argv, tests);
}
