/*
 * Sliders: one step of the paper's example 6.1, against Newton's method on the four equations.
 */
#include "bench.h"

#include "bristle/slider.h"

#include "../src/math/lu.h"

enum { STEPS = 45 }; // the paper's run: 0.45 s, just before rest

static const double h = 0.01;

static const br_slider_state start = {{0.0, 0.0, 0.0}, {0.7, 0.9, 10.0}};

static double steps(void* setup, size_t calls)
{
    (void)setup;
    const br_slider slider = br_slider_default();
    const br_slider_load none = {{0.0, 0.0, 0.0}, 0.0};
    br_slider_state state = start;
    double sum = 0.0;
    for (size_t i = 0; i < calls; i++) {
        state = i % STEPS ? state : start;
        sum += br_slider_step(&slider, &state, &none, h).pt;
    }
    return sum;
}

// (29)-(32) over mu p_n and their derivatives by p_t, p_o, p_r, sigma
static void residual(const br_slider* s, br_twist v, const double x[4], double r[4], double j[16])
{
    const double pn = s->mass * s->gravity * h, limit = s->mu * pn, tilt = s->height / pn;
    const double w = v.w + x[2] / s->inertia;
    const double t2 = s->e_t * s->e_t, o2 = s->e_o * s->e_o, r2 = s->e_r * s->e_r;
    r[0] = t2 * (v.vx + x[0] / s->mass + x[1] * tilt * w) + x[0] * x[3] / limit;
    r[1] = o2 * (v.vy + x[1] / s->mass - x[0] * tilt * w) + x[1] * x[3] / limit;
    r[2] = r2 * w + x[2] * x[3] / limit;
    r[3] = 1.0 - (x[0] * x[0] / t2 + x[1] * x[1] / o2 + x[2] * x[2] / r2) / (limit * limit);
    const double rows[16] = {t2 / s->mass + x[3] / limit,
                             t2 * tilt * w,
                             t2 * x[1] * tilt / s->inertia,
                             x[0] / limit,
                             -o2 * tilt * w,
                             o2 / s->mass + x[3] / limit,
                             -o2 * x[0] * tilt / s->inertia,
                             x[1] / limit,
                             0.0,
                             0.0,
                             r2 / s->inertia + x[3] / limit,
                             x[2] / limit,
                             -2.0 * x[0] / (t2 * limit * limit),
                             -2.0 * x[1] / (o2 * limit * limit),
                             -2.0 * x[2] / (r2 * limit * limit),
                             0.0};
    for (int i = 0; i < 16; i++) {
        j[i] = rows[i];
    }
}

// Newton's method, starting from friction against the velocity at the start of the step, until an
// iteration changes less than 1e-7.
static void solve4(const br_slider* s, br_twist v, double x[4])
{
    const double limit = s->mu * s->mass * s->gravity * h;
    const double slip[3] = {s->e_t * v.vx, s->e_o * v.vy, s->e_r * v.w};
    x[3] = sqrt(slip[0] * slip[0] + slip[1] * slip[1] + slip[2] * slip[2]);
    x[0] = -s->e_t * limit * slip[0] / x[3];
    x[1] = -s->e_o * limit * slip[1] / x[3];
    x[2] = -s->e_r * limit * slip[2] / x[3];
    for (int round = 0; round < 30; round++) {
        double dx[4], j[16];
        size_t pivot[4];
        residual(s, v, x, dx, j);
        lu_factor(j, 4, pivot);
        lu_solve(j, 4, pivot, dx);
        for (int i = 0; i < 4; i++) {
            x[i] -= dx[i];
        }
        if (fabs(dx[3]) <= 1e-7 * x[3]) {
            break;
        }
    }
}

static double newton4(void* setup, size_t calls)
{
    (void)setup;
    const br_slider s = br_slider_default();
    br_slider_state state = start;
    double sum = 0.0, x[4];
    for (size_t i = 0; i < calls; i++) {
        state = i % STEPS ? state : start;
        solve4(&s, state.v, x);
        state.v.vx += x[0] / s.mass;
        state.v.vy += x[1] / s.mass;
        state.v.w += x[2] / s.inertia;
        state.q.x += h * state.v.vx;
        state.q.y += h * state.v.vy;
        state.q.theta += h * state.v.w;
        sum += x[0];
    }
    return sum;
}

const bench_case slider_cases[] = {
    BENCH_CASE("slider.step/6.1", 45000, NULL, steps, newton4, NULL),
};
const size_t slider_case_count = sizeof slider_cases / sizeof *slider_cases;
