/*
 * Constrained systems at one instant: algebra, closed forms, invariants, bad input.
 */
#include "bristle/constrained.h"
#include "bristle/contact.h"
#include "bristle/math.h"

#include "math/svd.h"

#include "check.h"

#include <string.h>

enum { MOST = BR_CONSTRAINED_MOST };

static double work[100000];

// --- pseudo-inverse -------------------------------------------------------------------------------

// A random matrix (m x n) of the given rank: a sum of `rank` products of vectors.
static void random_matrix(uint64_t* seed, double* x, size_t m, size_t n, size_t rank)
{
    memset(x, 0, m * n * sizeof *x);
    for (size_t k = 0; k < rank; k++) {
        double u[MOST], v[MOST];
        for (size_t i = 0; i < MOST; i++) {
            u[i] = uniform(seed, -1.0, 1.0), v[i] = uniform(seed, -1.0, 1.0);
        }
        for (size_t i = 0; i < m * n; i++) {
            x[i] += u[i / n] * v[i % n];
        }
    }
}

// out = a b, (m x k)(k x n)
static void product(const double* a, const double* b, size_t m, size_t k, size_t n, double* out)
{
    memset(out, 0, m * n * sizeof *out);
    for (size_t i = 0; i < m; i++) {
        for (size_t l = 0; l < k; l++) {
            for (size_t j = 0; j < n; j++) {
                out[i * n + j] += a[i * k + l] * b[l * n + j];
            }
        }
    }
}

static void expect_same(const double* a, const double* b, size_t n, double tolerance)
{
    double size = 0.0;
    for (size_t i = 0; i < n; i++) {
        size = fmax(size, fabs(b[i]));
    }
    for (size_t i = 0; i < n; i++) {
        assert_near(a[i], b[i], tolerance * size);
    }
}

static void expect_penrose(uint64_t* seed, size_t m, size_t n, size_t rank)
{
    static double x[MOST * MOST], plus[MOST * MOST], xp[MOST * MOST], px[MOST * MOST];
    static double again[MOST * MOST];
    random_matrix(seed, x, m, n, rank);
    svd s = bri_svd_over(work, m, n);
    memcpy(s.y, x, m * n * sizeof *x);
    bri_svd_factor(&s);
    assert_int_equal(s.rank, rank);
    for (size_t j = 0; j < m; j++) {
        double unit[MOST] = {0.0}, column[MOST];
        unit[j] = 1.0;
        bri_svd_pseudo_inverse(&s, unit, column);
        for (size_t i = 0; i < n; i++) {
            plus[i * m + j] = column[i];
        }
    }
    // rounding times a condition of up to 1e5 of square random matrices
    const double tolerance = 1e-9;
    product(x, plus, m, n, m, xp);
    product(plus, x, n, m, n, px);
    product(xp, x, m, m, n, again);
    expect_same(again, x, m * n, tolerance);
    product(px, plus, n, n, m, again);
    expect_same(again, plus, n * m, tolerance);
    for (size_t i = 0; i < m * m; i++) {
        assert_near(xp[i], xp[i % m * m + i / m], tolerance);
    }
    for (size_t i = 0; i < n * n; i++) {
        assert_near(px[i], px[i % n * n + i / n], tolerance);
    }
}

// Oracle: the four conditions of Penrose, which only the pseudo-inverse meets. All shapes and ranks.
static void pseudo_inverse_meets_the_conditions_of_penrose(void** state)
{
    (void)state;
    static const size_t shapes[][3] = {{1, 1, 1},  {1, 5, 1},   {3, 3, 2},   {3, 7, 3},
                                       {7, 3, 3},  {7, 3, 2},   {10, 20, 6}, {20, 10, 6},
                                       {2, 64, 2}, {24, 24, 23}};
    uint64_t seed = 1;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        expect_penrose(&seed, shapes[i][0], shapes[i][1], shapes[i][2]);
    }
}

// --- systems --------------------------------------------------------------------------------------

// A random system with a contact of one or two normals in row 0 on, and other constraints after it.
typedef struct random_system {
    double M[MOST * MOST], A[MOST * MOST], J[3 * MOST], Q[MOST], qd[MOST], b[MOST], C[MOST];
    double normal[6];
    br_constrained s;
} random_system;

static void unit_normals(uint64_t* seed, double* normal, size_t normals, size_t d)
{
    for (size_t k = 0; k < normals; k++) {
        double* n = normal + k * d;
        double square = 0.0;
        for (size_t i = 0; i < d; i++) {
            n[i] = uniform(seed, -1.0, 1.0) + (i == k ? 2.0 : 0.0);
            square += n[i] * n[i];
        }
        for (size_t i = 0; i < d; i++) {
            n[i] /= sqrt(square);
        }
    }
}

static void fill(uint64_t* seed, double* x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        x[i] = uniform(seed, -1.0, 1.0);
    }
}

