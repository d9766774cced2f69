/*
 * The front of an integration: one step at a time, cut at events.
 *
 * The method runs ahead to `reach`; the caller stands at `t <= reach`. An event moves the caller to
 * the event and leaves the method where it is, so going on after an event loses no work.
 */
#include "sim/integrator_internal.h"

#include "sim/states.h"

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

static br_status check_ode(const br_ode* ode, br_integrator_kind kind, br_reason* why)
{
    const int dense = !ode->linearise && !ode->factor && !ode->solve;
    const int structured = !ode->jacobian && ode->linearise && ode->factor && ode->solve;
    const int enough = dense ? ode->jacobian || kind == BR_CVODE || kind == BR_FIXED : structured;
    if (kind == BR_FIXED && !ode->advance) {
        br_reason_set(why, "ode.advance", "is missing for fixed steps");
        return BR_ERR_DEF;
    }
    if (ode->n < 1 || !ode->rate || !enough) {
        br_reason_set(why, "ode",
                      "needs n >= 1, a rate, and a jacobian or all of linearise, factor, "
                      "solve");
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
    if (def->kind == BR_FIXED && def->first_step == 0.0) {
        br_reason_set(why, "first_step", "must be > 0 for fixed steps");
        return BR_ERR_DEF;
    }
    if (!(def->max_step > 0.0)) {
        br_reason_set(why, "max_step", "must be > 0, got %g", def->max_step);
        return BR_ERR_DEF;
    }
    if (def->max_steps < 1) {
        br_reason_set(why, "max_steps", "must be >= 1");
        return BR_ERR_DEF;
    }
    if (def->kind != BR_ROSENBROCK && def->kind != BR_CVODE && def->kind != BR_FIXED) {
        br_reason_set(why, "kind", "must be BR_ROSENBROCK, BR_CVODE or BR_FIXED, got %d",
                      (int)def->kind);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

// One block for the arrays that the front needs: atol, reach_y, y_trial (n), g, g_trial (events).
static br_status allocate_arrays(br_integrator* s, br_reason* why)
{
    const size_t n = s->ode.n, events = s->ode.events;
    const size_t stride = states_stride(n), lead = states_lead(s->ode.apart);
    s->memory = br_allocate(lead + 3 * stride + 2 * events, sizeof(double));
    if (!s->memory) {
        br_reason_set(why, "", "no memory for %zu states", n);
        return BR_ERR_MEMORY;
    }
    double* atol = s->memory + lead;
    memcpy(atol, s->def.atol, n * sizeof *atol);
    s->def.atol = atol;
    s->y = s->reach_y = atol + stride;
    s->y_trial = s->reach_y + stride;
    s->g = s->y_trial + stride;
    s->g_trial = s->g + events;
    return BR_OK;
}

br_status br_integrator_create(const br_ode* ode, const br_integrator_def* def, br_integrator** out,
                               br_reason* why)
{
    BR_ASSERT(ode && def && out);
    *out = NULL;
    br_status status = check_ode(ode, def->kind, why);
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
    s->method = def->kind == BR_CVODE   ? &bri_cvode_method
                : def->kind == BR_FIXED ? &bri_fixed_method
                                        : &bri_rosenbrock_method;
    status = allocate_arrays(s, why);
    if (status == BR_OK) {
        status = s->method->create(s, why);
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
    if (s->data) {
        s->method->destroy(s);
    }
    br_release(s->memory);
    br_release(s);
}

void br_integrator_start(br_integrator* s, double t, const double* y)
{
    BR_ASSERT(s && y);
    memmove(s->reach_y, y, s->ode.n * sizeof *y);
    s->y = s->reach_y;
    s->t = s->reach = t;
    s->attempts = 0;
    if (s->ode.events > 0) {
        s->ode.event(t, s->y, s->g, s->ode.user);
    }
    s->method->start(s);
}

br_status bri_integrator_stuck(const br_integrator* s, const char* what, br_reason* why)
{
    br_reason_set(why, "", "%s at t = %.9g s", what, s->reach);
    return BR_ERR_CONVERGENCE;
}

// Event functions at a time within the method's last step; gives the state there.
static const double* look_at(br_integrator* s, double t)
{
    const double* y = s->reach_y;
    if (t != s->reach) {
        s->method->at(s, t, s->y_trial);
        y = s->y_trial;
    }
    if (s->ode.events > 0) {
        s->ode.event(t, y, s->g_trial, s->ode.user);
    }
    return y;
}

// Value of event function `i` at a time within the method's last step.
static double event_at(br_integrator* s, size_t i, double t)
{
    look_at(s, t);
    return s->g_trial[i];
}

// Has an event function that was `before` reached zero or the other sign? From 0 it has not.
static int has_switched(double before, double now)
{
    return before > 0.0 ? now <= 0.0 : before < 0.0 ? now >= 0.0 : 0;
}

// A point inside (a, b): where the line through both values is zero, or the middle.
static double trial_point(double a, double b, double ga, double gb, int bisect)
{
    const double line = a + (b - a) * (ga / (ga - gb));
    return !bisect && line > a && line < b ? line : 0.5 * (a + b);
}

// The instant after which event function `i`, known to change sign in [a, b], has its new sign.
// Regula falsi, with the value of an end that stays halved (Illinois); every third round a
// bisection, so that 200 rounds reach the tolerance whatever the function is.
static double locate(br_integrator* s, size_t i, double a, double b, double ga, double gb)
{
    const double tolerance = event_tolerance * (b - a), before = ga;
    int last_side = 0; // -1: a moved last, 1: b moved last
    for (int round = 0; round < 200 && b - a > tolerance; round++) {
        const double t = trial_point(a, b, ga, gb, round % 3 == 2);
        if (!(t > a && t < b)) {
            break; // no number between them
        }
        const double g = event_at(s, i, t);
        if (has_switched(before, g)) {
            b = t, gb = g;
            ga *= last_side == 1 ? 0.5 : 1.0;
            last_side = 1;
        } else {
            a = t, ga = g;
            gb *= last_side == -1 ? 0.5 : 1.0;
            last_side = -1;
        }
    }
    return b;
}

// An event function other than `known` that has switched where we look; -1 if there is none.
static int find_switched(const br_integrator* s, int known)
{
    for (int i = 0; i < (int)s->ode.events; i++) {
        if (i != known && has_switched(s->g[i], s->g_trial[i])) {
            return i;
        }
    }
    return -1;
}

// Move the caller to `end`, or to the first event before it; -1 if there is none.
static int cut_at_event(br_integrator* s, double end)
{
    int first = -1;
    const double* y = look_at(s, end);

    // each event found cuts the step shorter; look again for another one before the cut
    for (size_t round = 0; round < 2 * s->ode.events; round++) {
        const int i = find_switched(s, first);
        if (i < 0) {
            break;
        }
        end = locate(s, (size_t)i, s->t, end, s->g[i], s->g_trial[i]);
        first = i;
        y = look_at(s, end);
    }
    s->t = end;
    s->y = y;
    memcpy(s->g, s->g_trial, s->ode.events * sizeof *s->g);
    return first;
}

br_status br_integrator_step(br_integrator* s, double t_end, int* event, br_reason* why)
{
    BR_ASSERT(s);
    if (!(t_end > s->t)) {
        br_reason_set(why, "t_end", "must be after t = %.9g s, got %.9g s", s->t, t_end);
        return BR_ERR_ARG;
    }
    if (s->t >= s->reach) {
        const br_status status = s->method->step(s, t_end, why);
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
    s->method->at(s, t, y);
}

br_integrator_cost br_integrator_get_cost(const br_integrator* s)
{
    return s->cost;
}
