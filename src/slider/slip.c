/*
 * The scalar equation of a slider's step: |P(sigma)| = 1 with sigma >= 0. See slip.h.
 *
 * Newton's method on y = 1/|P(sigma)| - 1, which is almost linear in sigma (and linear for
 * isotropic translation), then the inverse cubic through the last two points and slopes. All of it
 * inside a bracket that always contains a root: |P(0)| > 1, and |P| <= 1 at the slip speed without
 * friction, because friction only slows down. The paper's system of four equations has
 * further roots with sigma < 0, friction that pushes; those are outside the bracket.
 */
#include "slider/slip.h"

#include "math/vec3.h"

// Usually 2 or 3 rounds; of a million random cases 3 needed 7 to 9. MAX_ROUNDS is a safeguard. With a load
// off the height of the CoM, Newton's method converged in 12 rounds in all but 5 of 10,000 cases.
enum { MAX_ROUNDS = 60, MAX_JOINT_ROUNDS = 12 };

typedef struct pair {
    double t, o;
} pair;

// A matrix and the inverse of its determinant.
typedef struct matrix2 {
    double tt, to, ot, oo, inverse;
} matrix2;

// P at a sigma, its slope, y = 1/|P| - 1 and dsigma/dy.
typedef struct slip_point {
    double sigma;
    double p[3], dp[3];
    double y, dsigma;
} slip_point;

static pair solve2(const matrix2* s, double t, double o)
{
    return (pair){(s->oo * t - s->to * o) * s->inverse, (s->tt * o - s->ot * t) * s->inverse};
}

// k_x P_o - k_y P_t: moment of the friction force by its lever arm
static double lever(const slip_problem* q, pair p)
{
    return q->k[0] * p.o - q->k[1] * p.t;
}

static matrix2 matrix_of(const slip_problem* q, double sigma, double eta, double beta)
{
    const double kx = q->k[0], ky = q->k[1], side = kx * ky * eta;
    matrix2 s = {sigma + q->d[0] + ky * ky * eta, beta - side, -beta - side,
                 sigma + q->d[1] + kx * kx * eta, 0.0};
    s.inverse = 1.0 / (s.tt * s.oo - s.to * s.ot);
    return s;
}

static slip_point point_of(double sigma, pair p, double pr, pair dp, double dpr)
{
    const double square = p.t * p.t + p.o * p.o + pr * pr, norm = sqrt(square);
    const double slope = p.t * dp.t + p.o * dp.o + pr * dpr;
    return (slip_point){.sigma = sigma,
                        .p = {p.t, p.o, pr},
                        .dp = {dp.t, dp.o, dpr},
                        .y = 1.0 / norm - 1.0,
                        .dsigma = -square * norm / slope};
}

// P and its slope without a load off the height of the CoM: beta is a function of sigma.
static slip_point evaluate(const slip_problem* q, double sigma)
{
    const double *v = q->v, *d = q->d;
    const double r = sigma + d[2], a = (sigma + d[0]) * r, c = (sigma + d[1]) * r;
    const double g = q->turning * v[2] * sigma, det = a * c + g * g; // g = beta r
    const double both = 1.0 / (det * r), x = det * both, scale = r * r * both;
    const pair p = {-(c * v[0] - g * v[1]) * scale, -(a * v[1] + g * v[0]) * scale};
    const double pr = -v[2] * x;

    // the same equations, differentiated by sigma
    const double dbeta = q->turning * v[2] * d[2] * x * x;
    const pair rest = {-p.t - dbeta * p.o, -p.o + dbeta * p.t};
    const pair dp = {(c * rest.t - g * rest.o) * scale, (a * rest.o + g * rest.t) * scale};
    return point_of(sigma, p, pr, dp, -x * pr);
}