static void make_system(uint64_t* seed, size_t n, size_t m, size_t d, size_t normals,
                        random_system* r)
{
    static double root[MOST * MOST], turned[MOST * MOST];
    fill(seed, root, n * n);
    for (size_t i = 0; i < n * n; i++) {
        turned[i] = root[i % n * n + i / n];
    }
    product(root, turned, n, n, n, r->M);
    for (size_t i = 0; i < n; i++) {
        r->M[i * n + i] += (double)n;
    }
    fill(seed, r->J, d * n), fill(seed, r->Q, n), fill(seed, r->qd, n), fill(seed, r->b, m);
    fill(seed, r->A, m * n), fill(seed, r->C, n);
    unit_normals(seed, r->normal, normals, d);
    for (size_t k = 0; k < normals; k++) {
        product(r->normal + k * d, r->J, 1, d, n, r->A + k * n);
        for (size_t i = 0; i < n; i++) {
            r->A[k * n + i] *= 3.0; // any scale of the rows means the same
        }
    }
    r->s = (br_constrained){.n = n,
                            .m = m,
                            .d = d,
                            .M = r->M,
                            .Q = r->Q,
                            .A = r->A,
                            .b = r->b,
                            .J = r->J,
                            .qd = r->qd,
                            .C = r->C,
                            .normals = normals,
                            .normal = r->normal,
                            .mu = 0.2,
                            .mu_s = 0.3};
    assert_true(br_constrained_get_work(n, m, d) <= sizeof work / sizeof *work);
    assert_status(br_constrained_check(&r->s, work, NULL), BR_OK);
}

// Oracle: Newton's law. Without constraints, and without arrays for them, M qdd = Q and nothing presses.
static void without_constraints_a_system_is_free(void** state)
{
    (void)state;
    static random_system r;
    uint64_t seed = 31;
    for (size_t n = 1; n <= 6; n++) {
        make_system(&seed, n, 0, 2, 0, &r);
        r.s.A = r.s.b = NULL;
        assert_status(br_constrained_check(&r.s, work, NULL), BR_OK);
        br_constrained_value v;
        br_constrained_eval(&r.s, work, &v);
        double force[MOST];
        product(r.M, v.qdd_ideal, n, n, 1, force);
        expect_same(force, r.Q, n, 1e-13 /* rounding times the condition of M */);
        expect_same(v.q_t, r.Q, n, 0.0 /* all of it */);
        assert_int_equal(v.rank, 0);
        assert_near(v.inconsistency, 0.0, 0.0);
    }
}

// Oracle: invariant. Whatever acts, A qdd = b; and the forces of C that remain do not press on the
// constraint: M qdd - Q - Q_nid is in the range of A^T.
static void accelerations_meet_the_constraints(void** state)
{
    (void)state;
    static random_system r;
    static const size_t shapes[][2] = {{2, 1}, {5, 3}, {12, 7}, {64, 20}};
    uint64_t seed = 2;
    for (size_t i = 0; i < 4; i++) {
        const size_t n = shapes[i][0], m = shapes[i][1];
        make_system(&seed, n, m, 2, 1, &r);
        br_constrained_value v;
        br_constrained_slide_value slide;
        double product_with_a[MOST];
        br_constrained_eval(&r.s, work, &v);
        const br_resistance coulomb = br_constrained_coulomb(&r.s);
        br_constrained_slide(&r.s, &coulomb, BR_NORMAL_GEOMETRIC, work, &slide);
        product(r.A, v.qdd_ideal, m, n, 1, product_with_a);
        expect_same(product_with_a, r.b, m, 1e-12 /* rounding */);
        product(r.A, v.qdd_with_c, m, n, 1, product_with_a);
        expect_same(product_with_a, r.b, m, 1e-12);
        product(r.A, slide.qdd, m, n, 1, product_with_a);
        expect_same(product_with_a, r.b, m, 1e-12);
    }
}

// How far (14) is from (8) at rest, |Q_id + Q_p|/|Q_p|, for a mass matrix with the eigenvectors
// e_i - 2 u_i u and rows of A that are sums of the first two of them, or of all.
static double mismatch_at_rest(uint64_t* seed, size_t eigenvectors)
{
    enum { N = 5 };
    const double rest[N] = {0.0};
    double u[N], M[N * N], A[2 * N] = {0.0}, J[2 * N], Q[N], V[N][N], square = 0.0;
    fill(seed, u, N), fill(seed, J, 2 * N), fill(seed, Q, N);
    for (size_t i = 0; i < N; i++) {
        square += u[i] * u[i];
    }
    for (size_t i = 0; i < N * N; i++) {
        V[i / N][i % N] = (i / N == i % N) - 2.0 * u[i / N] * u[i % N] / square;
        M[i] = 0.0;
    }
    for (size_t k = 0; k < N; k++) {
        const double mass = uniform(seed, 0.5, 5.0);
        for (size_t i = 0; i < N * N; i++) {
            M[i] += mass * V[k][i / N] * V[k][i % N];
        }
    }
    for (size_t i = 0; i < 2 * eigenvectors; i++) {
        const double share = uniform(seed, -1.0, 1.0);
        for (size_t j = 0; j < N; j++) {
            A[i / eigenvectors * N + j] += share * V[i % eigenvectors][j];
        }
    }
    const br_constrained s = {
        .n = N, .m = 2, .d = 2, .M = M, .Q = Q, .A = A, .b = rest, .J = J, .qd = rest};
    br_constrained_value v;
    br_constrained_eval(&s, work, &v);
    double missing = 0.0, size = 0.0;
    for (size_t i = 0; i < N; i++) {
        missing += (v.q_id[i] + v.q_p[i]) * (v.q_id[i] + v.q_p[i]);
        size += v.q_p[i] * v.q_p[i];
    }
    return sqrt(missing / size);
}

