/*
 * RODAS: a linearly implicit (Rosenbrock) method of order 4(3), six stages, stiffly accurate, with
 * an interpolant of order 3. Hairer & Wanner, "Solving Ordinary Differential Equations II", IV.7,
 * in the transformed variables of their section IV.7 (7.25), which need no product with J:
 *
 *   (I/(h gamma) - J) u_i = f(t + alpha_i h, y + sum_j a_ij u_j) + sum_j c_ij u_j/h + gamma_i h f_t
 *   y1 = y + sum_j a_6j u_j + u_6,      error estimate u_6
 *
 * One factorisation per step and no iteration: a step cannot fail to converge, only be too long.
 */
#include "sim/integrator_internal.h"

#include "math/lu.h"
#include "sim/states.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

enum { STAGES = 6, HISTORY = STAGES - 1 };

static const double gamma_diagonal = 0.25;
static const double alpha[STAGES] = {0.0, 0.386, 0.21, 0.63, 1.0, 1.0};
static const double gamma_sum[STAGES] = {0.25, -0.1043, 0.1035, -0.03620000000000023, 0.0, 0.0};

static const double a[STAGES][HISTORY] = {
    {0},
    {1.544},
    {0.9466785280815826, 0.2557011698983284},
    {3.314825187068521, 2.896124015972201, 0.9986419139977817},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1.0},
};