// P and its slope at a fixed beta, with a load off the height of the CoM.
static slip_point evaluate_held(const slip_problem* q, double sigma, double beta)
{
    const double *v = q->v, *d = q->d, *k = q->k;
    const double x = 1.0 / (sigma + d[2]), eta = d[2] * sigma * x, omega = v[2] * sigma * x;
    const matrix2 s = matrix_of(q, sigma, eta, beta);
    const pair p = solve2(&s, -(v[0] - k[1] * omega), -(v[1] + k[0] * omega));
    const double pr = -x * (v[2] + d[2] * lever(q, p));
    const double turn = -pr * d[2] * x;
    const pair dp = solve2(&s, -p.t + k[1] * turn, -p.o - k[0] * turn);
    return point_of(sigma, p, pr, dp, -x * (pr + d[2] * lever(q, dp)));
}

// The step of sigma from point `a` to y = 0, on the cubic sigma(y) through `a` and `b` with their slopes.
static double cubic_step(const slip_point* a, const slip_point* b)
{
    const double inverse = 1.0 / (b->y - a->y), chord = (b->sigma - a->sigma) * inverse;
    const double second = (chord - a->dsigma) * inverse;
    const double third = ((b->dsigma - chord) * inverse - second) * inverse;
    return -a->y * a->dsigma + a->y * a->y * (second - third * b->y);
}

static int is_between(double x, double low, double high)
{
    return x > low && x < high;
}

// V at the ECP as shifted by the load, without the shift by friction.
static void shifted_velocity(const slip_problem* q, double v[3])
{
    v[0] = q->v[0] - q->k[1] * q->v[2];
    v[1] = q->v[1] + q->k[0] * q->v[2];
    v[2] = q->v[2];
}

// The slip speed without friction.
static double slip_speed(const slip_problem* q)
{
    double v[3];
    shifted_velocity(q, v);
    return vec3_norm(v);
}

// With d = 0, beta = b is known and the matrix is a rotation:
//   V_to^2/(sigma^2 + b^2) + V_r^2/sigma^2 = 1,   a quadratic in sigma^2                    (25)
static slip_solution solve_instant(const slip_problem* q)
{
    double v[3];
    shifted_velocity(q, v);
    const double b = q->turning * v[2], vr_b = v[2] * b;
    const double half = 0.5 * (vec3_dot(v, v) - b * b), root = sqrt(half * half + vr_b * vr_b);
    const double square = half > 0.0 ? half + root : vr_b * vr_b / (root - half);
    const double sigma = sqrt(square), inverse = 1.0 / (square + b * b);
    return (slip_solution){.sigma = sigma,
                           .p = {-(sigma * v[0] - b * v[1]) * inverse,
                                 -(sigma * v[1] + b * v[0]) * inverse, -v[2] / sigma},
                           .iterations = 1};
}

// The slip speed of the instant, minus its reduction by friction over the step.
static double first_guess(const slip_problem* q)
{
    const slip_solution at = solve_instant(q);
    double taken = 0.0;
    for (int i = 0; i < 3; i++) {
        taken += q->d[i] * at.p[i] * at.p[i];
    }
    return fmax(at.sigma - taken, 0.02 * at.sigma); // at 0 the slope may be a poor guide
}

// Move a point by a step: P on its tangent, or on the cubic through it and the last one.
static void move_point(slip_point* at, const slip_point* last, double step)
{
    const double gap = last ? last->sigma - at->sigma : 1.0, inverse = 1.0 / gap;
    at->sigma += step;
    for (int i = 0; i < 3; i++) {
        double bend = 0.0;
        if (last) {
            const double chord = (last->p[i] - at->p[i]) * inverse;
            const double second = (chord - at->dp[i]) * inverse;
            const double third = ((last->dp[i] - chord) * inverse - second) * inverse;
            bend = second + third * (step - gap);
        }
        at->p[i] += step * (at->dp[i] + step * bend);
    }
}

// The next guess: the step if it stays in the bracket, else 0 once, else the middle.
static double next_guess(double next, double low, double high, int* zero_seen)
{
    if (is_between(next, low, high)) {
        return next;
    }
    if (next <= low && !*zero_seen) {
        *zero_seen = 1;
        return 0.0;
    }
    return 0.5 * (low + high);
}