// Oracle: linear algebra. (8) at rest is the projection onto the range of A^T along M times the
// null space of A: it is orthogonal, by (14), if eigenvectors of M span the range of A^T.
static void forces_at_rest_are_the_printed_ones_along_eigenvectors_of_the_mass(void** state)
{
    (void)state;
    uint64_t seed = 4;
    double least = 1.0;
    for (int i = 0; i < 100; i++) {
        assert_near(mismatch_at_rest(&seed, 2), 0.0, 1e-10 /* rounding times the condition of A */);
        least = fmin(least, mismatch_at_rest(&seed, 5));
    }
    assert_true(least > 1e-3); // any other constraint: 0.3 as a rule
}

// Oracle: independent route. Friction with the frictionless normal force is (9), (10) with
// C = J^T F_c; this is what H+ means by Coulomb friction.
static void paper_friction_is_the_nonideal_force(void** state)
{
    (void)state;
    static random_system r;
    uint64_t seed = 3;
    make_system(&seed, 6, 1, 3, 1, &r);
    br_constrained_value v;
    br_constrained_slide_value slide;
    const br_resistance coulomb = br_constrained_coulomb(&r.s);
    br_constrained_slide(&r.s, &coulomb, BR_NORMAL_PAPER, work, &slide);
    br_constrained_eval(&r.s, work, &v);
    expect_same(slide.friction, v.f_c, 3, 1e-13 /* rounding */);
    r.s.C = v.q_c;
    br_constrained_value with_friction;
    br_constrained_eval(&r.s, work, &with_friction);
    expect_same(slide.qdd, with_friction.qdd_with_c, 6, 1e-13);
}

// Oracle: invariant. Friction is mu times the size of the normal force that results with it: solve
// the frictionless system again with that friction among its applied forces.
static void coupled_normal_force_is_a_fixed_point(void** state)
{
    (void)state;
    static random_system r;
    uint64_t seed = 4;
    for (size_t normals = 1; normals <= 2; normals++) {
        for (int i = 0; i < 20; i++) {
            make_system(&seed, 7, 4, 3, normals, &r);
            const br_resistance coulomb = br_constrained_coulomb(&r.s);
            br_constrained_slide_value slide, check;
            br_constrained_slide(&r.s, &coulomb, BR_NORMAL_GEOMETRIC, work, &slide);
            product(slide.friction, r.J, 1, 3, 7, r.C);
            for (size_t j = 0; j < 7; j++) {
                r.Q[j] += r.C[j];
            }
            const br_resistance none = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
            br_constrained_slide(&r.s, &none, BR_NORMAL_GEOMETRIC, work, &check);
            assert_near_relative(check.n, slide.n, 1e-12 /* rounding */);
            expect_same(check.qdd, slide.qdd, 7, 1e-12);
            const double size =
                sqrt(slide.friction[0] * slide.friction[0] + slide.friction[1] * slide.friction[1] +
                     slide.friction[2] * slide.friction[2]);
            assert_near_relative(size, r.s.mu * fabs(slide.n), 1e-12);
        }
    }
}

// Oracle: independent system. A coordinate that a constraint locks might as well not be there.
static void a_locked_coordinate_is_no_coordinate(void** state)
{
    (void)state;
    static random_system r;
    uint64_t seed = 5;
    make_system(&seed, 4, 2, 2, 1, &r);
    memset(r.A + 4, 0, 4 * sizeof(double));
    r.A[7] = 2.0, r.b[1] = 0.0, r.qd[3] = 0.0;

    double M[9], J[6], A[3];
    for (size_t i = 0; i < 3; i++) {
        memcpy(M + 3 * i, r.M + 4 * i, sizeof(double[3]));
    }
    memcpy(J, r.J, sizeof(double[3])), memcpy(J + 3, r.J + 4, sizeof(double[3]));
    product(r.normal, J, 1, 2, 3, A);
    memcpy(r.A, A, sizeof A);
    for (size_t i = 0; i < 3; i++) {
        r.A[i] *= 3.0;
    }
    r.A[3] = 3.0 * (r.normal[0] * r.J[3] + r.normal[1] * r.J[7]);
    double b[1] = {r.b[0] / 3.0};
    br_constrained small = r.s;
    small.n = 3, small.m = 1, small.M = M, small.J = J, small.A = A, small.b = b;

    br_constrained_slide_value slide[2];
    br_constrained_hold_value hold[2];
    const br_resistance coulomb = br_constrained_coulomb(&small);
    br_constrained_slide(&r.s, &coulomb, BR_NORMAL_GEOMETRIC, work, &slide[0]);
    br_constrained_slide(&small, &coulomb, BR_NORMAL_GEOMETRIC, work, &slide[1]);
    br_constrained_hold(&r.s, work, &hold[0]);
    br_constrained_hold(&small, work, &hold[1]);
    assert_near_relative(slide[0].n, slide[1].n, 1e-12 /* rounding */);
    assert_near_relative(slide[0].margin, slide[1].margin, 1e-12);
    expect_same(slide[0].qdd, slide[1].qdd, 3, 1e-12);
    expect_same(hold[0].force, hold[1].force, 2, 1e-12);
    expect_same(hold[0].qdd, hold[1].qdd, 3, 1e-12);
}