static const double c[STAGES][HISTORY] = {
    {0},
    {-5.6688},
    {-2.430093356833875, -0.2063599157091915},
    {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
    {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
    {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136,
     -6.058818238834054},
};

// interpolant: y(t + x h) = (1-x) y0 + x y1 + x (1-x) sum (d_1j + x d_2j) u_j
static const double d[2][HISTORY] = {
    {10.12623508344586, -7.487995877610167, -34.80091861555747, -7.992771707568823,
     1.025137723295662},
    {-0.6762803392801253, 6.087714651680015, 16.43084320892478, 24.76722511418386,
     -6.594389125716872},
};

// step control: safety, and the bounds on the change from one step to the next
static const double safety = 0.9;
static const double min_factor = 0.2;
static const double max_factor = 6.0;

typedef struct rosenbrock {
    double h;                      // step to try next [s]; 0: to be chosen
    double first;                  // ideal first step, known from the last start [s]; 0: unknown
    double t0, span;               // the last step; span 0: none since the start
    int rejected;                  // rejected attempts since the last step
    double missed_h, missed_error; // of the last rejected attempt
    size_t stride;                 // from one array of states to the next
    double* y0;                    // state at its start (n)
    double* rate;                  // f at y0 (n)
    double* dfdt;                  // (n)
    size_t changing; // leading entries of dfdt that may be nonzero: all, or those of `apart`
    double* jacobian;
    double* matrix; // I/(h gamma) - J, factored
    double* u;      // stages (STAGES x stride)
    double* stage_y;
    size_t* pivot;
    double* memory;
} rosenbrock;

static br_status rosenbrock_create(br_integrator* s, br_reason* why)
{
    const size_t n = s->ode.n, lead = states_lead(s->ode.apart);
    rosenbrock* r = s->data = br_allocate(1, sizeof *r);
    if (r) {
        const size_t matrices = s->ode.jacobian ? 2 * n * n : 0;
        r->stride = states_stride(n);
        r->memory = br_allocate(lead + (STAGES + 4) * r->stride + matrices, sizeof(double));
        r->pivot = br_allocate(n, sizeof *r->pivot);
    }
    if (!r || !r->memory || !r->pivot) {
        br_reason_set(why, "", "no memory for %zu states", n);
        return BR_ERR_MEMORY;
    }
    r->y0 = r->memory + lead;
    r->rate = r->y0 + r->stride;
    r->dfdt = r->rate + r->stride;
    r->stage_y = r->dfdt + r->stride;
    r->u = r->stage_y + r->stride;
    r->jacobian = r->u + STAGES * r->stride;
    r->matrix = r->jacobian + n * n;
    return BR_OK;
}

static void rosenbrock_destroy(br_integrator* s)
{
    rosenbrock* r = s->data;
    br_release(r->pivot);
    br_release(r->memory);
    br_release(r);
}

static void rosenbrock_start(br_integrator* s)
{
    rosenbrock* r = s->data;
    r->h = s->def.first_step > 0.0 ? s->def.first_step : r->first; // starts resemble each other
    r->rejected = 0;
    r->t0 = s->reach;
    r->span = 0.0;
}

static void evaluate(br_integrator* s, double t, const double* y, double* rate)
{
    s->ode.rate(t, y, rate, s->ode.user);
    s->cost.evaluations++;
}

// Root mean square of x over the tolerances around y and y1, the larger one of both groups of states.
static double scaled_norm(const br_integrator* s, const double* x, const double* y,
                          const double* y1)
{
    const size_t first = s->ode.apart, rest = s->ode.n - first;
    const double *atol = s->def.atol, rtol = s->def.rtol;
    const double front = first ? bri_states_norm(first, x, y, y1, atol, rtol) : 0.0;
    const double back =
        rest ? bri_states_norm(rest, x + first, y + first, y1 + first, atol + first, rtol) : 0.0;
    return larger_or_nan(front, back);
}

// y1 = stage_y + last, into reach_y; returns the norm of last.
static double close_step(br_integrator* s, const double* last)
{
    const rosenbrock* r = s->data;
    const size_t first = s->ode.apart, rest = s->ode.n - first;
    const double *atol = s->def.atol, rtol = s->def.rtol;
    if (s->passes) {
        return s->passes->end(&(stage_end){last, r->stage_y, r->y0, s->reach_y, atol, rtol},
                              s->ode.user);
    }
    const double front =
        first ? bri_states_close(first, last, r->stage_y, r->y0, s->reach_y, atol, rtol) : 0.0;
    const double back =
        rest ? bri_states_close(rest, last + first, r->stage_y + first, r->y0 + first,
                                s->reach_y + first, atol + first, rtol)
             : 0.0;
    return larger_or_nan(front, back);
}

// First step from the sizes of y, f and the change of f along f (Hairer, Norsett & Wanner, II.4).
static double choose_first_step(br_integrator* s, double left)
{
    rosenbrock* r = s->data;
    const size_t n = s->ode.n;
    const double d0 = scaled_norm(s, r->y0, r->y0, r->y0);
    const double d1 = scaled_norm(s, r->rate, r->y0, r->y0);
    double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 * left : 0.01 * d0 / d1;
    h0 = fmin(h0, left);
    for (size_t i = 0; i < n; i++) {
        r->stage_y[i] = r->y0[i] + h0 * r->rate[i];
    }
    double* change = r->u;
    evaluate(s, r->t0 + h0, r->stage_y, change);
    for (size_t i = 0; i < n; i++) {
        change[i] = (change[i] - r->rate[i]) / h0;
    }
    const double d2 = scaled_norm(s, change, r->y0, r->y0);
    const double largest = fmax(d1, d2);
    const double h1 = largest <= 1e-15 ? fmax(1e-6 * left, h0 * 1e-3) : pow(0.01 / largest, 0.25);
    return isfinite(h1) ? fmin(100.0 * h0, h1) : h0;
}

static int factor(br_integrator* s, double h)
{
    rosenbrock* r = s->data;
    const size_t n = s->ode.n;
    s->cost.factorisations++;
    if (s->ode.factor) {
        return s->ode.factor(1.0 / (h * gamma_diagonal), s->ode.user);
    }
    for (size_t i = 0; i < n * n; i++) {
        r->matrix[i] = -r->jacobian[i];
    }
    for (size_t i = 0; i < n; i++) {
        r->matrix[i * n + i] += 1.0 / (h * gamma_diagonal);
    }
    return lu_factor(r->matrix, n, r->pivot);
}

// A stage that the system computes itself.
static void pass_stage(br_integrator* s, int i, double h, const double* weight)
{
    rosenbrock* r = s->data;
    s->passes->take(&(stage){.n = s->ode.n,
                             .stride = r->stride,
                             .before = i,
                             .a = a[i],
                             .c = weight,
                             .y = r->y0,
                             .at = i == STAGES - 1 ? r->stage_y : NULL,
                             .u = r->u,
                             .t = r->t0 + alpha[i] * h,
                             .rate = i == 0 ? r->rate : NULL,
                             .dfdt = r->dfdt,
                             .changing = gamma_sum[i] != 0.0 ? r->changing : 0,
                             .by_time = gamma_sum[i] * h},
                    s->ode.user);
    s->cost.evaluations += i > 0;
}

static void solve_stage(br_integrator* s, int i, double h)
{
    rosenbrock* r = s->data;
    const size_t n = s->ode.n, stride = r->stride;
    double* u = r->u + (size_t)i * stride;
    const double per_h = 1.0 / h;
    double weight[HISTORY] = {0.0};
    for (int j = 0; j < i; j++) {
        weight[j] = c[i][j] * per_h;
    }
    if (s->passes) {
        pass_stage(s, i, h, weight);
        return;
    }
    if (i == 0) {
        memcpy(u, r->rate, n * sizeof *u);
    } else {
        if (i == STAGES - 1) { // a_6j = a_5j, and 1
            bri_states_combine(n, stride, 1, a[i] + i - 1, u - stride, r->stage_y, r->stage_y);
        } else {
            bri_states_combine(n, stride, i, a[i], r->u, r->y0, r->stage_y);
        }
        evaluate(s, r->t0 + alpha[i] * h, r->stage_y, u);
        bri_states_combine(n, stride, i, weight, r->u, u, u);
    }
    for (size_t k = 0; k < r->changing && gamma_sum[i] != 0.0; k++) {
        u[k] += gamma_sum[i] * h * r->dfdt[k];
    }
    if (s->ode.solve) {
        s->ode.solve(u, s->ode.user);
    } else {
        lu_solve(r->matrix, n, r->pivot, u);
    }
}

// All stages of a step h; sets reach_y to y1 and returns the error over the tolerance.
static double attempt(br_integrator* s, double h)
{
    const rosenbrock* r = s->data;
    if (!factor(s, h)) {
        return (double)NAN;
    }
    for (int i = 0; i < STAGES; i++) {
        solve_stage(s, i, h);
    }
    // the last stage starts from y + sum a_6j u_j, and its u is the error estimate
    return close_step(s, r->u + (STAGES - 1) * r->stride);
}

static double next_size(double h, double error)
{
    const double factor = safety / sqrt(sqrt(error));
    return h * fmin(fmax(factor, min_factor), max_factor);
}

// The longest step that may be tried now.
static double step_limit(const br_integrator* s)
{
    const rosenbrock* r = s->data;
    const double own =
        s->ode.longest_step ? s->ode.longest_step(r->t0, r->y0, s->ode.user) : s->def.max_step;
    return fmin(own, s->def.max_step);
}

// Exchange y0 and reach_y: the end of the last step is the start of the next.
static void swap_ends(br_integrator* s)
{
    rosenbrock* r = s->data;
    double* y0 = r->y0;
    r->y0 = s->reach_y;
    s->reach_y = y0;
}

static void start_step(br_integrator* s, double t_end)
{
    rosenbrock* r = s->data;
    const size_t n = s->ode.n, apart = s->ode.apart;
    r->t0 = s->reach;
    swap_ends(s);
    evaluate(s, r->t0, r->y0, r->rate);
    if (s->ode.linearise) {
        s->ode.linearise(r->t0, r->y0, r->dfdt, s->ode.user);
    } else {
        s->ode.jacobian(r->t0, r->y0, r->jacobian, r->dfdt, s->ode.user);
    }
    r->changing = bri_states_any(n - apart, r->dfdt + apart) ? n : apart;
    s->cost.jacobians++;
    if (r->h <= 0.0) {
        r->h = choose_first_step(s, t_end - r->t0);
    }
}

// Accept the step h.
static void accept(br_integrator* s, double h, double error)
{
    rosenbrock* r = s->data;
    const double size = next_size(h, fmax(error, 1e-10));
    const int is_cut = h < r->h; // by t_end; its size does not suit the next step
    if (r->span == 0.0 && !is_cut) {
        r->first = size;
    }
    r->span = h;

    // do not grow right after a rejection
    if (r->rejected) {
        r->h = fmin(size, h);
    } else {
        r->h = is_cut ? fmax(size, fmin(r->h, max_factor * h)) : size;
    }
    r->rejected = 0;
    s->cost.steps++;
}

// A shorter step. In a fast transient the error decreases more slowly with the step than the method's
// order predicts; a second rejection gives an estimate of the actual order.
static double shorter(const rosenbrock* r, double h, double error)
{
    if (!isfinite(error)) {
        return 0.25 * h;
    }
    double size = next_size(h, error);
    if (r->rejected && isfinite(r->missed_error) && error < r->missed_error) {
        const double order = log(r->missed_error / error) / log(r->missed_h / h);
        size = fmin(size, h * fmax(safety * pow(error, -1.0 / order), min_factor));
    }
    return fmin(size, safety * h);
}

// Reject the step h and choose a shorter one.
static void reject(br_integrator* s, double h, double error)
{
    rosenbrock* r = s->data;
    r->h = shorter(r, h, error);
    r->rejected++;
    r->missed_h = h;
    r->missed_error = error;
    s->cost.rejected++;
}

static br_status fail_too_small(const br_integrator* s, double smallest, br_reason* why)
{
    char what[64];
    snprintf(what, sizeof what, "step size fell below %.3g s", smallest);
    return bri_integrator_stuck(s, what, why);
}

// The step of another run, whatever its error here.
static br_status repeat_step(br_integrator* s, double t_end, br_reason* why)
{
    rosenbrock* r = s->data;
    double h = 0.0;
    bool is_last = false;
    r->h = HUGE_VAL; // nothing is to be chosen
    start_step(s, t_end);
    const bool is_known = bri_run_steps_take(s->steps, t_end - r->t0, &h, &is_last);
    const double error = is_known ? attempt(s, h) : (double)NAN;
    if (isnan(error)) {
        swap_ends(s);
        return bri_run_steps_another_course(r->t0, why);
    }
    s->reach = is_last ? t_end : r->t0 + h;
    accept(s, h, error);
    return BR_OK;
}

static br_status rosenbrock_step(br_integrator* s, double t_end, br_reason* why)
{
    rosenbrock* r = s->data;
    if (s->steps && s->repeats_steps) {
        return repeat_step(s, t_end, why);
    }
    start_step(s, t_end);
    const double limit = step_limit(s);
    const double left = t_end - r->t0;
    const double smallest = fmax(16.0 * DBL_EPSILON * fmax(fabs(r->t0), 1e-3 * left), DBL_MIN);

    while (s->attempts++ < s->def.max_steps) {
        // extend the step a little to avoid a tiny last step before t_end
        const double wanted = fmin(r->h, limit);
        const int last = 1.01 * wanted >= left;
        const double h = last ? left : wanted;
        const double error = attempt(s, h);
        if (error <= 1.0) {
            s->reach = last ? t_end : r->t0 + h;
            accept(s, h, error);
            return s->steps ? bri_run_steps_add(s->steps, (run_mark){h, last, -1}, why) : BR_OK;
        }
        reject(s, h, error);
        if (r->h < smallest) {
            swap_ends(s);
            return fail_too_small(s, smallest, why);
        }
    }
    swap_ends(s);
    return bri_integrator_stuck(s, "the allowed number of steps was used up", why);
}

static void rosenbrock_at(const br_integrator* s, double t, double* y)
{
    const rosenbrock* r = s->data;
    const size_t n = s->ode.n;
    if (t == s->reach || r->span == 0.0) {
        memcpy(y, s->reach_y, n * sizeof *y); // exactly, not up to rounding
        return;
    }
    const double x = (t - r->t0) / r->span;
    double weight[HISTORY];
    for (int j = 0; j < HISTORY; j++) {
        weight[j] = x * (1.0 - x) * (d[0][j] + x * d[1][j]);
    }
    bri_states_between(n, r->stride, x, r->y0, s->reach_y, weight, r->u, y);
}

const integrator_method bri_rosenbrock_method = {rosenbrock_create, rosenbrock_destroy,
                                                 rosenbrock_start, rosenbrock_step, rosenbrock_at};
