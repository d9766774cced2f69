/*
 * Fixed steps: the system advances itself; between the ends of a step all is linear.
 */
#include "sim/integrator_internal.h"

#include <math.h>
#include <string.h>

typedef struct fixed {
    double t0;  // begin of the last step [s]
    double* y0; // state there (n)
} fixed;

static br_status fixed_create(br_integrator* s, br_reason* why)
{
    fixed* f = s->data = br_allocate(1, sizeof *f);
    if (f) {
        f->y0 = br_allocate(s->ode.n, sizeof *f->y0);
    }
    if (!f || !f->y0) {
        br_reason_set(why, "", "no memory for %zu states", s->ode.n);
        return BR_ERR_MEMORY;
    }
    return BR_OK;
}

static void fixed_destroy(br_integrator* s)
{
    fixed* f = s->data;
    br_release(f->y0);
    br_release(f);
}

static void fixed_start(br_integrator* s)
{
    fixed* f = s->data;
    f->t0 = s->reach;
    memcpy(f->y0, s->reach_y, s->ode.n * sizeof *f->y0);
}

static br_status fixed_step(br_integrator* s, double t_end, br_reason* why)
{
    fixed* f = s->data;
    if (s->attempts++ >= s->def.max_steps) {
        return bri_integrator_stuck(s, "the allowed number of steps was used up", why);
    }
    fixed_start(s);

    // stretch a little rather than leave a crumb before t_end
    const double room = t_end - f->t0, size = fmin(s->def.first_step, s->def.max_step);
    const int last = (1.0 + 1e-6) * size >= room;
    const double h = last ? room : size;
    if (!(f->t0 + h > f->t0)) {
        return bri_integrator_stuck(s, "the step is lost in the rounding of t", why);
    }
    s->cost.evaluations += s->ode.advance(f->t0, h, s->reach_y, s->ode.user);
    s->cost.steps++;
    s->reach = last ? t_end : f->t0 + h;
    for (size_t i = 0; i < s->ode.n; i++) {
        if (!isfinite(s->reach_y[i])) {
            return bri_integrator_stuck(s, "a state is not finite", why);
        }
    }
    return BR_OK;
}

static void fixed_at(const br_integrator* s, double t, double* y)
{
    const fixed* f = s->data;
    const double x = s->reach > f->t0 ? (t - f->t0) / (s->reach - f->t0) : 1.0;
    for (size_t i = 0; i < s->ode.n; i++) {
        y[i] = t == s->reach ? s->reach_y[i] : (1.0 - x) * f->y0[i] + x * s->reach_y[i];
    }
}

const integrator_method bri_fixed_method = {fixed_create, fixed_destroy, fixed_start, fixed_step,
                                            fixed_at};