// Oracle: paper, (37)-(40). A block on the floor: F_n = (0, m g), f = (-mu m g, 0), sticks to F.
static void block_of_the_paper(void** state)
{
    (void)state;
    const double m = 2.0, g = 9.8, force = 3.0;
    const double M[4] = {m, 0.0, 0.0, m}, Q[2] = {force, -m * g}, A[2] = {0.0, 1.0}, b[1] = {0.0};
    const double J[4] = {1.0, 0.0, 0.0, 1.0}, qd[2] = {0.1, 0.0};
    const br_constrained s = {.n = 2,
                              .m = 1,
                              .d = 2,
                              .M = M,
                              .Q = Q,
                              .A = A,
                              .b = b,
                              .J = J,
                              .qd = qd,
                              .normals = 1,
                              .normal = A,
                              .mu = 0.3,
                              .mu_s = 0.4};
    br_constrained_value v;
    br_constrained_eval(&s, work, &v);
    assert_near(v.f_n[0], 0.0, 1e-15), assert_near(v.f_n[1], m * g, 1e-14 /* rounding */);
    assert_near(v.f_c[0], -0.3 * m * g, 1e-14), assert_near(v.f_c[1], 0.0, 1e-15);
    assert_true(v.stick);
    assert_near(v.f_s[0], -force, 1e-15), assert_near(v.q_s[0], -force, 1e-15);
    br_constrained_hold_value hold;
    br_constrained_hold(&s, work, &hold);
    assert_true(hold.sticks);
    assert_near(hold.friction[0], -force, 1e-15);
    assert_near(hold.n, m * g, 1e-14);
}

// Oracle: closed form. Painleve's rod, uniform, sliding on its end: W_nn = (1 + 3 cos^2)/m,
// W_np = 3 sin cos/m, so the margin at tan = 2 is 1 - mu 3/4 and vanishes at mu = 4/3.
static void painleve_margin_of_a_sliding_rod(void** state)
{
    (void)state;
    const double length = 1.0, mass = 3.0, angle = atan(2.0);
    const double arm_x = 0.5 * length * cos(angle), arm_y = 0.5 * length * sin(angle);
    const double M[9] = {mass, 0, 0, 0, mass, 0, 0, 0, mass * length * length / 12.0};
    // the lower end (x - arm_x, y - arm_y), turning with the rod
    const double J[6] = {1.0, 0.0, arm_y, 0.0, 1.0, -arm_x};
    const double Q[3] = {0.0, -mass * 9.8, 0.0}, qd[3] = {1.0, 0.0, 0.0}, b[1] = {0.0};
    const double normal[2] = {0.0, 1.0};
    br_constrained s = {.n = 3,
                        .m = 1,
                        .d = 2,
                        .M = M,
                        .Q = Q,
                        .A = J + 3,
                        .b = b,
                        .J = J,
                        .qd = qd,
                        .normals = 1,
                        .normal = normal};
    static const double mu[] = {0.1, 1.0, 4.0 / 3.0, 1.4};
    for (size_t i = 0; i < 4; i++) {
        s.mu = s.mu_s = mu[i];
        br_constrained_slide_value slide;
        const br_resistance coulomb = br_constrained_coulomb(&s);
        br_constrained_slide(&s, &coulomb, BR_NORMAL_GEOMETRIC, work, &slide);
        assert_near(slide.margin, 1.0 - 0.75 * mu[i], 1e-15 /* rounding */);
        assert_true(mu[i] > 1.3 || isfinite(slide.n));
        assert_true(mu[i] < 1.35 || isnan(slide.n));
    }
}

// The system of r with rows after its own that repeat those of its contact: sums of them.
static br_constrained with_repeated_rows(uint64_t* seed, const random_system* r, size_t rows,
                                         double* A, double* b)
{
    const size_t n = r->s.n, m = r->s.m;
    memcpy(A, r->A, m * n * sizeof *A);
    memcpy(b, r->b, m * sizeof *b);
    for (size_t i = m; i < rows; i++) {
        double weight[2];
        fill(seed, weight, 2);
        product(weight, r->A, 1, r->s.normals, n, A + i * n);
        product(weight, r->b, 1, r->s.normals, 1, b + i);
    }
    br_constrained s = r->s;
    s.m = rows, s.A = A, s.b = b;
    return s;
}