// Solve |P| = 1 from a first guess; |P(0)| > 1. `held`: a fixed beta, or NULL where it depends on sigma.
static slip_point find_slip(const slip_problem* q, double guess, const double* held, int* rounds)
{
    double low = 0.0, high = slip_speed(q) * (1.0 + 1e-15);
    int zero_seen = !(guess > 0.0);
    slip_point points[2];
    for (int round = 0;; round++) {
        slip_point *at = &points[round % 2], *last = &points[(round + 1) % 2];
        *at = held ? evaluate_held(q, guess, *held) : evaluate(q, guess);
        *(at->y < 0.0 ? &low : &high) = guess;
        double step = -at->y * at->dsigma;
        const double by_cubic = round > 0 ? cubic_step(at, last) : step;
        step = is_between(guess + by_cubic, low, high) ? by_cubic : step;
        // error of a tangent: step squared; of a cubic: product of the squared distances to both points
        const double next = guess + step;
        const double reach = round > 0 ? next - last->sigma : next;
        if (!(fabs(step * reach) > 1e-7 * next * next) || round >= MAX_ROUNDS) {
            *rounds += round + 1;
            move_point(at, round > 0 && last->sigma != at->sigma ? last : NULL, step);
            return *at;
        }
        guess = next_guess(next, low, high, &zero_seen);
    }
}

// dP/dbeta at a fixed sigma.
static void slope_by_beta(const slip_problem* q, double beta, const slip_point* at,
                          double by_beta[3])
{
    const double x = 1.0 / (at->sigma + q->d[2]);
    const matrix2 s = matrix_of(q, at->sigma, q->d[2] * at->sigma * x, beta);
    const pair b = solve2(&s, -at->p[1], at->p[0]);
    by_beta[0] = b.t;
    by_beta[1] = b.o;
    by_beta[2] = -x * q->d[2] * lever(q, b);
}

// dF/dbeta of F(beta) = beta + turning sigma P_r along |P| = 1.
static double closure_slope(const slip_problem* q, double beta, const slip_point* at)
{
    double by_beta[3];
    slope_by_beta(q, beta, at, by_beta);
    const double dsigma = -vec3_dot(at->p, by_beta) / vec3_dot(at->p, at->dp);
    return 1.0 + q->turning * (dsigma * at->p[2] + at->sigma * (by_beta[2] + at->dp[2] * dsigma));
}

// Newton's step (dsigma, dbeta) for y = 0 and F = 0 together.
static pair joint_step(const slip_problem* q, double beta, const slip_point* at,
                       const double by_beta[3])
{
    const double inverse = 1.0 + at->y,
                 y_beta = -vec3_dot(at->p, by_beta) * inverse * inverse * inverse;
    const double f_sigma = q->turning * (at->p[2] + at->sigma * at->dp[2]);
    matrix2 s = {1.0 / at->dsigma, y_beta, f_sigma, 1.0 + q->turning * at->sigma * by_beta[2], 0.0};
    s.inverse = 1.0 / (s.tt * s.oo - s.to * s.ot);
    return solve2(&s, -at->y, -beta - q->turning * at->sigma * at->p[2]);
}

// Newton's method for sigma and beta together. Returns 1 if it converged.
static int find_both(const slip_problem* q, double sigma, double beta, double max_sigma,
                     slip_point* at, int* rounds)
{
    for (int round = 0; round < MAX_JOINT_ROUNDS; round++) {
        double by_beta[3];
        *at = evaluate_held(q, sigma, beta);
        slope_by_beta(q, beta, at, by_beta);
        const pair step = joint_step(q, beta, at, by_beta);
        ++*rounds;
        // the error of P on its tangent is the square of the steps
        if (fabs(step.t) < 1e-7 * sigma && fabs(step.o) < 1e-7 * sigma) {
            at->sigma += step.t;
            for (int i = 0; i < 3; i++) {
                at->p[i] += step.t * at->dp[i] + step.o * by_beta[i];
            }
            return 1;
        }
        sigma = fmin(fmax(sigma + step.t, 0.1 * sigma), max_sigma);
        beta += step.o;
    }
    return 0;
}

