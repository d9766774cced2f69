/*
 * The front of an integration: one step at a time, cut at events.
 *
 * The method runs ahead to `reach`; the caller stands at `t <= reach`. An event moves the caller to
 * the event and leaves the method where it is, so going on after an event loses no work.
 */
#include "sim/integrator_internal.h"

#include <math.h>
#include <string.h>

// Events are located to this share of the step.
static const double event_tolerance = 1e-12;

br_integrator_def br_integrator_def_default(void)
{
    return (br_integrator_def){.size = sizeof(br_integrator_def),
                               .kind = BR_ROSENBROCK,
                               .rtol = 1e-6,
                               .max_step = HUGE_VAL,
                               .max_steps = 10000000};
}

static br_status check_ode(const br_ode* ode, br_reason* why)
{
    if (ode->n < 1 || !ode->rate || !ode->jacobian) {
        br_reason_set(why, "ode", "needs n >= 1, a rate and a jacobian");
        return BR_ERR_DEF;
    }
    if (ode->events > 0 && !ode->event) {
        br_reason_set(why, "ode.event", "is missing for %zu events", ode->events);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

static br_status check_def(const br_ode* ode, const br_integrator_def* def, br_reason* why)
{
    if (def->size != sizeof *def) {
        br_reason_set(why, "size", "start from br_integrator_def_default()");
        return BR_ERR_DEF;
    }
    if (!(def->rtol >= 1e-14 && def->rtol < 1.0)) {
        br_reason_set(why, "rtol", "must be in [1e-14, 1), got %g", def->rtol);
        return BR_ERR_DEF;
    }
    for (size_t i = 0; i < ode->n; i++) {
        if (!def->atol || !(def->atol[i] > 0.0) || !isfinite(def->atol[i])) {
            br_reason_set(why, "atol", "must be finite and > 0 for each of %zu states", ode->n);
            return BR_ERR_DEF;
        }
    }
    if (!(def->first_step >= 0.0) || !isfinite(def->first_step)) {
        br_reason_set(why, "first_step", "must be finite and >= 0, got %g", def->first_step);
        return BR_ERR_DEF;
    }
    if (!(def->max_step > 0.0) || def->max_steps < 1) {
        br_reason_set(why, "max_step", "max_step must be > 0 and max_steps >= 1");
        return BR_ERR_DEF;
    }
    return BR_OK;
}

// One block for the arrays that the front needs: atol, y, reach_y, y_trial (n), g, g_trial (events).
static br_status allocate_arrays(br_integrator* s, br_reason* why)
{
    const size_t n = s->ode.n, events = s->ode.events;
    s->memory = br_allocate(4 * n + 2 * events, sizeof(double));
    if (!s->memory) {
        br_reason_set(why, "", "no memory for %zu states", n);
        return BR_ERR_MEMORY;
    }
    double* atol = s->memory;
    memcpy(atol, s->def.atol, n * sizeof *atol);
    s->def.atol = atol;
    s->y = atol + n;
    s->reach_y = s->y + n;
    s->y_trial = s->reach_y + n;
    s->g = s->y_trial + n;
    s->g_trial = s->g + events;
    return BR_OK;
}

br_status br_integrator_create(const br_ode* ode, const br_integrator_def* def, br_integrator** out,
                               br_reason* why)
{
    BR_ASSERT(ode && def && out);
    *out = NULL;
    br_status status = check_ode(ode, why);
    if (status == BR_OK) {
        status = check_def(ode, def, why);
    }
    if (status != BR_OK) {
        return status;
    }
    br_integrator* s = br_allocate(1, sizeof *s);
    if (!s) {
        br_reason_set(why, "", "no memory for an integrator");
        return BR_ERR_MEMORY;
    }
    s->ode = *ode;
    s->def = *def;
    s->front = def->kind == BR_CVODE ? &cvode_method : &rosenbrock_method;
    status = allocate_arrays(s, why);
    if (status == BR_OK) {
        status = s->front->create(s, why);
    }
    if (status != BR_OK) {
        br_integrator_destroy(s);
        return status;
    }
    *out = s;
    return BR_OK;
}

void br_integrator_destroy(br_integrator* s)
{
    if (!s) {
        return;
    }
    if (s->method) {
        s->front->destroy(s);
    }
    br_release(s->memory);
    br_release(s);
}

void br_integrator_start(br_integrator* s, double t, const double* y)
{
    BR_ASSERT(s && y);
    memmove(s->y, y, s->ode.n * sizeof *y);
    memcpy(s->reach_y, s->y, s->ode.n * sizeof *y);
    s->t = s->reach = t;
    s->attempts = 0;
    if (s->ode.events > 0) {
        s->ode.event(t, s->y, s->g, s->ode.user);
    }
    s->front->start(s);
}

br_status integrator_stuck(const br_integrator* s, const char* what, br_reason* why)
{
    br_reason_set(why, "", "%s at t = %.9g s", what, s->reach);
    return BR_ERR_CONVERGENCE;
}

// Value of event function `i` at a time within the method's last step.
static double event_at(br_integrator* s, size_t i, double t)
{
    s->front->at(s, t, s->y_trial);
    s->ode.event(t, s->y_trial, s->g_trial, s->ode.user);
    return s->g_trial[i];
}

// The instant after which event function `i`, known to change sign in [a, b], has its new sign.
// Regula falsi (Illinois), every third round a bisection so that it always ends.
static double locate(br_integrator* s, size_t i, double a, double b, double ga, double gb)
{
    const double tolerance = event_tolerance * (b - a);
    for (int round = 0; round < 200 && b - a > tolerance; round++) {
        double t = 0.5 * (a + b);
        if (round % 3 != 2 && gb != 0.0) {
            t = a + (b - a) * ga / (ga - gb);
        }
        if (!(t > a && t < b)) {
            break;
        }
        const double g = event_at(s, i, t);
        if ((g > 0.0) == (ga > 0.0) && g != 0.0) {
            a = t;
            ga = g;
            gb *= 0.5;
        } else {
            b = t;
            gb = g;
            ga *= 0.5;
        }
    }
    return b;
}

// Move the caller to `end`, or to the first event before it; -1 if there is none.
static int cut_at_event(br_integrator* s, double end)
{
    const double begin = s->t;
    int first = -1;
    double* g_end = s->g_trial;
    for (size_t i = 0; i < s->ode.events; i++) {
        const double g_now = s->g[i];
        s->front->at(s, end, s->y_trial);
        s->ode.event(end, s->y_trial, g_end, s->ode.user);
        if (g_now * g_end[i] < 0.0 || (g_now != 0.0 && g_end[i] == 0.0)) {
            end = locate(s, i, begin, end, g_now, g_end[i]);
            first = (int)i;
        }
    }
    s->t = end;
    s->front->at(s, end, s->y);
    if (s->ode.events > 0) {
        s->ode.event(end, s->y, s->g, s->ode.user);
    }
    return first;
}

br_status br_integrator_step(br_integrator* s, double t_end, int* event, br_reason* why)
{
    BR_ASSERT(s && t_end > s->t);
    if (s->t >= s->reach) {
        const br_status status = s->front->step(s, t_end, why);
        if (status != BR_OK) {
            return status;
        }
    }
    const int first = cut_at_event(s, fmin(s->reach, t_end));
    if (event) {
        *event = first;
    }
    return BR_OK;
}

double br_integrator_t(const br_integrator* s)
{
    return s->t;
}

const double* br_integrator_y(const br_integrator* s)
{
    return s->y;
}

void br_integrator_at(const br_integrator* s, double t, double* y)
{
    s->front->at(s, t, y);
}

br_integrator_cost br_integrator_get_cost(const br_integrator* s)
{
    return s->cost;
}