// Oracle: invariant. To give a constraint twice, or 200 times, changes nothing.
static void repeated_rows_change_nothing(void** state)
{
    (void)state;
    enum { N = 7, ROWS = 200 };
    static random_system r;
    static double A[ROWS * N], b[ROWS];
    static const size_t counts[] = {5, 6, ROWS};
    const double rounding = 1e-11; // that of 200 rows turned against each other
    uint64_t seed = 6;
    for (size_t i = 0; i < 6; i++) {
        make_system(&seed, N, 4, 3, 1 + i % 2, &r);
        const br_constrained s = with_repeated_rows(&seed, &r, counts[i / 2], A, b);
        assert_status(br_constrained_check(&s, work, NULL), BR_OK);
        const br_resistance coulomb = br_constrained_coulomb(&s);
        br_constrained_slide_value slide, expected;
        br_constrained_slide(&s, &coulomb, BR_NORMAL_GEOMETRIC, work, &slide);
        br_constrained_slide(&r.s, &coulomb, BR_NORMAL_GEOMETRIC, work, &expected);
        assert_near_relative(slide.n_frictionless, expected.n_frictionless, rounding);
        assert_near_relative(slide.n, expected.n, rounding);
        assert_near_relative(slide.margin, expected.margin, rounding);
        expect_same(slide.friction, expected.friction, 3, rounding);
        expect_same(slide.qdd, expected.qdd, N, rounding);
        br_constrained_hold_value hold, wanted;
        br_constrained_hold(&s, work, &hold);
        br_constrained_hold(&r.s, work, &wanted);
        expect_same(hold.force, wanted.force, 3, rounding);
        expect_same(hold.qdd, wanted.qdd, N, rounding);
        assert_int_equal(hold.possible, wanted.possible);
        assert_int_equal(hold.sticks, wanted.sticks);
    }
}

// Oracle: closed form. What holds a point on its own is minus the applied force, however much heavier
// it is in one direction than in the other, and whatever its coordinates are measured in.
static void a_point_is_held_whatever_its_masses(void** state)
{
    (void)state;
    static const double units[][2] = {{1.0, 1.0}, {1e6, 1e-6}, {1e-5, 1e3}};
    for (size_t i = 0; i < 6; i++) {
        // the frame of the point turned by an angle, where rounding is 1e8 times larger
        const double angle = i < 3 ? 0.0 : 0.5, c = cos(angle), s0 = sin(angle);
        const double tolerance = i < 3 ? 1e-14 : 1e-6;
        const double *u = units[i % 3], qd[2] = {0.0, 0.0}, b = 0.0, normal[2] = {-s0, c};
        const double M[4] = {1e-8 * u[0] * u[0], 0.0, 0.0, 1e8 * u[1] * u[1]};
        const double Q[2] = {3.0 * u[0], -19.6 * u[1]}, A[2] = {0.0, u[1]};
        const double J[4] = {c * u[0], -s0 * u[1], s0 * u[0], c * u[1]};
        const br_constrained s = {.n = 2,
                                  .m = 1,
                                  .d = 2,
                                  .M = M,
                                  .Q = Q,
                                  .A = A,
                                  .b = &b,
                                  .J = J,
                                  .qd = qd,
                                  .normals = 1,
                                  .normal = normal,
                                  .mu = 0.3,
                                  .mu_s = 0.4};
        br_constrained_hold_value hold;
        br_constrained_hold(&s, work, &hold);
        assert_near_relative(hold.n, 19.6, tolerance);
        assert_near_relative(hold.tangential, 3.0, tolerance);
        assert_true(hold.possible && hold.sticks);
    }
}

// Oracle: closed form. A point that can move along one line only (J of rank 1) but is to be held
// across it cannot be held.
static void a_point_that_must_accelerate_cannot_be_held(void** state)
{
    (void)state;
    const double M[4] = {1, 0, 0, 1}, Q[2] = {1, 0}, J[4] = {1, 1, 2, 2}, qd[2] = {1, -1};
    const double normal[2] = {0, 1}, b[1] = {0}, bias[2] = {2, -1};
    br_constrained s = {.n = 2,
                        .m = 1,
                        .d = 2,
                        .M = M,
                        .Q = Q,
                        .A = J + 2,
                        .b = b,
                        .J = J,
                        .qd = qd,
                        .normals = 1,
                        .normal = normal,
                        .bias = bias};
    br_constrained_hold_value hold;
    br_constrained_hold(&s, work, &hold);
    assert_false(hold.possible || hold.sticks);
    s.bias = NULL;
    br_constrained_hold(&s, work, &hold);
    assert_true(hold.possible);
}

static void expect_refused(const br_constrained* s, const char* field)
{
    br_reason why;
    assert_status(br_constrained_check(s, work, &why), BR_ERR_DEF);
    assert_string_equal(why.field, field);
}