// With a load off the height of the CoM P_r depends on beta, too. For a fixed beta there is exactly one sigma >= 0.
// F changes sign over |beta| <= turning |V|, where a root is searched if Newton's method for both
// unknowns failed.
static slip_point find_spin(const slip_problem* q, int* rounds)
{
    double v[3];
    shifted_velocity(q, v);
    double high = q->turning * vec3_norm(v), low = -high, sigma = first_guess(q);
    double beta = q->turning * q->v[2] * sigma / (sigma + q->d[2]);
    const double scale = high;
    slip_point at;
    if (find_both(q, sigma, beta, vec3_norm(v), &at, rounds)) {
        return at;
    }
    for (int round = 0;; round++) {
        at = evaluate_held(q, 0.0, beta);
        const int slides = at.y < 0.0;
        at = slides ? find_slip(q, sigma, &beta, rounds) : at;
        const double miss = beta + q->turning * at.sigma * at.p[2];
        *(miss > 0.0 ? &high : &low) = beta;
        const double step = slides ? -miss / closure_slope(q, beta, &at) : -miss;
        if (!(fabs(step) > 1e-13 * scale) || round >= MAX_ROUNDS) {
            return at;
        }
        sigma = at.sigma;
        beta = is_between(beta + step, low, high) ? beta + step : 0.5 * (low + high);
    }
}

// P(0): the friction that holds the slider at rest, if |P(0)| <= 1.
static void holding(const slip_problem* q, double p[3])
{
    p[0] = -q->v[0] / q->d[0];
    p[1] = -q->v[1] / q->d[1];
    p[2] = -q->v[2] / q->d[2] - lever(q, (pair){p[0], p[1]});
}

static slip_solution solve_step(const slip_problem* q)
{
    slip_solution found = {.sticks = 1};
    if (q->v[0] == 0.0 && q->v[1] == 0.0 && q->v[2] == 0.0) {
        return found;
    }
    holding(q, found.p);
    if (vec3_dot(found.p, found.p) <= 1.0) {
        return found;
    }
    found.sticks = 0;
    const int loaded = q->k[0] != 0.0 || q->k[1] != 0.0;
    const slip_point at = loaded ? find_spin(q, &found.iterations)
                                 : find_slip(q, first_guess(q), NULL, &found.iterations);
    found.sigma = at.sigma;
    for (int i = 0; i < 3; i++) {
        found.p[i] = at.p[i];
    }
    return found;
}

// The same problem with speeds in units of `unit`: P is unchanged, sigma is in this unit.
static slip_problem in_units_of(double unit, const slip_problem* q)
{
    slip_problem scaled = *q;
    for (int i = 0; i < 3; i++) {
        scaled.v[i] /= unit;
        scaled.d[i] /= unit;
    }
    return scaled;
}

// Solve with speeds scaled by the largest, so that products of five neither overflow nor underflow.
static slip_solution solve_in_range(const slip_problem* q, double largest,
                                    slip_solution (*solve)(const slip_problem*))
{
    if (!(largest > 0.0) || (largest > 1e-50 && largest < 1e50)) {
        return solve(q);
    }
    const slip_problem scaled = in_units_of(largest, q);
    slip_solution found = solve(&scaled);
    found.sigma *= largest;
    return found;
}

static double sum_of_sizes(const double a[3])
{
    return fabs(a[0]) + fabs(a[1]) + fabs(a[2]);
}

slip_solution bri_slip_instant(const slip_problem* q)
{
    return solve_in_range(q, sum_of_sizes(q->v), solve_instant);
}

slip_solution bri_slip_solve(const slip_problem* q)
{
    return solve_in_range(q, sum_of_sizes(q->v) + sum_of_sizes(q->d), solve_step);
}
