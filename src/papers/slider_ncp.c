/*
 * A slider's step as a nonlinear complementarity problem.
 *
 * X&C (17)-(20) as printed: unknowns p_t, p_o, p_r and sigma, scaled to x = (p_i/(e_i mu p_n),
 * sigma/speed), with the velocity (14)-(16) at the ECP as a function of the impulses. The
 * complementarity (20) becomes one equation by the function of Fischer and Burmeister,
 *
 *   phi(a, b) = sqrt(a^2 + b^2) - a - b = 0   <=>   a >= 0, b >= 0, a b = 0
 *
 * and the four equations are solved by Newton's method with a line search, from several starts.
 * This is the reference for slip.c and shares no code with it.
 */
#include "bristle/papers.h"

#include "slider/slider_internal.h"

#include "math/lu.h"

enum { MAX_ROUNDS = 60, MAX_HALVINGS = 40 };

typedef struct ncp {
    const br_slider* slider;
    const slider_step* step;
    double limit; // mu p_n
    double speed; // scale of the slip speed [m/s]
    double tilt;  // q_z/p_n, or less in raise_height()
} ncp;

static double merit(const double r[4])
{
    return r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3];
}

// v_t, v_o, v_r at the ECP (14)-(16) and their derivatives by p_t, p_o, p_r.
static void slip_velocity(const ncp* n, const double p[3], double v[3], double dv[3][3])
{
    const br_slider* s = n->slider;
    const br_vec2 kappa = n->step->kappa;
    const double tilt = n->tilt;
    const double w = n->step->v.w + (p[2] + kappa.x * p[1] - kappa.y * p[0]) / s->inertia;
    const double dw[3] = {-kappa.y / s->inertia, kappa.x / s->inertia, 1.0 / s->inertia};
    const double ax = kappa.x - tilt * p[0], ay = kappa.y - tilt * p[1]; // a - q (11), (12)
    v[0] = n->step->v.vx + p[0] / s->mass - w * ay;
    v[1] = n->step->v.vy + p[1] / s->mass + w * ax;
    v[2] = w;
    for (int j = 0; j < 3; j++) {
        dv[0][j] = (j == 0 ? 1.0 / s->mass : 0.0) - dw[j] * ay + (j == 1 ? w * tilt : 0.0);
        dv[1][j] = (j == 1 ? 1.0 / s->mass : 0.0) + dw[j] * ax - (j == 0 ? w * tilt : 0.0);
        dv[2][j] = dw[j];
    }
}

// Residuals of (17)-(20), and their Jacobian.
static void residual(const ncp* n, const double x[4], double r[4], double jacobian[16])
{
    const double e[3] = {n->slider->e_t, n->slider->e_o, n->slider->e_r};
    double p[3], v[3], dv[3][3], inside = 1.0;
    for (int i = 0; i < 3; i++) {
        p[i] = e[i] * n->limit * x[i];
        inside -= x[i] * x[i];
    }
    slip_velocity(n, p, v, dv);
    // 0 = e^2 mu p_n v + p sigma, over e mu p_n and the scale of speed                  (17)-(19)
    for (int i = 0; i < 3; i++) {
        r[i] = e[i] * v[i] / n->speed + x[i] * x[3];
        for (int j = 0; j < 3; j++) {
            jacobian[4 * i + j] =
                e[i] * dv[i][j] * e[j] * n->limit / n->speed + (i == j ? x[3] : 0.0);
        }
        jacobian[4 * i + 3] = x[i];
    }
    // 0 <= 1 - |x|^2, perpendicular to sigma >= 0                                           (20)
    const double root = hypot(inside, x[3]), kink = root > 0.0 ? 1.0 / root : 0.0;
    r[3] = root - inside - x[3];
    for (int j = 0; j < 3; j++) {
        jacobian[12 + j] = (inside * kink - 1.0) * -2.0 * x[j];
    }
    jacobian[15] = x[3] * kink - 1.0;
}