// Oracle: contract. Each member that can be wrong is named.
static void bad_systems_are_refused(void** state)
{
    (void)state;
    const double M[4] = {2, 0.5, 0.5, 1}, skew[4] = {2, 0.5, -0.5, 1}, indefinite[4] = {1, 2, 2, 1};
    const double Q[2] = {1, 1}, J[4] = {1, 0, 0, 1}, zero[4] = {0}, qd[2] = {1, 0};
    const double A[4] = {0, 1, 0, 2}, b[2] = {1, 2}, contradiction[2] = {1, 3},
                 bad[2] = {1, (double)NAN};
    const double normal[2] = {0, 1}, longer[2] = {0, 1.1}, across[2] = {1, 0};
    const br_constrained good = {.n = 2,
                                 .m = 2,
                                 .d = 2,
                                 .M = M,
                                 .Q = Q,
                                 .A = A,
                                 .b = b,
                                 .J = J,
                                 .qd = qd,
                                 .normals = 1,
                                 .normal = normal,
                                 .mu = 0.2,
                                 .mu_s = 0.2};
    assert_status(br_constrained_check(&good, work, NULL), BR_OK);
    br_constrained s = good;
    s.M = skew, expect_refused(&s, "M"), s.M = indefinite, expect_refused(&s, "M"), s = good;
    s.J = zero, expect_refused(&s, "J"), s = good;
    s.b = contradiction, expect_refused(&s, "b"), s = good;
    s.Q = bad, expect_refused(&s, "Q"), s = good;
    s.mu_s = 0.1, expect_refused(&s, "mu_s"), s.mu = -1.0, expect_refused(&s, "mu"), s = good;
    s.normal = longer, expect_refused(&s, "normal"), s.normal = across,
    expect_refused(&s, "normal");
    s = good, s.n = 65, expect_refused(&s, "n"), s = good, s.d = 4, expect_refused(&s, "d");
    s = good, s.contact = 2, expect_refused(&s, "contact");
    assert_int_equal(br_constrained_find_contact(&good, normal), 0);
    assert_int_equal(br_constrained_find_contact(&good, across), 2);

    // what the check refuses is a number of the evaluation: of b, the part along (2, -1) is outside
    br_constrained_value v;
    s = good, s.b = contradiction;
    br_constrained_eval(&s, work, &v);
    assert_near(v.inconsistency, (1.0 / sqrt(5.0)) / sqrt(10.0), 1e-15 /* closed form: rounding */);
    s = good, s.M = indefinite;
    br_constrained_eval(&s, work, &v);
    assert_true(isnan(v.qdd_ideal[0]) && isnan(v.q_id[1]) && isnan(v.f_n[1]));
}

// Oracle: contract. No call allocates, the largest system included.
static void nothing_allocates(void** state)
{
    (void)state;
    static random_system r;
    counting count = {0, 0, 0};
    uint64_t seed = 6;
    br_set_allocator(counting_allocate, counting_release, &count);
    make_system(&seed, MOST, MOST / 2, 3, 2, &r);
    br_constrained_value v;
    br_constrained_slide_value slide;
    br_constrained_hold_value hold;
    const br_resistance coulomb = br_constrained_coulomb(&r.s);
    br_constrained_eval(&r.s, work, &v);
    br_constrained_slide(&r.s, &coulomb, BR_NORMAL_GEOMETRIC, work, &slide);
    br_constrained_hold(&r.s, work, &hold);
    br_set_allocator(NULL, NULL, NULL);
    assert_int_equal(count.calls, 0);
    assert_true(isfinite(slide.n) && isfinite(hold.n) && isfinite(v.q_s[MOST - 1]));
}

// --- surfaces that move ---------------------------------------------------------------------------

// 1 kg on a level floor, under gravity, with this velocity.
static br_constrained on_a_floor(const double* qd)
{
    static const double unit[] = {1.0, 0.0, 0.0, 1.0}, up[] = {0.0, 1.0}, Q[] = {0.0, -9.81};
    static const double b[] = {0.0};
    return (br_constrained){.n = 2,
                            .m = 1,
                            .d = 2,
                            .M = unit,
                            .Q = Q,
                            .A = up,
                            .b = b,
                            .J = unit,
                            .qd = qd,
                            .normals = 1,
                            .normal = up,
                            .mu = 0.3,
                            .mu_s = 0.3};
}

static br_constrained_slide_value slide_of(const br_constrained* s)
{
    br_constrained_slide_value slide;
    const br_resistance coulomb = br_constrained_coulomb(s);
    assert_status(br_constrained_check(s, work, NULL), BR_OK);
    br_constrained_slide(s, &coulomb, BR_NORMAL_GEOMETRIC, work, &slide);
    return slide;
}

