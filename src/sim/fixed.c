/*
 * Fixed steps: the system advances itself; the state is linear between the ends of a step.
 *
 * Steps end at multiples of their size after the first start, and also at breaks. The first step after a break ends at
 * the next multiple.
 */
#include "sim/integrator_internal.h"

#include <math.h>
#include <string.h>

// A step is extended by up to this share to avoid a tiny step at the end.
static const double tiny_step = 1e-6;

typedef struct fixed {
    double origin; // first start; steps are counted from here [s]; NAN: not started yet
    double t0;     // start of the last step [s]
    double* y0;    // state there (n)
} fixed;

static br_status fixed_create(br_integrator* s, br_reason* why)
{
    fixed* f = s->data = br_allocate(1, sizeof *f);
    if (f) {
        f->origin = (double)NAN;
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
    f->origin = isnan(f->origin) ? f->t0 : f->origin;
    memcpy(f->y0, s->reach_y, s->ode.n * sizeof *f->y0);
}

// The next step: its size, exactly the requested one if it starts at a multiple of it, and its end.
typedef struct plan {
    double h, end; // [s]
} plan;

static plan plan_step(const fixed* f, double size, double t_end)
{
    const double done = (f->t0 - f->origin) / size, whole = round(done);
    const int is_whole = fabs(done - whole) <= tiny_step;
    const double end = f->origin + (is_whole ? whole + 1.0 : ceil(done)) * size;
    if (!(end < t_end - tiny_step * size)) {
        return (plan){t_end - f->t0, t_end};
    }
    return (plan){is_whole ? size : end - f->t0, end};
}

static br_status fixed_step(br_integrator* s, double t_end, br_reason* why)
{
    fixed* f = s->data;
    if (s->attempts++ >= s->def.max_steps) {
        return bri_integrator_stuck(s, "the allowed number of steps was used up", why);
    }
    fixed_start(s);
    const plan next = plan_step(f, fmin(s->def.first_step, s->def.max_step), t_end);
    if (!(f->t0 + next.h > f->t0)) {
        return bri_integrator_stuck(s, "the step is lost in the rounding of t", why);
    }
    s->cost.evaluations += s->ode.advance(f->t0, next.h, s->reach_y, s->ode.user);
    s->cost.steps++;
    s->reach = next.end;
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