// Newton's method from x; 1 if it converged. Counts its rounds.
static int newton(const ncp* n, double x[4], int* rounds)
{
    double r[4], jacobian[16];
    residual(n, x, r, jacobian);
    for (int round = 0; round < MAX_ROUNDS; round++) {
        size_t pivot[4];
        double dx[4] = {r[0], r[1], r[2], r[3]}, next[4], there[4];
        if (merit(r) < 1e-28) {
            return 1;
        }
        ++*rounds;
        if (!lu_factor(jacobian, 4, pivot)) {
            return 0;
        }
        lu_solve(jacobian, 4, pivot, dx);
        double share = 1.0;
        for (int halving = 0; halving < MAX_HALVINGS; halving++, share *= 0.5) {
            for (int i = 0; i < 4; i++) {
                next[i] = x[i] - share * dx[i];
            }
            next[3] = fmax(next[3], 0.0); // below 0, phi has minima that are no solutions
            residual(n, next, there, jacobian);
            if (merit(there) < (1.0 - 1e-4 * share) * merit(r)) {
                break;
            }
        }
        if (!(merit(there) < merit(r))) {
            return merit(r) < 1e-22; // converged up to rounding
        }
        for (int i = 0; i < 4; i++) {
            x[i] = next[i];
            r[i] = there[i];
        }
    }
    return 0;
}

// Start with friction opposite to the velocity without friction, and a share of its slip speed.
static void start(const ncp* n, double share, double x[4])
{
    const br_slider* s = n->slider;
    const br_twist v = n->step->v;
    const double slip[3] = {s->e_t * v.vx, s->e_o * v.vy, s->e_r * v.w};
    for (int i = 0; i < 3; i++) {
        x[i] = -slip[i] / n->speed;
    }
    x[3] = share;
}

// Continuation from a body without height, whose problem is convex, to the full height in stages.
static int raise_height(ncp n, double x[4], int* rounds)
{
    enum { STAGES = 64 };
    const double full = n.tilt;
    start(&n, 1.0, x);
    for (int stage = 0; stage <= STAGES; stage++) {
        n.tilt = full * stage / STAGES;
        if (!newton(&n, x, rounds)) {
            return 0;
        }
    }
    return 1;
}

static int solve(const ncp* n, double x[4], int* rounds)
{
    static const double shares[] = {1.0, 0.1, 0.01};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        start(n, shares[i], x);
        if (newton(n, x, rounds)) {
            return 1;
        }
    }
    return raise_height(*n, x, rounds);
}

static double slip_norm(const br_slider* s, br_twist v)
{
    return hypot(hypot(s->e_t * v.vx, s->e_o * v.vy), s->e_r * v.w);
}

// The scale of speed: the slip without friction, but at least 1e-30 of the speed that friction can take
// from it, so that squares of the ratio do not overflow.
static double speed_scale(const br_slider* s, double limit, double slip)
{
    const double taken = limit * fmax(fmax(s->e_t * s->e_t, s->e_o * s->e_o) / s->mass,
                                      s->e_r * s->e_r / s->inertia);
    return fmax(slip, 1e-30 * taken);
}

br_status br_slider_ncp_step(const br_slider* s, br_slider_state* state, const br_slider_load* load,
                             double h, br_slider_value* out)
{
    BR_ASSERT(s && state && load && out && !(h <= 0.0));
    *out = (br_slider_value){.mode = BR_SLIDER_STICK};
    const slider_step step = bri_slider_step_init(s, state->v, load, h);
    const double slip = slip_norm(s, step.v), limit = s->mu * step.pn;
    const ncp n = {s, &step, limit, speed_scale(s, limit, slip), s->height / step.pn};
    double x[4] = {0.0};
    if (slip > 0.0 && !solve(&n, x, &out->iterations)) {
        return BR_ERR_CONVERGENCE;
    }
    // at the solution one of the two is 0 up to rounding
    const double inside = 1.0 - x[0] * x[0] - x[1] * x[1] - x[2] * x[2];
    out->mode = inside > x[3] || !(slip > 0.0) ? BR_SLIDER_STICK : BR_SLIDER_SLIDE;
    out->sigma = out->mode == BR_SLIDER_SLIDE ? x[3] * n.speed : 0.0;
    out->pt = s->e_t * n.limit * x[0];
    out->po = s->e_o * n.limit * x[1];
    out->pr = s->e_r * n.limit * x[2];
    bri_slider_step_finish(s, &step, state, out);
    return BR_OK;
}