// Oracle: closed form. On a floor that rises at 0.5 m/s friction is along the floor, mu m g = 2.943 N, whether the
// surface's velocity is given or only its normal; on a conveyor it is against the slip.
static void friction_is_against_the_velocity_over_the_surface(void** state)
{
    (void)state;
    const double qd[2] = {1.0, 0.5}, rises[2] = {0.0, 0.5}, overtakes[2] = {3.0, 0.5};
    br_constrained s = on_a_floor(qd);
    const double* const velocity[] = {NULL, rises, overtakes, qd};
    const double friction[] = {-2.943, -2.943, 2.943, 0.0};
    for (size_t i = 0; i < 4; i++) {
        s.surface_velocity = velocity[i];
        const br_constrained_slide_value slide = slide_of(&s);
        assert_near(slide.friction[0], friction[i], 1e-15 /* N: rounding */);
        assert_near(slide.friction[1], 0.0, 0.0 /* before, -1.52 N with the first two */);
        assert_near(slide.lambda[0], 9.81, 1e-14 /* N: rounding */);
    }
    const double bad[2] = {0.0, (double)NAN};
    s.surface_velocity = bad, expect_refused(&s, "surface_velocity");
    s.surface_velocity = NULL, s.surface_acceleration = bad;
    expect_refused(&s, "surface_acceleration");
}

// Oracle: closed form. A point is held on a surface that accelerates by m a, and by no more than mu m g.
static void a_point_is_held_on_a_surface_that_accelerates(void** state)
{
    (void)state;
    const double qd[2] = {0.0, 0.0}, slow[2] = {2.9, 0.0}, fast[2] = {3.0, 0.0};
    br_constrained s = on_a_floor(qd);
    br_constrained_hold_value hold;
    s.surface_acceleration = slow;
    br_constrained_hold(&s, work, &hold);
    assert_true(hold.sticks);
    assert_near(hold.friction[0], 2.9, 1e-15 /* N: rounding */);
    assert_near(hold.qdd[0], 2.9, 1e-15 /* m/s^2 */);
    s.surface_acceleration = fast;
    br_constrained_hold(&s, work, &hold);
    assert_true(hold.possible && !hold.sticks);
}

// --- laws at a point ------------------------------------------------------------------------------

// Oracle: closed form of (36) at constant velocity, with x = sigma_k |v| t/Fc: F_k = F_ck (1 - e^-x) for
// alpha_k = 1 and F_ck x/(1 + x) for alpha_k = 2; each axis has its own numbers.
static void dahl_has_a_stiffness_and_an_exponent_for_each_axis(void** state)
{
    (void)state;
    const br_dahl_axes axes = {{1e4, 3e4, 2e4}, {1.0, 2.0, 1.0}};
    const double v[3] = {2e-3, -1e-3, 2e-3}, fc = 1.5;
    br_law law = br_law_default(BR_LAW_DAHL);
    law.mu_c = 0.3;
    enum { STEPS = 4000 };
    double z[3] = {0.0, 0.0, 0.0}, dz[3], middle[3];
    const double h = 0.1 / STEPS;
    for (int i = 0; i < STEPS; i++) { // midpoint rule
        br_point_law_rate(&law, BR_DAHL_PER_AXIS, &axes, 3, z, v, fc / law.mu_c, dz);
        for (int k = 0; k < 3; k++) {
            middle[k] = z[k] + 0.5 * h * dz[k];
        }
        br_point_law_rate(&law, BR_DAHL_PER_AXIS, &axes, 3, middle, v, fc / law.mu_c, dz);
        for (int k = 0; k < 3; k++) {
            z[k] += h * dz[k];
        }
    }
    const br_resistance got = br_point_law_eval(&law, &axes, 3, z, v);
    for (int k = 0; k < 3; k++) {
        const double x = axes.sigma[k] * 3e-3 * 0.1 / fc, limit = fc * v[k] / 3e-3;
        const double expected = axes.alpha[k] == 1.0 ? 1.0 - exp(-x) : x / (1.0 + x);
        assert_near(-got.fixed[k], limit * expected, 1e-6 /* N: of 1 N, h^2 of the rule */);
    }
}

// Oracle: independent function. Along a line, the point's law is the law of one dimension.
static void point_laws_along_a_line_are_those_of_one_dimension(void** state)
{
    (void)state;
    const double line[3] = {2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0};
    uint64_t seed = 7;
    for (int i = 0; i < 300; i++) {
        br_law law = br_law_default((br_law_kind)(i % 6));
        law.alpha = i % 2 ? 2.0 : 0.5;
        law.sigma0 = law.kind == BR_LAW_DAHL ? 1e5 : 1e6;
        br_curve curve;
        if (i % 5 == 0) { // for laws that have none, too: they do not look at it
            static const double speeds[] = {0.0, 1e-3, 3e-3}, g[] = {0.5, 0.4, 0.45},
                                f_v[] = {0.0, 0.1, 0.2};
            assert_status(br_law_set_curve(&law, &curve, 3, speeds, g, f_v, NULL), BR_OK);
        }
        const double v = uniform(&seed, -2e-3, 2e-3), fn = uniform(&seed, 0.1, 5.0);
        const double z = uniform(&seed, -1.3, 1.3) * fn * law.mu_c / law.sigma0;
        double vs[3], zs[3], dz[3];
        for (int k = 0; k < 3; k++) {
            vs[k] = v * line[k], zs[k] = z * line[k];
        }
        const br_law_value one = br_law_eval(&law, z, v, fn);
        for (int form = 0; form < 2; form++) {
            br_point_law_rate(&law, (br_dahl_form)form, NULL, 3, zs, vs, fn, dz);
            const br_resistance f = br_point_law_eval(&law, NULL, 3, zs, vs);
            for (int k = 0; k < 3; k++) {
                // rounding, of terms of this size
                assert_near(dz[k], one.dz * line[k], 1e-12 * (fabs(one.dz) + fabs(v)));
                assert_near(-(fn * f.per_normal[k] + f.fixed[k]), one.f * line[k],
                            1e-12 * (fabs(one.f) + fn));
            }
        }
    }
}

// One support point with an elasto-plastic law, as a planar contact.
static br_contact* make_planar_point(const br_law* law)
{
    const br_support_point point = {0.0, 0.0, 1.0};
    br_patch_def patch_def = br_patch_def_default();
    patch_def.shape = BR_SHAPE_POINTS;
    patch_def.points = &point;
    patch_def.count = 1;
    br_patch* patch;
    assert_status(br_patch_create(&patch_def, &patch, NULL), BR_OK);
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_DISTRIBUTED;
    def.patch = patch;
    def.law = *law;
    br_contact* model;
    assert_status(br_contact_create(&def, &model, NULL), BR_OK);
    br_patch_destroy(patch);
    return model;
}

// Oracle: independent function, and a change of frame. At any angle between deflection and motion the
// elasto-plastic point is the planar contact's, (16), (17) of W&K, in the plane and in any plane in space.
static void a_point_in_the_plane_and_in_space_has_the_planar_law(void** state)
{
    (void)state;
    const double plane[2][3] = {{2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0},
                                {1.0 / 3.0, -2.0 / 3.0, -2.0 / 3.0}};
    const br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    br_contact* model = make_planar_point(&law);
    const size_t n = br_contact_get_part_count(model);
    assert_in_range(n, 1, 8);
    uint64_t seed = 9;
    int oblique = 0;
    for (int i = 0; i < 500; i++) {
        const double size = uniform(&seed, 0.85, 1.3) / law.sigma0,
                     angle = uniform(&seed, 0.0, 7.0);
        const double z[2] = {size * cos(angle), size * sin(angle)};
        const double v[2] = {uniform(&seed, -1e-3, 1e-3), uniform(&seed, -1e-3, 1e-3)};
        double flat[2], space[3], zs[3], vs[3];
        // cells are padded: x deflections first, then y
        double padded[16] = {z[0]}, rates[16];
        padded[n] = z[1];
        br_contact_eval(model, padded, (br_twist){v[0], v[1], 0.0}, 1.0, rates);
        const double planar[2] = {rates[0], rates[n]};
        br_point_law_rate(&law, BR_DAHL_VECTOR, NULL, 2, z, v, 1.0, flat);
        for (int k = 0; k < 3; k++) {
            zs[k] = z[0] * plane[0][k] + z[1] * plane[1][k];
            vs[k] = v[0] * plane[0][k] + v[1] * plane[1][k];
        }
        br_point_law_rate(&law, BR_DAHL_VECTOR, NULL, 3, zs, vs, 1.0, space);
        for (int k = 0; k < 2; k++) {
            assert_near(flat[k], planar[k], 1e-17 /* m/s: rounding of 1e-3 */);
        }
        for (int k = 0; k < 3; k++) {
            assert_near(space[k], planar[0] * plane[0][k] + planar[1] * plane[1][k], 1e-17);
        }
        // bends back, and yields a little all the same
        oblique += z[0] * v[0] + z[1] * v[1] < 0.0 && hypot(flat[0] - v[0], flat[1] - v[1]) > 1e-5;
    }
    assert_true(oblique > 20);
    br_contact_destroy(model);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pseudo_inverse_meets_the_conditions_of_penrose),
        cmocka_unit_test(without_constraints_a_system_is_free),
        cmocka_unit_test(accelerations_meet_the_constraints),
        cmocka_unit_test(forces_at_rest_are_the_printed_ones_along_eigenvectors_of_the_mass),
        cmocka_unit_test(paper_friction_is_the_nonideal_force),
        cmocka_unit_test(coupled_normal_force_is_a_fixed_point),
        cmocka_unit_test(a_locked_coordinate_is_no_coordinate),
        cmocka_unit_test(block_of_the_paper),
        cmocka_unit_test(painleve_margin_of_a_sliding_rod),
        cmocka_unit_test(repeated_rows_change_nothing),
        cmocka_unit_test(a_point_is_held_whatever_its_masses),
        cmocka_unit_test(a_point_that_must_accelerate_cannot_be_held),
        cmocka_unit_test(bad_systems_are_refused),
        cmocka_unit_test(nothing_allocates),
        cmocka_unit_test(friction_is_against_the_velocity_over_the_surface),
        cmocka_unit_test(a_point_is_held_on_a_surface_that_accelerates),
        cmocka_unit_test(dahl_has_a_stiffness_and_an_exponent_for_each_axis),
        cmocka_unit_test(point_laws_along_a_line_are_those_of_one_dimension),
        cmocka_unit_test(a_point_in_the_plane_and_in_space_has_the_planar_law),
    };
    return run_group(argc, argv, tests);
}
